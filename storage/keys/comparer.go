package keys

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// Comparer is the order of the store: bytewise, with Split before the suffix of versioned keys. Split makes
// bloom filters work on the prefix and lets NextPrefix step over superseded versions. As Split looks at the
// family, Pebble's synthetic prefixes (tables of other stores, read with their first bytes replaced) do not
// work with it.
var Comparer = newComparer()

func newComparer() *pebble.Comparer {
	c := *pebble.DefaultComparer
	c.Name = "raisind.v1"
	c.Split = Split
	c.ImmediateSuccessor = immediateSuccessor
	c.FormatKey = func(key []byte) fmt.Formatter { return formatted(key) }
	return &c
}

// Split returns the length of the prefix. Bounds and other keys without a suffix are all prefix: a closed
// text never has a second close 8 bytes before its end, as 00 is only followed by FF before the close.
func Split(key []byte) int {
	if len(key) == 0 {
		return 0
	}
	switch key[0] {
	case RowFamily:
		return min(len(key), rowPrefixLen)
	case SpatialFamily:
		return min(len(key), spatialPrefixLen)
	case UniqueFamily:
		return splitClosed(key, uniqueHeadLen)
	case CatalogFamily:
		return splitClosed(key, catalogHeadLen)
	}
	return len(key)
}

func splitClosed(key []byte, headLen int) int {
	if n := len(key) - revisionLen; n > 0 && closed(key[:n], headLen) {
		return n
	}
	return len(key)
}

// immediateSuccessor appends the smallest prefix above prefix. A complete prefix has a fixed length or a
// close, so it is counted up in place: appending 00 would give a key inside its own versions.
func immediateSuccessor(dst, prefix []byte) []byte {
	if !completePrefix(prefix) {
		return append(append(dst, prefix...), 0)
	}
	n := len(dst)
	dst = append(dst, prefix...)
	for i := len(dst) - 1; i >= n; i-- {
		dst[i]++
		if dst[i] != 0 {
			break
		}
	}
	return dst
}

func completePrefix(k []byte) bool {
	if len(k) == 0 {
		return false
	}
	switch k[0] {
	case RowFamily:
		return len(k) == rowPrefixLen
	case SpatialFamily:
		return len(k) == spatialPrefixLen
	case UniqueFamily:
		return closed(k, uniqueHeadLen)
	case CatalogFamily:
		return closed(k, catalogHeadLen)
	}
	return false
}

func closed(k []byte, headLen int) bool {
	n := len(k)
	return n >= headLen+closeLen && k[n-1] == closeByte && k[n-2] == escapeByte
}

// formatted prints a key for Pebble's log.
type formatted []byte

// Format implements fmt.Formatter.
func (f formatted) Format(s fmt.State, _ rune) { fmt.Fprint(s, String(f)) }

// String prints any key legibly; what does not decode comes in hexadecimal.
func String(key []byte) string {
	if len(key) > 0 {
		var s fmt.Stringer
		var err error
		switch key[0] {
		case CatalogFamily:
			s, err = DecodeCatalog(nil, key)
		case LocalFamily:
			s, err = DecodeLocal(key)
		case RowFamily:
			s, err = DecodeRow(key)
		case UniqueFamily:
			s, err = DecodeUnique(nil, key)
		case SpatialFamily:
			s, err = DecodeSpatial(key)
		default:
			err = ErrCorrupt
		}
		if err == nil {
			return s.String()
		}
	}
	return fmt.Sprintf("bytes/%x", key)
}
