package geom

import "math"

// Kind is the type of a geometry; its values are the codes of WKB.
type Kind uint8

// The seven kinds.
const (
	Point Kind = 1 + iota
	LineString
	Polygon
	MultiPoint
	MultiLineString
	MultiPolygon
	GeometryCollection
)

var kindNames = [...]string{
	"", "Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon", "GeometryCollection",
}

// String returns the kind as GeoJSON writes it: Point, LineString ...
func (k Kind) String() string {
	if int(k) < len(kindNames) && k != 0 {
		return kindNames[k]
	}
	return "Unknown"
}

// partKind returns what a multi kind is made of, 0 for a collection and single kinds.
func (k Kind) partKind() Kind {
	switch k {
	case MultiPoint, MultiLineString, MultiPolygon:
		return k - 3
	}
	return 0
}

// isMulti reports whether geometries of kind k have parts.
func (k Kind) isMulti() bool { return k >= MultiPoint }

// Dims tells which ordinates a position has beside x and y.
type Dims uint8

// The four combinations, as bits.
const (
	XY   Dims = 0
	XYZ  Dims = 1
	XYM  Dims = 2
	XYZM Dims = 3
)

// HasZ reports whether positions have a z.
func (d Dims) HasZ() bool { return d&XYZ != 0 }

// HasM reports whether positions have a measure.
func (d Dims) HasM() bool { return d&XYM != 0 }

// Stride returns the number of ordinates of a position: 2, 3 or 4.
func (d Dims) Stride() int { return 2 + int(d&1) + int(d>>1&1) }

// Geometry is one shape with its SRID. It never changes; make one with the New
// functions or by parsing. The zero Geometry is of no use.
//
// A point is one allocation of its own. Other kinds keep their positions in flat
// slices and build what predicates need (simplefeatures objects, edge indexes) when
// first asked, safe for concurrent use.
type Geometry struct {
	kind  Kind
	dims  Dims
	empty bool
	wild  bool // of a kind other than Point: an x or y is NaN or infinite
	srid  int32
	// p is the position of a point, dims.Stride() long; of other kinds the box as minX
	// minY maxX maxY.
	p [4]float64
	s *shape // nil for points
}

// shape is what a geometry other than a point is made of.
type shape struct {
	coords  []float64   // LineString: positions; Polygon: positions of all rings
	ends    []int       // Polygon: for each ring the index in coords behind its last ordinate
	parts   []*Geometry // MultiX and GeometryCollection
	derived derived
}

// NewPoint makes a two-dimensional point.
func NewPoint(x, y float64, srid int32) *Geometry {
	return &Geometry{kind: Point, srid: srid, p: [4]float64{x, y}}
}

// NewPointZ makes a point with an altitude, in the unit of the SRID's third axis.
func NewPointZ(x, y, z float64, srid int32) *Geometry {
	return &Geometry{kind: Point, dims: XYZ, srid: srid, p: [4]float64{x, y, z}}
}

// NewPointDims makes a point from its ordinates; missing ones are 0.
func NewPointDims(ordinates []float64, dims Dims, srid int32) *Geometry {
	g := &Geometry{kind: Point, dims: dims, srid: srid}
	copy(g.p[:dims.Stride()], ordinates)
	return g
}

// NewEmpty makes an empty geometry of a kind.
func NewEmpty(kind Kind, dims Dims, srid int32) *Geometry {
	g := &Geometry{kind: kind, dims: dims, srid: srid, empty: true}
	if kind != Point {
		g.s = &shape{}
		g.setBox(EmptyBox())
	}
	return g
}

// NewLineString makes a line from flat positions, which it keeps: the caller gives
// coords away. No position makes it empty. Nothing is validated.
func NewLineString(coords []float64, dims Dims, srid int32) *Geometry {
	coords = coords[:len(coords)/dims.Stride()*dims.Stride()]
	g := &Geometry{kind: LineString, dims: dims, srid: srid, empty: len(coords) == 0, s: &shape{coords: coords}}
	g.measure()
	return g
}

