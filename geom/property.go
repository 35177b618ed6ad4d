package geom

const notJSON = "is no JSON"

// problems tells in plain words why a property is no geometry.
var problems = [...]string{
	faultEnd:           "is no JSON: it ends too early",
	faultCharacter:     notJSON,
	faultName:          notJSON,
	faultColon:         notJSON,
	faultObjectComma:   notJSON,
	faultArrayComma:    notJSON,
	faultNumber:        notJSON,
	faultDepth:         "is nested too deep",
	faultNotObject:     "is no GeoJSON object",
	faultNoType:        "has no type",
	faultUnknownType:   "has a type that is no GeoJSON geometry",
	faultFeature:       "is a Feature, not a geometry; its geometry is under ->'geometry'",
	faultNoCoordinates: "has no coordinates",
	faultNotArray:      "has coordinates that are no array",
	faultNesting:       "has coordinates of the wrong nesting for its type",
	faultFewOrdinates:  "has a position of fewer than two numbers",
	faultNotNumber:     "has a coordinate that is no number",
	faultNoGeometries:  "is a GeometryCollection without geometries",
	faultNotFinite:     "has a coordinate that is not finite",
	faultRange:         "has a coordinate outside longitude -180 to 180, latitude -90 to 90",
	faultUnclosed:      "has a ring whose last position is not its first",
	faultFewPositions:  "has a line of fewer than two or a ring of fewer than four positions",
}

// FromProperty reads a JSON property as a geometry in longitude and latitude, SRID
// 4326. The problem is "" when it is one; otherwise the geometry is nil and the problem
// says why, to be read after the property's name: "has no coordinates". A third number
// of a position is kept as its z, whatever follows is ignored, as is a crs.
//
// It never fails on bad JSON and reads a point without allocating more than the
// Geometry.
func FromProperty(json string) (*Geometry, string) {
	if p, dims, ok := canonicalPoint(json); ok {
		return &Geometry{kind: Point, dims: dims, srid: lonLatSRID, p: p}, ""
	}
	r := geoJSON{jsonScanner: jsonScanner{s: json}, property: true}
	i := r.blank(0)
	if i < len(json) && json[i] != '{' {
		return nil, problems[faultNotObject]
	}
	g, end := r.geometry(i, 0)
	if end < 0 {
		return nil, problems[r.fault]
	}
	if r.blank(end) < len(json) {
		return nil, problems[faultCharacter]
	}
	g.srid = lonLatSRID
	return g, ""
}

// PropertyPoint is FromProperty for a caller that wants points only and no Geometry; ok
// is false for other shapes, for POINT EMPTY and for what is no geometry.
func PropertyPoint(json string) (p LonLat, ok bool) {
	if p, _, ok := canonicalPoint(json); ok {
		return LonLat{LonDeg: p[0], LatDeg: p[1]}, true
	}
	g, problem := FromProperty(json)
	if problem != "" {
		return LonLat{}, false
	}
	return g.LonLat()
}

// The two spellings of a point that nearly all properties have: as jsonb writes it and
// as most clients send it.
const (
	jsonbPoint   = `{"type": "Point", "coordinates": [`
	compactPoint = `{"type":"Point","coordinates":[`
)

// canonicalPoint reads a point of two or three numbers in one of these spellings. Not
// ok means look closer.
func canonicalPoint(json string) (p [4]float64, dims Dims, ok bool) {
	i := len(jsonbPoint)
	switch {
	case len(json) > i && json[:i] == jsonbPoint:
	case len(json) > len(compactPoint) && json[:len(compactPoint)] == compactPoint:
		i = len(compactPoint)
	default:
		return p, 0, false
	}
	for n := range 3 {
		v, end := scanNumber(json, i)
		if end == i || end >= len(json) || !isFinite(v) {
			return p, 0, false
		}
		p[n] = v + 0 // -0 + 0 is 0
		if json[end] == ']' {
			if n == 2 {
				dims = XYZ
			}
			whole := n > 0 && len(json)-end == 2 && json[end+1] == '}'
			return p, dims, whole && LonLat{LonDeg: p[0], LatDeg: p[1]}.Valid()
		}
		if json[end] != ',' {
			return p, 0, false
		}
		if i = end + 1; i < len(json) && json[i] == ' ' {
			i++
		}
	}
	return p, 0, false
}
