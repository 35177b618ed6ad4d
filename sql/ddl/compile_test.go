package ddl_test

import (
	"sync"
	"testing"

	"raisind/catalog"
	"raisind/sql/ddl"
	"raisind/sql/types"
)

// Commits that run side by side share what an index was compiled to.
func TestCompiledIndexSideBySide(t *testing.T) {
	r := &catalog.Relation{
		Name:    "t",
		Columns: []catalog.Column{{ID: 1, Name: "a", Type: types.TInt4, Typmod: -1}, {ID: 2, Name: "b", Type: types.TInt4, Typmod: -1}},
	}
	x := &catalog.Index{Name: "x", Columns: []int{catalog.ExprColumn}, Keys: []catalog.IndexKey{{Expr: "a + b"}}, Predicate: "a + b > 10"}
	c, err := ddl.CompileIndex(r, x)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for g := range int32(8) {
		wg.Go(func() {
			for i := range int32(2000) {
				row := types.Row{types.Int(int64(g)), types.Int(int64(i))}
				v, err := c.Keys[0](row)
				if err != nil || v.Int() != int64(g+i) {
					t.Errorf("%d + %d = %v (%v)", g, i, v, err)
					return
				}
				if in, err := c.Predicate(row); err != nil || in != (g+i > 10) {
					t.Errorf("%d + %d > 10: %v (%v)", g, i, in, err)
					return
				}
			}
		})
	}
	wg.Wait()
}
