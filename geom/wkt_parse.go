package geom

import "strings"

// maxNesting bounds collections within collections, in every form that is read.
const maxNesting = 200

// PostGIS's words for what the grammar does not tell.
const (
	msgInvalid   = "parse error - invalid geometry"
	msgMixDims   = "can not mix dimensionality in a geometry"
	msgMore      = "geometry requires more points"
	msgTooMany   = "geometry has too many points"
	msgUnclosed  = "geometry contains non-closed rings"
	msgDims      = "Dimensions mismatch in lwcollection"
	msgNesting   = "geometry has too many chained collections"
	hintMaxChars = 40
)

// ParseText reads everything PostGIS's geometry input takes: WKT and EWKT, hexadecimal
// WKB and EWKB (also behind SRID=n;), and GeoJSON. Curves, triangles and polyhedral
// surfaces give ErrUnsupported. Errors are *ParseError; those of WKT carry a position
// and a hint.
func ParseText(s string) (*Geometry, error) {
	switch {
	case s == "":
		return nil, parseErrorf(msgInvalid)
	case s[0] == '0':
		return parseHex(s)
	case s[0] == '{':
		return parseGeoJSON(s, 0) // unlike ST_GeomFromGeoJSON
	}
	if semi := strings.IndexByte(s, ';'); semi > 5 && semi+1 < len(s) && s[semi+1] == '0' && strings.EqualFold(s[:5], "SRID=") {
		if n := digitsAt(s, 5); 5+n == semi {
			g, err := parseHex(s[semi+1:])
			if err != nil {
				return nil, err
			}
			if g.srid != 0 { // the SRID inside wins
				return g, nil
			}
			return g.WithSRID(ClampSRID(atoi32(s[5:semi]))), nil
		}
	}
	return parseWKT(s)
}

// SRID bounds of PostGIS.
const (
	maxSRID     = 999999
	maxUserSRID = 998999
)

// ClampSRID maps any number to a legal SRID as PostGIS does: 0 (unknown) for what is not
// positive, a reserved one for what is too large.
func ClampSRID(srid int64) int32 {
	switch {
	case srid <= 0:
		return 0
	case srid > maxSRID:
		return int32(maxUserSRID + 1 + srid%(maxSRID-maxUserSRID-1))
	}
	return int32(srid)
}

// wktParser is a recursive descent over PostGIS's grammar. It always has read one
// token ahead where the grammar of PostGIS has, for the sake of positions.
type wktParser struct {
	lex wktLexer
}

func parseWKT(s string) (*Geometry, error) {
	p := wktParser{lex: wktLexer{s: s, col: 1}}
	p.lex.next()
	srid := int32(0)
	if p.lex.tok == tokSRID {
		srid = ClampSRID(p.lex.srid)
		p.lex.next()
		if p.lex.tok != tokSemicolon {
			return nil, p.unexpected()
		}
		p.lex.next()
	}
	g, err := p.geometry(0)
	if err != nil {
		return nil, err
	}
	p.lex.next()
	if p.lex.tok != tokEnd {
		return nil, p.unexpected()
	}
	g.srid = srid
	return g, nil
}

// fail makes an error at the token just read.
func (p *wktParser) fail(msg string) error {
	pos := p.lex.col
	return &ParseError{Msg: msg, Hint: wktHint(p.lex.s, pos), Pos: pos, err: ErrParse}
}

func (p *wktParser) unexpected() error {
	if p.lex.tok == tokUnsupported {
		return &ParseError{Msg: p.lex.word + " geometries are not supported", Pos: p.lex.col, err: ErrUnsupported}
	}
	return p.fail(msgInvalid)
}

// wktHint quotes what was read, its end when it is long.
func wktHint(s string, pos int) string {
	text := s[:min(pos, len(s))]
	if pos > hintMaxChars {
		text = "..." + s[min(len(s), pos-hintMaxChars+3):min(pos, len(s))]
	}
	var b strings.Builder
	b.WriteByte('"')
	b.WriteString(strings.ToValidUTF8(text, ""))
	b.WriteString(`" <-- parse error at position `)
	b.Write(appendInt(nil, pos))
	b.WriteString(" within geometry")
	return b.String()
}

