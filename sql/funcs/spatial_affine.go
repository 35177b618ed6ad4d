package funcs

import (
	"math"

	"raisind/geom"
	"raisind/sql/types"
)

// matrix is an affine transformation of x, y and z: three rows of factors, and shifts.
type matrix struct {
	m    [3][3]float64
	move [3]float64
}

func (a matrix) apply(g *geom.Geometry) *geom.Geometry {
	z := g.Dims().HasZ()
	return g.Map(func(p []float64) {
		x, y, h := p[0], p[1], 0.0
		if z {
			h = p[2]
		}
		p[0] = a.m[0][0]*x + a.m[0][1]*y + a.m[0][2]*h + a.move[0]
		p[1] = a.m[1][0]*x + a.m[1][1]*y + a.m[1][2]*h + a.move[1]
		if z {
			p[2] = a.m[2][0]*x + a.m[2][1]*y + a.m[2][2]*h + a.move[2]
		}
	})
}

func affine(g *geom.Geometry, args []types.Datum) *geom.Geometry {
	f := floats(args)
	if len(f) == 6 {
		return matrix{[3][3]float64{{f[0], f[1], 0}, {f[2], f[3], 0}, {0, 0, 1}}, [3]float64{f[4], f[5], 0}}.apply(g)
	}
	return matrix{[3][3]float64{{f[0], f[1], f[2]}, {f[3], f[4], f[5]}, {f[6], f[7], f[8]}}, [3]float64{f[9], f[10], f[11]}}.apply(g)
}

// rotateAbout turns g against the clock about x y.
func rotateAbout(g *geom.Geometry, angle, x, y float64) *geom.Geometry {
	s, c := math.Sincos(angle)
	return matrix{[3][3]float64{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}, [3]float64{x - c*x + s*y, y - s*x - c*y, 0}}.apply(g)
}

func rotateAxis(axis int) EvalFunc {
	return edited(func(g *geom.Geometry, args []types.Datum) *geom.Geometry {
		s, c := math.Sincos(args[1].Float())
		m := [3][3]float64{{1, 0, 0}, {0, c, -s}, {0, s, c}}
		if axis == 1 {
			m = [3][3]float64{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}
		}
		return matrix{m: m}.apply(g)
	})
}

// scaleBy multiplies the ordinates of g by those of a point, about an origin.
func scaleBy(g *geom.Geometry, args []types.Datum) (*geom.Geometry, error) {
	f := args[1].Geom()
	if f.Kind() != geom.Point || f.IsEmpty() {
		return nil, errPostGIS("Scale factor geometry parameter must be a point")
	}
	factor, origin := f.Positions(), make([]float64, 4)
	if len(args) > 2 {
		o := args[2].Geom()
		if o.Kind() != geom.Point || o.IsEmpty() {
			return nil, errPostGIS("False origin geometry parameter must be a point")
		}
		copy(origin, geom.Force(o, geom.XYZM).Positions())
	}
	dims := g.Dims()
	return g.Map(func(p []float64) {
		for i := range p {
			axis := i
			if dims == geom.XYM && i == 2 {
				axis = 3
			}
			k := 1.0
			switch {
			case axis < 2 || axis == 2 && f.Dims().HasZ():
				k = factor[axis]
			case axis == 3 && f.Dims().HasM():
				k = factor[len(factor)-1]
			}
			p[i] = (p[i]-origin[axis])*k + origin[axis]
		}
	}), nil
}

// editPoint changes one position of a line.
func addPoint(_ *Ctx, args []types.Datum) (types.Datum, error) {
	l, p := args[0].Geom(), args[1].Geom()
	if err := sameSRID("LWGEOM_addpoint", l, p); err != nil {
		return types.Null, err
	}
	if l.Kind() != geom.LineString {
		return types.Null, errPostGIS("First argument must be a LINESTRING")
	}
	if p.Kind() != geom.Point {
		return types.Null, errPostGIS("Second argument must be a POINT")
	}
	n := l.NumPoints()
	at := n
	if len(args) > 2 {
		at = int(args[2].Int())
		if at < -1 || at > n {
			return types.Null, errPostGIS("Invalid offset")
		}
		if at == -1 {
			at = n
		}
	}
	s := l.Dims().Stride()
	c := append([]float64{}, l.Positions()[:at*s]...)
	c = append(c, geom.Force(p, l.Dims()).Positions()...)
	c = append(c, l.Positions()[at*s:]...)
	return types.Geom(geom.NewLineString(c, l.Dims(), l.SRID())), nil
}

