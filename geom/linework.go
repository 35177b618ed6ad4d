package geom

import (
	"fmt"
	"math"
	"slices"
)

func checkFinite(g *Geometry) error {
	if g.odd() {
		return fmt.Errorf("%w: coordinates are not finite", ErrTopology)
	}
	if g.NumPoints() > MaxOverlayPositions {
		return fmt.Errorf("%w: %d positions, of which no more than %d can be worked on at once", ErrTooLarge, g.NumPoints(), MaxOverlayPositions)
	}
	return nil
}

// scanLine returns y, or where positions of g lie on it the middle between y and the next
// position below or above, so that a horizontal line crosses edges only.
func scanLine(g *Geometry, y float64) float64 {
	lo, hi := math.Inf(-1), math.Inf(1)
	g.EachPosition(func(p []float64) bool {
		if p[1] <= y {
			lo = max(lo, p[1])
		} else {
			hi = min(hi, p[1])
		}
		return true
	})
	return (lo + hi) / 2
}

// crossingsAt lists where the rings of g cross the horizontal through y, from left to right.
func crossingsAt(g *Geometry, y float64) []float64 {
	var xs []float64
	stride := g.dims.Stride()
	g.eachPath(func(c []float64, k Kind) {
		if k != Polygon {
			return
		}
		for i := stride; i < len(c); i += stride {
			ax, ay, bx, by := c[i-stride], c[i-stride+1], c[i], c[i+1]
			if (ay > y) != (by > y) {
				xs = append(xs, ax+(y-ay)/(by-ay)*(bx-ax))
			}
		}
	})
	slices.Sort(xs)
	return xs
}

// PointOnSurface is a point of g: of areas the middle of the longest piece of a line
// through them, of lines an inner position near the centre, of points the one nearest to it.
func PointOnSurface(g *Geometry) *Geometry {
	if g.empty {
		return NewEmpty(Point, XY, g.srid)
	}
	all := g.leaves(nil)
	d := g.Dimension()
	if d == 2 {
		var best *Geometry
		width := -1.0
		for _, p := range all {
			if p.kind != Polygon || p.empty {
				continue
			}
			if x, y, w := widest(p); w > width {
				best, width = NewPoint(x, y, g.srid), w
			}
		}
		return best
	}
	c := Centroid(g)
	cx, cy, _ := c.AsPoint()
	var best []float64
	dist := math.Inf(1)
	try := func(p []float64) {
		if e := math.Hypot(p[0]-cx, p[1]-cy); e < dist {
			best, dist = p, e
		}
	}
	if d == 1 {
		for _, p := range all { // inner positions, and ends only without them
			if p.kind == LineString {
				s := p.dims.Stride()
				for i := s; i+s < len(p.s.coords); i += s {
					try(p.s.coords[i : i+2])
				}
			}
		}
	}
	if best == nil {
		for _, p := range all {
			if d == 1 && p.kind == LineString && !p.empty {
				s := p.dims.Stride()
				try(p.s.coords[:2])
				try(p.s.coords[len(p.s.coords)-s : len(p.s.coords)-s+2])
			} else if d == 0 && !p.empty {
				try(p.p[:2])
			}
		}
	}
	if best == nil {
		return NewEmpty(Point, XY, g.srid)
	}
	return NewPoint(best[0], best[1], g.srid)
}

func widest(p *Geometry) (x, y, width float64) {
	b, _ := p.Box()
	y = scanLine(p, (b.MinY+b.MaxY)/2)
	cuts := crossingsAt(p, y)
	x, width = p.s.coords[0], 0
	if len(cuts) < 2 {
		return x, p.s.coords[1], 0
	}
	for i := 0; i+1 < len(cuts); i += 2 {
		if w := cuts[i+1] - cuts[i]; w > width {
			x, width = (cuts[i]+cuts[i+1])/2, w
		}
	}
	return x, y, width
}

// LineMerge joins lines that meet two by two at their ends; directed keeps the direction
// of every line. What is no line is left out.
func LineMerge(g *Geometry, directed bool) *Geometry {
	none := NewEmpty(GeometryCollection, g.dims, g.srid)
	if g.empty {
		return none
	}
	stride := g.dims.Stride()
	var lines [][]float64
	for _, l := range g.leaves(nil) {
		if l.kind == LineString && !l.empty {
			if c := dropRepeatedXY(l.s.coords, stride); len(c) > stride {
				lines = append(lines, c)
			}
		}
	}
	if len(lines) == 0 {
		return none
	}
	m := newMerger(lines, stride, directed)
	var parts []*Geometry
	for _, c := range m.run() {
		parts = append(parts, NewLineString(c, g.dims, g.srid))
	}
	return gather(parts, LineString, g.dims, g.srid)
}

// merger joins lines at nodes of two.
type merger struct {
	lines    [][]float64
	stride   int
	directed bool
	at       map[[2]float64][]int // 2i leaves along line i, 2i+1 against it
	order    [][2]float64
	used     []bool
}

