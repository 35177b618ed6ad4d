package catalog

import (
	"cmp"
	"slices"
)

// edge is one dependency: From needs On.
type edge struct {
	from, on Ref
	kind     DependKind
}

// Dependencies calls fn with every dependency there is between objects, those that
// follow from the definitions included.
func (s *Snapshot) Dependencies(fn func(from, on Ref, kind DependKind)) {
	for _, r := range s.sorted {
		s.relationDependencies(r, fn)
	}
	for _, o := range s.objects {
		from := o.Ref()
		for _, d := range o.depends() {
			if d.On.Class != ClassType || d.On.OID >= FirstOID {
				fn(from, s.typeRef(d.On), d.kind())
			}
		}
		switch o := o.(type) {
		case *UserType:
			fn(from, s.schemaRef(o.Schema), DependNormal)
		case *Function:
			fn(from, s.schemaRef(o.Schema), DependNormal)
		}
	}
}

func (d Dependency) kind() DependKind {
	if d.Kind == 0 {
		return DependNormal
	}
	return d.Kind
}

func (s *Snapshot) schemaRef(name string) Ref {
	return Ref{Class: ClassSchema, OID: s.SchemaOID(name)}
}

// typeRef names what a type belongs to: of an array its element, of a row type its
// relation.
func (s *Snapshot) typeRef(ref Ref) Ref {
	if ref.Class != ClassType {
		return ref
	}
	if t, ok := s.types[ref.OID]; ok && t.Elem != nil && t.IsArray() {
		ref.OID = t.Elem.OID
	}
	if _, user := s.objects[ref]; user {
		return ref
	}
	for _, r := range s.sorted {
		if r.TypeOID == ref.OID && r.TypeOID != 0 {
			return r.Ref()
		}
	}
	return ref
}

func (s *Snapshot) relationDependencies(r *Relation, fn func(from, on Ref, kind DependKind)) {
	self := r.Ref()
	column := func(id uint16) Ref { return Ref{Class: ClassRelation, OID: r.OID, Sub: id} }
	all := func(from Ref, list []Dependency) {
		for _, d := range list {
			fn(from, d.On, d.kind())
		}
	}
	fn(self, s.schemaRef(r.Schema), DependNormal)
	if r.Query != nil {
		all(self, r.Query.Depends)
	}
	if q := r.Sequence; q != nil && q.Owner != 0 {
		kind := DependAuto
		if q.Identity {
			kind = DependInternal
		}
		fn(self, Ref{Class: ClassRelation, OID: RelationOID(q.Owner), Sub: q.OwnerColumn}, kind)
	}
	for i := range r.Columns {
		c := &r.Columns[i]
		if t := c.Type.OID; t >= FirstOID && s.types[t] != nil {
			fn(column(c.ID), s.typeRef(Ref{Class: ClassType, OID: t}), DependNormal)
		}
		value := Ref{Class: ClassDefault, OID: r.OID, Sub: c.ID}
		if c.Default != "" || c.Generated != "" {
			fn(value, column(c.ID), DependAuto)
		}
		all(value, c.Depends)
	}
	constraintOf := map[uint32]Ref{}
	for i := range r.Constraints {
		c := &r.Constraints[i]
		for _, id := range c.Columns {
			fn(c.Ref(), column(id), DependAuto)
		}
		if len(c.Columns) == 0 {
			fn(c.Ref(), self, DependAuto)
		}
		all(c.Ref(), c.Depends)
		if c.Kind == ConstraintForeign {
			for _, id := range c.RefColumns {
				fn(c.Ref(), Ref{Class: ClassRelation, OID: RelationOID(c.RefRelation), Sub: id}, DependNormal)
			}
			if other, ok := s.byID[c.RefRelation]; ok {
				for k := range other.Indexes {
					if other.Indexes[k].ID == c.Index {
						fn(c.Ref(), other.Indexes[k].Ref(), DependNormal)
					}
				}
			}
			continue
		}
		for k := range r.Indexes {
			if c.Index != 0 && r.Indexes[k].ID == c.Index {
				constraintOf[r.Indexes[k].OID] = c.Ref()
			}
		}
	}
	for i := range r.Indexes {
		x := &r.Indexes[i]
		if c, ok := constraintOf[x.OID]; ok {
			fn(x.Ref(), c, DependInternal)
		}
		for _, list := range [][]int{x.Columns, x.Include} {
			for _, c := range list {
				if c != ExprColumn {
					fn(x.Ref(), column(r.Columns[c].ID), DependAuto)
				}
			}
		}
		all(x.Ref(), x.Depends)
	}
	for i := range r.Triggers {
		t := &r.Triggers[i]
		fn(t.Ref(), self, DependAuto)
		fn(t.Ref(), Ref{Class: ClassFunction, OID: t.Function}, DependNormal)
		for _, id := range t.Columns {
			fn(t.Ref(), column(id), DependNormal)
		}
		all(t.Ref(), t.Depends)
	}
}

