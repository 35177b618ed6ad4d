package plan

import (
	"fmt"
	"math"
	"slices"

	"raisind/catalog"
	"raisind/geom"
	"raisind/spatialidx"
	"raisind/sql/expr"
	"raisind/sql/types"
	"raisind/storage"
)

// SpatialKind is the kind of an index scan.
type SpatialKind uint8

// The three scans of the spatial index.
const (
	DistanceScan SpatialKind = iota // rows within a radius
	KnnScan                         // the nearest rows
	BoxScan                         // rows whose box meets a box
)

// String is the marker word EXPLAIN prints.
func (k SpatialKind) String() string {
	return [...]string{"SpatialDistanceScan", "SpatialKnnScan", "SpatialBoxScan"}[k]
}

// SpatialScan answers a spatial predicate or ordering from the cell index. What it
// does is decided when it opens, from the values of its parameters and the state
// of the index: either a scan of cells, or a row scan with the reason.
type SpatialScan struct {
	Kind  SpatialKind
	Rel   *catalog.Relation
	Alias string
	// Property is the dotted path within properties, or the column's name of a table.
	Property string
	// Geometry is the indexed value as an expression over the scan's row.
	Geometry expr.Expr
	// Center is the other side: constant for the execution. Of a DistanceScan and a
	// KnnScan that is not a point, the scan searches around its box.
	Center expr.Expr
	// RadiusM is the radius in metres of a DistanceScan, float8.
	RadiusM expr.Expr
	// Strict is set for `distance < radius`.
	Strict bool
	// Exact is set when entry positions decide the predicate; Predicate then only
	// serves shapes other than points and the row scan.
	Exact bool
	// Points tells how a BoxScan decides the predicate for a row that is a point, where
	// the centre is a rectangle; PointSRID is what all geometries of the column have.
	Points    PointRule
	PointSRID int32
	// Planar is set for a KnnScan by distance in degrees, as geometries have it.
	Planar bool
	// Predicate is the spatial predicate itself over the scan's row (nil for KnnScan).
	Predicate expr.Expr
	// PredicateText names it for EXPLAIN: ST_DWithin, ST_Within, &&, …
	PredicateText string
	// Count is how many rows a KnnScan is asked for (limit plus offset); rows tied
	// with the last are yielded too.
	Count expr.Expr
	// Filter are the other conditions, applied before rows are counted.
	Filter expr.Expr
	// Distance computes __distance for a row when the entry cannot tell.
	Distance expr.Expr
	// Need are the columns that any expression of the scan or above it reads. When the
	// entry's point has decided the predicate, NeedOutput are the columns still wanted.
	Need, NeedOutput []bool
	// NeedRow is false when then nothing is wanted of the row (count(*) within a radius).
	NeedRow bool
	Cols    []Column
}

// PointRule is what a predicate asks of a point and a rectangle.
type PointRule uint8

// The rules.
const (
	PointRecheck  PointRule = iota // the predicate itself has to be evaluated
	PointMeets                     // true in the rectangle and on its edges
	PointInside                    // true in the rectangle alone
	PointMeetsBox                  // PointMeets for the box of any shape
)

// decides reports whether the place of a point in the scan's box decides the predicate.
func (d *Decision) decides(n *SpatialScan) bool {
	switch {
	case n.Points == PointRecheck || n.Geometry.Type() == types.TGeometry && d.Center.SRID() != n.PointSRID:
		return false
	case n.Points == PointMeetsBox:
		return true
	}
	return isRectangle(d.Center)
}

// isRectangle reports whether g is a polygon that fills its box.
func isRectangle(g *geom.Geometry) bool {
	if g.Kind() != geom.Polygon || g.IsEmpty() || g.NumRings() != 1 {
		return false
	}
	box, ok := g.Box()
	at, stride := g.Ring(0), g.Dims().Stride()
	if !ok || len(at) != 5*stride || !(box.MinX < box.MaxX && box.MinY < box.MaxY) {
		return false
	}
	for i := range 4 {
		x, y, nextX, nextY := at[i*stride], at[i*stride+1], at[(i+1)*stride], at[(i+1)*stride+1]
		if x != box.MinX && x != box.MaxX || y != box.MinY && y != box.MaxY || (x == nextX) == (y == nextY) {
			return false
		}
	}
	// Four steps, each along one side and to another corner: back and forth is left to rule out.
	return at[0] != at[2*stride] && at[1] != at[2*stride+1] && at[0] == at[4*stride] && at[1] == at[4*stride+1]
}

