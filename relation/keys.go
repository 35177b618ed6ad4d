package relation

import (
	"encoding/binary"
	"sync"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/types"
	"raisind/storage"
)

// Computed is what an index asks of a row beyond its columns. Both functions see the
// first len(r.Columns) values of a row and depend on nothing else.
type Computed struct {
	// Keys has a function for each key that is an expression.
	Keys []func(types.Row) (types.Datum, error)
	// Types are the types of the expressions.
	Types []*types.Type
	// Predicate tells which rows the index has; nil: all.
	Predicate func(types.Row) (bool, error)
}

// Compiler reads the SQL of an index with expressions or a predicate.
type Compiler func(r *catalog.Relation, x *catalog.Index) (*Computed, error)

// SetCompiler says who reads the SQL of indexes. To be called before the indexer is
// shared.
func (ix *Indexer) SetCompiler(c Compiler) { ix.compiler = c }

// computedIndexes keeps what was compiled, by the index's number.
type computedIndexes struct{ m sync.Map }

type computedIndex struct {
	rel *catalog.Relation
	c   *Computed
}

// computed returns what x asks beyond columns; nil when there is nothing.
func (ix *Indexer) computed(r *catalog.Relation, x *catalog.Index) (*Computed, error) {
	if x.Predicate == "" && !x.HasExprs() {
		return nil, nil
	}
	if got, ok := ix.exprs.m.Load(x.ID); ok && got.(*computedIndex).rel == r {
		return got.(*computedIndex).c, nil
	}
	if ix.compiler == nil {
		return nil, pgerr.New(pgerr.InternalError, "nobody can read the expressions of index %q", x.Name)
	}
	c, err := ix.compiler(r, x)
	if err != nil {
		return nil, err
	}
	ix.exprs.m.Store(x.ID, &computedIndex{r, c})
	return c, nil
}

// Key is the key of a row in an index.
type Key struct {
	Bytes []byte
	// Unique tells that no other row may have the key; else it ends in the row's number.
	Unique bool
}

// Bytes before a key of RowKeys, by where NULLs sort.
const (
	nullFirst = 0x00
	nullLast  = 0x02
	// KeyNotNull begins every key that is not NULL: what a scan of those starts with.
	KeyNotNull = 0x01
)

// AppendKey appends the key that the row has in x to dst. It reports false when the
// row is not in the index.
func (ix *Indexer) AppendKey(r *catalog.Relation, x *catalog.Index, row types.Row, id storage.RowID, dst []byte) (Key, bool, error) {
	switch x.Format {
	case catalog.NoKeys:
		return Key{Bytes: dst}, false, nil
	case catalog.UniqueKeys:
		key, ok := UniqueKey(r, x, row, dst)
		return Key{Bytes: key, Unique: true}, ok, nil
	}
	c, err := ix.computed(r, x)
	if err != nil {
		return Key{Bytes: dst}, false, err
	}
	if c != nil && c.Predicate != nil {
		if ok, err := c.Predicate(row); !ok {
			return Key{Bytes: dst}, false, err
		}
	}
	alone := x.Unique
	for i := range x.Columns {
		d, t, err := keyValue(r, x, c, row, i)
		if err != nil {
			return Key{Bytes: dst}, false, err
		}
		if d.IsNull() && !x.NullsNotDistinct {
			alone = false
		}
		dst = AppendKeyPart(dst, x, i, t, d)
	}
	if !alone {
		dst = binary.BigEndian.AppendUint64(dst, uint64(id))
	}
	return Key{Bytes: dst, Unique: alone}, true, nil
}

// keyValue is the value of key i of a row.
func keyValue(r *catalog.Relation, x *catalog.Index, c *Computed, row types.Row, i int) (types.Datum, *types.Type, error) {
	if col := x.Columns[i]; col != catalog.ExprColumn {
		return row[col], r.Columns[col].Type, nil
	}
	d, err := c.Keys[i](row)
	return d, c.Types[i], err
}

// KeyType is the type of key i of an index; nil when an expression cannot be read.
func (ix *Indexer) KeyType(r *catalog.Relation, x *catalog.Index, i int) *types.Type {
	if col := x.Columns[i]; col != catalog.ExprColumn {
		return r.Columns[col].Type
	}
	c, err := ix.computed(r, x)
	if err != nil {
		return nil
	}
	return c.Types[i]
}

// AppendKeyPart appends the bytes that key i of an index of format RowKeys has for a
// value: what a scan by value starts with, key by key.
func AppendKeyPart(dst []byte, x *catalog.Index, i int, t *types.Type, d types.Datum) []byte {
	k := x.Key(i)
	if d.IsNull() {
		if k.NullsFirst {
			return append(dst, nullFirst)
		}
		return append(dst, nullLast)
	}
	dst = append(dst, KeyNotNull)
	from := len(dst)
	dst = types.AppendOrderedKey(dst, t, d)
	if k.Desc {
		for j := from; j < len(dst); j++ {
			dst[j] = ^dst[j]
		}
	}
	return dst
}

// KeyViolation is the error for a row whose key in x another row has.
func (ix *Indexer) KeyViolation(r *catalog.Relation, x *catalog.Index, row types.Row) error {
	names, values, err := ix.keyText(r, x, row)
	if err != nil {
		return err
	}
	return pgerr.New(pgerr.UniqueViolation, "duplicate key value violates unique constraint %q", x.Name).
		WithDetail("Key (%s)=(%s) already exists.", names, values).
		WithRelation(r.Schema, r.Name, "", x.Name)
}

// DuplicateKey is the error for rows that keep a unique index from being made.
func (ix *Indexer) DuplicateKey(r *catalog.Relation, x *catalog.Index, row types.Row) error {
	names, values, err := ix.keyText(r, x, row)
	if err != nil {
		return err
	}
	return pgerr.New(pgerr.UniqueViolation, "could not create unique index %q", x.Name).
		WithDetail("Key (%s)=(%s) is duplicated.", names, values).
		WithRelation(r.Schema, r.Name, "", x.Name)
}

// keyText prints the names and the values of a key as details do.
func (ix *Indexer) keyText(r *catalog.Relation, x *catalog.Index, row types.Row) (names, values []byte, err error) {
	c, err := ix.computed(r, x)
	if err != nil {
		return nil, nil, err
	}
	for i, col := range x.Columns {
		if i > 0 {
			names, values = append(names, ", "...), append(values, ", "...)
		}
		if col == catalog.ExprColumn {
			names = append(names, x.Key(i).Expr...)
		} else {
			names = append(names, r.Columns[col].Name...)
		}
		d, t, err := keyValue(r, x, c, row, i)
		if err != nil {
			return nil, nil, err
		}
		if d.IsNull() {
			values = append(values, "null"...)
		} else {
			values = t.AppendText(values, d, types.DefaultEnv())
		}
	}
	return names, values, nil
}
