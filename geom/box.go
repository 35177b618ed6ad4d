package geom

import "math"

// Box is an axis-parallel rectangle, its edges included. The zero Box is the point 0 0;
// EmptyBox is the box that holds nothing.
type Box struct{ MinX, MinY, MaxX, MaxY float64 }

// EmptyBox returns the box that holds nothing.
func EmptyBox() Box {
	return Box{MinX: math.Inf(1), MinY: math.Inf(1), MaxX: math.Inf(-1), MaxY: math.Inf(-1)}
}

// World is all longitudes and latitudes in degrees.
var World = Box{MinX: -180, MinY: -90, MaxX: 180, MaxY: 90}

// Empty reports whether b holds no point. A box with a NaN bound holds none.
func (b Box) Empty() bool { return !(b.MinX <= b.MaxX && b.MinY <= b.MaxY) }

// Intersects reports whether b and o have a point in common.
func (b Box) Intersects(o Box) bool {
	return b.MinX <= o.MaxX && o.MinX <= b.MaxX && b.MinY <= o.MaxY && o.MinY <= b.MaxY
}

// Contains reports whether o lies wholly in b, edges included. An empty o does not.
func (b Box) Contains(o Box) bool {
	return b.MinX <= o.MinX && o.MaxX <= b.MaxX && b.MinY <= o.MinY && o.MaxY <= b.MaxY && !o.Empty()
}

// ContainsPoint reports whether x y lies in b, edges included.
func (b Box) ContainsPoint(x, y float64) bool {
	return b.MinX <= x && x <= b.MaxX && b.MinY <= y && y <= b.MaxY
}

// Extend returns the smallest box that holds b and o.
func (b Box) Extend(o Box) Box {
	if o.Empty() {
		return b
	}
	if b.Empty() {
		return o
	}
	return Box{
		MinX: min(b.MinX, o.MinX), MinY: min(b.MinY, o.MinY),
		MaxX: max(b.MaxX, o.MaxX), MaxY: max(b.MaxY, o.MaxY),
	}
}

// ExtendPoint returns the smallest box that holds b and x y. A NaN coordinate is left out,
// as PostGIS does.
func (b Box) ExtendPoint(x, y float64) Box {
	if x < b.MinX {
		b.MinX = x
	}
	if x > b.MaxX {
		b.MaxX = x
	}
	if y < b.MinY {
		b.MinY = y
	}
	if y > b.MaxY {
		b.MaxY = y
	}
	return b
}

// Expand returns b grown by dx on its left and right and dy below and above.
func (b Box) Expand(dx, dy float64) Box {
	return Box{MinX: b.MinX - dx, MinY: b.MinY - dy, MaxX: b.MaxX + dx, MaxY: b.MaxY + dy}
}
