package relation

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"raisind/catalog"
	"raisind/storage"
)

// Report is the outcome of Check.
type Report struct {
	Relations, Rows, UniqueKeys, SpatialEntries int64
	// Problems are the first MaxProblems found, ProblemCount how many there are.
	Problems     []string
	ProblemCount int64
}

// MaxProblems is how many problems a report names.
const MaxProblems = 100

// OK reports whether nothing was found.
func (r *Report) OK() bool { return r.ProblemCount == 0 }

func (r *Report) problem(format string, args ...any) {
	if r.ProblemCount++; r.ProblemCount <= MaxProblems {
		r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
	}
}

// Check compares, for every relation and both ways, the rows with the unique keys and
// with the spatial entries, in one view of now. An error means that the check could
// not be made; what it finds is in the report.
func Check(ctx context.Context, db *storage.DB, cat *catalog.Catalog, ix *Indexer) (Report, error) {
	var rep Report
	v, err := db.NewView()
	if err != nil {
		return rep, err
	}
	defer v.Close()
	for _, r := range cat.Current().Relations() {
		rep.Relations++
		if err := checkRelation(ctx, v, r, ix, &rep); err != nil {
			return rep, fmt.Errorf("check %s: %w", r.Name, err)
		}
	}
	return rep, nil
}

func checkRelation(ctx context.Context, v *storage.View, r *catalog.Relation, ix *Indexer, rep *Report) error {
	v.Bind(ctx)
	states := ix.States(r.ID)
	c := newComparison(v, r, states)
	prop, _, listed := ix.Overflow(r.ID)
	unlisted := map[string]int64{} // geometries by a name without a record
	var faults []string
	var unlistedRows int64
	err := c.rows(func(row storage.RowID, whole bool, unknown []string) {
		rep.Rows++
		for _, name := range unknown {
			if _, known := unlisted[name]; known {
				unlisted[name]++
			} else if len(unlisted) < MaxProblems {
				unlisted[strings.Clone(name)] = 1
			}
		}
		if whole {
			return
		}
		if !listed {
			unlistedRows++
		} else if _, ok, err := v.PeekSpatial(r.ID, prop, overflowPrecision, 0, true, row); (err != nil || !ok) && len(faults) <= MaxProblems {
			faults = append(faults, fmt.Sprintf("%s: row %d is missing from the overflow list", r.Name, row))
		}
	})
	if err != nil {
		return err
	}
	for i := range r.Indexes {
		if err := checkIndex(v, r, &r.Indexes[i], ix, rep); err != nil {
			return err
		}
	}
	for _, s := range states {
		got, err := c.entries(s)
		if err != nil {
			return err
		}
		rep.SpatialEntries += got.Live
		if got.Missing+got.Stray > 0 {
			rep.problem("%s.%s: %d spatial entries missing, %d stray, such as %s", r.Name, s.Name, got.Missing, got.Stray, got.Example)
		}
	}
	for name, n := range unlisted {
		if len(states) < MaxProperties-1 {
			rep.problem("%s.%s: %d geometries, but no record of an index", r.Name, name, n)
		}
	}
	for _, f := range faults {
		rep.problem("%s", f)
	}
	if unlistedRows > 0 {
		rep.problem("%s: %d rows with geometries that are not indexed, but no list of them", r.Name, unlistedRows)
	}
	if !listed {
		return nil
	}
	_, err = storedEntries(v, r.ID, prop, func(e entry) error {
		rep.SpatialEntries++
		ok, err := c.rr.belongs(v, overflowName, e, nil)
		if err == nil && !ok {
			rep.problem("%s: stray overflow entry of %s", r.Name, e)
		}
		return err
	})
	return err
}

// checkIndex compares the keys of an index with the rows.
func checkIndex(v *storage.View, r *catalog.Relation, x *catalog.Index, ix *Indexer, rep *Report) error {
	if x.Format == catalog.NoKeys || x.Invalid {
		return nil
	}
	it := v.ScanUnique(x.ID, nil, nil, false)
	defer it.Close()
	var keys int64
	var buf []byte
	for it.Next() {
		keys++
		value, _, ok, err := v.Get(r.ID, it.RowID())
		if err != nil {
			return err
		}
		if !ok {
			rep.problem("%s: key %x of %s names row %d, which does not exist", r.Name, it.Key(), x.Name, it.RowID())
			continue
		}
		row, err := DecodeRow(r, value, nil, nil)
		if err != nil {
			return err
		}
		k, has, err := ix.AppendKey(r, x, row, it.RowID(), buf[:0])
		if err != nil {
			return err
		}
		if buf = k.Bytes; !has || !bytes.Equal(buf, it.Key()) {
			rep.problem("%s: key %x of %s names row %d, which has another", r.Name, it.Key(), x.Name, it.RowID())
		}
	}
	if err := it.Err(); err != nil {
		return err
	}
	rep.UniqueKeys += keys
	rows := v.Rows(r.ID)
	defer rows.Close()
	var row []byte
	for rows.Next() {
		row = append(row[:0], rows.Value()...)
		d, err := DecodeRow(r, row, nil, nil)
		if err != nil {
			return err
		}
		k, has, err := ix.AppendKey(r, x, d, rows.RowID(), buf[:0])
		if err != nil {
			return err
		}
		if buf = k.Bytes; !has {
			continue
		}
		id, ok, err := v.LookupUnique(x.ID, buf)
		if err != nil {
			return err
		}
		if !ok || id != rows.RowID() {
			rep.problem("%s: row %d is not found by its key in %s", r.Name, rows.RowID(), x.Name)
		}
	}
	return rows.Err()
}
