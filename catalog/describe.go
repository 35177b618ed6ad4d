package catalog

import (
	"strconv"
	"strings"

	"raisind/sql/ast"
)

// Describe names an object as PostgreSQL's messages about dependencies do: table t,
// column c of table t. Names in a schema that visible does not hold are qualified; nil
// holds the default schema.
func (s *Snapshot) Describe(ref Ref, visible func(schema string) bool) string {
	name := func(schema, name string) string {
		if visible == nil && schema == DefaultSchema || visible != nil && visible(schema) || schema == "pg_catalog" {
			return ast.QuoteIdent(name)
		}
		return ast.QuoteIdent(schema) + "." + ast.QuoteIdent(name)
	}
	relation := func(oid uint32) string {
		if r, ok := s.ByOID(oid); ok {
			return r.Kind.String() + " " + name(r.Schema, r.Name)
		}
		return "relation " + strconv.Itoa(int(oid))
	}
	column := func() string {
		if r, ok := s.ByOID(ref.OID); ok {
			if i, ok := r.ColumnByID(ref.Sub); ok {
				return r.Columns[i].Name
			}
		}
		return strconv.Itoa(int(ref.Sub))
	}
	switch ref.Class {
	case ClassRelation:
		if ref.Sub != 0 {
			return "column " + ast.QuoteIdent(column()) + " of " + relation(ref.OID)
		}
		return relation(ref.OID)
	case ClassDefault:
		return "default value for column " + ast.QuoteIdent(column()) + " of " + relation(ref.OID)
	case ClassIndex:
		if r, x, ok := s.IndexByOID(ref.OID); ok {
			return "index " + name(r.Schema, x.Name)
		}
	case ClassConstraint:
		if r, c, ok := s.ConstraintByOID(ref.OID); ok {
			return "constraint " + ast.QuoteIdent(c.Name) + " on " + relation(r.OID)
		}
	case ClassTrigger:
		if r, t, ok := s.TriggerByOID(ref.OID); ok {
			return "trigger " + ast.QuoteIdent(t.Name) + " on " + relation(r.OID)
		}
	}
	switch o := s.objects[Ref{Class: ref.Class, OID: ref.OID}].(type) {
	case *Schema:
		return "schema " + ast.QuoteIdent(o.Name)
	case *UserType:
		return "type " + name(o.Schema, o.Name)
	case *Role:
		return "role " + ast.QuoteIdent(o.Name)
	case *Extension:
		return "extension " + ast.QuoteIdent(o.Name)
	case *Database:
		return "database"
	case *Function:
		what := "function "
		if o.Kind == 'p' {
			what = "procedure "
		}
		return what + name(o.Schema, o.Name) + "(" + s.ArgTypes(o) + ")"
	}
	return "object " + strconv.Itoa(int(ref.OID))
}

// ArgTypes are the types of a function's inputs as messages print them.
func (s *Snapshot) ArgTypes(f *Function) string {
	var list []string
	for _, oid := range f.Inputs() {
		if t, ok := s.TypeByOID(oid); ok {
			list = append(list, t.SQLName)
		} else {
			list = append(list, "???")
		}
	}
	return strings.Join(list, ", ")
}
