package funcs

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"raisind/geom"
	"raisind/sql/types"
)

// Field numbers and wire types of vector_tile.proto, version 2.
const (
	wireVarint = 0
	wire64     = 1
	wireBytes  = 2
	wire32     = 5

	tileLayers    = 3
	layerName     = 1
	layerFeatures = 2
	layerKeys     = 3
	layerValues   = 4
	layerExtent   = 5
	layerVersion  = 15
	featureID     = 1
	featureTags   = 2
	featureType   = 3
	featureShape  = 4
)

func appendTag(dst []byte, field, wire int) []byte {
	return binary.AppendUvarint(dst, uint64(field<<3|wire))
}

func appendField(dst []byte, field int, b []byte) []byte {
	dst = appendTag(dst, field, wireBytes)
	dst = binary.AppendUvarint(dst, uint64(len(b)))
	return append(dst, b...)
}

// mvtState is ST_AsMVT: one layer of the rows of a group.
type mvtState struct {
	begun          bool
	name           string
	extent         uint64
	geomAt, idAt   int
	keys           []string
	keyAt          map[string]int
	columnKey      []int // per column, -1 for none
	values         [][]byte
	valueAt        map[string]int
	features       []byte
	featuresNumber int
}

func (s *mvtState) Add(fc *Ctx, args []types.Datum) error {
	rec, ok := args[0].Ref().(*types.Record)
	if args[0].IsNull() {
		return nil
	}
	if !ok {
		return errPostGIS("pgis_asmvt_transfn: parameter row cannot be other than a rowtype")
	}
	if !s.begun {
		if err := s.begin(rec, args[1:]); err != nil {
			return err
		}
	}
	g := rec.Fields[s.geomAt].Geom()
	if g == nil {
		return nil
	}
	var f []byte
	if s.idAt >= 0 && !rec.Fields[s.idAt].IsNull() && rec.Fields[s.idAt].Int() >= 0 {
		f = binary.AppendUvarint(appendTag(f, featureID, wireVarint), uint64(rec.Fields[s.idAt].Int()))
	}
	tags, err := s.tags(fc, rec)
	if err != nil {
		return err
	}
	if len(tags) > 0 {
		f = appendField(f, featureTags, tags)
	}
	kind, shape := mvtCommands(g)
	f = binary.AppendUvarint(appendTag(f, featureType, wireVarint), uint64(kind))
	if len(shape) > 0 {
		f = appendField(f, featureShape, shape)
	}
	s.features = appendField(s.features, layerFeatures, f)
	s.featuresNumber++
	if len(s.features) > maxResultBytes {
		return errTooLong()
	}
	return nil
}

// begin reads the options and the columns of the first row.
func (s *mvtState) begin(rec *types.Record, opts []types.Datum) error {
	s.begun, s.name, s.extent, s.geomAt, s.idAt = true, "default", tileExtent, -1, -1
	s.keyAt, s.valueAt = map[string]int{}, map[string]int{}
	geomName, idName := "", ""
	for i, o := range opts {
		if o.IsNull() {
			continue
		}
		switch i {
		case 0:
			s.name = o.Str()
		case 1:
			s.extent = uint64(uint32(o.Int()))
		case 2:
			geomName = o.Str()
		case 3:
			idName = o.Str()
		}
	}
	s.columnKey = make([]int, len(rec.Fields))
	for i, t := range rec.Types {
		s.columnKey[i] = -1
		switch {
		case s.geomAt < 0 && t == types.TGeometry && (geomName == "" || geomName == fieldName(rec, i)):
			s.geomAt = i
		case idName != "" && s.idAt < 0 && fieldName(rec, i) == idName && (t == types.TInt2 || t == types.TInt4 || t == types.TInt8):
			s.idAt = i
		case t != types.TJSONB:
			s.columnKey[i] = s.key(fieldName(rec, i))
		}
	}
	switch {
	case s.geomAt < 0:
		return errPostGIS("parse_column_keys: no geometry column found")
	case idName != "" && s.idAt < 0:
		return errPostGIS("mvt_agg_init_context: Could not find column '%s' of integer type", idName)
	}
	return nil
}

