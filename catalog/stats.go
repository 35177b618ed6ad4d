package catalog

import (
	"slices"
	"sort"

	"raisind/sql/types"
	"raisind/storage"
)

// Statistics are what ANALYZE found out about the values of a relation. They steer
// plans, never what is returned.
type Statistics struct {
	Rows    float64
	Columns map[uint16]*ColumnStatistics // by Column.ID
}

// ColumnStatistics describe the values of one column.
type ColumnStatistics struct {
	Nulls    float64 // part of the rows, 0 to 1
	Distinct float64 // how many values there are
	// Common are the most common values, most common first, and their parts of the rows.
	Common []CommonValue
	// Bounds divide the other values into parts of as many rows each, ascending; at least
	// two, or none.
	Bounds []types.Datum
	Type   *types.Type
}

// CommonValue is a value that many rows have.
type CommonValue struct {
	Value types.Datum
	Share float64
}

// Equal is the part of the rows that have a value; of one that is not known when v is nil.
func (c *ColumnStatistics) Equal(v *types.Datum) float64 {
	common := 0.0
	for _, m := range c.Common {
		if v != nil && types.Compare(c.Type, m.Value, *v) == 0 {
			return m.Share
		}
		common += m.Share
	}
	if v == nil {
		return (1 - c.Nulls) / max(1, c.Distinct)
	}
	return max(0, 1-c.Nulls-common) / max(1, c.Distinct-float64(len(c.Common)))
}

// Below is the part of the rows whose value is less than v.
func (c *ColumnStatistics) Below(v types.Datum) float64 {
	share, common := 0.0, 0.0
	for _, m := range c.Common {
		common += m.Share
		if types.Compare(c.Type, m.Value, v) < 0 {
			share += m.Share
		}
	}
	rest := max(0, 1-c.Nulls-common)
	if n := len(c.Bounds); n >= 2 {
		at := sort.Search(n, func(i int) bool { return types.Compare(c.Type, c.Bounds[i], v) >= 0 })
		switch {
		case at == 0:
		case at == n:
			share += rest
		default: // in the middle of a part, as far as is known
			share += rest * (float64(at) - 0.5) / float64(n-1)
		}
	}
	return share
}

// Describe makes fn what Statistics of every transaction asks. To be called before the
// catalog is shared.
func (c *Catalog) Describe(fn func(storage.RelationID) *Statistics) { c.stats = fn }

// Statistics are what ANALYZE found out about a relation; nil when it was never analyzed.
func (tx *Tx) Statistics(rel storage.RelationID) *Statistics {
	if tx.cat.stats == nil {
		return nil
	}
	return tx.cat.stats(rel)
}

// maxCommon and maxBounds are how many values statistics keep, PostgreSQL's default
// statistics target.
const (
	maxCommon = 100
	maxBounds = 101
)

// ColumnStatisticsOf describes the values of a sample of a relation of rows rows; NULLs
// among the values count as such.
func ColumnStatisticsOf(t *types.Type, values []types.Datum, rows float64) *ColumnStatistics {
	c := &ColumnStatistics{Type: t}
	if len(values) == 0 {
		return c
	}
	n := float64(len(values))
	sorted := slices.DeleteFunc(slices.Clone(values), types.Datum.IsNull)
	c.Nulls = 1 - float64(len(sorted))/n
	slices.SortFunc(sorted, func(a, b types.Datum) int { return types.Compare(t, a, b) })
	type run struct{ at, n int }
	var runs []run
	once := 0.0
	for i := 0; i < len(sorted); {
		j := i + 1
		for j < len(sorted) && types.Compare(t, sorted[i], sorted[j]) == 0 {
			j++
		}
		if runs = append(runs, run{i, j - i}); j == i+1 {
			once++
		}
		i = j
	}
	// Haas and Stokes' Duj1 estimator: n*d / (n - f1 + f1*n/N), with d distinct values in
	// a sample of n rows out of N, f1 of them seen once.
	d, m, all := float64(len(runs)), float64(len(sorted)), rows*(1-c.Nulls)
	c.Distinct = d
	if m > 0 && all > m {
		c.Distinct = min(max(m*d/(m-once+once*m/all), d), all)
	}
	byCount := slices.Clone(runs)
	slices.SortStableFunc(byCount, func(a, b run) int { return b.n - a.n })
	common := map[int]bool{}
	for _, r := range byCount {
		// A value is common when more rows have it than a value has on average.
		if len(c.Common) == maxCommon || r.n < 2 || float64(r.n) < 1.25*m/d && len(runs) > maxCommon {
			break
		}
		c.Common = append(c.Common, CommonValue{sorted[r.at], float64(r.n) / n})
		common[r.at] = true
	}
	var rest []types.Datum
	for _, r := range runs {
		if !common[r.at] {
			rest = append(rest, sorted[r.at:r.at+r.n]...)
		}
	}
	if len(rest) >= 2 {
		parts := min(maxBounds, len(rest))
		for i := range parts {
			c.Bounds = append(c.Bounds, rest[i*(len(rest)-1)/(parts-1)])
		}
	}
	return c
}