func setPoint(_ *Ctx, args []types.Datum) (types.Datum, error) {
	l, at, p := args[0].Geom(), int(args[1].Int()), args[2].Geom()
	if l.Kind() != geom.LineString {
		return types.Null, errPostGIS("First argument must be a LINESTRING")
	}
	if p.Kind() != geom.Point {
		return types.Null, errPostGIS("Third argument must be a POINT")
	}
	n := l.NumPoints()
	if at < 0 {
		at += n
	}
	if at < 0 || at >= n {
		return types.Null, errPostGIS("abs(Point index) out of range (-)(%d..%d)", 0, n-1)
	}
	s := l.Dims().Stride()
	c := append([]float64{}, l.Positions()...)
	copy(c[at*s:], geom.Force(p, l.Dims()).Positions())
	return types.Geom(geom.NewLineString(c, l.Dims(), l.SRID())), nil
}

func removePoint(_ *Ctx, args []types.Datum) (types.Datum, error) {
	l, at := args[0].Geom(), int(args[1].Int())
	if l.Kind() != geom.LineString {
		return types.Null, errPostGIS("First argument must be a LINESTRING")
	}
	n := l.NumPoints()
	if at < 0 || at >= n {
		return types.Null, errPostGIS("Point index out of range (%d..%d)", 0, n-1)
	}
	if n < 3 {
		return types.Null, errPostGIS("Can't remove points from a single segment line")
	}
	s := l.Dims().Stride()
	c := append([]float64{}, l.Positions()[:at*s]...)
	return types.Geom(geom.NewLineString(append(c, l.Positions()[(at+1)*s:]...), l.Dims(), l.SRID())), nil
}

func swapOrdinates(g *geom.Geometry, args []types.Datum) (*geom.Geometry, error) {
	names := args[1].Str()
	index := func(b byte) int {
		switch b {
		case 'x':
			return 0
		case 'y':
			return 1
		case 'z':
			if g.Dims().HasZ() {
				return 2
			}
		case 'm':
			if g.Dims().HasM() {
				return g.Dims().Stride() - 1
			}
		}
		return -1
	}
	if len(names) != 2 {
		return nil, errPostGIS("Invalid ordinate specification. Need two letters from the set (x,y,z,m). Got '%s'", names)
	}
	a, b := index(names[0]), index(names[1])
	if a < 0 || b < 0 {
		return nil, errPostGIS("Geometry does not have a %c ordinate", names[b2i(a >= 0)])
	}
	return g.Map(func(p []float64) { p[a], p[b] = p[b], p[a] }), nil
}

// windings reports whether all shells of g run with the clock, and holes the other way.
func windings(clockwise bool) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		g := args[0].Geom()
		return types.Bool(geom.Identical(g, geom.Wind(g, clockwise))), nil
	}
}