func fieldName(rec *types.Record, i int) string {
	if i < len(rec.Names) && rec.Names[i] != "" {
		return rec.Names[i]
	}
	return "f" + strconv.Itoa(i+1)
}

func (s *mvtState) key(name string) int {
	if i, ok := s.keyAt[name]; ok {
		return i
	}
	s.keyAt[name] = len(s.keys)
	s.keys = append(s.keys, name)
	return len(s.keys) - 1
}

func (s *mvtState) value(encoded []byte) int {
	if i, ok := s.valueAt[string(encoded)]; ok {
		return i
	}
	s.valueAt[string(encoded)] = len(s.values)
	s.values = append(s.values, encoded)
	return len(s.values) - 1
}

// tags are the pairs of key and value of one row.
func (s *mvtState) tags(fc *Ctx, rec *types.Record) ([]byte, error) {
	var out []byte
	for i, d := range rec.Fields {
		t := rec.Types[i]
		switch {
		case i == s.geomAt || i == s.idAt || d.IsNull():
		case t == types.TJSONB:
			more, err := s.jsonTags(d.Str())
			if err != nil {
				return nil, err
			}
			out = append(out, more...)
		default:
			out = binary.AppendUvarint(out, uint64(s.columnKey[i]))
			out = binary.AppendUvarint(out, uint64(s.value(mvtValue(fc, t, d))))
		}
	}
	return out, nil
}

// Field numbers of the kinds of values.
const (
	valueString = 1
	valueFloat  = 2
	valueDouble = 3
	valueUint   = 5
	valueSint   = 6
	valueBool   = 7
)

func mvtInt(v int64) []byte {
	if v >= 0 {
		return binary.AppendUvarint(appendTag(nil, valueUint, wireVarint), uint64(v))
	}
	return binary.AppendVarint(appendTag(nil, valueSint, wireVarint), v) // zigzag
}

func mvtDouble(v float64) []byte {
	return binary.LittleEndian.AppendUint64(appendTag(nil, valueDouble, wire64), math.Float64bits(v))
}

func mvtValue(fc *Ctx, t *types.Type, d types.Datum) []byte {
	switch t {
	case types.TBool:
		return append(appendTag(nil, valueBool, wireVarint), byte(b2i(d.Bool())))
	case types.TInt2, types.TInt4, types.TInt8:
		return mvtInt(d.Int())
	case types.TFloat4:
		return binary.LittleEndian.AppendUint32(appendTag(nil, valueFloat, wire32), math.Float32bits(float32(d.Float())))
	case types.TFloat8:
		return mvtDouble(d.Float())
	}
	return appendField(nil, valueString, []byte(outputOf(t)(fc, d)))
}

