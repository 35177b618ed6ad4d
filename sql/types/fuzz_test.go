package types

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// fuzzTypes are the types whose text reads back as an equal value. The boxes of PostGIS
// are left out: they print at most 15 decimals.
var fuzzTypes = []*Type{
	TBool, TBytea, TChar, TName, TInt8, TInt2, TInt4, TOID, TText, TTID, TXID, TXID8, TJSON, TFloat4, TFloat8, TBPChar, TVarchar,
	TDate, TTime, TTimestamp, TTimestamptz, TInterval, TTimeTZ, TNumeric, TRegtype, TUUID, TJSONB, TGeometry, TGeography,
	TInt2Vector, TOIDVector, TInt4.Array(), TText.Array(), TFloat8.Array(), TNumeric.Array(), TTimestamptz.Array(), TJSONB.Array(),
	TBytea.Array(), TGeometry.Array(), TInterval.Array(),
}

// fuzzEnv varies the settings that leave no doubt when text is read back.
func fuzzEnv(n byte) *Env {
	env := DefaultEnv()
	env.Now = time.Date(2020, 3, 8, 3, 30, 0, 0, time.UTC)
	env.DateOrder = [3]string{"MDY", "DMY", "YMD"}[n%3]
	zone := [5]string{"UTC", "America/New_York", "Asia/Kathmandu", "<+03>-3", "Australia/Lord_Howe"}[n/3%5]
	env.Location, _ = FindZone(zone)
	env.ByteaHex = n&64 == 0
	return env
}

// addGolden seeds a target with the inputs of the golden files.
func addGolden(f *testing.F, add func(typ byte, in string, binary []byte)) {
	t := &testing.T{}
	paths, _ := filepath.Glob(filepath.Join("testdata", "values_*.txt"))
	for _, p := range paths {
		cases, _ := readGolden(t, filepath.Base(p))
		for i, c := range cases {
			typ, ok := ByName(c.in[0])
			if !ok || i%7 != 0 {
				continue
			}
			for n, x := range fuzzTypes {
				if x == typ {
					var bin []byte
					if len(c.want) > 1 && !c.failed {
						bin, _ = hex.DecodeString(c.want[1])
					}
					add(byte(n), c.in[1], bin)
				}
			}
		}
	}
}

// FuzzText: what parses prints as text that parses to an equal value, and its binary
// form reads back as one.
func FuzzText(f *testing.F) {
	addGolden(f, func(typ byte, in string, _ []byte) { f.Add(typ, byte(0), in) })
	f.Fuzz(func(t *testing.T, n, settings byte, in string) {
		if CheckEncoding(in) != nil || len(in) > 1<<12 {
			return
		}
		typ, env := fuzzTypes[int(n)%len(fuzzTypes)], fuzzEnv(settings)
		d, err := typ.ParseText(in, -1, env)
		if err != nil {
			return
		}
		text := string(typ.AppendText(nil, d, env))
		if !utf8.ValidString(text) {
			return // "char" keeps the first byte of a longer character
		}
		if hasExtremeInterval(d) {
			return // its text has a positive part that does not fit
		}
		back, err := typ.ParseText(text, -1, env)
		if err != nil {
			t.Fatalf("%s %q prints as %q, which does not parse: %v", typ, in, text, err)
		}
		if got := string(typ.AppendText(nil, back, env)); got != text {
			t.Fatalf("%s %q prints as %q, then as %q", typ, in, text, got)
		}
		checkSame(t, typ, in, d, back)
		bin := typ.AppendBinary(nil, d)
		back, err = typ.ParseBinary(bin, -1)
		if err != nil {
			t.Fatalf("%s %q: binary %x does not parse: %v", typ, in, bin, err)
		}
		checkSame(t, typ, in, d, back)
	})
}

func checkSame(t *testing.T, typ *Type, what any, a, b Datum) {
	t.Helper()
	if typ.Hashable() {
		checkEqual(t, what, typ, a, b)
	}
	if !bytes.Equal(typ.AppendBinary(nil, a), typ.AppendBinary(nil, b)) {
		t.Errorf("%v: binary forms differ: %x %x", what, typ.AppendBinary(nil, a), typ.AppendBinary(nil, b))
	}
}

func hasExtremeInterval(d Datum) bool {
	if a := d.Array(); a != nil {
		for _, e := range a.Elems {
			if hasExtremeInterval(e) {
				return true
			}
		}
	}
	v, ok := d.Ref().(*Interval)
	return ok && v.Micros == math.MinInt64
}

// FuzzBinary: what parses in binary is written as bytes that parse to an equal value,
// and prints as text that does.
func FuzzBinary(f *testing.F) {
	addGolden(f, func(typ byte, _ string, bin []byte) {
		if bin != nil {
			f.Add(typ, bin)
		}
	})
	f.Fuzz(func(t *testing.T, n byte, in []byte) {
		typ := fuzzTypes[int(n)%len(fuzzTypes)]
		if len(in) > 1<<12 {
			return
		}
		d, err := typ.ParseBinary(in, -1)
		if err != nil {
			return
		}
		bin := typ.AppendBinary(nil, d)
		back, err := typ.ParseBinary(bin, -1)
		if err != nil {
			t.Fatalf("%s %x is written as %x, which does not parse: %v", typ, in, bin, err)
		}
		checkSame(t, typ, in, d, back)
		text := string(typ.AppendText(nil, d, nil))
		if !utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 || hasExtremeInterval(d) || typ == TRegtype {
			return
		}
		back, err = typ.ParseText(text, -1, nil)
		if err != nil {
			t.Fatalf("%s %x prints as %q, which does not parse: %v", typ, in, text, err)
		}
		if typ.Hashable() && Compare(typ, d, back) != 0 {
			t.Fatalf("%s %x prints as %q, another value", typ, in, text)
		}
	})
}

