package geom

import (
	"fmt"
	"math"
)

// webMercatorEdgeM is half the side of the square of Web Mercator, in metres.
const webMercatorEdgeM = math.Pi * 6378137

// TileBounds are the square of the tile pyramid over bounds: zoom 0 is all of it, x goes
// right and y down. margin is a part of the tile's size added to each side, cut at bounds.
func TileBounds(zoom, x, y int, bounds Box, margin float64) (Box, error) {
	if zoom < 0 || zoom >= 32 {
		return Box{}, fmt.Errorf("ST_TileEnvelope: Invalid tile zoom value, %d", zoom)
	}
	if margin < -0.5 {
		return Box{}, fmt.Errorf("ST_TileEnvelope: Margin must not be less than -50%%, %f", margin)
	}
	last := int64(1)<<zoom - 1
	if int64(x) < 0 || int64(x) > last {
		return Box{}, fmt.Errorf("ST_TileEnvelope: Invalid tile x value, %d", x)
	}
	if int64(y) < 0 || int64(y) > last {
		return Box{}, fmt.Errorf("ST_TileEnvelope: Invalid tile y value, %d", y)
	}
	n := float64(last + 1)
	w, h := (bounds.MaxX-bounds.MinX)/n, (bounds.MaxY-bounds.MinY)/n
	low, high := margin, margin
	out := Box{
		MinX: bounds.MinX + w*(float64(x)-low), MaxX: bounds.MinX + w*(float64(x)+1+high),
		MinY: bounds.MaxY - h*(float64(y)+1+high), MaxY: bounds.MaxY - h*(float64(y)-low),
	}
	out.MinY, out.MaxY = max(out.MinY, bounds.MinY), min(out.MaxY, bounds.MaxY)
	if 1+margin*2 > n { // wider than the world
		out.MinX, out.MaxX = bounds.MinX, bounds.MaxX
	}
	return out, nil
}

// WebMercatorBounds are the bounds of Web Mercator's tile pyramid.
var WebMercatorBounds = Box{MinX: -webMercatorEdgeM, MinY: -webMercatorEdgeM, MaxX: webMercatorEdgeM, MaxY: webMercatorEdgeM}

// MVTGeometry takes g into the grid of a tile: extent cells a side over bounds, y down,
// cut at buffer cells beyond the edge when clip is set. Areas are made valid. nil when
// nothing is left of it.
func MVTGeometry(g *Geometry, bounds Box, extent, buffer int, clip bool) (*Geometry, error) {
	w, h := bounds.MaxX-bounds.MinX, bounds.MaxY-bounds.MinY
	switch {
	case !(w > 0) || !(h > 0):
		return nil, fmt.Errorf("mvt_geom: bounds width or height cannot be 0")
	case extent <= 0:
		return nil, fmt.Errorf("mvt_geom: extent cannot be 0")
	}
	if g.empty {
		return nil, nil
	}
	resX, resY := w/float64(extent), h/float64(extent)
	d := g.Dimension()
	if b, ok := g.Box(); d > 0 && g.kind != GeometryCollection && ok && b.MaxX-b.MinX < resX/2 && b.MaxY-b.MinY < resY/2 {
		return nil, nil
	}
	if err := checkFinite(g); err != nil {
		return nil, err
	}
	res := min(resX, resY) / 2
	g = Force(basicKind(g, d), XY)
	g = RemoveRepeatedPoints(g, res)
	if g = Simplify(g, res, d == 2); g == nil || g.empty {
		return nil, nil
	}
	fx, fy := float64(extent)/w, -float64(extent)/h
	xoff, yoff := -bounds.MinX*fx, -bounds.MaxY*fy
	g = g.Map(func(p []float64) { p[0], p[1] = p[0]*fx+xoff, p[1]*fy+yoff })
	grid := Grid{Size: [4]float64{1, 1}}
	if g = SnapToGrid(g, grid); g.empty {
		return nil, nil
	}
	frame := Box{MinX: float64(-buffer), MinY: float64(-buffer), MaxX: float64(extent + buffer), MaxY: float64(extent + buffer)}
	var err error
	if d == 2 {
		g, err = tileArea(g, frame, clip, grid)
	} else if clip {
		g, err = tileCut(g, frame, grid)
	}
	if err != nil || g == nil || g.empty {
		return nil, err
	}
	return g.WithSRID(0), nil
}

// basicKind keeps the parts of a collection that have its dimension.
func basicKind(g *Geometry, d int) *Geometry {
	if g.kind != GeometryCollection {
		return g
	}
	var parts []*Geometry
	for _, p := range g.leaves(nil) {
		if p.Dimension() == d && !p.empty {
			parts = append(parts, p)
		}
	}
	return NewCollection(MultiPoint+Kind(d), parts, g.dims, g.srid)
}

// tileCut cuts points and lines at the frame.
func tileCut(g *Geometry, frame Box, grid Grid) (*Geometry, error) {
	b, _ := g.Box()
	if frame.Contains(b) {
		return g, nil
	}
	if !frame.Intersects(b) {
		return nil, nil
	}
	cut := ClipToBox(g, frame)
	return SnapToGrid(cut, grid), nil
}

// tileArea cuts areas at the frame, on the grid, and makes them valid.
func tileArea(g *Geometry, frame Box, clip bool, grid Grid) (*Geometry, error) {
	b, _ := g.Box()
	if clip && !frame.Intersects(b) {
		return nil, nil
	}
	if clip && !frame.Contains(b) {
		g = ClipToBox(g, frame)
	}
	for range 5 {
		g = SnapToGrid(g, grid)
		if g.empty {
			return nil, nil
		}
		v, err := MakeValid(g)
		if err != nil {
			return nil, err
		}
		if g = areasOf(v); g == nil {
			return nil, nil
		}
		if onGrid(g) {
			break
		}
	}
	return woundForTiles(g), nil
}

func onGrid(g *Geometry) bool {
	return g.EachPositionOK(func(p []float64) bool { return p[0] == math.Trunc(p[0]) && p[1] == math.Trunc(p[1]) })
}

// EachPositionOK reports whether fn holds for every position.
func (g *Geometry) EachPositionOK(fn func(p []float64) bool) bool {
	ok := true
	g.EachPosition(func(p []float64) bool { ok = fn(p); return ok })
	return ok
}

// areasOf keeps the polygons of g.
func areasOf(g *Geometry) *Geometry {
	var parts []*Geometry
	for _, p := range g.leaves(nil) {
		if p.kind == Polygon && !p.empty {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return gather(parts, Polygon, parts[0].dims, g.srid)
}

// woundForTiles turns shells so that they run with the clock where y goes down, holes
// against it.
func woundForTiles(g *Geometry) *Geometry { return Wind(g, false) }

// Wind turns the shells of polygons with or against the clock and holes the other way.
func Wind(g *Geometry, clockwise bool) *Geometry {
	stride := g.dims.Stride()
	out := g.thin(func(c []float64, kind Kind, first bool) []float64 {
		if kind == Polygon {
			if a := twiceArea(c, stride); a != 0 && (a < 0) != (clockwise == first) {
				return reversed(c, stride)
			}
		}
		return c
	})
	if out == nil {
		return g
	}
	return out
}
