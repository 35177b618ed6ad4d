package relation

import (
	"bytes"
	"fmt"
	"math"
	"sync"
	"unsafe"

	"raisind/catalog"
	"raisind/geom"
	"raisind/spatialidx"
	"raisind/sql/types"
	"raisind/storage"
)

// Relations finds relations by their number: a catalog.Snapshot, or a catalog.Tx,
// which sees its own changes.
type Relations interface {
	ByID(storage.RelationID) (*catalog.Relation, bool)
}

// Deriver returns what turns row changes of the relations in cat into index entries.
func (ix *Indexer) Deriver(cat Relations) storage.Deriver { return &deriver{ix: ix, cat: cat} }

type deriver struct {
	ix  *Indexer
	cat Relations
}

// scratch is the memory one derivation works in.
type scratch struct {
	oldSpans, curSpans []span
	old, cur           []found
	row                types.Row
	oldKey, curKey     []byte
	entry              []byte
	places             []spatialidx.Placement
}

// found is one geometry of a row: its property and its value.
type found struct {
	name string
	raw  string
	col  *catalog.Column // of a table's column; nil for a property
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// Derive implements storage.Deriver.
func (d *deriver) Derive(rel storage.RelationID, row storage.RowID, old, cur []byte, out *storage.Entries) (err error) {
	r, ok := d.cat.ByID(rel)
	if !ok {
		return nil // dropped by the same transaction: nobody will look
	}
	s := scratches.Get().(*scratch)
	defer func() {
		clear(s.old) // do not keep the rows alive
		clear(s.cur)
		clear(s.row)
		scratches.Put(s)
	}()
	s.oldSpans, s.curSpans = s.oldSpans[:0], s.curSpans[:0]
	if old != nil {
		if s.oldSpans, err = columnSpans(r, old, s.oldSpans); err != nil {
			return err
		}
	}
	if cur != nil {
		if s.curSpans, err = columnSpans(r, cur, s.curSpans); err != nil {
			return err
		}
	}
	if err := d.unique(r, s, row, old, cur, out); err != nil {
		return err
	}
	d.ix.count(rel, old, cur)
	return d.spatial(r, s, old, cur, out)
}

// count keeps the estimate of the relation's rows.
func (ix *Indexer) count(rel storage.RelationID, old, cur []byte) {
	ix.relation(rel).changed.Add(1)
	if (old == nil) == (cur == nil) {
		return
	}
	n := int64(1)
	if cur == nil {
		n = -1
	}
	if rs := ix.relation(rel); rs.rows.Load() >= 0 {
		rs.rows.Add(n)
	}
}

// payload returns the stored bytes of the column at position c; nil for NULL.
func payload(value []byte, spans []span, c int) []byte {
	if c >= len(spans) || spans[c].start == 0 {
		return nil
	}
	return value[spans[c].start:spans[c].end]
}

// unique derives the keys of r's indexes.
func (d *deriver) unique(r *catalog.Relation, s *scratch, row storage.RowID, old, cur []byte, out *storage.Entries) error {
	var general []*catalog.Index
	fresh := func(x *catalog.Index) bool { return d.ix.enteredAtCommit(r, x, row) }
	for i := range r.Indexes {
		x := &r.Indexes[i]
		switch x.Format {
		case catalog.NoKeys:
			continue
		case catalog.RowKeys:
			general = append(general, x)
			continue
		}
		same := old != nil && cur != nil && !fresh(x)
		for _, c := range x.Columns {
			same = same && bytes.Equal(payload(old, s.oldSpans, c), payload(cur, s.curSpans, c))
		}
		if same {
			continue
		}
		var had, has bool
		var err error
		if !fresh(x) {
			if s.oldKey, had, err = s.key(r, x, old, s.oldSpans, s.oldKey); err != nil {
				return err
			}
		}
		if s.curKey, has, err = s.key(r, x, cur, s.curSpans, s.curKey); err != nil {
			return err
		}
		if had && has && bytes.Equal(s.oldKey, s.curKey) {
			continue
		}
		if had {
			out.DeleteUnique(x.ID, s.oldKey)
		}
		if has {
			out.SetUnique(x.ID, s.curKey)
		}
	}
	if general == nil {
		return nil
	}
	return d.general(r, general, s, row, old, cur, out)
}

// general derives the keys of indexes whose keys are made of whole rows.
func (d *deriver) general(r *catalog.Relation, list []*catalog.Index, s *scratch, id storage.RowID, old, cur []byte, out *storage.Entries) (err error) {
	var was, is types.Row
	if old != nil {
		if was, err = DecodeRow(r, old, nil, nil); err != nil {
			return err
		}
	}
	if cur != nil {
		if is, err = DecodeRow(r, cur, nil, nil); err != nil {
			return err
		}
	}
	for _, x := range list {
		var had, has bool
		var k Key
		if was != nil && !d.ix.enteredAtCommit(r, x, id) {
			if k, had, err = d.ix.AppendKey(r, x, was, id, s.oldKey[:0]); err != nil {
				return err
			}
			s.oldKey = k.Bytes
		}
		if is != nil {
			if k, has, err = d.ix.AppendKey(r, x, is, id, s.curKey[:0]); err != nil {
				return err
			}
			s.curKey = k.Bytes
		}
		if had && has && bytes.Equal(s.oldKey, s.curKey) {
			continue
		}
		if had {
			out.DeleteUnique(x.ID, s.oldKey)
		}
		if has {
			out.SetUnique(x.ID, s.curKey)
		}
	}
	return nil
}

// key makes the unique key of a stored row.
func (s *scratch) key(r *catalog.Relation, x *catalog.Index, value []byte, spans []span, dst []byte) ([]byte, bool, error) {
	dst = dst[:0]
	if value == nil {
		return dst, false, nil
	}
	for _, c := range x.Columns {
		if spans[c].start == 0 {
			return dst, false, nil
		}
		d, err := datum(r, c, value, spans)
		if err != nil {
			return dst, false, err
		}
		dst = types.AppendOrderedKey(dst, r.Columns[c].Type, d)
	}
	return dst, true, nil
}

// datum reads one column that is not NULL; text shares value's memory.
func datum(r *catalog.Relation, c int, value []byte, spans []span) (types.Datum, error) {
	b := payload(value, spans, c)
	if spans[c].form != formOf(r.Columns[c].Type) {
		return types.Null, corrupt(r, "form")
	}
	switch spans[c].form {
	case formVarint:
		v, err := varint(r, b)
		return types.Int(v), err
	case formFixed:
		return types.Float(math.Float64frombits(le64(b))), nil
	case formBytes:
		return types.Str(share(b)), nil
	}
	v, err := parseBinary(r.Columns[c].Type, b)
	if err != nil {
		return types.Null, fmt.Errorf("%w: row of %s, column %s: %w", storage.ErrCorrupt, r.Name, r.Columns[c].Name, err)
	}
	return v, nil
}

// share returns b as a string of the same memory: valid while b is.
func share(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// spatial derives the entries of every geometry that is not the same in both rows.
func (d *deriver) spatial(r *catalog.Relation, s *scratch, old, cur []byte, out *storage.Entries) error {
	var oldWhole, curWhole bool
	if r.Kind == catalog.Workspace {
		a, b := payload(old, s.oldSpans, catalog.ColProperties), payload(cur, s.curSpans, catalog.ColProperties)
		if bytes.Equal(a, b) && old != nil && cur != nil {
			return nil
		}
		s.old, oldWhole = geometries(a, s.old[:0])
		s.cur, curWhole = geometries(b, s.cur[:0])
	} else {
		s.old, oldWhole = columns(r, old, s.oldSpans, s.old[:0]), true
		s.cur, curWhole = columns(r, cur, s.curSpans, s.cur[:0]), true
	}
	for i := range s.cur {
		c := &s.cur[i]
		o := take(s.old, i, c.name)
		if o != nil && o.raw == c.raw {
			continue
		}
		if err := d.geometry(r, s, o, c, out); err != nil {
			return err
		}
	}
	for i := range s.old {
		if o := &s.old[i]; take(s.cur, i, o.name) == nil {
			if err := d.geometry(r, s, o, nil, out); err != nil {
				return err
			}
		}
	}
	if oldWhole && curWhole {
		return nil
	}
	return d.overflow(r, s, !oldWhole, !curWhole, out)
}

// take finds a name in a row's geometries, looking at place i first.
func take(all []found, i int, name string) *found {
	if i < len(all) && all[i].name == name {
		return &all[i]
	}
	for j := range all {
		if all[j].name == name {
			return &all[j]
		}
	}
	return nil
}

// geometries lists those of a properties object; false when it has more than are indexed.
func geometries(doc []byte, dst []found) ([]found, bool) {
	whole := EachGeometry(share(doc), func(path, raw string) bool {
		if len(dst) == MaxGeometries {
			return false
		}
		dst = append(dst, found{name: path, raw: raw})
		return true
	})
	return dst, whole
}

// columns lists the geometries in the columns of a table's row.
func columns(r *catalog.Relation, value []byte, spans []span, dst []found) []found {
	for i := range spans {
		if c := &r.Columns[i]; c.IsGeometryColumn() && spans[i].start != 0 {
			dst = append(dst, found{name: c.Name, raw: share(payload(value, spans, i)), col: c})
		}
	}
	return dst
}

// geometry reads the value; nil when it has no place on Earth.
func (f *found) geometry(r *catalog.Relation) (*geom.Geometry, error) {
	if f == nil {
		return nil, nil
	}
	if f.col == nil {
		g, _ := geom.FromProperty(f.raw)
		if g == nil || g.IsEmpty() {
			return nil, nil
		}
		return g, nil
	}
	g, err := geom.ParseEWKB([]byte(f.raw))
	if err != nil {
		return nil, fmt.Errorf("%w: row of %s, column %s: %w", storage.ErrCorrupt, r.Name, f.name, err)
	}
	if g.IsEmpty() {
		return nil, nil
	}
	return g, nil
}

// geometry derives the entries of one property that was old and is now cur.
func (d *deriver) geometry(r *catalog.Relation, s *scratch, old, cur *found, out *storage.Entries) error {
	was, err := old.geometry(r)
	if err != nil {
		return err
	}
	is, err := cur.geometry(r)
	if err != nil || was == nil && is == nil {
		return err
	}
	name := ""
	if cur != nil {
		name = cur.name
	} else {
		name = old.name
	}
	p := d.ix.writePlan(r).byName[name]
	if p == nil || p.grows {
		if p, err = d.ix.property(r, name, was != nil); err != nil || p == nil {
			return err
		}
	}
	s.move(p, was, is, out)
	return nil
}

// move writes the entries of a geometry that was old and is cur, either nil.
func (s *scratch) move(p *propPlan, old, cur *geom.Geometry, out *storage.Entries) {
	from, fromPoint := place(old)
	to, toPoint := place(cur)
	if cur != nil {
		s.entry = spatialidx.EncodeEntry(s.entry[:0], cur)
	}
	if (fromPoint || old == nil) && (toPoint || cur == nil) {
		if fromPoint && toPoint && from == to {
			return
		}
		// A tombstone in a cell that keeps its entry is dropped by the store.
		for _, prec := range p.clear {
			if old != nil {
				out.TombstoneSpatial(p.prop, uint8(prec), uint64(spatialidx.CellAt(from, prec)), false)
			}
		}
		for _, prec := range p.live {
			if cur != nil {
				out.SetSpatial(p.prop, uint8(prec), uint64(spatialidx.CellAt(to, prec)), false, s.entry)
			}
		}
		return
	}
	for _, prec := range p.clear {
		for _, cover := range p.covers {
			if old == nil {
				break
			}
			s.places = appendPlaces(s.places[:0], old, prec, cover)
			for _, pl := range s.places {
				out.TombstoneSpatial(p.prop, uint8(prec), uint64(pl.Cell), pl.Wide)
			}
		}
	}
	for _, prec := range p.live {
		if cur == nil {
			break
		}
		s.places = appendPlaces(s.places[:0], cur, prec, p.cover)
		for _, pl := range s.places {
			out.SetSpatial(p.prop, uint8(prec), uint64(pl.Cell), pl.Wide, s.entry)
		}
	}
}

// place returns where a point on the Earth is; false for nil, shapes, and points
// beyond longitude and latitude, which columns of projected geometries hold.
func place(g *geom.Geometry) (geom.LonLat, bool) {
	if g == nil {
		return geom.LonLat{}, false
	}
	x, y, ok := g.AsPoint()
	p := geom.LonLat{LonDeg: x, LatDeg: y}
	return p, ok && p.Valid()
}

// appendPlaces is spatialidx.AppendPlacements for any coordinates: what does not lie
// wholly within longitude and latitude has no cells and goes to the wide list.
func appendPlaces(dst []spatialidx.Placement, g *geom.Geometry, prec int, cover spatialidx.CoverKind) []spatialidx.Placement {
	if b, ok := g.Box(); !ok || !geom.World.Contains(b) {
		return append(dst, spatialidx.Placement{Wide: true})
	}
	return spatialidx.AppendPlacements(dst, g, prec, cover)
}

// world is the entry of the overflow list: it rules out nothing.
var world = spatialidx.EncodeEntry(nil, geom.MakeEnvelope(-180, -90, 180, 90, 4326))

// overflow keeps the row on the overflow list while it has to be there.
func (d *deriver) overflow(r *catalog.Relation, s *scratch, was, is bool, out *storage.Entries) error {
	prop, err := d.ix.overflow(r)
	if err != nil {
		return err
	}
	if is {
		out.SetSpatial(prop, overflowPrecision, 0, true, world)
	} else if was {
		out.TombstoneSpatial(prop, overflowPrecision, 0, true)
	}
	return nil
}
