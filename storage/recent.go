package storage

import "sync/atomic"

// recentRows holds, for each slot of a hash of rows, the newest revision of a commit that wrote a row of
// the slot. It answers the common question after a row lock, has this row a newer version, without reading
// the store: no is certain, yes has to be looked up.
type recentRows struct{ slots [recentSlots]atomic.Int64 }

// recentSlots slots of 8 bytes: with 10^5 updates a second and statements of a millisecond, one in some
// hundred questions meets a slot that another row has changed.
const recentSlots = 1 << 16

func (r *recentRows) slot(rel RelationID, row RowID) *atomic.Int64 {
	h := (uint64(row) ^ uint64(rel)<<40) * 0x9e3779b97f4a7c15 // Fibonacci hashing
	return &r.slots[h>>48]
}

// mark notes what a commit with revision rev wrote. It is called before rev becomes visible and before the
// locks of the rows are released.
func (r *recentRows) mark(w *writeSet, rev Revision) {
	for _, rw := range w.relations {
		it := rw.rows.Iter()
		for ok := it.First(); ok; ok = it.Next() {
			s := r.slot(rw.rel, it.Key())
			for old := s.Load(); old < int64(rev) && !s.CompareAndSwap(old, int64(rev)); old = s.Load() {
			}
		}
	}
}

// after tells whether a commit newer than rev may have written the row.
func (r *recentRows) after(rel RelationID, row RowID, rev Revision) bool {
	return r.slot(rel, row).Load() > int64(rev)
}
