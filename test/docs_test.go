package test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sqlBlock finds the examples of a page that say they are executed.
var sqlBlock = regexp.MustCompile("(?s)<!-- executed by test/docs_test.go -->\n```sql\n(.*?)```")

// localLink finds links to files of the repository.
var localLink = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)

func pages(t *testing.T) []string {
	t.Helper()
	docs, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	return append(docs, "../README.md", "../CHANGELOG.md")
}

// TestExamplesOfDocs runs the SQL of README and docs as it stands, each page on a
// server of its own.
func TestExamplesOfDocs(t *testing.T) {
	executed := 0
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		blocks := sqlBlock.FindAllStringSubmatch(string(text), -1)
		if len(blocks) == 0 {
			continue
		}
		t.Run(filepath.Base(page), func(t *testing.T) {
			s := startServer(t)
			c := s.connect(t)
			for _, b := range blocks {
				executed++
				if _, err := c.PgConn().Exec(context.Background(), b[1]).ReadAll(); err != nil {
					t.Errorf("%v in\n%s", err, b[1])
				}
			}
		})
	}
	if executed == 0 {
		t.Error("no example was executed")
	}
}

// TestLinksOfDocs follows the links to files of this repository.
func TestLinksOfDocs(t *testing.T) {
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range localLink.FindAllStringSubmatch(string(text), -1) {
			target := m[1]
			if strings.HasPrefix(target, "http") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), target)); err != nil {
				t.Errorf("%s links to %s: %v", page, target, err)
			}
		}
	}
}
