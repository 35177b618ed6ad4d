package relation

import (
	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/types"
)

// MaxUniqueKeyBytes bounds one key of a unique index.
const MaxUniqueKeyBytes = 8 << 10

// UniqueKey appends the key of row in a unique index to dst: ordered as the values
// are, and no key a prefix of another. It reports false when a column is NULL: such
// a row is not in the index.
func UniqueKey(r *catalog.Relation, ix *catalog.Index, row types.Row, dst []byte) ([]byte, bool) {
	for _, c := range ix.Columns {
		if row[c].IsNull() {
			return dst, false
		}
		dst = types.AppendOrderedKey(dst, r.Columns[c].Type, row[c])
	}
	return dst, true
}

// CheckKeySize refuses a key that is too long to be indexed.
func CheckKeySize(r *catalog.Relation, ix *catalog.Index, key []byte) error {
	if len(key) <= MaxUniqueKeyBytes {
		return nil
	}
	return pgerr.New(pgerr.ProgramLimitExceeded, "index row size %d exceeds maximum %d for index %q", len(key), MaxUniqueKeyBytes, ix.Name).
		WithHint("Values larger than %d bytes cannot be in a unique index.", MaxUniqueKeyBytes).
		WithRelation(r.Schema, r.Name, "", ix.Name)
}

// PrefixEnd returns the smallest key above all keys that start with prefix; nil when
// there is none.
func PrefixEnd(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] != 0xff {
			end := append([]byte(nil), prefix[:i+1]...)
			end[i]++
			return end
		}
	}
	return nil
}
