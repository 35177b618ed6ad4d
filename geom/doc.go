// Package geom holds shapes on the plane and on the WGS 84 ellipsoid: the
// Geometry type, its text and binary forms, distances and predicates. Every form
// and every result is meant to be what PostGIS gives; where it is not, the
// function says so.
//
// Coordinates are always in the order x, y or longitude, latitude. Names end in
// their unit: Deg degrees, Rad radians, M metres, M2 square metres; Planar
// functions compute in the unit of the coordinates. A Geometry never changes once
// made, so it may be shared between goroutines.
//
// The package knows no SQL: errors are the sentinels of errors.go, and it does not
// compare SRIDs, which is the caller's duty (SameSRID).
package geom
