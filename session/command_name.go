package session

import (
	"strings"

	"raisind/sql/ast"
)

// commandName is the command tag of a statement, without a count.
func commandName(n ast.Stmt) string {
	switch n := n.(type) {
	case *ast.Select:
		return "SELECT"
	case *ast.Insert:
		return "INSERT"
	case *ast.Update:
		return "UPDATE"
	case *ast.Delete:
		return "DELETE"
	case *ast.Begin:
		return "BEGIN"
	case *ast.Commit:
		return "COMMIT"
	case *ast.Rollback:
		return "ROLLBACK"
	case *ast.Savepoint:
		return "SAVEPOINT"
	case *ast.Release:
		return "RELEASE"
	case *ast.RollbackTo:
		return "ROLLBACK"
	case *ast.TwoPhase:
		if n.Verb == "prepare" {
			return "PREPARE TRANSACTION"
		}
		return strings.ToUpper(n.Verb) + " PREPARED"
	case *ast.SetTransaction, *ast.Set:
		return "SET"
	case *ast.Show, *ast.ShowSpatialIndexConfig, *ast.ShowSpatialIndexHealth:
		return "SHOW"
	case *ast.Reset:
		return "RESET"
	case *ast.Discard:
		return "DISCARD " + strings.ToUpper(n.What)
	case *ast.Prepare:
		return "PREPARE"
	case *ast.Execute:
		return "EXECUTE"
	case *ast.Deallocate:
		if n.Name == "" {
			return "DEALLOCATE ALL"
		}
		return "DEALLOCATE"
	case *ast.Declare:
		return "DECLARE CURSOR"
	case *ast.Fetch:
		if n.Move {
			return "MOVE"
		}
		return "FETCH"
	case *ast.CloseCursor:
		if n.Name == "" {
			return "CLOSE CURSOR ALL"
		}
		return "CLOSE CURSOR"
	case *ast.Explain:
		return "EXPLAIN"
	case *ast.Copy:
		return "COPY"
	case *ast.Listen:
		return "LISTEN"
	case *ast.Unlisten:
		return "UNLISTEN"
	case *ast.Notify:
		return "NOTIFY"
	case *ast.Vacuum:
		return "VACUUM"
	case *ast.Analyze:
		return "ANALYZE"
	case *ast.Checkpoint:
		return "CHECKPOINT"
	case *ast.LockTable:
		return "LOCK TABLE"
	case *ast.Do:
		return "DO"
	case *ast.Call:
		return "CALL"
	case *ast.CreateFunction:
		if n.Procedure {
			return "CREATE PROCEDURE"
		}
		return "CREATE FUNCTION"
	case *ast.AlterFunction:
		return "ALTER " + strings.ToUpper(n.Kind)
	case *ast.CreateTrigger:
		return "CREATE TRIGGER"
	case *ast.AlterTrigger:
		return "ALTER TRIGGER"
	case *ast.Unsupported:
		return n.Command
	}
	return definitionName(n)
}

// definitionName is commandName for statements that define things.
func definitionName(n ast.Stmt) string {
	switch n := n.(type) {
	case *ast.CreateWorkspace:
		return "CREATE WORKSPACE"
	case *ast.DropWorkspace:
		return "DROP WORKSPACE"
	case *ast.AlterWorkspace:
		return "ALTER WORKSPACE"
	case *ast.AlterSpatialIndex:
		return "ALTER SPATIAL INDEX"
	case *ast.RebuildSpatialIndex:
		return "REBUILD SPATIAL INDEX"
	case *ast.VerifySpatialIndex:
		return "VERIFY SPATIAL INDEX"
	case *ast.CreateTable:
		return "CREATE TABLE"
	case *ast.CreateTableAs:
		if n.View {
			return "CREATE MATERIALIZED VIEW"
		}
		return "CREATE TABLE AS"
	case *ast.DropTable:
		return "DROP TABLE"
	case *ast.DropObject:
		return "DROP " + strings.ToUpper(n.Kind)
	case *ast.CreateIndex:
		return "CREATE INDEX"
	case *ast.AlterTable:
		return "ALTER " + strings.ToUpper(n.Kind)
	case *ast.Truncate:
		return "TRUNCATE TABLE"
	case *ast.CreateExtension:
		return "CREATE EXTENSION"
	case *ast.Comment:
		return "COMMENT"
	}
	return objectName(n)
}