// NewPolygon makes a polygon from its rings, the shell first, each a flat list of
// positions whose last equals its first. It copies them. Nothing is validated.
func NewPolygon(rings [][]float64, dims Dims, srid int32) *Geometry {
	n := 0
	for _, r := range rings {
		n += len(r)
	}
	coords, ends := make([]float64, 0, n), make([]int, 0, len(rings))
	for _, r := range rings {
		coords = append(coords, r...)
		ends = append(ends, len(coords))
	}
	return newPolygon(coords, ends, dims, srid)
}

// newPolygon is NewPolygon on flat storage that the geometry keeps.
func newPolygon(coords []float64, ends []int, dims Dims, srid int32) *Geometry {
	g := &Geometry{kind: Polygon, dims: dims, srid: srid, empty: len(coords) == 0, s: &shape{coords: coords, ends: ends}}
	g.measure()
	return g
}

// NewCollection makes a MultiPoint, MultiLineString, MultiPolygon or
// GeometryCollection of parts, which must be of the kind it is made of and share
// dims. It keeps the slice. The parts' own SRIDs are no longer looked at.
func NewCollection(kind Kind, parts []*Geometry, dims Dims, srid int32) *Geometry {
	g := &Geometry{kind: kind, dims: dims, srid: srid, empty: true, s: &shape{parts: parts}}
	box := EmptyBox()
	for _, p := range parts {
		if !p.empty {
			g.empty = false
			g.wild = g.wild || p.odd()
		}
		if b, ok := p.Box(); ok {
			box = box.Extend(b)
		}
	}
	g.setBox(box)
	return g
}

// measure sets box and wild of a line or polygon.
func (g *Geometry) measure() {
	stride := g.dims.Stride()
	g.setBox(boxOf(g.s.coords, stride))
	for i := 0; i < len(g.s.coords); i += stride {
		if !isFinite(g.s.coords[i]) || !isFinite(g.s.coords[i+1]) {
			g.wild = true
			return
		}
	}
}

func boxOf(coords []float64, stride int) Box {
	b := EmptyBox()
	for i := 0; i+1 < len(coords); i += stride {
		b = b.ExtendPoint(coords[i], coords[i+1])
	}
	return b
}

func (g *Geometry) setBox(b Box) { g.p = [4]float64{b.MinX, b.MinY, b.MaxX, b.MaxY} }

// SRID returns the identifier of the coordinate system, 0 for unknown.
func (g *Geometry) SRID() int32 { return g.srid }

// WithSRID returns g labelled with another SRID; coordinates stay as they are.
func (g *Geometry) WithSRID(srid int32) *Geometry {
	if g.srid == srid {
		return g
	}
	c := *g
	c.srid = srid
	return &c
}

// Kind returns the type of g.
func (g *Geometry) Kind() Kind { return g.kind }

// Dims tells which ordinates g has.
func (g *Geometry) Dims() Dims { return g.dims }

// IsEmpty reports whether g has no position.
func (g *Geometry) IsEmpty() bool { return g.empty }

// Dimension returns 0 for points, 1 for lines, 2 for areas; of a collection the
// highest among its parts, 0 for one without parts.
func (g *Geometry) Dimension() int {
	switch g.kind {
	case LineString, MultiLineString:
		return 1
	case Polygon, MultiPolygon:
		return 2
	case GeometryCollection:
		d := 0
		for _, p := range g.s.parts {
			d = max(d, p.Dimension())
		}
		return d
	}
	return 0
}

// AsPoint returns the coordinates of a point; ok is false for other kinds and for
// POINT EMPTY.
func (g *Geometry) AsPoint() (x, y float64, ok bool) {
	if g.kind != Point || g.empty {
		return 0, 0, false
	}
	return g.p[0], g.p[1], true
}

// LonLat returns a point as longitude and latitude in degrees; ok as for AsPoint.
func (g *Geometry) LonLat() (p LonLat, ok bool) {
	x, y, ok := g.AsPoint()
	return LonLat{LonDeg: x, LatDeg: y}, ok
}

