package geom

import (
	"container/heap"
	"fmt"
	"math"
	"slices"

	sf "github.com/peterstace/simplefeatures/geom"
)

// ConvexHull is the smallest convex shape round g: an area, or a line or a point where it
// has none.
func ConvexHull(g *Geometry) (*Geometry, error) {
	if g.empty {
		return g, nil
	}
	if err := checkFinite(g); err != nil {
		return nil, err
	}
	return withZ(hull(g), g), nil
}

// hull is Andrew's monotone chain over the positions of g; holes, which a valid shape has
// within its shells, count for nothing, as in GEOS.
func hull(g *Geometry) *Geometry {
	var ps [][2]float64
	for _, l := range g.leaves(nil) {
		c := l.Positions()
		if l.kind == Polygon && !l.empty {
			c = l.Ring(0)
		}
		for i := 0; i < len(c); i += l.dims.Stride() {
			ps = append(ps, [2]float64{c[i], c[i+1]})
		}
	}
	slices.SortFunc(ps, func(a, b [2]float64) int { return slices.Compare(a[:], b[:]) })
	ps = slices.Compact(ps)
	if len(ps) == 1 {
		return NewPoint(ps[0][0], ps[0][1], g.srid)
	}
	chain := func(dst [][2]float64, ps [][2]float64) [][2]float64 {
		start := len(dst)
		for _, p := range ps {
			for n := len(dst); n-start >= 2; n = len(dst) {
				if a, b := dst[n-2], dst[n-1]; orientation(a[0], a[1], b[0], b[1], p[0], p[1]) > 0 {
					break
				}
				dst = dst[:n-1]
			}
			dst = append(dst, p)
		}
		return dst[:len(dst)-1]
	}
	ring := chain(nil, ps)
	slices.Reverse(ps)
	ring = chain(ring, ps)
	if len(ring) == 2 {
		return NewLineString([]float64{ring[0][0], ring[0][1], ring[1][0], ring[1][1]}, XY, g.srid)
	}
	var c []float64
	for _, p := range append(ring, ring[0]) {
		c = append(c, p[0], p[1])
	}
	return turned(newPolygon(c, []int{len(c)}, XY, g.srid))
}

// turned gives a polygon from GEOS's hull its order: with the clock, from the lowest
// position, the leftmost of several.
func turned(g *Geometry) *Geometry {
	if g.kind != Polygon || g.empty {
		return g
	}
	c := g.Ring(0)
	if twiceArea(c, 2) > 0 {
		c = reversed(c, 2)
	}
	n := len(c)/2 - 1
	first := 0
	for i := 1; i < n; i++ {
		if c[2*i+1] < c[2*first+1] || c[2*i+1] == c[2*first+1] && c[2*i] < c[2*first] {
			first = i
		}
	}
	out := make([]float64, 0, len(c))
	for i := range n + 1 {
		k := (first + i) % n
		out = append(out, c[2*k], c[2*k+1])
	}
	return newPolygon(out, []int{len(out)}, XY, g.srid)
}

// OrientedEnvelope is the rectangle of least area round g, at any angle.
func OrientedEnvelope(g *Geometry) (*Geometry, error) {
	if g.empty {
		return NewEmpty(Polygon, XY, g.srid), nil
	}
	if err := checkFinite(g); err != nil {
		return nil, err
	}
	return FromSF(sf.RotatedMinimumAreaBoundingRectangle(flat(g)), g.srid), nil
}

// Segmentize adds positions so that no segment is longer than most, pieces of one segment
// equally long.
func Segmentize(g *Geometry, most float64) (*Geometry, error) {
	stride := g.dims.Stride()
	n := 0
	out := g.thin(func(c []float64, _ Kind, _ bool) []float64 {
		r := append([]float64{}, c[:stride]...)
		for i := stride; i < len(c); i += stride {
			p, q := c[i-stride:i], c[i:i+stride]
			pieces := math.Ceil(math.Hypot(q[0]-p[0], q[1]-p[1]) / most)
			if n += int(min(pieces, 1e9)); n > MaxOverlayPositions {
				return r
			}
			if pieces == 0 { // a repeated position
				continue
			}
			for k := 1.0; k < pieces; k++ {
				r = append(r, mixed(p, q, k/pieces)...)
			}
			r = append(r, q...)
		}
		return r
	})
	if n > MaxOverlayPositions {
		return nil, fmt.Errorf("%w: more than %d positions", ErrTooLarge, MaxOverlayPositions)
	}
	if out == nil {
		return g, nil
	}
	return out, nil
}

