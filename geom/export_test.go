package geom

import "github.com/golang/geo/s2"

// pointBetween is the point a fraction of the way from p to q along their arc.
func pointBetween(p, q s2.Point, fraction float64) s2.Point { return s2.Interpolate(fraction, p, q) }
