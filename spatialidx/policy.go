package spatialidx

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// DefaultPrecisions is what an index has when nobody said otherwise, finest first.
var DefaultPrecisions = []int{11, 10, 9, 8, 7, 6, 4, 2}

// CoarsestAtMost is the finest precision that may be the coarsest of a policy: a finer
// one alone would leave no index for ordinary radii.
const CoarsestAtMost = 6

// What Policy.Validate and ParseCoverKind find wrong.
var (
	ErrNoPrecision        = errors.New("a spatial index needs at least one precision")
	ErrPrecisionRange     = errors.New("a geohash precision lies between 1 and 12")
	ErrPrecisionDuplicate = errors.New("a precision may be given only once")
	ErrPrecisionTooFine   = errors.New("the coarsest precision must be 6 or coarser")
	ErrCoverKind          = errors.New("a cover is CENTROID or EXTENT")
)

// CoverKind tells how stored shapes other than points are placed.
type CoverKind uint8

// The two covers; Place has the details.
const (
	Centroid CoverKind = iota // one cell
	Extent                    // all cells over the box
)

// String returns the cover as SHOW prints it.
func (k CoverKind) String() string {
	if k == Extent {
		return "Extent"
	}
	return "Centroid"
}

// ParseCoverKind reads a cover in any case.
func ParseCoverKind(s string) (CoverKind, error) {
	switch {
	case strings.EqualFold(s, "centroid"):
		return Centroid, nil
	case strings.EqualFold(s, "extent"):
		return Extent, nil
	}
	return 0, fmt.Errorf("cover %q: %w", s, ErrCoverKind)
}

// Policy is how one property is indexed.
type Policy struct {
	Precisions []int // finest first
	Cover      CoverKind
}

// DefaultPolicy returns DefaultPrecisions and Centroid.
func DefaultPolicy() Policy {
	return Policy{Precisions: slices.Clone(DefaultPrecisions), Cover: Centroid}
}

// Validate reports the first thing wrong with p, wrapping one of the sentinels above.
// The order of the precisions does not matter.
func (p Policy) Validate() error {
	if len(p.Precisions) == 0 {
		return ErrNoPrecision
	}
	seen := 0
	for _, n := range p.Precisions {
		switch {
		case n < 1 || n > MaxPrecision:
			return fmt.Errorf("precision %d is out of range: %w", n, ErrPrecisionRange)
		case seen&(1<<n) != 0:
			return fmt.Errorf("precision %d is given twice: %w", n, ErrPrecisionDuplicate)
		}
		seen |= 1 << n
	}
	if c := slices.Min(p.Precisions); c > CoarsestAtMost {
		return fmt.Errorf("coarsest precision %d is too fine: %w", c, ErrPrecisionTooFine)
	}
	if p.Cover > Extent {
		return fmt.Errorf("cover %d: %w", p.Cover, ErrCoverKind)
	}
	return nil
}

// Normalize returns p with its precisions finest first and free of duplicates, in a slice
// of its own.
func (p Policy) Normalize() Policy {
	ps := slices.Clone(p.Precisions)
	slices.SortFunc(ps, func(a, b int) int { return b - a })
	p.Precisions = slices.Compact(ps)
	return p
}

// String returns the precisions as SHOW prints them: (8, 6).
func (p Policy) String() string { return FormatPrecisions(p.Precisions) }

// FormatPrecisions writes precisions as (8, 6), in the order given.
func FormatPrecisions(precisions []int) string {
	b := []byte{'('}
	for i, n := range precisions {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return string(append(b, ')'))
}