// Deletion is what goes when some objects are dropped.
type Deletion struct {
	// Objects are all that go, the objects asked for first among them.
	Objects []Ref
	// Reports are those that neither were asked for nor belong to what goes: with
	// CASCADE the client is told of them, without they forbid the deletion.
	Reports []Report
}

// Report is an object that keeps another from being dropped.
type Report struct{ Object, Needs Ref }

// Deletion tells what goes when refs are dropped. A column is a relation's Ref with
// its number as Sub.
func (s *Snapshot) Deletion(refs []Ref) Deletion {
	by := map[Ref][]edge{}
	owners := map[Ref]Ref{} // what an internal part belongs to
	s.Dependencies(func(from, on Ref, kind DependKind) {
		e := edge{from, on, kind}
		by[on] = append(by[on], e)
		if on.Sub != 0 && on.Class == ClassRelation { // who needs a column needs the relation
			by[Ref{Class: on.Class, OID: on.OID}] = append(by[Ref{Class: on.Class, OID: on.OID}], e)
		}
		if kind == DependInternal {
			owners[from] = on
		}
	})
	d := &deletion{s: s, by: by, owners: owners, asked: map[Ref]bool{}, done: map[Ref]bool{}}
	for _, ref := range refs {
		d.asked[ref] = true
	}
	for _, ref := range refs {
		d.add(ref)
	}
	// A part may have been met before the relation that it goes with.
	d.Reports = slices.DeleteFunc(d.Reports, func(r Report) bool { return d.partOfGone(r.Object) })
	return d.Deletion
}

type deletion struct {
	Deletion
	s           *Snapshot
	by          map[Ref][]edge
	owners      map[Ref]Ref
	asked, done map[Ref]bool
}

func (d *deletion) add(ref Ref) {
	if d.done[ref] {
		return
	}
	d.done[ref] = true
	d.Objects = append(d.Objects, ref)
	list := d.by[ref]
	slices.SortStableFunc(list, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.from.OID, b.from.OID), cmp.Compare(a.from.Sub, b.from.Sub))
	})
	// What goes silently goes first, so that it is not told of under another head.
	for _, e := range list {
		if e.kind != DependNormal || d.within(e.from, ref) {
			d.add(e.from)
		}
	}
	for _, e := range list {
		if e.kind != DependNormal || d.done[e.from] || d.partOfGone(e.from) {
			continue
		}
		if !d.asked[e.from] {
			d.Reports = append(d.Reports, Report{e.from, e.on})
		}
		d.add(e.from)
	}
}

// within reports whether from is part of the relation or column that goes anyway.
func (d *deletion) within(from, gone Ref) bool {
	return gone.Class == ClassRelation && d.s.holder(from) == gone.OID && gone.Sub == 0
}

// partOfGone reports whether the relation that from is part of goes anyway.
func (d *deletion) partOfGone(from Ref) bool {
	h := d.s.holder(from)
	r := Ref{Class: ClassRelation, OID: h}
	return h != 0 && from != r && (d.done[r] || d.asked[r])
}

// holder is the OID of the relation that ref is a part of, or is.
func (s *Snapshot) holder(ref Ref) uint32 {
	switch ref.Class {
	case ClassRelation, ClassDefault:
		return ref.OID
	case ClassIndex, ClassConstraint, ClassTrigger:
		if r, ok := s.owners[Ref{Class: ref.Class, OID: ref.OID}]; ok {
			return r.OID
		}
	}
	return 0
}

// Holder finds the relation that ref is a part of, or is.
func (s *Snapshot) Holder(ref Ref) (*Relation, bool) { return s.ByOID(s.holder(ref)) }
