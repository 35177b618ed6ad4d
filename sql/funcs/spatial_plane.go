package funcs

import (
	"fmt"
	"math"

	"raisind/geom"
	"raisind/geom/crs"
	"raisind/sql/types"
)

// The numbers of PostGIS for plane systems that serve geographies: UTM zones, polar and
// local Lambert azimuthal systems, and Mercator for what is too wide.
const (
	planeMercator  = 999000
	planeNorthUTM  = 999001
	planeNorthPole = 999061
	planeSouthUTM  = 999101
	planeSouthPole = 999161
	planeLocal     = 999163
	planeLast      = 999283
)

// planeFrame is one of those systems, nil for other numbers.
func planeFrame(srid int32) *crs.Frame {
	if srid < planeMercator || srid > planeLast {
		return nil
	}
	var text string
	switch {
	case srid == planeMercator:
		text = "+proj=merc +datum=WGS84"
	case srid < planeNorthPole:
		text = fmt.Sprintf("+proj=utm +zone=%d +datum=WGS84", srid-planeNorthUTM+1)
	case srid == planeNorthPole:
		text = "+proj=laea +lat_0=90 +lon_0=-40 +datum=WGS84"
	case srid >= planeSouthUTM && srid < planeSouthPole:
		text = fmt.Sprintf("+proj=utm +zone=%d +south +datum=WGS84", srid-planeSouthUTM+1)
	case srid == planeSouthPole:
		text = "+proj=laea +lat_0=-90 +lon_0=0 +datum=WGS84"
	case srid >= planeLocal:
		zone := int(srid - planeLocal)
		x, y := zone%20, zone/20
		lat := 30*float64(y-3) + 15
		lon := -180.0
		switch y {
		case 2, 3:
			lon = 30*float64(x-6) + 15
		case 1, 4:
			lon = 45*float64(x-4) + 22.5
		case 0, 5:
			lon = 90*float64(x-2) + 45
		}
		text = fmt.Sprintf("+proj=laea +ellps=WGS84 +datum=WGS84 +lat_0=%g +lon_0=%g +units=m", lat, lon)
	default:
		return nil
	}
	f, err := crs.Parse(text)
	if err != nil {
		return nil
	}
	return f
}

// bestPlane is PostGIS's _ST_BestSRID: the plane system for the box of geographies.
func bestPlane(shapes []*geom.Geometry) int32 {
	var box geom.Box
	found := false
	for _, s := range shapes {
		if b, ok := geom.GeodesicBox(s); ok {
			if !found {
				box, found = b, true
			} else {
				box = box.Extend(b)
			}
		}
	}
	if !found {
		return planeMercator
	}
	cx, cy := (box.MinX+box.MaxX)/2, (box.MinY+box.MaxY)/2
	w, h := box.MaxX-box.MinX, box.MaxY-box.MinY
	switch {
	case cy > 70 && h < 45:
		return planeNorthPole
	case cy < -70 && h < 45:
		return planeSouthPole
	case w < 6:
		zone := int32(math.Floor((cx + 180) / 6))
		zone = max(0, min(59, zone))
		if cy < 0 {
			return planeSouthUTM + zone
		}
		return planeNorthUTM + zone
	case h < 25:
		zoneY := 3 + int(math.Floor(cy/30))
		zoneX := -1
		switch {
		case (zoneY == 2 || zoneY == 3) && w < 30:
			zoneX = 6 + int(math.Floor(cx/30))
		case (zoneY == 1 || zoneY == 4) && w < 45:
			zoneX = 4 + int(math.Floor(cx/45))
		case (zoneY == 0 || zoneY == 5) && w < 90:
			zoneX = 2 + int(math.Floor(cx/90))
		}
		if zoneX != -1 {
			return int32(planeLocal + 20*zoneY + zoneX)
		}
	}
	return planeMercator
}

// inBestPlane computes on the first n arguments, geographies, in the plane that suits
// them, and takes the result back.
func inBestPlane(args []types.Datum, n int, fn func(shapes []*geom.Geometry) (*geom.Geometry, error)) (types.Datum, error) {
	shapes := make([]*geom.Geometry, n)
	for i := range shapes {
		shapes[i] = args[i].Geom()
	}
	plane := bestPlane(shapes)
	for i, s := range shapes {
		p, err := reproject(s.WithSRID(wgs84), plane)
		if err != nil {
			return types.Null, err
		}
		shapes[i] = p
	}
	out, err := fn(shapes)
	if err != nil {
		return types.Null, geomError(err)
	}
	out, err = reproject(out.WithSRID(plane), wgs84)
	if err != nil {
		return types.Null, err
	}
	return types.NewGeography(out)
}
