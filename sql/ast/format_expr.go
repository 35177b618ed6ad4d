package ast

import (
	"slices"
	"strings"
)

func (p *printer) exprs(xs []Expr) { list(p, xs, p.expr) }

// operand writes x so that an operator may stand on either side of it.
func (p *printer) operand(x Expr) {
	if lit, ok := x.(*Literal); ok && strings.HasPrefix(lit.Text, "-") && (lit.Kind == LitInt || lit.Kind == LitNumeric) {
		p.put("(", lit.Text, ")")
		return
	}
	p.expr(x)
}

// op writes an operator symbol.
func (p *printer) op(op string) {
	if strings.Contains(op, ".") {
		p.put("OPERATOR(", op, ")")
	} else {
		p.put(op)
	}
}

func (p *printer) literal(x *Literal) {
	switch x.Kind {
	case LitNull:
		p.put("NULL")
	case LitBool:
		if x.Bool {
			p.put("true")
		} else {
			p.put("false")
		}
	case LitString:
		p.put(QuoteLiteral(x.Text))
	case LitBit:
		p.put(strings.ToUpper(x.Text[:1]), QuoteLiteral(x.Text[1:]))
	default:
		p.put(x.Text)
	}
}

func (p *printer) expr(x Expr) {
	switch x := x.(type) {
	case nil:
	case *Literal:
		p.literal(x)
		if p.settled != nil && p.settled.Literals[x.Pos()] != "" {
			p.put("::", p.settled.Literals[x.Pos()])
		}
	case *Param:
		p.put("$", x.N)
	case *ColumnRef:
		p.dotted(p.columnParts(x))
		p.flag(x.Star && len(x.Parts) > 0, ".")
		p.flag(x.Star, "*")
	case *FuncCall:
		p.call(x)
	case *NamedArg:
		p.put(QuoteIdent(x.Name), " => ")
		p.expr(x.Value)
	case *Unary:
		p.unary(x)
	case *Binary:
		p.put("(")
		p.operand(x.Left)
		p.put(" ")
		p.op(x.Op)
		p.put(" ")
		p.operand(x.Right)
		p.put(")")
	case *And:
		p.junction(x.Args, " AND ")
	case *Or:
		p.junction(x.Args, " OR ")
	case *Not:
		p.put("(NOT ")
		p.operand(x.Expr)
		p.put(")")
	case *Cast:
		if lit, ok := x.Expr.(*Literal); ok && p.settled != nil && lit.Kind == LitString {
			p.literal(lit)
		} else {
			p.operand(x.Expr)
		}
		p.put("::")
		p.typeName(x.Type)
	case *TypedLiteral:
		p.typeName(x.Type)
		p.put(" ", QuoteLiteral(x.Text))
	case *IntervalLit:
		p.interval(x)
	case *Case:
		p.caseExpr(x)
	case *Coalesce:
		p.special("COALESCE", x.Args...)
	case *Greatest:
		p.special("GREATEST", x.Args...)
	case *Least:
		p.special("LEAST", x.Args...)
	case *NullIf:
		p.special("NULLIF", x.Left, x.Right)
	case *Grouping:
		p.special("GROUPING", x.Args...)
	case *RowLit:
		p.special("ROW", x.Args...)
	case *Exists:
		p.put("EXISTS ")
		p.subquery(x.Query)
	case *Subquery:
		p.subquery(x.Query)
	case *ArraySubquery:
		p.put("ARRAY")
		p.subquery(x.Query)
	case *ArrayLit:
		p.put("ARRAY[")
		p.exprs(x.Elems)
		p.put("]")
	case *Index:
		p.base(x.Expr)
		p.put("[")
		p.expr(x.Index)
		p.put("]")
	case *Slice:
		p.base(x.Expr)
		p.put("[")
		p.expr(x.Low)
		p.put(":")
		p.expr(x.High)
		p.put("]")
	case *FieldSelect:
		p.field(x)
	case *Collate:
		p.put("(")
		p.operand(x.Expr)
		p.put(" COLLATE ")
		p.dotted(x.Name)
		p.put(")")
	case *AtTimeZone:
		p.put("(")
		p.operand(x.Expr)
		p.put(" AT TIME ZONE ")
		p.operand(x.Zone)
		p.put(")")
	case *SQLValue:
		p.put(strings.ToUpper(x.Name))
		if x.Precision >= 0 {
			p.put("(", x.Precision, ")")
		}
	case *Default:
		p.put("DEFAULT")
	default:
		p.predicate(x)
	}
}

