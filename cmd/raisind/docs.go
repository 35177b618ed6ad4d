package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"

	"raisind/session"
	"raisind/sql/funcs"
)

type docsCmd struct {
	Dir string `help:"Where to write." default:"docs" type:"path"`
}

// Run writes docs/functions.md from the table of functions and docs/settings.md from
// the table of settings.
func (c *docsCmd) Run() error {
	return errors.Join(c.write("functions.md", funcs.Markdown), c.write("settings.md", session.SettingsMarkdown))
}

func (c *docsCmd) write(page string, print func(io.Writer) error) error {
	var b bytes.Buffer
	if err := print(&b); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(c.Dir, page), b.Bytes(), 0o644)
}
