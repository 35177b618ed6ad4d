package exec

import (
	"math"
	"sync/atomic"

	"raisind/sql/plan"
	"raisind/storage"
)

// counters add up what all executions of a Runtime did.
type counters struct {
	scans                               [3]atomic.Int64                 // by plan.SpatialKind
	rowScans                            [math.MaxUint8 + 1]atomic.Int64 // by plan.Reason
	keysVisited, superseded, candidates atomic.Int64
}

// Counters are totals since the server started.
type Counters struct {
	// IndexScans are scans answered from the spatial index, by their kind.
	IndexScans map[plan.SpatialKind]int64
	// RowScans are scans of rows in place of the index, by reason.
	RowScans map[plan.Reason]int64
	// KeysVisited and SupersededSkipped are what scans of the index read: keys, and of
	// these versions they could not jump over. Candidates are the rows they named.
	KeysVisited, SupersededSkipped, Candidates int64
}

// Counters returns the totals so far.
func (rt *Runtime) Counters() Counters {
	c := Counters{
		IndexScans: map[plan.SpatialKind]int64{}, RowScans: map[plan.Reason]int64{},
		KeysVisited: rt.totals.keysVisited.Load(), SupersededSkipped: rt.totals.superseded.Load(),
		Candidates: rt.totals.candidates.Load(),
	}
	for _, k := range []plan.SpatialKind{plan.DistanceScan, plan.KnnScan, plan.BoxScan} {
		c.IndexScans[k] = rt.totals.scans[k].Load()
	}
	for _, r := range plan.Reasons() {
		c.RowScans[r] = rt.totals.rowScans[r].Load()
	}
	return c
}

// Fallbacks counts index scans that went on as row scans because a cell was over
// its budget.
func (rt *Runtime) Fallbacks() int64 { return rt.totals.rowScans[plan.ReasonCellBudget].Load() }

// visited counts what one list of the index cost.
func (c *counters) visited(st storage.ScanStats) {
	c.keysVisited.Add(int64(st.Keys))
	c.superseded.Add(int64(st.Superseded))
}
