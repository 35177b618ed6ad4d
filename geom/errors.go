package geom

import (
	"errors"
	"fmt"
)

// Sentinels that errors of this package wrap.
var (
	// ErrParse is any text or bytes that are no geometry.
	ErrParse = errors.New("parse error - invalid geometry")
	// ErrUnsupported is a geometry type PostGIS knows and this package does not:
	// curves, triangles and polyhedral surfaces.
	ErrUnsupported = errors.New("unsupported geometry type")
	// ErrMixedSRID is an operation on two coordinate systems.
	ErrMixedSRID = errors.New("operation on mixed SRID geometries")
	// ErrNegativeTolerance is a negative distance given to PlanarDWithin.
	ErrNegativeTolerance = errors.New("Tolerance cannot be less than zero")
	// ErrTopology is a predicate or an overlay that cannot be computed for its input.
	ErrTopology = errors.New("topology error")
	// ErrTooLarge is a shape of more positions than a construction takes.
	ErrTooLarge = errors.New("shape is too large")
)

// ParseError tells why an input is no geometry, in PostGIS's words.
type ParseError struct {
	Msg  string
	Hint string // "" for none
	// Pos is the position PostGIS names in its hint, which counts numbers one too long; -1
	// when the form has no positions.
	Pos int
	err error // sentinel
}

// Error implements error.
func (e *ParseError) Error() string { return e.Msg }

// Unwrap makes errors.Is see the sentinel.
func (e *ParseError) Unwrap() error { return e.err }

// parseErrorf makes a ParseError without a position.
func parseErrorf(format string, args ...any) *ParseError {
	return &ParseError{Msg: fmt.Sprintf(format, args...), Pos: -1, err: ErrParse}
}
