package geom

import "fmt"

// SameSRID returns nil when a and b have one SRID, else an error that wraps ErrMixedSRID in
// PostGIS's words, beginning with the name of the function.
func SameSRID(function string, a, b *Geometry) error {
	if a.srid == b.srid {
		return nil
	}
	return &mixedSRIDError{fmt.Sprintf("%s: Operation on mixed SRID geometries (%s, %d) != (%s, %d)",
		function, a.kind, a.srid, b.kind, b.srid)}
}

type mixedSRIDError struct{ text string }

func (e *mixedSRIDError) Error() string { return e.text }
func (e *mixedSRIDError) Unwrap() error { return ErrMixedSRID }

// CheckStructure returns an error that wraps ErrParse when a line of g has one position, or
// a ring fewer than four or another end than its beginning: what ST_GeomFromWKB refuses
// and the input of geometry lets pass.
func CheckStructure(g *Geometry) error {
	if g.empty {
		return nil
	}
	stride := g.dims.Stride()
	switch {
	case g.kind == LineString && len(g.s.coords) < 2*stride:
		return parseErrorf("LineString must have at least two points")
	case g.kind == Polygon:
		for i := range g.s.ends {
			ring := g.Ring(i)
			if len(ring) < 4*stride {
				return parseErrorf("Polygon must have at least four points in each ring")
			}
			if !closed2D(ring, stride) {
				return parseErrorf("Polygon must have closed rings")
			}
		}
	case g.kind.isMulti():
		for _, p := range g.s.parts {
			if err := CheckStructure(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// Identical reports whether a and b have the same kind, ordinates and coordinates, bit for
// bit but that 0 equals -0 and NaN equals NaN; SRIDs are not compared.
func Identical(a, b *Geometry) bool {
	if a == b {
		return true
	}
	if a.kind != b.kind || a.dims != b.dims || a.empty != b.empty {
		return false
	}
	if a.kind == Point {
		return a.empty || sameFloats(a.p[:a.dims.Stride()], b.p[:b.dims.Stride()])
	}
	if a.kind.isMulti() {
		if len(a.s.parts) != len(b.s.parts) {
			return false
		}
		for i, p := range a.s.parts {
			if !Identical(p, b.s.parts[i]) {
				return false
			}
		}
		return true
	}
	if len(a.s.ends) != len(b.s.ends) {
		return false
	}
	for i, e := range a.s.ends {
		if e != b.s.ends[i] {
			return false
		}
	}
	return sameFloats(a.s.coords, b.s.coords)
}

func sameFloats(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i, v := range a {
		if w := b[i]; v != w && (v == v || w == w) {
			return false
		}
	}
	return true
}
