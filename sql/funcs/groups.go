package funcs

// The chapters of docs/functions.md.
const (
	groupComparison  = "Comparison operators"
	groupArithmetic  = "Arithmetic operators"
	groupMath        = "Mathematical functions"
	groupPattern     = "Pattern matching"
	groupText        = "Text"
	groupBinary      = "Binary strings"
	groupDateTime    = "Dates and times"
	groupFormatting  = "Formatting"
	groupArray       = "Arrays"
	groupJSON        = "JSON"
	groupSystem      = "System information and administration"
	groupSeries      = "Series"
	groupAggregate   = "Aggregates"
	groupNetwork     = "Network addresses"
	groupBits        = "Bit strings"
	groupRange       = "Ranges"
	groupWindow      = "Window functions"
	groupRevision    = "Revisions"
	groupGeomBuild   = "Making geometries"
	groupGeomIO      = "Reading and writing geometries"
	groupGeomRead    = "Parts and properties of geometries"
	groupGeomMeasure = "Measures"
	groupGeomRelate  = "Spatial relationships"
	groupGeomEdit    = "Changing geometries"
	groupGeomOverlay = "Overlays and constructions"
	groupGeomOps     = "Bounding box and distance operators"
	groupGeomLines   = "Linear referencing"
	groupGeomTile    = "Tiles"
	groupGeomSystem  = "PostGIS compatibility"
)

// groupOrder is the order of the chapters.
var groupOrder = []string{
	groupGeomBuild, groupGeomIO, groupGeomRead, groupGeomMeasure, groupGeomRelate, groupGeomOps, groupGeomOverlay, groupGeomEdit, groupGeomLines, groupGeomTile, groupGeomSystem,
	groupRevision, groupComparison, groupArithmetic, groupMath, groupText, groupPattern, groupBinary, groupDateTime,
	groupFormatting, groupArray, groupRange, groupNetwork, groupBits, groupJSON, groupSeries, groupAggregate, groupWindow, groupSystem,
}
