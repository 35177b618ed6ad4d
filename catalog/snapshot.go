package catalog

import (
	"cmp"
	"maps"
	"slices"

	"raisind/sql/types"
	"raisind/storage"
)

// Snapshot is the catalog at one moment. Immutable.
type Snapshot struct {
	version uint64
	byID    map[storage.RelationID]*Relation
	byName  map[relName]*Relation
	sorted  []*Relation
	indexes map[relName]place
	// owners are the relations of the indexes, constraints and triggers with an OID.
	owners    map[Ref]*Relation
	objects   map[Ref]Object
	names     map[objectKey]Object
	functions map[relName][]*Function
	// referencing are foreign keys by the relation they reference.
	referencing map[storage.RelationID][]ForeignKey
	types       map[uint32]*types.Type // of users, arrays and row types too
}

type relName struct{ schema, name string }

// place is where an index is.
type place struct {
	rel *Relation
	at  int
}

// newSnapshot makes a snapshot of rels and objects, which both become its own. What it
// shares with prev, which may be nil, stays the same.
func newSnapshot(prev *Snapshot, rels []*Relation, objects map[Ref]Object, version uint64) *Snapshot {
	s := &Snapshot{
		version: version, sorted: rels, objects: objects,
		byID:      make(map[storage.RelationID]*Relation, len(rels)),
		byName:    make(map[relName]*Relation, len(rels)),
		indexes:   make(map[relName]place, len(rels)),
		owners:    make(map[Ref]*Relation, 3*len(rels)),
		names:     make(map[objectKey]Object, len(objects)),
		functions: map[relName][]*Function{},
	}
	for _, o := range objects {
		s.names[o.key()] = o
		if f, ok := o.(*Function); ok {
			n := relName{f.Schema, f.Name}
			s.functions[n] = append(s.functions[n], f)
		}
	}
	for _, list := range s.functions {
		slices.SortFunc(list, func(a, b *Function) int { return cmp.Compare(a.OID, b.OID) })
	}
	s.resolveTypes(prev)
	s.findForeignKeys()
	slices.SortFunc(rels, func(a, b *Relation) int {
		return cmp.Or(cmp.Compare(a.Schema, b.Schema), cmp.Compare(a.Name, b.Name))
	})
	for _, r := range rels {
		s.byID[r.ID] = r
		s.byName[relName{r.Schema, r.Name}] = r
		for i := range r.Indexes {
			s.indexes[relName{r.Schema, r.Indexes[i].Name}] = place{r, i}
			s.owners[r.Indexes[i].Ref()] = r
		}
		for i := range r.Constraints {
			s.owners[r.Constraints[i].Ref()] = r
		}
		for i := range r.Triggers {
			s.owners[r.Triggers[i].Ref()] = r
		}
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

// ByOID finds a relation by its OID.
func (s *Snapshot) ByOID(oid uint32) (*Relation, bool) {
	if oid < FirstOID {
		return nil, false
	}
	return s.ByID(storage.RelationID(oid - FirstOID))
}

// Relations returns all relations by schema and name. The slice is shared.
func (s *Snapshot) Relations() []*Relation { return s.sorted }

// Version differs between any two states of the catalog seen since the store was
// opened, those that only one transaction sees included.
func (s *Snapshot) Version() uint64 { return s.version }

// IndexByName finds an index, which shares its namespace with relations, and its
// relation.
func (s *Snapshot) IndexByName(schema, name string) (*Relation, *Index, bool) {
	p, ok := s.indexes[relName{cmp.Or(schema, DefaultSchema), name}]
	if !ok {
		return nil, nil, false
	}
	return p.rel, &p.rel.Indexes[p.at], true
}

// IndexByOID finds an index and its relation.
func (s *Snapshot) IndexByOID(oid uint32) (*Relation, *Index, bool) {
	r, ok := s.owners[Ref{Class: ClassIndex, OID: oid}]
	if !ok {
		return nil, nil, false
	}
	i := slices.IndexFunc(r.Indexes, func(x Index) bool { return x.OID == oid })
	return r, &r.Indexes[i], true
}

// ConstraintByOID finds a constraint of a relation. Those of domains are not found.
func (s *Snapshot) ConstraintByOID(oid uint32) (*Relation, *Constraint, bool) {
	r, ok := s.owners[Ref{Class: ClassConstraint, OID: oid}]
	if !ok {
		return nil, nil, false
	}
	i := slices.IndexFunc(r.Constraints, func(c Constraint) bool { return c.OID == oid })
	return r, &r.Constraints[i], true
}

// TriggerByOID finds a trigger and its relation.
func (s *Snapshot) TriggerByOID(oid uint32) (*Relation, *Trigger, bool) {
	r, ok := s.owners[Ref{Class: ClassTrigger, OID: oid}]
	if !ok {
		return nil, nil, false
	}
	i := slices.IndexFunc(r.Triggers, func(t Trigger) bool { return t.OID == oid })
	return r, &r.Triggers[i], true
}

// NameTaken reports whether a relation or an index has the name.
func (s *Snapshot) NameTaken(schema, name string) bool {
	if _, ok := s.ByName(schema, name); ok {
		return true
	}
	_, _, ok := s.IndexByName(schema, name)
	return ok
}

// Object finds an object that is no relation, nor part of one.
func (s *Snapshot) Object(ref Ref) (Object, bool) {
	o, ok := s.objects[Ref{Class: ref.Class, OID: ref.OID}]
	return o, ok
}

// Objects returns the objects of a class by their OIDs.
func (s *Snapshot) Objects(c Class) []Object {
	var list []Object
	for ref, o := range s.objects {
		if ref.Class == c {
			list = append(list, o)
		}
	}
	slices.SortFunc(list, func(a, b Object) int { return cmp.Compare(a.Ref().OID, b.Ref().OID) })
	return list
}

// named finds an object of class T by its name.
func named[T Object](s *Snapshot, k objectKey) (T, bool) {
	o, ok := s.names[k].(T)
	return o, ok
}

// Schema finds a schema.
func (s *Snapshot) Schema(name string) (*Schema, bool) {
	return named[*Schema](s, objectKey{class: ClassSchema, name: name})
}

// SchemaOID is the OID of a schema, 0 when there is none of the name.
func (s *Snapshot) SchemaOID(name string) uint32 {
	if o, ok := s.Schema(cmp.Or(name, DefaultSchema)); ok {
		return o.OID
	}
	return 0
}

// Role finds a role.
func (s *Snapshot) Role(name string) (*Role, bool) {
	return named[*Role](s, objectKey{class: ClassRole, name: name})
}

// RoleByOID finds a role.
func (s *Snapshot) RoleByOID(oid uint32) (*Role, bool) {
	r, ok := s.objects[Ref{Class: ClassRole, OID: oid}].(*Role)
	return r, ok
}

// Extension finds an extension.
func (s *Snapshot) Extension(name string) (*Extension, bool) {
	return named[*Extension](s, objectKey{class: ClassExtension, name: name})
}

// Database is the database.
func (s *Snapshot) Database() *Database {
	d, ok := s.objects[Ref{Class: ClassDatabase, OID: TheDatabase}].(*Database)
	if !ok {
		return &Database{OID: TheDatabase}
	}
	return d
}

// Functions returns the functions of a name by their OIDs. The slice is shared.
func (s *Snapshot) Functions(schema, name string) []*Function {
	return s.functions[relName{schema, name}]
}

// FunctionByOID finds a function.
func (s *Snapshot) FunctionByOID(oid uint32) (*Function, bool) {
	f, ok := s.objects[Ref{Class: ClassFunction, OID: oid}].(*Function)
	return f, ok
}

// change replaces one relation or object, or drops it when both are nil.
type change struct {
	ref Ref
	rel *Relation
	obj Object
}

// apply returns s with the changes made, in order.
func (s *Snapshot) apply(changes []change, version uint64) *Snapshot {
	latest := make(map[Ref]change, len(changes))
	for _, c := range changes {
		latest[c.ref] = c
	}
	objects := s.objects
	rels := make([]*Relation, 0, len(s.sorted)+len(latest))
	for _, r := range s.sorted {
		if _, changed := latest[r.Ref()]; !changed {
			rels = append(rels, r)
		}
	}
	cloned := false
	for ref, c := range latest {
		switch {
		case c.rel != nil:
			rels = append(rels, c.rel)
		case ref.Class != ClassRelation:
			if !cloned {
				objects, cloned = maps.Clone(objects), true
			}
			if c.obj == nil {
				delete(objects, ref)
			} else {
				objects[ref] = c.obj
			}
		}
	}
	return newSnapshot(s, rels, objects, version)
}
