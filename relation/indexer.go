package relation

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"raisind/catalog"
	"raisind/spatialidx"
	"raisind/storage"
)

// MaxProperties of one relation have an index; geometries under further names are
// found through the overflow list.
const MaxProperties = 4096

// Indexer is this node's spatial index state: which properties have numbers, and
// what their indexes hold. It makes state records when the first geometry of a
// property is written. Safe for concurrent use; reading takes no lock.
//
// Every relation has an overflow list as well: rows with more geometries than are
// indexed. Each scan reads it beside its cells, so that an answer of the index is
// that of a row scan whatever was written.
type Indexer struct {
	db  *storage.DB
	cat *catalog.Catalog

	mu   sync.Mutex // guards changes of rels and of the relStates in it
	rels atomic.Pointer[map[storage.RelationID]*relState]

	commits inFlight
	// compiler reads the SQL of indexes, exprs is what it has read.
	compiler Compiler
	exprs    computedIndexes
	// beside are rows of indexes being built, building counts such indexes.
	beside   builtBeside
	building atomic.Int64
	jobs     jobs
}

// relState is the state of one relation's properties.
type relState struct {
	props atomic.Pointer[map[string]*State] // replaced, never written
	plan  atomic.Pointer[writePlan]         // made from the props and the catalog's relation it names
	rows  atomic.Int64                      // estimate; -1: not yet made
	// changed counts rows written since stats were collected.
	changed atomic.Int64
	stats   atomic.Pointer[catalog.Statistics]
}

