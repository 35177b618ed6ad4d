package funcs

import (
	"math"
	"testing"

	"raisind/geom"
	"raisind/pgerr"
	"raisind/sql/types"
)

const (
	berlin  = `{"type": "Point", "coordinates": [13.4, 52.5]}`
	nearby  = `{"type":"Point","coordinates":[13.401,52.5,30]}`
	fence   = `{"type": "Polygon", "coordinates": [[[13, 52], [14, 52], [14, 53], [13, 53], [13, 52]]]}`
	nothing = `{"type": "Feature"}`
)

// overload finds a signature by its types.
func overload(t *testing.T, list []*Overload, args ...*types.Type) *Overload {
	t.Helper()
next:
	for _, o := range list {
		if len(o.Args) != len(args) {
			continue
		}
		for i, a := range o.Args {
			if a.Type != args[i] {
				continue next
			}
		}
		return o
	}
	t.Fatalf("no overload on %v", args)
	return nil
}

func TestPropertyPredicates(t *testing.T) {
	j, g, f := types.TJSONB, types.TGeometry, types.TFloat8
	point := types.Geom(geom.NewPoint(13.4, 52.5, 0))
	for _, c := range []struct {
		name string
		args []callArg
		want string
	}{
		{"st_distance", []callArg{{j, types.Str(berlin)}, {g, point}}, "0"},
		{"st_distance", []callArg{{j, types.Str(nothing)}, {g, point}}, "NULL"},
		{"st_distance", []callArg{{j, types.Str(fence)}, {j, types.Str(berlin)}}, "0"},
		{"st_dwithin", []callArg{{j, types.Str(nearby)}, {g, point}, {f, types.Float(68)}}, "t"},
		{"st_dwithin", []callArg{{j, types.Str(nearby)}, {g, point}, {f, types.Float(67)}}, "f"},
		{"st_dwithin", []callArg{{g, point}, {j, types.Str(nearby)}, {f, types.Float(68)}}, "t"},
		{"st_dwithin", []callArg{{j, types.Str(nearby)}, {j, types.Str(berlin)}, {f, types.Float(-1)}}, "f"},
		{"st_dwithin", []callArg{{j, types.Str(nothing)}, {j, types.Str(berlin)}, {f, types.Float(1)}}, "NULL"},
		{"st_dwithin", []callArg{{j, types.Str(fence)}, {g, types.Geom(geom.NewPoint(14.001, 52.5, 4326))}, {f, types.Float(70)}}, "t"},
		{"st_within", []callArg{{j, types.Str(berlin)}, {j, types.Str(fence)}}, "t"},
		{"st_contains", []callArg{{j, types.Str(fence)}, {g, point}}, "t"},
		{"st_covers", []callArg{{j, types.Str(fence)}, {g, types.Geom(geom.NewPoint(13, 52, 0))}}, "t"},
		{"st_contains", []callArg{{j, types.Str(fence)}, {g, types.Geom(geom.NewPoint(13, 52, 0))}}, "f"},
		{"st_coveredby", []callArg{{g, point}, {j, types.Str(fence)}}, "t"},
		{"st_intersects", []callArg{{j, types.Str(nothing)}, {g, point}}, "NULL"},
		{"st_disjoint", []callArg{{j, types.Str(fence)}, {g, types.Geom(geom.NewPoint(0, 0, 0))}}, "t"},
		{"st_area", []callArg{{j, types.Str(berlin)}}, "0"},
		{"st_astext", []callArg{{j, types.Str(berlin)}}, "POINT(13.4 52.5)"},
		{"st_astext", []callArg{{j, types.Str(nothing)}}, "NULL"},
		{"st_srid", []callArg{{j, types.Str(berlin)}}, "4326"},
	} {
		var ts []*types.Type
		var ds []types.Datum
		for _, a := range c.args {
			ts, ds = append(ts, a.t), append(ds, a.d)
		}
		o := overload(t, ByName(c.name), ts...)
		d, err := o.Eval(callCtx(), ds)
		if got := show(callCtx(), o.Result, d, err); got != c.want {
			t.Errorf("%s%v: got %s, want %s", c.name, ts, got, c.want)
		}
	}
}

