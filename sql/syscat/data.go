package syscat

import (
	"embed"
	"fmt"
	"strings"
	"sync"

	"raisind/sql/types"
)

//go:embed data
var files embed.FS

// dataset is one file of data/: rows under column names.
type dataset struct {
	columns []string
	rows    [][]string
	fixed   map[string]string // columns with one value throughout
}

// null is how COPY writes NULL.
const null = `\N`

func readData(name string) *dataset {
	text, err := files.ReadFile("data/" + name + ".tsv")
	if err != nil {
		panic(fmt.Sprintf("syscat: no data of %s: %v", name, err))
	}
	d := &dataset{fixed: map[string]string{}}
	for line := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n"), "\n") {
		if d.columns == nil {
			if fixed, ok := strings.CutPrefix(line, "#"); ok {
				name, value, _ := strings.Cut(fixed, "=")
				d.fixed[name] = unescape(value)
				continue
			}
			d.columns = strings.Split(line, "\t")
			continue
		}
		row := strings.Split(line, "\t")
		for i := range row {
			row[i] = unescape(row[i])
		}
		d.rows = append(d.rows, row)
	}
	return d
}

// unescape undoes what COPY does to text; NULL stays as it is written.
func unescape(s string) string {
	if s == null || strings.IndexByte(s, '\\') < 0 {
		return s
	}
	return strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r", `\b`, "\b").Replace(s)
}

// column finds a column's position in the rows, -1 for none.
func (d *dataset) column(name string) int {
	for i, c := range d.columns {
		if c == name {
			return i
		}
	}
	return -1
}

// load turns a file into rows of the relation of its name. A column that the file does
// not have is NULL.
func load(name string) []types.Row {
	d := readData(name)
	rel := mustRelation("pg_catalog", name)
	at := make([]int, len(rel.cols))
	base := make(types.Row, len(rel.cols))
	for i, c := range rel.cols {
		at[i] = d.column(c.Name)
		if v, ok := d.fixed[c.Name]; ok {
			base[i] = read(c.Type, v)
		}
	}
	rows := make([]types.Row, 0, len(d.rows))
	for _, text := range d.rows {
		row := append(types.Row(nil), base...)
		for i, k := range at {
			if k >= 0 {
				row[i] = read(rel.cols[i].Type, text[k])
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func read(t *types.Type, s string) types.Datum {
	if s == null {
		return types.Null
	}
	d, err := t.ParseText(s, -1, nil)
	if err != nil {
		panic(fmt.Sprintf("syscat: %q is no %s: %v", s, t, err))
	}
	return d
}

// loaded is load, once.
func loaded(name string) func() []types.Row {
	return sync.OnceValue(func() []types.Row { return load(name) })
}