// NewIndexer reads the state records of a store. From now on the catalog asks it how
// many rows a relation has.
func NewIndexer(db *storage.DB, cat *catalog.Catalog) (*Indexer, error) {
	ix := &Indexer{db: db, cat: cat}
	rels := map[storage.RelationID]*relState{}
	err := db.ScanMeta(statePrefix, func(key, value []byte) error {
		rel, s, err := decodeState(key, value)
		if err != nil {
			return err
		}
		rs := rels[rel]
		if rs == nil {
			rs = newRelState()
			rels[rel] = rs
		}
		(*rs.props.Load())[s.Name] = s
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("load spatial index state: %w", err)
	}
	ix.rels.Store(&rels)
	if err := ix.purgeBuilds(); err != nil && !errors.Is(err, storage.ErrReadOnly) {
		return nil, fmt.Errorf("delete indexes left unfinished: %w", err)
	}
	cat.CountRows(ix.Rows)
	cat.Describe(ix.Statistics)
	return ix, nil
}

func newRelState() *relState {
	rs := &relState{}
	rs.props.Store(&map[string]*State{})
	rs.rows.Store(-1)
	return rs
}

// relation returns the state of a relation, made when there is none.
func (ix *Indexer) relation(rel storage.RelationID) *relState {
	if rs := (*ix.rels.Load())[rel]; rs != nil {
		return rs
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	old := *ix.rels.Load()
	if rs := old[rel]; rs != nil {
		return rs
	}
	next := make(map[storage.RelationID]*relState, len(old)+1)
	for k, v := range old {
		next[k] = v
	}
	rs := newRelState()
	next[rel] = rs
	ix.rels.Store(&next)
	return rs
}

// Unbuild tells that the index of a property cannot be relied on until it is rebuilt:
// the column of that name is another than the one whose entries may be there.
func (ix *Indexer) Unbuild(rel storage.RelationID, property string) error {
	_, err := ix.change(rel, property, false, func(old *State, n storage.PropertyID) *State {
		s := &State{Name: property, Property: n, Phase: NotBuilt, Held: allPrecisions(), Covers: []spatialidx.CoverKind{spatialidx.Centroid, spatialidx.Extent}}
		switch {
		case old == nil && n > MaxProperties:
			return nil
		case old != nil:
			s.Property = old.Property
		}
		return s
	})
	return err
}

// State returns what the index of a property holds; false when no geometry was ever
// stored under that name.
func (ix *Indexer) State(rel storage.RelationID, property string) (*State, bool) {
	rs := (*ix.rels.Load())[rel]
	if rs == nil || property == overflowName {
		return nil, false
	}
	s, ok := (*rs.props.Load())[property]
	return s, ok
}

// States returns the states of a relation's properties by name.
func (ix *Indexer) States(rel storage.RelationID) []*State {
	rs := (*ix.rels.Load())[rel]
	if rs == nil {
		return nil
	}
	var all []*State
	for _, s := range *rs.props.Load() {
		if s.Name != overflowName {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b *State) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return all
}

// Overflow returns the property number and precision whose wide list holds the
// relation's overflow list; false when no row ever overflowed.
func (ix *Indexer) Overflow(rel storage.RelationID) (storage.PropertyID, uint8, bool) {
	rs := (*ix.rels.Load())[rel]
	if rs == nil {
		return 0, 0, false
	}
	s, ok := (*rs.props.Load())[overflowName]
	if !ok {
		return 0, 0, false
	}
	return s.Property, overflowPrecision, true
}

// Drop forgets a relation that has been dropped.
func (ix *Indexer) Drop(rel storage.RelationID) error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	old := *ix.rels.Load()
	rs := old[rel]
	if rs == nil {
		return nil
	}
	var gone []storage.MetaKV
	for name := range *rs.props.Load() {
		gone = append(gone, storage.MetaKV{Key: stateKey(rel, name)})
	}
	next := make(map[storage.RelationID]*relState, len(old))
	for k, v := range old {
		if k != rel {
			next[k] = v
		}
	}
	ix.rels.Store(&next)
	if len(gone) == 0 {
		return nil
	}
	return ix.db.PutMeta(false, gone...)
}

// change replaces a property's state with what fn makes of it (nil: there is none
// yet, and n is the number a new one gets). The record is written before anybody
// sees the new state; a later commit cannot reach the disk without it. fn returns
// nil to leave things as they are.
func (ix *Indexer) change(rel storage.RelationID, name string, sync bool, fn func(old *State, n storage.PropertyID) *State) (*State, error) {
	rs := ix.relation(rel)
	ix.mu.Lock()
	defer ix.mu.Unlock()
	props := *rs.props.Load()
	old := props[name]
	var highest storage.PropertyID
	for _, s := range props {
		highest = max(highest, s.Property)
	}
	s := fn(old, highest+1)
	if s == nil {
		return old, nil
	}
	value, err := encodeState(s)
	if err != nil {
		return nil, err
	}
	if err := ix.db.PutMeta(sync, storage.MetaKV{Key: stateKey(rel, name), Value: value}); err != nil {
		return nil, fmt.Errorf("write spatial index state: %w", err)
	}
	next := make(map[string]*State, len(props)+1)
	for k, v := range props {
		next[k] = v
	}
	next[s.Name] = s // not name, which may share a row's memory
	rs.props.Store(&next)
	return s, nil
}

// Rows estimates how many rows a relation has.
func (ix *Indexer) Rows(rel storage.RelationID) int64 {
	rs := ix.relation(rel)
	if n := rs.rows.Load(); n >= 0 {
		return n
	}
	n, err := ix.sampleRows(rel)
	if err != nil {
		return 0
	}
	rs.rows.CompareAndSwap(-1, n)
	return max(rs.rows.Load(), 0)
}

// maxSampledRows are counted before an estimate is made of the rest.
const maxSampledRows = 20_000

// sampleRows counts the first rows and takes the rest of the row numbers to be as
// densely used.
func (ix *Indexer) sampleRows(rel storage.RelationID) (int64, error) {
	v, err := ix.db.NewView()
	if err != nil {
		return 0, err
	}
	defer v.Close()
	it := v.Rows(rel)
	defer it.Close()
	var n int64
	var first, last storage.RowID
	for n < maxSampledRows && it.Next() {
		if n == 0 {
			first = it.RowID()
		}
		last = it.RowID()
		n++
	}
	if err := it.Err(); err != nil || n < maxSampledRows {
		return n, err
	}
	density := float64(n) / float64(last-first+1)
	return int64(density * float64(ix.db.NextRowID(rel)-first)), nil
}
