package geom

import "math"

// PlanarLength is the length of the lines of g in the unit of its coordinates; points and
// areas have none.
func PlanarLength(g *Geometry) float64 {
	switch {
	case g.kind == LineString:
		return pathLength(g.s.coords, g.dims.Stride())
	case g.kind == MultiLineString || g.kind == GeometryCollection:
		sum := 0.0
		for _, p := range g.s.parts {
			sum += PlanarLength(p)
		}
		return sum
	}
	return 0
}

// PlanarPerimeter is the length of the rings of g, holes included.
func PlanarPerimeter(g *Geometry) float64 {
	sum := 0.0
	switch {
	case g.kind == Polygon:
		for i := range g.s.ends {
			sum += pathLength(g.Ring(i), g.dims.Stride())
		}
	case g.kind == MultiPolygon || g.kind == GeometryCollection:
		for _, p := range g.s.parts {
			sum += PlanarPerimeter(p)
		}
	}
	return sum
}

func pathLength(coords []float64, stride int) float64 {
	sum := 0.0
	for i := stride; i < len(coords); i += stride {
		sum += pointDistance(coords[i-stride], coords[i-stride+1], coords[i], coords[i+1])
	}
	return sum
}

// PlanarArea is the area of the polygons of g, holes taken off, whatever way rings wind.
func PlanarArea(g *Geometry) float64 {
	sum := 0.0
	switch {
	case g.kind == Polygon:
		for i := range g.s.ends {
			if a := math.Abs(ringArea(g.Ring(i), g.dims.Stride())); i == 0 {
				sum = a
			} else {
				sum -= a
			}
		}
	case g.kind == MultiPolygon || g.kind == GeometryCollection:
		for _, p := range g.s.parts {
			sum += PlanarArea(p)
		}
	}
	return sum
}

// ringArea is the area of a ring, positive when it winds clockwise. Coordinates are taken
// relative to the first, which keeps small rings far from the origin exact.
func ringArea(ring []float64, stride int) float64 {
	n := len(ring) / stride
	if n < 3 {
		return 0
	}
	x0, sum := ring[0], 0.0
	for i := 1; i < n-1; i++ {
		sum += (ring[i*stride] - x0) * (ring[(i-1)*stride+1] - ring[(i+1)*stride+1])
	}
	return sum / 2
}

// PlanarAzimuthRad is the direction from a to b in radians clockwise from the y axis, in
// [0, 2π); ok is false when they are one point.
func PlanarAzimuthRad(ax, ay, bx, by float64) (rad float64, ok bool) {
	if ax == bx && ay == by {
		return 0, false
	}
	rad = math.Atan2(bx-ax, by-ay)
	if rad < 0 {
		rad += 2 * math.Pi
	}
	return rad, rad == rad
}
