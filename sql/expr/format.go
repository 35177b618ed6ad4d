package expr

import (
	"strconv"
	"strings"

	"raisind/sql/types"
)

// Format prints e as PostgreSQL's EXPLAIN does: every operator in parentheses,
// constants with their types, casts as ::.
func Format(e Expr) string { return string(AppendFormat(nil, e)) }

// AppendFormat appends what Format prints.
func AppendFormat(dst []byte, e Expr) []byte {
	switch e := e.(type) {
	case nil:
		return append(dst, "NULL"...)
	case *Const:
		return appendConst(dst, e)
	case *Column:
		return append(dst, e.Name...)
	case *Outer:
		return append(dst, e.Name...)
	case *Param:
		return strconv.AppendInt(append(dst, '$'), int64(e.N), 10)
	case *Call:
		return appendCall(dst, e)
	case *Cast:
		dst = appendParen(dst, e.Arg)
		return append(append(dst, "::"...), types.FormatType(e.T, e.Typmod)...)
	case *And:
		return appendList(dst, "(", e.Args, " AND ", ")")
	case *Or:
		return appendList(dst, "(", e.Args, " OR ", ")")
	case *Not:
		return append(AppendFormat(append(dst, "(NOT "...), e.Arg), ')')
	case *IsTest:
		dst = append(AppendFormat(append(dst, '('), e.Arg), " IS "...)
		if e.Not {
			dst = append(dst, "NOT "...)
		}
		return append(append(dst, [...]string{"NULL", "TRUE", "FALSE", "UNKNOWN"}[e.What]...), ')')
	case *Distinct:
		if e.Not {
			return append(AppendFormat(append(dst, "(NOT "...), &Distinct{Left: e.Left, Right: e.Right}), ')')
		}
		return appendInfix(dst, e.Left, "IS DISTINCT FROM", e.Right)
	case *Case:
		return appendCase(dst, e)
	case *CaseValue:
		return append(dst, "CASE_VALUE"...)
	case *NullIf:
		return appendList(dst, "NULLIF(", []Expr{e.Left, e.Right}, ", ", ")")
	case *Coalesce:
		return appendList(dst, "COALESCE(", e.Args, ", ", ")")
	case *MinMax:
		if e.Greatest {
			return appendList(dst, "GREATEST(", e.Args, ", ", ")")
		}
		return appendList(dst, "LEAST(", e.Args, ", ", ")")
	case *InList:
		return appendInList(dst, e)
	case *AnyAll:
		dst = AppendFormat(append(dst, '('), e.Left)
		dst = append(append(append(dst, ' '), e.Op.Func.Operator...), quantifier(e.All)...)
		return append(AppendFormat(dst, e.Right), "))"...)
	case *ArrayLit:
		dst = appendList(dst, "ARRAY[", e.Elems, ", ", "]")
		if len(e.Elems) == 0 {
			dst = append(append(dst, "::"...), e.T.SQLName...)
		}
		return dst
	case *Subscript:
		return appendSubscript(dst, e)
	case *Record:
		return appendList(dst, "ROW(", e.Fields, ", ", ")")
	case *Field:
		return append(append(AppendFormat(append(dst, '('), e.Arg), ")."...), QuoteName(e.Name)...)
	case *Subquery:
		return appendSubquery(dst, e)
	case *Elements:
		return appendInfix(dst, e.Arg, "->", &Const{Val: types.Str(e.Path), T: types.TText})
	case formatter:
		return e.AppendFormat(dst)
	}
	return append(dst, '?')
}

// formatter is a node of another package that prints itself.
type formatter interface{ AppendFormat(dst []byte) []byte }

func quantifier(all bool) string {
	if all {
		return " ALL ("
	}
	return " ANY ("
}

func appendList(dst []byte, open string, list []Expr, sep, end string) []byte {
	dst = append(dst, open...)
	for i, e := range list {
		if i > 0 {
			dst = append(dst, sep...)
		}
		dst = AppendFormat(dst, e)
	}
	return append(dst, end...)
}

func appendInfix(dst []byte, l Expr, op string, r Expr) []byte {
	dst = AppendFormat(append(dst, '('), l)
	dst = append(append(append(dst, ' '), op...), ' ')
	return append(AppendFormat(dst, r), ')')
}

// appendParen prints e in parentheses.
func appendParen(dst []byte, e Expr) []byte {
	return append(AppendFormat(append(dst, '('), e), ')')
}

func appendCall(dst []byte, e *Call) []byte {
	f := e.Fn.Func
	switch {
	case f == nil:
		return appendList(append(dst, '?'), "(", e.Args, ", ", ")")
	case f.Operator != "" && len(e.Args) == 2:
		return appendInfix(dst, e.Args[0], f.Operator, e.Args[1])
	case f.Operator != "" && len(e.Args) == 1:
		dst = append(append(append(dst, '('), f.Operator...), ' ')
		return append(AppendFormat(dst, e.Args[0]), ')')
	}
	return appendList(append(dst, QuoteName(f.Name)...), "(", e.Args, ", ", ")")
}

