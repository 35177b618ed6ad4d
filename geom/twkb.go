package geom

import sf "github.com/peterstace/simplefeatures/geom"

// TWKB writes g as tiny WKB with so many decimals of x and y, z and m.
func TWKB(g *Geometry, xy, z, m int, sizes, boxes bool) ([]byte, error) {
	opts := []sf.TWKBWriterOption{sf.TWKBCloseRings()}
	if g.dims.HasZ() {
		opts = append(opts, sf.TWKBPrecisionZ(z))
	}
	if g.dims.HasM() {
		opts = append(opts, sf.TWKBPrecisionM(m))
	}
	if sizes {
		opts = append(opts, sf.TWKBSizeHeader())
	}
	if boxes && !g.empty {
		opts = append(opts, sf.TWKBBoundingBoxHeader())
	}
	return guard(func() ([]byte, error) { return sf.MarshalTWKB(g.SF(), xy, opts...) })
}

// ParseTWKB reads tiny WKB.
func ParseTWKB(b []byte) (*Geometry, error) {
	v, err := guard(func() (sf.Geometry, error) { return sf.UnmarshalTWKB(b, sf.NoValidate{}) })
	if err != nil {
		return nil, parseErrorf("%v", err)
	}
	return FromSF(v, 0), nil
}
