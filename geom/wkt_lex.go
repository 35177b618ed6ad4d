package geom

import (
	"math"
	"strconv"
	"strings"
)

// tokenKind is a terminal of PostGIS's WKT grammar.
type tokenKind uint8

const (
	tokEnd   tokenKind = iota
	tokOther           // a byte that begins no token
	tokOpen
	tokClose
	tokComma
	tokSemicolon
	tokNumber
	tokSRID
	tokDims
	tokEmpty
	tokKind
	tokUnsupported // a geometry type that is known and not supported
)

// wktLexer splits WKT as PostGIS's flex rules do, with its way of counting columns:
// errors name the position PostGIS would name. Its number rule takes the delimiter
// behind the number along and puts it back, so each number counts one column too many.
type wktLexer struct {
	s   string
	i   int // next byte
	col int // column of the last byte of the token just read, counted from 1, plus 1

	tok  tokenKind
	num  float64 // tokNumber
	srid int64   // tokSRID
	dims Dims    // tokDims
	kind Kind    // tokKind
	word string  // tokUnsupported, as PostGIS spells the type
}

// wktWords are the keywords, each before its own prefixes: the longest match wins.
var wktWords = []struct {
	text string
	tok  tokenKind
	kind Kind
	dims Dims
	name string
}{
	{"POINT", tokKind, Point, 0, ""},
	{"POLYGON", tokKind, Polygon, 0, ""},
	{"POLYHEDRALSURFACE", tokUnsupported, 0, 0, "PolyhedralSurface"},
	{"LINESTRING", tokKind, LineString, 0, ""},
	{"MULTIPOINT", tokKind, MultiPoint, 0, ""},
	{"MULTILINESTRING", tokKind, MultiLineString, 0, ""},
	{"MULTIPOLYGON", tokKind, MultiPolygon, 0, ""},
	{"MULTICURVE", tokUnsupported, 0, 0, "MultiCurve"},
	{"MULTISURFACE", tokUnsupported, 0, 0, "MultiSurface"},
	{"M", tokDims, 0, XYM, ""},
	{"GEOMETRYCOLLECTION", tokKind, GeometryCollection, 0, ""},
	{"CIRCULARSTRING", tokUnsupported, 0, 0, "CircularString"},
	{"COMPOUNDCURVE", tokUnsupported, 0, 0, "CompoundCurve"},
	{"CURVEPOLYGON", tokUnsupported, 0, 0, "CurvePolygon"},
	{"TRIANGLE", tokUnsupported, 0, 0, "Triangle"},
	{"TIN", tokUnsupported, 0, 0, "Tin"},
	{"EMPTY", tokEmpty, 0, 0, ""},
	{"ZM", tokDims, 0, XYZM, ""},
	{"Z", tokDims, 0, XYZ, ""},
}

// next reads the next token.
func (l *wktLexer) next() {
	for l.i < len(l.s) && isBlank(l.s[l.i]) {
		l.i++
		l.col++
	}
	if l.i >= len(l.s) {
		l.tok = tokEnd
		return
	}
	switch c := l.s[l.i]; {
	case c == '(':
		l.take(tokOpen, 1)
	case c == ')':
		l.take(tokClose, 1)
	case c == ',':
		l.take(tokComma, 1)
	case c == ';':
		l.take(tokSemicolon, 1)
	case c == '-' || c == '.' || c-'0' <= 9:
		l.number()
	case c|0x20 == 'n':
		l.nan(l.i)
	case c|0x20 >= 'a' && c|0x20 <= 'z':
		l.keyword()
	default:
		l.take(tokOther, 1)
	}
}

func (l *wktLexer) take(tok tokenKind, n int) {
	l.tok = tok
	l.i += n
	l.col += n
}

// number reads -?(([0-9]+\.?)|([0-9]*\.?[0-9]+)([eE][-+]?[0-9]+)?) when a delimiter
// follows; otherwise its first byte is no token.
func (l *wktLexer) number() {
	i := l.i
	if l.s[i] == '-' {
		i++
		if i < len(l.s) && l.s[i]|0x20 == 'n' {
			l.nan(i)
			return
		}
	}
	before := digitsAt(l.s, i)
	j := i + before
	after := 0
	if j < len(l.s) && l.s[j] == '.' {
		j++
		after = digitsAt(l.s, j)
		j += after
	}
	// An exponent may follow "1.5", "1" and ".5", not "1.".
	if (after > 0 || before > 0 && j == i+before) && j < len(l.s) && l.s[j]|0x20 == 'e' {
		k := j + 1
		if k < len(l.s) && (l.s[k] == '+' || l.s[k] == '-') {
			k++
		}
		if n := digitsAt(l.s, k); n > 0 {
			j = k + n
		}
	}
	if before+after == 0 || !delimiterAt(l.s, j) {
		l.take(tokOther, 1)
		return
	}
	text := l.s[l.i:j]
	v, end := scanNumber(text, 0)
	if end != len(text) { // spellings JSON has not: "5.", ".5", "007"
		v, _ = strconv.ParseFloat(text, 64)
	}
	l.num = v
	l.take(tokNumber, j-l.i)
	l.col++
}

// nan reads the word at i as a number, with the sign before it if there was one.
func (l *wktLexer) nan(i int) {
	if len(l.s)-i >= 3 && strings.EqualFold(l.s[i:i+3], "nan") && delimiterAt(l.s, i+3) {
		l.num = math.Float64frombits(wkbNaN)
		l.take(tokNumber, i+3-l.i)
		l.col++
		return
	}
	l.take(tokOther, 1)
}

func (l *wktLexer) keyword() {
	rest := l.s[l.i:]
	if len(rest) > 5 && strings.EqualFold(rest[:5], "SRID=") {
		n := 5
		if rest[n] == '-' {
			n++
		}
		if d := digitsAt(rest, n); d > 0 {
			l.srid = atoi32(rest[5 : n+d])
			l.take(tokSRID, n+d)
			return
		}
	}
	for _, w := range wktWords {
		if len(rest) >= len(w.text) && strings.EqualFold(rest[:len(w.text)], w.text) {
			l.kind, l.dims, l.word = w.kind, w.dims, w.name
			l.take(w.tok, len(w.text))
			return
		}
	}
	l.take(tokOther, 1)
}

// atoi32 reads digits as C's atoi on 32 bits does, wrapping around.
func atoi32(s string) int64 {
	var v int32
	neg := s[0] == '-'
	if neg {
		s = s[1:]
	}
	for i := range len(s) {
		v = v*10 + int32(s[i]-'0')
	}
	if neg {
		v = -v
	}
	return int64(v)
}

// digitsAt counts the decimal digits at s[i:].
func digitsAt(s string, i int) int {
	n := 0
	for i+n < len(s) && s[i+n]-'0' <= 9 {
		n++
	}
	return n
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func delimiterAt(s string, i int) bool {
	return i < len(s) && (isBlank(s[i]) || s[i] == ',' || s[i] == ')')
}
