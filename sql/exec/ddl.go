package exec

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/plan"
	"raisind/sql/types"
	"raisind/storage"
)

// Result is what a statement about workspaces or spatial indexes answers.
type Result struct {
	Columns []plan.Column // nil: no rows
	Rows    []types.Row
	Tag     string
	Notices []*pgerr.Error
}

// RunDDL runs the statements about workspaces and spatial indexes as part of the
// transaction; handled is false for any other.
func (rt *Runtime) RunDDL(ctx context.Context, stmt ast.Stmt, txn *storage.Txn, cat *catalog.Tx) (res Result, handled bool, err error) {
	return rt.RunDDLAs(ctx, catalog.BootstrapRole, stmt, txn, cat)
}

// RunDDLAs is RunDDL with the rights of a role, given by its OID: RunDDL has all.
func (rt *Runtime) RunDDLAs(ctx context.Context, role uint32, stmt ast.Stmt, txn *storage.Txn, cat *catalog.Tx) (res Result, handled bool, err error) {
	d := &ddl{rt: rt, ctx: ctx, txn: txn, cat: cat, role: role}
	switch s := stmt.(type) {
	case *ast.CreateWorkspace:
		res, err = d.createWorkspace(s)
	case *ast.DropWorkspace:
		res, err = d.dropWorkspace(s)
	case *ast.AlterWorkspace:
		res, err = d.alterWorkspace(s)
	case *ast.AlterSpatialIndex:
		res, err = d.alterSpatialIndex(s)
	case *ast.ShowSpatialIndexConfig:
		res, err = d.showConfig(s.Target)
	case *ast.ShowSpatialIndexHealth:
		res, err = d.showHealth(s.Target)
	case *ast.RebuildSpatialIndex:
		res, err = d.rebuild(s)
	case *ast.VerifySpatialIndex:
		res, err = d.verify(s.Target)
	default:
		return Result{}, false, nil
	}
	return res, true, mapError(err)
}

// ddl is one such statement at work.
type ddl struct {
	rt  *Runtime
	ctx context.Context
	txn *storage.Txn
	cat *catalog.Tx
	// role is the OID of the role that acts.
	role uint32
}

// MaxNameBytes bounds the name of a workspace.
const MaxNameBytes = 63

func (d *ddl) createWorkspace(s *ast.CreateWorkspace) (Result, error) {
	res := Result{Tag: "CREATE WORKSPACE"}
	if err := checkSchema(s.Name); err != nil {
		return res, err
	}
	if s.Name.Name == "" {
		return res, pgerr.New(pgerr.InvalidName, "a workspace needs a name")
	}
	if len(s.Name.Name) > MaxNameBytes {
		return res, pgerr.New(pgerr.NameTooLong, "workspace name %q is too long", s.Name.Name).
			WithHint("A name has at most %d bytes.", MaxNameBytes)
	}
	r := d.rt.Catalog.NewWorkspace(s.Name.Name)
	r.Owner = d.role
	if err := setOptions(r, s.Options); err != nil {
		return res, err
	}
	err := d.cat.Create(d.ctx, r)
	if s.IfNotExists && pgerr.Is(err, pgerr.DuplicateTable) {
		n := pgerr.Notice("relation %q already exists, skipping", s.Name.Name)
		n.Code = pgerr.DuplicateTable
		res.Notices = append(res.Notices, n)
		return res, nil
	}
	return res, err
}

func (d *ddl) dropWorkspace(s *ast.DropWorkspace) (Result, error) {
	res := Result{Tag: "DROP WORKSPACE"}
	if err := d.rt.Indexer.Purge(); err != nil { // what earlier ones left
		return res, err
	}
	for _, name := range s.Names {
		r, err := d.workspace(name, storage.AccessExclusive)
		if s.IfExists && pgerr.Is(err, pgerr.UndefinedTable) {
			res.Notices = append(res.Notices, pgerr.Notice("workspace %q does not exist, skipping", name.Name))
			continue
		}
		if err != nil {
			return res, err
		}
		if err := d.mayMaintain(r); err != nil {
			return res, err
		}
		if err := d.cat.Drop(d.ctx, r.ID); err != nil {
			return res, err
		}
	}
	return res, nil
}

