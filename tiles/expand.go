package tiles

import (
	"errors"
	"fmt"
	"math"
)

// Options say which tiles an extent dirties.
type Options struct {
	// MinZoom and MaxZoom are the zooms listed, 0 to MaxZoom.
	MinZoom, MaxZoom int
	// Buffer widens an extent on all sides by this part of a tile at each zoom: what the
	// renderer draws beyond a tile's edge, 256 of 4096 being 0.0625. As the same part is
	// wider on the ground at a lower zoom, parents of deep tiles are not enough.
	Buffer float64
	// Metatile widens the list to whole blocks of Metatile × Metatile tiles; 0 and 1 to none.
	Metatile int
	// NoWrap keeps the buffer from going over the antimeridian.
	NoWrap bool
	// RFC7946 reads a west beyond the east as an extent across the antimeridian.
	RFC7946 bool
	// ClampLatitude gives an extent wholly beyond the latitudes of the grid the row of
	// tiles at its edge, instead of no tile.
	ClampLatitude bool
}

// What makes options meaningless.
var (
	ErrZoom     = errors.New("zoom is out of range")
	ErrBuffer   = errors.New("buffer is not a part of a tile")
	ErrMetatile = errors.New("size of metatiles is out of range")
)

// Validate reports every fault of o.
func (o Options) Validate() error {
	var errs []error
	if o.MinZoom < 0 || o.MaxZoom > MaxZoom || o.MinZoom > o.MaxZoom {
		errs = append(errs, fmt.Errorf("%w: %d to %d, a range within 0 to %d is needed", ErrZoom, o.MinZoom, o.MaxZoom, MaxZoom))
	}
	if !(o.Buffer >= 0) || math.IsInf(o.Buffer, 1) {
		errs = append(errs, fmt.Errorf("%w: %v, a finite number from 0 is needed", ErrBuffer, o.Buffer))
	}
	if o.Metatile < 0 {
		errs = append(errs, fmt.Errorf("%w: %d, a number from 1 is needed", ErrMetatile, o.Metatile))
	}
	return errors.Join(errs...)
}

// Range is a rectangle of tiles of one zoom, its ends inside.
type Range struct{ Z, MinX, MinY, MaxX, MaxY int }

// Count is the number of tiles of r.
func (r Range) Count() int64 { return int64(r.MaxX-r.MinX+1) * int64(r.MaxY-r.MinY+1) }

// ranges lists the tiles of one zoom that p touches: at most two rectangles, which may
// overlap once widened to metatiles.
func (p part) ranges(z int, o Options) []Range {
	n := 1 << z
	size := float64(n)
	slack := tolerance * size
	y0, y1, ok := columns(p.v0*size-o.Buffer-slack, p.v1*size+o.Buffer+slack, n)
	if !ok {
		return nil
	}
	west, east := p.u0*size, p.u1*size
	var spans [][2]int
	if low, high := west-o.Buffer-slack, east+o.Buffer+slack; o.Buffer > 0 && !o.NoWrap && high-low >= size {
		spans = [][2]int{{0, n - 1}}
	} else {
		if a, b, ok := columns(low, high, n); ok {
			spans = append(spans, [2]int{a, b})
		}
		if o.Buffer > 0 && !o.NoWrap {
			if low < 0 { // over -180, into the last columns
				if a, b, ok := columns(low+size, size, n); ok {
					spans = append(spans, [2]int{a, b})
				}
			}
			if high > size {
				if a, b, ok := columns(0, high-size, n); ok {
					spans = append(spans, [2]int{a, b})
				}
			}
		}
	}
	out := make([]Range, 0, len(spans))
	for _, s := range spans {
		r := Range{Z: z, MinX: s[0], MinY: y0, MaxX: s[1], MaxY: y1}
		if m := min(o.Metatile, n); m > 1 {
			r.MinX, r.MinY = r.MinX-r.MinX%m, r.MinY-r.MinY%m
			r.MaxX, r.MaxY = min(r.MaxX-r.MaxX%m+m, n)-1, min(r.MaxY-r.MaxY%m+m, n)-1
		}
		out = append(out, r)
	}
	return out
}

// columns are the closed unit intervals of 0 to n that share a point with [low, high].
func columns(low, high float64, n int) (int, int, bool) {
	a, b := max(math.Ceil(low-1), 0), min(math.Floor(high), float64(n-1))
	return int(a), int(b), a <= b
}

// Ranges lists, by zoom, rectangles that together are the tiles e dirties. They may
// overlap.
func (o Options) Ranges(e Extent) ([]Range, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	parts, err := e.parts(o)
	if err != nil {
		return nil, err
	}
	var out []Range
	for z := o.MinZoom; z <= o.MaxZoom; z++ {
		for _, p := range parts {
			out = append(out, p.ranges(z, o)...)
		}
	}
	return out, nil
}

// Expand gives the tiles that extents dirty, each once.
func (o Options) Expand(extents ...Extent) (*Set, error) {
	s := &Set{}
	for _, e := range extents {
		ranges, err := o.Ranges(e)
		if err != nil {
			return nil, err
		}
		for _, r := range ranges {
			s.Add(r)
		}
	}
	return s, nil
}
