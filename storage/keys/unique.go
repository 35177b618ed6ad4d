package keys

import (
	"encoding/binary"
	"fmt"
)

// Unique is the key of one version of an index key: which row held it from a revision on.
//
//	+----+-------+-----------------+-----------+
//	| 75 | index | key             | ^revision |
//	| 1B | 4B    | escaped, closed | 8B        |
//	+----+-------+-----------------+-----------+
//	| prefix                       | suffix    |
type Unique struct {
	Index    IndexID
	Key      []byte
	Revision Revision
}

const uniqueHeadLen = 1 + 4

// Append appends the key.
func (k Unique) Append(dst []byte) []byte {
	return AppendRevision(AppendUniquePrefix(dst, k.Index, k.Key), k.Revision)
}

// String prints unique/4/"ab"@1712000000000.0.
func (k Unique) String() string {
	return fmt.Sprintf("unique/%d/%q@%v", k.Index, k.Key, k.Revision)
}

// AppendUniquePrefix appends what all versions of an index key start with.
func AppendUniquePrefix(dst []byte, index IndexID, key []byte) []byte {
	return append(AppendUniqueBound(dst, index, key), escapeByte, closeByte)
}

// AppendUniqueBound appends a bound for scans: index keys at or above key lie at or above it.
func AppendUniqueBound(dst []byte, index IndexID, key []byte) []byte {
	return appendEscaped(AppendIndex(dst, index), key)
}

// AppendIndex appends what all keys of an index start with.
func AppendIndex(dst []byte, index IndexID) []byte {
	return binary.BigEndian.AppendUint32(append(dst, UniqueFamily), uint32(index))
}

// IndexOf is the index a unique key belongs to.
func IndexOf(key []byte) IndexID { return IndexID(binary.BigEndian.Uint32(key[1:])) }

// DecodeUnique takes a unique key apart. Key is a part of the argument, or built in buf[:0] when it
// holds zero bytes.
func DecodeUnique(buf, key []byte) (Unique, error) {
	n := len(key) - revisionLen
	if n < uniqueHeadLen+closeLen || key[0] != UniqueFamily {
		return Unique{}, corrupt("unique key", key)
	}
	text, ok := unescape(buf, key[uniqueHeadLen:n])
	if !ok {
		return Unique{}, corrupt("unique key", key)
	}
	return Unique{
		Index:    IndexID(binary.BigEndian.Uint32(key[1:])),
		Key:      text,
		Revision: RevisionOf(key[n:]),
	}, nil
}
