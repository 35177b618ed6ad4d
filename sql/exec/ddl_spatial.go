package exec

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/relation"
	"raisind/spatialidx"
	"raisind/sql/ast"
	"raisind/sql/types"
	"raisind/storage"
)

// anyProperty stands for a relation's default in answers.
const anyProperty = "*"

// alteredNote is what ALTER SPATIAL INDEX says is left to do.
const alteredNote = "configuration written and replicated; run REBUILD SPATIAL INDEX on each node to migrate existing entries"

func propertyText(property string) types.Datum {
	if property == "" {
		return types.Str(anyProperty)
	}
	return types.Str(property)
}

// target finds and locks the relation a statement names, and checks the property.
func (d *ddl) target(t *ast.SpatialTarget, mode storage.RelLockMode) (*catalog.Relation, error) {
	r, err := d.relation(t.Relation, mode)
	if err != nil {
		return nil, err
	}
	return r, checkProperty(r, t)
}

// find is target without a lock.
func (d *ddl) find(t *ast.SpatialTarget) (*catalog.Relation, error) {
	if err := checkSchema(t.Relation); err != nil {
		return nil, err
	}
	r, ok, err := d.cat.Lookup(t.Relation.Schema, t.Relation.Name)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, pgerr.New(pgerr.UndefinedTable, "workspace %q does not exist", t.Relation.Name)
	}
	return r, checkProperty(r, t)
}

func checkProperty(r *catalog.Relation, t *ast.SpatialTarget) error {
	if r.Kind == catalog.Workspace || t.Property == "" {
		return nil
	}
	i, ok := r.ColumnByName(t.Property)
	if !ok {
		return pgerr.New(pgerr.UndefinedColumn, "column %q of relation %q does not exist", t.Property, r.Name)
	}
	if !r.Columns[i].IsGeometryColumn() {
		return pgerr.New(pgerr.WrongObjectType, "column %q of relation %q is of type %s", t.Property, r.Name, r.Columns[i].Type).
			WithHint("A spatial index is over a geometry or geography column.")
	}
	return nil
}

func (d *ddl) alterSpatialIndex(s *ast.AlterSpatialIndex) (Result, error) {
	r, err := d.target(&s.Target, storage.ShareUpdateExclusive)
	if err != nil {
		return Result{}, err
	}
	if err := d.mayMaintain(r); err != nil {
		return Result{}, err
	}
	r = r.Clone()
	property := s.Target.Property
	old := r.Spatial.Override(property)
	if s.Reset {
		r.Spatial.Set(property, nil)
		result := "declaration removed; run REBUILD SPATIAL INDEX on each node to migrate existing entries"
		if old == nil {
			result = "nothing was declared"
		}
		return Result{
			Tag:     "ALTER SPATIAL INDEX",
			Columns: resetColumns,
			Rows:    []types.Row{{types.Str(r.Name), propertyText(property), types.Str(result)}},
		}, d.cat.Replace(d.ctx, r)
	}
	by, err := overrideOf(s)
	if err != nil {
		return Result{}, err
	}
	r.Spatial.Set(property, old.Merge(by))
	if err := d.cat.Replace(d.ctx, r); err != nil {
		return Result{}, err
	}
	policy := r.EffectivePolicy(property)
	return Result{
		Tag:     "ALTER SPATIAL INDEX",
		Columns: alterColumns,
		Rows: []types.Row{{
			types.Str(r.Name), propertyText(property), types.Str(policy.String()), types.Str(policy.Cover.String()), types.Str(alteredNote),
		}},
	}, nil
}

// maxSRID is the largest SRID a geometry can have, as in PostGIS.
const maxSRID = 999_999

