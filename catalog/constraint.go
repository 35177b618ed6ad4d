package catalog

import (
	"slices"

	"raisind/storage"
)

// ConstraintKind is pg_constraint.contype.
type ConstraintKind byte

// The kinds of constraints.
const (
	ConstraintPrimary   ConstraintKind = 'p'
	ConstraintUnique    ConstraintKind = 'u'
	ConstraintCheck     ConstraintKind = 'c'
	ConstraintForeign   ConstraintKind = 'f'
	ConstraintExclusion ConstraintKind = 'x'
)

// Constraint is a constraint of a relation or, when it is a check, of a domain.
type Constraint struct {
	OID  uint32         `json:"oid"`
	Name string         `json:"name"`
	Kind ConstraintKind `json:"kind"`
	// Columns are numbers of columns: conkey.
	Columns []uint16 `json:"columns,omitempty"`
	// Index enforces a primary key, unique or exclusion constraint; of a foreign key it
	// is the referenced relation's.
	Index     storage.IndexID `json:"index,omitempty"`
	Expr      string          `json:"expr,omitempty"`      // SQL text of a check
	Operators []string        `json:"operators,omitempty"` // of an exclusion constraint

	// Of a foreign key. Match is 's', 'f' or 'p'; the actions are 'a' (no action), 'r'
	// (restrict), 'c' (cascade), 'n' (set null) and 'd' (set default).
	RefRelation storage.RelationID `json:"ref,omitempty"`
	RefColumns  []uint16           `json:"ref_columns,omitempty"`
	Match       byte               `json:"match,omitempty"`
	OnUpdate    byte               `json:"on_update,omitempty"`
	OnDelete    byte               `json:"on_delete,omitempty"`

	Deferrable        bool         `json:"deferrable,omitempty"`
	InitiallyDeferred bool         `json:"initially_deferred,omitempty"`
	NotValid          bool         `json:"not_valid,omitempty"`
	NoInherit         bool         `json:"no_inherit,omitempty"`
	Comment           string       `json:"comment,omitempty"`
	Depends           []Dependency `json:"depends,omitempty"` // what Expr needs
}

// Ref names the constraint.
func (c *Constraint) Ref() Ref { return Ref{Class: ClassConstraint, OID: c.OID} }

func cloneConstraints(list []Constraint) []Constraint {
	list = slices.Clone(list)
	for i := range list {
		c := &list[i]
		c.Columns, c.RefColumns = slices.Clone(c.Columns), slices.Clone(c.RefColumns)
		c.Operators, c.Depends = slices.Clone(c.Operators), slices.Clone(c.Depends)
	}
	return list
}
