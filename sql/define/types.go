package define

import (
	"raisind/sql/ast"
	"raisind/sql/planner"
	"raisind/sql/types"
)

// typeOf finds a type as it is written.
func (e *Env) typeOf(n *ast.TypeName) (*types.Type, error) {
	t, _, err := planner.TypeName(e.Ctx, n, e.Plan(""))
	return t, err
}

func formatType(t *types.Type, typmod int32) string { return types.FormatType(t, typmod) }