// Reason is why the spatial index was not used.
type Reason uint8

// The reasons; each has its text and its way out in NotUsed.String.
const (
	ReasonNotBuilt Reason = iota + 1
	ReasonRebuilding
	ReasonRadiusNotCovered
	ReasonHistorical
	ReasonWildcardPath
	ReasonCellBudget
	ReasonCenterNotConstant
	ReasonNotIndexed
	ReasonBoxNotCovered
	ReasonNoLimit
	ReasonDescending
	ReasonCenterNotPoint
	ReasonRowLocks
	reasonEnd
)

// reasonNames are the reasons in one word.
var reasonNames = [...]string{
	ReasonNotBuilt: "not_built", ReasonRebuilding: "rebuilding", ReasonRadiusNotCovered: "radius_not_covered",
	ReasonHistorical: "historical_revision", ReasonWildcardPath: "wildcard_path", ReasonCellBudget: "cell_budget",
	ReasonCenterNotConstant: "centre_not_constant", ReasonNotIndexed: "not_indexed", ReasonBoxNotCovered: "box_not_covered",
	ReasonNoLimit: "no_limit", ReasonDescending: "descending", ReasonCenterNotPoint: "centre_not_a_point",
	ReasonRowLocks: "row_locks",
}

// Name is the reason in one word, for counters.
func (r Reason) Name() string { return reasonNames[r] }

// Reasons returns every reason, for tests that want each one seen.
func Reasons() []Reason {
	var all []Reason
	for r := ReasonNotBuilt; r < reasonEnd; r++ {
		all = append(all, r)
	}
	return all
}

// NotUsed is a reason with what its text needs.
type NotUsed struct {
	Reason    Reason
	Relation  string
	Property  string
	RadiusM   float64
	CellsNeed int
	Detail    string
}

// String is the text EXPLAIN prints between the parentheses.
func (n *NotUsed) String() string {
	switch n.Reason {
	case ReasonNotBuilt:
		return fmt.Sprintf("NOT BUILT for this property; run REBUILD SPATIAL INDEX FOR '%s'", n.Relation)
	case ReasonRebuilding:
		return "a rebuild is running and no precision is complete yet; applied per row until it ends"
	case ReasonRadiusNotCovered:
		return fmt.Sprintf("radius %.0f m needs %d cells, limit %d; add a coarser precision with ALTER SPATIAL INDEX FOR '%s' PROPERTY '%s' SET PRECISIONS",
			n.RadiusM, n.CellsNeed, spatialidx.MaxScanCells, n.Relation, n.Property)
	case ReasonBoxNotCovered:
		return fmt.Sprintf("box needs %d cells, limit %d; add a coarser precision with ALTER SPATIAL INDEX FOR '%s' PROPERTY '%s' SET PRECISIONS",
			n.CellsNeed, spatialidx.MaxScanCells, n.Relation, n.Property)
	case ReasonHistorical:
		return "historical revision: the index keeps what HEAD needs; leave out __revision to use it"
	case ReasonWildcardPath:
		return "wildcard path; name one element such as 'stops.0.geo'"
	case ReasonCellBudget:
		return "a cell holds more keys than the scan budget; use finer precisions, or VACUUM the relation"
	case ReasonCenterNotConstant:
		return "the centre is not a constant; pass it as a value or a parameter"
	case ReasonNotIndexed:
		return "not an indexed property; no geometry was ever stored in it"
	case ReasonNoLimit:
		return "nearest without LIMIT or radius; add LIMIT"
	case ReasonDescending:
		return "farthest first; the index yields nearest first"
	case ReasonCenterNotPoint:
		return "the centre is not a point on the Earth; give a point with a longitude within 180 and a latitude within 90 degrees"
	case ReasonRowLocks:
		return "rows are locked before LIMIT counts them; choose them in a subquery without locks"
	}
	return n.Detail
}

