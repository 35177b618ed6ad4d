package keys

import (
	"bytes"
	"testing"
)

// FuzzDecode: what decodes encodes to the same bytes, and its prefix is where Split says.
func FuzzDecode(f *testing.F) {
	f.Add(Row{1, 2, 3}.Append(nil))
	f.Add(Unique{1, []byte("a\x00b"), 3}.Append(nil))
	f.Add(Unique{1, nil, 3}.Append(nil))
	f.Add(Catalog{[]byte("relation/\x00\x01"), 3}.Append(nil))
	f.Add(Spatial{Relation: 1, Property: 2, Precision: 8, Cell: 0xd29f << 48, Row: 4, Revision: 5, Tombstone: true}.Append(nil))
	f.Add(Local{LocalMeta, []byte("state")}.Append(nil))
	f.Fuzz(func(t *testing.T, key []byte) {
		if Split(key) > len(key) {
			t.Fatalf("split of %x at %d", key, Split(key))
		}
		_ = String(key)
		check := func(again []byte, suffixLen int) {
			if !bytes.Equal(key, again) {
				t.Fatalf("%x encodes to %x", key, again)
			}
			if Split(key) != len(key)-suffixLen {
				t.Fatalf("%x splits at %d of %d", key, Split(key), len(key))
			}
		}
		if k, err := DecodeRow(key); err == nil {
			check(k.Append(nil), 8)
		}
		if k, err := DecodeUnique(nil, key); err == nil {
			check(k.Append(nil), 8)
		}
		if k, err := DecodeCatalog(nil, key); err == nil {
			check(k.Append(nil), 8)
		}
		if k, err := DecodeSpatial(key); err == nil {
			check(k.Append(nil), 9)
		}
		if k, err := DecodeLocal(key); err == nil {
			check(k.Append(nil), 0)
		}
	})
}

// FuzzDecodeValue: what decodes encodes to the same bytes.
func FuzzDecodeValue(f *testing.F) {
	f.Add(AppendRowID(nil, 7))
	f.Add(AppendDeleted(nil))
	f.Fuzz(func(t *testing.T, value []byte) {
		payload, live, err := DecodeValue(value)
		if err != nil {
			return
		}
		again := AppendDeleted(nil)
		if live {
			again = append(AppendLive(nil), payload...)
		}
		if !bytes.Equal(value, again) {
			t.Fatalf("%x encodes to %x", value, again)
		}
	})
}
