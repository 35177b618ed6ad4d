package keys

import (
	"encoding/binary"
	"fmt"
)

// Spatial is one entry of the spatial index: from a revision on the row lies in a cell, or has left it.
//
//	+----+----------+----------+-----------+------+-----+-----------+------+
//	| 78 | relation | property | precision | cell | row | ^revision | kind |
//	| 1B | 4B       | 4B       | 1B        | 8B   | 8B  | 8B        | 1B   |
//	+----+----------+----------+-----------+------+-----+-----------+------+
//	| prefix                                            | suffix           |
//
// precision: 1 to 12 geohash characters; with bit 80 set the wide list of that precision, whose cell is 0.
// cell: the top 5·precision bits of the 64-bit geohash, longitude bit first, left aligned, rest 0; a run of
// neighbours in Z-order is one key range.
// kind: 0 entry, 1 tombstone. It stands behind the revision, so that an entry and a tombstone of one
// revision would be two keys, the entry first.
type Spatial struct {
	Relation  RelationID
	Property  PropertyID
	Precision uint8
	Wide      bool
	Cell      uint64
	Row       RowID
	Revision  Revision
	Tombstone bool
}

const (
	spatialHeadLen   = 1 + 4 + 4 + 1
	spatialCellAt    = spatialHeadLen
	spatialRowAt     = spatialCellAt + 8
	spatialPrefixLen = spatialRowAt + 8
	spatialKindAt    = spatialPrefixLen + revisionLen
	// SpatialLen is the length of a spatial key.
	SpatialLen = spatialKindAt + 1

	wideBit       = 0x80
	kindEntry     = 0
	kindTombstone = 1
)

// Append appends the key.
func (k Spatial) Append(dst []byte) []byte {
	dst = AppendSpatialCell(dst, k.Relation, k.Property, PrecisionByte(k.Precision, k.Wide), k.Cell)
	dst = binary.BigEndian.AppendUint64(dst, uint64(k.Row))
	return AppendSpatialKind(AppendRevision(dst, k.Revision), k.Tombstone)
}

// AppendSpatialKind ends a key after its revision.
func AppendSpatialKind(dst []byte, tombstone bool) []byte {
	if tombstone {
		return append(dst, kindTombstone)
	}
	return append(dst, kindEntry)
}

// String prints spatial/7/3/p8/d29f000000000000/12@1712000000000.0, with w8 for the wide list and a
// trailing - for a tombstone.
func (k Spatial) String() string {
	list, kind := 'p', ""
	if k.Wide {
		list = 'w'
	}
	if k.Tombstone {
		kind = "-"
	}
	return fmt.Sprintf("spatial/%d/%d/%c%d/%016x/%d@%v%s",
		k.Relation, k.Property, list, k.Precision, k.Cell, k.Row, k.Revision, kind)
}

// PrecisionByte is the precision as it stands in the key.
func PrecisionByte(precision uint8, wide bool) byte {
	if wide {
		return precision | wideBit
	}
	return precision
}

// AppendSpatialRelation appends what all spatial entries of a relation start with.
func AppendSpatialRelation(dst []byte, rel RelationID) []byte {
	return binary.BigEndian.AppendUint32(append(dst, SpatialFamily), uint32(rel))
}

// AppendSpatialProperty appends what all entries of a property start with.
func AppendSpatialProperty(dst []byte, rel RelationID, prop PropertyID) []byte {
	return binary.BigEndian.AppendUint32(AppendSpatialRelation(dst, rel), uint32(prop))
}

// AppendSpatialCell appends what all entries of a cell start with.
func AppendSpatialCell(dst []byte, rel RelationID, prop PropertyID, precisionByte byte, cell uint64) []byte {
	return binary.BigEndian.AppendUint64(append(AppendSpatialProperty(dst, rel, prop), precisionByte), cell)
}

// DecodeSpatial takes a spatial key apart.
func DecodeSpatial(key []byte) (Spatial, error) {
	if len(key) != SpatialLen || key[0] != SpatialFamily || key[spatialKindAt] > kindTombstone {
		return Spatial{}, corrupt("spatial key", key)
	}
	return Spatial{
		Relation:  RelationID(binary.BigEndian.Uint32(key[1:])),
		Property:  PropertyID(binary.BigEndian.Uint32(key[5:])),
		Precision: key[9] &^ wideBit,
		Wide:      key[9]&wideBit != 0,
		Cell:      binary.BigEndian.Uint64(key[spatialCellAt:]),
		Row:       RowID(binary.BigEndian.Uint64(key[spatialRowAt:])),
		Revision:  RevisionOf(key[spatialPrefixLen:]),
		Tombstone: key[spatialKindAt] == kindTombstone,
	}, nil
}

// SpatialCell reads the cell without the rest; ok is false for anything but a spatial key.
func SpatialCell(key []byte) (precisionByte byte, cell uint64, ok bool) {
	if len(key) != SpatialLen || key[0] != SpatialFamily {
		return 0, 0, false
	}
	return key[9], binary.BigEndian.Uint64(key[spatialCellAt:]), true
}

// SpatialTail reads row, revision and kind of a key SpatialCell accepted.
func SpatialTail(key []byte) (row RowID, rev Revision, tombstone bool) {
	return RowID(binary.BigEndian.Uint64(key[spatialRowAt:])), RevisionOf(key[spatialPrefixLen:]),
		key[spatialKindAt] != kindEntry
}