func (p *printer) subquery(q *Select) {
	outputs := p.outputs
	p.outputs = nil
	p.put("(")
	p.query(q)
	p.put(")")
	p.outputs = outputs
}

func (p *printer) special(name string, args ...Expr) {
	p.put(name, "(")
	p.exprs(args)
	p.put(")")
}

func (p *printer) junction(args []Expr, word string) {
	p.put("(")
	for i, x := range args {
		p.flag(i > 0, word)
		p.operand(x)
	}
	p.put(")")
}

// infixOnly are the operators that stand before an operand only as OPERATOR(op).
var infixOnly = []string{"*", "/", "%", "^", "<", ">", "=", "<=", ">=", "<>", "!="}

func (p *printer) unary(x *Unary) {
	p.put("(")
	lit, ok := x.Expr.(*Literal)
	if number := ok && (lit.Kind == LitInt || lit.Kind == LitNumeric); number && x.Op == "-" {
		p.put("OPERATOR(-)") // else the sign would become part of the number
	} else if slices.Contains(infixOnly, x.Op) {
		p.put("OPERATOR(", x.Op, ")")
	} else {
		p.op(x.Op)
	}
	p.put(" ")
	p.operand(x.Expr)
	p.put(")")
}

// base writes what a subscript applies to; nil in the targets of assignments.
func (p *printer) base(x Expr) {
	switch x.(type) {
	case nil:
	case *ColumnRef, *Param, *Index, *Slice, *FieldSelect:
		p.expr(x)
	default:
		p.put("(")
		p.expr(x)
		p.put(")")
	}
}

func (p *printer) field(x *FieldSelect) {
	if x.Expr != nil {
		p.put("(")
		p.expr(x.Expr)
		p.put(")")
	}
	p.put(".")
	if x.Star {
		p.put("*")
	} else {
		p.put(QuoteIdent(x.Name))
	}
}

// predicate writes the tests with words of their own.
func (p *printer) predicate(x Expr) {
	p.put("(")
	not := func(on bool) { p.flag(on, "NOT ") }
	switch x := x.(type) {
	case *Between:
		p.operand(x.Expr)
		p.put(" ")
		not(x.Not)
		p.put("BETWEEN ")
		p.flag(x.Symmetric, "SYMMETRIC ")
		p.operand(x.Low)
		p.put(" AND ")
		p.operand(x.High)
	case *In:
		p.operand(x.Expr)
		p.put(" ")
		not(x.Not)
		p.put("IN ")
		if x.Query != nil {
			p.subquery(x.Query)
		} else {
			p.special("", x.List...)
		}
	case *LikeExpr:
		p.operand(x.Expr)
		p.put(" ")
		not(x.Not)
		p.put([]string{"LIKE ", "ILIKE ", "SIMILAR TO "}[x.Kind])
		p.operand(x.Pattern)
		if x.Escape != nil {
			p.put(" ESCAPE ")
			p.operand(x.Escape)
		}
	case *IsTest:
		p.operand(x.Expr)
		p.put(" IS ")
		not(x.Not)
		p.put([]string{"NULL", "TRUE", "FALSE", "UNKNOWN", "DISTINCT FROM ", "DOCUMENT"}[x.Kind])
		p.operand(x.Right)
	case *AnyAll:
		p.operand(x.Expr)
		p.put(" ")
		p.op(x.Op)
		if x.All {
			p.put(" ALL ")
		} else {
			p.put(" ANY ")
		}
		if x.Query != nil {
			p.subquery(x.Query)
		} else {
			p.special("", x.Array)
		}
	}
	p.put(")")
}

func (p *printer) caseExpr(x *Case) {
	p.put("CASE")
	if x.Operand != nil {
		p.put(" ")
		p.expr(x.Operand)
	}
	for _, w := range x.Whens {
		p.put(" WHEN ")
		p.expr(w.Cond)
		p.put(" THEN ")
		p.expr(w.Result)
	}
	if x.Else != nil {
		p.put(" ELSE ")
		p.expr(x.Else)
	}
	p.put(" END")
}
