package ddl

import (
	"raisind/sql/ast"
	"raisind/sql/types"
)

// serialType is the type of a column declared as serial; nil for any other type.
func serialType(n *ast.TypeName) *types.Type { return nil }

// serial gives the column at a position declared as serial its sequence and default.
func (t *tableMaker) serial(at int, def *ast.ColumnDef) error { return nil }

// identity makes the column at a position an identity column.
func (t *tableMaker) identity(at int, c *ast.Constraint) error {
	return notSupported("GENERATED AS IDENTITY").WithHint("Give values, or a DEFAULT.")
}