// IndexState is what a scan must know of the local index of one property.
type IndexState struct {
	Property storage.PropertyID
	// Ready is false while nothing is complete; Rebuilding tells why.
	Ready, Rebuilding bool
	// Precisions that are complete, finest first.
	Precisions []int
	// Rows is an estimate of how many live entries a precision holds.
	Rows int64
}

// IndexStates finds the state of a property's index.
type IndexStates interface {
	IndexState(rel storage.RelationID, property string) (IndexState, bool)
}

// Decision is what a SpatialScan does for given values.
type Decision struct {
	// NotUsed is nil when the index answers.
	NotUsed *NotUsed
	// Never is set when no row can match (a NULL argument, a negative radius).
	Never   bool
	State   IndexState
	Cover   spatialidx.Cover
	Center  *geom.Geometry
	CenterP geom.LonLat
	// Exact tells that the positions of points decide the predicate, BoxPoints that their
	// place in Box does.
	Exact, BoxPoints bool
	// PointCenter tells that CenterP is the centre itself.
	PointCenter bool
	RadiusM     float64
	Count       int64
	Box         geom.Box
}

// densityPerKm2 is the population the choice of a precision expects around a
// fleet's own places: vehicles of a town. It only steers speed, never rows.
const densityPerKm2 = 40

// rangeCost is what seeking to one run of cells costs, in visited keys.
const rangeCost = 1

// VisitedKeys is how many keys a scan of c is expected to visit in an index of rows
// entries. Cells of one run are read in one go, so runs are what costs, not cells.
func VisitedKeys(c spatialidx.Cover, rows int64) float64 {
	return float64(len(c.Ranges))*rangeCost + population(c.AreaKm2, rows)
}

// population is how many entries an area is expected to hold: as many as its size calls
// for while that is little against the whole fleet, never more than the fleet. The fleet
// has no sharp edge, and so neither has the function.
func population(areaKm2 float64, rows int64) float64 {
	if rows <= 0 {
		return 0
	}
	all := float64(rows)
	return -all * math.Expm1(-densityPerKm2*areaKm2/all)
}

// earthRadiusKm is the radius of the sphere that has the area of the WGS 84 ellipsoid (NGA.STND.0036).
const earthRadiusKm = 6371.0072

// ChooseCircle picks the precision with the fewest expected visited keys that
// covers the circle within the budget, ties to the finest. need is the smallest
// number of cells when none does.
func ChooseCircle(precisions []int, rows int64, center geom.LonLat, radiusM float64) (c spatialidx.Cover, need int, ok bool) {
	// A cap of angle a on a sphere of radius r has area 2 pi r^2 (1 - cos a).
	angle := math.Min(radiusM/1000/earthRadiusKm, math.Pi)
	areaKm2 := 2 * math.Pi * earthRadiusKm * earthRadiusKm * (1 - math.Cos(angle))
	return choose(precisions, rows, areaKm2, func(p int) (spatialidx.Cover, int, bool) {
		return spatialidx.CoverCircle(center, radiusM, p, spatialidx.MaxScanCells)
	})
}

// ChooseBox is ChooseCircle for a box in degrees.
func ChooseBox(precisions []int, rows int64, b geom.Box) (c spatialidx.Cover, need int, ok bool) {
	// Between two parallels and two meridians: r^2 times the difference of longitudes
	// times that of the sines of the latitudes.
	radians := math.Pi / 180
	sines := math.Sin(min(b.MaxY, 90)*radians) - math.Sin(max(b.MinY, -90)*radians)
	areaKm2 := earthRadiusKm * earthRadiusKm * max(0, b.MaxX-b.MinX) * radians * max(0, sines)
	return choose(precisions, rows, areaKm2, func(p int) (spatialidx.Cover, int, bool) {
		return spatialidx.CoverBox(b, p, spatialidx.MaxScanCells)
	})
}