// overrideOf checks what an ALTER declares.
func overrideOf(s *ast.AlterSpatialIndex) (*catalog.PolicyOverride, error) {
	o := &catalog.PolicyOverride{Bucket: s.BucketProperty}
	if s.Precisions != nil {
		p := spatialidx.Policy{Precisions: s.Precisions}
		if err := p.Validate(); err != nil {
			return nil, policyError(err)
		}
		o.Precisions = p.Normalize().Precisions
	}
	if s.Cover != "" {
		c, err := spatialidx.ParseCoverKind(s.Cover)
		if err != nil {
			return nil, policyError(err)
		}
		o.Cover = &c
	}
	if s.SRID != nil {
		switch {
		case *s.SRID < 1 || *s.SRID > maxSRID:
			return nil, pgerr.New(pgerr.InvalidParameterValue, "SRID %d is out of range", *s.SRID).
				WithHint("Cells are of longitude and latitude: SRID 4326.")
		case *s.SRID != 4326:
			return nil, pgerr.New(pgerr.FeatureNotSupported, "SET SRID = %d is not supported", *s.SRID).
				WithHint("Cells are of longitude and latitude, SRID 4326: store ST_Transform(…, 4326).")
		}
		srid := int32(*s.SRID)
		o.SRID = &srid
	}
	return o, nil
}

// policyError is what a client sees of a policy that cannot be.
func policyError(err error) error {
	hint := "Give geohash precisions between 1 and 12, such as (8, 6)."
	switch {
	case errors.Is(err, spatialidx.ErrPrecisionRange):
		hint = "A geohash precision lies between 1 and 12."
	case errors.Is(err, spatialidx.ErrPrecisionDuplicate):
		hint = "Name each precision once."
	case errors.Is(err, spatialidx.ErrPrecisionTooFine):
		hint = fmt.Sprintf("Add a precision of %d or coarser: without one, ordinary radii would be answered row by row.", spatialidx.CoarsestAtMost)
	case errors.Is(err, spatialidx.ErrCoverKind):
		hint = "A cover is CENTROID or EXTENT."
	}
	return pgerr.Wrap(err, pgerr.InvalidParameterValue, "%s", strings.SplitN(err.Error(), ": ", 2)[0]).WithHint("%s", hint)
}

// targets are the relations a SHOW is about.
func (d *ddl) targets(t *ast.SpatialTarget) ([]*catalog.Relation, error) {
	if t != nil {
		r, err := d.target(t, storage.AccessShare)
		if err != nil {
			return nil, err
		}
		return []*catalog.Relation{r}, nil
	}
	var all []*catalog.Relation
	for _, r := range d.cat.Snapshot().Relations() {
		if r.Kind == catalog.Workspace || slices.ContainsFunc(r.Columns, func(c catalog.Column) bool { return c.IsGeometryColumn() }) {
			all = append(all, r)
		}
	}
	return all, nil
}

