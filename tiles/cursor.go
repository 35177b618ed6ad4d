package tiles

import "slices"

// Cursor lists the tiles of a set one by one, in the order of Set.All, for callers that
// may give up without a word. It holds disjoint rectangles of one zoom and no tile.
type Cursor struct {
	set    *Set
	zoom   int     // the next zoom to open
	todo   []Range // rectangles of the open zoom, those of the present columns first
	column int     // how many rectangles share the present columns
	i      int     // the rectangle of the present tile
	x, y   int     // the next tile
}

// Cursor begins a list of the tiles of s.
func (s *Set) Cursor() *Cursor { return &Cursor{set: s} }

// Next returns the next tile; ok is false behind the last.
func (c *Cursor) Next() (t Tile, ok bool) {
	for {
		switch {
		case c.i < c.column && c.y <= c.todo[c.i].MaxY:
			t := Tile{Z: c.todo[c.i].Z, X: c.x, Y: c.y}
			c.y++
			return t, true
		case c.i+1 < c.column: // the next rectangle below
			c.i++
			c.y = c.todo[c.i].MinY
		case c.column > 0 && c.x < c.todo[0].MaxX: // the next column
			c.x++
			c.i, c.y = 0, c.todo[0].MinY
		case c.column < len(c.todo): // the next rectangles to the east
			c.open(c.todo[c.column:])
		case c.zoom <= MaxZoom:
			c.open(slices.Collect(c.set.Rectangles(c.zoom)))
			c.zoom++
		default:
			return Tile{}, false
		}
	}
}

func (c *Cursor) open(todo []Range) {
	c.todo, c.column, c.i = todo, 0, 0
	if len(todo) == 0 {
		return
	}
	for c.column < len(todo) && todo[c.column].MinX == todo[0].MinX {
		c.column++
	}
	c.x, c.y = todo[0].MinX, todo[0].MinY
}