// choose goes from the coarsest precision to the finest. Finer cells hug the shape, whose area is areaKm2,
// more closely, in more runs: once the shape's own population and the runs so far cost as much as the best
// cover, no finer one is built.
func choose(precisions []int, rows int64, areaKm2 float64, cover func(int) (spatialidx.Cover, int, bool)) (best spatialidx.Cover, need int, ok bool) {
	need = math.MaxInt
	bestCost := math.Inf(1)
	for _, p := range slices.Backward(precisions) {
		c, n, fits := cover(p)
		if !fits {
			need = min(need, n)
			continue
		}
		if cost := VisitedKeys(c, rows); cost <= bestCost { // ties go to the finer
			best, bestCost, ok = c, cost, true
		}
		if population(areaKm2, rows)+float64(len(c.Ranges))*rangeCost > bestCost {
			break
		}
	}
	return best, need, ok
}

// wgs84 is the SRID of longitude and latitude.
const wgs84 = 4326

// Decide evaluates the scan's constants and picks cells, or says why not.
func (n *SpatialScan) Decide(ec *expr.Ctx, states IndexStates) (Decision, error) {
	var d Decision
	refuse := func(r Reason, need int) (Decision, error) {
		d.NotUsed = &NotUsed{Reason: r, Relation: n.Rel.Name, Property: n.Property, RadiusM: d.RadiusM, CellsNeed: need}
		return d, nil
	}
	c, err := n.Center.Eval(ec, nil)
	if err != nil {
		return d, err
	}
	d.Center = CenterGeometry(n.Center.Type(), c)
	if n.Kind == DistanceScan {
		r, err := n.RadiusM.Eval(ec, nil)
		if err != nil {
			return d, err
		}
		d.RadiusM = r.Float()
		if r.IsNull() || math.IsNaN(d.RadiusM) || d.RadiusM < 0 {
			d.Never = true
			return d, nil
		}
	}
	if n.Kind == KnnScan {
		k, err := n.Count.Eval(ec, nil)
		if err != nil {
			return d, err
		}
		d.Count = math.MaxInt64
		if !k.IsNull() {
			d.Count = max(k.Int(), 0)
		}
	}
	if d.Center == nil || d.Center.IsEmpty() {
		if n.Kind == KnnScan { // every distance is NULL: any order, so rows as they come
			return refuse(ReasonCenterNotPoint, 0)
		}
		d.Never = true
		return d, nil
	}
	box, ok := d.Center.Box()
	if ok && n.Center.Type() == types.TGeography { // edges are geodesics and bulge
		box, ok = geom.GeodesicBox(d.Center)
	}
	if !ok || math.IsNaN(box.MinX+box.MinY+box.MaxX+box.MaxY) {
		// A centre without a finite place: the predicate itself must answer.
		return refuse(ReasonCenterNotPoint, 0)
	}
	if srid := d.Center.SRID(); n.Geometry.Type() == types.TJSONB && srid != 0 && srid != wgs84 {
		// A property has longitude and latitude; comparing it with this is an error.
		return refuse(ReasonCenterNotPoint, 0)
	}
	d.Box = box
	x, y, point := d.Center.AsPoint()
	d.PointCenter = point
	d.Exact = n.Exact && point && n.Kind != BoxScan
	d.BoxPoints = n.Kind == BoxScan && d.decides(n)
	if point {
		d.CenterP = geom.LonLat{LonDeg: x, LatDeg: y}
	}
	switch {
	case n.Kind == BoxScan:
	case point && math.Abs(x) <= 180 && math.Abs(y) <= 90:
	case n.Planar && geom.World.Contains(box):
		d.CenterP = geom.LonLat{LonDeg: (box.MinX + box.MaxX) / 2, LatDeg: (box.MinY + box.MaxY) / 2}
	case !point && n.Kind == DistanceScan:
		// Another shape: a circle around its box, which the predicate rechecks.
		if d.CenterP, x, ok = circumcircle(d.Center); !ok {
			return refuse(ReasonCenterNotPoint, 0)
		}
		d.RadiusM += x
	default:
		return refuse(ReasonCenterNotPoint, 0)
	}
	if d.State, ok = states.IndexState(n.Rel.ID, n.Property); !ok {
		return refuse(ReasonNotIndexed, 0)
	}
	if !d.State.Ready || len(d.State.Precisions) == 0 {
		if d.State.Rebuilding {
			return refuse(ReasonRebuilding, 0)
		}
		return refuse(ReasonNotBuilt, 0)
	}
	var need int
	switch n.Kind {
	case DistanceScan:
		if d.Cover, need, ok = ChooseCircle(d.State.Precisions, d.State.Rows, d.CenterP, d.RadiusM); !ok {
			return refuse(ReasonRadiusNotCovered, need)
		}
	case BoxScan:
		if d.Cover, need, ok = ChooseBox(d.State.Precisions, d.State.Rows, box); !ok {
			return refuse(ReasonBoxNotCovered, need)
		}
	}
	return d, nil
}

