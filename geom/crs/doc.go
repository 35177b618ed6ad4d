// Package crs knows spatial reference systems and computes positions from one to
// another. A system is read from its proj4 text; what is in the table of systems was
// taken from EPSG's registry and compared with PROJ 9.1, system by system. Shifts
// between datums are the seven parameters of EPSG's registry; no grid files are read, so
// systems whose best shift is a grid agree with PROJ without its grids.
//
// Angles are radians where a name does not say degrees. A position is easting before
// northing and longitude before latitude, whatever the order of the registry's axes.
package crs
