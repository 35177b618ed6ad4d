package geom

import "strconv"

// textForm is how the two text forms of PostGIS differ.
type textForm uint8

const (
	isoText      textForm = iota // ST_AsText: POINT Z (1 2 3), MULTIPOINT((1 2))
	extendedText                 // ST_AsEWKT: POINT(1 2 3), POINTM(1 2 3), MULTIPOINT(1 2)
)

var wktNames = [...]string{
	"", "POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON", "GEOMETRYCOLLECTION",
}

var isoDims = [...]string{XY: "", XYZ: " Z ", XYM: " M ", XYZM: " ZM "}

// AppendText writes g as ST_AsText does: well-known text without SRID, numbers with at
// most maxDecimals decimals (PostGIS's default is 15).
func AppendText(dst []byte, g *Geometry, maxDecimals int) []byte {
	return appendWKT(dst, g, maxDecimals, isoText)
}

// AppendEWKT writes g as ST_AsEWKT does: SRID=4326;POINT(1 2), the SRID only when
// there is one.
func AppendEWKT(dst []byte, g *Geometry, maxDecimals int) []byte {
	if g.srid != 0 {
		dst = append(dst, "SRID="...)
		dst = strconv.AppendInt(dst, int64(g.srid), 10)
		dst = append(dst, ';')
	}
	return appendWKT(dst, g, maxDecimals, extendedText)
}

// String returns g as EWKT with 15 decimals.
func (g *Geometry) String() string { return string(AppendEWKT(nil, g, 15)) }

func appendWKT(dst []byte, g *Geometry, decimals int, form textForm) []byte {
	dst = append(dst, wktNames[g.kind]...)
	if form == isoText {
		dst = append(dst, isoDims[g.dims]...)
	} else if g.dims == XYM {
		dst = append(dst, 'M')
	}
	return appendWKTBody(dst, g, decimals, form, false)
}

// appendWKTBody writes what follows the name. inner is set for the parts of a MultiX,
// which go without a name.
func appendWKTBody(dst []byte, g *Geometry, decimals int, form textForm, inner bool) []byte {
	if g.kind.isMulti() && len(g.s.parts) == 0 || !g.kind.isMulti() && g.empty {
		// "POINT Z EMPTY" has its blank from the dimension.
		if n := len(dst); !inner && dst[n-1] != ' ' {
			dst = append(dst, ' ')
		}
		return append(dst, "EMPTY"...)
	}
	stride := g.dims.Stride()
	switch g.kind {
	case Point:
		if inner && form == extendedText {
			return appendPosition(dst, g.p[:stride], decimals)
		}
		dst = append(dst, '(')
		dst = appendPosition(dst, g.p[:stride], decimals)
	case LineString:
		dst = append(dst, '(')
		dst = appendPositions(dst, g.s.coords, stride, decimals)
	case Polygon:
		dst = append(dst, '(')
		for i := range g.s.ends {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, '(')
			dst = appendPositions(dst, g.Ring(i), stride, decimals)
			dst = append(dst, ')')
		}
	default:
		dst = append(dst, '(')
		for i, p := range g.s.parts {
			if i > 0 {
				dst = append(dst, ',')
			}
			if g.kind == GeometryCollection {
				dst = appendWKT(dst, p, decimals, form)
			} else {
				dst = appendWKTBody(dst, p, decimals, form, true)
			}
		}
	}
	return append(dst, ')')
}

func appendPositions(dst []byte, coords []float64, stride, decimals int) []byte {
	for i := 0; i < len(coords); i += stride {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendPosition(dst, coords[i:i+stride], decimals)
	}
	return dst
}

func appendPosition(dst []byte, p []float64, decimals int) []byte {
	for i, v := range p {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = appendNumber(dst, v, decimals)
	}
	return dst
}
