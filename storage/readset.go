package storage

// readSet is what a Serializable transaction has read through its snapshot. A commit that writes checks that
// nothing in it has changed since the snapshot; then the transaction might as well have run at the moment of
// its commit, and all commits are serial in the order of their revisions. Transactions that write nothing
// read one revision, which is such a moment already, and need no check.
//
// Reads are recorded by relation and index, which covers rows that were not there to be seen; single rows
// and keys are recorded as such.
type readSet struct {
	relations map[RelationID]*pointSet[RowID]
	indexes   map[IndexID]*pointSet[string]
}

// pointSet is what was read of one relation or index: all of it, or these points.
type pointSet[K comparable] struct {
	all    bool
	points map[K]struct{}
}

// maxPoints bounds the points recorded of a relation or index, beyond which all of it counts as read.
const maxPoints = 10000

func newReadSet() *readSet {
	return &readSet{relations: map[RelationID]*pointSet[RowID]{}, indexes: map[IndexID]*pointSet[string]{}}
}

func pointsOf[I, K comparable](m map[I]*pointSet[K], id I) *pointSet[K] {
	s := m[id]
	if s == nil {
		s = &pointSet[K]{points: map[K]struct{}{}}
		m[id] = s
	}
	return s
}

func (s *pointSet[K]) add(point K) {
	if s.all {
		return
	}
	if s.points[point] = struct{}{}; len(s.points) > maxPoints {
		s.addAll()
	}
}

func (s *pointSet[K]) addAll() { s.all, s.points = true, nil }

func (r *readSet) relation(rel RelationID)       { pointsOf(r.relations, rel).addAll() }
func (r *readSet) row(rel RelationID, row RowID) { pointsOf(r.relations, rel).add(row) }
func (r *readSet) index(index IndexID)           { pointsOf(r.indexes, index).addAll() }
func (r *readSet) key(index IndexID, key []byte) { pointsOf(r.indexes, index).add(string(key)) }

// checkCoarse fails when something read as a whole has changed since the snapshot. points: a relation or
// index has changed of which single points were read, so checkPoints must look. It is called when no other
// commit can get a revision and sees those that have one but are not visible yet.
func (r *readSet) checkCoarse(c *changes, snapshot Revision) (points bool, err error) {
	for rel, s := range r.relations {
		if !c.after(objectID{id: uint32(rel)}, snapshot) {
			continue
		}
		if s.all {
			return false, ErrSerialization
		}
		points = true
	}
	for index, s := range r.indexes {
		if !c.after(objectID{index: true, id: uint32(index)}, snapshot) {
			continue
		}
		if s.all {
			return false, ErrSerialization
		}
		points = true
	}
	return points, nil
}

// checkPoints fails when a row or key read has a version newer than the snapshot. It is called when all
// earlier commits are visible and the own one is not yet applied.
func (r *readSet) checkPoints(db *DB, snapshot Revision) error {
	for rel, s := range r.relations {
		for row := range s.points {
			changed, err := db.rowChangedAfter(rel, row, snapshot)
			if err != nil {
				return err
			}
			if changed {
				return ErrSerialization
			}
		}
	}
	for index, s := range r.indexes {
		for key := range s.points {
			changed, err := db.keyChangedAfter(index, key, snapshot)
			if err != nil {
				return err
			}
			if changed {
				return ErrSerialization
			}
		}
	}
	return nil
}
