package geom

import (
	"math/rand/v2"
	"testing"

	"github.com/pymaxion/geographiclib-go/geodesic"
	"github.com/pymaxion/geographiclib-go/geodesic/capabilities"
)

var sinkFloat float64

func BenchmarkLibInverse(b *testing.B) {
	b.ReportAllocs()
	r := rand.New(rand.NewPCG(1, 2))
	var ps [1024][4]float64
	for i := range ps {
		ps[i] = [4]float64{r.Float64()*360 - 180, r.Float64()*170 - 85}
		ps[i][2] = ps[i][0] + r.Float64()*0.1
		ps[i][3] = ps[i][1] + r.Float64()*0.1
	}
	i := 0
	for b.Loop() {
		p := &ps[i&1023]
		i++
		sinkFloat = geodesic.WGS84.InverseWithCapabilities(p[1], p[0], p[3], p[2], capabilities.Distance).S12
	}
}
