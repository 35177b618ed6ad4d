package house

import (
	"bytes"
	"io"
	"os"
	"testing"

	"raisind/session"
	"raisind/sql/funcs"
)

// TestGeneratedDocs: the generated pages are what the tables they come from say.
func TestGeneratedDocs(t *testing.T) {
	for page, print := range map[string]func(io.Writer) error{
		"functions.md": funcs.Markdown,
		"settings.md":  session.SettingsMarkdown,
	} {
		want, err := os.ReadFile("../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := print(&got); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(want, got.Bytes()) {
			t.Errorf("docs/%s is not what its table says: run make docs", page)
		}
	}
}
