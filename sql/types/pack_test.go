package types

import (
	"testing"

	"raisind/geom"
)

// A packed row reads back as what it was, whatever it holds.
func TestPacker(t *testing.T) {
	parse := func(typ *Type, s string) Datum {
		d, err := typ.ParseText(s, -1, nil)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	row := Row{
		Null, Int(-5), Int(1 << 62), Float(-0.25), Str(""), Str("a\x00b"), Bool(true),
		parse(TNumeric, "-123456789012345678901234567890.000100"), parse(TNumeric, "NaN"), parse(TNumeric, "0.00"),
		parse(TInterval, "1 mon -2 days 03:04:05.678"), parse(TTimeTZ, "12:34:56+02"),
		parse(TText.Array(), `{a,NULL,"b c"}`), parse(TInt4.Array(), `[2:3][0:1]={{1,2},{3,4}}`), parse(TInt4.Array(), `{}`),
		parse(TGeometry, "SRID=4326;POINT Z (1 2 3)"), parse(TGeometry, "POLYGON((0 0,1 0,1 1,0 0))"), parse(TGeometry, "POINT EMPTY"),
		NewBox(geom.Box{MinX: 1, MinY: 2, MaxX: 3, MaxY: 4}),
		Ref(&Record{Names: []string{"a", "b"}, Types: []*Type{TInt4, TText}, Fields: Row{Int(1), Null}}),
		Ref(&Record{Fields: Row{parse(TNumeric, "1.5")}, Types: []*Type{TNumeric}}),
		Ref(new(int)),
	}
	types := []*Type{
		nil, TInt8, TInt8, TFloat8, TText, TText, TBool, TNumeric, TNumeric, TNumeric, TInterval, TTimeTZ,
		TText.Array(), TInt4.Array(), TInt4.Array(), TGeometry, TGeometry, TGeometry, TBox2D, TRecord, TRecord, nil,
	}
	p := &Packer{}
	b := p.AppendRow(nil, row)
	b = p.AppendRow(b, row)
	for range 2 {
		got := make(Row, len(row))
		var err error
		if b, err = p.ReadRow(got, b); err != nil {
			t.Fatal(err)
		}
		for i := range row {
			switch {
			case types[i] == nil:
				if got[i] != row[i] {
					t.Errorf("%d: %v", i, got[i])
				}
			case string(types[i].AppendText(nil, got[i], nil)) != string(types[i].AppendText(nil, row[i], nil)):
				t.Errorf("%d: got %s, want %s", i, types[i].AppendText(nil, got[i], nil), types[i].AppendText(nil, row[i], nil))
			}
		}
	}
	if len(b) != 0 {
		t.Errorf("%d bytes left", len(b))
	}
	whole := p.AppendRow(nil, row)
	for i := range whole {
		if _, err := p.ReadRow(make(Row, len(row)), whole[:i]); err == nil {
			t.Fatalf("%d of %d bytes read as a row", i, len(whole))
		}
	}
}
