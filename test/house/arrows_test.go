// Package house holds the tests of the house rules: which package may import
// which, what every package must say of itself, and which versions are pinned.
package house

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const module = "raisind"

// allowed lists, for each package, the packages of this module it may import.
// The order is that of a query's life, from the outside in; arrows never go back.
var allowed = map[string][]string{
	"pgerr":        {},
	"geom":         {},
	"geom/crs":     {},
	"tiles":        {"geom/crs"},
	"spatialidx":   {"geom"},
	"storage/keys": {},
	"storage":      {"storage/keys"},
	"sql/types":    {"geom", "pgerr"},
	"sql/ast":      {},
	"sql/parser":   {"sql/ast", "pgerr"},
	"sql/funcs":    {"sql/types", "geom", "geom/crs", "tiles", "pgerr"},
	"sql/expr":     {"sql/types", "sql/funcs", "geom", "pgerr"},
	"catalog":      {"storage", "storage/keys", "sql/types", "sql/ast", "spatialidx", "pgerr"},
	"sql/plan":     {"catalog", "sql/ast", "sql/expr", "sql/funcs", "sql/types", "geom", "spatialidx", "storage", "pgerr"},
	"relation":     {"catalog", "storage", "storage/keys", "spatialidx", "geom", "sql/types", "pgerr"},
	"sql/planner":  {"sql/ast", "sql/parser", "sql/plan", "sql/expr", "sql/funcs", "sql/types", "catalog", "geom", "spatialidx", "storage", "pgerr"},
	"sql/syscat":   {"sql/ast", "sql/parser", "sql/plan", "sql/funcs", "sql/types", "catalog", "geom/crs", "storage", "pgerr"},
	"sql/exec":     {"sql/ast", "sql/plan", "sql/expr", "sql/funcs", "sql/types", "relation", "catalog", "geom", "spatialidx", "storage", "pgerr"},
	"sql/define":   {"sql/ast", "sql/parser", "sql/plan", "sql/planner", "sql/types", "catalog", "storage", "pgerr"},
	"sql/plpgsql":  {"sql/ast", "sql/parser", "sql/planner", "sql/plan", "sql/exec", "sql/expr", "sql/funcs", "sql/types", "pgerr"},
	"session":      {"sql/define", "sql/ddl", "sql/ast", "sql/parser", "sql/planner", "sql/plan", "sql/exec", "sql/plpgsql", "sql/syscat", "sql/expr", "sql/funcs", "sql/types", "catalog", "relation", "storage", "pgerr"},
	"sql/ddl":      {"sql/define", "sql/ast", "sql/parser", "sql/planner", "sql/plan", "sql/exec", "sql/expr", "sql/funcs", "sql/types", "relation", "catalog", "spatialidx", "storage", "pgerr"},
	"wire":         {"session", "sql/types", "pgerr"},
	"demo":         {},
	"cmd/raisind":  {"wire", "session", "sql/ddl", "demo", "relation", "catalog", "storage", "sql/funcs", "sql/exec", "pgerr"},

	"cmd/raisin-tiles": {"tiles"},
}

// reasons explains the arrows people ask about.
var reasons = map[string]string{
	"spatialidx > storage": "the index answers with cells, it never reads",
	"storage > sql/types":  "storage knows bytes, revisions and locks, and no SQL",
	"storage > pgerr":      "storage has errors of its own; one table maps them to SQLSTATEs",
	"wire > storage":       "wire knows messages and sessions only",
	"geom > sql/types":     "mathematics knows no SQL",
}

type goPackage struct {
	ImportPath string
	Dir        string
	Imports    []string
	GoFiles    []string
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Imports,GoFiles", module+"/...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []goPackage
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestArrows(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module+"/")
		if strings.HasPrefix(name, "test") || len(p.GoFiles) == 0 {
			continue
		}
		may, known := allowed[name]
		if !known {
			t.Errorf("package %s is not on the map: add it to the arrows and to docs/architecture.md", name)
			continue
		}
		ok := make(map[string]bool)
		for _, m := range may {
			ok[m] = true
		}
		for _, imp := range p.Imports {
			to, ours := strings.CutPrefix(imp, module+"/")
			if ours && !ok[to] {
				t.Errorf("%s must not import %s: %s", name, to, reasons[name+" > "+to])
			}
		}
		for _, bad := range []string{"util", "common", "helpers"} {
			if filepath.Base(name) == bad {
				t.Errorf("package %s: the name says nothing", name)
			}
		}
	}
}

func TestPackagesAndExportedNamesAreDescribed(t *testing.T) {
	for _, p := range packages(t) {
		if len(p.GoFiles) == 0 {
			continue
		}
		described := false
		for _, f := range p.GoFiles {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, f), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			described = described || file.Doc != nil
			for _, name := range undocumented(file) {
				t.Errorf("%s/%s: %s has no doc comment", p.ImportPath, f, name)
			}
		}
		if !described {
			t.Errorf("package %s has no package comment", p.ImportPath)
		}
	}
}

// undocumented lists the exported names of a file that no comment describes. A
// comment on a group of constants or variables describes all of them.
func undocumented(file *ast.File) (names []string) {
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() && s.Doc == nil && d.Doc == nil {
						names = append(names, s.Name.Name)
					}
				case *ast.ValueSpec:
					for _, n := range s.Names {
						if n.IsExported() && s.Doc == nil && s.Comment == nil && d.Doc == nil {
							names = append(names, n.Name)
						}
					}
				}
			}
		}
	}
	return names
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if idx, ok := t.(*ast.IndexExpr); ok {
		t = idx.X
	}
	id, ok := t.(*ast.Ident)
	return ok && id.IsExported()
}

// pins are versions that the module proxy does not list and that a plain upgrade
// would silently replace by older, unusable ones.
var pins = map[string]string{
	"github.com/peterstace/simplefeatures": "v0.59.0",
	"github.com/pymaxion/geographiclib-go": "v1.1.0",
	"github.com/cockroachdb/pebble/v2":     "v2.1.7",
}

func TestPins(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for path, version := range pins {
		if !strings.Contains(string(mod), path+" "+version) {
			t.Errorf("go.mod must hold %s at %s", path, version)
		}
	}
}
