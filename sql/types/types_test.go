package types

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/cockroachdb/apd/v3"

	"raisind/geom"
	"raisind/pgerr"
)

func TestOutputDoesNotAllocate(t *testing.T) {
	berlin, _ := FindZone("Europe/Berlin")
	env := DefaultEnv()
	env.Location = berlin
	dst := make([]byte, 0, 1024)
	for _, c := range []struct {
		typ *Type
		in  string
	}{
		{TInt2, "7"},
		{TInt4, "-123456"},
		{TInt8, "9223372036854775807"},
		{TOID, "5"},
		{TFloat4, "0.1"},
		{TFloat8, "52.520008"},
		{TFloat8, "1e23"},
		{TText, "van-17"},
		{TVarchar, "x"},
		{TBool, "t"},
		{TJSONB, `{"a":1}`},
		{TJSON, `{"a":1}`},
		{TUUID, "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"},
		{TDate, "2026-01-01"},
		{TTime, "12:34:56.789"},
		{TTimestamp, "2026-01-01 12:34:56"},
		{TTimestamptz, "2026-07-01 12:34:56.789+00"},
		{TInterval, "1 day 02:03:04"},
		{TNumeric, "12345.6789"},
		{TGeometry, "SRID=4326;POINT(13.4 52.5)"},
	} {
		d, err := c.typ.ParseText(c.in, -1, env)
		if err != nil {
			t.Fatal(err)
		}
		if c.in == "1e23" { // digits are sought twice, which a cold path may do
			continue
		}
		if n := testing.AllocsPerRun(100, func() { dst = c.typ.AppendText(dst[:0], d, env) }); n > 0 {
			t.Errorf("%s as text: %v allocations", c.typ, n)
		}
		if n := testing.AllocsPerRun(100, func() { dst = c.typ.AppendBinary(dst[:0], d) }); n > 0 && c.typ != TNumeric {
			t.Errorf("%s in binary: %v allocations", c.typ, n)
		}
	}
	doc, _ := CanonicalJSONB(benchDoc)
	if n := testing.AllocsPerRun(100, func() {
		_, _ = CanonicalJSONB(doc)
		_, _ = JSONGetKey(doc, "position")
	}); n > 0 {
		t.Errorf("canonical jsonb: %v allocations", n)
	}
}

func TestNumericLimits(t *testing.T) {
	parse := func(s string) (Datum, error) { return TNumeric.ParseText(s, -1, nil) }
	for _, c := range []struct {
		in string
		ok bool
	}{
		{"1e131071", true},
		{"1e131072", false},
		{strings.Repeat("9", 131072), true},
		{strings.Repeat("9", 131073), false},
		{"1e-16383", true},
		{"1e-16384", false},
		{"0." + strings.Repeat("0", 16383), true},
		{"0." + strings.Repeat("0", 16384), false},
		{strings.Repeat("0", 200000) + "1", true},
	} {
		d, err := parse(c.in)
		name := c.in[:min(len(c.in), 12)]
		if (err == nil) != c.ok {
			t.Errorf("%s...: %v", name, err)
		}
		if err != nil {
			if !pgerr.Is(err, pgerr.NumericValueOutOfRange) {
				t.Errorf("%s...: %v", name, err)
			}
			continue
		}
		back, err := TNumeric.ParseBinary(TNumeric.AppendBinary(nil, d), -1)
		if err != nil || Compare(TNumeric, d, back) != 0 {
			t.Errorf("%s...: binary reads back wrong, %v", name, err)
		}
	}
	huge := &apd.Decimal{Exponent: 131072}
	huge.Coeff.SetInt64(1)
	if _, err := NewNumeric(huge); !pgerr.Is(err, pgerr.NumericValueOutOfRange) {
		t.Errorf("NewNumeric of 1e131072: %v", err)
	}
	for _, c := range []struct {
		coeff    int64
		exp      int32
		negative bool
		want     string
	}{{15, 2, false, "1500"}, {0, 5, true, "0"}, {0, -2, true, "0.00"}, {125, -1, true, "-12.5"}} {
		d := &apd.Decimal{Exponent: c.exp, Negative: c.negative}
		d.Coeff.SetInt64(c.coeff)
		n, err := NewNumeric(d)
		if got := string(TNumeric.AppendText(nil, n, nil)); err != nil || got != c.want {
			t.Errorf("%d * 10^%d: %s %v, want %s", c.coeff, c.exp, got, err, c.want)
		}
	}
	tiny := &apd.Decimal{Exponent: -20000}
	tiny.Coeff.SetInt64(1)
	if n, err := NewNumeric(tiny); err != nil || n.Numeric().Exponent != -MaxNumericScale || n.Numeric().Coeff.Sign() != 0 {
		t.Errorf("1e-20000 is rounded to %v, %v", n.Numeric(), err)
	}
}

