package catalog

import (
	"cmp"
	"context"
	"slices"

	"raisind/pgerr"
	"raisind/storage"
)

// privateVersion marks versions of states that only one transaction sees.
const privateVersion = 1 << 63

// nameIndex is the index number under which relation names are locked; no index has it.
const nameIndex storage.IndexID = 0

// Tx is the catalog as one transaction sees it: what is committed now, and its own
// changes. Used by one goroutine at a time.
type Tx struct {
	cat     *Catalog
	txn     *storage.Txn
	changes []change
	// seen is base with changes made; both nil while there are none.
	base, seen *Snapshot
}

// Begin starts the catalog's side of a transaction.
func (c *Catalog) Begin(t *storage.Txn) *Tx { return &Tx{cat: c, txn: t} }

// Catalog returns the catalog the transaction belongs to.
func (tx *Tx) Catalog() *Catalog { return tx.cat }

// Snapshot returns what the transaction sees now.
func (tx *Tx) Snapshot() *Snapshot {
	cur := tx.cat.Current()
	if len(tx.changes) == 0 {
		return cur
	}
	if tx.base != cur {
		tx.base, tx.seen = cur, cur.apply(tx.changes, privateVersion|tx.cat.private.Add(1))
	}
	return tx.seen
}

// Lookup finds a relation by name; an empty schema is DefaultSchema.
func (tx *Tx) Lookup(schema, name string) (*Relation, bool, error) {
	r, ok := tx.Snapshot().ByName(schema, name)
	return r, ok, nil
}

// ByID finds a relation by its number.
func (tx *Tx) ByID(id storage.RelationID) (*Relation, bool) { return tx.Snapshot().ByID(id) }

// Version differs whenever a plan made before may no longer hold.
func (tx *Tx) Version() uint64 { return tx.Snapshot().Version() }

// RowCount is about how many rows a relation has; ok is false when nobody knows.
func (tx *Tx) RowCount(rel storage.RelationID) (rows int64, ok bool) {
	if tx.cat.rows == nil {
		return 0, false
	}
	return tx.cat.rows(rel), true
}

// Changed reports whether the transaction changes the catalog.
func (tx *Tx) Changed() bool { return len(tx.changes) > 0 }

// Create adds a relation, which belongs to the catalog from now on. It waits for
// transactions that make or drop one of the same name; 42P07 when there is one.
func (tx *Tx) Create(ctx context.Context, r *Relation) error {
	if err := tx.free(ctx, nil, r); err != nil {
		return err
	}
	return tx.put(r)
}

// free locks the names r has and old has not, and checks that nobody else has them.
func (tx *Tx) free(ctx context.Context, old, r *Relation) error {
	type named struct {
		name string
		oid  uint32
	}
	var taken []named
	if old == nil || old.Schema != r.Schema || old.Name != r.Name {
		taken = append(taken, named{r.Name, r.OID})
	}
	for i := range r.Indexes {
		x := &r.Indexes[i]
		if old != nil && old.Schema == r.Schema {
			if o, ok := old.IndexByName(x.Name); ok && o.ID == x.ID {
				continue
			}
		}
		taken = append(taken, named{x.Name, x.OID})
	}
	for _, n := range taken {
		if err := tx.lockName(ctx, r.Schema, n.name); err != nil {
			return err
		}
		now := tx.Snapshot()
		if other, exists := now.ByName(r.Schema, n.name); exists && other.OID != n.oid {
			return existsError(n.name)
		}
		if _, x, exists := now.IndexByName(r.Schema, n.name); exists && x.OID != n.oid {
			return existsError(n.name)
		}
	}
	return nil
}

// Replace changes a relation that the caller has locked; r is a changed Clone. A
// new name must be free, else 42P07; 42P01 when the relation has gone.
func (tx *Tx) Replace(ctx context.Context, r *Relation) error {
	old, ok := tx.ByID(r.ID)
	if !ok {
		return goneError(r.ID)
	}
	if old.Name != r.Name || old.Schema != r.Schema {
		if err := tx.lockName(ctx, old.Schema, old.Name); err != nil {
			return err
		}
	}
	if err := tx.free(ctx, old, r); err != nil {
		return err
	}
	for i := range old.Indexes {
		if id := old.Indexes[i].ID; !slices.ContainsFunc(r.Indexes, func(x Index) bool { return x.ID == id }) {
			r.Gone = append(r.Gone, id)
		}
	}
	return tx.put(r)
}

// Drop removes a relation that the caller has locked.
func (tx *Tx) Drop(ctx context.Context, id storage.RelationID) error {
	r, ok := tx.ByID(id)
	if !ok {
		return goneError(id)
	}
	if err := tx.lockName(ctx, r.Schema, r.Name); err != nil {
		return err
	}
	value, err := encodeDropped(r)
	if err != nil {
		return err
	}
	tx.txn.PutMeta(recordKey(id), value)
	tx.change(change{ref: r.Ref()})
	return nil
}

func (tx *Tx) put(r *Relation) error {
	value, err := encodeRecord(r)
	if err != nil {
		return err
	}
	tx.txn.PutMeta(recordKey(r.ID), value)
	tx.change(change{ref: r.Ref(), rel: r})
	return nil
}

func (tx *Tx) change(c change) {
	tx.changes = append(tx.changes, c)
	tx.base, tx.seen = nil, nil
}

func (tx *Tx) lockName(ctx context.Context, schema, name string) error {
	return tx.txn.LockKey(ctx, nameIndex, []byte(cmp.Or(schema, DefaultSchema)+"\x00"+name))
}

// Savepoint marks the present state; taken beside the storage transaction's own.
func (tx *Tx) Savepoint() int { return len(tx.changes) }

// RollbackTo forgets what was changed after the savepoint.
func (tx *Tx) RollbackTo(savepoint int) {
	if savepoint < len(tx.changes) {
		tx.changes = tx.changes[:savepoint:savepoint]
		tx.base, tx.seen = nil, nil
	}
}

// OnApply publishes the changes. It is given to the commit as its OnApply, which
// runs one commit at a time, in the order of revisions.
func (tx *Tx) OnApply(rev storage.Revision) {
	if len(tx.changes) == 0 {
		return
	}
	cur := tx.cat.Current()
	next := cur.apply(tx.changes, cur.version+1)
	tx.cat.mu.Lock()
	for _, c := range tx.changes {
		if c.ref.Class != ClassRelation || c.rel != nil {
			continue
		}
		if r, was := cur.ByOID(c.ref.OID); was && r.Kind.HasRows() {
			tx.cat.dropped = append(tx.cat.dropped, Dropped{r, rev})
		}
	}
	tx.cat.mu.Unlock()
	tx.cat.current.Store(next)
}

func existsError(name string) error {
	return pgerr.New(pgerr.DuplicateTable, "relation %q already exists", name)
}

func goneError(id storage.RelationID) error {
	return pgerr.New(pgerr.UndefinedTable, "relation with OID %d does not exist", FirstOID+uint32(id))
}
