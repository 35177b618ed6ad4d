package types

import (
	"cmp"
	"errors"
	"math"
	"strconv"
	"strings"

	"raisind/geom"
	"raisind/pgerr"
)

// SRIDWGS84 is longitude and latitude in degrees, the only system of geography.
const SRIDWGS84 = 4326

func init() {
	TGeometry.codec = codec{
		parse: parseGeometry,
		format: func(dst []byte, _ *Type, d Datum, _ *Env) []byte {
			return d.Geom().AppendHexEWKB(dst)
		},
		recv: func(t *Type, b []byte, _ int32) (Datum, error) {
			g, err := geom.ParseEWKB(b)
			if err != nil {
				return Null, GeomError(err)
			}
			return geoValue(t, g)
		},
		send:    func(dst []byte, _ *Type, d Datum) []byte { return d.Geom().AppendEWKB(dst) },
		fit:     fitGeometry,
		compare: compareGeometries,
		hash: func(dst []byte, _ *Type, d Datum) []byte {
			return appendHashBytes(dst, string(d.Geom().AppendEWKB(nil)))
		},
		key: keyGeometry,
	}
	TGeography.codec = TGeometry.codec
	box := codec{
		compare: func(_ *Type, a, b Datum) int { return compareBoxes(boxOf(a), boxOf(b)) },
		hash: func(dst []byte, _ *Type, d Datum) []byte {
			b := boxOf(d)
			return appendHashFloat(appendHashFloat(appendHashFloat(appendHashFloat(dst, b.MinX), b.MinY), b.MaxX), b.MaxY)
		},
		key: func(dst []byte, _ *Type, d Datum) []byte {
			b := boxOf(d)
			return appendKeyFloat(appendKeyFloat(appendKeyFloat(appendKeyFloat(dst, b.MinX), b.MinY), b.MaxX), b.MaxY)
		},
	}
	TBox2D.codec, TBox3D.codec = box, box
	TBox2D.codec.parse, TBox2D.codec.format = parseBox2D, formatBox2D
	TBox3D.codec.parse, TBox3D.codec.format = parseBox3D, formatBox3D
	TBox3D.codec.compare = func(_ *Type, a, b Datum) int {
		x, y := box3DOf(a), box3DOf(b)
		return cmp.Or(compareBoxes(x.Box, y.Box), CompareFloat(x.MinZ, y.MinZ), CompareFloat(x.MaxZ, y.MaxZ))
	}
	TBox3D.codec.hash = func(dst []byte, t *Type, d Datum) []byte {
		b := box3DOf(d)
		return appendHashFloat(appendHashFloat(box.hash(dst, t, d), b.MinZ), b.MaxZ)
	}
	TBox3D.codec.key = func(dst []byte, t *Type, d Datum) []byte {
		b := box3DOf(d)
		return appendKeyFloat(appendKeyFloat(box.key(dst, t, d), b.MinZ), b.MaxZ)
	}
}

// GeomError gives an error of package geom its SQLSTATE; PostGIS reports unreadable
// shapes as internal errors.
func GeomError(err error) error {
	var p *geom.ParseError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &p):
		e := pgerr.Wrap(err, pgerr.InternalError, "%s", p.Msg)
		if p.Hint != "" {
			e = e.WithHint("%s", p.Hint)
		}
		return e
	case errors.Is(err, geom.ErrUnsupported):
		return pgerr.Wrap(err, pgerr.FeatureNotSupported, "%v", err)
	case errors.Is(err, geom.ErrTooLarge):
		return pgerr.Wrap(err, pgerr.ProgramLimitExceeded, "%v", err)
	case errors.Is(err, geom.ErrMixedSRID):
		return pgerr.Wrap(err, pgerr.InternalError, "%v", err)
	}
	return pgerr.Wrap(err, pgerr.InternalError, "%v", err)
}

func parseGeometry(t *Type, s string, _ int32, _ *Env) (Datum, error) {
	g, err := geom.ParseText(s)
	if err != nil {
		return Null, GeomError(err)
	}
	return geoValue(t, g)
}

// geoValue checks what only geography asks.
func geoValue(t *Type, g *geom.Geometry) (Datum, error) {
	if t != TGeography {
		return Geom(g), nil
	}
	return NewGeography(g)
}

