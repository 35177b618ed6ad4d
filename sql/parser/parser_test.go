package parser

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"raisind/pgerr"
	"raisind/sql/ast"
)

// TestData runs testdata: parse prints the statement again, ast the tree as well,
// expr the tree of an expression. Errors are printed with SQLSTATE and position.
// Whatever parses is printed and parsed again and must give the same tree.
func TestData(t *testing.T) {
	for _, path := range testFiles(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			datadriven.RunTest(t, path, runCase)
		})
	}
}

// testFiles are the data-driven files of testdata.
func testFiles(t testing.TB) []string {
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, e := range entries {
		if !e.IsDir() {
			files = append(files, filepath.Join("testdata", e.Name()))
		}
	}
	return files
}

func runCase(t *testing.T, d *datadriven.TestData) string {
	sql := d.Input
	if d.Cmd == "expr" {
		x, err := ParseExpr(sql)
		if err != nil {
			return describe(sql, err)
		}
		roundTripExpr(t, x)
		return ast.Format(x) + "\n" + dump(x) + "\n"
	}
	stmts, err := Parse(sql)
	if err != nil {
		return describe(sql, err)
	}
	var b strings.Builder
	for _, s := range stmts {
		roundTrip(t, s.Node)
		if sql[s.Offset:s.Offset+len(s.Text)] != s.Text {
			t.Errorf("%s: %q does not stand at %d", d.Pos, s.Text, s.Offset)
		}
		b.WriteString(ast.Format(s.Node))
		b.WriteString("\n")
		if d.Cmd == "ast" {
			b.WriteString(dump(s.Node))
			b.WriteString("\n")
		}
	}
	if len(stmts) == 0 {
		b.WriteString("(nothing)\n")
	}
	return b.String()
}

// describe prints an error as psql does, the caret under the character it names.
func describe(sql string, err error) string {
	var e *pgerr.Error
	if !errors.As(err, &e) {
		return "no *pgerr.Error: " + err.Error() + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "ERROR %s: %s\n", e.Code, e.Msg)
	if e.Pos > 0 {
		line, column := 0, 0
		for _, r := range string([]rune(sql + " ")[:e.Pos-1]) {
			if column++; r == '\n' {
				line, column = line+1, 0
			}
		}
		fmt.Fprintf(&b, "  %s\n  %s^ %d\n", strings.Split(sql, "\n")[line], strings.Repeat(" ", column), e.Pos)
	}
	for _, extra := range [][2]string{{"DETAIL", e.Detail}, {"HINT", e.Hint}} {
		if extra[1] != "" {
			fmt.Fprintf(&b, "%s: %s\n", extra[0], extra[1])
		}
	}
	return b.String()
}

func roundTrip(t testing.TB, s ast.Stmt) {
	t.Helper()
	text := ast.Format(s)
	again, err := Parse(text)
	if err != nil || len(again) != 1 {
		t.Errorf("printed form %s\ndoes not parse: %v", text, err)
		return
	}
	if !same(reflect.ValueOf(s), reflect.ValueOf(again[0].Node)) {
		t.Errorf("printed form %s\nparses to %s\nnot to   %s", text, dump(again[0].Node), dump(s))
	}
}

func roundTripExpr(t testing.TB, x ast.Expr) {
	t.Helper()
	text := ast.Format(x)
	again, err := ParseExpr(text)
	if err != nil {
		t.Errorf("printed form %s\ndoes not parse: %v", text, err)
		return
	}
	if !same(reflect.ValueOf(x), reflect.ValueOf(again)) {
		t.Errorf("printed form %s\nparses to %s\nnot to   %s", text, dump(again), dump(x))
	}
}

var atType = reflect.TypeOf(ast.At(0))

// same compares two trees, places aside.
func same(a, b reflect.Value) bool {
	if a.Kind() != b.Kind() || a.IsValid() && a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return same(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := 0; i < a.NumField(); i++ {
			if !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		if a.Len() != b.Len() || a.IsNil() != b.IsNil() {
			return false
		}
		for i := 0; i < a.Len(); i++ {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	}
	return a.Type() == atType || a.Interface() == b.Interface()
}

// dump prints a tree: types with their places, fields that are set.
func dump(n any) string { return dumpValue(reflect.ValueOf(n), "") }

func dumpValue(v reflect.Value, indent string) string {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return dumpValue(v.Elem(), indent)
	case reflect.Slice:
		var items []string
		for i := 0; i < v.Len(); i++ {
			items = append(items, dumpValue(v.Index(i), indent+"  "))
		}
		return wrap("[", items, "]", indent)
	case reflect.Struct:
		name := v.Type().Name()
		var items []string
		for i := 0; i < v.NumField(); i++ {
			f, field := v.Field(i), v.Type().Field(i)
			switch {
			case field.Anonymous && f.Type() == atType:
				name += fmt.Sprintf("@%d", f.Int())
			case !f.IsZero():
				items = append(items, field.Name+": "+dumpValue(f, indent+"  "))
			}
		}
		return wrap(name+"{", items, "}", indent)
	case reflect.String:
		return fmt.Sprintf("%q", v.String())
	}
	return fmt.Sprint(v.Interface())
}

// wrap joins items on one line when they fit.
func wrap(open string, items []string, end, indent string) string {
	line := open + strings.Join(items, ", ") + end
	if len(indent)+len(line) <= 110 && !strings.Contains(line, "\n") {
		return line
	}
	inner := indent + "  "
	return open + "\n" + inner + strings.Join(items, ",\n"+inner) + "\n" + indent + end
}

// TestGrammars builds every grammar, most of which are built at first use.
func TestGrammars(t *testing.T) {
	for _, build := range builds {
		if err := build(); err != nil {
			t.Error(err)
		}
	}
}

// TestQuotedWords holds the printer's list of words to the scanner's.
func TestQuotedWords(t *testing.T) {
	for _, k := range keywords {
		if quoted := ast.QuoteIdent(k.word) != k.word; quoted != (k.class != unreserved) {
			t.Errorf("%s: quoted is %v", k.word, quoted)
		}
		if len(k.word) > maxKeywordBytes {
			t.Errorf("%s is longer than maxKeywordBytes", k.word)
		}
	}
}
