package funcs

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"raisind/pgerr"
	"raisind/sql/types"
)

// The files testdata/calls/*.txt hold calls with the answers of PostgreSQL 15 and
// PostGIS 3.3, one a line:
//
//	lpad → text hi → int4 5 → text xy => xyxhi
//	op + → int4 2147483647 → int4 1 => ERROR 22003 integer out of range
//	set generate_series → int4 1 → int4 3 => 1 ; 2 ; 3
//	agg sum → int4 1 → int4 2 => 3
//
// with tabs for arrows. An argument is a type and a value; the value NULL is NULL. Lines that start with # are
// comments, and a line "# differs: why" stands above a call whose answer is ours.

func callCtx() *Ctx {
	env := types.DefaultEnv()
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	env.Now = now
	return &Ctx{Context: context.Background(), Env: env, StmtTime: now, TxnTime: now}
}

type callArg struct {
	t *types.Type
	d types.Datum
}

func parseCallArgs(t *testing.T, fc *Ctx, parts []string) []callArg {
	t.Helper()
	var out []callArg
	for _, p := range parts {
		name, value, _ := strings.Cut(p, " ")
		typ := mustType(name)
		a := callArg{t: typ}
		if value != "NULL" {
			var err error
			if a.d, err = typ.ParseText(unescape(value), -1, fc.Env); err != nil {
				t.Fatalf("%q: %v", p, err)
			}
		}
		out = append(out, a)
	}
	return out
}