// NewGeography makes a geography: SRID 4326 where none is given, no other system,
// coordinates folded into the ranges of longitude and latitude.
func NewGeography(g *geom.Geometry) (Datum, error) {
	switch g.SRID() {
	case SRIDWGS84:
	case 0:
		g = g.WithSRID(SRIDWGS84)
	default:
		if !lonLatSRID(g.SRID()) {
			return Null, pgerr.New(pgerr.InvalidParameterValue, "Only lon/lat coordinate systems are supported in geography.")
		}
	}
	if box, ok := g.Box(); ok && (box.MinX < -180 || box.MaxX > 180 || box.MinY < -90 || box.MaxY > 90) {
		g = foldGeodetic(g)
	}
	return Geom(g), nil
}

// lonLatSRID tells the commonest geographic systems by EPSG's numbers for them.
func lonLatSRID(srid int32) bool { return srid >= 4001 && srid <= 4999 && srid != 4978 }

// foldGeodetic rebuilds g with every coordinate within the globe.
func foldGeodetic(g *geom.Geometry) *geom.Geometry {
	stride := g.Dims().Stride()
	fold := func(coords []float64) []float64 {
		out := append([]float64(nil), coords...)
		for i := 0; i+1 < len(out); i += stride {
			out[i], out[i+1] = foldLongitude(out[i]), foldLatitude(out[i+1])
		}
		return out
	}
	switch g.Kind() {
	case geom.Point:
		if g.IsEmpty() {
			return g
		}
		return geom.NewPointDims(fold(g.Positions()), g.Dims(), g.SRID())
	case geom.LineString:
		return geom.NewLineString(fold(g.Positions()), g.Dims(), g.SRID())
	case geom.Polygon:
		rings := make([][]float64, g.NumRings())
		for i := range rings {
			rings[i] = fold(g.Ring(i))
		}
		return geom.NewPolygon(rings, g.Dims(), g.SRID())
	}
	parts := make([]*geom.Geometry, g.NumParts())
	for i := range parts {
		parts[i] = foldGeodetic(g.Part(i))
	}
	return geom.NewCollection(g.Kind(), parts, g.Dims(), g.SRID())
}

// foldTolerance is how far beyond the edge, in degrees, a coordinate counts as on it.
const foldTolerance = 1e-10

func foldLongitude(x float64) float64 {
	switch {
	case x > 180 && x-180 <= foldTolerance:
		return 180
	case x < -180 && -180-x <= foldTolerance:
		return -180
	case x >= -180 && x <= 180:
		return x
	}
	if x > 360 || x < -360 {
		x = math.Remainder(x, 360)
	}
	if x > 180 {
		x -= 360
	}
	if x < -180 {
		x += 360
	}
	switch x {
	case -180:
		return 180
	case -360:
		return 0
	}
	return x
}

func foldLatitude(y float64) float64 {
	switch {
	case y > 90 && y-90 <= foldTolerance:
		return 90
	case y < -90 && -90-y <= foldTolerance:
		return -90
	}
	if y > 360 || y < -360 {
		y = math.Remainder(y, 360)
	}
	if y > 180 {
		y = 180 - y
	}
	if y < -180 {
		y = -180 - y
	}
	if y > 90 {
		y = 180 - y
	}
	if y < -90 {
		y = -180 - y
	}
	return y
}

func boxOf(d Datum) geom.Box {
	b, _ := d.Box()
	return b
}

// box3DOf is a box3d with its heights; those of a box2d are 0.
func box3DOf(d Datum) geom.Box3D {
	if b, ok := d.ref.(*geom.Box3D); ok {
		return *b
	}
	return geom.Box3D{Box: boxOf(d)}
}

// NewBox3D makes a box3d.
func NewBox3D(b geom.Box3D) Datum { return Ref(&b) }

// Box3D returns the box of a box3d or box2d, false for NULL.
func (d Datum) Box3D() (geom.Box3D, bool) {
	_, ok := d.Box()
	return box3DOf(d), ok
}

// NewBox makes a box2d or box3d.
func NewBox(b geom.Box) Datum { return Ref(&b) }

// Box returns the rectangle of a box2d or box3d, false for NULL.
func (d Datum) Box() (geom.Box, bool) {
	switch b := d.ref.(type) {
	case *geom.Box:
		return *b, true
	case *geom.Box3D:
		return b.Box, true
	}
	return geom.EmptyBox(), false
}

