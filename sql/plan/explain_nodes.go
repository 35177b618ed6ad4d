package plan

import (
	"fmt"
	"strconv"
	"strings"

	"raisind/catalog"
	"raisind/sql/expr"
)

// describe names a node and lists its properties; children's entries are made here,
// subqueries follow in node.
func (x *explainer) describe(n Node) *entry {
	switch n := n.(type) {
	case *Project:
		return x.project(n)
	case *Filter:
		return x.filter(n)
	case *Values:
		return x.values(n)
	case *RowScan, *KeyScan, *IndexScan, *SpatialScan, *VirtualScan, *FuncScan, *CTEScan:
		return x.scan(n)
	case *Insert, *Update, *Delete:
		return x.write(n)
	}
	e := &entry{}
	switch n := n.(type) {
	case *ProjectSet:
		e.kind = "ProjectSet"
	case *Sort:
		e.kind = "Sort"
		e.list("Sort Key", sortKeyTexts(n.Keys))
		if s := x.stat(n); s != nil && s.SortMethod != "" {
			kB := (s.SortSpaceBytes + 1023) / 1024
			e.hidden("Sort Method", s.SortMethod)
			e.hidden("Sort Space Used", kB)
			where := "Memory"
			if s.SortOnDisk {
				where = "Disk"
			}
			e.hidden("Sort Space Type", where)
			e.fields = append(e.fields, prop{line: fmt.Sprintf("Sort Method: %s  %s: %dkB", s.SortMethod, where, kB)})
		}
	case *Limit:
		e.kind = "Limit"
	case *Distinct:
		e.kind, e.title = "Aggregate", "HashAggregate"
		e.hidden("Strategy", "Hashed")
		if n.On != nil {
			e.kind, e.title = "Unique", "Unique"
			e.fields = nil
		} else {
			var keys []string
			for _, c := range n.Source.Columns() {
				keys = append(keys, expr.QuoteName(c.Name))
			}
			e.list("Group Key", keys)
			x.hashed(e, n)
		}
	case *Aggregate:
		x.aggregate(e, n)
	case *Window:
		e.kind = "WindowAgg"
	case *NestedLoop:
		e.kind, e.title = "Nested Loop", "Nested Loop"+joinWords(n.Kind, "")
		e.hidden("Join Type", joinType(n.Kind))
		if n.On != nil {
			e.add("Join Filter", expr.Format(n.On))
		}
	case *HashJoin:
		return x.hashJoin(n)
	case *SetOp:
		return x.setOp(n)
	case *RecursiveUnion:
		e.kind = "Recursive Union"
	case *LockRows:
		e.kind = "LockRows"
	default:
		e.kind = strings.TrimPrefix(fmt.Sprintf("%T", n), "*plan.")
	}
	if e.title == "" {
		e.title = e.kind
	}
	x.children(e, n)
	return e
}

// children adds the entries of what n reads from.
func (x *explainer) children(e *entry, n Node) {
	for i, c := range n.Children() {
		k := x.node(c)
		k.parent = [...]string{"Outer", "Inner"}[min(i, 1)]
		e.kids = append(e.kids, k)
	}
	x.output(e, n)
}

// output lists what a node yields, with VERBOSE.
func (x *explainer) output(e *entry, n Node) {
	if !x.o.Verbose || e.has("Output") {
		return
	}
	var names []string
	switch n := n.(type) {
	case *Project:
		names = formatAll(n.Exprs)
	case *ProjectSet:
		for _, i := range n.Items {
			if i.Set != nil {
				names = append(names, expr.Format(&expr.Call{Fn: i.Set, Args: i.Args, T: i.Set.Result}))
			} else {
				names = append(names, expr.Format(i.Expr))
			}
		}
	case *RowScan:
		names = neededNames(n.Rel, n.Need)
	case *KeyScan:
		names = neededNames(n.Rel, n.Need)
	case *IndexScan:
		names = neededNames(n.Rel, n.Need)
	case *SpatialScan:
		names = neededNames(n.Rel, n.Need)
	case *Insert:
		names = formatAll(n.Returning)
	case *Update:
		names = formatAll(n.Returning)
	case *Delete:
		names = formatAll(n.Returning)
	case *Sort, *Limit, *LockRows, *NestedLoop, *HashJoin: // what the nodes below yield
	default:
		for _, c := range n.Columns() {
			names = append(names, expr.QuoteName(c.Name))
		}
	}
	if len(names) > 0 {
		e.fields = append([]prop{{key: "Output", text: strings.Join(names, ", "), value: names}}, e.fields...)
	}
}

