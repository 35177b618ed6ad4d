package spatialidx

import "raisind/geom"

// Placement is one place where a shape is stored at a precision: in a cell, or in the
// precision's wide list, which every scan of that precision reads too.
type Placement struct {
	Cell Cell
	Wide bool
}

// Place tells where g is stored at a precision.
//
// A point has its cell. Another shape is placed by its GeodesicBox, which holds it
// however its edges are read: under Centroid in the one cell that holds the whole box,
// under Extent in all cells over the box, at most MaxCoverCells; where that is not to be
// had, and where g leaves the world or is not finite, in the wide list. So whatever the
// cover, a scan of all cells that hold any place of g, and the wide list, finds g. An
// empty shape has no place.
func Place(g *geom.Geometry, precision int, kind CoverKind) []Placement {
	return AppendPlacements(nil, g, precision, kind)
}

// AppendPlacements is Place into dst.
func AppendPlacements(dst []Placement, g *geom.Geometry, precision int, kind CoverKind) []Placement {
	if g.IsEmpty() {
		return dst
	}
	if p, ok := g.LonLat(); ok {
		if !p.Valid() {
			return append(dst, Placement{Wide: true})
		}
		return append(dst, Placement{Cell: CellAt(p, precision)})
	}
	box, ok := geom.GeodesicBox(g)
	if !ok {
		return append(dst, Placement{Wide: true})
	}
	return appendBox(dst, box, precision, kind)
}

// appendBox places a box within the world.
func appendBox(dst []Placement, box geom.Box, precision int, kind CoverKind) []Placement {
	grid := gridOf(precision)
	left, right := grid.columnAt(box.MinX), grid.columnAt(box.MaxX)
	bottom, top := grid.rowAt(box.MinY), grid.rowAt(box.MaxY)
	// What touches the antimeridian or a pole is at several cells' edges at once: circles
	// cover all of them, so the cell the coordinates name is enough.
	if left == right && bottom == top {
		return append(dst, Placement{Cell: cellOf(left, bottom, precision)})
	}
	if kind == Centroid || (right-left+1)*(top-bottom+1) > MaxCoverCells {
		return append(dst, Placement{Wide: true})
	}
	for r := bottom; r <= top; r++ {
		for c := left; c <= right; c++ {
			dst = append(dst, Placement{Cell: cellOf(c, r, precision)})
		}
	}
	return dst
}