// Z returns the z of a point; ok is false when it has none.
func (g *Geometry) Z() (z float64, ok bool) {
	if g.kind != Point || g.empty || !g.dims.HasZ() {
		return 0, false
	}
	return g.p[2], true
}

// M returns the measure of a point; ok is false when it has none.
func (g *Geometry) M() (m float64, ok bool) {
	if g.kind != Point || g.empty || !g.dims.HasM() {
		return 0, false
	}
	return g.p[g.dims.Stride()-1], true
}

// Box returns the smallest box round the x and y of g, false when g is empty. NaN
// ordinates are left out; when nothing else is there the box is false too.
func (g *Geometry) Box() (Box, bool) {
	if g.empty {
		return EmptyBox(), false
	}
	if g.kind == Point {
		b := Box{MinX: g.p[0], MinY: g.p[1], MaxX: g.p[0], MaxY: g.p[1]}
		return b, !b.Empty()
	}
	b := g.box()
	return b, !b.Empty()
}

// box is Box for kinds other than Point.
func (g *Geometry) box() Box {
	return Box{MinX: g.p[0], MinY: g.p[1], MaxX: g.p[2], MaxY: g.p[3]}
}

// NumPoints returns the number of positions, a ring's closing one included.
func (g *Geometry) NumPoints() int {
	switch {
	case g.kind == Point:
		if g.empty {
			return 0
		}
		return 1
	case g.kind.isMulti():
		n := 0
		for _, p := range g.s.parts {
			n += p.NumPoints()
		}
		return n
	}
	return len(g.s.coords) / g.dims.Stride()
}

// Positions returns the flat positions of a point or line, Dims().Stride() ordinates
// each; nil for other kinds. Not to be written to.
func (g *Geometry) Positions() []float64 {
	switch g.kind {
	case Point:
		if g.empty {
			return nil
		}
		return g.p[:g.dims.Stride():g.dims.Stride()]
	case LineString:
		return g.s.coords
	}
	return nil
}

// NumRings returns the number of rings of a polygon, the shell included.
func (g *Geometry) NumRings() int {
	if g.kind != Polygon {
		return 0
	}
	return len(g.s.ends)
}

// Ring returns the flat positions of ring i of a polygon; 0 is the shell. Not to be
// written to.
func (g *Geometry) Ring(i int) []float64 {
	start := 0
	if i > 0 {
		start = g.s.ends[i-1]
	}
	return g.s.coords[start:g.s.ends[i]:g.s.ends[i]]
}

// NumParts returns the number of parts of a MultiX or GeometryCollection, empty ones
// included; of other kinds 1, or 0 when empty.
func (g *Geometry) NumParts() int {
	if g.kind.isMulti() {
		return len(g.s.parts)
	}
	if g.empty {
		return 0
	}
	return 1
}

// Part returns part i, counted from 0, with g's SRID; a geometry of a single kind is
// its own only part.
func (g *Geometry) Part(i int) *Geometry {
	if !g.kind.isMulti() {
		return g
	}
	return g.s.parts[i].WithSRID(g.srid)
}

// EachPosition calls fn with every position, in order, until it returns false. The
// slice is not to be written to or kept.
func (g *Geometry) EachPosition(fn func(position []float64) bool) bool {
	if g.kind.isMulti() {
		for _, p := range g.s.parts {
			if !p.EachPosition(fn) {
				return false
			}
		}
		return true
	}
	stride := g.dims.Stride()
	var coords []float64
	switch {
	case g.empty:
		return true
	case g.kind == Point:
		coords = g.p[:stride]
	default:
		coords = g.s.coords
	}
	for i := 0; i < len(coords); i += stride {
		if !fn(coords[i : i+stride : i+stride]) {
			return false
		}
	}
	return true
}

// odd reports whether an x or y of g is NaN or infinite.
func (g *Geometry) odd() bool {
	if g.kind == Point {
		return !g.empty && !(isFinite(g.p[0]) && isFinite(g.p[1]))
	}
	return g.wild
}

func isFinite(v float64) bool { return math.Abs(v) <= math.MaxFloat64 }