func newMerger(lines [][]float64, stride int, directed bool) *merger {
	m := &merger{lines: lines, stride: stride, directed: directed, at: map[[2]float64][]int{}, used: make([]bool, len(lines))}
	for i := range lines {
		for _, h := range [2]int{2 * i, 2*i + 1} {
			p := m.start(h)
			if _, ok := m.at[p]; !ok {
				m.order = append(m.order, p)
			}
			m.at[p] = append(m.at[p], h)
		}
	}
	return m
}

func (m *merger) start(h int) [2]float64 {
	c := m.lines[h/2]
	if h%2 == 1 {
		return [2]float64{c[len(c)-m.stride], c[len(c)-m.stride+1]}
	}
	return [2]float64{c[0], c[1]}
}

func (m *merger) run() [][]float64 {
	var out [][]float64
	begin := func(p [2]float64) {
		for _, h := range m.at[p] {
			if !m.used[h/2] && !(m.directed && h%2 == 1) {
				out = append(out, m.follow(h))
			}
		}
	}
	for _, p := range m.order {
		if len(m.at[p]) != 2 || m.directed && !m.passes(p) {
			begin(p)
		}
	}
	for _, p := range m.order { // rings
		begin(p)
	}
	return out
}

// passes reports whether one line ends and another begins at p.
func (m *merger) passes(p [2]float64) bool {
	hs := m.at[p]
	return len(hs) == 2 && hs[0]%2 != hs[1]%2
}

// follow joins lines from half-edge h on, as far as nodes have two lines.
func (m *merger) follow(h int) []float64 {
	var c []float64
	forward := 0
	for {
		m.used[h/2] = true
		e := m.lines[h/2]
		if h%2 == 1 {
			e = reversed(e, m.stride)
			forward--
		} else {
			forward++
		}
		if len(c) > 0 {
			e = e[m.stride:]
		}
		c = append(c, e...)
		p := m.start(h ^ 1)
		next := -1
		if hs := m.at[p]; len(hs) == 2 && (!m.directed || m.passes(p)) {
			for _, k := range hs {
				if !m.used[k/2] && !(m.directed && k%2 == 1) {
					next = k
				}
			}
		}
		if next < 0 {
			break
		}
		h = next
	}
	if forward < 0 { // most lines run the other way
		return reversed(c, m.stride)
	}
	return c
}

// Node is ST_Node: lines split wherever they cross.
func Node(g *Geometry) (*Geometry, error) {
	lines, dims := lineworkOf([]*Geometry{g})
	if err := checkConstruct(g); err != nil {
		return nil, err
	}
	out, err := node(lines, dims, g.srid)
	if err != nil {
		return nil, err
	}
	return NewCollection(MultiLineString, out, dims, g.srid), nil
}

// Boundary is ST_Boundary: the ends of lines that occur an odd number of times, the rings
// of areas; points have none.
func Boundary(g *Geometry) (*Geometry, error) {
	dims := g.dims
	stride := dims.Stride()
	switch g.kind {
	case Point, MultiPoint:
		return NewEmpty(GeometryCollection, dims, g.srid), nil
	case LineString, MultiLineString:
		if g.empty {
			return NewEmpty(MultiPoint, dims, g.srid), nil
		}
		count := map[[2]float64]int{}
		var ends [][]float64
		for _, l := range g.leaves(nil) {
			if l.empty {
				continue
			}
			c := l.s.coords
			for _, p := range [2][]float64{c[:stride], c[len(c)-stride:]} {
				k := [2]float64{p[0], p[1]}
				if count[k] == 0 {
					ends = append(ends, p)
				}
				count[k]++
			}
		}
		var parts []*Geometry
		for _, p := range ends {
			if count[[2]float64{p[0], p[1]}]%2 == 1 {
				parts = append(parts, NewPointDims(p, dims, g.srid))
			}
		}
		slices.SortStableFunc(parts, func(a, b *Geometry) int { return slices.Compare(a.p[:2], b.p[:2]) })
		if g.kind == LineString && len(parts) == 2 {
			c := g.s.coords
			parts = []*Geometry{NewPointDims(c[:stride], dims, g.srid), NewPointDims(c[len(c)-stride:], dims, g.srid)}
		}
		if len(parts) == 1 {
			return parts[0], nil
		}
		return NewCollection(MultiPoint, parts, dims, g.srid), nil
	case Polygon, MultiPolygon:
		var rings []*Geometry
		g.eachPath(func(c []float64, _ Kind) { rings = append(rings, NewLineString(c, dims, g.srid)) })
		if g.kind == Polygon && len(rings) == 1 {
			return rings[0], nil
		}
		return NewCollection(MultiLineString, rings, dims, g.srid), nil
	}
	return nil, fmt.Errorf("%w: Operation not supported by GeometryCollection", ErrTopology)
}
