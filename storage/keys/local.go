package keys

import (
	"encoding/binary"
	"fmt"
)

// LocalKind says what a local record holds. Stored: never renumber.
type LocalKind uint8

const (
	FormatMarker   LocalKind = 0  // value: FormatVersion as one byte; makes a Pebble store ours
	RevisionSlot   LocalKind = 1  // rest: slot (1B); value: revision (8B) of a commit that used the slot
	RowIDBlock     LocalKind = 2  // rest: relation (4B); value: first row id not yet reserved (8B)
	HistoryHorizon LocalKind = 3  // rest: relation (4B); value: revision (8B) below which history is pruned
	IndexHorizon   LocalKind = 4  // value: revision (8B) below which index entries are incomplete
	SequenceValue  LocalKind = 5  // rest: relation (4B); value: a sequence's last value reserved (8B), whether it was given out (1B)
	LocalMeta      LocalKind = 16 // rest: the key the caller chose; value: the caller's
)

// FormatVersion is the version of the layouts in this package.
const FormatVersion = 1

// Local is the key of an unversioned record of this node.
//
//	+----+------+------+
//	| 6d | kind | rest |
//	| 1B | 1B   | any  |
//	+----+------+------+
type Local struct {
	Kind LocalKind
	Rest []byte
}

const localHeadLen = 2

// Append appends the key.
func (k Local) Append(dst []byte) []byte {
	return append(append(dst, LocalFamily, byte(k.Kind)), k.Rest...)
}

// String prints local/16/"state".
func (k Local) String() string { return fmt.Sprintf("local/%d/%q", k.Kind, k.Rest) }

// AppendLocalRelation appends the key of a kind whose rest is a relation.
func AppendLocalRelation(dst []byte, kind LocalKind, rel RelationID) []byte {
	return binary.BigEndian.AppendUint32(append(dst, LocalFamily, byte(kind)), uint32(rel))
}

// DecodeLocal takes a local key apart; Rest is a part of it.
func DecodeLocal(key []byte) (Local, error) {
	if len(key) < localHeadLen || key[0] != LocalFamily {
		return Local{}, corrupt("local key", key)
	}
	return Local{Kind: LocalKind(key[1]), Rest: key[localHeadLen:]}, nil
}

// AppendUint64 appends the value of the kinds that hold a number.
func AppendUint64(dst []byte, n uint64) []byte { return binary.BigEndian.AppendUint64(dst, n) }

// DecodeUint64 reads the value of the kinds that hold a number.
func DecodeUint64(value []byte) (uint64, error) {
	if len(value) != 8 {
		return 0, corrupt("number", value)
	}
	return binary.BigEndian.Uint64(value), nil
}
