package relation

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"raisind/catalog"
	"raisind/geom"
	"raisind/spatialidx"
	"raisind/storage"
)

// survey is what the rows of a relation say the index of one property should hold.
type survey struct {
	name string
	rows []surveyed // by row id
}

// surveyed is one row's geometry. A point is kept as it is, a shape as stored bytes.
type surveyed struct {
	row   storage.RowID
	p     geom.LonLat
	shape *geom.Geometry // nil for a point on the Earth
	// found has a bit for each precision at which the entry was met.
	found uint16
}

// surveyRows reads every row of r and collects its geometries by property: all of
// them, or one. overflow are the rows of which not every geometry is indexed.
func surveyRows(ctx context.Context, v *storage.View, r *catalog.Relation, property string) (all map[string]*survey, overflow *survey, rows int64, err error) {
	all, overflow = map[string]*survey{}, &survey{name: overflowName}
	v.Bind(ctx)
	it := v.Rows(r.ID)
	defer it.Close()
	var spans []span
	var list []found
	for it.Next() {
		rows++
		value := it.Value()
		if spans, err = columnSpans(r, value, spans); err != nil {
			return nil, nil, 0, err
		}
		whole := true
		if r.Kind == catalog.Workspace {
			list, whole = geometries(payload(value, spans, catalog.ColProperties), list[:0])
		} else {
			list = columns(r, value, spans, list[:0])
		}
		if !whole {
			overflow.rows = append(overflow.rows, surveyed{row: it.RowID()})
		}
		for i := range list {
			if property != "" && list[i].name != property {
				continue
			}
			g, err := list[i].geometry(r)
			if err != nil {
				return nil, nil, 0, err
			}
			if g == nil {
				continue
			}
			s := all[list[i].name]
			if s == nil {
				name := string([]byte(list[i].name)) // does not keep the row alive
				s = &survey{name: name}
				all[name] = s
			}
			row := surveyed{row: it.RowID()}
			if p, ok := place(g); ok {
				row.p = p
			} else {
				row.shape = g
			}
			s.rows = append(s.rows, row)
		}
	}
	return all, overflow, rows, it.Err()
}

// row finds a row's geometry; nil when it has none.
func (s *survey) row(id storage.RowID) *surveyed {
	i, ok := slices.BinarySearchFunc(s.rows, id, func(r surveyed, id storage.RowID) int {
		switch {
		case r.row < id:
			return -1
		case r.row > id:
			return 1
		}
		return 0
	})
	if !ok {
		return nil
	}
	return &s.rows[i]
}

// value is the entry every place of the geometry holds.
func (r *surveyed) value(dst []byte) []byte {
	if r.shape != nil {
		return spatialidx.EncodeEntry(dst, r.shape)
	}
	return spatialidx.EncodeEntry(dst, geom.NewPoint(r.p.LonDeg, r.p.LatDeg, 0))
}

// places are where the geometry belongs at a precision.
func (r *surveyed) places(dst []spatialidx.Placement, prec int, cover spatialidx.CoverKind) []spatialidx.Placement {
	if r.shape != nil {
		return appendPlaces(dst, r.shape, prec, cover)
	}
	return append(dst, spatialidx.Placement{Cell: spatialidx.CellAt(r.p, prec)})
}

// entry is one live entry of the index as it is stored.
type entry struct {
	row   storage.RowID
	prec  int
	place spatialidx.Placement
	value []byte // lives until the callback returns
}

// storedEntries calls fn with every live entry of one property at every precision a
// key can have, and returns what was visited by the way.
func storedEntries(v *storage.View, rel storage.RelationID, prop storage.PropertyID, fn func(entry) error) (map[int]storage.ScanStats, error) {
	stats := map[int]storage.ScanStats{}
	for prec := 1; prec <= spatialidx.MaxPrecision; prec++ {
		it := v.ScanSpatial(rel, prop, uint8(prec), []storage.CellRange{{First: 0, Last: ^uint64(0)}}, storage.SpatialScan{})
		err := eachEntry(it, prec, false, fn)
		st := it.Stats()
		it.Close()
		if err != nil {
			return nil, err
		}
		wide := v.ScanSpatial(rel, prop, uint8(prec), nil, storage.SpatialScan{Wide: true})
		err = eachEntry(wide, prec, true, fn)
		w := wide.Stats()
		wide.Close()
		if err != nil {
			return nil, err
		}
		st.Keys += w.Keys
		st.Superseded += w.Superseded
		stats[prec] = st
	}
	return stats, nil
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

// belongs tells whether a stored entry is one the rows call for under any of the
// covers, and marks the row as found at its precision when it is.
func (s *survey) belongs(e entry, covers []spatialidx.CoverKind, scratch *scratch) (ok bool) {
	r := s.row(e.row)
	if r == nil {
		return false
	}
	for _, c := range covers {
		scratch.places = r.places(scratch.places[:0], e.prec, c)
		if slices.Contains(scratch.places, e.place) {
			scratch.entry = r.value(scratch.entry[:0])
			if !bytes.Equal(scratch.entry, e.value) {
				return false
			}
			r.found |= 1 << e.prec
			return true
		}
	}
	return false
}

func (e entry) String() string {
	if e.place.Wide {
		return fmt.Sprintf("row %d in the wide list of precision %d", e.row, e.prec)
	}
	return fmt.Sprintf("row %d in cell %s", e.row, e.place.Cell.String(e.prec))
}
