package geom

import "fmt"

const geohashDigits = "0123456789bcdefghjkmnpqrstuvwxyz"

// MaxGeoHashChars is the length of the longest geohash PostGIS makes by itself.
const MaxGeoHashChars = 20

// GeoHash is the geohash of a place with chars characters. A place on an edge belongs to
// the cell east and north of it, except at longitude 180 and latitude 90.
func GeoHash(lonDeg, latDeg float64, chars int) string {
	lo, hi := [2]float64{-180, -90}, [2]float64{180, 90}
	v := [2]float64{lonDeg, latDeg}
	out := make([]byte, 0, max(chars, 0))
	axis := 0
	for range chars {
		digit := 0
		for range 5 {
			digit <<= 1
			if mid := (lo[axis] + hi[axis]) / 2; v[axis] >= mid {
				digit |= 1
				lo[axis] = mid
			} else {
				hi[axis] = mid
			}
			axis ^= 1
		}
		out = append(out, geohashDigits[digit])
	}
	return string(out)
}

// GeoHashOf is ST_GeoHash: the geohash of the middle of g's box, with maxChars
// characters, or, when that is not positive, with as many as name a cell that holds the
// whole box. "" for an empty geometry.
func GeoHashOf(g *Geometry, maxChars int) (string, error) {
	b, ok := g.Box()
	if !ok {
		return "", nil
	}
	if !World.Contains(b) {
		return "", fmt.Errorf("Geohash requires inputs in decimal degrees, got (%g %g, %g %g).", b.MinX, b.MinY, b.MaxX, b.MaxY)
	}
	if maxChars <= 0 {
		maxChars = geohashChars(b)
	}
	return GeoHash(b.MinX+(b.MaxX-b.MinX)/2, b.MinY+(b.MaxY-b.MinY)/2, maxChars), nil
}

// geohashChars is the number of characters whose cell holds the whole box.
func geohashChars(b Box) int {
	if b.MinX == b.MaxX && b.MinY == b.MaxY {
		return MaxGeoHashChars
	}
	cell, bits := World, 0
	for lon := true; ; lon = !lon {
		lo, hi, min, max := &cell.MinX, &cell.MaxX, b.MinX, b.MaxX
		if !lon {
			lo, hi, min, max = &cell.MinY, &cell.MaxY, b.MinY, b.MaxY
		}
		switch mid := (*lo + *hi) / 2; {
		case min > mid:
			*lo = mid
		case max < mid:
			*hi = mid
		default:
			return bits / 5
		}
		bits++
	}
}
