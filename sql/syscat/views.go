package syscat

import (
	"strings"
	"sync"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/parser"
)

// viewTexts are the queries of views, from data/views.sql.
var viewTexts = sync.OnceValue(func() map[relationName]string {
	text, err := files.ReadFile("data/views.sql")
	if err != nil {
		panic(err)
	}
	out := map[relationName]string{}
	for part := range strings.SplitSeq("\n"+string(text), "\n-- ") {
		name, body, ok := strings.Cut(part, "\n")
		if !ok || name == "" {
			continue
		}
		schema, name, _ := strings.Cut(name, ".")
		out[relationName{schema, name}] = strings.TrimSuffix(strings.TrimSpace(body), ";")
	}
	return out
})

func parseView(text string) (*ast.Select, error) {
	stmts, err := parser.Parse(text)
	if err != nil {
		return nil, err
	}
	if len(stmts) == 1 {
		if q, ok := stmts[0].Node.(*ast.Select); ok {
			return q, nil
		}
	}
	return nil, pgerr.New(pgerr.InternalError, "a view of the catalog is no query")
}
