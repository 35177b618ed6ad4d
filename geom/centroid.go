package geom

import "math"

// Centroid is the centre of mass of the parts of g that have its highest dimension, by
// area, else by length, else by number; POINT EMPTY for an empty g. It sums as GEOS does,
// so the digits are PostGIS's.
func Centroid(g *Geometry) *Geometry {
	if g.odd() {
		return NewEmpty(Point, XY, g.srid)
	}
	var c centroidSum
	c.add(g)
	switch {
	case math.Abs(c.area2) > 0:
		return NewPoint(c.areaX/3/c.area2, c.areaY/3/c.area2, g.srid)
	case c.length > 0:
		return NewPoint(c.lineX/c.length, c.lineY/c.length, g.srid)
	case c.points > 0:
		return NewPoint(c.pointX/c.points, c.pointY/c.points, g.srid)
	}
	return NewEmpty(Point, XY, g.srid)
}

// centroidSum collects weighted sums for all three dimensions at once.
type centroidSum struct {
	area2, areaX, areaY    float64 // twice the area, six times its moments
	length, lineX, lineY   float64
	points, pointX, pointY float64
}

func (c *centroidSum) add(g *Geometry) {
	if g.empty {
		return
	}
	stride := g.dims.Stride()
	switch g.kind {
	case Point:
		c.addPoint(g.p[0], g.p[1])
	case LineString:
		c.addLine(g.s.coords, stride)
	case Polygon:
		baseX, baseY := g.s.coords[0], g.s.coords[1]
		for i := range g.s.ends {
			ring := g.Ring(i)
			// As in GEOS clockwise shells and counter-clockwise holes count with their sign, the
			// others against it; a hole so takes off from its shell.
			sign := -1.0
			if clockwise := ringArea(ring, stride) >= 0; clockwise == (i == 0) {
				sign = 1
			}
			for k := stride; k < len(ring); k += stride {
				c.addTriangle(sign, baseX, baseY, ring[k-stride], ring[k-stride+1], ring[k], ring[k+1])
			}
			c.addLine(ring, stride)
		}
	default:
		for _, p := range g.s.parts {
			c.add(p)
		}
	}
}

func (c *centroidSum) addTriangle(sign, x1, y1, x2, y2, x3, y3 float64) {
	area2 := (x2-x1)*(y3-y1) - (x3-x1)*(y2-y1)
	c.areaX += sign * area2 * (x1 + x2 + x3)
	c.areaY += sign * area2 * (y1 + y2 + y3)
	c.area2 += sign * area2
}

func (c *centroidSum) addLine(coords []float64, stride int) {
	length := 0.0
	for i := stride; i < len(coords); i += stride {
		x1, y1, x2, y2 := coords[i-stride], coords[i-stride+1], coords[i], coords[i+1]
		l := pointDistance(x1, y1, x2, y2)
		if l == 0 {
			continue
		}
		length += l
		c.lineX += l * ((x1 + x2) / 2)
		c.lineY += l * ((y1 + y2) / 2)
	}
	c.length += length
	if length == 0 {
		c.addPoint(coords[0], coords[1])
	}
}

func (c *centroidSum) addPoint(x, y float64) {
	c.points++
	c.pointX += x
	c.pointY += y
}
