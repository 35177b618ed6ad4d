package geom

// Box3D is an axis-parallel box with its heights; what has no z lies at 0.
type Box3D struct {
	Box
	MinZ, MaxZ float64
}

// Box3DOf returns the smallest box round g, false when it is empty.
func Box3DOf(g *Geometry) (Box3D, bool) {
	flat, ok := g.Box()
	if !ok {
		return Box3D{}, false
	}
	b := Box3D{Box: flat}
	if !g.dims.HasZ() {
		return b, true
	}
	first := true
	g.EachPosition(func(p []float64) bool {
		if first {
			b.MinZ, b.MaxZ, first = p[2], p[2], false
		}
		b.MinZ, b.MaxZ = min(b.MinZ, p[2]), max(b.MaxZ, p[2])
		return true
	})
	return b, true
}

// Extend returns the smallest box that holds b and o.
func (b Box3D) Extend(o Box3D) Box3D {
	return Box3D{Box: b.Box.Extend(o.Box), MinZ: min(b.MinZ, o.MinZ), MaxZ: max(b.MaxZ, o.MaxZ)}
}

// Expand returns b grown to all sides.
func (b Box3D) Expand(dx, dy, dz float64) Box3D {
	return Box3D{Box: b.Box.Expand(dx, dy), MinZ: b.MinZ - dz, MaxZ: b.MaxZ + dz}
}

// AsGeometry is b as a shape: a point, a line or a polygon with one height, else the
// polyhedron's top and bottom are left out and the rectangle stands at its lower height.
func (b Box3D) AsGeometry(srid int32) *Geometry {
	g := b.Box.AsGeometry(srid)
	if b.MinZ == 0 && b.MaxZ == 0 {
		return g
	}
	return Force(g, XYZ).Map(func(p []float64) { p[2] = b.MinZ })
}
