package ast

import "strings"

// extractFields may stand in EXTRACT without quotes.
const extractFields = " century day decade dow doy epoch hour isodow isoyear julian microseconds millennium milliseconds " +
	"minute month quarter second timezone timezone_hour timezone_minute week year "

func (p *printer) call(x *FuncCall) {
	if len(x.Name) == 2 && x.Name[0] == "pg_catalog" && x.Name[1] == "extract" && len(x.Args) == 2 && !x.Variadic && plainCall(x) {
		if field, ok := x.Args[0].(*Literal); ok && field.Kind == LitString && strings.Contains(extractFields, " "+field.Text+" ") {
			p.put("EXTRACT(", field.Text, " FROM ")
			p.expr(x.Args[1])
			p.put(")")
			return
		}
	}
	p.dotted(x.Name)
	p.put("(")
	p.flag(x.Star, "*")
	p.flag(x.Distinct, "DISTINCT ")
	for i, arg := range x.Args {
		p.flag(i > 0, ", ")
		p.flag(x.Variadic && i == len(x.Args)-1, "VARIADIC ")
		p.expr(arg)
	}
	p.orderBy(" ", x.OrderBy)
	p.put(")")
	if x.Within != nil {
		p.put(" WITHIN GROUP (")
		p.orderBy("", x.Within)
		p.put(")")
	}
	if x.Filter != nil {
		p.put(" FILTER (WHERE ")
		p.expr(x.Filter)
		p.put(")")
	}
	if x.Over != nil {
		p.put(" OVER ")
		if x.Over.Name != "" {
			p.put(QuoteIdent(x.Over.Name))
		} else {
			p.window(x.Over)
		}
	}
}

// plainCall reports whether x has nothing but arguments.
func plainCall(x *FuncCall) bool {
	for _, arg := range x.Args {
		if _, named := arg.(*NamedArg); named {
			return false
		}
	}
	return !x.Distinct && !x.Star && x.OrderBy == nil && x.Within == nil && x.Filter == nil && x.Over == nil
}

func (p *printer) orderBy(prefix string, items []OrderItem) {
	if len(items) > 0 {
		p.put(prefix, "ORDER BY ")
		list(p, items, p.orderItem)
	}
}

func (p *printer) orderItem(o OrderItem) {
	p.expr(o.Expr)
	if o.Using != "" {
		p.put(" USING ")
		p.op(o.Using)
	}
	p.flag(o.Desc, " DESC")
	p.put([]string{"", " NULLS FIRST", " NULLS LAST"}[o.Nulls])
}

func (p *printer) window(w *Window) {
	p.put("(")
	sep := ""
	switch w.Base {
	case "":
	case "partition", "range", "rows", "groups": // would start the next clause
		p.put(`"`, w.Base, `"`)
		sep = " "
	default:
		p.put(QuoteIdent(w.Base))
		sep = " "
	}
	if w.PartitionBy != nil {
		p.put(sep, "PARTITION BY ")
		p.exprs(w.PartitionBy)
		sep = " "
	}
	if w.OrderBy != nil {
		p.orderBy(sep, w.OrderBy)
		sep = " "
	}
	if f := w.Frame; f != nil {
		p.put(sep, []string{"RANGE", "ROWS", "GROUPS"}[f.Mode], " BETWEEN ")
		p.bound(f.Start)
		p.put(" AND ")
		p.bound(f.End)
		p.put([]string{"", " EXCLUDE CURRENT ROW", " EXCLUDE GROUP", " EXCLUDE TIES"}[f.Exclude])
	}
	p.put(")")
}

func (p *printer) bound(b FrameBound) {
	if b.Offset != nil {
		p.operand(b.Offset)
		p.put(" ")
	}
	p.put([]string{"UNBOUNDED PRECEDING", "PRECEDING", "CURRENT ROW", "FOLLOWING", "UNBOUNDED FOLLOWING"}[b.Kind])
}
