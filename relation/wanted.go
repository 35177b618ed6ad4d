package relation

import (
	"bytes"
	"fmt"
	"slices"

	"raisind/catalog"
	"raisind/geom"
	"raisind/spatialidx"
	"raisind/storage"
)

// rowReader reads what the rows of one relation call for in the index.
type rowReader struct {
	r     *catalog.Relation
	spans []span
	list  []found
	sc    scratch
}

// geometries lists the geometries of a stored row, which share its memory and live
// until the next call; false when not every one of the row is indexed.
func (rr *rowReader) geometries(value []byte) (list []found, whole bool, err error) {
	if rr.spans, err = columnSpans(rr.r, value, rr.spans); err != nil {
		return nil, false, err
	}
	whole = true
	if rr.r.Kind == catalog.Workspace {
		rr.list, whole = geometries(payload(value, rr.spans, catalog.ColProperties), rr.list[:0])
	} else {
		rr.list = columns(rr.r, value, rr.spans, rr.list[:0])
	}
	return rr.list, whole, nil
}

// placed is a geometry that has places in the index: a point on the Earth, or a shape.
type placed struct {
	p     geom.LonLat
	shape *geom.Geometry // nil for a point on the Earth
}

// placed reads a geometry; false when it has no place.
func (rr *rowReader) placed(f *found) (placed, bool, error) {
	g, err := f.geometry(rr.r)
	if err != nil || g == nil {
		return placed{}, false, err
	}
	if p, ok := place(g); ok {
		return placed{p: p}, true, nil
	}
	return placed{shape: g}, true, nil
}

// of reads the geometry a row has under one name; false when it has none.
func (rr *rowReader) of(value []byte, name string) (placed, bool, error) {
	list, _, err := rr.geometries(value)
	if err != nil {
		return placed{}, false, err
	}
	f := take(list, 0, name)
	if f == nil {
		return placed{}, false, nil
	}
	return rr.placed(f)
}

// value is the entry every place of the geometry holds.
func (g placed) value(dst []byte) []byte {
	if g.shape != nil {
		return spatialidx.EncodeEntry(dst, g.shape)
	}
	return spatialidx.EncodeEntry(dst, geom.NewPoint(g.p.LonDeg, g.p.LatDeg, 0))
}

// places are where the geometry belongs at a precision.
func (g placed) places(dst []spatialidx.Placement, prec int, cover spatialidx.CoverKind) []spatialidx.Placement {
	if g.shape != nil {
		return appendPlaces(dst, g.shape, prec, cover)
	}
	return append(dst, spatialidx.Placement{Cell: spatialidx.CellAt(g.p, prec)})
}

// missing calls fn with each place of a precision where the view does not hold the
// geometry's entry. fn returns false to end the search.
func (rr *rowReader) missing(v *storage.View, prop storage.PropertyID, row storage.RowID, g placed, prec int, cover spatialidx.CoverKind, fn func(spatialidx.Placement, []byte) bool) error {
	rr.sc.places = g.places(rr.sc.places[:0], prec, cover)
	rr.sc.entry = g.value(rr.sc.entry[:0])
	for _, p := range rr.sc.places {
		stored, ok, err := v.PeekSpatial(rr.r.ID, prop, uint8(prec), uint64(p.Cell), p.Wide, row)
		if err != nil {
			return err
		}
		if (!ok || !bytes.Equal(stored, rr.sc.entry)) && !fn(p, rr.sc.entry) {
			return nil
		}
	}
	return nil
}

// complete tells whether the view holds all entries a scan of the precision relies
// on: a shape may have been placed under any of the covers.
func (rr *rowReader) complete(v *storage.View, prop storage.PropertyID, row storage.RowID, g placed, prec int, covers []spatialidx.CoverKind) (bool, error) {
	for _, c := range covers {
		whole := true
		err := rr.missing(v, prop, row, g, prec, c, func(spatialidx.Placement, []byte) bool {
			whole = false
			return false
		})
		if err != nil || whole {
			return whole, err
		}
	}
	return false, nil
}

// belongs tells whether an entry is one that its row, in the same view, calls for
// under any of the covers. whole, for an entry of the overflow list, is what counts
// instead.
func (rr *rowReader) belongs(v *storage.View, name string, e entry, covers []spatialidx.CoverKind) (bool, error) {
	value, _, ok, err := v.Peek(rr.r.ID, e.row)
	if err != nil || !ok {
		return false, err
	}
	if name == overflowName {
		_, whole, err := rr.geometries(value)
		return !whole && e.place.Wide && e.prec == overflowPrecision, err
	}
	g, ok, err := rr.of(value, name)
	if err != nil || !ok {
		return false, err
	}
	for _, c := range covers {
		rr.sc.places = g.places(rr.sc.places[:0], e.prec, c)
		if slices.Contains(rr.sc.places, e.place) {
			rr.sc.entry = g.value(rr.sc.entry[:0])
			return bytes.Equal(rr.sc.entry, e.value), nil
		}
	}
	return false, nil
}

// entry is one live entry of the index as it is stored.
type entry struct {
	row   storage.RowID
	prec  int
	place spatialidx.Placement
	value []byte // lives until the callback returns
}

func (e entry) String() string {
	if e.place.Wide {
		return fmt.Sprintf("row %d in the wide list of precision %d", e.row, e.prec)
	}
	return fmt.Sprintf("row %d in cell %s", e.row, e.place.Cell.String(e.prec))
}

// everyCell is the one range of all cells of a precision.
var everyCell = []storage.CellRange{{First: 0, Last: ^uint64(0)}}

// storedEntries calls fn with every live entry of one property at every precision a
// key can have, and returns what was visited by the way.
func storedEntries(v *storage.View, rel storage.RelationID, prop storage.PropertyID, fn func(entry) error) (storage.ScanStats, error) {
	var all storage.ScanStats
	for prec := 1; prec <= spatialidx.MaxPrecision; prec++ {
		for _, wide := range []bool{false, true} {
			ranges := everyCell
			if wide {
				ranges = nil
			}
			it := v.ScanSpatial(rel, prop, uint8(prec), ranges, storage.SpatialScan{Wide: wide})
			err := eachEntry(it, prec, wide, fn)
			st := it.Stats()
			it.Close()
			if err != nil {
				return all, err
			}
			all.Keys += st.Keys
			all.Superseded += st.Superseded
		}
	}
	return all, nil
}

func eachEntry(it *storage.SpatialIter, prec int, wide bool, fn func(entry) error) error {
	for it.Next() {
		e := entry{row: it.RowID(), prec: prec, value: it.Value()}
		if e.place.Wide = wide; !wide {
			e.place.Cell = spatialidx.Cell(it.Cell())
		}
		if err := fn(e); err != nil {
			return err
		}
	}
	return it.Err()
}

// rowSet counts distinct rows; a bit a row, in chunks made when they are met.
type rowSet struct {
	chunks map[storage.RowID]*[rowSetChunk / 64]uint64
	n      int64
}

const rowSetChunk = 1 << 15

func (s *rowSet) add(id storage.RowID) {
	if s.chunks == nil {
		s.chunks = map[storage.RowID]*[rowSetChunk / 64]uint64{}
	}
	c := s.chunks[id/rowSetChunk]
	if c == nil {
		c = new([rowSetChunk / 64]uint64)
		s.chunks[id/rowSetChunk] = c
	}
	word, bit := &c[id%rowSetChunk/64], uint64(1)<<(id%64)
	if *word&bit == 0 {
		*word |= bit
		s.n++
	}
}
