package storage

import "raisind/storage/keys"

// PeekSpatial reads the entry of one row in one cell of a precision, or in its wide list, where cell has no
// meaning; ok is false when there is none or a tombstone. The value lives until the next call on the view.
// What the transaction itself wrote is not in the index.
func (v *View) PeekSpatial(rel RelationID, prop PropertyID, prec uint8, cell uint64, wide bool, row RowID) (value []byte, ok bool, err error) {
	if err := v.check(rel); err != nil {
		return nil, false, err
	}
	if wide {
		cell = 0
	}
	key := keys.Spatial{Relation: rel, Property: prop, Precision: prec, Wide: wide, Cell: cell, Row: row, Revision: v.pin.rev}
	value, ok, err = v.search(key.Append(v.key[:0]))
	if err != nil || !ok {
		return nil, false, err
	}
	if _, _, tombstone := keys.SpatialTail(v.point.Key()); tombstone {
		return nil, false, nil
	}
	return value, true, nil
}
