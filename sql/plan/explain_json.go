package plan

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// object is a list of members in order, as both structured formats print them.
type object []member

type member struct {
	key   string
	value any
}

// decimal is a number printed with a fixed count of digits.
type decimal struct {
	v      float64
	digits int
}

// document is the whole answer of a structured format.
func (x *explainer) document(root *entry) object {
	d := object{{"Plan", root.object()}}
	if x.o.Summary {
		d = append(d, member{"Planning Time", decimal{millis(x.o.PlanningNanos), 3}})
	}
	if x.o.Analyze {
		d = append(d, member{"Triggers", x.o.triggerObjects()})
	}
	if x.o.Summary && x.o.Analyze {
		if x.o.CommitNanos > 0 {
			d = append(d, member{"Commit Time", decimal{millis(x.o.CommitNanos), 3}})
		}
		d = append(d, member{"Execution Time", decimal{millis(x.o.ExecutionNanos), 3}})
	}
	return d
}

func (e *entry) object() object {
	o := object{{"Node Type", e.kind}}
	if e.parent != "" {
		o = append(o, member{"Parent Relationship", e.parent})
	}
	if e.label != "" {
		o = append(o, member{"Subplan Name", e.label})
	}
	o = append(o, member{"Parallel Aware", false}, member{"Async Capable", false})
	var late []prop
	for _, p := range e.fields {
		if identity[p.key] {
			o = append(o, member{p.key, p.value})
		} else {
			late = append(late, p)
		}
	}
	if c := e.cost; c != nil {
		o = append(o, member{"Startup Cost", decimal{c.Startup, 2}}, member{"Total Cost", decimal{c.Total, 2}},
			member{"Plan Rows", int64(c.Rows)}, member{"Plan Width", c.Width})
	}
	if a := e.actual; a != nil {
		if e.timing {
			o = append(o, member{"Actual Startup Time", decimal{a.startup, 3}}, member{"Actual Total Time", decimal{a.total, 3}})
		}
		o = append(o, member{"Actual Rows", int64(math.Round(a.rows))}, member{"Actual Loops", a.loops})
	}
	for _, p := range late {
		if p.value != nil {
			o = append(o, member{p.key, p.value})
		}
	}
	if len(e.kids) > 0 {
		var plans []object
		for _, k := range e.kids {
			plans = append(plans, k.object())
		}
		o = append(o, member{"Plans", plans})
	}
	return o
}

// identity are the properties that come before the costs.
var identity = map[string]bool{
	"Operation": true, "Relation Name": true, "Schema": true, "Alias": true, "Index Name": true, "Scan Direction": true,
	"Function Name": true, "CTE Name": true, "Join Type": true, "Strategy": true, "Command": true, "Property": true,
}

func (x *explainer) json(root *entry) string {
	var sb strings.Builder
	sb.WriteString("[\n  ")
	writeJSON(&sb, x.document(root), 1)
	sb.WriteString("\n]")
	return sb.String()
}

func writeJSON(sb *strings.Builder, v any, depth int) {
	pad := strings.Repeat("  ", depth+1)
	end := strings.Repeat("  ", depth)
	switch v := v.(type) {
	case object:
		sb.WriteString("{\n")
		for i, m := range v {
			sb.WriteString(pad + jsonString(m.key) + ": ")
			writeJSON(sb, m.value, depth+1)
			if i < len(v)-1 {
				sb.WriteByte(',')
			}
			sb.WriteByte('\n')
		}
		sb.WriteString(end + "}")
	case []object:
		if len(v) == 0 {
			sb.WriteString("[\n" + end + "]")
			return
		}
		sb.WriteString("[\n")
		for i, o := range v {
			sb.WriteString(pad)
			writeJSON(sb, o, depth+1)
			if i < len(v)-1 {
				sb.WriteByte(',')
			}
			sb.WriteByte('\n')
		}
		sb.WriteString(end + "]")
	case []string:
		quoted := make([]string, len(v))
		for i, s := range v {
			quoted[i] = jsonString(s)
		}
		sb.WriteString("[" + strings.Join(quoted, ", ") + "]")
	default:
		sb.WriteString(scalar(v))
	}
}

func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return jsonString(v)
	case decimal:
		return strconv.FormatFloat(v.v, 'f', v.digits, 64)
	}
	return fmt.Sprint(v)
}

func jsonString(s string) string {
	var sb strings.Builder
	enc := json.NewEncoder(&sb)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return `""`
	}
	return strings.TrimSuffix(sb.String(), "\n")
}

func (x *explainer) yaml(root *entry) string {
	var sb strings.Builder
	writeYAML(&sb, x.document(root), 0, true)
	return strings.TrimSuffix(sb.String(), "\n")
}

// writeYAML writes members at depth; of a list item the first stands behind a dash.
func writeYAML(sb *strings.Builder, o object, depth int, item bool) {
	for i, m := range o {
		switch {
		case item && i == 0:
			sb.WriteString(strings.Repeat("  ", depth) + "- ")
		case item:
			sb.WriteString(strings.Repeat("  ", depth+1))
		default:
			sb.WriteString(strings.Repeat("  ", depth))
		}
		below := depth + 1
		if item {
			below++
		}
		switch v := m.value.(type) {
		case object:
			sb.WriteString(m.key + ": \n")
			writeYAML(sb, v, below, false)
		case []object:
			sb.WriteString(m.key + ": \n")
			for _, x := range v {
				writeYAML(sb, x, below, true)
			}
		case []string:
			sb.WriteString(m.key + ": \n")
			for _, s := range v {
				sb.WriteString(strings.Repeat("  ", below) + "- " + jsonString(s) + "\n")
			}
		default:
			sb.WriteString(m.key + ": " + scalar(v) + "\n")
		}
	}
}
