package geom

import (
	"math"
	"slices"
)

// network is noded linework as a planar graph: edges that meet at their ends only.
type network struct {
	stride int
	edges  []netEdge
	nodes  map[[2]float64][]int // half-edges that leave a node, by angle once sorted
	dead   []bool               // per edge
}

// netEdge is one line; half-edge 2i goes along edge i, 2i+1 back.
type netEdge struct {
	coords []float64
	source int
}

// newNetwork makes a graph of lines; repeated edges are kept once.
func newNetwork(lines []*Geometry, dims Dims) *network {
	n := &network{stride: dims.Stride(), nodes: map[[2]float64][]int{}}
	seen := map[[8]float64]bool{}
	for i, l := range lines {
		c := dropRepeatedXY(l.s.coords, n.stride)
		if len(c) < 2*n.stride {
			continue
		}
		if k := edgeKey(c, n.stride); !seen[k] {
			seen[k] = true
			n.edges = append(n.edges, netEdge{c, i})
		}
	}
	for i, e := range n.edges {
		from, to := [2]float64{e.coords[0], e.coords[1]}, [2]float64{e.coords[len(e.coords)-n.stride], e.coords[len(e.coords)-n.stride+1]}
		n.nodes[from] = append(n.nodes[from], 2*i)
		n.nodes[to] = append(n.nodes[to], 2*i+1)
	}
	n.dead = make([]bool, len(n.edges))
	return n
}

// edgeKey is the same for an edge and its reverse.
func edgeKey(c []float64, stride int) [8]float64 {
	l := len(c)
	a := [4]float64{c[0], c[1], c[stride], c[stride+1]}
	b := [4]float64{c[l-stride], c[l-stride+1], c[l-2*stride], c[l-2*stride+1]}
	if slices.Compare(a[:], b[:]) > 0 {
		a, b = b, a
	}
	return [8]float64{a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]}
}

func dropRepeatedXY(c []float64, stride int) []float64 {
	out := make([]float64, 0, len(c))
	for i := 0; i+stride <= len(c); i += stride {
		if n := len(out); n > 0 && out[n-stride] == c[i] && out[n-stride+1] == c[i+1] {
			continue
		}
		out = append(out, c[i:i+stride]...)
	}
	return out
}

func (n *network) start(h int) [2]float64 {
	c := n.edges[h/2].coords
	if h%2 == 0 {
		return [2]float64{c[0], c[1]}
	}
	return [2]float64{c[len(c)-n.stride], c[len(c)-n.stride+1]}
}

// direction is the second position of half-edge h.
func (n *network) direction(h int) [2]float64 {
	c := n.edges[h/2].coords
	i := n.stride
	if h%2 == 1 {
		i = len(c) - 2*n.stride
	}
	return [2]float64{c[i], c[i+1]}
}

// prune marks edges that end in the open as dead, again and again.
func (n *network) prune() {
	degree := map[[2]float64]int{}
	var loose [][2]float64
	for at, hs := range n.nodes {
		degree[at] = len(hs)
		if len(hs) == 1 {
			loose = append(loose, at)
		}
	}
	for len(loose) > 0 {
		at := loose[len(loose)-1]
		loose = loose[:len(loose)-1]
		for _, h := range n.nodes[at] {
			if n.dead[h/2] {
				continue
			}
			n.dead[h/2] = true
			far := n.start(h ^ 1)
			degree[at]--
			if degree[far]--; degree[far] == 1 {
				loose = append(loose, far)
			}
		}
	}
}

// sort orders the half-edges that leave each node against the clock.
func (n *network) sort() {
	for at, hs := range n.nodes {
		slices.SortFunc(hs, func(a, b int) int { return compareAngle(at, n.direction(a), n.direction(b)) })
	}
}

// compareAngle orders directions from o against the clock, from the x axis on.
func compareAngle(o, a, b [2]float64) int {
	quadrant := func(p [2]float64) int {
		dx, dy := p[0]-o[0], p[1]-o[1]
		switch {
		case dx > 0 && dy >= 0:
			return 0
		case dx <= 0 && dy > 0:
			return 1
		case dx < 0 && dy <= 0:
			return 2
		}
		return 3
	}
	if qa, qb := quadrant(a), quadrant(b); qa != qb {
		return qa - qb
	}
	return -orientation(o[0], o[1], a[0], a[1], b[0], b[1])
}

// walks follows the border of every face, which lies to the left, and returns the
// half-edges of each.
func (n *network) walks() [][]int {
	next := make([]int, 2*len(n.edges))
	for _, hs := range n.nodes {
		live := make([]int, 0, len(hs))
		for _, h := range hs {
			if !n.dead[h/2] {
				live = append(live, h)
			}
		}
		for i, h := range live { // arriving against h, the face goes on along the one before it
			next[h^1] = live[(i+len(live)-1)%len(live)]
		}
	}
	seen := make([]bool, len(next))
	var out [][]int
	for h := range next {
		if seen[h] || n.dead[h/2] {
			continue
		}
		var walk []int
		for k := h; !seen[k]; k = next[k] {
			seen[k] = true
			walk = append(walk, k)
		}
		out = append(out, walk)
	}
	return out
}