func TestRecords(t *testing.T) {
	null := Null
	num, _ := TNumeric.ParseText("1.50", -1, nil)
	rec := func(fields ...Datum) Datum {
		r := &Record{Names: []string{"a", "b", "c", "d"}, Types: []*Type{TInt4, TText, TNumeric, TText}, Fields: fields}
		return Ref(r)
	}
	d := rec(Int(1), Str(`q"uo\te, x`), num, null)
	if got := string(TRecord.AppendText(nil, d, nil)); got != `(1,"q""uo\\te, x",1.50,)` {
		t.Errorf("text %s", got)
	}
	if got := string(TRecord.AppendText(nil, rec(Int(1), Str(""), num, Str("(")), nil)); got != `(1,"",1.50,"(")` {
		t.Errorf("text %s", got)
	}
	if got := string(AppendJSONText(nil, TRecord, d, nil)); got != `{"a":1,"b":"q\"uo\\te, x","c":1.50,"d":null}` {
		t.Errorf("json %s", got)
	}
	bin := TRecord.AppendBinary(nil, rec(Int(1), null, null, null))
	if want := "\x00\x00\x00\x04\x00\x00\x00\x17\x00\x00\x00\x04\x00\x00\x00\x01\x00\x00\x00\x19\xff\xff\xff\xff\x00\x00\x06\xa4\xff\xff\xff\xff\x00\x00\x00\x19\xff\xff\xff\xff"; string(bin) != want {
		t.Errorf("binary %x", bin)
	}
	// NULL sorts last.
	if Compare(TRecord, rec(Int(1), null, num, null), rec(Int(1), Str("z"), num, null)) <= 0 {
		t.Error("a NULL field does not sort last")
	}
	if _, err := TRecord.ParseText("(1)", -1, nil); !pgerr.Is(err, pgerr.FeatureNotSupported) {
		t.Errorf("reading an anonymous record: %v", err)
	}
}

func TestRegHooks(t *testing.T) {
	env := DefaultEnv()
	env.RegName = func(typ *Type, oid uint32) (string, bool) { return "fleet", typ == TRegclass && oid == 16400 }
	env.RegOID = func(typ *Type, name string) (uint32, error) {
		if typ == TRegclass && name == "fleet" {
			return 16400, nil
		}
		return 0, pgerr.New(pgerr.UndefinedTable, "relation \"%s\" does not exist", name)
	}
	for _, c := range []struct {
		typ      *Type
		in, want string
	}{{TRegclass, "fleet", "fleet"}, {TRegclass, "16400", "fleet"}, {TRegclass, "16401", "16401"}, {TRegproc, "16400", "16400"}, {TRegtype, "_int4", "integer[]"}} {
		d, err := c.typ.ParseText(c.in, -1, env)
		if got := string(c.typ.AppendText(nil, d, env)); err != nil || got != c.want {
			t.Errorf("%s %s: %s %v", c.typ, c.in, got, err)
		}
	}
	if _, err := TRegclass.ParseText("nosuch", -1, env); !pgerr.Is(err, pgerr.UndefinedTable) {
		t.Errorf("unknown relation: %v", err)
	}
	cast, _ := FindCast(TText, TRegclass)
	if d, err := cast.Fn(env, Str("fleet"), -1, true); err != nil || d.Int() != 16400 {
		t.Errorf("text to regclass: %v %v", d, err)
	}
}

