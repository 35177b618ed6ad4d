package geom

import (
	"sync"

	sf "github.com/peterstace/simplefeatures/geom"
)

// Prepared is the constant side of predicates: a geometry with its indexes built. It is
// safe for concurrent use. Answers are those of the functions of the same name.
type Prepared struct {
	g *Geometry

	// For pairs that simplefeatures must decide. Its prepared geometries build indexes
	// when asked, so they are asked one at a time.
	mu     sync.Mutex
	sf     sf.PreparedGeometry
	failed error
	ready  bool
}

// Prepare builds what g needs to be compared with many geometries.
func Prepare(g *Geometry) *Prepared {
	p := &Prepared{g: g}
	if !g.odd() && checkTopology(g) == nil {
		g.prepareAreas()
	}
	return p
}

func (g *Geometry) prepareAreas() {
	switch g.kind {
	case Polygon, MultiPolygon:
		g.area()
	case GeometryCollection:
		for _, p := range g.s.parts {
			p.prepareAreas()
		}
	}
}

// Geometry returns what was prepared.
func (p *Prepared) Geometry() *Geometry { return p.g }

// IntersectsPoint reports whether x y is a point of p.
func (p *Prepared) IntersectsPoint(x, y float64) bool {
	b, ok := p.g.Box()
	return ok && b.ContainsPoint(x, y) && !p.g.odd() && checkTopology(p.g) == nil && p.g.locate(x, y) != exterior
}

// ContainsPoint reports whether x y is an interior point of p; of a collection, of one of
// its parts.
func (p *Prepared) ContainsPoint(x, y float64) bool {
	b, ok := p.g.Box()
	return ok && b.ContainsPoint(x, y) && !p.g.odd() && checkTopology(p.g) == nil && p.g.locate(x, y) == interior
}

// Intersects reports whether p and b have a point in common.
func (p *Prepared) Intersects(b *Geometry) (bool, error) { return Intersects(p.g, b) }

// Disjoint reports whether p and b have no point in common.
func (p *Prepared) Disjoint(b *Geometry) (bool, error) { return Disjoint(p.g, b) }

// Contains reports whether p contains b.
func (p *Prepared) Contains(b *Geometry) (bool, error) {
	return p.holds(b, false, sf.PreparedGeometry.Contains)
}

// Covers reports whether p covers b.
func (p *Prepared) Covers(b *Geometry) (bool, error) {
	return p.holds(b, true, sf.PreparedGeometry.Covers)
}

// Within reports whether b contains p.
func (p *Prepared) Within(b *Geometry) (bool, error) { return Within(p.g, b) }

// CoveredBy reports whether b covers p.
func (p *Prepared) CoveredBy(b *Geometry) (bool, error) { return CoveredBy(p.g, b) }

// holds is the function of the same name, which only asks simplefeatures in another way.
func (p *Prepared) holds(b *Geometry, covers bool, ask func(sf.PreparedGeometry, sf.Geometry) (bool, error)) (bool, error) {
	boxA, okA := p.g.Box()
	boxB, okB := b.Box()
	if !okA || !okB || p.g.odd() || b.odd() || !boxA.Contains(boxB) {
		return false, nil
	}
	if err := checkBoth(p.g, b); err != nil {
		return false, err
	}
	if b.kind == Point || !p.g.hasAreas() || p.g.kind == GeometryCollection || b.kind == GeometryCollection {
		return holds(p.g, b, covers)
	}
	if yes, sure := p.g.holdsAreas(b, covers); sure {
		return yes, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ready {
		p.sf, p.failed = guard(func() (sf.PreparedGeometry, error) { return sf.Prepare(p.g.SF()) })
		p.ready = true
	}
	if p.failed != nil {
		return false, p.failed
	}
	return guard(func() (bool, error) { return ask(p.sf, b.SF()) })
}