func compareBoxes(a, b geom.Box) int {
	for _, p := range [4][2]float64{{a.MinX, b.MinX}, {a.MinY, b.MinY}, {a.MaxX, b.MaxX}, {a.MaxY, b.MaxY}} {
		if c := CompareFloat(p[0], p[1]); c != 0 {
			return c
		}
	}
	return 0
}

func parseBox2D(_ *Type, s string, _ int32, _ *Env) (Datum, error) {
	if len(s) >= 4 && strings.EqualFold(s[:4], "BOX(") {
		if d, ok := parseBox(s[4:], 2); ok {
			return d, nil
		}
	}
	return Null, pgerr.New(pgerr.InternalError, "box2d parser - couldn't parse.  It should look like: BOX(xmin ymin,xmax ymax)")
}

func parseBox3D(_ *Type, s string, _ int32, _ *Env) (Datum, error) {
	if !strings.HasPrefix(s, "BOX3D(") {
		return Null, pgerr.New(pgerr.InternalError, "BOX3D parser - doesn't start with BOX3D(")
	}
	if d, ok := parseBox(s[6:], 3); ok {
		return d, nil
	}
	return Null, pgerr.New(pgerr.InternalError,
		"BOX3D parser - couldn't parse.  It should look like: BOX3D(xmin ymin zmin,xmax ymax zmax) or BOX3D(xmin ymin,xmax ymax)")
}

// parseBox reads two corners up to the closing bracket, as a box3d when ordinates is 3.
func parseBox(s string, ordinates int) (Datum, bool) {
	in, ok := strings.CutSuffix(strings.TrimSpace(s), ")")
	low, high, ok2 := strings.Cut(in, ",")
	if !ok || !ok2 {
		return Null, false
	}
	var v [2][3]float64
	for i, corner := range [2]string{low, high} {
		words := strings.Fields(corner)
		if len(words) < 2 || len(words) > ordinates {
			return Null, false
		}
		for j := range words {
			var err error
			if v[i][j], err = strconv.ParseFloat(words[j], 64); err != nil {
				return Null, false
			}
		}
	}
	b := geom.Box{
		MinX: min(v[0][0], v[1][0]), MinY: min(v[0][1], v[1][1]), MaxX: max(v[0][0], v[1][0]), MaxY: max(v[0][1], v[1][1]),
	}
	if ordinates == 3 {
		return NewBox3D(geom.Box3D{Box: b, MinZ: min(v[0][2], v[1][2]), MaxZ: max(v[0][2], v[1][2])}), true
	}
	return NewBox(b), true
}

func formatBox2D(dst []byte, _ *Type, d Datum, _ *Env) []byte {
	b := boxOf(d)
	dst = append(dst, "BOX("...)
	dst = appendCoord(append(appendCoord(dst, b.MinX), ' '), b.MinY)
	dst = append(dst, ',')
	dst = appendCoord(append(appendCoord(dst, b.MaxX), ' '), b.MaxY)
	return append(dst, ')')
}

func formatBox3D(dst []byte, _ *Type, d Datum, _ *Env) []byte {
	b := box3DOf(d)
	dst = append(dst, "BOX3D("...)
	for i, v := range [6]float64{b.MinX, b.MinY, b.MinZ, b.MaxX, b.MaxY, b.MaxZ} {
		if i > 0 {
			dst = append(dst, " ,"[b2i(i == 3)])
		}
		dst = appendCoord(dst, v)
	}
	return append(dst, ')')
}

func b2i(v bool) int {
	if v {
		return 1
	}
	return 0
}

// appendCoord prints as PostGIS does with 15 digits: shortest, at most 15 decimals, an
// exponent only from 1e15 on.
func appendCoord(dst []byte, v float64) []byte {
	if math.Abs(v) < 1e15 {
		start := len(dst)
		dst = strconv.AppendFloat(dst, v, 'f', -1, 64)
		if point := strings.IndexByte(string(dst[start:]), '.'); point >= 0 && len(dst)-start-point-1 > 15 {
			dst = strconv.AppendFloat(dst[:start], v, 'f', 15, 64)
			text := strings.TrimSuffix(strings.TrimRight(string(dst[start:]), "0"), ".")
			dst = append(dst[:start], text...)
		}
		return dst
	}
	return AppendFloat(dst, v, 64)
}
