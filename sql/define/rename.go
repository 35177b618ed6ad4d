package define

import (
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/parser"
)

// renameRelation puts a new name of a relation into the settled text of a query. The
// old name stays as its alias, so that what names its columns stands.
func renameRelation(sql string, old, now ast.RelName) (string, error) {
	stmts, err := parser.Parse(sql)
	if err != nil {
		return "", err
	}
	sel, ok := stmts[0].Node.(*ast.Select)
	if !ok {
		return "", pgerr.New(pgerr.InternalError, "the query of a view is no query")
	}
	return ast.FormatQuery(sel, nil, nil, func(r ast.RelName) ast.RelName {
		if r.Schema == old.Schema && r.Name == old.Name {
			return now
		}
		return r
	}), nil
}
