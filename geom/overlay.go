package geom

import (
	"fmt"

	sf "github.com/peterstace/simplefeatures/geom"
)

// MaxOverlayPositions bounds the positions an overlay, a buffer or another construction
// takes in; one of more is refused before it begins.
const MaxOverlayPositions = 2_000_000

// Overlay is a set operation on two geometries.
type Overlay uint8

// The four overlays.
const (
	OverlayIntersection Overlay = iota
	OverlayUnion
	OverlayDifference
	OverlaySymDifference
)

var overlays = [...]func(a, b sf.Geometry) (sf.Geometry, error){
	sf.Intersection, sf.Union, sf.Difference, sf.SymmetricDifference,
}

// Combine computes an overlay of x and y; where the inputs have a z, positions of the
// result take theirs from the inputs. The SRID is a's. Errors wrap ErrTopology.
func Combine(op Overlay, a, b *Geometry) (*Geometry, error) {
	switch op {
	case OverlayIntersection:
		if b.empty {
			return b.WithSRID(a.srid), nil
		}
		if a.empty {
			return a, nil
		}
	case OverlayUnion, OverlaySymDifference:
		if a.empty {
			return b.WithSRID(a.srid), nil
		}
		if b.empty {
			return a, nil
		}
	case OverlayDifference:
		if a.empty || b.empty {
			return a, nil
		}
	}
	if err := checkConstruct(a, b); err != nil {
		return nil, err
	}
	out, err := guard(func() (sf.Geometry, error) { return overlays[op](flat(a), flat(b)) })
	if err != nil {
		return nil, err
	}
	g := FromSF(out, a.srid)
	if g.empty {
		return NewEmpty(emptyKind(op, a.Dimension(), b.Dimension()), elevated(a, b), a.srid), nil
	}
	return withZ(g, a, b), nil
}

// emptyKind is the kind an empty result has in GEOS.
func emptyKind(op Overlay, da, db int) Kind {
	d := max(da, db)
	switch op {
	case OverlayIntersection:
		d = min(da, db)
	case OverlayDifference:
		d = da
	}
	return Point + Kind(d)
}

// flat is g for simplefeatures in two dimensions.
func flat(g *Geometry) sf.Geometry { return Force(g, XY).SF() }

// elevated is XYZ when any of shapes has a z.
func elevated(shapes ...*Geometry) Dims {
	for _, s := range shapes {
		if s.dims.HasZ() {
			return XYZ
		}
	}
	return XY
}

// checkConstruct refuses what no construction can work on.
func checkConstruct(shapes ...*Geometry) error {
	n := 0
	for _, s := range shapes {
		if s.odd() {
			return fmt.Errorf("%w: coordinates are not finite", ErrTopology)
		}
		if err := checkTopology(s); err != nil {
			return err
		}
		n += s.NumPoints()
	}
	if n > MaxOverlayPositions {
		return fmt.Errorf("%w: %d positions, of which no more than %d can be worked on at once", ErrTooLarge, n, MaxOverlayPositions)
	}
	return nil
}

// UnaryUnion is the union of the parts of g: areas merged, lines noded.
func UnaryUnion(g *Geometry) (*Geometry, error) {
	if g.empty {
		return g, nil
	}
	if err := checkConstruct(g); err != nil {
		return nil, err
	}
	out, err := guard(func() (sf.Geometry, error) { return sf.UnaryUnion(flat(g)) })
	if err != nil {
		return nil, err
	}
	return withZ(FromSF(out, g.srid), g), nil
}

// UnionAll is the union of shapes of one SRID, nil for none.
func UnionAll(shapes []*Geometry) (*Geometry, error) {
	if len(shapes) == 0 {
		return nil, nil
	}
	kept := make([]*Geometry, 0, len(shapes))
	empty := shapes[0]
	for _, s := range shapes {
		if !s.empty {
			kept = append(kept, s)
		} else if s.Dimension() > empty.Dimension() {
			empty = s
		}
	}
	switch len(kept) {
	case 0:
		return empty, nil
	case 1:
		if k := kept[0].kind; k <= Polygon {
			return UnaryUnion(kept[0])
		}
	}
	return UnaryUnion(NewCollection(GeometryCollection, forceDims(kept, elevated(kept...)), elevated(kept...), shapes[0].srid))
}

func forceDims(shapes []*Geometry, dims Dims) []*Geometry {
	out := make([]*Geometry, len(shapes))
	for i, s := range shapes {
		out[i] = Force(s, dims)
	}
	return out
}

// Map returns g with every position changed by fn, which gets a copy to write to.
func (g *Geometry) Map(fn func(p []float64)) *Geometry {
	if g.empty {
		return g
	}
	stride := g.dims.Stride()
	apply := func(src []float64) []float64 {
		out := append([]float64(nil), src...)
		for i := 0; i+stride <= len(out); i += stride {
			fn(out[i : i+stride : i+stride])
		}
		return out
	}
	switch g.kind {
	case Point:
		return NewPointDims(apply(g.p[:stride]), g.dims, g.srid)
	case LineString:
		return NewLineString(apply(g.s.coords), g.dims, g.srid)
	case Polygon:
		return newPolygon(apply(g.s.coords), g.s.ends, g.dims, g.srid)
	}
	parts := make([]*Geometry, len(g.s.parts))
	for i, p := range g.s.parts {
		parts[i] = p.Map(fn)
	}
	return NewCollection(g.kind, parts, g.dims, g.srid)
}

// eachPath calls fn with the positions of every point, line and ring of g.
func (g *Geometry) eachPath(fn func(coords []float64, kind Kind)) {
	switch g.kind {
	case Point:
		if !g.empty {
			fn(g.Positions(), Point)
		}
	case LineString:
		if len(g.s.coords) > 0 {
			fn(g.s.coords, LineString)
		}
	case Polygon:
		for i := range g.s.ends {
			fn(g.Ring(i), Polygon)
		}
	default:
		for _, p := range g.s.parts {
			p.eachPath(fn)
		}
	}
}

// leaves appends the points, lines and polygons g is made of.
func (g *Geometry) leaves(dst []*Geometry) []*Geometry {
	if !g.kind.isMulti() {
		return append(dst, g)
	}
	for _, p := range g.s.parts {
		dst = p.WithSRID(g.srid).leaves(dst)
	}
	return dst
}

// gather puts parts of one kind into its multi kind, one part as it is, others into a
// collection.
func gather(parts []*Geometry, none Kind, dims Dims, srid int32) *Geometry {
	switch len(parts) {
	case 0:
		return NewEmpty(none, dims, srid)
	case 1:
		return parts[0].WithSRID(srid)
	}
	kind := parts[0].kind
	for _, p := range parts {
		if p.kind != kind || kind.isMulti() {
			return NewCollection(GeometryCollection, parts, dims, srid)
		}
	}
	return NewCollection(kind+3, parts, dims, srid)
}
