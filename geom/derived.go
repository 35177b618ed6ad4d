package geom

import "sync/atomic"

// derived is what a geometry computes about itself when first asked. Two goroutines may
// compute the same; one result stays.
type derived struct {
	sphere atomic.Pointer[sphereResult]
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
