package geom

// edge names two vertices of a shape; a point is an edge with twice the same.
type edge struct{ a, b int32 }

// bounding is a box round edges, in whatever space.
type bounding[B any] interface {
	*B
	// join grows the box to hold another.
	join(*B)
	// apart2 is a lower bound of the squared distance between what is in two boxes.
	apart2(*B) float64
}

// edgeTree keeps edges in leaves of consecutive ones and leaves in nodes, each with its
// box. Edges of a path follow each other in space, so nothing is sorted and building is
// linear. The zero tree holds nothing.
type edgeTree[B any, P bounding[B]] struct {
	edges  []edge
	levels [][]B // levels[0] are the boxes of leaves, the last level has one
}

const (
	treeLeafEdges = 8
	treeFanout    = 8
)

// newEdgeTree builds a tree; boxOf gives the box of one edge.
func newEdgeTree[B any, P bounding[B]](edges []edge, boxOf func(edge) B) edgeTree[B, P] {
	t := edgeTree[B, P]{edges: edges}
	if len(edges) == 0 {
		return t
	}
	level := make([]B, 0, (len(edges)+treeLeafEdges-1)/treeLeafEdges)
	for i := 0; i < len(edges); i += treeLeafEdges {
		box := boxOf(edges[i])
		for _, e := range edges[i+1 : min(i+treeLeafEdges, len(edges))] {
			other := boxOf(e)
			P(&box).join(&other)
		}
		level = append(level, box)
	}
	t.levels = append(t.levels, level)
	for len(level) > 1 {
		up := make([]B, 0, (len(level)+treeFanout-1)/treeFanout)
		for i := 0; i < len(level); i += treeFanout {
			box := level[i]
			for k := i + 1; k < min(i+treeFanout, len(level)); k++ {
				P(&box).join(&level[k])
			}
			up = append(up, box)
		}
		t.levels = append(t.levels, up)
		level = up
	}
	return t
}

// top is the box round all edges, which there must be.
func (t *edgeTree[B, P]) top() *B { return &t.levels[len(t.levels)-1][0] }

// leaf returns the edges of leaf i.
func (t *edgeTree[B, P]) leaf(i int) []edge {
	return t.edges[i*treeLeafEdges : min((i+1)*treeLeafEdges, len(t.edges))]
}

// edgeSearch visits pairs of edges of two trees, near ones first, leaving out what is
// farther apart than the limit. visit may lower the limit; a limit below 0 ends the
// search.
type edgeSearch[B any, P bounding[B]] struct {
	a, b   *edgeTree[B, P]
	limit2 float64
	visit  func(ea, eb edge)
}

func (s *edgeSearch[B, P]) run() {
	if len(s.a.edges) > 0 && len(s.b.edges) > 0 && P(s.a.top()).apart2(s.b.top()) <= s.limit2 {
		s.nodes(len(s.a.levels)-1, 0, len(s.b.levels)-1, 0)
	}
}

// nodes visits what is below node ia on level la of one tree and ib on lb of the other.
func (s *edgeSearch[B, P]) nodes(la, ia, lb, ib int) {
	if la == 0 && lb == 0 {
		for _, ea := range s.a.leaf(ia) {
			for _, eb := range s.b.leaf(ib) {
				s.visit(ea, eb)
				if s.limit2 < 0 {
					return
				}
			}
		}
		return
	}
	// Open the coarser node, and go to its children by distance.
	openA := la > 0 && la >= lb
	level, i, other := s.b.levels[max(lb-1, 0)], ib, &s.a.levels[la][ia]
	if openA {
		level, i, other = s.a.levels[la-1], ia, &s.b.levels[lb][ib]
	}
	var order [treeFanout]struct {
		child  int
		apart2 float64
	}
	n := 0
	for c := i * treeFanout; c < min((i+1)*treeFanout, len(level)); c++ {
		d := P(&level[c]).apart2(other)
		if d > s.limit2 {
			continue
		}
		k := n
		for ; k > 0 && order[k-1].apart2 > d; k-- {
			order[k] = order[k-1]
		}
		order[k].child, order[k].apart2 = c, d
		n++
	}
	for _, c := range order[:n] {
		if c.apart2 > s.limit2 {
			return
		}
		if openA {
			s.nodes(la-1, c.child, lb, ib)
		} else {
			s.nodes(la, ia, lb-1, c.child)
		}
	}
}

// join and apart2 make Box a bounding.
func (b *Box) join(o *Box) {
	b.MinX, b.MinY = min(b.MinX, o.MinX), min(b.MinY, o.MinY)
	b.MaxX, b.MaxY = max(b.MaxX, o.MaxX), max(b.MaxY, o.MaxY)
}

func (b *Box) apart2(o *Box) float64 {
	x := max(0, b.MinX-o.MaxX, o.MinX-b.MaxX)
	y := max(0, b.MinY-o.MaxY, o.MinY-b.MaxY)
	return x*x + y*y
}
