package tiles

import (
	"iter"
	"slices"
)

// Set is a union of rectangles of tiles. It keeps the rectangles: counting and listing
// sweep over them, so that the whole world at zoom 20 costs no more than one tile. The
// zero value is empty. A Set must not be changed while it is listed.
type Set struct {
	byZoom [MaxZoom + 1]map[Range]struct{}
}

// Add puts the tiles of r into s. It panics when r is not a rectangle of the grid, as
// those of Ranges are.
func (s *Set) Add(r Range) {
	if n := 1 << r.Z; r.MinX < 0 || r.MinY < 0 || r.MaxX >= n || r.MaxY >= n || r.MinX > r.MaxX || r.MinY > r.MaxY {
		panic("tiles: a range outside the grid")
	}
	if s.byZoom[r.Z] == nil {
		s.byZoom[r.Z] = map[Range]struct{}{}
	}
	s.byZoom[r.Z][r] = struct{}{}
}

// AddTile puts one tile into s.
func (s *Set) AddTile(t Tile) { s.Add(Range{Z: t.Z, MinX: t.X, MinY: t.Y, MaxX: t.X, MaxY: t.Y}) }

// Union puts the tiles of o into s.
func (s *Set) Union(o *Set) {
	for _, zoom := range o.byZoom {
		for r := range zoom {
			s.Add(r)
		}
	}
}

// Rectangles yields disjoint rectangles that are the tiles of one zoom, by MinX, then
// MinY; those with one MinX have one MaxX.
func (s *Set) Rectangles(z int) iter.Seq[Range] {
	return func(yield func(Range) bool) {
		if z < 0 || z > MaxZoom || len(s.byZoom[z]) == 0 {
			return
		}
		todo := make([]Range, 0, len(s.byZoom[z]))
		for r := range s.byZoom[z] {
			todo = append(todo, r)
		}
		slices.SortFunc(todo, func(a, b Range) int { return a.MinX - b.MinX })
		var active []Range // those at the column of the sweep, by MinY
		for x := 0; len(todo) > 0 || len(active) > 0; {
			if len(active) == 0 {
				x = todo[0].MinX
			}
			for ; len(todo) > 0 && todo[0].MinX <= x; todo = todo[1:] {
				i, _ := slices.BinarySearchFunc(active, todo[0], func(a, b Range) int { return a.MinY - b.MinY })
				active = slices.Insert(active, i, todo[0])
			}
			// Up to end nothing comes and nothing goes.
			end := active[0].MaxX
			for _, r := range active {
				end = min(end, r.MaxX)
			}
			if len(todo) > 0 {
				end = min(end, todo[0].MinX-1)
			}
			run := Range{Z: z, MinX: x, MaxX: end, MinY: active[0].MinY, MaxY: active[0].MaxY}
			for _, r := range active[1:] {
				if r.MinY <= run.MaxY+1 {
					run.MaxY = max(run.MaxY, r.MaxY)
					continue
				}
				if !yield(run) {
					return
				}
				run.MinY, run.MaxY = r.MinY, r.MaxY
			}
			if !yield(run) {
				return
			}
			active = slices.DeleteFunc(active, func(r Range) bool { return r.MaxX <= end })
			x = end + 1
		}
	}
}

// CountZoom is the number of tiles of one zoom. Nothing is listed for it.
func (s *Set) CountZoom(z int) int64 {
	n := int64(0)
	for r := range s.Rectangles(z) {
		n += r.Count()
	}
	return n
}

// Count is the number of tiles of s. At most the 1.5e18 of a whole grid, it never
// overflows.
func (s *Set) Count() int64 {
	n := int64(0)
	for z := range s.byZoom {
		n += s.CountZoom(z)
	}
	return n
}

// Zoom yields the tiles of one zoom by X, then Y, each once.
func (s *Set) Zoom(z int) iter.Seq[Tile] {
	return func(yield func(Tile) bool) {
		var column []Range // rectangles over the same columns
		flush := func() bool {
			if len(column) == 0 {
				return true
			}
			for x := column[0].MinX; x <= column[0].MaxX; x++ {
				for _, r := range column {
					for y := r.MinY; y <= r.MaxY; y++ {
						if !yield(Tile{Z: z, X: x, Y: y}) {
							return false
						}
					}
				}
			}
			return true
		}
		for r := range s.Rectangles(z) {
			if len(column) > 0 && column[0].MinX != r.MinX {
				if !flush() {
					return
				}
				column = column[:0]
			}
			column = append(column, r)
		}
		flush()
	}
}

// All yields the tiles of s by zoom, X and Y, each once.
func (s *Set) All() iter.Seq[Tile] {
	return func(yield func(Tile) bool) {
		for z := range s.byZoom {
			for t := range s.Zoom(z) {
				if !yield(t) {
					return
				}
			}
		}
	}
}

// Has reports whether t is in s.
func (s *Set) Has(t Tile) bool {
	if t.Z < 0 || t.Z > MaxZoom {
		return false
	}
	for r := range s.byZoom[t.Z] {
		if t.X >= r.MinX && t.X <= r.MaxX && t.Y >= r.MinY && t.Y <= r.MaxY {
			return true
		}
	}
	return false
}