// SimplifyVW is Visvalingam and Whyatt's algorithm: positions whose triangle with their
// neighbours is smaller than area go, the smallest first. Shells keep four positions; holes may go.
func SimplifyVW(g *Geometry, area float64) *Geometry {
	stride := g.dims.Stride()
	out := g.thin(func(c []float64, kind Kind, first bool) []float64 {
		minimum := 2
		if kind == Polygon && first {
			minimum = 4
		}
		r := effective(c, stride, area, minimum)
		if kind == Polygon && len(r) < 4*stride && !first {
			return nil
		}
		return r
	})
	if out == nil {
		return g
	}
	return out
}

type vwHeap struct {
	items []int
	area  []float64
	at    []int
}

func (h *vwHeap) Len() int           { return len(h.items) }
func (h *vwHeap) Less(i, j int) bool { return h.area[h.items[i]] < h.area[h.items[j]] }
func (h *vwHeap) Swap(i, j int) {
	h.items[i], h.items[j] = h.items[j], h.items[i]
	h.at[h.items[i]], h.at[h.items[j]] = i, j
}
func (h *vwHeap) Push(x any) { h.items = append(h.items, x.(int)) }
func (h *vwHeap) Pop() any {
	x := h.items[len(h.items)-1]
	h.items = h.items[:len(h.items)-1]
	return x
}

func effective(c []float64, stride int, limit float64, minimum int) []float64 {
	n := len(c) / stride
	if n <= minimum {
		return c
	}
	prev, next := make([]int, n), make([]int, n)
	h := &vwHeap{area: make([]float64, n), at: make([]int, n)}
	triangle := func(i int) float64 {
		a, b, d := c[prev[i]*stride:], c[i*stride:], c[next[i]*stride:]
		return math.Abs((b[0]-a[0])*(d[1]-a[1])-(d[0]-a[0])*(b[1]-a[1])) / 2
	}
	gone := make([]bool, n)
	for i := range n {
		prev[i], next[i] = i-1, i+1
	}
	for i := 1; i < n-1; i++ {
		h.area[i] = triangle(i)
		h.at[i] = len(h.items)
		h.items = append(h.items, i)
	}
	heap.Init(h)
	left := n
	for h.Len() > 0 && left > minimum {
		i := heap.Pop(h).(int)
		if h.area[i] >= limit {
			break
		}
		gone[i] = true
		left--
		p, q := prev[i], next[i]
		next[p], prev[q] = q, p
		for _, k := range [2]int{p, q} {
			if k > 0 && k < n-1 {
				h.area[k] = max(triangle(k), h.area[i])
				heap.Fix(h, h.at[k])
			}
		}
	}
	out := make([]float64, 0, left*stride)
	for i := range n {
		if !gone[i] {
			out = append(out, c[i*stride:(i+1)*stride]...)
		}
	}
	return out
}

// Chaikin smooths lines and rings: every corner is cut at a quarter of its segments.
func Chaikin(g *Geometry, rounds int, keepEnds bool) *Geometry {
	stride := g.dims.Stride()
	for range rounds {
		out := g.thin(func(c []float64, kind Kind, _ bool) []float64 {
			if len(c) <= 2*stride {
				return c
			}
			open := kind == LineString && keepEnds
			var r []float64
			for i := stride; i < len(c); i += stride {
				p, q := c[i-stride:i], c[i:i+stride]
				if i == stride && open {
					r = append(r, p...)
				} else {
					r = append(r, mixed(p, q, 0.25)...)
				}
				if i+stride == len(c) && open {
					r = append(r, q...)
				} else {
					r = append(r, mixed(p, q, 0.75)...)
				}
			}
			if kind == Polygon {
				r = append(r, r[:stride]...)
			}
			return r
		})
		if out == nil {
			return g
		}
		g = out
	}
	return g
}

// MinimumCircle is the smallest circle round the positions of g (Welzl 1991, by moves to
// the front); false when g is empty.
func MinimumCircle(g *Geometry) (x, y, radius float64, ok bool) {
	h, err := ConvexHull(g)
	if err != nil || h.empty {
		return 0, 0, 0, false
	}
	var ps [][2]float64
	h.EachPosition(func(p []float64) bool { ps = append(ps, [2]float64{p[0], p[1]}); return true })
	in := func(p [2]float64) bool { return math.Hypot(p[0]-x, p[1]-y) <= radius*(1+1e-14) }
	through2 := func(a, b [2]float64) {
		x, y = (a[0]+b[0])/2, (a[1]+b[1])/2
		radius = math.Hypot(a[0]-b[0], a[1]-b[1]) / 2
	}
	through3 := func(a, b, c [2]float64) {
		bx, by, cx, cy := b[0]-a[0], b[1]-a[1], c[0]-a[0], c[1]-a[1]
		d := 2 * (bx*cy - by*cx)
		if d == 0 {
			return
		}
		ux, uy := (cy*(bx*bx+by*by)-by*(cx*cx+cy*cy))/d, (bx*(cx*cx+cy*cy)-cx*(bx*bx+by*by))/d
		x, y, radius = a[0]+ux, a[1]+uy, math.Hypot(ux, uy)
	}
	x, y = ps[0][0], ps[0][1]
	for i := range ps {
		if in(ps[i]) {
			continue
		}
		x, y, radius = ps[i][0], ps[i][1], 0
		for j := range i {
			if in(ps[j]) {
				continue
			}
			through2(ps[i], ps[j])
			for k := range j {
				if !in(ps[k]) {
					through3(ps[i], ps[j], ps[k])
				}
			}
		}
	}
	return x, y, radius, true
}

