package plan

import (
	"fmt"
	"math"
	"strings"
)

// text appends the lines of an entry: PostgreSQL's layout, children behind an arrow.
func text(lines []string, e *entry, indent int) []string {
	head := ""
	if e.label != "" {
		lines = append(lines, strings.Repeat("  ", indent)+e.label)
		indent++
	}
	if indent > 0 {
		head = strings.Repeat("  ", indent) + "->  "
		indent += 2
	}
	lines = append(lines, head+e.title+e.costText()+e.actualText())
	pad := strings.Repeat("  ", indent+1)
	for _, p := range e.fields {
		switch {
		case p.line != "":
			lines = append(lines, pad+p.line)
		case p.text != "":
			lines = append(lines, pad+p.key+": "+p.text)
		}
	}
	for _, k := range e.kids {
		lines = text(lines, k, indent+1)
	}
	return lines
}

func (e *entry) costText() string {
	if e.cost == nil {
		return ""
	}
	return fmt.Sprintf("  (cost=%.2f..%.2f rows=%.0f width=%d)", e.cost.Startup, e.cost.Total, e.cost.Rows, e.cost.Width)
}

func (e *entry) actualText() string {
	switch a := e.actual; {
	case a == nil:
		return ""
	case a.loops == 0:
		return " (never executed)"
	case e.timing:
		return fmt.Sprintf(" (actual time=%.3f..%.3f rows=%.0f loops=%d)", a.startup, a.total, math.Round(a.rows), a.loops)
	default:
		return fmt.Sprintf(" (actual rows=%.0f loops=%d)", math.Round(a.rows), a.loops)
	}
}