func affineFuncs() []Func {
	fn := func(name, doc, sql, want string, overloads ...Overload) Func {
		return Func{Name: name, Group: groupGeomEdit, Volatility: Immutable, Doc: doc, Overloads: overloads, Examples: []Example{{sql, want}}}
	}
	asText := func(call string) string { return `SELECT ST_AsText(` + call + `)` }
	rotate := edited(func(g *geom.Geometry, a []types.Datum) *geom.Geometry { return rotateAbout(g, a[1].Float(), 0, 0) })
	wind := func(clockwise bool) EvalFunc {
		return edited(func(g *geom.Geometry, _ []types.Datum) *geom.Geometry { return geom.Wind(g, clockwise) })
	}
	return []Func{
		fn("ST_Affine", "An affine transformation, by its matrix.", asText(`ST_Affine('POINT(1 2)'::geometry, 1, 0, 0, 1, 10, 20)`), "POINT(11 22)",
			of("geometry,float8,float8,float8,float8,float8,float8", "geometry", edited(affine)),
			of("geometry,float8,float8,float8,float8,float8,float8,float8,float8,float8,float8,float8,float8", "geometry", edited(affine))),
		fn("ST_Rotate", "Turns a geometry against the clock, in radians, about the origin or another point.", asText(`ST_Rotate('POINT(1 0)'::geometry, pi(), 2, 0)`)[:0]+`SELECT round(ST_X(ST_Rotate('POINT(1 0)'::geometry, pi(), 2, 0)))`, "3",
			of("geometry,float8", "geometry", rotate),
			of("geometry,float8,float8,float8", "geometry", edited(func(g *geom.Geometry, a []types.Datum) *geom.Geometry {
				return rotateAbout(g, a[1].Float(), a[2].Float(), a[3].Float())
			})),
			of("geometry,float8,geometry", "geometry", constructed(func(g *geom.Geometry, a []types.Datum) (*geom.Geometry, error) {
				x, y, ok := a[2].Geom().AsPoint()
				if !ok {
					return nil, errPostGIS("Argument to ST_X() must have type POINT")
				}
				return rotateAbout(g, a[1].Float(), x, y), nil
			}))),
		fn("ST_RotateX", "Turns a geometry about the x axis.", asText(`ST_RotateX('POINT Z (1 0 0)'::geometry, 1)`), "POINT Z (1 0 0)", of("geometry,float8", "geometry", rotateAxis(0))),
		fn("ST_RotateY", "Turns a geometry about the y axis.", asText(`ST_RotateY('POINT Z (0 1 0)'::geometry, 1)`), "POINT Z (0 1 0)", of("geometry,float8", "geometry", rotateAxis(1))),
		fn("ST_RotateZ", "Turns a geometry about the z axis.", asText(`ST_RotateZ('POINT(0 0)'::geometry, 1)`), "POINT(0 0)", of("geometry,float8", "geometry", rotate)),
		fn("ST_TransScale", "Moves a geometry, then multiplies x and y.", asText(`ST_TransScale('POINT(1 2)'::geometry, 1, 1, 10, 10)`), "POINT(20 30)",
			of("geometry,float8,float8,float8,float8", "geometry", edited(func(g *geom.Geometry, args []types.Datum) *geom.Geometry {
				f := floats(args)
				return matrix{[3][3]float64{{f[2], 0, 0}, {0, f[3], 0}, {0, 0, 1}}, [3]float64{f[0] * f[2], f[1] * f[3], 0}}.apply(g)
			}))),
		fn("ST_AddPoint", "Adds a position to a line, at its end or before another (counted from 0).", asText(`ST_AddPoint('LINESTRING(0 0,1 1)'::geometry, 'POINT(2 2)'::geometry)`), "LINESTRING(0 0,1 1,2 2)",
			of("geom1 geometry,geom2 geometry", "geometry", addPoint), of("geom1 geometry,geom2 geometry,int4", "geometry", addPoint)),
		fn("ST_SetPoint", "Replaces a position of a line (counted from 0, negative from the end).", asText(`ST_SetPoint('LINESTRING(0 0,1 1)'::geometry, -1, 'POINT(2 2)'::geometry)`), "LINESTRING(0 0,2 2)",
			of("geometry,int4,geometry", "geometry", setPoint)),
		fn("ST_RemovePoint", "Removes a position of a line (counted from 0).", asText(`ST_RemovePoint('LINESTRING(0 0,1 1,2 2)'::geometry, 1)`), "LINESTRING(0 0,2 2)",
			of("geometry,int4", "geometry", removePoint)),
		fn("ST_SwapOrdinates", "Exchanges two ordinates, named by letters.", asText(`ST_SwapOrdinates('POINT Z (1 2 3)'::geometry, 'xz')`), "POINT Z (3 2 1)",
			of("geom geometry,ords cstring", "geometry", constructed(swapOrdinates))),
		fn("ST_ForcePolygonCW", "Turns shells with the clock, holes against it.", asText(`ST_ForcePolygonCW('POLYGON((0 0,1 0,0 1,0 0))'::geometry)`), "POLYGON((0 0,0 1,1 0,0 0))", of("geometry", "geometry", wind(true))),
		fn("ST_ForceRHR", "Turns shells with the clock, holes against it.", asText(`ST_ForceRHR('POLYGON((0 0,1 0,0 1,0 0))'::geometry)`), "POLYGON((0 0,0 1,1 0,0 0))", of("geometry", "geometry", wind(true))),
		fn("ST_ForcePolygonCCW", "Turns shells against the clock, holes with it.", asText(`ST_ForcePolygonCCW('POLYGON((0 0,0 1,1 0,0 0))'::geometry)`), "POLYGON((0 0,1 0,0 1,0 0))", of("geometry", "geometry", wind(false))),
		fn("ST_IsPolygonCW", "True when shells run with the clock and holes against it.", `SELECT ST_IsPolygonCW('POLYGON((0 0,0 1,1 0,0 0))'::geometry)`, "t", of("geometry", "bool", windings(true))),
		fn("ST_IsPolygonCCW", "True when shells run against the clock and holes with it.", `SELECT ST_IsPolygonCCW('POLYGON((0 0,0 1,1 0,0 0))'::geometry)`, "f", of("geometry", "bool", windings(false))),
		fn("ST_ShiftLongitude", "Takes negative longitudes to 180 to 360, and those above 180 to negative ones.", asText(`ST_ShiftLongitude('POINT(-10 0)'::geometry)`), "POINT(350 0)",
			of("geometry", "geometry", edited(func(g *geom.Geometry, _ []types.Datum) *geom.Geometry {
				return g.Map(func(p []float64) {
					if p[0] < 0 {
						p[0] += 360
					} else if p[0] > 180 {
						p[0] -= 360
					}
				})
			}))),
	}
}
