package funcs

import (
	"os"
	"strings"
	"testing"

	"raisind/sql/types"
)

// testdata/pg_proc.txt and pg_operator.txt are dumps of PostgreSQL 15 with PostGIS 3.3
// for the names in the table:
//
//	name, argument types, result, volatility, strict, kind, returns a set
//	symbol, left, right, result, volatility, strict, commutator, negator

func readDump(t *testing.T, file string) [][]string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for line := range strings.Lines(string(b)) {
		out = append(out, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return out
}

func typeNames(args []Arg, variadic bool) string {
	var names []string
	for i, a := range args {
		n := a.Type.Name
		if a.Type.Elem != nil && a.Type != types.TOIDVector && a.Type != types.TInt2Vector {
			n = a.Type.Elem.Name + "[]"
		}
		if variadic && i == len(args)-1 && a.Type == types.TAny {
			n = "any"
		}
		names = append(names, n)
	}
	return strings.Join(names, ",")
}

func typeName(t *types.Type) string { return typeNames([]Arg{{Type: t}}, false) }

// ours are signatures that PostgreSQL or PostGIS does not have, by what is theirs.
func ours(f *Func, args string) bool {
	switch {
	case strings.HasPrefix(f.Name, "raisin_"), f.Group == groupGeomSystem, f.Name == "_pg_expandarray": // anyarray there
		return true
	case strings.Contains(args, "range"), f.Operator == "<@" && f.Name == "range_contained_by": // anyrange and anymultirange there
		return true
	case strings.Contains(args, "jsonb") && strings.HasPrefix(f.Group, "Spatial"), strings.Contains(args, "jsonb") && strings.HasPrefix(f.Name, "st_"):
		return true // properties of a workspace
	case f.Name == "geometrytype" && args == "jsonb", f.Operator == "<->":
		return true
	case f.Operator == "<>": // PostGIS has no such operator; = answers the question too
		return args == "geometry,geometry" || args == "geography,geography"
	case strings.HasPrefix(f.Name, "st_") && (args == "geometry" || args == "box2d" || args == "box3d"):
		return true // ST_XMin and its kin take a box3d there, and a cast
	}
	return false
}

// different are signatures whose entry is not PostgreSQL's, with the reason.
var different = map[string]string{
	"inet_server_addr()": "there is no type inet",
	"inet_client_addr()": "there is no type inet",

	"=(geometry,geometry)":                        "has a negator",
	"=(geography,geography)":                      "has a negator",
	"st_symmetricdifference(geometry,geometry)":   "is volatile there and works on NULLs, by an oversight",
	"~=(geometry,geometry)":                       "has itself as its commutator",
	"=(xid,int4)":                                 "shares the entry of other types",
	"<>(xid,int4)":                                "shares the entry of other types",
	"acldefault(char,oid)":                        "names of roles are the session's to tell",
	"makeaclitem(oid,oid,text,bool)":              "names of roles are the session's to tell",
	"aclcontains(aclitem[],aclitem)":              "as its kin",
	"pg_identify_object(oid,oid,int4)":            "is a set of one row",
	"pg_identify_object_as_address(oid,oid,int4)": "is a set of one row",
	"st_minimumboundingradius(geometry)":          "gives its one row as a set does",
}

func TestFunctionsAreAsInPostgreSQL(t *testing.T) {
	type entry struct{ result, volatility, strict, set string }
	dump := map[string]entry{}
	for _, r := range readDump(t, "testdata/pg_proc.txt") {
		if r[5] == "f" {
			dump[r[0]+"("+r[1]+")"] = entry{r[2], r[3], r[4], r[6]}
		}
	}
	found := 0
	for _, f := range All() {
		if f.Operator != "" {
			continue
		}
		for i := range f.Overloads {
			o := &f.Overloads[i]
			args := typeNames(o.Args, o.Variadic)
			sig := f.Name + "(" + args + ")"
			want, ok := dump[sig]
			if !ok {
				if !ours(f, args) {
					t.Errorf("%s: not in PostgreSQL", sig)
				}
				continue
			}
			found++
			if different[sig] != "" {
				continue
			}
			got := entry{typeName(o.Result), string(rune(f.Volatility)), "f", "f"}
			if f.Nulls == NullOnNull {
				got.strict = "t"
			}
			if o.IsSet() {
				got.set = "t"
			}
			if len(o.Columns) > 1 {
				got.result = "record"
			}
			if got != want {
				t.Errorf("%s: got %v, want %v", sig, got, want)
			}
		}
	}
	if found < 500 {
		t.Errorf("only %d signatures compared", found)
	}
}

func TestAggregatesAreAsInPostgreSQL(t *testing.T) {
	dump := map[string]string{}
	for _, r := range readDump(t, "testdata/pg_proc.txt") {
		if r[5] == "a" {
			dump[r[0]+"("+r[1]+")"] = r[2]
		}
	}
	for _, a := range AllAggregates() {
		for i := range a.Overloads {
			o := &a.Overloads[i]
			sig := a.Name + "(" + typeNames(o.Args, false) + ")"
			want, ok := dump[sig]
			if (a.Name == "min" || a.Name == "max" || strings.HasPrefix(a.Name, "range_")) && !ok {
				continue // types that later releases order; anyrange there
			}
			if !ok || want != typeName(o.Result) {
				t.Errorf("%s: got %s, want %q", sig, typeName(o.Result), want)
			}
		}
	}
}

func TestOperatorsAreAsInPostgreSQL(t *testing.T) {
	type entry struct{ result, volatility, strict, commutator, negator string }
	dump := map[string]entry{}
	for _, r := range readDump(t, "testdata/pg_operator.txt") {
		args := r[1] + "," + r[2]
		dump[r[0]+"("+strings.TrimPrefix(args, ",")+")"] = entry{r[3], r[4], r[5], r[6], r[7]}
	}
	seen := map[string]bool{}
	for _, f := range All() {
		if f.Operator == "" {
			continue
		}
		for i := range f.Overloads {
			o := &f.Overloads[i]
			args := typeNames(o.Args, false)
			sig := f.Operator + "(" + args + ")"
			seen[sig] = true
			want, ok := dump[sig]
			if !ok {
				if !ours(f, args) {
					t.Errorf("%s: not in PostgreSQL", sig)
				}
				continue
			}
			got := entry{typeName(o.Result), string(rune(f.Volatility)), "f", f.Commutator, f.Negator}
			if f.Nulls == NullOnNull {
				got.strict = "t"
			}
			if got != want && different[sig] == "" {
				t.Errorf("%s: got %v, want %v", sig, got, want)
			}
		}
	}
	for sig := range dump {
		if !seen[sig] {
			t.Errorf("%s: missing", sig)
		}
	}
}