func TestPropertyCasts(t *testing.T) {
	for _, to := range []*Type{TGeometry, TGeography} {
		cast, ok := FindCast(TJSONB, to)
		if !ok || cast.Context != Implicit {
			t.Fatalf("jsonb to %s: %v", to, cast)
		}
		d, err := cast.Fn(nil, Str(`{"type": "Point", "coordinates": [13.4, 52.5]}`), -1, false)
		if err != nil || d.IsNull() || d.Geom().SRID() != SRIDWGS84 {
			t.Errorf("a point property as %s: %v %v", to, d.Geom(), err)
		}
		for _, doc := range []string{`null`, `1`, `"x"`, `{}`, `{"type": "Feature"}`, `{"type": "Point", "coordinates": [200, 0]}`} {
			if d, err := cast.Fn(nil, Str(doc), -1, false); err != nil || !d.IsNull() {
				t.Errorf("%s as %s: %v %v, want NULL", doc, to, d, err)
			}
		}
	}
}

func TestFindCast(t *testing.T) {
	for _, c := range []struct {
		from, to *Type
		context  CastContext
	}{
		{TInt4, TInt4, Implicit},
		{TUnknown, TJSONB, Implicit},
		{TUUID, TText, Assignment},
		{TText, TUUID, Explicit},
		{TInt4.Array(), TInt8.Array(), Implicit},
		{TInt8.Array(), TInt4.Array(), Assignment},
		{TText.Array(), TInt4.Array(), Explicit},
		{TInt4.Array(), TText, Assignment},
		{TRecord, TText, Assignment},
		{TUnknown, TInt4.Array(), Implicit},
		{TVarchar.Array(), TText.Array(), Implicit},
		{TGeography, TText, Assignment},
		{TText, TGeography, Explicit},
	} {
		cast, ok := FindCast(c.from, c.to)
		if !ok || cast.Context != c.context {
			t.Errorf("%s to %s: %+v", c.from, c.to, cast)
		}
	}
	for _, c := range [][2]*Type{{TInt4, TDate}, {TBool, TFloat8}, {TUUID, TInt4}, {TInt4, TInt4.Array()}, {TInt4, TRecord}, {TInt4, TAnyElement}, {TJSONB, TDate}} {
		if cast, ok := FindCast(c[0], c[1]); ok {
			t.Errorf("%s to %s: %+v, want none", c[0], c[1], cast)
		}
	}
}

