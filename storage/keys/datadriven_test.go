package keys

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestLayout reads keys in legible form and prints their bytes, prefix and suffix apart.
func TestLayout(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var out strings.Builder
			for _, line := range strings.Split(strings.TrimSpace(d.Input), "\n") {
				switch d.Cmd {
				case "encode":
					key, err := parse(line)
					if err != nil {
						d.Fatalf(t, "%s: %v", line, err)
					}
					if again := String(key); again != line {
						d.Fatalf(t, "%s prints as %s", line, again)
					}
					n := Split(key)
					fmt.Fprintf(&out, "%x | %x\n", key[:n], key[n:])
				case "decode":
					var key []byte
					fmt.Sscanf(strings.ReplaceAll(line, " ", ""), "%x", &key)
					fmt.Fprintln(&out, String(key))
				default:
					d.Fatalf(t, "unknown command %s", d.Cmd)
				}
			}
			return out.String()
		})
	})
}

// parse reads what String prints.
func parse(s string) ([]byte, error) {
	family, rest, _ := strings.Cut(s, "/")
	var rev Revision
	tombstone := strings.HasSuffix(rest, "-")
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		var ms, counter int64
		if _, err := fmt.Sscanf(strings.TrimSuffix(rest[i+1:], "-"), "%d.%d", &ms, &counter); err != nil {
			return nil, err
		}
		rev, rest = RevisionAtMs(ms)+Revision(counter), rest[:i]
	}
	switch family {
	case "row":
		k := Row{Revision: rev}
		_, err := fmt.Sscanf(rest, "%d/%d", &k.Relation, &k.Row)
		return k.Append(nil), err
	case "unique":
		index, quoted, _ := strings.Cut(rest, "/")
		n, err := strconv.ParseUint(index, 10, 32)
		if err != nil {
			return nil, err
		}
		text, err := strconv.Unquote(quoted)
		return Unique{IndexID(n), []byte(text), rev}.Append(nil), err
	case "catalog":
		text, err := strconv.Unquote(rest)
		return Catalog{[]byte(text), rev}.Append(nil), err
	case "local":
		kind, quoted, _ := strings.Cut(rest, "/")
		n, err := strconv.ParseUint(kind, 10, 8)
		if err != nil {
			return nil, err
		}
		text, err := strconv.Unquote(quoted)
		return Local{LocalKind(n), []byte(text)}.Append(nil), err
	case "spatial":
		k := Spatial{Revision: rev, Tombstone: tombstone}
		var list rune
		_, err := fmt.Sscanf(rest, "%d/%d/%c%d/%x/%d", &k.Relation, &k.Property, &list, &k.Precision, &k.Cell, &k.Row)
		k.Wide = list == 'w'
		return k.Append(nil), err
	}
	return nil, fmt.Errorf("unknown family %q", family)
}
