package ddl

import (
	"strings"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/storage"
)

// index finds an index by name.
func (d *definer) index(n ast.RelName) (*catalog.Relation, *catalog.Index, bool) {
	path := d.searchPath()
	if n.Schema != "" {
		path = []string{n.Schema}
	}
	for _, s := range path {
		if r, x, ok := d.Catalog.Snapshot().IndexByName(s, n.Name); ok {
			return r, x, true
		}
	}
	return nil, nil, false
}

// lockIndex finds an index and locks its table; nil when there is none.
func (d *definer) lockIndex(n ast.RelName) (*catalog.Relation, *catalog.Index, error) {
	for {
		r, x, ok := d.index(n)
		if !ok {
			return nil, nil, nil
		}
		if err := d.Txn.LockRelation(d.ctx, r.ID, storage.AccessExclusive, storage.Wait); err != nil {
			return nil, nil, err
		}
		if again, y, ok := d.index(n); ok && y.OID == x.OID {
			return again, y, d.objects().MustOwn(again.OwnerOID(), "index", y.Name)
		}
	}
}

// lockOther locks a relation that changes with the table.
func (d *definer) lockOther(r *catalog.Relation) error {
	return d.Txn.LockRelation(d.ctx, r.ID, storage.AccessExclusive, storage.Wait)
}

// dropIndexes is DROP INDEX.
func (d *definer) dropIndexes(s *ast.DropObject) error {
	if s.Concurrently && len(s.Names) > 1 {
		return pgerr.New(pgerr.FeatureNotSupported, "DROP INDEX CONCURRENTLY does not support dropping multiple objects")
	}
	if s.Concurrently && s.Cascade {
		return pgerr.New(pgerr.FeatureNotSupported, "DROP INDEX CONCURRENTLY does not support CASCADE")
	}
	var refs []catalog.Ref
	for _, n := range s.Names {
		r, x, err := d.lockIndex(n)
		if err != nil {
			return err
		}
		if x == nil {
			if other := d.lookup(n); other != nil {
				return pgerr.New(pgerr.WrongObjectType, "%q is not an index", other.Name).WithHint("Use DROP %s to remove a %s.", strings.ToUpper(other.Kind.String()), other.Kind)
			}
			if n.Schema != "" {
				if _, ok := d.Catalog.Snapshot().Schema(n.Schema); !ok {
					if s.IfExists {
						d.notice("schema %q does not exist, skipping", n.Schema)
						continue
					}
					return pgerr.New(pgerr.InvalidSchemaName, "schema %q does not exist", n.Schema)
				}
			}
			if s.IfExists {
				d.notice("index %q does not exist, skipping", n.Name)
				continue
			}
			return pgerr.New(pgerr.UndefinedObject, "index %q does not exist", n.Dotted())
		}
		for i := range r.Constraints {
			if c := &r.Constraints[i]; c.Index == x.ID && c.Kind != catalog.ConstraintForeign {
				return pgerr.New(pgerr.DependentObjectsStillExist, "cannot drop index %s because constraint %s on table %s requires it", x.Name, c.Name, r.Name).
					WithHint("You can drop constraint %s on table %s instead.", c.Name, r.Name)
			}
		}
		refs = append(refs, x.Ref())
	}
	if len(refs) == 0 {
		return nil
	}
	return d.drop(refs, s.Cascade)
}

// alterIndex is ALTER INDEX.
func (d *definer) alterIndex(s *ast.AlterTable) error {
	r, x, err := d.lockIndex(s.Name)
	if err != nil {
		return err
	}
	if x == nil {
		if other := d.lookup(s.Name); other != nil {
			return pgerr.New(pgerr.WrongObjectType, "%q is not an index", other.Name)
		}
		if s.IfExists {
			d.notice("relation %q does not exist, skipping", s.Name.Name)
			return nil
		}
		return d.undefined(s.Name)
	}
	n := r.Clone()
	at, _ := n.IndexByName(x.Name)
	for i := range s.Actions {
		switch a := &s.Actions[i]; a.Kind {
		case ast.RenameTable:
			for k := range n.Constraints {
				if c := &n.Constraints[k]; c.Index == x.ID && c.Kind != catalog.ConstraintForeign {
					c.Name = a.NewName
				}
			}
			at.Name = a.NewName
		case ast.SetOptions, ast.ResetOptions:
			options := map[string]string{}
			for k, v := range at.Options {
				options[k] = v
			}
			for _, o := range a.Options {
				name := strings.ToLower(o.Name)
				if !indexOption(name) {
					return pgerr.New(pgerr.InvalidParameterValue, "unrecognized parameter %q", o.Name)
				}
				if a.Kind == ast.ResetOptions {
					delete(options, name)
				} else {
					options[name] = optionText(o)
				}
			}
			at.Options = options
		case ast.SetStatistics:
		default:
			return pgerr.New(pgerr.WrongObjectType, "ALTER action %s cannot be performed on relation %q", actionWords(a), x.Name).
				WithDetail("This operation is not supported for indexes.")
		}
	}
	return d.Catalog.Replace(d.ctx, n)
}

// indexOption tells PostgreSQL's storage parameters of indexes.
func indexOption(name string) bool {
	switch name {
	case "fillfactor", "deduplicate_items", "buffering", "fastupdate", "gin_pending_list_limit", "pages_per_range", "autosummarize":
		return true
	}
	return false
}