// expect checks that the next token is tok.
func (p *wktParser) expect(tok tokenKind) error {
	p.lex.next()
	if p.lex.tok != tok {
		return p.unexpected()
	}
	return nil
}

// geometry reads one geometry; its first token has been read, its last token is the
// last that is read.
func (p *wktParser) geometry(depth int) (*Geometry, error) {
	if p.lex.tok != tokKind {
		return nil, p.unexpected()
	}
	if depth > maxNesting {
		return nil, p.fail(msgNesting)
	}
	kind, dims, explicit := p.lex.kind, XY, false
	p.lex.next()
	if p.lex.tok == tokDims {
		dims, explicit = p.lex.dims, true
		p.lex.next()
	}
	switch p.lex.tok {
	case tokEmpty:
		return NewEmpty(kind, dims, 0), nil
	case tokOpen:
	default:
		return nil, p.unexpected()
	}
	var g *Geometry
	var err error
	switch kind {
	case Point:
		g, err = p.onlyPoint()
	case LineString:
		g, err = p.lineString()
	case Polygon:
		g, err = p.polygon()
	default:
		return p.collection(kind, dims, explicit, depth)
	}
	if err != nil {
		return nil, err
	}
	if explicit {
		if g.dims.Stride() != dims.Stride() {
			return nil, p.fail(msgMixDims)
		}
		g.dims = dims
	}
	return g, nil
}

// onlyPoint reads the position of a POINT, whose grammar is that of a line.
func (p *wktParser) onlyPoint() (*Geometry, error) {
	coords, stride, err := p.positions(nil)
	if err != nil {
		return nil, err
	}
	if len(coords) != stride {
		return nil, p.fail(msgTooMany)
	}
	return NewPointDims(coords, impliedDims(stride), 0), nil
}

// point reads the position of a point in a MULTIPOINT and the bracket behind it.
func (p *wktParser) point() (*Geometry, error) {
	p.lex.next()
	coords, stride, ahead, err := p.position(nil, 0)
	if err != nil {
		return nil, err
	}
	if !ahead {
		p.lex.next()
	}
	if p.lex.tok != tokClose {
		return nil, p.unexpected()
	}
	return NewPointDims(coords, impliedDims(stride), 0), nil
}

func impliedDims(stride int) Dims {
	switch stride {
	case 3:
		return XYZ
	case 4:
		return XYZM
	}
	return XY
}

// position reads two to four numbers, the first of which is the current token. stride
// is the length of the positions before, 0 for the first one. ahead tells whether the
// token behind the position has been read.
func (p *wktParser) position(coords []float64, stride int) (_ []float64, n int, ahead bool, err error) {
	for n = 0; n < 4; n++ {
		if n > 0 {
			p.lex.next()
		}
		if p.lex.tok != tokNumber {
			if n < 2 || p.lex.tok == tokOther {
				return nil, 0, false, p.unexpected()
			}
			ahead = true
			break
		}
		coords = append(coords, p.lex.num)
	}
	if stride != 0 && n != stride {
		return nil, 0, false, p.fail(msgMixDims)
	}
	return coords, n, ahead, nil
}

// positions reads positions up to and with the closing bracket; the opening one has
// been read. stride as in position.
func (p *wktParser) positions(coords []float64) (_ []float64, stride int, err error) {
	for {
		p.lex.next()
		var ahead bool
		if coords, stride, ahead, err = p.position(coords, stride); err != nil {
			return nil, 0, err
		}
		if !ahead {
			p.lex.next()
		}
		switch p.lex.tok {
		case tokComma:
		case tokClose:
			return coords, stride, nil
		default:
			return nil, 0, p.unexpected()
		}
	}
}

