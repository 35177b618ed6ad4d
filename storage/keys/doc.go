// Package keys holds every key layout of the store, the values next to them, and the order that Pebble
// is given for them. It builds and takes apart bytes; it reads nothing.
//
// The first byte of a key is its family. Integers are big-endian. Versioned keys end in a suffix that
// starts with ^revision (8 bytes, bitwise NOT), so that within one prefix the newest version comes first:
//
//	family       prefix                                           suffix          value
//	'c' catalog  key (escaped, closed)                            ^revision       kind, record
//	'm' local    kind, rest                                       none            as the kind says
//	'r' row      relation, row                                    ^revision       kind, row
//	'u' unique   index, key (escaped, closed)                     ^revision       kind, row id
//	'x' spatial  relation, property, precision, cell, row         ^revision kind  entry, or nothing
//
// Comparer orders whole keys bytewise and splits them before the suffix. Compare, Split and the layouts
// are part of the stored format: a change needs a new comparer name and a migration.
package keys

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The families, in the order in which they lie in the store.
const (
	CatalogFamily = 'c'
	LocalFamily   = 'm'
	RowFamily     = 'r'
	UniqueFamily  = 'u'
	SpatialFamily = 'x'
)

// ErrCorrupt marks bytes that no encoder of this package wrote.
var ErrCorrupt = errors.New("keys: corrupt")

const revisionLen = 8

// AppendRevision appends ^rev, the start of a suffix.
func AppendRevision(dst []byte, rev Revision) []byte {
	return binary.BigEndian.AppendUint64(dst, ^uint64(rev))
}

// PutRevision overwrites the first 8 bytes of a suffix with ^rev.
func PutRevision(suffix []byte, rev Revision) { binary.BigEndian.PutUint64(suffix, ^uint64(rev)) }

// RevisionOf reads the revision from the first 8 bytes of a suffix.
func RevisionOf(suffix []byte) Revision { return Revision(^binary.BigEndian.Uint64(suffix)) }

// AppendSuccessor appends the smallest byte string above every string that starts with prefix, for upper
// bounds of scans; nothing when there is none (prefix is empty or all FF).
func AppendSuccessor(dst, prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] != 0xff {
			dst = append(dst, prefix[:i+1]...)
			dst[len(dst)-1]++
			return dst
		}
	}
	return dst
}

func corrupt(what string, b []byte) error {
	const shown = 64
	if len(b) > shown {
		return fmt.Errorf("%w: %s of %d bytes: %x…", ErrCorrupt, what, len(b), b[:shown])
	}
	return fmt.Errorf("%w: %s %x", ErrCorrupt, what, b)
}
