package funcs

import (
	"fmt"
	"strconv"
	"strings"

	"raisind/geom"
	"raisind/sql/types"
)

// fault is why a geometry is not valid, in GEOS's words, and where.
type fault struct {
	reason string
	x, y   float64
}

// number writes an ordinate as C's %.15g does.
func (f *fault) number(v float64) string {
	s := strconv.FormatFloat(v, 'g', 15, 64)
	return strings.ToLower(strings.TrimPrefix(s, "+"))
}

func isValid(fc *Ctx, args []types.Datum) (types.Datum, error) {
	f := validity(args[0].Geom())
	if f != nil {
		fc.notice("NOTICE", "%s at or near point %s %s", f.reason, f.number(f.x), f.number(f.y))
	}
	return types.Bool(f == nil), nil
}

func isValidReason(_ *Ctx, args []types.Datum) (types.Datum, error) {
	f := validity(args[0].Geom())
	if f == nil {
		return types.Str("Valid Geometry"), nil
	}
	return types.Str(fmt.Sprintf("%s[%s %s]", f.reason, f.number(f.x), f.number(f.y))), nil
}

// validity checks in GEOS's order and returns the first fault, nil for none.
func validity(g *geom.Geometry) *fault {
	if f := badCoordinate(g); f != nil {
		return f
	}
	switch g.Kind() {
	case geom.LineString:
		if f := tooFew(g.Positions(), g.Dims().Stride(), 2); f != nil {
			return f
		}
	case geom.Polygon:
		return polygonFault(g)
	case geom.MultiPoint, geom.MultiLineString, geom.MultiPolygon, geom.GeometryCollection:
		for i := range g.NumParts() {
			if f := validity(g.Part(i)); f != nil {
				return f
			}
		}
		if g.Kind() == geom.MultiPolygon {
			return shellsFault(g)
		}
	}
	return nil
}

func badCoordinate(g *geom.Geometry) *fault {
	var f *fault
	g.EachPosition(func(p []float64) bool {
		if p[0]-p[0] != 0 || p[1]-p[1] != 0 { // NaN or infinite
			f = &fault{"Invalid Coordinate", p[0], p[1]}
		}
		return f == nil
	})
	return f
}

// tooFew reports a line with fewer than least different neighbouring positions.
func tooFew(coords []float64, stride, least int) *fault {
	n := 0
	for i := 0; i < len(coords); i += stride {
		if i == 0 || coords[i] != coords[i-stride] || coords[i+1] != coords[i-stride+1] {
			n++
		}
	}
	if n == 0 || n >= least {
		return nil
	}
	return &fault{"Too few points in geometry component", coords[0], coords[1]}
}

// edge is one straight piece of a ring.
type edge struct {
	ring           int
	index, count   int // position in the ring and number of edges in it
	ax, ay, bx, by float64
}

func edgesOf(g *geom.Geometry) []edge {
	var out []edge
	stride := g.Dims().Stride()
	for r := range g.NumRings() {
		c := g.Ring(r)
		first := len(out)
		for i := stride; i < len(c); i += stride {
			if c[i] != c[i-stride] || c[i+1] != c[i-stride+1] {
				out = append(out, edge{ring: r, ax: c[i-stride], ay: c[i-stride+1], bx: c[i], by: c[i+1]})
			}
		}
		for i := first; i < len(out); i++ {
			out[i].index, out[i].count = i-first, len(out)-first
		}
	}
	return out
}

func polygonFault(g *geom.Geometry) *fault {
	stride := g.Dims().Stride()
	for r := range g.NumRings() {
		if f := tooFew(g.Ring(r), stride, 4); f != nil {
			return f
		}
	}
	edges := edgesOf(g)
	for i := range edges {
		for j := i + 1; j < len(edges); j++ {
			if f := edgesFault(&edges[i], &edges[j]); f != nil {
				return f
			}
		}
	}
	if g.IsEmpty() {
		return nil
	}
	shell := geom.NewPolygon([][]float64{g.Ring(0)}, g.Dims(), g.SRID())
	for r := 1; r < g.NumRings(); r++ {
		hole := geom.NewPolygon([][]float64{g.Ring(r)}, g.Dims(), g.SRID())
		if ok, err := geom.Covers(shell, hole); err == nil && !ok {
			return &fault{"Hole lies outside shell", g.Ring(r)[0], g.Ring(r)[1]}
		}
		for q := 1; q < r; q++ {
			other := geom.NewPolygon([][]float64{g.Ring(q)}, g.Dims(), g.SRID())
			if m, err := geom.Relate(other, hole); err == nil && m[0] == '2' {
				return &fault{"Holes are nested", g.Ring(r)[0], g.Ring(r)[1]}
			}
		}
	}
	if err := g.SF().Validate(); err != nil {
		return &fault{"Interior is disconnected", g.Ring(0)[0], g.Ring(0)[1]}
	}
	return nil
}