// A property lies in longitude and latitude; a geometry in metres does not compare.
func TestPropertySRID(t *testing.T) {
	mercator := types.Geom(geom.NewPoint(1, 2, 3857))
	for _, name := range []string{"st_distance", "st_within", "st_intersects"} {
		o := overload(t, ByName(name), types.TJSONB, types.TGeometry)
		if _, err := o.Eval(callCtx(), []types.Datum{types.Str(berlin), mercator}); !pgerr.Is(err, pgerr.InvalidParameterValue) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A geometry beside a property is taken round the Earth when it lies beyond it, as a
// cast to geography does, and matches nothing when it is no place at all.
func TestPropertyBeyondTheEarth(t *testing.T) {
	o := overload(t, ByName("st_distance"), types.TJSONB, types.TGeometry)
	d, err := o.Eval(callCtx(), []types.Datum{types.Str(berlin), types.Geom(geom.NewPoint(373.4, 52.5, 0))})
	if err != nil || d.IsNull() || d.Float() > 1e-6 {
		t.Errorf("once round: %v %v", d, err)
	}
	nan := types.Geom(geom.NewPoint(math.NaN(), 1, 0))
	if d, err = o.Eval(callCtx(), []types.Datum{types.Str(berlin), nan}); err != nil || !d.IsNull() {
		t.Errorf("NaN: %v %v", d, err)
	}
}

// The calls that scans make for every row do not allocate for points.
func TestPointsDoNotAllocate(t *testing.T) {
	fc := callCtx()
	point := types.Geom(geom.NewPoint(13.4, 52.5, 4326))
	other := types.Geom(geom.NewPoint(13.41, 52.5, 4326))
	j, g, y, f := types.TJSONB, types.TGeometry, types.TGeography, types.TFloat8
	for _, c := range []struct {
		o    *Overload
		args []types.Datum
	}{
		{overload(t, ByName("st_dwithin"), j, g, f), []types.Datum{types.Str(berlin), point, types.Float(100)}},
		{overload(t, ByName("st_distance"), j, g), []types.Datum{types.Str(berlin), point}},
		{overload(t, ByName("st_distance"), g, g), []types.Datum{point, other}},
		{overload(t, ByName("st_dwithin"), g, g, f), []types.Datum{point, other, types.Float(1)}},
		{overload(t, ByName("st_dwithin"), y, y, f, types.TBool), []types.Datum{point, other, types.Float(100), types.Bool(true)}},
		{overload(t, ByOperator("<->", 2), g, g), []types.Datum{point, other}},
		{overload(t, ByOperator("&&", 2), g, g), []types.Datum{point, other}},
		{overload(t, ByOperator("=", 2), types.TInt8, types.TInt8), []types.Datum{types.Int(1), types.Int(2)}},
		{overload(t, ByOperator("->", 2), j, types.TText), []types.Datum{types.Str(`{"position": ` + berlin + `}`), types.Str("position")}},
	} {
		if n := testing.AllocsPerRun(100, func() { _, _ = c.o.Eval(fc, c.args) }); n != 0 {
			t.Errorf("%s: %v allocations", signatureText(c.o), n)
		}
	}
}

func BenchmarkDWithinProperty(b *testing.B) {
	fc := callCtx()
	var o *Overload
	for _, c := range ByName("st_dwithin") {
		if c.Args[0].Type == types.TJSONB && c.Args[1].Type == types.TGeometry {
			o = c
		}
	}
	args := []types.Datum{types.Str(berlin), types.Geom(geom.NewPoint(13.41, 52.51, 4326)), types.Float(1500)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := o.Eval(fc, args); err != nil {
			b.Fatal(err)
		}
	}
}

// Two reference systems in one call are an error, but for what compares boxes or
// vertices as they are, and ST_Scale, whose points are factors.
func TestMixedSRIDs(t *testing.T) {
	indifferent := map[string]bool{"ST_OrderingEquals": true, "ST_MakeBox2D": true, "ST_Scale": true}
	for _, f := range All() {
		for i := range f.Overloads {
			o := &f.Overloads[i]
			if len(o.Args) < 2 || o.Args[0].Type != types.TGeometry || o.Args[1].Type != types.TGeometry ||
				indifferent[f.Title] || f.Operator != "" && f.Operator != "<->" {
				continue
			}
			args := []types.Datum{types.Geom(geom.NewPoint(1, 2, 4326)), types.Geom(geom.NewPoint(1, 2, 3857))}
			for _, a := range o.Args[2:] {
				d, _ := sample(t, a.Type)
				args = append(args, d)
			}
			_, err := o.Eval(callCtx(), args)
			if !pgerr.Is(err, pgerr.InternalError) && !pgerr.Is(err, pgerr.InvalidParameterValue) {
				t.Errorf("%s: %v", signatureText(o), err)
			}
		}
	}
}
