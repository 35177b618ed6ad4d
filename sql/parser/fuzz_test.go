package parser

import (
	"errors"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"raisind/pgerr"
)

// FuzzParse wants no panic, an error with a code and a place inside the text, and
// of what parses a printed form that parses to the same tree.
func FuzzParse(f *testing.F) {
	for _, file := range testFiles(f) {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, block := range strings.Split(string(text), "\n\n") {
			if sql, _, ok := strings.Cut(block, "\n----\n"); ok {
				_, sql, _ = strings.Cut(sql, "\n")
				f.Add(sql)
			}
		}
	}
	f.Fuzz(func(t *testing.T, sql string) {
		stmts, err := Parse(sql)
		if err != nil {
			var e *pgerr.Error
			if !errors.As(err, &e) || e.Code.String() == "" || e.Code == pgerr.InternalError {
				t.Fatalf("%q: %v", sql, err)
			}
			if e.Pos < 0 || e.Pos > utf8.RuneCountInString(sql)+1 {
				t.Fatalf("%q: position %d of %v", sql, e.Pos, err)
			}
			return
		}
		for _, s := range stmts {
			if sql[s.Offset:s.Offset+len(s.Text)] != s.Text {
				t.Fatalf("%q does not stand at %d", s.Text, s.Offset)
			}
			roundTrip(t, s.Node)
		}
	})
}
