package relation

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"raisind/catalog"
	"raisind/spatialidx"
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
	all, overflow, rows, err := surveyRows(ctx, v, r, "")
	if err != nil {
		return err
	}
	rep.Rows += rows
	for i := range r.Indexes {
		if err := checkUnique(v, r, &r.Indexes[i], rep); err != nil {
			return err
		}
	}
	states := ix.States(r.ID)
	for _, s := range states {
		rows := all[s.Name]
		delete(all, s.Name)
		if rows == nil {
			rows = &survey{name: s.Name}
		}
		got, err := verify(v, r, s, rows)
		if err != nil {
			return err
		}
		rep.SpatialEntries += got.Live
		if got.Missing+got.Stray > 0 {
			rep.problem("%s.%s: %d spatial entries missing, %d stray, such as %s", r.Name, s.Name, got.Missing, got.Stray, got.Example)
		}
	}
	for name, s := range all {
		if len(states) < MaxProperties-1 && len(s.rows) > 0 {
			rep.problem("%s.%s: %d geometries, but no record of an index", r.Name, name, len(s.rows))
		}
	}
	return checkOverflow(v, r, overflow, ix, rep)
}

// verify compares the entries of one property with the rows.
func verify(v *storage.View, r *catalog.Relation, s *State, rows *survey) (Verified, error) {
	var got Verified
	var sc scratch
	policy, _ := r.Policy(s.Name)
	held, covers := union(s.Held, policy.Precisions), unionCovers(s.Covers, policy.Cover)
	nodes := map[storage.RowID]struct{}{}
	cells := map[entryID]struct{}{} // of shapes, which have several
	_, err := storedEntries(v, r.ID, s.Property, func(e entry) error {
		got.Live++
		nodes[e.row] = struct{}{}
		if !slices.Contains(held, e.prec) || !rows.belongs(e, covers, &sc) {
			got.Stray++
			got.Example = e.String()
			return nil
		}
		if row := rows.row(e.row); row.shape != nil {
			e.value = nil
			cells[entryID{e.row, e.prec, e.place}] = struct{}{}
		}
		return nil
	})
	if err != nil {
		return got, err
	}
	got.Nodes = int64(len(nodes))
	for i := range rows.rows {
		row := &rows.rows[i]
		for _, prec := range s.Precisions {
			if !row.complete(prec, covers, cells, &sc) {
				got.Missing++
				got.Example = fmt.Sprintf("row %d at precision %d", row.row, prec)
			}
		}
	}
	return got, nil
}

// entryID is an entry without its value.
type entryID struct {
	row   storage.RowID
	prec  int
	place spatialidx.Placement
}

// complete tells whether a row has all entries a scan of the precision relies on:
// a shape may have been placed under either cover.
func (r *surveyed) complete(prec int, covers []spatialidx.CoverKind, cells map[entryID]struct{}, sc *scratch) bool {
	if r.shape == nil {
		return r.found&(1<<prec) != 0
	}
	for _, c := range covers {
		sc.places = r.places(sc.places[:0], prec, c)
		whole := true
		for _, p := range sc.places {
			_, ok := cells[entryID{r.row, prec, p}]
			whole = whole && ok
		}
		if whole {
			return true
		}
	}
	return false
}

func checkOverflow(v *storage.View, r *catalog.Relation, rows *survey, ix *Indexer, rep *Report) error {
	prop, _, ok := ix.Overflow(r.ID)
	if !ok {
		if len(rows.rows) > 0 {
			rep.problem("%s: %d rows with geometries that are not indexed, but no list of them", r.Name, len(rows.rows))
		}
		return nil
	}
	listed := map[storage.RowID]bool{}
	_, err := storedEntries(v, r.ID, prop, func(e entry) error {
		rep.SpatialEntries++
		if rows.row(e.row) == nil || !e.place.Wide || e.prec != overflowPrecision {
			rep.problem("%s: stray overflow entry of %s", r.Name, e)
		}
		listed[e.row] = true
		return nil
	})
	for _, row := range rows.rows {
		if !listed[row.row] {
			rep.problem("%s: row %d is missing from the overflow list", r.Name, row.row)
		}
	}
	return err
}

// checkUnique compares a unique index with the rows.
func checkUnique(v *storage.View, r *catalog.Relation, x *catalog.Index, rep *Report) error {
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
		var has bool
		if buf, has = UniqueKey(r, x, row, buf[:0]); !has || !bytes.Equal(buf, it.Key()) {
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
		var has bool
		if buf, has = UniqueKey(r, x, d, buf[:0]); !has {
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
