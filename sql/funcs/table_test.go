package funcs

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"raisind/sql/types"
)

func signatureText(o *Overload) string {
	var args []string
	for _, a := range o.Args {
		args = append(args, a.Type.Name)
	}
	name := o.Func.Name
	if o.Func.Operator != "" {
		name = o.Func.Operator
	}
	return fmt.Sprintf("%s(%s)", name, strings.Join(args, ","))
}

func TestEntriesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range All() {
		if f.Doc == "" || f.Group == "" || f.Volatility == 0 || len(f.Overloads) == 0 {
			t.Errorf("%s%s: doc, group, volatility and an overload are due", f.Name, f.Operator)
		}
		if len(f.Examples) == 0 && f.Operator == "" {
			t.Errorf("%s: no example", f.Title)
		}
		for i := range f.Overloads {
			o := &f.Overloads[i]
			sig := signatureText(o)
			if seen[sig] {
				t.Errorf("%s is there twice", sig)
			}
			seen[sig] = true
			if o.Eval == nil && o.EvalFor == nil && !o.IsSet() {
				t.Errorf("%s: no body", sig)
			}
		}
	}
}

func TestChaptersAreListed(t *testing.T) {
	for _, f := range All() {
		if !slices.Contains(groupOrder, f.Group) {
			t.Errorf("%s: chapter %q is not in groupOrder", f.Title, f.Group)
		}
	}
}

// sample is a value of a type for calls whose result does not matter.
func sample(t *testing.T, typ *types.Type) (types.Datum, *types.Type) {
	t.Helper()
	switch typ {
	case types.TAny, types.TAnyElement, types.TAnyNonArray, types.TAnyCompatible, types.TAnyCompatibleNonArray:
		typ = types.TInt4
	case types.TAnyArray, types.TAnyCompatibleArray:
		typ = types.TInt4.Array()
	case types.TAnyEnum:
		label := types.Label{OID: 90001, Name: "sad", Order: 1}
		return types.Int(int64(label.OID)), types.NewEnum(types.UserName{OID: 90000, ArrayOID: 90002, Schema: "public", Name: "mood"}, []types.Label{label})
	case types.TRecord:
		return types.Ref(&types.Record{Names: []string{"f1"}, Types: []*types.Type{types.TInt4}, Fields: []types.Datum{types.Int(1)}}), typ
	}
	text := map[string]string{
		"bool": "t", "bytea": "\\x01", "char": "a", "date": "2026-01-02", "interval": "1 day", "jsonb": `{"type": "Point", "coordinates": [1, 2]}`,
		"json": `{"a": 1}`, "uuid": "00000000-0000-0000-0000-000000000001", "time": "10:00", "timetz": "10:00+00", "timestamp": "2026-01-02",
		"timestamptz": "2026-01-02 00:00+00", "geometry": "POINT(1 2)", "geography": "POINT(1 2)", "box2d": "BOX(0 0,1 1)", "box3d": "BOX3D(0 0 0,1 1 1)",
		"tid": "(0,1)", "text": "1", "name": "1", "bpchar": "1", "varchar": "1", "oidvector": "23", "regclass": "1259", "pg_node_tree": "1", "aclitem": "=r/raisin", "int2vector": "1",
		"inet": "10.0.0.1/24", "cidr": "10.0.0.0/8", "macaddr": "08:00:2b:01:02:03", "macaddr8": "08:00:2b:01:02:03:04:05",
		"jsonpath": "$.a", "bit": "101", "varbit": "101",
	}[typ.Name]
	switch {
	case typ.IsRange():
		text = "empty"
	case typ.IsMultirange():
		text = "{}"
	case typ.IsArray() && typ != types.TOIDVector && typ != types.TInt2Vector:
		text = "{}"
	case text == "":
		text = "1"
	}
	d, err := typ.ParseText(text, -1, nil)
	if err != nil {
		t.Fatalf("sample of %s: %v", typ, err)
	}
	return d, typ
}

// TestNullArguments calls every overload with one argument NULL after the other.
// Bodies that are called with NULLs must not fail on them; the others give NULL by the
// caller's rule, and sets no rows by their own.
func TestNullArguments(t *testing.T) {
	for _, f := range All() {
		if strings.HasPrefix(f.Name, "pg_sleep") {
			continue
		}
		for i := range f.Overloads {
			o := &f.Overloads[i]
			var ds []types.Datum
			var ts []*types.Type
			for _, a := range o.Args {
				d, typ := sample(t, a.Type)
				ds, ts = append(ds, d), append(ts, typ)
			}
			b := o.Bind(ts)
			fc := callCtx()
			for n := range ds {
				args := slices.Clone(ds)
				args[n] = types.Null
				switch {
				case o.IsSet() && f.Nulls == NullOnNull:
					src, err := b.Set(fc, args)
					if err != nil {
						t.Errorf("%s with argument %d NULL: %v", signatureText(o), n+1, err)
						continue
					}
					if _, ok, err := src.Next(); ok || err != nil {
						t.Errorf("%s with argument %d NULL gives rows (%v)", signatureText(o), n+1, err)
					}
				case f.Nulls == CalledOnNull && !o.IsSet():
					_, _ = b.Eval(fc, args) // an error is an answer; a panic is not
				}
			}
			if !o.IsSet() {
				_, _ = b.Eval(fc, ds)
			}
		}
	}
}

func TestMarkdown(t *testing.T) {
	var b bytes.Buffer
	if err := Markdown(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"## Measures", "### ST_DWithin\n", "`ST_Distance(a jsonb, b geometry)` → `double precision`, immutable", "### count (aggregate)"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q", want)
		}
	}
}
