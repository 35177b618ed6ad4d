package geom

import (
	"strconv"
	"strings"
	"unsafe"
)

// lonLatSRID is the SRID of GeoJSON: longitude and latitude on WGS 84.
const lonLatSRID = 4326

// ParseGeoJSON reads one GeoJSON geometry as ST_GeomFromGeoJSON does; its SRID is 4326
// unless a crs member names another. A third number of a position is its z, null and
// further numbers are ignored. Other than PostGIS it refuses x and y that are no
// numbers, which PostGIS reads as 0, and takes CRS84 for 4326.
func ParseGeoJSON(b []byte) (*Geometry, error) {
	// No part of the text is kept, so the bytes need no copy.
	return parseGeoJSON(unsafe.String(unsafe.SliceData(b), len(b)), lonLatSRID)
}

func parseGeoJSON(s string, srid int32) (*Geometry, error) {
	r := geoJSON{jsonScanner: jsonScanner{s: s}, srid: srid}
	g, end := r.geometry(r.blank(0), 0)
	if end < 0 {
		return nil, r.parseError()
	}
	if end = r.blank(end); end < len(s) {
		r.fail(faultCharacter, end)
		return nil, r.parseError()
	}
	g.srid = r.srid
	return g, nil
}

// parseError words the fault as PostGIS does.
func (r *geoJSON) parseError() error {
	switch r.fault {
	case faultEnd:
		return parseErrorf("unexpected end of data (at offset %d)", r.at)
	case faultCharacter:
		return parseErrorf("unexpected character (at offset %d)", r.at)
	case faultName:
		return parseErrorf("quoted object property name expected (at offset %d)", r.at)
	case faultColon:
		return parseErrorf("object property name separator ':' expected (at offset %d)", r.at)
	case faultObjectComma:
		return parseErrorf("object value separator ',' expected (at offset %d)", r.at)
	case faultArrayComma:
		return parseErrorf("array value separator ',' expected (at offset %d)", r.at)
	case faultNumber:
		return parseErrorf("number expected (at offset %d)", r.at)
	case faultDepth:
		return parseErrorf("nesting too deep (at offset %d)", r.at)
	case faultNotObject, faultNoType:
		return parseErrorf("unknown GeoJSON type")
	case faultUnknownType, faultFeature:
		return parseErrorf("invalid GeoJson representation")
	case faultNoCoordinates:
		return parseErrorf("Unable to find 'coordinates' in GeoJSON string")
	case faultNotArray:
		return parseErrorf("The 'coordinates' in GeoJSON are not an array")
	case faultFewOrdinates:
		return parseErrorf("Too few ordinates in GeoJSON")
	case faultNotNumber:
		return parseErrorf("The 'coordinates' in GeoJSON are not numbers")
	case faultNoGeometries:
		return parseErrorf("Unable to find 'geometries' in GeoJSON string")
	}
	return parseErrorf("The 'coordinates' in GeoJSON are not sufficiently nested")
}

// geoJSON builds a geometry from a JSON text.
type geoJSON struct {
	jsonScanner
	srid int32
	// property makes it check what DESIGN calls a geometry: closed rings, enough
	// positions, coordinates in range.
	property bool
}

// geometry reads the geometry object at i. It looks at the members first and reads the
// coordinates once the type is known, whatever their order.
func (r *geoJSON) geometry(i, depth int) (*Geometry, int) {
	if i >= len(r.s) {
		return nil, r.fail(faultEnd, i)
	}
	if r.s[i] != '{' {
		if r.skip(i, 0) < 0 {
			return nil, -1
		}
		return nil, r.fail(faultNotObject, i)
	}
	if depth > maxNesting {
		return nil, r.fail(faultDepth, i)
	}
	typeName, typeAt, coordsAt, geomsAt := "", -1, -1, -1
	end := r.members(i, func(key string, at int) int {
		switch key {
		case "type":
			if at < len(r.s) && r.s[at] == '"' {
				typeAt = at
				typeName, at = r.text(at)
				return at
			}
		case "coordinates":
			coordsAt = at
		case "geometries":
			geomsAt = at
		case "crs":
			r.crs(at)
		}
		return r.skip(at, depth)
	})
	if end < 0 {
		return nil, -1
	}
	if typeAt < 0 {
		return nil, r.fail(faultNoType, i)
	}
	kind, ok := kindByName(typeName)
	if !ok {
		if strings.HasPrefix(typeName, "Feature") {
			return nil, r.fail(faultFeature, typeAt)
		}
		return nil, r.fail(faultUnknownType, typeAt)
	}
	if kind == GeometryCollection {
		if geomsAt < 0 || r.s[geomsAt] != '[' {
			return nil, r.fail(faultNoGeometries, i)
		}
		return r.collection(geomsAt, end, depth)
	}
	if coordsAt < 0 {
		return nil, r.fail(faultNoCoordinates, i)
	}
	if r.s[coordsAt] != '[' {
		return nil, r.fail(faultNotArray, coordsAt)
	}
	g := r.coordinates(kind, coordsAt)
	if g == nil {
		return nil, -1
	}
	return g, end
}

// kindByName finds a kind by its GeoJSON name, whatever its case.
func kindByName(name string) (Kind, bool) {
	for k := Point; k <= GeometryCollection; k++ {
		if strings.EqualFold(kindNames[k], name) {
			return k, true
		}
	}
	return 0, false
}

func (r *geoJSON) collection(at, end, depth int) (*Geometry, int) {
	var parts []*Geometry
	hasZ := false
	if r.elements(at, func(at int) int {
		g, end := r.geometry(at, depth+1)
		if end >= 0 {
			parts = append(parts, g)
			hasZ = hasZ || g.dims.HasZ()
		}
		return end
	}) < 0 {
		return nil, -1
	}
	dims := XY
	if hasZ {
		dims = XYZ
		for i, p := range parts {
			parts[i] = Force(p, XYZ)
		}
	}
	return NewCollection(GeometryCollection, parts, dims, 0), end
}

// crs takes the SRID from a crs member {"type":"name","properties":{"name":"EPSG:3857"}};
// what it does not understand leaves 4326.
func (r *geoJSON) crs(at int) {
	if at >= len(r.s) || r.s[at] != '{' {
		return
	}
	c := geoJSON{jsonScanner: jsonScanner{s: r.s}}
	c.members(at, func(key string, at int) int {
		if key == "properties" && at < len(c.s) && c.s[at] == '{' {
			return c.members(at, func(key string, at int) int {
				if key == "name" && at < len(c.s) && c.s[at] == '"' {
					name, end := c.text(at)
					if colon := strings.LastIndexByte(name, ':'); colon > 0 && strings.Contains(name[:colon], "EPSG") {
						if n, err := strconv.ParseInt(name[colon+1:], 10, 32); err == nil {
							r.srid = ClampSRID(n)
						}
					}
					return end
				}
				return c.skip(at, 0)
			})
		}
		return c.skip(at, 0)
	})
}
