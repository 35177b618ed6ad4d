package relation

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"raisind/catalog"
	"raisind/geom"
	"raisind/sql/types"
	"raisind/storage"
)

// zoo is a table with a column of each way of storing a value.
func zoo() *catalog.Relation {
	r := &catalog.Relation{ID: 1, Name: "zoo", Kind: catalog.Table}
	for i, c := range []struct {
		name string
		t    *types.Type
	}{
		{"b", types.TBool},
		{"i", types.TInt8},
		{"f", types.TFloat8},
		{"t", types.TText},
		{"j", types.TJSONB},
		{"u", types.TUUID},
		{"ts", types.TTimestamptz},
		{"g", types.TGeometry},
		{"x", types.TBox2D},
		{"y", types.TBytea},
	} {
		r.Columns = append(r.Columns, catalog.Column{ID: uint16(i + 1), Name: c.name, Type: c.t, Typmod: -1})
	}
	return r
}

func TestRowRoundTrip(t *testing.T) {
	r := zoo()
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.String()
		row := types.Row{
			types.Bool(rapid.Bool().Draw(rt, "b")), types.Int(rapid.Int64().Draw(rt, "i")),
			types.Float(rapid.Float64().Draw(rt, "f")), types.Str(text.Draw(rt, "t")), types.Str(`{"a": 1}`),
			types.Str(strings.Repeat("u", 16)), types.Int(math.MinInt64), types.Geom(geom.NewPoint(1.5, -2, 4326)),
			types.Ref(&geom.Box{MinX: 1, MinY: 2, MaxX: 3, MaxY: 4}), types.Str(text.Draw(rt, "y")),
		}
		need := make([]bool, len(row))
		for i := range row {
			if rapid.Bool().Draw(rt, "null") {
				row[i] = types.Null
			}
			need[i] = rapid.Bool().Draw(rt, "need")
		}
		value, err := EncodeRow(r, row)
		if err != nil {
			rt.Fatal(err)
		}
		all, err := DecodeRow(r, value, nil, nil)
		if err != nil {
			rt.Fatal(err)
		}
		some, err := DecodeRow(r, value, need, slices.Clone(row))
		if err != nil {
			rt.Fatal(err)
		}
		for i := range value {
			value[i] = 0xff // a decoded row does not live on the stored bytes
		}
		for i, c := range r.Columns {
			if !same(c.Type, row[i], all[i]) {
				rt.Errorf("%s: %v, want %v", c.Name, all[i], row[i])
			}
			want := row[i]
			if !need[i] {
				want = types.Null
			}
			if !same(c.Type, want, some[i]) {
				rt.Errorf("%s with need %v: %v, want %v", c.Name, need[i], some[i], want)
			}
		}
	})
}

// same compares two values bit by bit.
func same(t *types.Type, a, b types.Datum) bool {
	if a.IsNull() || b.IsNull() {
		return a.IsNull() == b.IsNull()
	}
	if g := a.Geom(); g != nil {
		return b.Geom() != nil && geom.Identical(g, b.Geom())
	}
	if x, ok := a.Ref().(*geom.Box); ok {
		y, _ := b.Ref().(*geom.Box)
		return y != nil && *x == *y
	}
	return a.Int() == b.Int() && a.Str() == b.Str()
}

// A column dropped since is passed over, one added since is NULL.
func TestRowOfAnotherShape(t *testing.T) {
	old := zoo()
	row := make(types.Row, len(old.Columns))
	for i := range row {
		row[i] = types.Null
	}
	row[1], row[3], row[4], row[9] = types.Int(7), types.Str("text"), types.Str("{}"), types.Str("last")
	value, err := EncodeRow(old, row)
	if err != nil {
		t.Fatal(err)
	}
	r := zoo()
	r.Columns = append(slices.Delete(r.Columns, 3, 5), catalog.Column{ID: 11, Name: "new", Type: types.TText})
	got, err := DecodeRow(r, value, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got[1].Int() != 7 || got[7].Str() != "last" || !got[8].IsNull() || !got[0].IsNull() {
		t.Errorf("got %v", got)
	}
}

func FuzzDecodeRow(f *testing.F) {
	r := zoo()
	row := types.Row{
		types.Bool(true), types.Int(-5), types.Float(2.5), types.Str("text"), types.Str("{}"), types.Str("0123456789abcdef"),
		types.Int(1), types.Geom(geom.NewPoint(1, 2, 4326)), types.Null, types.Str("\x00"),
	}
	value, err := EncodeRow(r, row)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(value)
	f.Add([]byte{rowFormat})
	f.Add([]byte{rowFormat, 0x06, 0xff, 0xff})
	f.Add([]byte("\x01!00000000")) // a geometry in the form of a float
	f.Fuzz(func(t *testing.T, b []byte) {
		row, err := DecodeRow(r, b, nil, nil)
		if err != nil {
			if !errors.Is(err, storage.ErrCorrupt) {
				t.Errorf("%x: %v does not say that the row is corrupt", b, err)
			}
			return
		}
		again, err := EncodeRow(r, row)
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeRow(r, again, nil, nil)
		if err != nil {
			t.Fatalf("%x: %v", again, err)
		}
		for i, c := range r.Columns {
			if !same(c.Type, row[i], back[i]) {
				t.Errorf("%s: %v became %v", c.Name, row[i], back[i])
			}
		}
	})
}

func TestUniqueKeyOrder(t *testing.T) {
	r := &catalog.Relation{Columns: catalog.WorkspaceColumns()}
	ix := &catalog.Index{Columns: []int{catalog.ColPath}}
	key := func(path string) string {
		row := make(types.Row, len(r.Columns))
		row[catalog.ColPath] = types.Str(path)
		k, ok := UniqueKey(r, ix, row, nil)
		if !ok {
			t.Fatal("no key")
		}
		return string(k)
	}
	rapid.Check(t, func(rt *rapid.T) {
		a, b := rapid.String().Draw(rt, "a"), rapid.String().Draw(rt, "b")
		if (a < b) != (key(a) < key(b)) || (a == b) != (key(a) == key(b)) {
			rt.Errorf("%q and %q sort differently as keys", a, b)
		}
		if a != b && strings.HasPrefix(key(b), key(a)) {
			rt.Errorf("key of %q is a prefix of that of %q", a, b)
		}
	})
	if _, ok := UniqueKey(r, ix, make(types.Row, len(r.Columns)), nil); ok {
		t.Error("NULL has a key")
	}
	if end := PrefixEnd([]byte{1, 0xff, 0xff}); string(end) != "\x02" {
		t.Errorf("end %x", end)
	}
	if end := PrefixEnd([]byte{0xff}); end != nil {
		t.Errorf("end %x", end)
	}
}

// vehicle is a row of the size the tracking workload has.
func vehicle(tb testing.TB) (*catalog.Relation, types.Row) {
	r := &catalog.Relation{Name: "fleet", Kind: catalog.Workspace, Columns: catalog.WorkspaceColumns()}
	return r, node(tb, r, "/depot-7/van-1234", `{"heading": 271, "speed": 13.4, "driver": "a name of usual length", "position": {"type": "Point", "coordinates": [13.404954, 52.520008]}, "note": "some free text that fills the row"}`)
}

func BenchmarkEncodeRow(b *testing.B) {
	r, row := vehicle(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := EncodeRow(r, row); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeRow(b *testing.B) {
	r, row := vehicle(b)
	value := encode(b, r, row)
	b.ReportMetric(float64(len(value)), "bytes")
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if row, err = DecodeRow(r, value, nil, row); err != nil {
			b.Fatal(err)
		}
	}
}