// circumcircle is a circle on the Earth that holds g, edges read either way; false
// for what leaves the world, is wider than half of it, or has no place.
func circumcircle(g *geom.Geometry) (center geom.LonLat, radiusM float64, ok bool) {
	b, ok := geom.GeodesicBox(g)
	if !ok || !geom.World.Contains(b) || b.MaxX-b.MinX > 180 {
		return center, 0, false
	}
	center = geom.LonLat{LonDeg: (b.MinX + b.MaxX) / 2, LatDeg: (b.MinY + b.MaxY) / 2}
	// On the sphere the farthest point of such a box from its middle is a corner:
	// distance grows with the difference of longitude, and along a meridian within 90
	// degrees it is largest at an end. The margin is for the spheroid, which differs by
	// less than 0.6 %.
	for _, x := range []float64{b.MinX, b.MaxX} {
		for _, y := range []float64{b.MinY, b.MaxY} {
			radiusM = math.Max(radiusM, geom.GeodesicM(center, geom.LonLat{LonDeg: x, LatDeg: y}))
		}
	}
	return center, radiusM * 1.01, true
}

// CenterGeometry reads the constant side of a spatial predicate: a geometry, or a
// GeoJSON property; nil when it is none.
func CenterGeometry(t *types.Type, d types.Datum) *geom.Geometry {
	switch {
	case d.IsNull():
		return nil
	case t == types.TJSONB || t == types.TJSON:
		g, _ := geom.FromProperty(d.Str())
		return g
	}
	return d.Geom()
}

// Pruning tells how far the removal of superseded entries is behind: groups of versions
// waiting for it, and since when the oldest does.
type Pruning struct {
	On       bool
	Waiting  int
	LagNanos int64
}

// String is what EXPLAIN prints.
func (p *Pruning) String() string {
	switch {
	case !p.On:
		return "off"
	case p.LagNanos == 0:
		return "on, nothing waits"
	}
	return fmt.Sprintf("on, %d groups wait, the oldest for %.3f ms", p.Waiting, millis(p.LagNanos))
}

// Stats are the counters of one execution of one node, for EXPLAIN ANALYZE.
type Stats struct {
	Loops, Rows int64
	// StartupNanos, TotalNanos are wall time, zero when TIMING is off.
	StartupNanos, TotalNanos int64
	// RemovedByFilter counts rows a filter rejected.
	RemovedByFilter int64
	// Scans of keys.
	Cells, Ranges, Seeks, KeysVisited, Superseded, Candidates, Rechecked int64
	// Precision the scan ran at, 0 for none.
	Precision int
	// FellBack is set when the scan went on as a row scan, with the reason.
	FellBack *NotUsed
	// Decided is what a spatial scan decided when it opened.
	Decided *Decision
	// Pruning is how far it was behind when a scan of the index opened.
	Pruning *Pruning
	// Writes.
	SpatialKeysWritten, SpatialTombstonesWritten, DirtyExtentsWritten, BytesWritten int64
	// SortMethod and SortSpaceBytes of a Sort.
	SortMethod     string
	SortSpaceBytes int64
	SortOnDisk     bool
	// Batches are the parts a hash was split into, HashBytes the most memory it held,
	// HashDiskBytes what it wrote to disk, and Buckets how many keys its table was made for.
	Batches, Buckets         int64
	HashBytes, HashDiskBytes int64
}
