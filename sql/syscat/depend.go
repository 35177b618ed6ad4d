package syscat

import (
	"raisind/catalog"
	"raisind/sql/types"
)

// classOID is pg_depend's classid of a class of objects.
func classOID(c catalog.Class) uint32 {
	switch c {
	case catalog.ClassRelation, catalog.ClassIndex:
		return classPgClass
	case catalog.ClassConstraint:
		return classPgConstraint
	case catalog.ClassTrigger:
		return classPgTrigger
	case catalog.ClassDefault:
		return classPgAttrdef
	case catalog.ClassSchema:
		return classPgNamespace
	case catalog.ClassType:
		return classPgType
	case catalog.ClassFunction:
		return classPgProc
	case catalog.ClassRole:
		return classPgAuthid
	case catalog.ClassExtension:
		return classPgExtension
	}
	return classPgDatabase
}

// depends collects pg_depend.
type depends struct {
	*builder
	s *state
}

// on enters that an object depends on another; what PostgreSQL pins is left out.
func (d *depends) on(class, oid uint32, sub int, refClass, ref uint32, refSub int, kind byte) {
	if ref < firstOwnOID && kind != 'i' && kind != 'e' || ref == 0 {
		return
	}
	d.add("classid", class, "objid", oid, "objsubid", sub, "refclassid", refClass, "refobjid", ref, "refobjsubid", refSub, "deptype", kind)
}

// schema enters that an object is in a schema.
func (d *depends) schema(class, oid uint32, schema string) {
	if ns := d.s.schemaOID(schema); ns >= firstOwnOID || ns == publicOID {
		d.add("classid", class, "objid", oid, "refclassid", classPgNamespace, "refobjid", ns, "deptype", "n")
	}
}

func (d *depends) list(class, oid uint32, sub int, list []catalog.Dependency) {
	for _, x := range list {
		kind := byte(x.Kind)
		if kind == 0 {
			kind = 'n'
		}
		d.on(class, oid, sub, classOID(x.On.Class), x.On.OID, int(x.On.Sub), kind)
	}
}

func dependRows(r *reader) ([]types.Row, error) {
	d := &depends{build("pg_depend"), r.state}
	for _, m := range builtins().postgis {
		d.on(m.class, m.oid, 0, classPgExtension, postgisOID, 0, 'e')
	}
	for _, rel := range relations().sorted {
		if rel.schema == "public" {
			d.on(classPgClass, rel.oid, 0, classPgExtension, postgisOID, 0, 'e')
		}
	}
	d.add("classid", classPgLanguage, "objid", plpgsqlLangOID, "refclassid", classPgExtension, "refobjid", plpgsqlExtensionOID, "deptype", "e")
	r.eachRelation(d.relation)
	for _, o := range r.snap.Objects(catalog.ClassType) {
		u := o.(*catalog.UserType)
		d.schema(classPgType, u.OID, u.Schema)
		if u.ArrayOID != 0 {
			d.on(classPgType, u.ArrayOID, 0, classPgType, u.OID, 0, 'i')
		}
		d.list(classPgType, u.OID, 0, u.Depends)
		if u.Domain != nil {
			d.on(classPgType, u.OID, 0, classPgType, u.Domain.Base, 0, 'n')
			for i := range u.Domain.Checks {
				d.on(classPgConstraint, u.Domain.Checks[i].OID, 0, classPgType, u.OID, 0, 'a')
				d.list(classPgConstraint, u.Domain.Checks[i].OID, 0, u.Domain.Checks[i].Depends)
			}
		}
	}
	for _, o := range r.snap.Objects(catalog.ClassFunction) {
		f := o.(*catalog.Function)
		d.schema(classPgProc, f.OID, f.Schema)
		d.list(classPgProc, f.OID, 0, f.Depends)
		for _, a := range f.Args {
			d.on(classPgProc, f.OID, 0, classPgType, a.Type, 0, 'n')
		}
		d.on(classPgProc, f.OID, 0, classPgType, f.Returns, 0, 'n')
		if f.Language == "plpgsql" {
			d.add("classid", classPgProc, "objid", f.OID, "refclassid", classPgLanguage, "refobjid", plpgsqlLangOID, "deptype", "n")
		}
	}
	return d.rows, nil
}

