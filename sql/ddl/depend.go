package ddl

import (
	"raisind/catalog"
	"raisind/sql/ast"
	"raisind/sql/planner"
)

// dependencies are the objects that an expression of the table needs: functions and
// sequences. What it needs of the table itself is told by the columns of b.
func (t *tableMaker) dependencies(b planner.Bound, e ast.Expr) []catalog.Dependency {
	var deps []catalog.Dependency
	for _, c := range b.Columns {
		deps = append(deps, catalog.Dependency{On: catalog.Ref{Class: catalog.ClassRelation, OID: t.r.OID, Sub: t.r.Columns[c].ID}, Kind: catalog.DependAuto})
	}
	return append(deps, b.Depends...)
}
