package keys

import (
	"bytes"
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// edgy draws bytes that hurt escapes and carries more often than others.
func edgy(maxLen int) *rapid.Generator[[]byte] {
	return rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom([]byte{0, 1, 2, 0xfe, 0xff}), rapid.Byte()), 0, maxLen)
}

func edgyUint64() *rapid.Generator[uint64] {
	return rapid.OneOf(rapid.SampledFrom([]uint64{0, 1, 0xff, 0x100, 1<<63 - 1, 1 << 63, 1<<64 - 1}), rapid.Uint64())
}

func edgyUint32() *rapid.Generator[uint32] {
	return rapid.OneOf(rapid.SampledFrom([]uint32{0, 1, 2, 0xff, 0x100, 1<<32 - 1}), rapid.Uint32())
}

func revision() *rapid.Generator[Revision] {
	return rapid.Custom(func(t *rapid.T) Revision { return Revision(edgyUint64().Draw(t, "rev") >> 1) })
}

func rowKey() *rapid.Generator[Row] {
	return rapid.Custom(func(t *rapid.T) Row {
		return Row{RelationID(edgyUint32().Draw(t, "rel")), RowID(edgyUint64().Draw(t, "row")), revision().Draw(t, "rev")}
	})
}

func uniqueKey() *rapid.Generator[Unique] {
	return rapid.Custom(func(t *rapid.T) Unique {
		return Unique{IndexID(edgyUint32().Draw(t, "index")), edgy(24).Draw(t, "key"), revision().Draw(t, "rev")}
	})
}

func catalogKey() *rapid.Generator[Catalog] {
	return rapid.Custom(func(t *rapid.T) Catalog { return Catalog{edgy(24).Draw(t, "key"), revision().Draw(t, "rev")} })
}

func spatialKey() *rapid.Generator[Spatial] {
	return rapid.Custom(func(t *rapid.T) Spatial {
		return Spatial{
			Relation: RelationID(edgyUint32().Draw(t, "rel")), Property: PropertyID(edgyUint32().Draw(t, "prop")),
			Precision: rapid.Uint8Range(1, 12).Draw(t, "prec"), Wide: rapid.Bool().Draw(t, "wide"),
			Cell: edgyUint64().Draw(t, "cell"), Row: RowID(edgyUint64().Draw(t, "row")),
			Revision: revision().Draw(t, "rev"), Tombstone: rapid.Bool().Draw(t, "tombstone"),
		}
	})
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func compareRow(a, b Row) int {
	return cmp.Or(cmp.Compare(a.Relation, b.Relation), cmp.Compare(a.Row, b.Row), cmp.Compare(b.Revision, a.Revision))
}

func compareUnique(a, b Unique) int {
	return cmp.Or(cmp.Compare(a.Index, b.Index), bytes.Compare(a.Key, b.Key), cmp.Compare(b.Revision, a.Revision))
}

func compareCatalog(a, b Catalog) int {
	return cmp.Or(bytes.Compare(a.Key, b.Key), cmp.Compare(b.Revision, a.Revision))
}

func compareSpatial(a, b Spatial) int {
	return cmp.Or(cmp.Compare(a.Relation, b.Relation), cmp.Compare(a.Property, b.Property),
		cmp.Compare(PrecisionByte(a.Precision, a.Wide), PrecisionByte(b.Precision, b.Wide)),
		cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.Row, b.Row), cmp.Compare(b.Revision, a.Revision),
		compareBool(a.Tombstone, b.Tombstone))
}

// near draws a second key that often shares fields with the first.
func near[T any](t *rapid.T, gen *rapid.Generator[T], mix func(a, b T, share int) T) (T, T) {
	a, b := gen.Draw(t, "a"), gen.Draw(t, "b")
	return a, mix(a, b, rapid.IntRange(0, 6).Draw(t, "share"))
}

func TestRowKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := near(t, rowKey(), func(a, b Row, share int) Row {
			if share > 0 {
				b.Relation = a.Relation
			}
			if share > 3 {
				b.Row = a.Row
			}
			return b
		})
		ka, kb := a.Append(nil), b.Append(nil)
		if got, err := DecodeRow(ka); err != nil || got != a {
			t.Fatalf("round trip: %v, %v, want %v", got, err, a)
		}
		checkOrder(t, ka, kb, compareRow(a, b), a.Relation == b.Relation && a.Row == b.Row)
		checkHead(t, AppendRelationRows(nil, a.Relation), kb, a.Relation == b.Relation)
	})
}

func TestUniqueKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := near(t, uniqueKey(), func(a, b Unique, share int) Unique {
			if share > 0 {
				b.Index = a.Index
			}
			switch {
			case share > 4:
				b.Key = a.Key
			case share > 2:
				b.Key = slices.Concat(a.Key, b.Key)
			}
			return b
		})
		ka, kb := a.Append(nil), b.Append(nil)
		got, err := DecodeUnique(nil, ka)
		if err != nil || compareUnique(got, a) != 0 {
			t.Fatalf("round trip: %v, %v, want %v", got, err, a)
		}
		checkOrder(t, ka, kb, compareUnique(a, b), a.Index == b.Index && bytes.Equal(a.Key, b.Key))
		checkHead(t, AppendIndex(nil, a.Index), kb, a.Index == b.Index)
		if a.Index == b.Index {
			checkBound(t, AppendUniqueBound(nil, a.Index, a.Key), kb, bytes.Compare(b.Key, a.Key) >= 0)
		}
	})
}

func TestCatalogKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := near(t, catalogKey(), func(a, b Catalog, share int) Catalog {
			switch {
			case share > 4:
				b.Key = a.Key
			case share > 2:
				b.Key = slices.Concat(a.Key, b.Key)
			}
			return b
		})
		ka, kb := a.Append(nil), b.Append(nil)
		got, err := DecodeCatalog(nil, ka)
		if err != nil || compareCatalog(got, a) != 0 {
			t.Fatalf("round trip: %v, %v, want %v", got, err, a)
		}
		checkOrder(t, ka, kb, compareCatalog(a, b), bytes.Equal(a.Key, b.Key))
		checkHead(t, AppendCatalogBound(nil, a.Key), kb, bytes.HasPrefix(b.Key, a.Key))
	})
}

func TestSpatialKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := near(t, spatialKey(), func(a, b Spatial, share int) Spatial {
			if share > 0 {
				b.Relation, b.Property = a.Relation, a.Property
			}
			if share > 2 {
				b.Precision, b.Wide = a.Precision, a.Wide
			}
			if share > 3 {
				b.Cell = a.Cell
			}
			if share > 4 {
				b.Row = a.Row
			}
			return b
		})
		ka, kb := a.Append(nil), b.Append(nil)
		if got, err := DecodeSpatial(ka); err != nil || got != a {
			t.Fatalf("round trip: %v, %v, want %v", got, err, a)
		}
		sameCell := a.Relation == b.Relation && a.Property == b.Property &&
			a.Precision == b.Precision && a.Wide == b.Wide && a.Cell == b.Cell
		checkOrder(t, ka, kb, compareSpatial(a, b), sameCell && a.Row == b.Row)
		checkHead(t, AppendSpatialCell(nil, a.Relation, a.Property, PrecisionByte(a.Precision, a.Wide), a.Cell), kb, sameCell)

		prec, cell, ok := SpatialCell(ka)
		row, rev, tombstone := SpatialTail(ka)
		if !ok || prec != PrecisionByte(a.Precision, a.Wide) || cell != a.Cell || row != a.Row || rev != a.Revision || tombstone != a.Tombstone {
			t.Fatalf("parts of %v: %d %x %v %v %v", a, prec, cell, row, rev, tombstone)
		}
	})
}

// checkOrder holds bytes against fields, and Split against the rules Pebble sets for it.
func checkOrder(t *rapid.T, ka, kb []byte, want int, samePrefix bool) {
	c := Comparer
	if got := c.Compare(ka, kb); got != want {
		t.Fatalf("compare %s, %s: %d, want %d", String(ka), String(kb), got, want)
	}
	pa, pb := ka[:c.Split(ka)], kb[:c.Split(kb)]
	if got := bytes.Equal(pa, pb); got != samePrefix {
		t.Fatalf("%s, %s: same prefix %v, want %v", String(ka), String(kb), got, samePrefix)
	}
	if c.Compare(pa, ka) >= 0 {
		t.Fatalf("prefix of %s does not sort before it", String(ka))
	}
	if c.Compare(ka, kb) <= 0 && c.Compare(pa, pb) > 0 || c.Compare(pa, pb) < 0 && c.Compare(ka, kb) >= 0 {
		t.Fatalf("prefixes of %s, %s order differently", String(ka), String(kb))
	}
	if n := c.Split(pa); n != len(pa) {
		t.Fatalf("prefix %x splits at %d", pa, n)
	}
	succ := c.ImmediateSuccessor(nil, pa)
	if c.Split(succ) != len(succ) || c.Compare(pa, succ) >= 0 || c.Compare(ka, succ) >= 0 {
		t.Fatalf("successor %x of the prefix of %s", succ, String(ka))
	}
	if c.Compare(pa, pb) < 0 && c.Compare(succ, pb) > 0 {
		t.Fatalf("successor %x of the prefix of %s passes %s", succ, String(ka), String(kb))
	}
}

// checkHead says that [head, successor) holds exactly the keys it should.
func checkHead(t *rapid.T, head, key []byte, want bool) {
	succ := AppendSuccessor(nil, head)
	if Split(head) != len(head) || Split(succ) != len(succ) {
		t.Fatalf("bounds %x, %x have a suffix", head, succ)
	}
	if got := bytes.Compare(head, key) <= 0 && bytes.Compare(key, succ) < 0; got != want {
		t.Fatalf("%s within [%x, %x): %v, want %v", String(key), head, succ, got, want)
	}
}

func checkBound(t *rapid.T, bound, key []byte, want bool) {
	if Split(bound) != len(bound) {
		t.Fatalf("bound %x has a suffix", bound)
	}
	if got := bytes.Compare(key, bound) >= 0; got != want {
		t.Fatalf("%s at or above %x: %v, want %v", String(key), bound, got, want)
	}
}

func TestValues(t *testing.T) {
	for _, payload := range [][]byte{{}, {0}, {1, 2, 3}, {valueDeleted}} {
		got, live, err := DecodeValue(append(AppendLive(nil), payload...))
		if err != nil || !live || !bytes.Equal(got, payload) {
			t.Errorf("live %x: %x %v %v", payload, got, live, err)
		}
	}
	if got, live, err := DecodeValue(AppendDeleted(nil)); err != nil || live || len(got) != 0 {
		t.Errorf("deleted: %x %v %v", got, live, err)
	}
	for _, bad := range [][]byte{nil, {0}, {3, 1}, {valueDeleted, 0}} {
		if _, _, err := DecodeValue(bad); err == nil {
			t.Errorf("value %x decodes", bad)
		}
	}
	if row, live, err := DecodeRowID(AppendRowID(nil, 77)); err != nil || !live || row != 77 {
		t.Errorf("row id: %d %v %v", row, live, err)
	}
	if _, _, err := DecodeRowID([]byte{valueLive, 1}); err == nil {
		t.Error("short row id decodes")
	}
}