// FuzzJSONB: canonical text is accepted by encoding/json, means the same and stays as
// it is; what is refused gets an error that says why.
func FuzzJSONB(f *testing.F) {
	addGolden(f, func(_ byte, in string, _ []byte) { f.Add(in, "a") })
	f.Fuzz(func(t *testing.T, in, key string) {
		if CheckEncoding(in) != nil || len(in) > 1<<12 {
			return
		}
		doc, err := CanonicalJSONB(in)
		if strictErr := jsonError(in, true); (strictErr != nil) != (err != nil) && !isRangeError(err) {
			t.Fatalf("%q: read as %v, explained as %v", in, err, strictErr)
		}
		if valid := json.Valid([]byte(in)); valid != (err == nil) && !(valid && err != nil) {
			t.Fatalf("%q: valid is %v, error %v", in, valid, err)
		}
		if err != nil {
			return
		}
		again, err := CanonicalJSONB(doc)
		if err != nil || again != doc {
			t.Fatalf("%q: canonical %q, then %q %v", in, doc, again, err)
		}
		if !json.Valid([]byte(doc)) {
			t.Fatalf("%q: canonical %q is not JSON", in, doc)
		}
		if JSONCompare(doc, doc) != 0 || !JSONContains(doc, doc) {
			t.Fatalf("%q is not itself", doc)
		}
		checkChanges(t, doc, key)
	})
}

func isRangeError(err error) bool {
	return err != nil && strings.Contains(err.Error(), "overflows numeric")
}

// checkChanges makes changes and looks whether the results are canonical and hold what was put in.
func checkChanges(t *testing.T, doc, key string) {
	if CheckEncoding(key) != nil {
		return
	}
	check := func(what, got string, err error) {
		t.Helper()
		if err != nil {
			return
		}
		if c, cerr := CanonicalJSONB(got); cerr != nil || c != got {
			t.Fatalf("%s of %q by %q gives %q, not canonical", what, doc, key, got)
		}
	}
	set, err := JSONSet(doc, []string{key}, `[1]`, true)
	check("set", set, err)
	if err == nil && JSONTypeof(doc) == "object" {
		if v, ok := JSONGetKey(set, key); !ok || v != `[1]` {
			t.Fatalf("set of %q by %q gives %q", doc, key, set)
		}
	}
	del, err := JSONDeleteKey(doc, key)
	check("delete", del, err)
	if err == nil && JSONExists(del, key) {
		t.Fatalf("delete of %q from %q leaves it: %q", key, doc, del)
	}
	cat, err := JSONConcat(doc, string(AppendJSONString(nil, key)))
	check("concat", cat, err)
	check("strip", JSONStripNulls(doc), nil)
	if c, _ := CanonicalJSONB(JSONPretty(doc)); c != doc {
		t.Fatalf("pretty of %q reads back as %q", doc, c)
	}
}

// FuzzJSONAccess: reading from text that is not JSON gives an answer or none, never a panic.
func FuzzJSONAccess(f *testing.F) {
	f.Add(`{"a": [1, 2`, "a")
	f.Add(`{"a`, "")
	f.Add(`[`, "0")
	f.Fuzz(func(_ *testing.T, doc, key string) {
		JSONGetKey(doc, key)
		JSONGetIndex(doc, len(key)-3)
		JSONGetPath(doc, []string{key, "0"})
		JSONTextGetPath(doc, []string{key, "0"})
		JSONExists(doc, key)
		JSONAsText(doc)
		JSONPretty(doc)
		JSONStripNulls(doc)
		JSONCompare(doc, key)
		JSONContains(doc, key)
		JSONDeleteKey(doc, key)
		JSONSet(doc, []string{key, key}, "1", true)
		JSONConcat(doc, key)
		AppendHashKey(nil, TJSONB, Str(doc))
		AppendOrderedKey(nil, TJSONB, Str(doc))
	})
}

// FuzzTypeName: a type name that is understood prints as one that means the same.
func FuzzTypeName(f *testing.F) {
	for _, n := range []string{"int4", "varchar(10)", "numeric(5,2)[]", "interval day to second(3)", "geometry(PointZ,4326)", "timestamp(3) with time zone", "\"char\""} {
		f.Add(n)
	}
	f.Fuzz(func(t *testing.T, name string) {
		typ, typmod, err := ParseTypeName(name)
		if err != nil {
			return
		}
		text := FormatType(typ, typmod)
		back, backmod, err := ParseTypeName(text)
		if err != nil || back != typ || backmod != typmod {
			t.Fatalf("%q is %s, which is %v %d %v", name, text, back, backmod, err)
		}
	})
}
