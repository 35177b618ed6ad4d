package planner

import (
	"raisind/catalog"
	"raisind/sql/ast"
)

// NotUpdatable tells why rows cannot be written through a view with this query: the
// hint PostgreSQL gives; empty when they can.
func NotUpdatable(snap *catalog.Snapshot, q *ast.Select) string {
	switch {
	case q.Distinct:
		return "Views containing DISTINCT are not automatically updatable."
	case q.GroupBy != nil:
		return "Views containing GROUP BY are not automatically updatable."
	case q.Having != nil:
		return "Views containing HAVING are not automatically updatable."
	case q.Op != ast.NoSetOp:
		return "Views containing UNION, INTERSECT, or EXCEPT are not automatically updatable."
	case q.With != nil:
		return "Views containing WITH are not automatically updatable."
	case q.Limit != nil || q.Offset != nil:
		return "Views containing LIMIT or OFFSET are not automatically updatable."
	case len(q.From) != 1:
		return "Views that do not select from a single table or view are not automatically updatable."
	}
	if _, ok := q.From[0].(*ast.TableRef); !ok {
		return "Views that do not select from a single table or view are not automatically updatable."
	}
	return ""
}
