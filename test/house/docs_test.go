package house

import (
	"bytes"
	"os"
	"testing"

	"raisind/sql/funcs"
)

// TestGeneratedDocs: docs/functions.md is what the table of functions says.
func TestGeneratedDocs(t *testing.T) {
	want, err := os.ReadFile("../../docs/functions.md")
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := funcs.Markdown(&got); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got.Bytes()) {
		t.Error("docs/functions.md is not what the table of functions says: run make docs")
	}
}
