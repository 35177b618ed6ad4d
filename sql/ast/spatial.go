package ast

// CreateWorkspace is CREATE WORKSPACE [IF NOT EXISTS] 'name' [WITH (...)].
type CreateWorkspace struct {
	At
	IfNotExists bool
	Name        RelName
	Options     []Option
}

// DropWorkspace is DROP WORKSPACE [IF EXISTS] 'name', ... [CASCADE | RESTRICT].
type DropWorkspace struct {
	At
	IfExists bool
	Names    []RelName
	Cascade  bool
}

// AlterWorkspace is ALTER WORKSPACE [IF EXISTS] 'name' SET (...) | RESET (...) |
// RENAME TO 'name'. One of Set, Reset and RenameTo is used.
type AlterWorkspace struct {
	At
	IfExists bool
	Name     RelName
	Set      []Option
	Reset    []string
	RenameTo string
}

// SpatialTarget is FOR 'relation' [PROPERTY 'name'].
type SpatialTarget struct {
	At
	Relation RelName
	// Property is empty for the relation's default.
	Property string
}

// AlterSpatialIndex is ALTER SPATIAL INDEX FOR ... SET ... | RESET. Fields not
// set keep what is declared.
type AlterSpatialIndex struct {
	At
	Target SpatialTarget
	Reset  bool
	// Precisions is SET PRECISIONS = (8, 6): geohash lengths as written, not
	// checked; nil when not set.
	Precisions []int
	SRID       *int
	// BucketProperty is SET BUCKET PROPERTY = 'floor'.
	BucketProperty *string
	// Cover is SET COVER = CENTROID | EXTENT in lower case, empty when not set.
	Cover string
}

// ShowSpatialIndexConfig is SHOW SPATIAL INDEX CONFIG [FOR ...].
type ShowSpatialIndexConfig struct {
	At
	Target *SpatialTarget // nil for all
}

// ShowSpatialIndexHealth is SHOW SPATIAL INDEX HEALTH [FOR ...].
type ShowSpatialIndexHealth struct {
	At
	Target *SpatialTarget // nil for all
}

// RebuildSpatialIndex is REBUILD SPATIAL INDEX FOR ... [WITH (wait = false)].
type RebuildSpatialIndex struct {
	At
	Target  SpatialTarget
	Options []Option
}

// VerifySpatialIndex is VERIFY SPATIAL INDEX FOR ....
type VerifySpatialIndex struct {
	At
	Target SpatialTarget
}

func (*CreateWorkspace) stmt()        {}
func (*DropWorkspace) stmt()          {}
func (*AlterWorkspace) stmt()         {}
func (*AlterSpatialIndex) stmt()      {}
func (*ShowSpatialIndexConfig) stmt() {}
func (*ShowSpatialIndexHealth) stmt() {}
func (*RebuildSpatialIndex) stmt()    {}
func (*VerifySpatialIndex) stmt()     {}
