package catalog

import (
	"raisind/sql/types"
)

// Enum are the labels of an enum type.
type Enum struct {
	Labels []types.Label `json:"labels"` // in order
}

// Domain is a type with conditions over another.
type Domain struct {
	Base      uint32 `json:"base"`
	Typmod    int32  `json:"typmod"`
	NotNull   bool   `json:"not_null,omitempty"`
	Default   string `json:"default,omitempty"` // SQL text
	Collation string `json:"collation,omitempty"`
	// Checks are of kind ConstraintCheck, VALUE standing for the value.
	Checks []Constraint `json:"checks,omitempty"`
}
