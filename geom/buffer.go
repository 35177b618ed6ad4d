package geom

import sf "github.com/peterstace/simplefeatures/geom"

// Cap is how a buffer ends beyond the ends of a line.
type Cap uint8

// The three caps.
const (
	CapRound Cap = iota
	CapFlat
	CapSquare
)

// Join is how a buffer goes round a corner.
type Join uint8

// The three joins.
const (
	JoinRound Join = iota
	JoinMitre
	JoinBevel
)

// BufferStyle tells how a buffer's border is drawn.
type BufferStyle struct {
	QuadSegments int // segments of a quarter of a circle
	Cap          Cap
	Join         Join
	MitreLimit   float64 // how far a mitre may stick out, in distances
	SingleSided  bool    // of lines the left side only; the right one for a negative distance
}

// DefaultBuffer is the style of PostGIS.
var DefaultBuffer = BufferStyle{QuadSegments: 8, MitreLimit: 5}

// Buffer is every point within distance of g, in units of g's coordinates.
func Buffer(g *Geometry, distance float64, style BufferStyle) (*Geometry, error) {
	if g.empty {
		return NewEmpty(Polygon, XY, g.srid), nil
	}
	if err := checkConstruct(g); err != nil {
		return nil, err
	}
	if !isFinite(distance) {
		return nil, ErrTopology
	}
	opts := []sf.BufferOption{sf.BufferQuadSegments(max(style.QuadSegments, 1))}
	switch style.Cap {
	case CapFlat:
		opts = append(opts, sf.BufferEndCapFlat())
	case CapSquare:
		opts = append(opts, sf.BufferEndCapSquare())
	}
	switch style.Join {
	case JoinMitre:
		opts = append(opts, sf.BufferJoinStyleMitre(style.MitreLimit))
	case JoinBevel:
		opts = append(opts, sf.BufferJoinStyleBevel())
	}
	if style.SingleSided {
		opts = append(opts, sf.BufferSingleSided())
	}
	out, err := guard(func() (sf.Geometry, error) { return sf.Buffer(flat(g), distance, opts...) })
	if err != nil {
		return nil, err
	}
	b := FromSF(out, g.srid)
	if b.empty {
		return NewEmpty(Polygon, XY, g.srid), nil
	}
	return b, nil
}
