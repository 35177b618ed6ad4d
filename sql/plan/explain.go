package plan

import (
	"fmt"
	"slices"

	"raisind/sql/expr"
)

// ExplainFormat is how EXPLAIN writes a plan.
type ExplainFormat uint8

// The formats of EXPLAIN.
const (
	ExplainText ExplainFormat = iota
	ExplainJSON
	ExplainYAML
)

// ExplainOptions are the options of EXPLAIN with their defaults filled in.
type ExplainOptions struct {
	Analyze, Verbose, Costs, Buffers, Timing, Summary bool
	Format                                            ExplainFormat
	// PlanningNanos, ExecutionNanos and CommitNanos are printed with Summary; the last
	// is the wait for the commit of a statement that wrote, 0 for none.
	PlanningNanos, ExecutionNanos, CommitNanos int64
	// Triggers are those that could fire, for ANALYZE; those that did are printed.
	Triggers []TriggerStats
}

// TriggerStats is what the firings of one trigger took.
type TriggerStats struct {
	Name, Relation string
	Nanos          int64
	Calls          int64
}

// triggerLines prints the triggers, with their relations when they are of several.
func (o *ExplainOptions) triggerLines() []string {
	var lines []string
	for _, t := range o.Triggers {
		if t.Calls == 0 {
			continue
		}
		line := "Trigger " + t.Name
		if o.Verbose || slices.ContainsFunc(o.Triggers, func(x TriggerStats) bool { return x.Relation != t.Relation }) {
			line += " on " + t.Relation
		}
		if o.Timing {
			line += fmt.Sprintf(": time=%.3f", millis(t.Nanos))
		} else {
			line += ":"
		}
		lines = append(lines, line+fmt.Sprintf(" calls=%d", t.Calls))
	}
	return lines
}

// triggerObjects are the triggers for JSON and YAML.
func (o *ExplainOptions) triggerObjects() []object {
	list := []object{}
	for _, t := range o.Triggers {
		if t.Calls == 0 {
			continue
		}
		d := object{{"Trigger Name", t.Name}, {"Relation", t.Relation}}
		if o.Timing {
			d = append(d, member{"Time", decimal{millis(t.Nanos), 3}})
		}
		list = append(list, append(d, member{"Calls", decimal{float64(t.Calls), 0}}))
	}
	return list
}

// ExplainLines prints a statement's plan, one line of text an entry; JSON and YAML
// are one entry that holds all lines. states tells what spatial scans would do now,
// ec holds parameters that are known (either may be nil: the print then names what is
// decided later); stats are those of an execution, for ANALYZE.
func ExplainLines(st *Statement, o ExplainOptions, states IndexStates, ec *expr.Ctx, stats map[Node]*Stats) ([]string, error) {
	x := &explainer{
		costing: costing{st: st, states: states, ec: ec, memo: map[Node]Cost{}},
		o:       o, stats: stats, done: map[int]bool{},
	}
	root := x.node(st.Root)
	for i := len(st.CTEs) - 1; i >= 0; i-- {
		c := &st.CTEs[i]
		if c.Root != nil && !x.printed[c.Root] {
			k := x.node(c.Root)
			k.parent, k.label = "InitPlan", "CTE "+c.Name
			root.kids = append([]*entry{k}, root.kids...)
		}
	}
	switch o.Format {
	case ExplainJSON:
		return []string{x.json(root)}, nil
	case ExplainYAML:
		return []string{x.yaml(root)}, nil
	}
	lines := text(nil, root, 0)
	if o.Summary {
		lines = append(lines, fmt.Sprintf("Planning Time: %.3f ms", millis(o.PlanningNanos)))
	}
	if o.Analyze {
		lines = append(lines, o.triggerLines()...)
	}
	if o.Summary {
		if o.Analyze {
			if o.CommitNanos > 0 {
				lines = append(lines, fmt.Sprintf("Commit Time: %.3f ms", millis(o.CommitNanos)))
			}
			lines = append(lines, fmt.Sprintf("Execution Time: %.3f ms", millis(o.ExecutionNanos)))
		}
	}
	return lines, nil
}

func millis(nanos int64) float64 { return float64(nanos) / 1e6 }

// explainer turns nodes into entries.
type explainer struct {
	costing
	o     ExplainOptions
	stats map[Node]*Stats
	done  map[int]bool // subqueries printed
	// printed are nodes that stand in the tree already.
	printed map[Node]bool
}

// entry is one node as it is printed.
type entry struct {
	title string // the line of text
	kind  string // Node Type
	cost  *Cost
	// actual is given with ANALYZE.
	actual *actual
	fields []prop
	kids   []*entry
	// parent is the relationship to the node above, label a line before it in text.
	parent, label string
	timing        bool
	measured      bool
}

// actual is what an execution measured, a loop.
type actual struct {
	startup, total float64 // milliseconds
	rows           float64
	loops          int64
}

// prop is a property of an entry. Text is its value in text, absent when empty; the
// structured formats print value.
type prop struct {
	key   string
	text  string
	value any
	// line replaces "key: text" where it is given.
	line string
}

func (e *entry) add(key, value string) {
	e.fields = append(e.fields, prop{key: key, text: value, value: value})
}

func (e *entry) list(key string, values []string) {
	text := ""
	for i, v := range values {
		if i > 0 {
			text += ", "
		}
		text += v
	}
	e.fields = append(e.fields, prop{key: key, text: text, value: values})
}

// count adds a number that text prints as it is.
func (e *entry) count(key string, n int64) {
	e.fields = append(e.fields, prop{key: key, text: fmt.Sprint(n), value: n})
}

// hidden adds a property of the structured formats.
func (e *entry) hidden(key string, value any) {
	e.fields = append(e.fields, prop{key: key, value: value})
}

// has reports whether a property was added.
func (e *entry) has(key string) bool {
	for _, p := range e.fields {
		if p.key == key {
			return true
		}
	}
	return false
}

func (x *explainer) stat(n Node) *Stats {
	if x.stats == nil {
		return nil
	}
	return x.stats[n]
}

// node makes the entry of n and of all below it.
func (x *explainer) node(n Node) *entry {
	if x.printed == nil {
		x.printed = map[Node]bool{}
	}
	x.printed[n] = true
	e := x.describe(n)
	if !e.measured {
		x.measure(e, n)
	}
	for _, id := range subplansOf(n) {
		if id >= len(x.st.Subplans) || x.done[id] || x.st.Subplans[id].Root == nil {
			continue
		}
		x.done[id] = true
		k := x.node(x.st.Subplans[id].Root)
		k.parent, k.label = "SubPlan", fmt.Sprintf("SubPlan %d", id+1)
		e.kids = append(e.kids, k)
	}
	return e
}

// measure gives an entry the cost and the counters of a node.
func (x *explainer) measure(e *entry, n Node) {
	e.measured = true
	if x.o.Costs {
		c := x.of(n)
		e.cost = &c
	}
	if !x.o.Analyze {
		return
	}
	e.timing = x.o.Timing
	e.actual = &actual{}
	s := x.stat(n)
	if s == nil || s.Loops == 0 {
		return
	}
	loops := float64(s.Loops)
	e.actual = &actual{
		startup: millis(s.StartupNanos) / loops, total: millis(s.TotalNanos) / loops,
		rows: float64(s.Rows) / loops, loops: s.Loops,
	}
}
