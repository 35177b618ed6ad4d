package geom

import "strconv"

// Options of AppendGeoJSON, as ST_AsGeoJSON counts them; they may be added.
const (
	GeoJSONBox        = 1 // a bbox member
	GeoJSONShortCRS   = 2 // a crs member EPSG:4326
	GeoJSONLongCRS    = 4 // a crs member urn:ogc:def:crs:EPSG::4326
	GeoJSONForeignCRS = 8 // a short crs when the SRID is not 4326; PostGIS's default
)

// AppendGeoJSON writes g as ST_AsGeoJSON does, numbers with at most maxDecimals decimals
// (PostGIS's default is 9). Measures are left out. Where PostGIS writes broken JSON or
// refuses, it does not: empty parts of a MultiPoint are left out, collections in
// collections are written.
func AppendGeoJSON(dst []byte, g *Geometry, maxDecimals, options int) []byte {
	crs := options & (GeoJSONShortCRS | GeoJSONLongCRS)
	if options&GeoJSONForeignCRS != 0 && g.srid != lonLatSRID {
		crs |= GeoJSONShortCRS
	}
	if g.srid == 0 {
		crs = 0
	}
	return appendGeoJSON(dst, g, maxDecimals, crs, options&GeoJSONBox != 0)
}

func appendGeoJSON(dst []byte, g *Geometry, decimals, crs int, box bool) []byte {
	dst = append(dst, `{"type":"`...)
	dst = append(dst, kindNames[g.kind]...)
	dst = append(dst, `",`...)
	if crs != 0 {
		dst = append(dst, `"crs":{"type":"name","properties":{"name":"`...)
		if crs&GeoJSONLongCRS != 0 {
			dst = append(dst, "urn:ogc:def:crs:EPSG::"...)
		} else {
			dst = append(dst, "EPSG:"...)
		}
		dst = strconv.AppendInt(dst, int64(g.srid), 10)
		dst = append(dst, `"}},`...)
	}
	if box {
		dst = appendGeoJSONBox(dst, g, decimals)
	}
	if g.kind == GeometryCollection {
		dst = append(dst, `"geometries":[`...)
		for i, p := range g.s.parts {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendGeoJSON(dst, p, decimals, 0, false)
		}
		return append(dst, "]}"...)
	}
	dst = append(dst, `"coordinates":`...)
	return append(appendGeoJSONCoords(dst, g, decimals), '}')
}

// appendGeoJSONBox writes the bbox member with fixed decimals; of an empty geometry it
// is all zeros.
func appendGeoJSONBox(dst []byte, g *Geometry, decimals int) []byte {
	lo, hi := [3]float64{}, [3]float64{}
	first := true
	n := min(g.dims.Stride(), 3)
	if !g.dims.HasZ() {
		n = 2
	}
	g.EachPosition(func(p []float64) bool {
		for i := range n {
			if first || p[i] < lo[i] {
				lo[i] = p[i]
			}
			if first || p[i] > hi[i] {
				hi[i] = p[i]
			}
		}
		first = false
		return true
	})
	dst = append(dst, `"bbox":[`...)
	for i, v := range append(lo[:n:n], hi[:n]...) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendFloat(dst, v, 'f', max(decimals, 0), 64)
	}
	return append(dst, "],"...)
}

func appendGeoJSONCoords(dst []byte, g *Geometry, decimals int) []byte {
	stride := g.dims.Stride()
	switch g.kind {
	case Point:
		if g.empty {
			return append(dst, "[]"...)
		}
		return appendGeoJSONPosition(dst, g.p[:stride], g.dims, decimals)
	case LineString:
		return appendGeoJSONLine(dst, g.s.coords, g.dims, decimals)
	}
	dst = append(dst, '[')
	start := len(dst)
	if g.kind == Polygon {
		for i := range g.s.ends {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendGeoJSONLine(dst, g.Ring(i), g.dims, decimals)
		}
		return append(dst, ']')
	}
	for _, p := range g.s.parts {
		if p.empty && g.kind != MultiLineString {
			continue
		}
		if len(dst) > start {
			dst = append(dst, ',')
		}
		dst = appendGeoJSONCoords(dst, p, decimals)
	}
	return append(dst, ']')
}

func appendGeoJSONLine(dst []byte, coords []float64, dims Dims, decimals int) []byte {
	stride := dims.Stride()
	dst = append(dst, '[')
	for i := 0; i < len(coords); i += stride {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendGeoJSONPosition(dst, coords[i:i+stride], dims, decimals)
	}
	return append(dst, ']')
}

func appendGeoJSONPosition(dst []byte, p []float64, dims Dims, decimals int) []byte {
	dst = append(dst, '[')
	dst = appendNumber(dst, p[0], decimals)
	dst = append(dst, ',')
	dst = appendNumber(dst, p[1], decimals)
	if dims.HasZ() {
		dst = append(dst, ',')
		dst = appendNumber(dst, p[2], decimals)
	}
	return append(dst, ']')
}
