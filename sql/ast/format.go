package ast

import (
	"fmt"
	"strconv"
	"strings"
)

// Format prints a statement, an expression or a part of one as SQL that parses to
// the same tree again. Operators are parenthesised as PostgreSQL prints them in
// EXPLAIN, keywords are in capitals, names quoted where needed.
func Format(n Node) string {
	var p printer
	p.node(n)
	return p.String()
}

type printer struct {
	strings.Builder
	settled *Settled
	// outputs are the names of the query's columns, used up by the first select list.
	outputs []string
	relName func(RelName) RelName
	pretty  bool
	indent  int
}

// put writes its arguments: strings as they are, anything else by fmt.
func (p *printer) put(parts ...any) {
	for _, part := range parts {
		switch v := part.(type) {
		case string:
			p.WriteString(v)
		case int:
			p.WriteString(strconv.Itoa(v))
		default:
			fmt.Fprint(p, v)
		}
	}
}

// flag writes text when on.
func (p *printer) flag(on bool, text string) {
	if on {
		p.WriteString(text)
	}
}

// name writes a name behind a prefix, nothing when it is empty.
func (p *printer) name(prefix, name string) {
	if name != "" {
		p.put(prefix, QuoteIdent(name))
	}
}

// list writes items separated by commas.
func list[T any](p *printer, items []T, write func(T)) {
	for i, item := range items {
		if i > 0 {
			p.WriteString(", ")
		}
		write(item)
	}
}

func (p *printer) names(names []string) {
	list(p, names, func(n string) { p.put(QuoteIdent(n)) })
}

// columns writes (a, b) behind a prefix, nothing when there are none.
func (p *printer) columns(prefix string, names []string) {
	if len(names) > 0 {
		p.put(prefix, "(")
		p.names(names)
		p.put(")")
	}
}

// dotted writes the parts of a qualified name.
func (p *printer) dotted(parts []string) {
	for i, part := range parts {
		if i > 0 {
			p.WriteByte('.')
		}
		p.put(QuoteIdent(part))
	}
}

// maxIdentBytes is how much of an identifier counts; longer names of relations
// come from literals.
const maxIdentBytes = 63

func (p *printer) rel(r RelName) {
	if p.settled != nil {
		if full, ok := p.settled.Relations[r.Pos()]; ok {
			r = full
		}
	}
	if p.relName != nil {
		r = p.relName(r)
	}
	if len(r.Name) > maxIdentBytes {
		p.put(QuoteLiteral(r.Name))
		return
	}
	if r.Catalog != "" {
		p.put(QuoteIdent(r.Catalog), ".")
	}
	if r.Schema != "" {
		p.put(QuoteIdent(r.Schema), ".")
	}
	p.put(QuoteIdent(r.Name))
}

func (p *printer) rels(names []RelName) { list(p, names, p.rel) }

func (p *printer) node(n Node) {
	switch n := n.(type) {
	case nil:
	case Stmt:
		p.stmt(n)
	case Expr:
		p.expr(n)
	case TableExpr:
		p.table(n)
	case TypeName:
		p.typeName(n)
	case *TypeName:
		p.typeName(*n)
	case RelName:
		p.rel(n)
	case *RelName:
		p.rel(*n)
	case Target:
		p.target(n)
	case OrderItem:
		p.orderItem(n)
	case *Window:
		p.window(n)
	}
}

func (p *printer) stmt(s Stmt) {
	switch s := s.(type) {
	case *Select:
		p.query(s)
	case *Insert:
		p.insert(s)
	case *Update:
		p.update(s)
	case *Delete:
		p.delete(s)
	case *Explain:
		p.explain(s)
	case *Unsupported:
		p.put(s.Text)
	case written:
		p.put(s.text())
	default:
		if !p.session(s) && !p.ddl(s) {
			p.spatial(s)
		}
	}
}

// optionValue writes an option's value where words and strings are told apart by
// nothing, so that strings serve for both.
func (p *printer) optionValue(x Expr) {
	switch v := x.(type) {
	case *RowLit:
		p.put("(")
		list(p, v.Args, p.optionValue)
		p.put(")")
	case *Literal:
		p.literal(v)
	default:
		p.expr(x)
	}
}

// options writes (name = value, ...) behind a prefix, nothing when there are
// none; equals is what stands between name and value.
func (p *printer) options(prefix string, options []Option, equals string) {
	if len(options) == 0 {
		return
	}
	p.put(prefix, "(")
	list(p, options, func(o Option) {
		if equals == " " {
			p.put(QuoteIdent(o.Name)) // the lists of EXPLAIN, VACUUM and COPY have no dots
		} else {
			p.pathName(o.Name)
		}
		if o.Value != nil {
			p.put(equals)
			p.optionValue(o.Value)
		}
	})
	p.put(")")
}
