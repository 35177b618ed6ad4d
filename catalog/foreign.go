package catalog

import (
	"raisind/storage"
)

// ForeignKey is a foreign key constraint and the relation it is of.
type ForeignKey struct {
	Relation   *Relation
	Constraint *Constraint
}

// findForeignKeys notes which relations foreign keys reference.
func (s *Snapshot) findForeignKeys() {
	s.referencing = map[storage.RelationID][]ForeignKey{}
	for _, r := range s.sorted {
		for i := range r.Constraints {
			if c := &r.Constraints[i]; c.Kind == ConstraintForeign {
				s.referencing[c.RefRelation] = append(s.referencing[c.RefRelation], ForeignKey{r, c})
			}
		}
	}
}

// ReferencedBy are the foreign keys that reference a relation, by the names of their
// relations and in the order they were made. The slice is shared.
func (s *Snapshot) ReferencedBy(id storage.RelationID) []ForeignKey { return s.referencing[id] }

// InForeignKey reports whether a relation has a foreign key or is referenced by one.
func (s *Snapshot) InForeignKey(r *Relation) bool {
	if len(s.referencing[r.ID]) > 0 {
		return true
	}
	for i := range r.Constraints {
		if r.Constraints[i].Kind == ConstraintForeign {
			return true
		}
	}
	return false
}
