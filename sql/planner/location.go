package planner

import "raisind/sql/ast"

// location is where PostgreSQL points at for an expression: its leftmost part.
func location(e ast.Expr) int {
	switch e := e.(type) {
	case nil:
		return -1
	case *ast.Binary:
		return leftmost(e.Pos(), e.Left)
	case *ast.And:
		return leftmost(e.Pos(), e.Args[0])
	case *ast.Or:
		return leftmost(e.Pos(), e.Args[0])
	case *ast.Cast:
		return leftmost(e.Pos(), e.Expr)
	case *ast.Between:
		return leftmost(e.Pos(), e.Expr)
	case *ast.In:
		return leftmost(e.Pos(), e.Expr)
	case *ast.LikeExpr:
		return leftmost(e.Pos(), e.Expr)
	case *ast.IsTest:
		return leftmost(e.Pos(), e.Expr)
	case *ast.AnyAll:
		return leftmost(e.Pos(), e.Expr)
	case *ast.Index:
		return leftmost(e.Pos(), e.Expr)
	case *ast.Slice:
		return leftmost(e.Pos(), e.Expr)
	case *ast.FieldSelect:
		return leftmost(e.Pos(), e.Expr)
	case *ast.Collate:
		return leftmost(e.Pos(), e.Expr)
	case *ast.AtTimeZone:
		return leftmost(e.Pos(), e.Expr)
	case *ast.NamedArg:
		return location(e.Value)
	}
	return e.Pos()
}

func leftmost(at int, left ast.Expr) int {
	if l := location(left); l >= 0 && l < at {
		return l
	}
	return at
}

// noName is what a column without a better name is called.
const noName = "?column?"

// columnName is the name PostgreSQL gives an output column without a label.
func columnName(e ast.Expr) string {
	if name, _ := figureName(e); name != "" {
		return name
	}
	return noName
}

// figureName returns a name and its strength: 2 from a column or function, 1 from a
// type or keyword, 0 for none.
func figureName(e ast.Expr) (string, int) {
	switch e := e.(type) {
	case *ast.ColumnRef:
		if len(e.Parts) > 0 && !e.Star {
			return e.Parts[len(e.Parts)-1], 2
		}
	case *ast.FuncCall:
		return e.Name[len(e.Name)-1], 2
	case *ast.FieldSelect:
		if !e.Star {
			return e.Name, 2
		}
	case *ast.Index:
		return figureName(e.Expr)
	case *ast.Slice:
		return figureName(e.Expr)
	case *ast.NullIf:
		return "nullif", 2
	case *ast.AtTimeZone:
		return "timezone", 2
	case *ast.Cast:
		if name, strength := figureName(e.Expr); strength == 2 {
			return name, strength
		}
		return typeLabel(&e.Type)
	case *ast.TypedLiteral:
		return typeLabel(&e.Type)
	case *ast.IntervalLit:
		return "interval", 1
	case *ast.Collate:
		return figureName(e.Expr)
	case *ast.Grouping:
		return "grouping", 2
	case *ast.Exists:
		return "exists", 2
	case *ast.ArraySubquery:
		return "array", 2
	case *ast.Subquery:
		return subqueryName(e.Query)
	case *ast.Case:
		if e.Else != nil {
			if name, strength := figureName(e.Else); strength > 0 {
				return name, strength
			}
		}
		return "case", 1
	case *ast.ArrayLit:
		return "array", 2
	case *ast.RowLit:
		return "row", 2
	case *ast.Coalesce:
		return "coalesce", 2
	case *ast.Greatest:
		return "greatest", 2
	case *ast.Least:
		return "least", 2
	case *ast.SQLValue:
		return e.Name, 2
	}
	return "", 0
}

func typeLabel(t *ast.TypeName) (string, int) {
	return t.Names[len(t.Names)-1], 1
}

func subqueryName(s *ast.Select) (string, int) {
	for s.Op != ast.NoSetOp {
		s = s.Left
	}
	if len(s.Targets) != 1 {
		if len(s.Values) > 0 {
			return "column1", 2
		}
		return "", 0
	}
	if t := s.Targets[0]; t.Name != "" {
		return t.Name, 2
	}
	return figureName(s.Targets[0].Expr)
}
