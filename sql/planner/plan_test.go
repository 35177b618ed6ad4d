package planner

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/parser"
	"raisind/sql/plan"
	"raisind/sql/types"
	"raisind/storage"
)

// world is a catalog that a test file describes.
type world struct {
	rels   map[string]*catalog.Relation
	rows   map[storage.RelationID]int64
	states map[string]plan.IndexState
	params []*types.Type
	cat    catalog.Catalog
}

func newWorld() *world {
	return &world{rels: map[string]*catalog.Relation{}, rows: map[storage.RelationID]int64{}, states: map[string]plan.IndexState{}}
}

// Lookup implements Catalog.
func (w *world) Lookup(schema, name string) (*catalog.Relation, bool, error) {
	r, ok := w.rels[schema+"."+name]
	return r, ok, nil
}

// Version implements Catalog.
func (w *world) Version() uint64 { return 1 }

// RowCount implements RowCounter.
func (w *world) RowCount(id storage.RelationID) (int64, bool) {
	n, ok := w.rows[id]
	return n, ok
}

// IndexState implements plan.IndexStates.
func (w *world) IndexState(id storage.RelationID, property string) (plan.IndexState, bool) {
	s, ok := w.states[fmt.Sprint(id, ".", property)]
	return s, ok
}

// RelationRows implements plan.RelationRows.
func (w *world) RelationRows(id storage.RelationID) (int64, bool) { return w.RowCount(id) }

// virtual is a system catalog of one relation.
type virtual struct{}

func (virtual) Lookup(schema, name string) (*plan.VirtualScan, bool) {
	if schema != "pg_catalog" || name != "pg_class" {
		return nil, false
	}
	return &plan.VirtualScan{Name: "pg_class", Cols: []plan.Column{
		{Name: "oid", Type: types.TOID, Typmod: -1},
		{Name: "relname", Type: types.TName, Typmod: -1},
		{Name: "relnamespace", Type: types.TOID, Typmod: -1},
		{Name: "relkind", Type: types.TChar, Typmod: -1},
	}}, true
}

// schema reads a file's description of relations, one a line:
//
//	workspace fleet rows=1000
//	index fleet position precisions=8,6 rows=500 [building|rebuilding]
//	CREATE TABLE …
func (w *world) schema(t *testing.T, text string) {
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		words := strings.Fields(line)
		opt := func(key, def string) string {
			for _, x := range words {
				if v, ok := strings.CutPrefix(x, key+"="); ok {
					return v
				}
			}
			return def
		}
		switch words[0] {
		case "workspace":
			r := w.cat.NewWorkspace(words[1])
			w.rels["public."+words[1]] = r
			if n, err := strconv.ParseInt(opt("rows", ""), 10, 64); err == nil {
				w.rows[r.ID] = n
			}
		case "rows":
			n, _ := strconv.ParseInt(words[2], 10, 64)
			w.rows[w.rels["public."+words[1]].ID] = n
		case "index":
			r := w.rels["public."+words[1]]
			s := plan.IndexState{Property: 1, Ready: !slices.Contains(words, "building") && !slices.Contains(words, "rebuilding")}
			s.Rebuilding = slices.Contains(words, "rebuilding")
			for _, p := range strings.Split(opt("precisions", "8,6"), ",") {
				n, _ := strconv.Atoi(p)
				s.Precisions = append(s.Precisions, n)
			}
			s.Rows, _ = strconv.ParseInt(opt("rows", "1000"), 10, 64)
			w.states[fmt.Sprint(r.ID, ".", words[2])] = s
		default:
			w.createTable(t, line)
		}
	}
}

