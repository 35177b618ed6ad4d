package types

import (
	"fmt"
	"strconv"
	"strings"

	"raisind/geom"
	"raisind/pgerr"
)

// The typmod of geometry and geography, as PostGIS packs it:
//
//	bits 8-28 SRID | bits 2-7 kind | bit 1 has Z | bit 0 has M

// GeoTypmod is a typmod of geometry or geography taken apart. Kind 0 allows every kind.
type GeoTypmod struct {
	SRID       int32
	Kind       geom.Kind
	HasZ, HasM bool
}

// ParseGeoTypmod takes typmod (not -1) apart.
func ParseGeoTypmod(typmod int32) GeoTypmod {
	return GeoTypmod{
		SRID: int32(uint32(typmod) & 0x0fffff00 >> 8), Kind: geom.Kind(typmod >> 2 & 0x3f),
		HasZ: typmod&2 != 0, HasM: typmod&1 != 0,
	}
}

// Typmod packs g.
func (g GeoTypmod) Typmod() int32 {
	t := g.SRID<<8 | int32(g.Kind)<<2
	if g.HasZ {
		t |= 2
	}
	if g.HasM {
		t |= 1
	}
	return t
}

func formatGeoTypmod(typmod int32) string {
	g := ParseGeoTypmod(typmod)
	if g == (GeoTypmod{}) {
		return ""
	}
	name := "Geometry"
	if g.Kind != 0 {
		name = g.Kind.String()
	}
	if g.HasZ {
		name += "Z"
	}
	if g.HasM {
		name += "M"
	}
	if g.SRID != 0 {
		name += "," + strconv.Itoa(int(g.SRID))
	}
	return "(" + name + ")"
}

// geoTypmod reads (kind[, SRID]).
func geoTypmod(t *Type, mods []string) (int32, error) {
	if len(mods) > 2 {
		return -1, pgerr.New(pgerr.InvalidParameterValue, "typmod array must be one-dimensional")
	}
	var g GeoTypmod
	word := strings.ToLower(strings.Join(strings.Fields(strings.Trim(mods[0], `"'`)), ""))
	base := strings.TrimSuffix(word, "zm")
	if base != word {
		g.HasZ, g.HasM = true, true
	} else if base = strings.TrimSuffix(word, "z"); base != word {
		g.HasZ = true
	} else if base = strings.TrimSuffix(word, "m"); base != word {
		g.HasM = true
	}
	known := base == "geometry"
	for k := geom.Point; k <= geom.GeometryCollection; k++ {
		if base == strings.ToLower(k.String()) {
			g.Kind, known = k, true
		}
	}
	if !known {
		return -1, pgerr.New(pgerr.InvalidParameterValue, "Invalid geometry type modifier: %s", mods[0])
	}
	if len(mods) == 2 {
		srid, err := strconv.ParseInt(strings.TrimSpace(mods[1]), 10, 32)
		if err != nil {
			return -1, pgerr.New(pgerr.InvalidTextRepresentation, "invalid input syntax for type integer: \"%s\"", mods[1])
		}
		if srid < 0 || srid > 999999 {
			srid = 0
		}
		g.SRID = int32(srid)
	}
	if t == TGeography {
		if g.SRID == 0 {
			g.SRID = SRIDWGS84
		}
		if !lonLatSRID(g.SRID) {
			return -1, pgerr.New(pgerr.InvalidParameterValue, "Only lon/lat coordinate systems are supported in geography.")
		}
	}
	return g.Typmod(), nil
}

// fitGeometry refuses a geometry that is not what the column holds.
func fitGeometry(_ *Type, d Datum, typmod int32, _ bool) (Datum, error) {
	want, g := ParseGeoTypmod(typmod), d.Geom()
	bad := func(format string, args ...any) (Datum, error) {
		return Null, pgerr.New(pgerr.InvalidParameterValue, "%s", fmt.Sprintf(format, args...))
	}
	if want.SRID > 0 && g.SRID() == 0 { // the column's system fills what the value leaves open
		g = g.WithSRID(want.SRID)
		d = Geom(g)
	}
	if want.SRID > 0 && want.SRID != g.SRID() {
		return bad("Geometry SRID (%d) does not match column SRID (%d)", g.SRID(), want.SRID)
	}
	if want.Kind != 0 && want.Kind != g.Kind() {
		return bad("Geometry type (%s) does not match column type (%s)", g.Kind(), want.Kind)
	}
	switch dims := g.Dims(); {
	case want.HasZ && !dims.HasZ():
		return bad("Column has Z dimension but geometry does not")
	case dims.HasZ() && !want.HasZ:
		return bad("Geometry has Z dimension but column does not")
	case want.HasM && !dims.HasM():
		return bad("Column has M dimension but geometry does not")
	case dims.HasM() && !want.HasM:
		return bad("Geometry has M dimension but column does not")
	}
	return d, nil
}
