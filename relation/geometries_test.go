package relation

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// Each case is a JSON text; the answer lists path and text of what looks like a
// geometry, in the order of the walk.
func TestEachGeometry(t *testing.T) {
	datadriven.RunTest(t, "testdata/geometries", func(t *testing.T, d *datadriven.TestData) string {
		if d.Cmd != "walk" {
			d.Fatalf(t, "unknown command %s", d.Cmd)
		}
		var b strings.Builder
		whole := EachGeometry(d.Input, func(path, raw string) bool {
			fmt.Fprintf(&b, "%s = %s\n", path, raw)
			return true
		})
		if !whole {
			b.WriteString("not all\n")
		}
		return b.String()
	})
}

func TestEachGeometryDeep(t *testing.T) {
	deep := func(n int) string {
		return strings.Repeat(`{"a": `, n) + `{"type": "Point", "coordinates": [1, 2]}` + strings.Repeat("}", n)
	}
	for n, want := range map[int]bool{1: true, MaxGeometryDepth: true, MaxGeometryDepth + 1: false, 10_000: false} {
		count := 0
		whole := EachGeometry(deep(n), func(string, string) bool { count++; return true })
		if whole != want || (count == 1) != want {
			t.Errorf("depth %d: %d found, whole %v", n, count, whole)
		}
	}
}

func FuzzEachGeometry(f *testing.F) {
	f.Add(`{"a": {"type": "Point", "coordinates": [1, 2]}, "b": [{"type": "Point", "coordinates": []}]}`)
	f.Add(`{"\u0061": {"x\"": [[[{"type": "Polygon", "coordinates": []}]]]}`)
	f.Fuzz(func(t *testing.T, doc string) {
		EachGeometry(doc, func(path, raw string) bool {
			if path == "" || !strings.HasPrefix(raw, "{") || !strings.HasSuffix(raw, "}") || !strings.Contains(doc, raw) {
				t.Errorf("%q in %q under %q", raw, doc, path)
			}
			return true
		})
	})
}

func BenchmarkEachGeometry(b *testing.B) {
	r, row := vehicle(b)
	_ = r
	doc := row[5].Str()
	b.ReportAllocs()
	for b.Loop() {
		EachGeometry(doc, func(string, string) bool { return true })
	}
}
