package tiles

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// MaxZoom is the deepest zoom that is computed: a tile of it is 4 cm wide.
const MaxZoom = 30

// ErrAddress is the error of a text that is no tile address.
var ErrAddress = errors.New("not a tile address z/x/y")

// Tile is the address of a tile: X counts from -180 degrees to the east, Y from the
// north to the south, both below 2^Z.
type Tile struct{ Z, X, Y int }

// String writes t as z/x/y.
func (t Tile) String() string { return string(t.Append(nil)) }

// Append writes t as z/x/y behind dst.
func (t Tile) Append(dst []byte) []byte {
	dst = strconv.AppendInt(dst, int64(t.Z), 10)
	dst = strconv.AppendInt(append(dst, '/'), int64(t.X), 10)
	return strconv.AppendInt(append(dst, '/'), int64(t.Y), 10)
}

// Parent returns the tile of a lower zoom that t lies in.
func (t Tile) Parent(z int) Tile {
	if z >= t.Z {
		return t
	}
	return Tile{Z: z, X: t.X >> (t.Z - z), Y: t.Y >> (t.Z - z)}
}

// Parse reads z/x/y and refuses what lies outside the grid.
func Parse(s string) (Tile, error) {
	parts := strings.Split(s, "/")
	if len(parts) != 3 {
		return Tile{}, fmt.Errorf("%w: %q", ErrAddress, s)
	}
	var n [3]int
	for i, p := range parts {
		v, err := strconv.Atoi(p)
		if err != nil || v < 0 {
			return Tile{}, fmt.Errorf("%w: %q", ErrAddress, s)
		}
		n[i] = v
	}
	if n[0] > MaxZoom || n[1] >= 1<<n[0] || n[2] >= 1<<n[0] {
		return Tile{}, fmt.Errorf("%w: %q lies outside the grid", ErrAddress, s)
	}
	return Tile{Z: n[0], X: n[1], Y: n[2]}, nil
}
