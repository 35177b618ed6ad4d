package geom

// MakeEnvelope is ST_MakeEnvelope: the rectangle between two corners, which are put in
// order. Coordinates are planar: 170 to -170 is the box from -170 to 170.
func MakeEnvelope(x1, y1, x2, y2 float64, srid int32) *Geometry {
	return boxPolygon(x1, y1, x2, y2, srid)
}

// boxPolygon is a rectangle that begins at its first corner and goes up.
func boxPolygon(minX, minY, maxX, maxY float64, srid int32) *Geometry {
	coords := []float64{minX, minY, minX, maxY, maxX, maxY, maxX, minY, minX, minY}
	return newPolygon(coords, []int{len(coords)}, XY, srid)
}

// AsGeometry is the box as a geometry: a polygon, or where the box has no extent in one
// or both directions, a line or a point. An empty box gives an empty polygon.
func (b Box) AsGeometry(srid int32) *Geometry {
	switch {
	case b.Empty():
		return NewEmpty(Polygon, XY, srid)
	case b.MinX == b.MaxX && b.MinY == b.MaxY:
		return NewPoint(b.MinX, b.MinY, srid)
	case b.MinX == b.MaxX || b.MinY == b.MaxY:
		return NewLineString([]float64{b.MinX, b.MinY, b.MaxX, b.MaxY}, XY, srid)
	}
	return boxPolygon(b.MinX, b.MinY, b.MaxX, b.MaxY, srid)
}

// Envelope is ST_Envelope: the box of g as a geometry; an empty g is its own envelope.
func Envelope(g *Geometry) *Geometry {
	b, ok := g.Box()
	if !ok {
		return Force(g, XY)
	}
	return b.AsGeometry(g.srid)
}
