package catalog

import (
	"cmp"
	"slices"

	"raisind/storage"
)

// Snapshot is the catalog at one moment. Immutable.
type Snapshot struct {
	version uint64
	byID    map[storage.RelationID]*Relation
	byName  map[relName]*Relation
	sorted  []*Relation
}

type relName struct{ schema, name string }

func newSnapshot(rels []*Relation, version uint64) *Snapshot {
	s := &Snapshot{
		version: version, sorted: rels,
		byID:   make(map[storage.RelationID]*Relation, len(rels)),
		byName: make(map[relName]*Relation, len(rels)),
	}
	slices.SortFunc(rels, func(a, b *Relation) int {
		return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Name, b.Name))
	})
	for _, r := range rels {
		s.byID[r.ID] = r
		s.byName[relName{r.Schema, r.Name}] = r
	}
	return s
}

// ByName finds a relation; an empty schema is DefaultSchema.
func (s *Snapshot) ByName(schema, name string) (*Relation, bool) {
	r, ok := s.byName[relName{cmp.Or(schema, DefaultSchema), name}]
	return r, ok
}

// ByID finds a relation by its number.
func (s *Snapshot) ByID(id storage.RelationID) (*Relation, bool) {
	r, ok := s.byID[id]
	return r, ok
}

// Relations returns all relations by schema and name. The slice is shared.
func (s *Snapshot) Relations() []*Relation { return s.sorted }

// Version differs between any two states of the catalog seen since the store was
// opened, those that only one transaction sees included.
func (s *Snapshot) Version() uint64 { return s.version }

// change replaces one relation, or drops it when rel is nil.
type change struct {
	id  storage.RelationID
	rel *Relation
}

// apply returns s with the changes made, in order.
func (s *Snapshot) apply(changes []change, version uint64) *Snapshot {
	latest := make(map[storage.RelationID]*Relation, len(changes))
	for _, c := range changes {
		latest[c.id] = c.rel
	}
	rels := make([]*Relation, 0, len(s.sorted)+len(latest))
	for _, r := range s.sorted {
		if _, changed := latest[r.ID]; !changed {
			rels = append(rels, r)
		}
	}
	for _, r := range latest {
		if r != nil {
			rels = append(rels, r)
		}
	}
	return newSnapshot(rels, version)
}