func unescape(s string) string {
	return strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\\`, `\`).Replace(s)
}

func escape(s string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`, `\`, `\\`).Replace(s)
}

// matchesArgs tells whether an overload takes arguments of exactly these types, apart
// from polymorphic ones.
func matchesArgs(args []Arg, variadic bool, defaults int, given []callArg) bool {
	if variadic {
		if len(given) < len(args) {
			return false
		}
	} else if len(given) > len(args) || len(given) < len(args)-defaults {
		return false
	}
	for i, g := range given {
		want := args[min(i, len(args)-1)].Type
		if variadic && i >= len(args)-1 && want.Elem != nil {
			want = want.Elem
		}
		ok := want == g.t || want == types.TAny
		switch want {
		case types.TAnyElement, types.TAnyCompatible:
			ok = true
		case types.TAnyNonArray, types.TAnyCompatibleNonArray:
			ok = g.t.Elem == nil
		case types.TAnyArray, types.TAnyCompatibleArray:
			ok = g.t.Elem != nil
		}
		if !ok {
			return false
		}
	}
	return true
}

// resultOf is the type of a call's result.
func resultOf(result *types.Type, args []Arg, given []callArg) *types.Type {
	if !result.IsPolymorphic() {
		return result
	}
	for i, a := range args {
		if !a.Type.IsPolymorphic() {
			continue
		}
		t := given[i].t
		isArray := result == types.TAnyArray || result == types.TAnyCompatibleArray
		switch {
		case isArray && t.Elem == nil:
			return t.Array()
		case !isArray && t.Elem != nil:
			return t.Elem
		}
		return t
	}
	return result
}

// runCall evaluates one line's left side and returns the text of its result.
func runCall(t *testing.T, fc *Ctx, call string) string {
	t.Helper()
	parts := strings.Split(call, "\t")
	head := parts[0]
	args := parseCallArgs(t, fc, parts[1:])
	kind, name, ok := strings.Cut(head, " ")
	if !ok {
		kind, name = "call", head
	}
	if kind == "agg" {
		return runAggregate(t, fc, name, args)
	}
	candidates := ByName(strings.ToLower(name))
	if kind == "op" {
		candidates = ByOperator(name, len(args))
	}
	for _, o := range candidates {
		if !matchesArgs(o.Args, o.Variadic, len(o.Defaults), args) {
			continue
		}
		var ts []*types.Type
		var ds []types.Datum
		null := false
		for _, a := range args {
			ts, ds = append(ts, a.t), append(ds, a.d)
			null = null || a.d.IsNull()
		}
		for i := len(args); i < len(o.Args) && !o.Variadic; i++ {
			d := o.Defaults[i-(len(o.Args)-len(o.Defaults))]
			ts, ds = append(ts, o.Args[i].Type), append(ds, d)
		}
		if o.Variadic && o.Args[len(o.Args)-1].Type != types.TAny {
			n := len(o.Args) - 1
			arr := types.NewArray(o.Args[n].Type.Elem, ds[n:])
			ds, ts = append(ds[:n:n], arr), append(ts[:n:n], o.Args[n].Type)
		}
		result := resultOf(o.Result, o.Args, args)
		b := o.Bind(ts)
		if o.IsSet() {
			return runSet(fc, b, result, ds)
		}
		if null && o.Func.Nulls == NullOnNull {
			return "NULL"
		}
		d, err := b.Eval(fc, ds)
		return show(fc, result, d, err)
	}
	t.Fatalf("no overload for %s", call)
	return ""
}

func show(fc *Ctx, t *types.Type, d types.Datum, err error) string {
	if err != nil {
		e := pgerr.From(err)
		return fmt.Sprintf("ERROR %s %s", e.Code, escape(strings.TrimSpace(e.Msg)))
	}
	if d.IsNull() {
		return "NULL"
	}
	if t == types.TVoid {
		return ""
	}
	return escape(string(t.AppendText(nil, d, fc.Env)))
}

func runSet(fc *Ctx, o *Overload, result *types.Type, args []types.Datum) string {
	src, err := o.Set(fc, args)
	if err != nil {
		return show(fc, result, types.Null, err)
	}
	var out []string
	for {
		row, ok, err := src.Next()
		if err != nil {
			return show(fc, result, types.Null, err)
		}
		if !ok {
			return strings.Join(out, " ; ")
		}
		var cols []string
		for i, d := range row {
			t := result
			if len(o.Columns) > 1 {
				t = o.Columns[i].Type
			}
			cols = append(cols, show(fc, t, d, nil))
		}
		out = append(out, strings.Join(cols, " , "))
	}
}

func runAggregate(t *testing.T, fc *Ctx, name string, args []callArg) string {
	t.Helper()
	for _, o := range AggregatesByName(strings.ToLower(name)) {
		if len(o.Args) != 1 || !matchesArgs(o.Args, false, 0, args[:1]) {
			continue
		}
		s := o.New([]*types.Type{args[0].t})
		for _, a := range args {
			if a.d.IsNull() && o.Strict {
				continue
			}
			if err := s.Add(fc, []types.Datum{a.d}); err != nil {
				return show(fc, o.Result, types.Null, err)
			}
		}
		d, err := s.Result(fc)
		return show(fc, resultOf(o.Result, o.Args, args), d, err)
	}
	t.Fatalf("no aggregate %s", name)
	return ""
}

// near forgives the last digits of a measure: PostgreSQL computes with another library.
func near(got, want string) bool {
	g, err1 := strconv.ParseFloat(got, 64)
	w, err2 := strconv.ParseFloat(want, 64)
	return err1 == nil && err2 == nil && strings.Contains(want, ".") && math.Abs(g-w) <= 1e-12*math.Abs(w)
}

func TestCallsAgainstPostgreSQL(t *testing.T) {
	files, err := filepath.Glob("testdata/calls/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			f, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			fc := callCtx()
			sc := bufio.NewScanner(f)
			sc.Buffer(nil, 1<<20)
			for n := 1; sc.Scan(); n++ {
				line := sc.Text()
				if line == "" || strings.HasPrefix(line, "#") {
					continue
				}
				if zone, ok := strings.CutPrefix(line, "timezone "); ok {
					loc, ok := types.FindZone(zone)
					if !ok {
						t.Fatalf("line %d: no zone %q", n, zone)
					}
					fc.Env.Location = loc
					continue
				}
				call, want, ok := strings.Cut(line, " => ")
				if !ok {
					call, want = strings.TrimSuffix(line, " =>"), ""
				}
				if got := runCall(t, fc, call); got != want && !near(got, want) {
					t.Errorf("line %d: %s\n got %s\nwant %s", n, call, got, want)
				}
			}
			if err := errors.Join(sc.Err()); err != nil {
				t.Fatal(err)
			}
		})
	}
}
