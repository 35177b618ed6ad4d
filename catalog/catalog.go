package catalog

import (
	"fmt"
	"sync"
	"sync/atomic"

	"raisind/storage"
)

// Catalog is what one store's relations are now. Safe for concurrent use.
type Catalog struct {
	current   atomic.Pointer[Snapshot]
	relations atomic.Uint32 // highest number used by a relation or as an OID
	indexes   atomic.Uint32
	// private numbers the states that only one transaction sees.
	private atomic.Uint64

	mu      sync.Mutex
	dropped []Dropped
	rows    func(storage.RelationID) int64
	stats   func(storage.RelationID) *Statistics
}

// CountRows makes fn what RowCount of every transaction asks. To be called before the
// catalog is shared.
func (c *Catalog) CountRows(fn func(storage.RelationID) int64) { c.rows = fn }

// Dropped is a relation that no longer exists but whose rows may still be stored.
// After a restart only its numbers are known.
type Dropped struct {
	*Relation
	Revision storage.Revision // of the commit that dropped it; 0: before the store was opened
}

// TakeDropped hands out the relations dropped at or before rev, each once.
func (c *Catalog) TakeDropped(rev storage.Revision) []Dropped {
	c.mu.Lock()
	defer c.mu.Unlock()
	var take, keep []Dropped
	for _, d := range c.dropped {
		if d.Revision <= rev {
			take = append(take, d)
		} else {
			keep = append(keep, d)
		}
	}
	c.dropped = keep
	return take
}

// Load reads the catalog of a store.
func Load(db *storage.DB) (*Catalog, error) {
	v, err := db.NewView()
	if err != nil {
		return nil, fmt.Errorf("load catalog: %w", err)
	}
	defer v.Close()
	c := &Catalog{}
	var rels []*Relation
	err = v.ScanMeta(recordPrefix, func(key, value []byte) error {
		r, dropped, err := decodeRecord(key, value)
		if err != nil {
			return err
		}
		c.used(r.OID, r.TypeOID, r.ArrayOID)
		for i := range r.Indexes {
			c.used(r.Indexes[i].OID)
			c.indexes.Store(max(c.indexes.Load(), uint32(r.Indexes[i].ID)))
		}
		for _, ix := range r.Gone {
			c.indexes.Store(max(c.indexes.Load(), uint32(ix)))
		}
		for i := range r.Constraints {
			c.used(r.Constraints[i].OID)
		}
		for i := range r.Triggers {
			c.used(r.Triggers[i].OID)
		}
		if dropped {
			c.dropped = append(c.dropped, Dropped{Relation: r})
		} else {
			rels = append(rels, r)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("load catalog: %w", err)
	}
	objects := map[Ref]Object{}
	for _, o := range builtin() {
		objects[o.Ref()] = o
	}
	err = v.ScanMeta(objectPrefix, func(key, value []byte) error {
		ref, o, err := decodeObject(key, value)
		if err != nil {
			return err
		}
		if o == nil {
			delete(objects, ref)
			return nil
		}
		objects[ref] = o
		c.used(o.Ref().OID)
		if u, ok := o.(*UserType); ok {
			c.used(u.ArrayOID)
			if u.Enum != nil {
				for _, l := range u.Enum.Labels {
					c.used(l.OID)
				}
			}
			if u.Domain != nil {
				for i := range u.Domain.Checks {
					c.used(u.Domain.Checks[i].OID)
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("load catalog: %w", err)
	}
	c.current.Store(newSnapshot(nil, rels, objects, 1))
	return c, nil
}

// used keeps OIDs from being handed out again.
func (c *Catalog) used(oids ...uint32) {
	for _, oid := range oids {
		if oid > FirstOID && oid < oldTypeOID {
			c.relations.Store(max(c.relations.Load(), oid-FirstOID))
		}
	}
}

// Current returns what is committed now.
func (c *Catalog) Current() *Snapshot { return c.current.Load() }

// NextRelationID returns a relation number that was never returned before. One that
// was never committed may come again after a restart.
func (c *Catalog) NextRelationID() storage.RelationID {
	return storage.RelationID(c.relations.Add(1))
}

// UsedIndexID keeps an index number from being handed out again.
func (c *Catalog) UsedIndexID(id storage.IndexID) {
	for {
		now := c.indexes.Load()
		if now >= uint32(id) || c.indexes.CompareAndSwap(now, uint32(id)) {
			return
		}
	}
}

// NextIndexID is NextRelationID for indexes.
func (c *Catalog) NextIndexID() storage.IndexID { return storage.IndexID(c.indexes.Add(1)) }
