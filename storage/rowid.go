package storage

import (
	"cmp"
	"sync"

	"github.com/cockroachdb/pebble/v2"

	"raisind/storage/keys"
)

// rowIDBlock is how many row ids are reserved at once; a restart leaves the rest of a block unused.
const rowIDBlock = 1024

// rowIDs hands out row ids from reserved blocks, one counter per relation.
type rowIDs struct {
	relations sync.Map // RelationID -> *rowIDCounter
}

type rowIDCounter struct {
	mu        sync.Mutex
	next, end RowID // [next, end) is reserved and not handed out
	err       error // of the first failed reservation; commits that write to the relation fail with it
}

// NextRowID hands out a row id of rel that was never handed out before, over restarts too. When no block
// could be reserved, transactions that write to rel fail at commit.
func (db *DB) NextRowID(rel RelationID) RowID {
	c := db.rowIDs.counter(rel)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next == c.end {
		if err := db.running(func() error { return db.reserveRowIDs(rel, c) }); err != nil {
			c.err = cmp.Or(c.err, err)
			c.end += rowIDBlock // these ids are good for nothing but a transaction that will fail
		}
	}
	row := c.next
	c.next++
	return row
}

func (r *rowIDs) counter(rel RelationID) *rowIDCounter {
	c, ok := r.relations.Load(rel)
	if !ok {
		c, _ = r.relations.LoadOrStore(rel, new(rowIDCounter))
	}
	return c.(*rowIDCounter)
}

// failed returns why ids of rel cannot be relied on.
func (r *rowIDs) failed(rel RelationID) error {
	c, ok := r.relations.Load(rel)
	if !ok {
		return nil
	}
	counter := c.(*rowIDCounter)
	counter.mu.Lock()
	defer counter.mu.Unlock()
	return counter.err
}

// reserveRowIDs persists the block before an id of it is used. It needs no sync: rows that use the ids are
// written to the log behind it, so a crash that keeps them keeps the block.
func (db *DB) reserveRowIDs(rel RelationID, c *rowIDCounter) error {
	if db.opts.ReadOnly {
		return ErrReadOnly
	}
	key := keys.AppendLocalRelation(nil, keys.RowIDBlock, rel)
	first := uint64(1)
	value, found, err := db.get(key)
	if err != nil {
		return err
	}
	if found {
		if first, err = keys.DecodeUint64(value); err != nil {
			return storeError(err)
		}
	}
	if err := db.p.Set(key, keys.AppendUint64(nil, first+rowIDBlock), pebble.NoSync); err != nil {
		return storeError(err)
	}
	c.next, c.end = RowID(first), RowID(first+rowIDBlock)
	return nil
}
