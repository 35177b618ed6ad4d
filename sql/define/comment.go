package define

import (
	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/storage"
)

// commented are the kinds of relations that COMMENT ON names by a word of their own.
var commented = map[string]catalog.Kind{
	"table": catalog.Table, "view": catalog.View, "materialized view": catalog.MaterializedView, "sequence": catalog.Sequence,
}

// comment is COMMENT ON.
func (e *Env) comment(s *ast.Comment) error {
	text := ""
	if s.Text != nil {
		text = *s.Text
	}
	switch s.Kind {
	case "column":
		return e.commentColumn(nameOf(s.Name[:len(s.Name)-1]), s.Name[len(s.Name)-1], text)
	case "index":
		return e.commentIndex(nameOf(s.Name), text)
	case "constraint", "trigger":
		return e.commentPart(s, text)
	case "schema", "type", "domain", "extension", "role", "database", "function", "procedure", "routine":
		return e.commentObject(s, text)
	}
	kind, ok := commented[s.Kind]
	if !ok {
		return pgerr.New(pgerr.FeatureNotSupported, "comments on a %s are not supported", s.Kind)
	}
	r, err := e.lockOwned(nameOf(s.Name))
	if err != nil {
		return err
	}
	if r.Kind != kind && !(kind == catalog.Table && r.Kind == catalog.Workspace) {
		return pgerr.New(pgerr.WrongObjectType, "%q is not a %s", r.Name, s.Kind)
	}
	n := r.Clone()
	n.Comment = text
	return e.Cat.Replace(e.Ctx, n)
}

// nameOf makes a name of its parts, of which the last two count.
func nameOf(parts []string) ast.RelName {
	var n ast.RelName
	if k := len(parts); k > 0 {
		n.Name = parts[k-1]
		if k > 1 {
			n.Schema = parts[k-2]
		}
	}
	return n
}

// lockOwned finds a relation that the role owns and keeps others from redefining it.
func (e *Env) lockOwned(name ast.RelName) (*catalog.Relation, error) {
	r, err := e.lock(name, storage.ShareUpdateExclusive)
	switch {
	case err != nil:
		return nil, err
	case r == nil:
		return nil, missingRelation(name)
	}
	return r, e.MustOwn(r.OwnerOID(), r.Kind.String(), r.Name)
}

func (e *Env) commentColumn(name ast.RelName, column, text string) error {
	r, err := e.lockOwned(name)
	if err != nil {
		return err
	}
	at, ok := r.ColumnByName(column)
	if !ok {
		return pgerr.New(pgerr.UndefinedColumn, "column %q of relation %q does not exist", column, r.Name)
	}
	n := r.Clone()
	n.Columns[at].Comment = text
	return e.Cat.Replace(e.Ctx, n)
}

func (e *Env) commentIndex(name ast.RelName, text string) error {
	schemas := e.Path
	if name.Schema != "" {
		schemas = []string{name.Schema}
	}
	for _, schema := range schemas {
		for _, r := range e.snapshot().Relations() {
			if r.Schema != schema {
				continue
			}
			if _, ok := r.IndexByName(name.Name); !ok {
				continue
			}
			r, err := e.lockOwned(ast.RelName{Schema: r.Schema, Name: r.Name})
			if err != nil {
				return err
			}
			n := r.Clone()
			if ix, ok := n.IndexByName(name.Name); ok {
				ix.Comment = text
				return e.Cat.Replace(e.Ctx, n)
			}
		}
	}
	return missingRelation(name)
}

// commentPart is a comment on a constraint or trigger of a relation.
func (e *Env) commentPart(s *ast.Comment, text string) error {
	r, err := e.lockOwned(*s.On)
	if err != nil {
		return err
	}
	n := r.Clone()
	name := s.Name[0]
	if s.Kind == "constraint" {
		for i := range n.Constraints {
			if n.Constraints[i].Name == name {
				n.Constraints[i].Comment = text
				return e.Cat.Replace(e.Ctx, n)
			}
		}
		return pgerr.New(pgerr.UndefinedObject, "constraint %q for table %q does not exist", name, r.Name)
	}
	for i := range n.Triggers {
		if n.Triggers[i].Name == name {
			n.Triggers[i].Comment = text
			return e.Cat.Replace(e.Ctx, n)
		}
	}
	return pgerr.New(pgerr.UndefinedObject, "trigger %q for table %q does not exist", name, r.Name)
}

// commentObject is a comment on what belongs to no relation.
func (e *Env) commentObject(s *ast.Comment, text string) error {
	name := nameOf(s.Name)
	missing := func(code pgerr.Code) error {
		return pgerr.New(code, "%s %q does not exist", s.Kind, name.Dotted())
	}
	var o catalog.Object
	switch s.Kind {
	case "schema":
		found, ok := e.snapshot().Schema(name.Name)
		if !ok {
			return missing(pgerr.InvalidSchemaName)
		}
		if err := e.MustOwn(found.OwnerOID(), "schema", found.Name); err != nil {
			return err
		}
		n := *found
		n.Comment, o = text, &n
	case "extension":
		found, ok := e.snapshot().Extension(name.Name)
		if !ok {
			return missing(pgerr.UndefinedObject)
		}
		n := *found
		n.Comment, o = text, &n
	case "role":
		found, err := e.role(name.Name)
		if err != nil {
			return err
		}
		n := *found
		n.Comment, o = text, &n
	case "type", "domain":
		u, err := e.userType(name)
		if err != nil {
			return err
		}
		if u == nil {
			r, err := e.lockOwned(name)
			if err != nil {
				return err
			}
			n := r.Clone()
			n.Comment = text
			return e.Cat.Replace(e.Ctx, n)
		}
		if err := e.MustOwn(u.OwnerOID(), s.Kind, u.Name); err != nil {
			return err
		}
		n := *u
		n.Comment, o = text, &n
	case "database":
		if name.Name != e.databaseName() {
			return missing(pgerr.InvalidCatalogName)
		}
		found := e.snapshot().Database()
		n := *found
		n.Comment, o = text, &n
	default:
		f, err := e.function(name, s.Args, "")
		if err != nil {
			return err
		}
		if f == nil {
			return pgerr.New(pgerr.InsufficientPrivilege, "must be owner of function %s", name.Dotted())
		}
		if err := e.MustOwn(f.OwnerOID(), "function", f.Name); err != nil {
			return err
		}
		n := f.Clone()
		n.Comment, o = text, n
	}
	return e.Cat.ReplaceObject(e.Ctx, o)
}