func TestCheckEncoding(t *testing.T) {
	for in, want := range map[string]string{
		"abc\u00e9\U0001d11e": "",
		"a\x00b":              `invalid byte sequence for encoding "UTF8": 0x00`,
		"a\xff":               `invalid byte sequence for encoding "UTF8": 0xff`,
		"\xe2\x82":            `invalid byte sequence for encoding "UTF8": 0xe2 0x82`,
		"\xc3(":               `invalid byte sequence for encoding "UTF8": 0xc3 0x28`,
		"\xed\xa0\x80":        `invalid byte sequence for encoding "UTF8": 0xed 0xa0 0x80`,
	} {
		err := CheckEncoding(in)
		if want == "" && err == nil {
			continue
		}
		if err == nil || err.Error() != want || !pgerr.Is(err, pgerr.CharacterNotInRepertoire) {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
}

func TestBinaryErrors(t *testing.T) {
	for _, c := range []struct {
		typ  *Type
		in   string
		code pgerr.Code
	}{
		{TInt4, "\x00\x00", pgerr.ProtocolViolation},
		{TInt4, "\x00\x00\x00\x00\x00", pgerr.InvalidBinaryRepresentation},
		{TUUID, "short", pgerr.ProtocolViolation},
		{TJSONB, "\x02{}", pgerr.InternalError},
		{TJSONB, "", pgerr.ProtocolViolation},
		{TJSONB, "\x01{", pgerr.InvalidTextRepresentation},
		{TText, "\xff", pgerr.CharacterNotInRepertoire},
		{TNumeric, "\x00\x01\x00\x00\x00\x00\x00\x00\x27\x10", pgerr.InvalidBinaryRepresentation},
		{TNumeric, "\x00\x00\x00\x00\x12\x34\x00\x00", pgerr.InvalidBinaryRepresentation},
		{TDate, "\x7f\xff\xff\xfe", pgerr.DatetimeFieldOverflow},
		{TTimestamp, "\x7f\xff\xff\xff\xff\xff\xff\xfe", pgerr.DatetimeFieldOverflow},
		{TTime, "\xff\xff\xff\xff\xff\xff\xff\xff", pgerr.DatetimeFieldOverflow},
		{TInt4.Array(), "\x00\x00\x00\x07\x00\x00\x00\x00\x00\x00\x00\x17", pgerr.ProgramLimitExceeded},
		{TInt4.Array(), "\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x19\x00\x00\x00\x00\x00\x00\x00\x01", pgerr.DatatypeMismatch},
		{TInt4.Array(), "\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x17\x07\xff\xff\xff\x00\x00\x00\x01", pgerr.ProtocolViolation},
		{TInt4.Array(), "\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x00\x17\x07\xff\xff\xff\x00\x00\x00\x01\x7f\xff\xff\xff\x00\x00\x00\x01", pgerr.ProgramLimitExceeded},
		{TGeometry, "\x01\x01", pgerr.InternalError},
		{TAnyElement, "x", pgerr.FeatureNotSupported},
		{TBox2D, "x", pgerr.UndefinedFunction},
	} {
		if _, err := c.typ.ParseBinary([]byte(c.in), -1); !pgerr.Is(err, c.code) {
			t.Errorf("%s %x: %v, want %v", c.typ, c.in, err, c.code)
		}
	}
}

func TestDeepJSON(t *testing.T) {
	deep := strings.Repeat("[", MaxJSONDepth) + strings.Repeat("]", MaxJSONDepth)
	if _, err := CanonicalJSONB(deep); err != nil {
		t.Errorf("depth %d: %v", MaxJSONDepth, err)
	}
	for _, doc := range []string{"[" + deep + "]", strings.Repeat("[", 1<<20), strings.Repeat(`{"a":`, 1<<18)} {
		if _, err := CanonicalJSONB(doc); !pgerr.Is(err, pgerr.StatementTooComplex) {
			t.Errorf("too deep jsonb: %v", err)
		}
		if _, err := TJSON.ParseText(doc, -1, nil); !pgerr.Is(err, pgerr.StatementTooComplex) {
			t.Errorf("too deep json: %v", err)
		}
	}
}

func TestGeomErrorsKeepTheirCause(t *testing.T) {
	_, err := TGeometry.ParseText("POINT(1", -1, nil)
	if e := pgerr.From(err); !errors.Is(err, geom.ErrParse) || e.Hint == "" {
		t.Errorf("%v, hint %q", err, pgerr.From(err).Hint)
	}
}

func TestFloatKeysKeepOrder(t *testing.T) {
	values := []float64{math.Inf(-1), -math.MaxFloat64, -1, -math.SmallestNonzeroFloat64, 0, math.SmallestNonzeroFloat64, 1, math.MaxFloat64, math.Inf(1), math.NaN()}
	for i := 1; i < len(values); i++ {
		a, b := AppendOrderedKey(nil, TFloat8, Float(values[i-1])), AppendOrderedKey(nil, TFloat8, Float(values[i]))
		if string(a) >= string(b) {
			t.Errorf("key of %v is not below that of %v", values[i-1], values[i])
		}
	}
	if string(AppendHashKey(nil, TFloat8, Float(math.Copysign(0, -1)))) != string(AppendHashKey(nil, TFloat8, Float(0))) {
		t.Error("the two zeros hash apart")
	}
}
