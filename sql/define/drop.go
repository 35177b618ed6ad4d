package define

import (
	"strings"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/storage"
)

// kinds are the kinds of relations that DROP names by a word of their own.
var kinds = map[string]catalog.Kind{
	"view": catalog.View, "materialized view": catalog.MaterializedView, "sequence": catalog.Sequence,
}

// removers tell how each kind of relation is removed.
var removers = map[catalog.Kind]string{
	catalog.Table: "Use DROP TABLE to remove a table.", catalog.View: "Use DROP VIEW to remove a view.",
	catalog.MaterializedView: "Use DROP MATERIALIZED VIEW to remove a materialized view.",
	catalog.Sequence:         "Use DROP SEQUENCE to remove a sequence.", catalog.CompositeType: "Use DROP TYPE to remove a type.",
	catalog.Workspace: "Use DROP WORKSPACE to remove a workspace.",
}

// drop is DROP of a view, sequence, schema, type, domain or extension.
func (e *Env) drop(s *ast.DropObject) error {
	var refs []catalog.Ref
	for _, name := range s.Names {
		ref, err := e.dropped(s.Kind, name)
		if err != nil {
			if s.IfExists && (pgerr.Is(err, pgerr.UndefinedTable) || pgerr.Is(err, pgerr.UndefinedObject) || pgerr.Is(err, pgerr.InvalidSchemaName)) {
				msg := strings.TrimSuffix(pgerr.From(err).Msg, " does not exist")
				e.notice(pgerr.Code{}, "%s does not exist, skipping", msg)
				continue
			}
			return err
		}
		refs = append(refs, ref)
	}
	if len(refs) == 0 {
		return nil
	}
	return e.Drop(refs, s.Cascade)
}

// dropped finds one object to drop.
func (e *Env) dropped(kind string, name ast.RelName) (catalog.Ref, error) {
	if name.Schema != "" && name.Schema != "pg_temp" {
		if _, ok := e.snapshot().Schema(name.Schema); !ok {
			return catalog.Ref{}, pgerr.New(pgerr.InvalidSchemaName, "schema %q does not exist", name.Schema)
		}
	}
	switch kind {
	case "schema":
		o, ok := e.snapshot().Schema(name.Name)
		if !ok {
			return catalog.Ref{}, pgerr.New(pgerr.InvalidSchemaName, "schema %q does not exist", name.Name)
		}
		if err := e.MustOwn(o.OwnerOID(), "schema", o.Name); err != nil {
			return catalog.Ref{}, err
		}
		if o.OID < catalog.FirstOID && o.OID != catalog.PublicSchema {
			return catalog.Ref{}, pgerr.New(pgerr.DependentObjectsStillExist, "cannot drop schema %s because it is required by the database system", o.Name)
		}
		return o.Ref(), nil
	case "type", "domain":
		return e.droppedType(kind, name)
	case "extension":
		x, ok := e.snapshot().Extension(name.Name)
		if !ok {
			return catalog.Ref{}, pgerr.New(pgerr.UndefinedObject, "extension %q does not exist", name.Name)
		}
		return x.Ref(), pgerr.New(pgerr.FeatureNotSupported, "extension %q cannot be dropped", x.Name).WithHint("It is built in.")
	}
	r, err := e.lock(name, storage.AccessExclusive)
	if err != nil {
		return catalog.Ref{}, err
	}
	if r == nil {
		return catalog.Ref{}, pgerr.New(pgerr.UndefinedTable, "%s %q does not exist", kind, name.Dotted())
	}
	if r.Kind != kinds[kind] {
		article := "a"
		return catalog.Ref{}, pgerr.New(pgerr.WrongObjectType, "%q is not %s %s", r.Name, article, kind).WithHint("%s", removers[r.Kind])
	}
	return r.Ref(), e.MustOwn(r.OwnerOID(), kind, r.Name)
}

func (e *Env) droppedType(kind string, name ast.RelName) (catalog.Ref, error) {
	u, err := e.userType(name)
	if err != nil {
		return catalog.Ref{}, err
	}
	if u != nil {
		if kind == "domain" && u.Domain == nil {
			return catalog.Ref{}, pgerr.New(pgerr.WrongObjectType, "%q is not a domain", name.Dotted())
		}
		return u.Ref(), nil
	}
	if kind == "domain" {
		return catalog.Ref{}, pgerr.New(pgerr.WrongObjectType, "%q is not a domain", name.Dotted())
	}
	r := e.find(name)
	if r.Kind != catalog.CompositeType {
		return catalog.Ref{}, pgerr.New(pgerr.DependentObjectsStillExist, "cannot drop type %s because %s %s requires it", name.Name, r.Kind, r.Name).
			WithHint("You can drop %s %s instead.", r.Kind, r.Name)
	}
	r, err = e.composite(name)
	if err != nil {
		return catalog.Ref{}, err
	}
	return r.Ref(), nil
}
