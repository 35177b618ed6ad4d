package types

import (
	"bytes"
	"strings"
	"testing"

	"github.com/cockroachdb/apd/v3"
	"pgregory.net/rapid"
)

// genValue draws a value of a type that has an order.
func genValue(t *rapid.T, typ *Type) Datum {
	switch typ {
	case TText:
		return Str(rapid.StringOfN(rapid.RuneFrom([]rune{0x01, 0x02, 'a', 'b', 0xff, 0x20ac}), 0, 4, -1).Draw(t, "text"))
	case TBytea:
		return Str(string(rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 0xfe, 0xff}), 0, 4).Draw(t, "bytea")))
	case TNumeric:
		d := apd.New(rapid.Int64Range(-1000, 1000).Draw(t, "coeff"), -int32(rapid.IntRange(0, 4).Draw(t, "scale")))
		if rapid.IntRange(0, 20).Draw(t, "special") == 0 {
			d.Form = apd.Infinite
		}
		if rapid.Bool().Draw(t, "large") {
			d.Coeff.Mul(&d.Coeff, pow10(int32(rapid.IntRange(0, 40).Draw(t, "exp"))))
		}
		d.Negative = d.Negative && d.Coeff.Sign() != 0
		if d.Coeff.Sign() < 0 {
			d.Coeff.Abs(&d.Coeff)
			d.Negative = true
		}
		v, _ := NewNumeric(d)
		return v
	case TFloat8:
		return Float(rapid.Float64().Draw(t, "float"))
	case TInterval:
		return NewInterval(int32(rapid.IntRange(-2, 2).Draw(t, "months")), int32(rapid.IntRange(-61, 61).Draw(t, "days")),
			rapid.Int64Range(-2, 2).Draw(t, "half days")*MicrosPerDay/2)
	case TTimeTZ:
		return NewTimeTZ(rapid.Int64Range(0, 3).Draw(t, "hours")*MicrosPerHour, int32(rapid.IntRange(-2, 2).Draw(t, "zone")*3600))
	case TJSONB:
		doc, err := CanonicalJSONB(genJSON(t, 3))
		if err != nil {
			t.Fatal(err)
		}
		return Str(doc)
	}
	elems := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Datum {
		if rapid.IntRange(0, 5).Draw(t, "null") == 0 {
			return Null
		}
		return genValue(t, typ.Elem)
	}), 0, 3).Draw(t, "elems")
	return NewArray(typ.Elem, elems)
}

func genJSON(t *rapid.T, depth int) string {
	n := 6
	if depth == 0 {
		n = 4
	}
	switch rapid.IntRange(0, n).Draw(t, "kind") {
	case 0:
		return rapid.SampledFrom([]string{"null", "true", "false"}).Draw(t, "word")
	case 1, 2:
		return rapid.SampledFrom([]string{"0", "1", "1.0", "-1", "10", "1.5", "1.50", "1e2"}).Draw(t, "number")
	case 3, 4:
		return rapid.SampledFrom([]string{`""`, `"a"`, `"ab"`, `"b"`, `"\u0001"`, `"é"`, `"\\"`}).Draw(t, "string")
	case 5:
		return "[" + strings.Join(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string { return genJSON(t, depth-1) }), 0, 3).Draw(t, "array"), ",") + "]"
	}
	return "{" + strings.Join(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) string {
		return rapid.SampledFrom([]string{`"a"`, `"b"`, `"aa"`, `""`, `"\n"`}).Draw(t, "key") + ":" + genJSON(t, depth-1)
	}), 0, 3).Draw(t, "object"), " , ") + "}"
}

// TestKeysAgreeWithCompare: ordered keys sort as Compare does, hash keys are equal
// exactly for equal values, none is a prefix of another.
func TestKeysAgreeWithCompare(t *testing.T) {
	for _, typ := range []*Type{TText, TBytea, TNumeric, TFloat8, TInterval, TTimeTZ, TJSONB, TText.Array(), TNumeric.Array(), TBytea.Array()} {
		t.Run(typ.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				a, b := genValue(t, typ), genValue(t, typ)
				want := min(max(Compare(typ, a, b), -1), 1)
				if back := min(max(Compare(typ, b, a), -1), 1); back != -want {
					t.Fatalf("Compare is %d one way and %d the other", want, back)
				}
				ka, kb := AppendOrderedKey(nil, typ, a), AppendOrderedKey(nil, typ, b)
				if got := bytes.Compare(ka, kb); got != want {
					t.Fatalf("Compare(%s, %s) = %d, keys %x %x compare as %d", typ.AppendText(nil, a, nil), typ.AppendText(nil, b, nil), want, ka, kb, got)
				}
				ha, hb := AppendHashKey(nil, typ, a), AppendHashKey(nil, typ, b)
				if bytes.Equal(ha, hb) != (want == 0) {
					t.Fatalf("Compare = %d, hash keys %x %x", want, ha, hb)
				}
				if want != 0 && (bytes.HasPrefix(ka, kb) || bytes.HasPrefix(kb, ka) || bytes.HasPrefix(ha, hb) || bytes.HasPrefix(hb, ha)) {
					t.Fatalf("a key is a prefix of another: %x %x, %x %x", ka, kb, ha, hb)
				}
			})
		})
	}
}