// neededNames are the columns of a relation that a scan reads.
func neededNames(r *catalog.Relation, need []bool) []string {
	var names []string
	for i, c := range r.Columns {
		if need == nil || need[i] {
			names = append(names, expr.QuoteName(c.Name))
		}
	}
	return names
}

func formatAll(es []expr.Expr) []string {
	out := make([]string, len(es))
	for i, e := range es {
		out[i] = expr.Format(e)
	}
	return out
}

// project is not a node of its own in PostgreSQL: the one below computes.
func (x *explainer) project(n *Project) *entry {
	if v, ok := n.Source.(*Values); ok && len(v.Rows) == 1 && len(v.Cols) == 0 {
		e := &entry{kind: "Result", title: "Result"}
		x.output(e, n)
		return e
	}
	e := x.node(n.Source)
	if x.o.Verbose {
		for i, p := range e.fields {
			if p.key == "Output" {
				e.fields = append(e.fields[:i:i], e.fields[i+1:]...)
				break
			}
		}
		x.output(e, n)
	}
	return e
}

// filter is printed on the node it filters where that has none of its own.
func (x *explainer) filter(n *Filter) *entry {
	e := x.node(n.Source)
	if e.has("Filter") || e.kind == "Limit" || e.kind == "Sort" || e.kind == "LockRows" || e.kind == "Result" {
		inner := e
		inner.parent = "Outer"
		e = &entry{kind: "Result", title: "Result", kids: []*entry{inner}}
	}
	if v, ok := n.Source.(*Values); ok && len(v.Rows) == 1 && len(v.Cols) == 0 {
		e = &entry{kind: "Result", title: "Result"}
		e.add("One-Time Filter", expr.Format(n.Cond))
		return e
	}
	e.add("Filter", expr.Format(n.Cond))
	x.removed(e, x.stat(n), "Rows Removed by Filter")
	x.measure(e, n)
	return e
}

// removed adds how many rows a condition took away, a loop.
func (x *explainer) removed(e *entry, s *Stats, key string) {
	if s != nil && s.RemovedByFilter > 0 && s.Loops > 0 {
		e.count(key, s.RemovedByFilter/s.Loops)
	}
}

func (x *explainer) values(n *Values) *entry {
	if len(n.Rows) == 0 {
		e := &entry{kind: "Result", title: "Result"}
		e.add("One-Time Filter", "false")
		return e
	}
	if len(n.Rows) == 1 {
		e := &entry{kind: "Result", title: "Result"}
		x.output(e, n)
		return e
	}
	e := &entry{kind: "Values Scan", title: `Values Scan on "*VALUES*"`}
	e.hidden("Alias", "*VALUES*")
	x.output(e, n)
	return e
}

// sortKeyTexts prints keys with what differs from ascending, NULLs last.
func sortKeyTexts(keys []SortKey) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = keyText(k.Expr)
		if k.Desc {
			out[i] += " DESC"
		}
		if k.NullsFirst != k.Desc {
			out[i] += map[bool]string{true: " NULLS FIRST", false: " NULLS LAST"}[k.NullsFirst]
		}
	}
	return out
}

