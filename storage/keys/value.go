package keys

import "encoding/binary"

// Values of the versioned families begin with a kind, so that a deletion is a version like others.
//
//	+------+---------+
//	| kind | payload |
//	| 1B   | any     |
//	+------+---------+
const (
	valueLive    = 1 // payload: row, catalog record, or row id
	valueDeleted = 2 // no payload
)

// ValueHeadLen is the length of what stands before the payload.
const ValueHeadLen = 1

// AppendLive appends the head of a live value; the payload follows.
func AppendLive(dst []byte) []byte { return append(dst, valueLive) }

// AppendDeleted appends the value of a deletion.
func AppendDeleted(dst []byte) []byte { return append(dst, valueDeleted) }

// DecodeValue gives the payload, a part of value; live is false for a deletion.
func DecodeValue(value []byte) (payload []byte, live bool, err error) {
	switch {
	case len(value) >= ValueHeadLen && value[0] == valueLive:
		return value[ValueHeadLen:], true, nil
	case len(value) == ValueHeadLen && value[0] == valueDeleted:
		return nil, false, nil
	}
	return nil, false, corrupt("value", value)
}

// AppendRowID appends the live value of a unique key.
func AppendRowID(dst []byte, row RowID) []byte {
	return binary.BigEndian.AppendUint64(AppendLive(dst), uint64(row))
}

// DecodeRowID reads the value of a unique key; live is false when the key was given up.
func DecodeRowID(value []byte) (row RowID, live bool, err error) {
	payload, live, err := DecodeValue(value)
	if err != nil || !live {
		return 0, false, err
	}
	if len(payload) != 8 {
		return 0, false, corrupt("row id", value)
	}
	return RowID(binary.BigEndian.Uint64(payload)), true, nil
}
