package tiles

import (
	"fmt"
	"math"

	"raisind/geom/crs"
)

// samples is the number of steps an extent's sides are divided into: an edge that is
// straight in one system is curved in another.
const samples = 32

// degrees computes e in longitude and latitude. The result holds e wholly: positions on
// a grid over e are transformed, and their box is widened by what a curve may reach
// between them.
func (e Extent) degrees() (Extent, error) {
	for _, v := range []float64{e.MinX, e.MinY, e.MaxX, e.MaxY} {
		if math.IsInf(v, 0) {
			return Extent{MinX: -180, MinY: -90, MaxX: 180, MaxY: 90, SRID: 4326}, nil
		}
	}
	to, err := transform(e.SRID)
	if err != nil {
		return Extent{}, err
	}
	var lon, lat [samples + 1][samples + 1]float64
	for i := range lon {
		for j := range lon[i] {
			x := e.MinX + (e.MaxX-e.MinX)*float64(i)/samples
			y := e.MinY + (e.MaxY-e.MinY)*float64(j)/samples
			if lon[i][j], lat[i][j], err = to.Apply(x, y, 0); err != nil {
				return Extent{}, fmt.Errorf("%w: %v %v of SRID %d: %v", ErrTransform, x, y, e.SRID, err)
			}
			// Longitudes go on from their neighbour's, past the antimeridian.
			switch {
			case j > 0:
				lon[i][j] = near(lon[i][j], lon[i][j-1])
			case i > 0:
				lon[i][j] = near(lon[i][j], lon[i-1][j])
			}
		}
	}
	out := Extent{MinX: math.Inf(1), MinY: math.Inf(1), MaxX: math.Inf(-1), MaxY: math.Inf(-1), SRID: 4326}
	for i := range lon {
		for j := range lon[i] {
			out.MinX, out.MaxX = min(out.MinX, lon[i][j]), max(out.MaxX, lon[i][j])
			out.MinY, out.MaxY = min(out.MinY, lat[i][j]), max(out.MaxY, lat[i][j])
		}
	}
	// A function strays from a chord by at most an eighth of its second difference.
	padLon, padLat := bend(&lon)/4, bend(&lat)/4
	out.MinX, out.MaxX = out.MinX-padLon, out.MaxX+padLon
	out.MinY, out.MaxY = max(out.MinY-padLat, -90), min(out.MaxY+padLat, 90)
	if turn := around(&lon); turn != 0 { // a pole lies inside
		out.MinX, out.MaxX = -180, 180
		if out.MaxY+out.MinY > 0 {
			out.MaxY = 90
		} else {
			out.MinY = -90
		}
	}
	return out, nil
}

func transform(srid int) (*crs.Transform, error) {
	from, ok := crs.ByID(int32(srid))
	if !ok || int(int32(srid)) != srid {
		return nil, fmt.Errorf("%w: %d", ErrSRID, srid)
	}
	to, _ := crs.ByID(4326)
	f, err := from.Frame()
	if err != nil {
		return nil, fmt.Errorf("%w: %d: %v", ErrSRID, srid, err)
	}
	t, err := to.Frame()
	if err != nil {
		return nil, fmt.Errorf("%w: 4326: %v", ErrSRID, err)
	}
	return crs.Between(f, t), nil
}

// near is lon, whole turns away, within 180 degrees of other.
func near(lon, other float64) float64 { return lon + 360*math.Round((other-lon)/360) }

// bend is the largest second difference along the lines of the grid.
func bend(g *[samples + 1][samples + 1]float64) float64 {
	most := 0.0
	for i := range g {
		for j := 1; j < samples; j++ {
			most = max(most, math.Abs(g[i][j-1]-2*g[i][j]+g[i][j+1]), math.Abs(g[j-1][i]-2*g[j][i]+g[j+1][i]))
		}
	}
	return most
}

// around counts how many whole turns of longitude the edge of the grid makes.
func around(lon *[samples + 1][samples + 1]float64) int {
	sum := 0.0
	step := func(i0, j0, i1, j1 int) { sum += near(lon[i1][j1], lon[i0][j0]) - lon[i0][j0] }
	for k := range samples {
		step(k, 0, k+1, 0)
		step(samples, k, samples, k+1)
		step(samples-k, samples, samples-k-1, samples)
		step(0, samples-k, 0, samples-k-1)
	}
	return int(math.Round(sum / 360))
}
