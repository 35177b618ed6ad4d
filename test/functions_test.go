package test

import (
	"context"
	"testing"

	"raisind/sql/funcs"
)

// TestExamplesOfFunctions runs every example of the table of functions, which is
// what docs/functions.md prints, and compares the text of its value.
func TestExamplesOfFunctions(t *testing.T) {
	s := startServer(t)
	c := s.connect(t)
	mustExec(t, c, `CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')`) // of the examples about enums
	n := 0
	check := func(name string, examples []funcs.Example) {
		for _, e := range examples {
			n++
			results, err := c.PgConn().Exec(context.Background(), e.SQL).ReadAll()
			switch {
			case err != nil:
				t.Errorf("%s: %s: %v", name, e.SQL, err)
			case len(results) != 1 || len(results[0].Rows) != 1 || len(results[0].Rows[0]) != 1:
				t.Errorf("%s: %s does not give one value", name, e.SQL)
			default:
				if got := string(results[0].Rows[0][0]); e.Want != "" && got != e.Want {
					t.Errorf("%s: %s gives %q, want %q", name, e.SQL, got, e.Want)
				}
			}
		}
	}
	for _, f := range funcs.All() {
		check(f.Name, f.Examples)
	}
	for _, a := range funcs.AllAggregates() {
		check(a.Name, a.Examples)
	}
	for _, w := range funcs.AllWindows() {
		check(w.Name, w.Examples)
	}
	if n < 400 {
		t.Errorf("only %d examples", n)
	}
}