// Subdivide cuts g into pieces of at most most positions, by halves of their boxes.
func Subdivide(g *Geometry, most int) ([]*Geometry, error) {
	if err := checkConstruct(g); err != nil {
		return nil, err
	}
	return subdivide(g, most, 0, nil)
}

const maxSubdivisions = 50

func subdivide(g *Geometry, most, depth int, out []*Geometry) ([]*Geometry, error) {
	if g.empty {
		return out, nil
	}
	if g.kind.isMulti() && g.kind != MultiPoint {
		var err error
		for i := range g.s.parts {
			if out, err = subdivide(g.Part(i), most, depth, out); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	if g.NumPoints() <= most || depth > maxSubdivisions {
		return append(out, g), nil
	}
	b, _ := g.Box()
	low, high := b, b
	if b.MaxX-b.MinX > b.MaxY-b.MinY {
		mid := (b.MinX + b.MaxX) / 2
		low.MaxX, high.MinX = mid, mid
	} else {
		mid := (b.MinY + b.MaxY) / 2
		low.MaxY, high.MinY = mid, mid
	}
	for _, half := range [2]Box{low, high} {
		if half.MinX == half.MaxX && half.MinY == half.MaxY {
			return append(out, g), nil
		}
		piece, err := Combine(OverlayIntersection, g, half.AsGeometry(g.srid))
		if err != nil {
			return nil, err
		}
		for _, p := range piece.leaves(nil) {
			if p.Dimension() != g.Dimension() || p.empty {
				continue
			}
			if out, err = subdivide(p, most, depth+1, out); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// Split cuts g, lines or areas, by another shape: lines by points, lines or borders of
// areas, areas by lines. The result is a collection.
func Split(g, blade *Geometry) (*Geometry, error) {
	if err := checkConstruct(g, blade); err != nil {
		return nil, err
	}
	var parts []*Geometry
	for _, p := range g.leaves(nil) {
		var out []*Geometry
		var err error
		switch {
		case p.empty:
			continue
		case p.kind == LineString && blade.Dimension() == 0:
			out = splitAtPoints(p, blade)
		case p.kind == LineString:
			edge := blade
			if blade.Dimension() == 2 {
				if edge, err = Boundary(blade); err != nil {
					return nil, err
				}
			}
			var rest *Geometry
			if rest, err = Combine(OverlayDifference, p, edge); err == nil {
				out = rest.leaves(nil)
			}
		case p.kind == Polygon && blade.Dimension() == 1:
			out, err = splitArea(p, blade)
		case p.kind == Polygon:
			return nil, fmt.Errorf("Splitting a Polygon by a %s is unsupported", blade.kind)
		default:
			return nil, fmt.Errorf("Splitting of %s geometries is unsupported", p.kind)
		}
		if err != nil {
			return nil, err
		}
		parts = append(parts, out...)
	}
	return NewCollection(GeometryCollection, parts, g.dims, g.srid), nil
}

func splitAtPoints(l, blade *Geometry) []*Geometry {
	pieces := []*Geometry{l}
	for _, b := range blade.leaves(nil) {
		if b.empty {
			continue
		}
		for i, p := range pieces {
			at := Locate(p, b.p[0], b.p[1])
			q := Interpolate(p, at)
			if math.Hypot(q.p[0]-b.p[0], q.p[1]-b.p[1]) > 1e-12 || at <= 0 || at >= 1 {
				continue
			}
			pieces = append(pieces[:i:i], append([]*Geometry{Substring(p, 0, at), Substring(p, at, 1)}, pieces[i+1:]...)...)
			break
		}
	}
	return pieces
}

func splitArea(p, blade *Geometry) ([]*Geometry, error) {
	lines, dims := lineworkOf([]*Geometry{Force(p, XY), Force(blade, XY)})
	noded, err := node(lines, dims, p.srid)
	if err != nil {
		return nil, err
	}
	areas, _ := faces(noded, dims, p.srid)
	var out []*Geometry
	for _, a := range areas {
		if x, y, ok := insideOf(a); ok && p.locate(x, y) == interior {
			out = append(out, withZ(a, p))
		}
	}
	return out, nil
}
