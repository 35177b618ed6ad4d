package geom

import (
	"sync/atomic"

	sf "github.com/peterstace/simplefeatures/geom"
)

// derived is what a geometry computes about itself when first asked. Two goroutines may
// compute the same; one result stays.
type derived struct {
	sphere atomic.Pointer[sphereResult]
	planar atomic.Pointer[planarShape]
	area   atomic.Pointer[areaIndex]
	sound  atomic.Bool  // CheckStructure finds nothing
	asked  atomic.Int32 // how often a point was located without area
	sf     atomic.Pointer[sf.Geometry]
}

type sphereResult struct {
	shape *sphereShape
	ok    bool
}

// sphere returns g on the sphere. A point's is not kept.
func (g *Geometry) sphere() (*sphereShape, bool) {
	if g.s == nil {
		return newSphereShape(g)
	}
	if r := g.s.derived.sphere.Load(); r != nil {
		return r.shape, r.ok
	}
	s, ok := newSphereShape(g)
	g.s.derived.sphere.Store(&sphereResult{s, ok})
	return s, ok
}

// planar returns g as edges in the plane. A point's are not kept.
func (g *Geometry) planar() *planarShape {
	if g.s == nil {
		return newPlanarShape(g)
	}
	if s := g.s.derived.planar.Load(); s != nil {
		return s
	}
	s := newPlanarShape(g)
	g.s.derived.planar.Store(s)
	return s
}
