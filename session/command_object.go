package session

import (
	"strings"

	"raisind/sql/ast"
)

// objectName is commandName for statements about objects other than tables.
func objectName(n ast.Stmt) string {
	switch n := n.(type) {
	case *ast.CreateSequence:
		return "CREATE SEQUENCE"
	case *ast.AlterSequence:
		return "ALTER SEQUENCE"
	case *ast.CreateView:
		return "CREATE VIEW"
	case *ast.Refresh:
		return "REFRESH MATERIALIZED VIEW"
	case *ast.CreateSchema:
		return "CREATE SCHEMA"
	case *ast.AlterObject:
		return "ALTER " + strings.ToUpper(n.Kind)
	case *ast.CreateType:
		return "CREATE TYPE"
	case *ast.AlterEnum, *ast.AlterComposite:
		return "ALTER TYPE"
	case *ast.CreateDomain:
		return "CREATE DOMAIN"
	case *ast.AlterDomain:
		return "ALTER DOMAIN"
	case *ast.CreateRole:
		return "CREATE ROLE"
	case *ast.AlterRole:
		return "ALTER ROLE"
	case *ast.DropRole:
		return "DROP ROLE"
	case *ast.DropOwned:
		if n.To != "" {
			return "REASSIGN OWNED"
		}
		return "DROP OWNED"
	case *ast.Grant:
		return grantName(n)
	case *ast.SetConstraints:
		return "SET CONSTRAINTS"
	case *ast.Database:
		return strings.ToUpper(n.Verb) + " DATABASE"
	}
	return "statement"
}

func grantName(n *ast.Grant) string {
	word := "GRANT"
	if n.Revoke {
		word = "REVOKE"
	}
	switch {
	case n.Default:
		return "ALTER DEFAULT PRIVILEGES"
	case n.Kind == "role":
		return word + " ROLE"
	}
	return word
}
