package keys

import (
	"encoding/binary"
	"fmt"
)

// Row is the key of one version of a row.
//
//	+----+----------+-----+-----------+
//	| 72 | relation | row | ^revision |
//	| 1B | 4B       | 8B  | 8B        |
//	+----+----------+-----+-----------+
//	| prefix              | suffix    |
type Row struct {
	Relation RelationID
	Row      RowID
	Revision Revision
}

const (
	rowPrefixLen = 1 + 4 + 8
	// RowLen is the length of a row key.
	RowLen = rowPrefixLen + revisionLen
)

// Append appends the key.
func (k Row) Append(dst []byte) []byte {
	return AppendRevision(AppendRowPrefix(dst, k.Relation, k.Row), k.Revision)
}

// String prints row/7/12@1712000000000.0.
func (k Row) String() string {
	return fmt.Sprintf("row/%d/%d@%v", k.Relation, k.Row, k.Revision)
}

// AppendRowPrefix appends what all versions of a row start with.
func AppendRowPrefix(dst []byte, rel RelationID, row RowID) []byte {
	return binary.BigEndian.AppendUint64(AppendRelationRows(dst, rel), uint64(row))
}

// AppendRelationRows appends what all rows of a relation start with.
func AppendRelationRows(dst []byte, rel RelationID) []byte {
	return binary.BigEndian.AppendUint32(append(dst, RowFamily), uint32(rel))
}

// DecodeRow takes a row key apart.
func DecodeRow(key []byte) (Row, error) {
	if len(key) != RowLen || key[0] != RowFamily {
		return Row{}, corrupt("row key", key)
	}
	return Row{
		Relation: RelationID(binary.BigEndian.Uint32(key[1:])),
		Row:      RowID(binary.BigEndian.Uint64(key[5:])),
		Revision: RevisionOf(key[rowPrefixLen:]),
	}, nil
}