func (d *ddl) alterWorkspace(s *ast.AlterWorkspace) (Result, error) {
	res := Result{Tag: "ALTER WORKSPACE"}
	mode := storage.ShareUpdateExclusive
	if s.RenameTo != "" {
		mode = storage.AccessExclusive
	}
	r, err := d.workspace(s.Name, mode)
	if s.IfExists && pgerr.Is(err, pgerr.UndefinedTable) {
		res.Notices = append(res.Notices, pgerr.Notice("workspace %q does not exist, skipping", s.Name.Name))
		return res, nil
	}
	if err != nil {
		return res, err
	}
	if err := d.mayMaintain(r); err != nil {
		return res, err
	}
	r = r.Clone()
	if err := setOptions(r, s.Set); err != nil {
		return res, err
	}
	for _, name := range s.Reset {
		if err := checkOption(name); err != nil {
			return res, err
		}
		delete(r.Options, strings.ToLower(name))
	}
	if s.RenameTo != "" {
		if len(s.RenameTo) > MaxNameBytes {
			return res, pgerr.New(pgerr.NameTooLong, "workspace name %q is too long", s.RenameTo).
				WithHint("A name has at most %d bytes.", MaxNameBytes)
		}
		r.Name = s.RenameTo
	}
	return res, d.cat.Replace(d.ctx, r)
}

func checkSchema(n ast.RelName) error {
	if n.Schema != "" && n.Schema != catalog.DefaultSchema {
		return pgerr.New(pgerr.InvalidSchemaName, "schema %q does not exist", n.Schema)
	}
	return nil
}

// relation finds and locks a relation. It may have changed while the lock was waited
// for, so it is looked up again.
func (d *ddl) relation(n ast.RelName, mode storage.RelLockMode) (*catalog.Relation, error) {
	for {
		r, ok, err := d.cat.Lookup(n.Schema, n.Name)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, pgerr.New(pgerr.UndefinedTable, "workspace %q does not exist", n.Name)
		}
		if err := d.txn.LockRelation(d.ctx, r.ID, mode, storage.Wait); err != nil {
			return nil, err
		}
		if again, ok := d.cat.ByID(r.ID); ok && again.Name == r.Name && again.Schema == r.Schema {
			return again, nil
		}
	}
}

func (d *ddl) workspace(n ast.RelName, mode storage.RelLockMode) (*catalog.Relation, error) {
	r, err := d.relation(n, mode)
	if err == nil && r.Kind != catalog.Workspace {
		return nil, pgerr.New(pgerr.WrongObjectType, "%q is not a workspace", n.Name).
			WithHint("It is a table: use DROP TABLE or ALTER TABLE.")
	}
	return r, err
}

func checkOption(name string) error {
	if strings.ToLower(name) != catalog.OptionHistoryRetention {
		return pgerr.New(pgerr.InvalidParameterValue, "unrecognized parameter %q", name).
			WithHint("A workspace has the parameter %s.", catalog.OptionHistoryRetention)
	}
	return nil
}

// setOptions checks WITH or SET options and puts them into r.
func setOptions(r *catalog.Relation, opts []ast.Option) error {
	for _, o := range opts {
		if err := checkOption(o.Name); err != nil {
			return err
		}
		text, err := optionText(o)
		if err != nil {
			return err
		}
		if text, err = Retention(text); err != nil {
			return err
		}
		r.Options[strings.ToLower(o.Name)] = text
	}
	return nil
}

// Retention is the value of the option history_retention, in the form it is kept in.
func Retention(text string) (string, error) {
	if strings.EqualFold(text, catalog.Forever) {
		return catalog.Forever, nil
	}
	keep, err := parseRetention(text)
	if err != nil {
		return "", pgerr.New(pgerr.InvalidParameterValue, "invalid value for parameter %q: %q", catalog.OptionHistoryRetention, text).
			WithHint("Give seconds, an interval such as '2 days', or 'forever'.")
	}
	return keep.String(), nil
}

// optionText is the value of an option as it was written.
func optionText(o ast.Option) (string, error) {
	lit, ok := o.Value.(*ast.Literal)
	if !ok {
		return "", pgerr.New(pgerr.SyntaxError, "parameter %q needs a value", o.Name)
	}
	return lit.Text, nil
}

// parseRetention reads seconds or an interval. A month counts 30 days.
func parseRetention(text string) (time.Duration, error) {
	if secs, err := strconv.ParseFloat(text, 64); err == nil {
		return checkRetention(time.Duration(secs * float64(time.Second)))
	}
	v, err := types.TInterval.ParseText(text, -1, types.DefaultEnv())
	if err != nil {
		return 0, err
	}
	iv, ok := v.Ref().(*types.Interval)
	if !ok {
		return 0, errRetention
	}
	days := int64(iv.Months)*30 + int64(iv.Days)
	return checkRetention(time.Duration(days)*24*time.Hour + time.Duration(iv.Micros)*time.Microsecond)
}

var errRetention = errors.New("retention is no duration of 0 or more")

func checkRetention(d time.Duration) (time.Duration, error) {
	if d < 0 {
		return 0, errRetention
	}
	return d, nil
}