func (w *world) createTable(t *testing.T, sql string) {
	st, err := parser.Parse(sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	ct := st[0].Node.(*ast.CreateTable)
	id := w.cat.NextRelationID()
	schema := ct.Name.Schema
	if schema == "" {
		schema = "public"
	}
	r := &catalog.Relation{ID: id, OID: catalog.FirstOID + uint32(id), Schema: schema, Name: ct.Name.Name, Kind: catalog.Table}
	b := newBuilder(context.Background(), Options{SQL: sql})
	index := func(cols []int, primary bool) {
		name := r.Name
		for _, c := range cols {
			name += "_" + r.Columns[c].Name
		}
		name += "_key"
		if primary {
			name = r.Name + "_pkey"
		}
		r.Indexes = append(r.Indexes, catalog.Index{ID: w.cat.NextIndexID(), Name: name, Columns: cols, Unique: true, Primary: primary})
	}
	for i := range ct.Columns {
		def := &ct.Columns[i]
		typ, typmod, err := b.typeName(&def.Type)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		c := catalog.Column{ID: uint16(i + 1), Name: def.Name, Type: typ, Typmod: typmod}
		unique, primary := false, false
		for _, k := range def.Constraints {
			switch k.Kind {
			case ast.NotNull:
				c.NotNull = true
			case ast.DefaultValue:
				c.Default = ast.Format(k.Expr)
			case ast.Unique:
				unique = true
			case ast.PrimaryKey:
				c.NotNull, primary = true, true
			}
		}
		r.Columns = append(r.Columns, c)
		if unique || primary {
			index([]int{i}, primary)
		}
	}
	for _, k := range ct.Constraints {
		var cols []int
		for _, name := range k.Columns {
			c, _ := r.ColumnByName(name)
			cols = append(cols, c)
			if k.Kind == ast.PrimaryKey {
				r.Columns[c].NotNull = true
			}
		}
		index(cols, k.Kind == ast.PrimaryKey)
	}
	w.rels[schema+"."+r.Name] = r
}

func testEnv() *types.Env {
	env := types.DefaultEnv()
	env.Now = time.Date(2024, 5, 17, 12, 0, 0, 0, time.UTC)
	return env
}

func (w *world) options(sql string) Options {
	return Options{Catalog: w, Virtual: virtual{}, ParamTypes: w.params, SQL: sql, Env: testEnv()}
}

// plan plans the one statement of sql.
func (w *world) plan(sql string) (*plan.Statement, error) {
	stmts, err := parser.Parse(sql)
	if err != nil {
		return nil, err
	}
	if len(stmts) != 1 {
		return nil, fmt.Errorf("%d statements", len(stmts))
	}
	return Plan(context.Background(), stmts[0].Node, w.options(stmts[0].Text))
}

func firstChild(n plan.Node) plan.Node {
	if c := n.Children(); len(c) > 0 {
		return c[0]
	}
	return nil
}

func errorText(err error) string {
	e := pgerr.From(err)
	out := fmt.Sprintf("%s at %d: %s\n", e.Code, e.Pos, e.Msg)
	if e.Detail != "" {
		out += "DETAIL: " + e.Detail + "\n"
	}
	if e.Hint != "" {
		out += "HINT: " + e.Hint + "\n"
	}
	return out
}

// describe prints the result columns and the parameters of a plan.
func describe(st *plan.Statement) string {
	var sb strings.Builder
	for _, c := range st.Columns {
		fmt.Fprintf(&sb, "%s %s\n", c.Name, types.FormatType(c.Type, c.Typmod))
	}
	for i, p := range st.Params {
		fmt.Fprintf(&sb, "$%d %s\n", i+1, p)
	}
	if sb.Len() == 0 {
		return "nothing\n"
	}
	return sb.String()
}

// explain prints a plan; params are values of parameters as text, of the types the
// plan settled on.
func (w *world) explain(t *testing.T, st *plan.Statement, d *datadriven.TestData) string {
	o := plan.ExplainOptions{Verbose: d.HasArg("verbose"), Costs: d.HasArg("costs")}
	switch {
	case d.HasArg("json"):
		o.Format = plan.ExplainJSON
	case d.HasArg("yaml"):
		o.Format = plan.ExplainYAML
	}
	ec := &expr.Ctx{Ctx: &funcs.Ctx{Context: context.Background(), Env: testEnv()}}
	if arg, ok := d.Arg("params"); ok {
		for i, v := range arg.Vals {
			value, err := st.Params[i].ParseText(v, -1, ec.Env)
			if err != nil {
				t.Fatalf("%s: parameter %d: %v", d.Pos, i+1, err)
			}
			ec.Params = append(ec.Params, value)
		}
	}
	var stats map[plan.Node]*plan.Stats
	if d.HasArg("fellback") { // as if the first spatial scan had met a full cell
		o.Analyze = true
		stats = map[plan.Node]*plan.Stats{}
		for n := st.Root; n != nil; n = firstChild(n) {
			s := &plan.Stats{Loops: 1, Rows: 3}
			if sp, ok := n.(*plan.SpatialScan); ok {
				s.Cells, s.Ranges, s.Seeks, s.KeysVisited = 1, 1, 1, 250001
				s.FellBack = &plan.NotUsed{Reason: plan.ReasonCellBudget, Relation: sp.Rel.Name, Property: sp.Property}
			}
			stats[n] = s
		}
	}
	lines, err := plan.ExplainLines(st, o, w, ec, stats)
	if err != nil {
		return errorText(err)
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestPlans runs the files of testdata:
//
//	schema      relations, see world.schema
//	params      types of $1, $2 …, given by the client; none for inferred ones
//	plan        prints EXPLAIN, or the error
//	types       prints result columns and parameters, or the error
func TestPlans(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		w := newWorld()
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "schema":
				w.schema(t, d.Input)
				return ""
			case "params":
				w.params = nil
				for _, name := range strings.Fields(d.Input) {
					typ, ok := types.ByName(name)
					if !ok {
						t.Fatalf("%s: no type %s", d.Pos, name)
					}
					w.params = append(w.params, typ)
				}
				return ""
			case "plan", "types":
				st, err := w.plan(d.Input)
				if err != nil {
					return errorText(err)
				}
				checkPlan(t, d, st)
				if d.Cmd == "types" {
					return describe(st)
				}
				return w.explain(t, st, d)
			}
			t.Fatalf("%s: unknown command %s", d.Pos, d.Cmd)
			return ""
		})
	})
}

