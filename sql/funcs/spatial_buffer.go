package funcs

import (
	"strconv"
	"strings"

	"raisind/geom"
	"raisind/sql/types"
)

// bufferStyle reads the parameters of ST_Buffer, such as 'quad_segs=8 endcap=flat'.
// right is set for side=right.
func bufferStyle(text string) (style geom.BufferStyle, right bool, err error) {
	style = geom.DefaultBuffer
	for word := range strings.SplitSeq(text, " ") {
		if word == "" {
			continue
		}
		key, value, ok := strings.Cut(word, "=")
		if !ok {
			return style, false, errPostGIS("Missing value for buffer parameter %s", key)
		}
		switch key {
		case "endcap":
			caps := map[string]geom.Cap{"round": geom.CapRound, "flat": geom.CapFlat, "butt": geom.CapFlat, "square": geom.CapSquare}
			if style.Cap, ok = caps[value]; !ok {
				return style, false, errPostGIS("Invalid buffer end cap style: %s (accept: 'round', 'flat', 'butt' or 'square')", value)
			}
		case "join":
			joins := map[string]geom.Join{"round": geom.JoinRound, "mitre": geom.JoinMitre, "miter": geom.JoinMitre, "bevel": geom.JoinBevel}
			if style.Join, ok = joins[value]; !ok {
				return style, false, errPostGIS("Invalid buffer end cap style: %s (accept: 'round', 'mitre', 'miter' or 'bevel')", value)
			}
		case "mitre_limit", "miter_limit":
			style.MitreLimit = leadingFloat(value)
		case "quad_segs":
			style.QuadSegments = int(leadingFloat(value))
		case "side":
			switch value {
			case "both":
				style.SingleSided = false
			case "left":
				style.SingleSided = true
			case "right":
				style.SingleSided, right = true, true
			default:
				return style, false, errPostGIS("Invalid side parameter: %s (accept: 'right', 'left', 'both')", value)
			}
		default:
			return style, false, errPostGIS("Invalid buffer parameter: %s (accept: 'endcap', 'join', 'mitre_limit', 'miter_limit', 'quad_segs' and 'side')", key)
		}
	}
	return style, right, nil
}

// leadingFloat reads what C's atof reads: a number in front, 0 without one.
func leadingFloat(s string) float64 {
	for n := len(s); n > 0; n-- {
		if v, err := strconv.ParseFloat(s[:n], 64); err == nil {
			return v
		}
	}
	return 0
}

// bufferOf is ST_Buffer in the plane; style is text, a number of segments or absent.
func bufferOf(fc *Ctx, g *geom.Geometry, distance float64, style types.Datum, isNumber bool) (*geom.Geometry, error) {
	text := style.Str()
	if isNumber {
		text = "quad_segs=" + strconv.FormatInt(style.Int(), 10)
	}
	s, right, err := bufferStyle(text)
	if err != nil {
		return nil, err
	}
	if right {
		distance = -distance
	}
	return working(fc, func() (*geom.Geometry, error) { return geom.Buffer(g, distance, s) }, g)
}

func buffer(number bool) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		style := types.Str("")
		if len(args) > 2 {
			style = args[2]
		}
		return geomResult(bufferOf(fc, args[0].Geom(), args[1].Float(), style, number && len(args) > 2))
	}
}

// bufferGeography computes metres in the plane of the system that suits the shape best,
// as PostGIS does.
func bufferGeography(number bool) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		style := types.Str("")
		if len(args) > 2 {
			style = args[2]
		}
		return inBestPlane(args, 1, func(g []*geom.Geometry) (*geom.Geometry, error) {
			return bufferOf(fc, g[0], args[1].Float(), style, number && len(args) > 2)
		})
	}
}

func bufferFuncs() []Func {
	return []Func{{
		Name: "ST_Buffer", Group: groupGeomOverlay, Volatility: Immutable,
		Doc: "Every point within a distance: units of the SRID for geometries, metres for geographies. " +
			"Parameters: quad_segs, endcap=round|flat|square, join=round|mitre|bevel, mitre_limit, side=both|left|right.",
		Overloads: []Overload{
			of("geom geometry,radius float8,options text default ''", "geometry", buffer(false)),
			of("geom geometry,radius float8,quadsegs int4", "geometry", buffer(true)),
			of("geography,float8", "geography", bufferGeography(false)),
			of("geography,float8,text", "geography", bufferGeography(false)),
			of("geography,float8,int4", "geography", bufferGeography(true)),
			of("text,float8", "geometry", parsed(buffer(false))),
			of("text,float8,text", "geometry", parsed(buffer(false))),
			of("text,float8,int4", "geometry", parsed(buffer(true))),
		},
		Examples: []Example{{`SELECT ST_NPoints(ST_Buffer('POINT(0 0)'::geometry, 1))`, "33"}},
	}}
}