// cut marks edges with one face on both sides as dead and reports whether there were any.
func (n *network) cut() bool {
	found := false
	for _, w := range n.walks() {
		in := map[int]bool{}
		for _, h := range w {
			in[h] = true
		}
		for _, h := range w {
			if in[h^1] && !n.dead[h/2] {
				n.dead[h/2] = true
				found = true
			}
		}
	}
	return found
}

// rings splits walks into rings that pass no node twice.
func (n *network) rings() [][]float64 {
	var out [][]float64
	for _, w := range n.walks() {
		var stack []int
		at := map[[2]float64]int{}
		for _, h := range w {
			at[n.start(h)] = len(stack)
			stack = append(stack, h)
			end := n.start(h ^ 1)
			if i, ok := at[end]; ok {
				out = append(out, n.ring(stack[i:]))
				for _, k := range stack[i:] {
					delete(at, n.start(k))
				}
				stack = stack[:i]
			}
		}
	}
	return out
}

func (n *network) ring(hs []int) []float64 {
	var c []float64
	for _, h := range hs {
		e := n.edges[h/2].coords
		if h%2 == 1 {
			e = reversed(e, n.stride)
		}
		if len(c) > 0 {
			e = e[n.stride:]
		}
		c = append(c, e...)
	}
	return c
}

func reversed(c []float64, stride int) []float64 {
	out := make([]float64, 0, len(c))
	for i := len(c) - stride; i >= 0; i -= stride {
		out = append(out, c[i:i+stride]...)
	}
	return out
}

// twiceArea is twice the area within a ring, negative when it runs with the clock.
func twiceArea(c []float64, stride int) float64 {
	sum := 0.0
	for i := stride; i+stride < len(c); i += stride {
		sum += (c[i] - c[0]) * (c[i+stride+1] - c[i-stride+1])
	}
	return sum
}

// faces returns the areas noded lines enclose, and the lines that bound none.
func faces(lines []*Geometry, dims Dims, srid int32) (areas, rest []*Geometry) {
	n := newNetwork(lines, dims)
	n.prune()
	n.sort()
	for n.cut() {
		n.prune()
	}
	var shells, holes [][]float64
	for _, r := range n.rings() {
		switch a := twiceArea(r, n.stride); {
		case a > 0:
			shells = append(shells, reversed(r, n.stride)) // GEOS's shells run with the clock
		case a < 0:
			holes = append(holes, reversed(r, n.stride))
		}
	}
	shapes := make([]*Geometry, len(shells))
	boxes := make([]Box, len(shells))
	for i, s := range shells {
		shapes[i] = NewPolygon([][]float64{s}, dims, srid)
		boxes[i], _ = shapes[i].Box()
	}
	within := make([][][]float64, len(shells))
	t := newTree(boxes)
	for _, h := range holes {
		if i := shellOf(h, n.stride, shapes, boxes, t); i >= 0 {
			within[i] = append(within[i], h)
		}
	}
	for i, s := range shells {
		areas = append(areas, NewPolygon(append([][]float64{s}, within[i]...), dims, srid))
	}
	for i, e := range n.edges {
		if n.dead[i] {
			rest = append(rest, NewLineString(e.coords, dims, srid))
		}
	}
	return areas, rest
}

// shellOf is the smallest shell round a hole, -1 for none.
func shellOf(hole []float64, stride int, shapes []*Geometry, boxes []Box, t *tree) int {
	best, bestArea := -1, math.Inf(1)
	b := boxOf(hole, stride)
	t.search(b, func(i int) bool {
		if !boxes[i].Contains(b) || boxes[i] == b {
			return true
		}
		area := math.Abs(twiceArea(shapes[i].Ring(0), stride))
		if area >= bestArea {
			return true
		}
		for k := 0; k+stride <= len(hole); k += stride {
			switch shapes[i].locate(hole[k], hole[k+1]) {
			case interior:
				best, bestArea = i, area
				return true
			case exterior:
				return true
			}
		}
		return true
	})
	return best
}

// Polygonize is the collection of areas that noded lines enclose. Rings of polygons count
// as lines.
func Polygonize(shapes []*Geometry) (*Geometry, error) {
	if err := checkConstruct(shapes...); err != nil {
		return nil, err
	}
	lines, dims := lineworkOf(shapes)
	areas, _ := faces(lines, dims, shapes[0].srid)
	return NewCollection(GeometryCollection, areas, dims, shapes[0].srid), nil
}

// lineworkOf are the lines and rings of shapes.
func lineworkOf(shapes []*Geometry) ([]*Geometry, Dims) {
	dims := elevated(shapes...)
	var lines []*Geometry
	for _, s := range shapes {
		Force(s, dims).eachPath(func(c []float64, k Kind) {
			if k != Point {
				lines = append(lines, NewLineString(c, dims, s.srid))
			}
		})
	}
	return lines, dims
}
