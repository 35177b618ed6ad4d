package parser

import (
	"context"
	"errors"
	"fmt"
	"os"
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
	server := os.Getenv("RAISIND_TEST_POSTGRES")
	if server == "" {
		t.Skip("RAISIND_TEST_POSTGRES is not set")
	}
	ctx := context.Background()
	conn, err := pgconn.Connect(ctx, server)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	var faults []string // reported at the end: datadriven stops at the first failure
	for _, file := range testFiles(t) {
		if strings.HasPrefix(filepath.Base(file), "raisind_") {
			continue
		}
		datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd != "expr" && !d.HasArg("ours") {
				faults = append(faults, compare(t, conn, d)...)
			}
			return d.Expected
		})
	}
	for _, f := range faults {
		t.Error(f)
	}
}

func compare(t *testing.T, conn *pgconn.PgConn, d *datadriven.TestData) []string {
	ctx := context.Background()
	stmts, ourErr := Parse(d.Input)
	var theirErr error
	switch {
	case d.HasArg("exec"):
		_, theirErr = conn.Exec(ctx, "BEGIN").ReadAll()
		if theirErr == nil {
			_, theirErr = conn.Exec(ctx, d.Input).ReadAll()
		}
		if _, err := conn.Exec(ctx, "ROLLBACK").ReadAll(); err != nil {
			t.Fatal(err)
		}
	case ourErr == nil && len(stmts) > 1:
		return nil // Parse takes one statement
	default:
		_, theirErr = conn.Prepare(ctx, "", d.Input, nil)
	}
	var ours *pgerr.Error
	var theirs *pgconn.PgError
	errors.As(ourErr, &ours)
	errors.As(theirErr, &theirs)
	if theirs != nil && !fromGrammar(theirs) {
		theirs = nil
	}
	switch {
	case ours == nil && theirs == nil:
	case ours == nil:
		return mismatch("%s: PostgreSQL refuses %s\n%s at %d", d.Pos, d.Input, theirs.Message, theirs.Position)
	case theirs == nil:
		return mismatch("%s: PostgreSQL takes %s\nwe say %s", d.Pos, d.Input, describe(d.Input, ourErr))
	case ours.Code.String() != theirs.Code || ours.Msg != theirs.Message || ours.Pos != int(theirs.Position) || ours.Hint != theirs.Hint:
		return mismatch("%s: PostgreSQL says %s %s at %d (%s) about\n%s", d.Pos, theirs.Code, theirs.Message, theirs.Position, theirs.Hint, describe(d.Input, ourErr))
	}
	return nil
}

func mismatch(format string, args ...any) []string { return []string{fmt.Sprintf(format, args...)} }

// fromGrammar tells errors of PostgreSQL's scanner, grammar and option parsing
// from those of its analysis.
func fromGrammar(e *pgconn.PgError) bool {
	for _, file := range []string{"scan.l", "gram.y", "parser.c", "scansup.c", "mbutils.c", "explain.c", "define.c", "vacuum.c"} {
		if e.File == file || filepath.Base(e.File) == file {
			return true
		}
	}
	return false
}
