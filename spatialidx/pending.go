package spatialidx

import (
	"errors"

	"raisind/geom"
)

type Cell uint64

const (
	MaxPrecision  = 12
	MaxScanCells  = 1024
	MaxCoverCells = 32
)

var DefaultPrecisions = []int{11, 10, 9, 8, 7, 6, 4, 2}

func CellAt(p geom.LonLat, precision int) Cell { return 0 }
func (c Cell) String(precision int) string     { return "" }
func ParseCell(s string) (Cell, int, error)    { return 0, 0, nil }
func (c Cell) Bounds(precision int) geom.Box   { return geom.Box{} }

// Range is an inclusive run of cells of one precision.
type Range struct{ First, Last Cell }

type Cover struct {
	Precision int
	Ranges    []Range
	Cells     int
	AreaKm2   float64
}

func CoverCircle(center geom.LonLat, radiusM float64, precision, maxCells int) (Cover, int, bool) {
	return Cover{}, 0, false
}
func CoverBox(b geom.Box, precision, maxCells int) (Cover, int, bool) { return Cover{}, 0, false }
func WholeWorld(precision int) Cover                                  { return Cover{} }

type CoverKind uint8

const (
	Centroid CoverKind = iota
	Extent
)

func (k CoverKind) String() string               { return "Centroid" }
func ParseCoverKind(s string) (CoverKind, error) { return 0, nil }

var (
	ErrNoPrecision        = errors.New("a spatial index needs at least one precision")
	ErrPrecisionRange     = errors.New("precision is out of range")
	ErrPrecisionDuplicate = errors.New("precision is given twice")
	ErrPrecisionTooFine   = errors.New("the coarsest precision must be 6 or coarser")
	ErrEntryFormat        = errors.New("malformed index entry")
	ErrCoverKind          = errors.New("unknown cover")
	ErrCellText           = errors.New("malformed geohash")
)

type Policy struct {
	Precisions []int // finest first
	Cover      CoverKind
}

func DefaultPolicy() Policy            { return Policy{} }
func (p Policy) Validate() error       { return nil }
func (p Policy) Normalize() Policy     { return p }
func (p Policy) String() string        { return "" }
func FormatPrecisions(ps []int) string { return "" }

type Placement struct {
	Cell Cell
	Wide bool
}

func Place(g *geom.Geometry, precision int, kind CoverKind) []Placement { return nil }

// AppendPlacements is Place into dst.
func AppendPlacements(dst []Placement, g *geom.Geometry, precision int, kind CoverKind) []Placement {
	return dst
}

type Entry struct {
	Point bool
	P     geom.LonLat
	Box   geom.Box
}

func EncodeEntry(dst []byte, g *geom.Geometry) []byte { return dst }
func DecodeEntry(b []byte) (Entry, error)             { return Entry{}, nil }

// MinDistanceM is a lower bound of the geodesic distance from center to the shape.
func (e Entry) MinDistanceM(center geom.LonLat) float64 { return 0 }
