package main

import (
	"bytes"
	"os"
	"path/filepath"

	"raisind/sql/funcs"
)

type docsCmd struct {
	Dir string `help:"Where to write." default:"docs" type:"path"`
}

// Run writes docs/functions.md from the table of functions.
func (c *docsCmd) Run() error {
	var b bytes.Buffer
	if err := funcs.Markdown(&b); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(c.Dir, "functions.md"), b.Bytes(), 0o644)
}