// properties are what a SHOW lists for a relation: the one asked for, or those that
// are declared or have an index, by name.
func (d *ddl) properties(r *catalog.Relation, t *ast.SpatialTarget) []string {
	if t != nil && t.Property != "" {
		return []string{t.Property}
	}
	var names []string
	for name := range r.Spatial.Properties {
		names = append(names, name)
	}
	for _, s := range d.rt.Indexer.States(r.ID) {
		names = append(names, s.Name)
	}
	if r.Kind == catalog.Table {
		for i := range r.Columns {
			if r.Columns[i].IsGeometryColumn() {
				names = append(names, r.Columns[i].Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (d *ddl) showConfig(t *ast.SpatialTarget) (Result, error) {
	res := Result{Tag: "SHOW", Columns: configColumns}
	rels, err := d.targets(t)
	if err != nil {
		return res, err
	}
	for _, r := range rels {
		names := d.properties(r, t)
		if t == nil || t.Property == "" {
			names = append([]string{""}, names...)
		}
		for _, name := range names {
			p := r.EffectivePolicy(name)
			srid := "inherit"
			if p.SRID != 0 {
				srid = fmt.Sprint(p.SRID)
			}
			bucket := types.Null
			if p.Bucket != "" {
				bucket = types.Str(p.Bucket)
			}
			res.Rows = append(res.Rows, types.Row{
				types.Str(r.Name), propertyText(name), types.Str(p.String()), types.Str(srid),
				bucket, types.Str(p.Cover.String()), types.Str(p.Declared.String()), types.Str(p.Hash()),
			})
		}
	}
	return res, nil
}

func (d *ddl) showHealth(t *ast.SpatialTarget) (Result, error) {
	res := Result{Tag: "SHOW", Columns: healthColumns}
	rels, err := d.targets(t)
	if err != nil {
		return res, err
	}
	for _, r := range rels {
		for _, name := range d.properties(r, t) {
			row, err := d.healthRow(r, name)
			if err != nil {
				return res, err
			}
			res.Rows = append(res.Rows, row)
		}
	}
	return res, nil
}

func (d *ddl) healthRow(r *catalog.Relation, name string) (types.Row, error) {
	policy := r.EffectivePolicy(name)
	version := types.Int(int64(catalog.NormalizerVersion()))
	pruning, lag := types.Str("off"), types.Null
	if p := d.rt.DB.PruneStats(); p.Enabled {
		pruning, lag = types.Str("on"), types.Float(p.Behind.Seconds())
	}
	s, ok := d.rt.Indexer.State(r.ID, name)
	if !ok {
		zero := types.Int(0)
		return types.Row{
			types.Str(r.Name), types.Str(name), types.Str("not_built (no state record)"), types.Str("()"),
			types.Null, types.Null, zero,
			types.Str(policy.String()), types.Str(policy.Hash()), types.Bool(true),
			zero, zero, zero, zero, types.Str(""), version, pruning, zero, zero, lag,
		}, nil
	}
	h, err := d.rt.Indexer.Health(d.ctx, r, s)
	if err != nil {
		return nil, err
	}
	usage, err := d.rt.DB.SpatialUsage(d.ctx, r.ID, s.Property)
	if err != nil {
		return nil, err
	}
	built := types.Null
	if rev := s.Built(); rev != 0 {
		built = types.Int(int64(rev))
	}
	var per []string
	for p := spatialidx.MaxPrecision; p >= 1; p-- {
		if n := h.PerPrecision[p]; n > 0 {
			per = append(per, fmt.Sprintf("%d:%d", p, n))
		}
	}
	return types.Row{
		types.Str(r.Name), types.Str(name), types.Str(s.Phase.String()), types.Str(spatialidx.FormatPrecisions(s.Precisions)),
		types.Str(s.PolicyHash), built, types.Int(h.Nodes),
		types.Str(policy.String()), types.Str(policy.Hash()), types.Bool(h.NeedsRebuild),
		types.Int(h.Live), types.Int(h.Tombstoned), types.Int(h.Nodes), types.Int(0), types.Str(strings.Join(per, ", ")), version,
		pruning, types.Int(usage.Superseded), types.Int(usage.Prunable), lag,
	}, nil
}

// mayMaintain decides who may alter, rebuild and verify: the owner of a relation and
// the superuser. SHOW is for everyone.
func (d *ddl) mayMaintain(r *catalog.Relation) error {
	if d.cat.Snapshot().HasRole(d.role, r.OwnerOID()) {
		return nil
	}
	kind := "table"
	if r.Kind == catalog.Workspace {
		kind = "workspace"
	}
	return pgerr.New(pgerr.InsufficientPrivilege, "must be owner of %s %s", kind, r.Name)
}

// rebuild starts a rebuild and, unless told otherwise, waits for it. Nothing of it
// belongs to the transaction, which must hold no lock that the rebuild waits for.
func (d *ddl) rebuild(s *ast.RebuildSpatialIndex) (Result, error) {
	t := s.Target
	if d.cat.Changed() || d.txn.HasWrites() {
		return Result{}, pgerr.New(pgerr.ActiveSQLTransaction, "REBUILD SPATIAL INDEX cannot run inside a transaction block").
			WithHint("Commit what the transaction has done first.")
	}
	wait, err := rebuildWaits(s.Options)
	if err != nil {
		return Result{}, err
	}
	r, err := d.find(&t)
	if err != nil {
		return Result{}, err
	}
	if err := d.mayMaintain(r); err != nil {
		return Result{}, err
	}
	if strings.Contains(t.Property, "[]") {
		return Result{}, pgerr.New(pgerr.InvalidParameterValue, "property %q names every element of an array", t.Property).
			WithHint("Name one element such as stops.0.geo, or leave PROPERTY out to rebuild all.")
	}
	job, err := d.rt.Indexer.StartRebuild(r.ID, t.Property)
	if err != nil {
		return Result{}, err
	}
	if wait {
		if _, err := job.Wait(d.ctx); err != nil {
			return Result{}, err
		}
	}
	return Result{
		Tag:     "REBUILD SPATIAL INDEX",
		Columns: rebuildColumns,
		Rows:    []types.Row{{types.Str(job.ID), types.Str(r.Name), propertyText(t.Property), types.Str("local node only")}},
	}, nil
}

// rebuildWaits reads WITH (wait = …).
func rebuildWaits(opts []ast.Option) (bool, error) {
	wait := true
	for _, o := range opts {
		if !strings.EqualFold(o.Name, "wait") {
			return false, pgerr.New(pgerr.InvalidParameterValue, "unrecognized parameter %q", o.Name).
				WithHint("REBUILD SPATIAL INDEX has the parameter wait.")
		}
		text, err := optionText(o)
		if err != nil {
			return false, err
		}
		v, err := types.TBool.ParseText(text, -1, types.DefaultEnv())
		if err != nil {
			return false, pgerr.New(pgerr.InvalidParameterValue, "invalid value for parameter %q: %q", o.Name, text).
				WithHint("wait is true or false.")
		}
		wait = v.Bool()
	}
	return wait, nil
}

func (d *ddl) verify(t ast.SpatialTarget) (Result, error) {
	res := Result{Tag: "VERIFY SPATIAL INDEX", Columns: verifyColumns}
	r, err := d.target(&t, storage.AccessShare)
	if err != nil {
		return res, err
	}
	if err := d.mayMaintain(r); err != nil {
		return res, err
	}
	for _, name := range d.properties(r, &t) {
		status, detail := "EMPTY", "no geometry was ever stored in it"
		var got relation.Verified
		if s, ok := d.rt.Indexer.State(r.ID, name); ok {
			if got, err = d.rt.Indexer.Verify(d.ctx, r, s); err != nil {
				return res, err
			}
			status, detail = verdict(r, s, got)
		}
		res.Rows = append(res.Rows, types.Row{
			types.Str(r.Name), types.Str(name), types.Str(status), types.Str(detail),
			types.Int(got.Live), types.Int(got.Nodes), types.Int(int64(catalog.NormalizerVersion())),
		})
	}
	return res, nil
}

// verdict puts into words what was found.
func verdict(r *catalog.Relation, s *relation.State, got relation.Verified) (status, detail string) {
	statement := fmt.Sprintf("REBUILD SPATIAL INDEX FOR '%s' PROPERTY '%s'", strings.ReplaceAll(r.Name, "'", "''"), strings.ReplaceAll(s.Name, "'", "''"))
	switch {
	case got.Missing+got.Stray > 0:
		return "NEEDS_REBUILD", fmt.Sprintf("%d entries missing, %d stray, such as %s; run %s", got.Missing, got.Stray, got.Example, statement)
	case s.Phase != relation.Ready:
		return "NEEDS_REBUILD", fmt.Sprintf("phase is %s; run %s", s.Phase, statement)
	case s.PolicyHash != r.EffectivePolicy(s.Name).Hash():
		return "NEEDS_REBUILD", fmt.Sprintf("indexed as %s, configured as %s; run %s",
			spatialidx.FormatPrecisions(s.Precisions), r.EffectivePolicy(s.Name).String(), statement)
	case got.Live == 0:
		return "EMPTY", "no entries, and no row calls for any"
	}
	return "OK", "every entry is what the rows call for"
}
