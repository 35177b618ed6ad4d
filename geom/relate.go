package geom

import (
	"fmt"

	sf "github.com/peterstace/simplefeatures/geom"
)

// Relate returns the DE-9IM matrix of a and b, nine characters of F, 0, 1 and 2.
func Relate(a, b *Geometry) (string, error) {
	if err := checkBoth(a, b); err != nil {
		return "", err
	}
	if a.odd() || b.odd() {
		return relateApart(a, b), nil
	}
	m, err := guard(func() (string, error) { return sf.Relate(a.SF(), b.SF()) })
	if err != nil || len(m) != 9 {
		return m, err
	}
	// simplefeatures v0.59 sees no end of a multiline outside the other geometry when
	// several lines end in one point; these two entries are set anew.
	fixed := []byte(m)
	fixed[5] = endsOutside(a, b, m[5])
	fixed[7] = endsOutside(b, a, m[7])
	return string(fixed), nil
}

// endsOutside is the entry for the boundary of lines and the exterior of another
// geometry; of anything but lines it is as found.
func endsOutside(lines, other *Geometry, found byte) byte {
	if lines.empty || lines.kind != LineString && lines.kind != MultiLineString || other.kind == GeometryCollection {
		return found
	}
	parts := []*Geometry{lines}
	if lines.kind == MultiLineString {
		parts = lines.s.parts
	}
	ends := map[[2]float64]int{}
	for _, l := range parts {
		if c := l.s.coords; len(c) > 0 {
			last := len(c) - l.dims.Stride()
			ends[[2]float64{c[0] + 0, c[1] + 0}]++
			ends[[2]float64{c[last] + 0, c[last+1] + 0}]++
		}
	}
	for end, n := range ends {
		if n%2 == 1 && (other.empty || other.locate(end[0], end[1]) == exterior) {
			return '0'
		}
	}
	return 'F'
}

// relateApart is the matrix of geometries that do not meet.
func relateApart(a, b *Geometry) string {
	const dims = "012"
	m := []byte("FFFFFFFF2")
	set := func(g *Geometry, interior, boundary int) {
		if g.empty {
			return
		}
		d := g.Dimension()
		m[interior] = dims[d]
		if d > 0 {
			m[boundary] = dims[d-1]
		}
	}
	set(a, 2, 5)
	set(b, 6, 7)
	return string(m)
}

// relateAny reports whether the matrix of a and b matches one of patterns.
func relateAny(a, b *Geometry, patterns ...string) (bool, error) {
	m, err := Relate(a, b)
	if err != nil {
		return false, err
	}
	return matchesAny(m, patterns...), nil
}

func matchesAny(matrix string, patterns ...string) bool {
	for _, p := range patterns {
		if RelateMatches(matrix, p) {
			return true
		}
	}
	return false
}

// RelateMatches reports whether a DE-9IM matrix matches a pattern of T, F, 0, 1, 2 and *.
// Anything else matches nothing.
func RelateMatches(matrix, pattern string) bool {
	if len(matrix) != 9 || len(pattern) != 9 {
		return false
	}
	for i := range 9 {
		m := matrix[i]
		switch p := pattern[i]; p {
		case '*':
		case 'T':
			if m < '0' || m > '2' {
				return false
			}
		case 'F', '0', '1', '2':
			if m != p {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// guard runs a computation of simplefeatures; what it panics with becomes an error.
func guard[T any](f func() (T, error)) (v T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", ErrTopology, r)
		}
	}()
	if v, err = f(); err != nil {
		err = fmt.Errorf("%w: %w", ErrTopology, err)
	}
	return v, err
}

// checkTopology returns an error for what predicates cannot make sense of: lines of one
// point and open rings.
func checkTopology(g *Geometry) error {
	if g.kind == Point || g.s.derived.sound.Load() {
		return nil
	}
	if err := CheckStructure(g); err != nil {
		return fmt.Errorf("%w: %w", ErrTopology, err)
	}
	g.s.derived.sound.Store(true)
	return nil
}

func checkBoth(a, b *Geometry) error {
	if err := checkTopology(a); err != nil {
		return err
	}
	return checkTopology(b)
}
