package catalog

import (
	"raisind/storage"
)

// ExprColumn stands in Index.Columns where the key is an expression.
const ExprColumn = -1

// Index is an index of a relation.
type Index struct {
	ID   storage.IndexID
	OID  uint32
	Name string
	// Columns are the keys as positions in Relation.Columns, or ExprColumn.
	Columns []int
	// Keys tells more of each of Columns; nil when there is nothing to tell.
	Keys             []IndexKey
	Unique, Primary  bool
	NullsNotDistinct bool
	Include          []int  // positions of columns that are carried along
	Method           string // btree, hash, gist, spgist, gin or brin; empty is btree
	Predicate        string // SQL text of WHERE, empty for none
	// Format says how keys are stored; see package relation.
	Format  IndexFormat
	Options map[string]string // WITH (…)
	Invalid bool              // being built, or left so
	Comment string
	Depends []Dependency // what expressions and the predicate need
}

// IndexFormat is how the keys of an index are stored. The numbers are stored.
type IndexFormat uint8

const (
	// UniqueKeys are the ordered keys of the columns, one after another. A row with a
	// NULL among them has no entry.
	UniqueKeys IndexFormat = 0
	// RowKeys have a byte before each key that sorts NULLs, keys of descending columns
	// inverted, and the row's number behind them, save in a unique index for a row
	// that must be alone. Every row that fulfils the predicate has an entry.
	RowKeys IndexFormat = 1
	// NoKeys are stored for indexes of which the relation's spatial index does the
	// work, or nothing does.
	NoKeys IndexFormat = 2
)

// IndexKey is what is special about one key of an index.
type IndexKey struct {
	Expr       string `json:"expr,omitempty"` // SQL text, for ExprColumn
	Type       uint32 `json:"type,omitempty"` // of the expression
	Collation  string `json:"collation,omitempty"`
	Opclass    string `json:"opclass,omitempty"`
	Desc       bool   `json:"desc,omitempty"`
	NullsFirst bool   `json:"nulls_first,omitempty"`
}

// Key returns what is special about key i.
func (x *Index) Key(i int) IndexKey {
	if i < len(x.Keys) {
		return x.Keys[i]
	}
	return IndexKey{}
}

// AccessMethod is the method's name.
func (x *Index) AccessMethod() string {
	if x.Method == "" {
		return "btree"
	}
	return x.Method
}

// Plain reports whether the index is a unique one over columns alone, whose keys may
// be looked up by value: no expression, predicate or special order.
func (x *Index) Plain() bool {
	return x.Unique && x.Format == UniqueKeys && x.Predicate == "" && !x.Invalid
}

// HasExprs reports whether a key is an expression.
func (x *Index) HasExprs() bool {
	for _, c := range x.Columns {
		if c == ExprColumn {
			return true
		}
	}
	return false
}

// Ref names the index.
func (x *Index) Ref() Ref { return Ref{Class: ClassIndex, OID: x.OID} }