func appendCase(dst []byte, e *Case) []byte {
	dst = append(dst, "CASE "...)
	if e.Operand != nil {
		dst = append(AppendFormat(dst, e.Operand), ' ')
	}
	for _, w := range e.Whens {
		dst = append(dst, "WHEN "...)
		cond := w.Cond
		if c, ok := cond.(*Call); ok && e.Operand != nil && len(c.Args) == 2 {
			if _, ok := c.Args[0].(*CaseValue); ok {
				cond = c.Args[1]
			}
		}
		dst = append(AppendFormat(dst, cond), " THEN "...)
		dst = append(AppendFormat(dst, w.Then), ' ')
	}
	if e.Else != nil {
		dst = append(AppendFormat(append(dst, "ELSE "...), e.Else), ' ')
	}
	return append(dst, "END"...)
}

// appendInList prints x = ANY ('{…}'::type[]) for constants, as PostgreSQL does.
func appendInList(dst []byte, e *InList) []byte {
	quant := " = ANY ("
	if e.Not {
		quant = " <> ALL ("
	}
	dst = append(AppendFormat(append(dst, '('), e.Arg), quant...)
	if arr, t := constArray(e.List); arr != nil {
		dst = appendConst(dst, &Const{Val: types.Ref(arr), T: t})
	} else {
		dst = appendList(dst, "ARRAY[", e.List, ", ", "]")
	}
	return append(dst, "))"...)
}

// constArray makes an array of constants, nil when there is something else.
func constArray(list []Expr) (*types.Array, *types.Type) {
	if len(list) == 0 || list[0].Type().Array() == nil {
		return nil, nil
	}
	t := list[0].Type()
	arr := &types.Array{Elem: t, Dims: []int32{int32(len(list))}, Lower: []int32{1}}
	for _, e := range list {
		c, ok := e.(*Const)
		if !ok || c.T != t {
			return nil, nil
		}
		arr.Elems = append(arr.Elems, c.Val)
	}
	return arr, t.Array()
}

func appendSubscript(dst []byte, e *Subscript) []byte {
	if _, ok := e.Arg.(*Column); ok {
		dst = AppendFormat(dst, e.Arg)
	} else {
		dst = appendParen(dst, e.Arg)
	}
	for _, s := range e.Index {
		dst = append(dst, '[')
		if s.Lo != nil {
			dst = AppendFormat(dst, s.Lo)
		}
		if s.Slice {
			dst = append(dst, ':')
			if s.Hi != nil {
				dst = AppendFormat(dst, s.Hi)
			}
		}
		dst = append(dst, ']')
	}
	return dst
}

func appendSubquery(dst []byte, e *Subquery) []byte {
	name := "SubPlan "
	if (e.Kind == SubqueryAny || e.Kind == SubqueryAll) && e.hashed() {
		name = "hashed SubPlan "
	}
	if e.Not {
		dst = append(dst, "(NOT "...)
	}
	dst = append(strconv.AppendInt(append(append(dst, '('), name...), int64(e.ID)+1, 10), ')')
	if e.Not {
		dst = append(dst, ')')
	}
	return dst
}

func appendConst(dst []byte, e *Const) []byte {
	if e.Val.IsNull() {
		dst = append(dst, "NULL"...)
		if e.T == types.TUnknown {
			return dst
		}
		return append(append(dst, "::"...), e.T.SQLName...)
	}
	text := string(e.T.AppendText(nil, e.Val, nil))
	switch e.T {
	case types.TBool:
		return strconv.AppendBool(dst, e.Val.Bool())
	case types.TInt4:
		if text[0] != '-' {
			return append(dst, text...)
		}
	case types.TNumeric:
		if text[0] >= '0' && text[0] <= '9' && strings.ContainsAny(text, "eE.") {
			return append(dst, text...)
		}
	}
	dst = AppendQuoted(dst, text)
	if e.T == types.TUnknown {
		return dst
	}
	return append(append(dst, "::"...), e.T.SQLName...)
}

// AppendQuoted appends s as a string literal.
func AppendQuoted(dst []byte, s string) []byte {
	if strings.Contains(s, `\`) {
		dst = append(dst, 'E')
		s = strings.ReplaceAll(s, `\`, `\\`)
	}
	dst = append(dst, '\'')
	dst = append(dst, strings.ReplaceAll(s, "'", "''")...)
	return append(dst, '\'')
}

// QuoteName quotes a name where it must be.
func QuoteName(s string) string {
	plain := s != "" && (s[0] < '0' || s[0] > '9')
	for i := 0; plain && i < len(s); i++ {
		c := s[i]
		plain = c == '_' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
	}
	if plain {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}