// edgesFault finds a crossing of two edges, or a ring that touches itself.
func edgesFault(a, b *edge) *fault {
	if max(a.ax, a.bx) < min(b.ax, b.bx) || max(b.ax, b.bx) < min(a.ax, a.bx) ||
		max(a.ay, a.by) < min(b.ay, b.by) || max(b.ay, b.by) < min(a.ay, a.by) {
		return nil
	}
	cross := func(ox, oy, px, py, qx, qy float64) float64 { return (px-ox)*(qy-oy) - (py-oy)*(qx-ox) }
	d1 := cross(b.ax, b.ay, b.bx, b.by, a.ax, a.ay)
	d2 := cross(b.ax, b.ay, b.bx, b.by, a.bx, a.by)
	d3 := cross(a.ax, a.ay, a.bx, a.by, b.ax, b.ay)
	d4 := cross(a.ax, a.ay, a.bx, a.by, b.bx, b.by)
	if d1 == 0 && d2 == 0 { // on one line: an overlap is a fault, one shared end is not
		t := func(x, y float64) float64 { return (x-a.ax)*(a.bx-a.ax) + (y-a.ay)*(a.by-a.ay) }
		lo, hi := min(t(b.ax, b.ay), t(b.bx, b.by)), max(t(b.ax, b.ay), t(b.bx, b.by))
		if max(lo, 0) < min(hi, t(a.bx, a.by)) {
			return &fault{"Self-intersection", b.ax, b.ay}
		}
	} else if (d1 > 0) != (d2 > 0) && (d3 > 0) != (d4 > 0) && d1 != 0 && d2 != 0 && d3 != 0 && d4 != 0 {
		u := d1 / (d1 - d2)
		return &fault{"Self-intersection", a.ax + u*(a.bx-a.ax), a.ay + u*(a.by-a.ay)}
	}
	if a.ring != b.ring || b.index == a.index+1 || a.index == 0 && b.index == b.count-1 {
		return nil
	}
	// Edges of one ring that are not neighbours must not meet at all.
	switch {
	case d1 == 0 && onEdge(b, a.ax, a.ay):
		return &fault{"Ring Self-intersection", a.ax, a.ay}
	case d2 == 0 && onEdge(b, a.bx, a.by):
		return &fault{"Ring Self-intersection", a.bx, a.by}
	case d3 == 0 && onEdge(a, b.ax, b.ay):
		return &fault{"Ring Self-intersection", b.ax, b.ay}
	case d4 == 0 && onEdge(a, b.bx, b.by):
		return &fault{"Ring Self-intersection", b.bx, b.by}
	}
	return nil
}

// onEdge tells whether a position on the edge's line lies within its ends.
func onEdge(e *edge, x, y float64) bool {
	return x >= min(e.ax, e.bx) && x <= max(e.ax, e.bx) && y >= min(e.ay, e.by) && y <= max(e.ay, e.by)
}

// shellsFault finds parts of a MultiPolygon that share area or a piece of edge.
func shellsFault(g *geom.Geometry) *fault {
	for i := range g.NumParts() {
		for j := i + 1; j < g.NumParts(); j++ {
			a, b := g.Part(i), g.Part(j)
			boxA, okA := a.Box()
			boxB, okB := b.Box()
			if !okA || !okB || !boxA.Intersects(boxB) {
				continue
			}
			m, err := geom.Relate(a, b)
			if err != nil || m[0] != '2' && m[4] != '1' {
				continue
			}
			if in, err := geom.Covers(a, b); err == nil && in {
				return &fault{"Nested shells", b.Ring(0)[0], b.Ring(0)[1]}
			}
			return &fault{"Self-intersection", b.Ring(0)[0], b.Ring(0)[1]}
		}
	}
	return nil
}