// jsonTags are the strings, numbers and booleans of an object; what is nested is left out.
func (s *mvtState) jsonTags(text string) ([]byte, error) {
	if !strings.HasPrefix(text, "{") {
		return nil, nil
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if _, err := dec.Token(); err != nil {
		return nil, errPostGIS("%v", err)
	}
	var out []byte
	for dec.More() {
		k, err := dec.Token()
		if err != nil {
			return nil, errPostGIS("%v", err)
		}
		var v any
		if err := dec.Decode(&v); err != nil {
			return nil, errPostGIS("%v", err)
		}
		var value []byte
		switch v := v.(type) {
		case string:
			value = appendField(nil, valueString, []byte(v))
		case bool:
			value = append(appendTag(nil, valueBool, wireVarint), byte(b2i(v)))
		case json.Number:
			if n, err := v.Int64(); err == nil {
				value = mvtInt(n)
			} else if f, err := v.Float64(); err == nil {
				value = mvtDouble(f)
			}
		}
		if value == nil {
			continue
		}
		name, _ := k.(string)
		out = binary.AppendUvarint(out, uint64(s.key(name)))
		out = binary.AppendUvarint(out, uint64(s.value(value)))
	}
	return out, nil
}

func (s *mvtState) Result(*Ctx) (types.Datum, error) {
	if !s.begun {
		return types.Str(""), nil
	}
	layer := appendField(nil, layerName, []byte(s.name))
	layer = append(layer, s.features...)
	for _, k := range s.keys {
		layer = appendField(layer, layerKeys, []byte(k))
	}
	for _, v := range s.values {
		layer = appendField(layer, layerValues, v)
	}
	layer = binary.AppendUvarint(appendTag(layer, layerExtent, wireVarint), s.extent)
	layer = binary.AppendUvarint(appendTag(layer, layerVersion, wireVarint), 2)
	return types.Str(string(appendField(nil, tileLayers, layer))), nil
}

// mvtPen writes the commands of a feature's shape.
type mvtPen struct {
	out  []byte
	x, y int32
}

const (
	mvtMoveTo    = 1
	mvtLineTo    = 2
	mvtClosePath = 7
)

func (p *mvtPen) command(id, count int) { p.out = binary.AppendUvarint(p.out, uint64(count<<3|id)) }

func (p *mvtPen) to(c []float64) {
	x, y := int32(c[0]), int32(c[1])
	p.out = binary.AppendVarint(p.out, int64(x-p.x)) // zigzag, as the format wants
	p.out = binary.AppendVarint(p.out, int64(y-p.y))
	p.x, p.y = x, y
}

func (p *mvtPen) path(c []float64, stride int, ring bool) {
	n := len(c) / stride
	if ring {
		n--
	}
	if n < 1 {
		return
	}
	p.command(mvtMoveTo, 1)
	p.to(c)
	if n > 1 {
		p.command(mvtLineTo, n-1)
		for i := 1; i < n; i++ {
			p.to(c[i*stride:])
		}
	}
	if ring {
		p.command(mvtClosePath, 1)
	}
}

// mvtCommands returns the type and the commands of a shape.
func mvtCommands(g *geom.Geometry) (kind int, out []byte) {
	p := &mvtPen{}
	stride := g.Dims().Stride()
	switch g.Kind() {
	case geom.Point, geom.MultiPoint:
		if n := g.NumPoints(); n > 0 {
			p.command(mvtMoveTo, n)
			g.EachPosition(func(c []float64) bool { p.to(c); return true })
		}
		return 1, p.out
	case geom.LineString, geom.MultiLineString:
		for i := range g.NumParts() {
			p.path(g.Part(i).Positions(), stride, false)
		}
		return 2, p.out
	case geom.Polygon, geom.MultiPolygon:
		for i := range g.NumParts() {
			part := g.Part(i)
			for r := range part.NumRings() {
				p.path(part.Ring(r), stride, true)
			}
		}
		return 3, p.out
	}
	return 0, nil
}

func mvtAggregates() []Aggregate {
	arg := []string{"anyelement", "anyelement,text", "anyelement,text,int4", "anyelement,text,int4,text", "anyelement,text,int4,text,text"}
	a := Aggregate{
		Name: "ST_AsMVT", Group: groupAggregate,
		Doc: "A layer of a Mapbox vector tile of rows: row, name of the layer, extent, name of the geometry column, name of the column of feature ids. " +
			"Other columns become properties, those of type jsonb one for each key.",
		Examples: []Example{{
			`SELECT length(ST_AsMVT(q, 'points')) FROM (SELECT 1 AS n, ST_Point(25, 17) AS geom) AS q`, "35",
		}},
	}
	for _, s := range arg {
		a.Overloads = append(a.Overloads, typedAggregate(s, "bytea", func([]*types.Type) AggState { return &mvtState{} }))
	}
	return []Aggregate{a}
}
