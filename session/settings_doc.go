package session

import (
	"fmt"
	"io"
	"strings"
)

// SettingsMarkdown writes docs/settings.md: the settings SET, SHOW and the startup packet
// know.
func SettingsMarkdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# Settings\n\nWritten from the table in `session/settings.go` by `make docs`; do not edit.\n\n" +
		"`SET`, `SET LOCAL`, `RESET` and `SHOW` work as in PostgreSQL: a value set in a transaction goes when that is rolled back,\n" +
		"one set with `SET LOCAL` when it ends. Names of two parts (`my.own`) may be made up.\n\n" +
		"| setting | default | values | who may change it | what it does |\n| --- | --- | --- | --- | --- |\n")
	who := map[settingContext]string{userContext: "session", sighupContext: "server", postmasterContext: "server, at start", internalContext: "nobody"}
	var without []string
	for _, d := range settingsSorted {
		if d.doc == inert {
			without = append(without, "`"+d.name+"`")
			continue
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", d.name, code(d.display(d.boot)), d.values(), who[d.ctx], d.doc)
	}
	b.WriteString("\nSettings that clients of PostgreSQL set by habit are accepted, checked and shown, and change nothing:\n" +
		strings.Join(without, ", ") + ".\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}

// values describes what a setting takes.
func (d *setting) values() string {
	switch d.kind {
	case boolSetting:
		return "on, off"
	case enumSetting:
		return strings.Join(d.words, ", ")
	case intSetting, realSetting:
		s := formatNumber(d.min) + " to " + formatNumber(d.max)
		if d.max >= maxInt32 {
			s = "from " + formatNumber(d.min)
		}
		if d.unit != "" {
			s += ", in " + d.unit + " without a unit"
		}
		return s
	}
	return "text"
}