// keyText prints an expression in a list of keys: computed ones in parentheses.
func keyText(e expr.Expr) string {
	s := expr.Format(e)
	if c, ok := e.(*expr.Column); ok && !strings.ContainsAny(c.Name, "(: ") {
		return s
	}
	if strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") {
		return s
	}
	return "(" + s + ")"
}

func (x *explainer) aggregate(e *entry, n *Aggregate) {
	e.kind, e.title = "Aggregate", "Aggregate"
	strategy := "Plain"
	switch {
	case n.Sets != nil:
		strategy, e.title = "Mixed", "MixedAggregate"
	case len(n.Keys) > 0:
		strategy, e.title = "Hashed", "HashAggregate"
	}
	e.hidden("Strategy", strategy)
	if n.Sets == nil {
		if len(n.Keys) > 0 {
			var keys []string
			for _, k := range n.Keys {
				keys = append(keys, keyText(k))
			}
			e.list("Group Key", keys)
			x.hashed(e, n)
		}
		return
	}
	defer x.hashed(e, n)
	for _, set := range n.Sets {
		var keys []string
		for _, k := range set {
			keys = append(keys, keyText(n.Keys[k]))
		}
		if len(keys) == 0 {
			e.fields = append(e.fields, prop{line: "Group Key: ()"})
			continue
		}
		e.fields = append(e.fields, prop{line: "Hash Key: " + strings.Join(keys, ", ")})
	}
}

// hashed adds what the hash table of a node took.
func (x *explainer) hashed(e *entry, n Node) {
	s := x.stat(n)
	if s == nil || s.Batches == 0 {
		return
	}
	kB := (s.HashBytes + 1023) / 1024
	e.hidden("HashAgg Batches", s.Batches)
	e.hidden("Peak Memory Usage", kB)
	line := fmt.Sprintf("Batches: %d  Memory Usage: %dkB", s.Batches, kB)
	if s.HashDiskBytes > 0 {
		disk := (s.HashDiskBytes + 1023) / 1024
		e.hidden("Disk Usage", disk)
		line += fmt.Sprintf("  Disk Usage: %dkB", disk)
	}
	e.fields = append(e.fields, prop{line: line})
}

// joinWords are what follows the name of a join.
func joinWords(k JoinKind, word string) string {
	switch k {
	case LeftJoin:
		return " Left Join"
	case RightJoin:
		return " Right Join"
	case FullJoin:
		return " Full Join"
	case SemiJoin:
		return " Semi Join"
	case AntiJoin:
		return " Anti Join"
	}
	return word
}

func joinType(k JoinKind) string {
	return [...]string{"Inner", "Left", "Right", "Full", "Semi", "Anti"}[k]
}

func (x *explainer) hashJoin(n *HashJoin) *entry {
	e := &entry{kind: "Hash Join", title: "Hash" + joinWords(n.Kind, " Join")}
	e.hidden("Join Type", joinType(n.Kind))
	var conds []string
	for i := range n.LeftKeys {
		conds = append(conds, "("+expr.Format(n.LeftKeys[i])+" = "+expr.Format(n.RightKeys[i])+")")
	}
	cond := strings.Join(conds, " AND ")
	if len(conds) > 1 {
		cond = "(" + cond + ")"
	}
	e.add("Hash Cond", cond)
	if n.On != nil {
		e.add("Join Filter", expr.Format(n.On))
	}
	l, r := x.node(n.Left), x.node(n.Right)
	h := &entry{kind: "Hash", title: "Hash", kids: []*entry{r}, parent: "Inner", cost: r.cost, actual: r.actual, timing: r.timing}
	if s := x.stat(n); s != nil && s.Batches > 0 {
		kB := (s.HashBytes + 1023) / 1024
		h.hidden("Hash Buckets", s.Buckets)
		h.hidden("Hash Batches", s.Batches)
		h.hidden("Peak Memory Usage", kB)
		h.fields = append(h.fields, prop{line: fmt.Sprintf("Buckets: %d  Batches: %d  Memory Usage: %dkB", s.Buckets, s.Batches, kB)})
	}
	l.parent, r.parent = "Outer", "Outer"
	e.kids = []*entry{l, h}
	x.output(e, n)
	return e
}

