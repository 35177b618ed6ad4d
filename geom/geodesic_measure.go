package geom

import (
	"math"

	"github.com/pymaxion/geographiclib-go/geodesic"
)

// GeodesicLengthM is the length in metres of the lines of g along geodesics; points and
// areas have none. In a collection, as in PostGIS, rings count too.
func GeodesicLengthM(g *Geometry) float64 {
	if g.Dimension() != 1 && g.kind != GeometryCollection {
		return 0
	}
	return geodesicPathsM(g)
}

// GeodesicPerimeterM is the length in metres of the rings of g, holes included. In a
// collection, as in PostGIS, lines count too.
func GeodesicPerimeterM(g *Geometry) float64 {
	if g.Dimension() != 2 && g.kind != GeometryCollection {
		return 0
	}
	return geodesicPathsM(g)
}

// geodesicPathsM is the length of all lines and rings of g.
func geodesicPathsM(g *Geometry) float64 {
	sum := 0.0
	switch {
	case g.kind == LineString:
		return geodesicPathM(g.s.coords, g.dims.Stride())
	case g.kind == Polygon:
		for i := range g.s.ends {
			sum += geodesicPathM(g.Ring(i), g.dims.Stride())
		}
	case g.kind.isMulti():
		for _, p := range g.s.parts {
			sum += geodesicPathsM(p)
		}
	}
	return sum
}

func geodesicPathM(coords []float64, stride int) float64 {
	sum := 0.0
	for i := stride; i < len(coords); i += stride {
		a := LonLat{LonDeg: coords[i-stride], LatDeg: coords[i-stride+1]}
		b := LonLat{LonDeg: coords[i], LatDeg: coords[i+1]}
		sum += geodesicRawM(a, b)
	}
	return sum
}

// GeodesicAreaM2 is the area of the polygons of g in square metres, each ring's smaller
// side counted, holes taken off; rings may wind either way.
func GeodesicAreaM2(g *Geometry) float64 {
	sum := 0.0
	switch {
	case g.kind == Polygon:
		for i := range g.s.ends {
			if a := geodesicRingM2(g.Ring(i), g.dims.Stride()); i == 0 {
				sum = a
			} else {
				sum -= a
			}
		}
	case g.kind == MultiPolygon || g.kind == GeometryCollection:
		for _, p := range g.s.parts {
			sum += GeodesicAreaM2(p)
		}
	}
	return sum
}

func geodesicRingM2(ring []float64, stride int) float64 {
	p := geodesic.NewPolygonArea(geodesic.WGS84, false)
	for i := 0; i+stride < len(ring); i += stride {
		p.AddPoint(ring[i+1], ring[i])
	}
	return math.Abs(p.Compute(false, true).Area)
}
