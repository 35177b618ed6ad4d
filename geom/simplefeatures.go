package geom

import (
	sf "github.com/peterstace/simplefeatures/geom"
)

// SF returns g as a simplefeatures geometry, made once and kept. It is not validated.
func (g *Geometry) SF() sf.Geometry {
	if g.s == nil {
		return g.toSF()
	}
	if p := g.s.derived.sf.Load(); p != nil {
		return *p
	}
	v := g.toSF()
	g.s.derived.sf.Store(&v)
	return v
}

// sfDims are the coordinate types of simplefeatures by Dims.
var sfDims = [...]sf.CoordinatesType{XY: sf.DimXY, XYZ: sf.DimXYZ, XYM: sf.DimXYM, XYZM: sf.DimXYZM}

func (g *Geometry) toSF() sf.Geometry {
	ct := sfDims[g.dims]
	switch g.kind {
	case Point:
		return g.sfPoint().AsGeometry()
	case LineString:
		return g.sfLine().AsGeometry()
	case Polygon:
		return g.sfPolygon().AsGeometry()
	case MultiPoint:
		ps := make([]sf.Point, len(g.s.parts))
		for i, p := range g.s.parts {
			ps[i] = p.sfPoint()
		}
		return sf.NewMultiPoint(ps).ForceCoordinatesType(ct).AsGeometry()
	case MultiLineString:
		ls := make([]sf.LineString, len(g.s.parts))
		for i, p := range g.s.parts {
			ls[i] = p.sfLine()
		}
		return sf.NewMultiLineString(ls).ForceCoordinatesType(ct).AsGeometry()
	case MultiPolygon:
		ps := make([]sf.Polygon, len(g.s.parts))
		for i, p := range g.s.parts {
			ps[i] = p.sfPolygon()
		}
		return sf.NewMultiPolygon(ps).ForceCoordinatesType(ct).AsGeometry()
	}
	gs := make([]sf.Geometry, len(g.s.parts))
	for i, p := range g.s.parts {
		gs[i] = p.toSF()
	}
	return sf.NewGeometryCollection(gs).ForceCoordinatesType(ct).AsGeometry()
}

func (g *Geometry) sfPoint() sf.Point {
	if g.empty {
		return sf.NewEmptyPoint(sfDims[g.dims])
	}
	c := sf.Coordinates{XY: sf.XY{X: g.p[0], Y: g.p[1]}, Type: sfDims[g.dims]}
	if g.dims.HasZ() {
		c.Z = g.p[2]
	}
	if g.dims.HasM() {
		c.M = g.p[g.dims.Stride()-1]
	}
	return sf.NewPoint(c)
}

func (g *Geometry) sfLine() sf.LineString {
	return sf.NewLineString(sf.NewSequence(g.s.coords, sfDims[g.dims]))
}

func (g *Geometry) sfPolygon() sf.Polygon {
	rings := make([]sf.LineString, len(g.s.ends))
	for i := range rings {
		rings[i] = sf.NewLineString(sf.NewSequence(g.Ring(i), sfDims[g.dims]))
	}
	if len(rings) == 0 {
		return sf.Polygon{}.ForceCoordinatesType(sfDims[g.dims])
	}
	return sf.NewPolygon(rings)
}

// FromSF makes a geometry of a simplefeatures one.
func FromSF(v sf.Geometry, srid int32) *Geometry {
	dims := dimsOfSF(v.CoordinatesType())
	switch v.Type() {
	case sf.TypePoint:
		return pointFromSF(v.MustAsPoint(), dims, srid)
	case sf.TypeLineString:
		return lineFromSF(v.MustAsLineString(), dims, srid)
	case sf.TypePolygon:
		return polygonFromSF(v.MustAsPolygon(), dims, srid)
	case sf.TypeMultiPoint:
		m := v.MustAsMultiPoint()
		parts := make([]*Geometry, m.NumPoints())
		for i := range parts {
			parts[i] = pointFromSF(m.PointN(i), dims, 0)
		}
		return NewCollection(MultiPoint, parts, dims, srid)
	case sf.TypeMultiLineString:
		m := v.MustAsMultiLineString()
		parts := make([]*Geometry, m.NumLineStrings())
		for i := range parts {
			parts[i] = lineFromSF(m.LineStringN(i), dims, 0)
		}
		return NewCollection(MultiLineString, parts, dims, srid)
	case sf.TypeMultiPolygon:
		m := v.MustAsMultiPolygon()
		parts := make([]*Geometry, m.NumPolygons())
		for i := range parts {
			parts[i] = polygonFromSF(m.PolygonN(i), dims, 0)
		}
		return NewCollection(MultiPolygon, parts, dims, srid)
	}
	m := v.MustAsGeometryCollection()
	parts := make([]*Geometry, m.NumGeometries())
	for i := range parts {
		parts[i] = FromSF(m.GeometryN(i), 0)
	}
	return NewCollection(GeometryCollection, parts, dims, srid)
}

func dimsOfSF(ct sf.CoordinatesType) Dims {
	d := XY
	if ct.Is3D() {
		d |= XYZ
	}
	if ct.IsMeasured() {
		d |= XYM
	}
	return d
}

func pointFromSF(p sf.Point, dims Dims, srid int32) *Geometry {
	c, ok := p.Coordinates()
	if !ok {
		return NewEmpty(Point, dims, srid)
	}
	return NewPointDims(appendSF(nil, c, dims), dims, srid)
}

func appendSF(dst []float64, c sf.Coordinates, dims Dims) []float64 {
	dst = append(dst, c.X, c.Y)
	if dims.HasZ() {
		dst = append(dst, c.Z)
	}
	if dims.HasM() {
		dst = append(dst, c.M)
	}
	return dst
}

func sequenceFromSF(dst []float64, s sf.Sequence, dims Dims) []float64 {
	for i := range s.Length() {
		dst = appendSF(dst, s.Get(i), dims)
	}
	return dst
}

func lineFromSF(l sf.LineString, dims Dims, srid int32) *Geometry {
	return NewLineString(sequenceFromSF(nil, l.Coordinates(), dims), dims, srid)
}

func polygonFromSF(p sf.Polygon, dims Dims, srid int32) *Geometry {
	if p.IsEmpty() {
		return NewEmpty(Polygon, dims, srid)
	}
	var coords []float64
	var ends []int
	for _, r := range append([]sf.LineString{p.ExteriorRing()}, interiorRings(p)...) {
		coords = sequenceFromSF(coords, r.Coordinates(), dims)
		ends = append(ends, len(coords))
	}
	return newPolygon(coords, ends, dims, srid)
}

func interiorRings(p sf.Polygon) []sf.LineString {
	rings := make([]sf.LineString, p.NumInteriorRings())
	for i := range rings {
		rings[i] = p.InteriorRingN(i)
	}
	return rings
}
