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
		// What is no JSON is told first, wherever it is.
		whole := geoJSON{jsonScanner: jsonScanner{s: s}}
		if whole.skip(whole.blank(0), 0) < 0 {
			return nil, whole.parseError()
		}
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

// geometry reads the geometry object at i. Coordinates that follow the type, as they do
// in jsonb, are read at once; those before it are looked at when the type is known.
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
	var m geoJSONMembers
	end := r.members(i, func(key string, at int) int { return r.member(&m, key, at, depth) })
	if end < 0 {
		return nil, -1
	}
	if m.kind == 0 {
		switch {
		case m.typeName == "":
			return nil, r.fail(faultNoType, i)
		case strings.HasPrefix(m.typeName, "Feature"):
			return nil, r.fail(faultFeature, i)
		}
		return nil, r.fail(faultUnknownType, i)
	}
	if m.g == nil {
		switch {
		case m.kind == GeometryCollection:
			return nil, r.fail(faultNoGeometries, i)
		case m.coordsAt == 0:
			return nil, r.fail(faultNoCoordinates, i)
		}
		if m.g, _ = r.coordinates(m.kind, m.coordsAt); m.g == nil {
			return nil, -1
		}
	}
	return m.g, end
}

// geoJSONMembers is what has been seen of a geometry object.
type geoJSONMembers struct {
	typeName string
	kind     Kind
	coordsAt int
	g        *Geometry
}

// member reads the value at an index of one member of a geometry object.
func (r *geoJSON) member(m *geoJSONMembers, key string, at, depth int) (end int) {
	switch key {
	case "type":
		if at < len(r.s) && r.s[at] == '"' {
			m.typeName, end = r.text(at)
			if kind, _ := kindByName(m.typeName); kind != m.kind {
				m.kind, m.g = kind, nil
			}
			return end
		}
	case "coordinates":
		m.coordsAt = at
		if m.kind == 0 || m.kind == GeometryCollection {
			break
		}
		m.g, end = r.coordinates(m.kind, at)
		return end
	case "geometries":
		if m.kind == 0 { // the rare order: look for the type first
			m.kind = r.kindAfter(at)
		}
		if m.kind == GeometryCollection {
			m.g, end = r.collection(at, depth)
			return end
		}
	case "crs":
		r.crs(at)
	}
	return r.skip(at, depth)
}

// kindAfter looks in the members behind the value at an index for the type.
func (r *geoJSON) kindAfter(at int) (k Kind) {
	look := jsonScanner{s: r.s}
	i := look.skip(at, 0)
	if i < 0 {
		return 0
	}
	if i = look.blank(i); i < len(look.s) && look.s[i] == ',' {
		look.members(i, func(key string, at int) int {
			if key == "type" && at < len(look.s) && look.s[at] == '"' {
				name, end := look.text(at)
				k, _ = kindByName(name)
				return end
			}
			return look.skip(at, 0)
		})
	}
	return k
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

// collection reads the geometries at an index.
func (r *geoJSON) collection(at, depth int) (*Geometry, int) {
	if at >= len(r.s) || r.s[at] != '[' {
		if r.skip(at, 0) < 0 {
			return nil, -1
		}
		return nil, r.fail(faultNoGeometries, at)
	}
	var parts []*Geometry
	hasZ := false
	end := r.elements(at, func(at int) int {
		g, end := r.geometry(at, depth+1)
		if end >= 0 {
			parts = append(parts, g)
			hasZ = hasZ || g.dims.HasZ()
		}
		return end
	})
	if end < 0 {
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
