package syscat

import (
	"raisind/sql/ast"
	"raisind/sql/parser"
)

// Pretty leaves out the brackets of an expression that PostgreSQL leaves out when asked
// for readable text: those round the whole, round operands that bind closer, and round
// constants that are cast.
func Pretty(text string) string {
	e, err := parser.ParseExpr(text)
	if err != nil { // kept as it was written
		return text
	}
	return pretty(e, nil)
}

// pretty prints e as an operand of parent.
func pretty(e, parent ast.Expr) string {
	switch e := e.(type) {
	case *ast.Binary:
		out := pretty(e.Left, e) + " " + e.Op + " " + pretty(e.Right, e)
		if needsBrackets(e, parent) {
			return "(" + out + ")"
		}
		return out
	case *ast.And:
		return junction(e.Args, " AND ", e, parent)
	case *ast.Or:
		return junction(e.Args, " OR ", e, parent)
	case *ast.Not:
		out := "NOT " + pretty(e.Expr, e)
		if parent != nil {
			if _, ok := parent.(*ast.And); !ok {
				if _, ok := parent.(*ast.Or); !ok {
					return "(" + out + ")"
				}
			}
		}
		return out
	case *ast.Cast:
		inner := pretty(e.Expr, e)
		switch e.Expr.(type) {
		case *ast.Binary, *ast.And, *ast.Or, *ast.Not, *ast.IsTest:
			inner = "(" + pretty(e.Expr, nil) + ")"
		}
		return inner + "::" + ast.Format(e.Type)
	case *ast.IsTest:
		return isTest(e, parent)
	}
	switch parent.(type) {
	case nil, *ast.And, *ast.Or:
		return plain(e)
	}
	return ast.Format(e)
}

func plain(e ast.Expr) string {
	s := ast.Format(e)
	if enclosed(s) {
		return s[1 : len(s)-1]
	}
	return s
}

func junction(args []ast.Expr, word string, e, parent ast.Expr) string {
	out := ""
	for i, a := range args {
		if i > 0 {
			out += word
		}
		out += pretty(a, e)
	}
	switch parent.(type) {
	case nil:
		return out
	case *ast.Or:
		if _, and := e.(*ast.And); and {
			return out
		}
	}
	return "(" + out + ")"
}

// needsBrackets reports whether an operator within another needs them: only where the
// arithmetic does not decide.
func needsBrackets(e *ast.Binary, parent ast.Expr) bool {
	p, ok := parent.(*ast.Binary)
	if !ok {
		switch parent.(type) {
		case nil, *ast.And, *ast.Or, *ast.Not:
			return false
		}
		return true
	}
	rank := func(op string) int {
		switch op {
		case "+", "-":
			return 1
		case "*", "/", "%":
			return 2
		}
		return 0
	}
	a, b := rank(e.Op), rank(p.Op)
	switch {
	case a == 0 || b == 0:
		return true
	case a > b:
		return false
	case a == b:
		return p.Left != ast.Expr(e)
	}
	return true
}

func isTest(e *ast.IsTest, parent ast.Expr) string {
	if e.Right != nil {
		return plainOperand(e, parent)
	}
	out := pretty(e.Expr, e) + " IS "
	if e.Not {
		out += "NOT "
	}
	out += map[ast.IsKind]string{ast.IsNull: "NULL", ast.IsTrue: "TRUE", ast.IsFalse: "FALSE", ast.IsUnknown: "UNKNOWN"}[e.Kind]
	if _, ok := parent.(*ast.Binary); ok {
		return "(" + out + ")"
	}
	return out
}

// plainOperand keeps the brackets of what stands within something else.
func plainOperand(e, parent ast.Expr) string {
	if parent == nil {
		return plain(e)
	}
	return ast.Format(e)
}

// isCall reports whether an expression is written as a call, which an index needs no
// brackets round.
func isCall(text string) bool {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return false
	}
	_, ok := e.(*ast.FuncCall)
	return ok
}