func (p *wktParser) lineString() (*Geometry, error) {
	coords, stride, err := p.positions(nil)
	if err != nil {
		return nil, err
	}
	if len(coords) < 2*stride {
		return nil, p.fail(msgMore)
	}
	return NewLineString(coords, impliedDims(stride), 0), nil
}

func (p *wktParser) polygon() (*Geometry, error) {
	var coords []float64
	var ends []int
	stride := 0
	for {
		if err := p.expect(tokOpen); err != nil {
			return nil, err
		}
		start := len(coords)
		var n int
		var err error
		if coords, n, err = p.positions(coords); err != nil {
			return nil, err
		}
		ring := coords[start:]
		if len(ring) < 4*n {
			return nil, p.fail(msgMore)
		}
		if !closed2D(ring, n) {
			return nil, p.fail(msgUnclosed)
		}
		if stride != 0 && n != stride {
			return nil, p.fail(msgMixDims)
		}
		stride = n
		ends = append(ends, len(coords))
		p.lex.next()
		switch p.lex.tok {
		case tokComma:
		case tokClose:
			return newPolygon(coords, ends, impliedDims(stride), 0), nil
		default:
			return nil, p.unexpected()
		}
	}
}

// closed2D reports whether the last position of a ring equals its first in x and y.
func closed2D(ring []float64, stride int) bool {
	last := ring[len(ring)-stride:]
	return ring[0] == last[0] && ring[1] == last[1]
}

// collection reads the parts of a MultiX or GeometryCollection; its opening bracket has
// been read.
func (p *wktParser) collection(kind Kind, dims Dims, explicit bool, depth int) (*Geometry, error) {
	var parts []*Geometry
	for more := true; more; {
		p.lex.next()
		part, ahead, err := p.part(kind, depth)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
		if !ahead {
			p.lex.next()
		}
		switch p.lex.tok {
		case tokComma:
		case tokClose:
			more = false
		default:
			return nil, p.unexpected()
		}
	}
	if !explicit {
		dims = parts[0].dims
		for _, part := range parts {
			if part.dims != dims {
				return nil, parseErrorf(msgDims)
			}
		}
		return NewCollection(kind, parts, dims, 0), nil
	}
	for i, part := range parts {
		if !part.empty && (part.dims.Stride() != dims.Stride() || kind == GeometryCollection && part.dims != dims) {
			return nil, p.fail(msgMixDims)
		}
		parts[i] = part.relabelDims(dims)
	}
	return NewCollection(kind, parts, dims, 0), nil
}

// part reads one part of a collection, whose first token has been read.
func (p *wktParser) part(kind Kind, depth int) (g *Geometry, ahead bool, err error) {
	if kind == GeometryCollection {
		g, err = p.geometry(depth + 1)
		return g, false, err
	}
	switch {
	case p.lex.tok == tokEmpty:
		return NewEmpty(kind.partKind(), XY, 0), false, nil
	case p.lex.tok == tokNumber && kind == MultiPoint: // MULTIPOINT(1 2,3 4)
		coords, stride, ahead, err := p.position(nil, 0)
		if err != nil {
			return nil, false, err
		}
		return NewPointDims(coords, impliedDims(stride), 0), ahead, nil
	case p.lex.tok != tokOpen:
		return nil, false, p.unexpected()
	}
	switch kind {
	case MultiPoint:
		g, err = p.point()
	case MultiLineString:
		g, err = p.lineString()
	default:
		g, err = p.polygon()
	}
	return g, false, err
}

// relabelDims returns g with its ordinates renamed to dims, which has as many: XYZ to
// XYM. Empty geometries may take any.
func (g *Geometry) relabelDims(dims Dims) *Geometry {
	if g.dims == dims {
		return g
	}
	c := *g
	c.dims = dims
	if g.kind.isMulti() {
		parts := make([]*Geometry, len(g.s.parts))
		for i, p := range g.s.parts {
			parts[i] = p.relabelDims(dims)
		}
		c.s = &shape{parts: parts}
	}
	return &c
}
