package geom

import (
	"context"
	"slices"
)

// tree is a packed R-tree over boxes, for finding pairs that are near.
type tree struct {
	order []int // indexes by the left edge
	boxes []Box
	reach []float64 // for each place in order the greatest right edge up to it
}

func newTree(boxes []Box) *tree {
	t := &tree{boxes: boxes, order: make([]int, len(boxes)), reach: make([]float64, len(boxes))}
	for i := range t.order {
		t.order[i] = i
	}
	slices.SortStableFunc(t.order, func(a, b int) int { return cmpFloat(boxes[a].MinX, boxes[b].MinX) })
	for i, k := range t.order {
		t.reach[i] = boxes[k].MaxX
		if i > 0 {
			t.reach[i] = max(t.reach[i], t.reach[i-1])
		}
	}
	return t
}

func cmpFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// search calls fn with every box that meets b.
func (t *tree) search(b Box, fn func(i int) bool) {
	first, _ := slices.BinarySearchFunc(t.reach, b.MinX, cmpFloat)
	for _, k := range t.order[first:] {
		o := t.boxes[k]
		if o.MinX > b.MaxX {
			return
		}
		if o.Intersects(b) && !fn(k) {
			return
		}
	}
}

// disjointSets joins numbers into groups.
type disjointSets []int

func newSets(n int) disjointSets {
	s := make(disjointSets, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func (s disjointSets) find(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// join puts a and b into one group, under the lower of their numbers.
func (s disjointSets) join(a, b int) {
	a, b = s.find(a), s.find(b)
	if a != b {
		s[max(a, b)] = min(a, b)
	}
}

// Cluster groups shapes that meet, or with a radius of 0 and more those no farther apart,
// directly or through others. Each group lists indexes in order; groups come in the order
// of their first member. Empty shapes stand alone.
func Cluster(ctx context.Context, shapes []*Geometry, radius float64) ([][]int, error) {
	sets := newSets(len(shapes))
	boxes := make([]Box, len(shapes))
	for i, s := range shapes {
		boxes[i], _ = s.Box()
	}
	t := newTree(boxes)
	var failed error
	for i, s := range shapes {
		if i%64 == 0 && ctx != nil && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if s.empty || boxes[i].Empty() {
			continue
		}
		t.search(boxes[i].Expand(max(radius, 0), max(radius, 0)), func(j int) bool {
			if j <= i || sets.find(i) == sets.find(j) {
				return true
			}
			near, err := clustered(s, shapes[j], radius)
			if err != nil {
				failed = err
			}
			if near {
				sets.join(i, j)
			}
			return err == nil
		})
		if failed != nil {
			return nil, failed
		}
	}
	at := map[int]int{}
	var groups [][]int
	for i := range shapes {
		root := sets.find(i)
		k, ok := at[root]
		if !ok {
			k = len(groups)
			at[root] = k
			groups = append(groups, nil)
		}
		groups[k] = append(groups[k], i)
	}
	return groups, nil
}

func clustered(a, b *Geometry, radius float64) (bool, error) {
	if radius < 0 {
		return Intersects(a, b)
	}
	return PlanarDWithin(a, b, radius)
}
