package keys

import "fmt"

// Revision numbers a commit: unix milliseconds << 20 | counter, strictly increasing over the life of a
// store. Zero stands before every commit.
type Revision int64

// RevisionCounterBits is the width of the counter below the milliseconds of a Revision.
const RevisionCounterBits = 20

// MaxRevision is at or above every commit's revision.
const MaxRevision = Revision(1<<63 - 1)

// UnixMs gives the milliseconds since 1970 at which the revision was committed.
func (r Revision) UnixMs() int64 { return int64(r) >> RevisionCounterBits }

// String prints milliseconds and counter, as in 1712000000000.0.
func (r Revision) String() string {
	return fmt.Sprintf("%d.%d", r.UnixMs(), int64(r)&(1<<RevisionCounterBits-1))
}

// RevisionAtMs is the smallest revision a commit at unixMs can have.
func RevisionAtMs(unixMs int64) Revision { return Revision(unixMs << RevisionCounterBits) }

// RelationID numbers a workspace or table; never reused.
type RelationID uint32

// RowID numbers a row within its relation; never reused.
type RowID uint64

// IndexID numbers a unique or secondary index; never reused.
type IndexID uint32

// PropertyID numbers an indexed property or geometry column of a relation on this node.
type PropertyID uint32