func (x *explainer) setOp(n *SetOp) *entry {
	var e *entry
	word := [...]string{"", "Intersect", "Except"}[n.Kind]
	all := ""
	if n.All {
		all = " All"
	}
	if n.Kind != Union {
		e = &entry{kind: "SetOp", title: "HashSetOp " + word + all}
		e.hidden("Strategy", "Hashed")
		e.hidden("Command", word+all)
		x.children(e, n)
		return e
	}
	e = &entry{kind: "Append", title: "Append"}
	for _, side := range []Node{n.Left, n.Right} {
		k := x.node(side)
		if inner, ok := side.(*SetOp); ok && inner.Kind == Union && inner.All && k.kind == "Append" {
			e.kids = append(e.kids, k.kids...) // one list, as the operator is associative
			continue
		}
		k.parent = "Member"
		e.kids = append(e.kids, k)
	}
	if n.All {
		return e
	}
	x.measure(e, n)
	e.parent = "Outer"
	u := &entry{kind: "Aggregate", title: "HashAggregate", kids: []*entry{e}}
	u.hidden("Strategy", "Hashed")
	var keys []string
	for _, c := range n.Cols {
		keys = append(keys, expr.QuoteName(c.Name))
	}
	u.list("Group Key", keys)
	x.hashed(u, n)
	return u
}

// relationText names a relation with its alias.
func (x *explainer) relationText(r *catalog.Relation, alias string) string {
	name := expr.QuoteName(r.Name)
	if x.o.Verbose {
		name = expr.QuoteName(r.Schema) + "." + name
	}
	if alias != "" && alias != r.Name {
		name += " " + expr.QuoteName(alias)
	}
	return name
}

func (x *explainer) relation(e *entry, r *catalog.Relation, alias string) {
	e.hidden("Relation Name", r.Name)
	if x.o.Verbose {
		e.hidden("Schema", r.Schema)
	}
	if alias == "" {
		alias = r.Name
	}
	e.hidden("Alias", alias)
}

func (x *explainer) write(n Node) *entry {
	e := &entry{kind: "ModifyTable"}
	head := func(op string, r *catalog.Relation, alias string) {
		e.title = op + " on " + x.relationText(r, alias)
		e.hidden("Operation", op)
		x.relation(e, r, alias)
	}
	switch n := n.(type) {
	case *Insert:
		head("Insert", n.Rel, "")
		if c := n.OnConflict; c != nil {
			if c.Update != nil {
				e.add("Conflict Resolution", "UPDATE")
			} else {
				e.add("Conflict Resolution", "NOTHING")
			}
			if c.Index != nil {
				e.list("Conflict Arbiter Indexes", []string{c.Index.Name})
			}
			if c.Where != nil {
				e.add("Conflict Filter", expr.Format(c.Where))
			}
		}
	case *Update:
		head("Update", n.Rel, n.Alias)
	case *Delete:
		head("Delete", n.Rel, n.Alias)
		if n.Descendants {
			e.add("Descendants", "deleted with their nodes")
		}
	}
	if s := x.stat(n); s != nil && x.o.Analyze {
		e.count("Spatial Keys Written", s.SpatialKeysWritten)
		e.count("Spatial Tombstones Written", s.SpatialTombstonesWritten)
		e.count("Dirty Extents Written", s.DirtyExtentsWritten)
		e.count("Bytes Written", s.BytesWritten)
	}
	for _, c := range n.Children() {
		k := x.node(c)
		k.parent = "Outer"
		e.kids = append(e.kids, k)
	}
	if len(n.Columns()) > 0 {
		x.output(e, n)
	}
	return e
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}