// checkPlan holds what is true of every plan: no expression is left that only the
// planner understands, and every column reference lies within its row.
func checkPlan(t *testing.T, d *datadriven.TestData, st *plan.Statement) {
	t.Helper()
	var check func(plan.Node)
	check = func(n plan.Node) {
		if n == nil {
			t.Errorf("%s: a node is missing", d.Pos)
			return
		}
		width := 0
		for _, c := range n.Children() {
			check(c)
			width += len(c.Columns())
		}
		switch n := n.(type) {
		case *plan.RowScan, *plan.KeyScan, *plan.IndexScan, *plan.SpatialScan, *plan.VirtualScan:
			width = len(n.Columns())
		case *plan.Insert:
			width = len(n.Rel.Columns)*2 + plan.ExtraColumns
		}
		for _, e := range plan.Exprs(n) {
			expr.Walk(e, func(e expr.Expr) bool {
				switch e := e.(type) {
				case *variable, *aggregate, *grouping, *setCall, *subquery, typeOnly:
					t.Errorf("%s: %T is left in %T", d.Pos, e, n)
				case *expr.Column:
					if e.Index < 0 || e.Index >= width {
						t.Errorf("%s: %T reads column %d (%s) of %d", d.Pos, n, e.Index, e.Name, width)
					}
				}
				return true
			})
		}
	}
	check(st.Root)
	for _, s := range st.Subplans {
		check(s.Root)
	}
	for _, c := range st.CTEs {
		check(c.Root)
	}
}

// TestReasons wants every reason for not using the spatial index in some file.
func TestReasons(t *testing.T) {
	seen := map[string]bool{}
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			for _, line := range strings.Split(d.Expected, "\n") {
				seen[line] = true
			}
			return d.Expected
		})
	})
	for _, r := range plan.Reasons() {
		found := false
		for line := range seen {
			found = found || strings.Contains(line, reasonWords(r))
		}
		if !found {
			t.Errorf("no test file has the reason %q", reasonWords(r))
		}
	}
}

// reasonWords is the part of a reason's text that has no numbers and names.
func reasonWords(r plan.Reason) string {
	switch r {
	case plan.ReasonRadiusNotCovered:
		return " m needs "
	case plan.ReasonBoxNotCovered:
		return "box needs "
	}
	text := (&plan.NotUsed{Reason: r}).String()
	if i := strings.Index(text, "; run"); i > 0 {
		return text[:i]
	}
	return text
}
