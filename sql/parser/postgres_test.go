package parser

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/jackc/pgx/v5/pgconn"

	"raisind/pgerr"
)

// TestAgainstPostgreSQL asks a real PostgreSQL about every statement of testdata
// and wants the same verdict, text and position for syntax errors. It runs when
// RAISIND_TEST_POSTGRES names a PostgreSQL 15 (a connection string). Files named
// raisind_* are our own dialect. The argument exec says that PostgreSQL finds the
// error when it executes, ours that we differ on purpose.
func TestAgainstPostgreSQL(t *testing.T) {
	conn := postgres(t)
	var faults []string // reported at the end: datadriven stops at the first failure
	for _, file := range testFiles(t) {
		if strings.HasPrefix(filepath.Base(file), "raisind_") {
			continue
		}
		datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "expr" || d.HasArg("ours") {
				return d.Expected
			}
			stmts, ourErr := Parse(d.Input)
			if ourErr == nil && len(stmts) > 1 {
				return d.Expected // Prepare takes one statement
			}
			var theirErr error
			if d.HasArg("exec") {
				theirErr = execute(t, conn, d.Input)
			} else {
				_, theirErr = conn.Prepare(context.Background(), "", d.Input, nil)
			}
			if msg := verdicts(d.Input, ourErr, theirErr); msg != "" {
				faults = append(faults, d.Pos+": "+msg)
			}
			return d.Expected
		})
	}
	for _, f := range faults {
		t.Error(f)
	}
}

// execute runs sql in a transaction that is rolled back.
func execute(t *testing.T, conn *pgconn.PgConn, sql string) error {
	ctx := context.Background()
	_, err := conn.Exec(ctx, "BEGIN").ReadAll()
	if err == nil {
		_, err = conn.Exec(ctx, sql).ReadAll()
	}
	if _, err := conn.Exec(ctx, "ROLLBACK").ReadAll(); err != nil {
		t.Fatal(err)
	}
	return err
}

// verdicts says how our answer differs from PostgreSQL's, if it does.
func verdicts(sql string, ourErr, theirErr error) string {
	var ours *pgerr.Error
	var theirs *pgconn.PgError
	errors.As(ourErr, &ours)
	errors.As(theirErr, &theirs)
	if theirs != nil && !fromGrammar(theirs) {
		theirs = nil
	}
	switch {
	case ours == nil && theirs == nil:
		return ""
	case ours == nil:
		return fmt.Sprintf("PostgreSQL refuses %s\n%s at %d", sql, theirs.Message, theirs.Position)
	case theirs == nil:
		return fmt.Sprintf("PostgreSQL takes %s\nwe say %s", sql, describe(sql, ourErr))
	case ours.Code.String() != theirs.Code || ours.Msg != theirs.Message || ours.Pos != int(theirs.Position) || ours.Hint != theirs.Hint:
		return fmt.Sprintf("PostgreSQL says %s %s at %d (%s) about\n%s", theirs.Code, theirs.Message, theirs.Position, theirs.Hint, describe(sql, ourErr))
	}
	return ""
}

// fromGrammar tells errors of PostgreSQL's scanner, grammar and option parsing
// from those of its analysis.
func fromGrammar(e *pgconn.PgError) bool {
	switch filepath.Base(e.File) {
	case "scan.l", "gram.y", "parser.c", "scansup.c", "mbutils.c", "explain.c", "define.c", "vacuum.c":
		return true
	}
	return false
}
