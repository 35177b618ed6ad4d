package ast

import (
	"strings"
)

// Settled is what names and constants of a query mean, by their places in its text.
type Settled struct {
	// Columns are the parts that name a column whatever else is in reach.
	Columns map[int][]string
	// Stars are the columns a * stands for.
	Stars map[int][][]string
	// Relations are names with their schemas.
	Relations map[int]RelName
	// Literals are the types of constants that were written without one.
	Literals map[int]string
	// Rename, when given, gives the parts that a column is named by.
	Rename func(parts []string) []string
	// Label is what an output column without a name of its own is called.
	Label func(Expr) string
}

// FormatQuery prints a query as PostgreSQL's pg_get_viewdef lays one out, without the
// semicolon. With s, its names are settled; names, when given, are those of the output
// columns; rel, when given, says how relations are named.
func FormatQuery(q *Select, s *Settled, names []string, rel func(RelName) RelName) string {
	p := printer{settled: s, pretty: true, outputs: names, relName: rel}
	p.query(q)
	return p.String()
}

// FormatSettled is Format with names settled.
func FormatSettled(n Node, s *Settled) string {
	p := printer{settled: s}
	p.node(n)
	return p.String()
}

// Indents of PostgreSQL's ruleutils.c.
const (
	indentStandard = 8
	indentJoin     = 4
	indentColumn   = 4
)

// keyword starts a clause: on a line of its own in a pretty print, else behind a space.
func (p *printer) keyword(word string, before, after, plus int) {
	if !p.pretty {
		p.put(word)
		return
	}
	p.indent += before
	text := strings.TrimRight(p.String(), " ")
	p.Reset()
	p.put(text, "\n", strings.Repeat(" ", max(p.indent, 0)+plus), word)
	p.indent = max(p.indent+after, 0)
}

// clauseWord is keyword for a clause of SELECT.
func (p *printer) clauseWord(word string, plus int) {
	p.keyword(word, -indentStandard, indentStandard, plus)
}

// targets writes a select list.
func (p *printer) targets(list []Target) {
	outputs := p.outputs
	p.outputs = nil
	first, n := true, 0
	one := func(write func() string, given string) {
		if !first {
			p.put(",")
			if p.pretty {
				p.clauseWord("", indentColumn)
			} else {
				p.put(" ")
			}
		}
		first = false
		label := write()
		name := given
		if n < len(outputs) {
			name = outputs[n]
		}
		n++
		if name != "" && (given != "" && len(outputs) == 0 && p.settled == nil || name != label) {
			p.put(" AS ", QuoteIdent(name))
		}
	}
	for _, t := range list {
		ref, _ := t.Expr.(*ColumnRef)
		if ref != nil && ref.Star && p.settled != nil {
			if cols, ok := p.settled.Stars[ref.Pos()]; ok {
				for _, parts := range cols {
					one(func() string { p.dotted(parts); return parts[len(parts)-1] }, "")
				}
				continue
			}
		}
		given := t.Name
		if given == "" && p.settled != nil && p.settled.Label != nil {
			given = p.settled.Label(t.Expr)
		}
		one(func() string {
			p.expr(t.Expr)
			if ref == nil || ref.Star {
				return ""
			}
			parts := p.columnParts(ref)
			return parts[len(parts)-1]
		}, given)
	}
}

func (p *printer) columnParts(x *ColumnRef) []string {
	if p.settled != nil && p.settled.Rename != nil {
		return p.settled.Rename(x.Parts)
	}
	if p.settled != nil {
		if parts, ok := p.settled.Columns[x.Pos()]; ok {
			return parts
		}
	}
	return x.Parts
}
