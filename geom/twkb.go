package geom

import (
	"math"

	sf "github.com/peterstace/simplefeatures/geom"
)

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
	g = distinctAt(g, [4]int{xy, xy, z, m})
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

// distinctAt drops positions of lines and rings that round to the one before; lines keep
// two positions and rings four.
func distinctAt(g *Geometry, digits [4]int) *Geometry {
	stride := g.dims.Stride()
	out := g.thin(func(c []float64, kind Kind, _ bool) []float64 {
		minimum := 2
		if kind == Polygon {
			minimum = 4
		}
		rounded := func(i int) (p [4]float64) {
			for k := range stride {
				axis := k
				if g.dims == XYM && k == 2 {
					axis = 3
				}
				p[k] = math.Round(c[i+k] * math.Pow10(digits[axis]))
			}
			return p
		}
		r := append([]float64{}, c[:stride]...)
		last := rounded(0)
		for i := stride; i < len(c); i += stride {
			left := (len(c)-i)/stride + len(r)/stride
			if p := rounded(i); p != last || left <= minimum {
				r, last = append(r, c[i:i+stride]...), p
			}
		}
		return r
	})
	if out == nil {
		return g
	}
	return out
}
