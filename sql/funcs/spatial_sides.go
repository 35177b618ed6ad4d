package funcs

import (
	"errors"

	"raisind/geom"
	"raisind/pgerr"
	"raisind/sql/types"
)

// wgs84 is the SRID of longitude and latitude, which properties have.
const wgs84 = 4326

// errPostGIS makes an error as PostGIS raises them: without a code of their own.
func errPostGIS(format string, args ...any) error {
	return pgerr.New(pgerr.InternalError, format, args...)
}

// geomError gives an error of package geom its code; errors that have one keep it.
func geomError(err error) error {
	var coded *pgerr.Error
	if err == nil || errors.As(err, &coded) {
		return err
	}
	return types.GeomError(err)
}

// sameSRID is the check PostGIS makes of two geometries; fn is how its message names
// the function.
func sameSRID(fn string, a, b *geom.Geometry) error {
	if a.SRID() == b.SRID() {
		return nil
	}
	return errPostGIS("%s: Operation on mixed SRID geometries (%s, %d) != (%s, %d)", fn, a.Kind(), a.SRID(), b.Kind(), b.SRID())
}

// place is one side of a workspace predicate, read from a property (jsonb) or a
// geometry: a point on the Earth, another shape, or nothing.
type place struct {
	point geom.LonLat
	shape *geom.Geometry // nil for a point and for nothing
	none  bool           // not a geometry, or empty
}

// geometry is the place as a shape.
func (p place) geometry() *geom.Geometry {
	if p.shape == nil {
		return geom.NewPoint(p.point.LonDeg, p.point.LatDeg, wgs84)
	}
	return p.shape
}

// readProperty reads a property. It allocates nothing for a point.
func (p *place) readProperty(json string) {
	var ok bool
	if p.point, ok = geom.PropertyPoint(json); ok {
		return
	}
	g, _ := geom.FromProperty(json)
	p.set(g)
}

func (p *place) set(g *geom.Geometry) {
	if g == nil || g.IsEmpty() {
		p.none = true
		return
	}
	if point, ok := g.LonLat(); ok && point.Valid() {
		p.point = point
		return
	}
	p.shape = g
}

// checkWGS84 refuses a geometry that is not longitude and latitude; one without an
// SRID counts as such.
func checkWGS84(fn string, g *geom.Geometry) error {
	if g.SRID() != 0 && g.SRID() != wgs84 {
		return pgerr.New(pgerr.InvalidParameterValue,
			"%s: a property has SRID %d, the geometry has SRID %d", fn, wgs84, g.SRID()).
			WithHint("Transform the geometry with ST_Transform(geometry, %d).", wgs84)
	}
	return nil
}

// readGeometry reads a geometry that is compared with a property in metres.
// Coordinates beyond the Earth are taken round it, as a cast to geography does.
func (p *place) readGeometry(fn string, g *geom.Geometry) error {
	if err := checkWGS84(fn, g); err != nil {
		return err
	}
	if p.set(g); p.shape == nil {
		return nil
	}
	if box, ok := p.shape.Box(); !ok {
		p.none = true // nothing but NaN
	} else if !geom.World.Contains(box) {
		d, err := asGeography(types.Geom(p.shape))
		if err != nil {
			return err
		}
		p.shape = nil
		p.set(d.Geom())
	}
	return nil
}

// asGeography is the cast from geometry.
func asGeography(d types.Datum) (types.Datum, error) { return types.NewGeography(d.Geom()) }

// sidesBody is the body of a function of two places, passed by value so that points
// stay off the heap.
type sidesBody func(fc *Ctx, a, b place, args []types.Datum) (types.Datum, error)

// propertyOverloads gives the overloads with a property on the left, the right and
// both sides. rest are further arguments, such as ",distance float8".
func propertyOverloads(fn, rest, result string, body sidesBody) []Overload {
	eval := func(leftJSON, rightJSON bool) EvalFunc {
		return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
			var a, b place
			if err := a.read(fn, args[0], leftJSON); err != nil {
				return types.Null, err
			}
			if err := b.read(fn, args[1], rightJSON); err != nil {
				return types.Null, err
			}
			if a.none || b.none {
				return types.Null, nil
			}
			return body(fc, a, b, args)
		}
	}
	return []Overload{
		of("a jsonb,b geometry"+rest, result, eval(true, false)),
		of("a geometry,b jsonb"+rest, result, eval(false, true)),
		of("a jsonb,b jsonb"+rest, result, eval(true, true)),
	}
}

func (p *place) read(fn string, d types.Datum, json bool) error {
	if json {
		p.readProperty(d.Str())
		return nil
	}
	return p.readGeometry(fn, d.Geom())
}