func (d *depends) relation(r *catalog.Relation) {
	if r.Kind == catalog.CompositeType {
		d.schema(classPgType, r.TypeOID, r.Schema)
		d.on(classPgClass, r.OID, 0, classPgType, r.TypeOID, 0, 'i')
	} else {
		d.schema(classPgClass, r.OID, r.Schema)
		if r.TypeOID != 0 {
			d.on(classPgType, r.TypeOID, 0, classPgClass, r.OID, 0, 'i')
		}
	}
	if r.ArrayOID != 0 {
		d.on(classPgType, r.ArrayOID, 0, classPgType, r.TypeOID, 0, 'i')
	}
	for i := range r.Columns {
		c := &r.Columns[i]
		d.on(classPgClass, r.OID, int(c.ID), classPgType, c.Type.OID, 0, 'n')
		if c.Default+c.Generated != "" {
			oid := d.s.defaultOID(r, c)
			d.on(classPgAttrdef, oid, 0, classPgClass, r.OID, int(c.ID), 'a')
			d.list(classPgAttrdef, oid, 0, c.Depends)
		}
	}
	if q := r.Sequence; q != nil && q.Owner != 0 {
		if owner, ok := d.s.snap.ByID(q.Owner); ok {
			kind := byte('a')
			if q.Identity {
				kind = 'i'
			}
			d.on(classPgClass, r.OID, 0, classPgClass, owner.OID, int(q.OwnerColumn), kind)
		}
	}
	for i := range r.Indexes {
		x := &r.Indexes[i]
		if c := constraintOf(r, x); c != nil {
			d.on(classPgClass, x.OID, 0, classPgConstraint, c.OID, 0, 'i')
		} else {
			for _, at := range x.Columns {
				if at >= 0 {
					d.on(classPgClass, x.OID, 0, classPgClass, r.OID, int(r.Columns[at].ID), 'a')
				}
			}
			if x.HasExprs() || x.Predicate != "" {
				d.on(classPgClass, x.OID, 0, classPgClass, r.OID, 0, 'a')
			}
		}
		d.list(classPgClass, x.OID, 0, x.Depends)
	}
	for i := range r.Constraints {
		c := &r.Constraints[i]
		for _, n := range c.Columns {
			d.on(classPgConstraint, c.OID, 0, classPgClass, r.OID, int(n), 'a')
		}
		if len(c.Columns) == 0 {
			d.on(classPgConstraint, c.OID, 0, classPgClass, r.OID, 0, 'a')
		}
		if ref, ok := d.s.snap.ByID(c.RefRelation); ok && c.Kind == catalog.ConstraintForeign {
			for _, n := range c.RefColumns {
				d.on(classPgConstraint, c.OID, 0, classPgClass, ref.OID, int(n), 'n')
			}
			d.on(classPgConstraint, c.OID, 0, classPgClass, indexByID(ref, c.Index), 0, 'n')
		}
		d.list(classPgConstraint, c.OID, 0, c.Depends)
	}
	for i := range r.Triggers {
		t := &r.Triggers[i]
		d.on(classPgTrigger, t.OID, 0, classPgClass, r.OID, 0, 'a')
		d.on(classPgTrigger, t.OID, 0, classPgProc, t.Function, 0, 'n')
		d.list(classPgTrigger, t.OID, 0, t.Depends)
	}
	if q := r.Query; q != nil {
		rule := ruleOID(r.OID)
		d.on(classPgRewrite, rule, 0, classPgClass, r.OID, 0, 'i')
		d.on(classPgRewrite, rule, 0, classPgClass, r.OID, 0, 'n')
		d.list(classPgRewrite, rule, 0, q.Depends)
	}
}
