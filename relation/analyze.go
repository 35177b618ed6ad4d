package relation

import (
	"context"
	"math/rand/v2"

	"raisind/catalog"
	"raisind/sql/types"
	"raisind/storage"
)

// sampleTarget is how many rows ANALYZE looks at closely, PostgreSQL's 300 for each of
// 100 statistics.
const sampleTarget = 30_000

// maxSampledBytes bounds one value that is looked at; larger ones are left out.
const maxSampledBytes = 1024

// Analyze reads a relation once, keeps a sample of its rows, and has its statistics
// ready for whoever plans. They are the node's own and are lost with a restart, after
// which Stale asks for them again.
func (ix *Indexer) Analyze(ctx context.Context, r *catalog.Relation) error {
	v, err := ix.db.NewView()
	if err != nil {
		return err
	}
	defer v.Close()
	v.Bind(ctx)
	rs := ix.relation(r.ID)
	changed := rs.changed.Load()
	it := v.Rows(r.ID)
	defer it.Close()
	var sample [][]byte
	rows := 0
	for ; it.Next(); rows++ {
		// Vitter's algorithm R: each row is in the sample with the same probability.
		at := rows
		if rows >= sampleTarget {
			if at = rand.IntN(rows + 1); at >= sampleTarget {
				continue
			}
			sample[at] = append(sample[at][:0], it.Value()...)
			continue
		}
		sample = append(sample, append([]byte(nil), it.Value()...))
	}
	if err := it.Err(); err != nil {
		return err
	}
	s := &catalog.Statistics{Rows: float64(rows), Columns: map[uint16]*catalog.ColumnStatistics{}}
	need := make([]bool, len(r.Columns))
	values := make([]types.Datum, 0, len(sample))
	for i := range r.Columns {
		c := &r.Columns[i]
		if !c.Type.Comparable() || c.Type == types.TJSONB || c.IsGeometryColumn() {
			continue
		}
		need[i] = true
		values = values[:0]
		for _, b := range sample {
			row, err := DecodeRow(r, b, need, nil)
			if err != nil {
				return err
			}
			if row[i].SizeBytes() <= maxSampledBytes {
				values = append(values, row[i])
			}
		}
		need[i] = false
		if err := context.Cause(ctx); err != nil {
			return err
		}
		s.Columns[c.ID] = catalog.ColumnStatisticsOf(c.Type, values, s.Rows)
	}
	rs.rows.Store(int64(rows))
	rs.changed.Add(-changed)
	rs.stats.Store(s)
	return nil
}

// Statistics are what Analyze found out; nil when it did not run.
func (ix *Indexer) Statistics(rel storage.RelationID) *catalog.Statistics {
	rs := (*ix.rels.Load())[rel]
	if rs == nil {
		return nil
	}
	return rs.stats.Load()
}

// PostgreSQL's autovacuum_analyze_threshold and autovacuum_analyze_scale_factor.
const (
	analyzeThreshold = 50
	analyzeScale     = 0.1
)

// Stale reports whether so many rows changed since a relation was analyzed that it
// should be again.
func (ix *Indexer) Stale(rel storage.RelationID) bool {
	rs := ix.relation(rel)
	s := rs.stats.Load()
	if s == nil {
		return ix.Rows(rel) >= analyzeThreshold
	}
	return float64(rs.changed.Load()) > analyzeThreshold+analyzeScale*s.Rows
}
