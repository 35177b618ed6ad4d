package define

import (
	"math"
	"slices"
	"strconv"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/planner"
	"raisind/sql/types"
	"raisind/storage"
)

// freeType refuses the name of a type that is taken.
func (e *Env) freeType(schema, name string) error {
	if _, ok := e.snapshot().TypeByName(schema, name); ok {
		return pgerr.New(pgerr.DuplicateObject, "type %q already exists", name)
	}
	return nil
}

func (e *Env) createType(s *ast.CreateType) error {
	schema, err := e.Target(s.Name, false)
	if err != nil {
		return err
	}
	if err := e.freeType(schema, s.Name.Name); err != nil {
		return err
	}
	if s.Enum {
		return e.createEnum(schema, s)
	}
	r := e.Cat.Catalog().NewRelation(catalog.CompositeType, schema, s.Name.Name)
	r.Owner = e.Role
	for i := range s.Columns {
		if err := e.addAttribute(r, &s.Columns[i], s.Text); err != nil {
			return err
		}
	}
	return e.Cat.Create(e.Ctx, r)
}

func (e *Env) addAttribute(r *catalog.Relation, def *ast.ColumnDef, text string) error {
	if _, dup := r.ColumnByName(def.Name); dup {
		if r.RowType() != nil {
			return pgerr.New(pgerr.DuplicateColumn, "column %q of relation %q already exists", def.Name, r.Name)
		}
		return pgerr.New(pgerr.DuplicateColumn, "attribute %q specified more than once", def.Name)
	}
	t, typmod, err := planner.TypeName(e.Ctx, &def.Type, e.Plan(text))
	if err != nil {
		return err
	}
	if t.IsPseudo() {
		return pgerr.New(pgerr.InvalidTableDefinition, "column %q has pseudo-type %s", def.Name, t)
	}
	if t == r.RowType() {
		return pgerr.New(pgerr.InvalidTableDefinition, "composite type %s cannot be made a member of itself", r.Name)
	}
	r.Columns = append(r.Columns, catalog.Column{ID: r.NextColumnID, Name: def.Name, Type: t, Typmod: typmod})
	r.NextColumnID++
	return nil
}

func (e *Env) createEnum(schema string, s *ast.CreateType) error {
	u := &catalog.UserType{
		OID: e.Cat.Catalog().NextOID(), ArrayOID: e.Cat.Catalog().NextOID(), Schema: schema, Name: s.Name.Name, Enum: &catalog.Enum{},
		Security: catalog.Security{Owner: e.Role},
	}
	for i, l := range s.Labels {
		if err := checkLabel(l); err != nil {
			return err
		}
		if slices.Contains(s.Labels[:i], l) {
			return pgerr.New(pgerr.DuplicateObject, "enum label %q used more than once", l)
		}
		u.Enum.Labels = append(u.Enum.Labels, types.Label{OID: e.Cat.Catalog().NextOID(), Name: l, Order: float64(i + 1)})
	}
	return e.Cat.CreateObject(e.Ctx, u)
}

func checkLabel(l string) error {
	if len(l) > MaxNameBytes {
		return pgerr.New(pgerr.InvalidName, "invalid enum label %q", l).WithDetail("Labels must be %d bytes or less.", MaxNameBytes)
	}
	return nil
}

// userType finds and locks an enum or a domain, and checks that the role owns it.
func (e *Env) userType(name ast.RelName) (*catalog.UserType, error) {
	schemas := e.Path
	if name.Schema != "" {
		schemas = []string{name.Schema}
	}
	for _, schema := range schemas {
		u, ok := e.snapshot().UserTypeByName(schema, name.Name)
		if !ok {
			if r, ok := e.snapshot().ByName(schema, name.Name); ok && r.RowType() != nil {
				return nil, nil
			}
			continue
		}
		o, err := e.Cat.LockObject(e.Ctx, u.Ref())
		if err != nil {
			return nil, err
		}
		if u, ok = o.(*catalog.UserType); !ok {
			break
		}
		return u, e.MustOwn(u.OwnerOID(), "type", u.Name)
	}
	return nil, pgerr.New(pgerr.UndefinedObject, "type %q does not exist", name.Dotted())
}

func (e *Env) enum(name ast.RelName) (*catalog.UserType, error) {
	u, err := e.userType(name)
	if err != nil {
		return nil, err
	}
	if u == nil || u.Enum == nil {
		return nil, pgerr.New(pgerr.WrongObjectType, "%s is not an enum", name.Dotted())
	}
	return u.Clone(), nil
}

func (e *Env) alterEnum(s *ast.AlterEnum) error {
	u, err := e.enum(s.Name)
	if err != nil {
		return err
	}
	if err := checkLabel(s.Label); err != nil {
		return err
	}
	labels := u.Enum.Labels
	find := func(name string) int {
		return slices.IndexFunc(labels, func(l types.Label) bool { return l.Name == name })
	}
	if find(s.Label) >= 0 {
		if s.IfNotExists {
			e.notice(pgerr.DuplicateObject, "enum label %q already exists, skipping", s.Label)
			return nil
		}
		return pgerr.New(pgerr.DuplicateObject, "enum label %q already exists", s.Label)
	}
	at := len(labels)
	if s.Neighbor != "" {
		if at = find(s.Neighbor); at < 0 {
			return pgerr.New(pgerr.InvalidParameterValue, "%q is not an existing enum label", s.Neighbor)
		}
		if s.After {
			at++
		}
	}
	order := 1.0
	switch {
	case len(labels) == 0:
	case at == 0:
		order = labels[0].Order - 1
	case at == len(labels):
		order = labels[at-1].Order + 1
	default:
		low, high := labels[at-1].Order, labels[at].Order
		order = low + (high-low)/2
		if order <= low || order >= high || math.IsInf(order, 0) {
			return pgerr.New(pgerr.ProgramLimitExceeded, "no room between the enum labels %q and %q", labels[at-1].Name, labels[at].Name)
		}
	}
	u.Enum.Labels = slices.Insert(labels, at, types.Label{OID: e.Cat.Catalog().NextOID(), Name: s.Label, Order: order})
	return e.Cat.ReplaceObject(e.Ctx, u)
}

func (e *Env) renameLabel(s *ast.AlterObject) error {
	u, err := e.enum(s.Name)
	if err != nil {
		return err
	}
	if err := checkLabel(s.New); err != nil {
		return err
	}
	at := -1
	for i, l := range u.Enum.Labels {
		if l.Name == s.Part {
			at = i
		}
	}
	if at < 0 {
		return pgerr.New(pgerr.InvalidParameterValue, "%q is not an existing enum label", s.Part)
	}
	for _, l := range u.Enum.Labels {
		if l.Name == s.New {
			return pgerr.New(pgerr.DuplicateObject, "enum label %q already exists", s.New)
		}
	}
	u.Enum.Labels[at].Name = s.New
	return e.Cat.ReplaceObject(e.Ctx, u)
}

// composite finds and locks a composite type.
func (e *Env) composite(name ast.RelName) (*catalog.Relation, error) {
	r, err := e.lock(name, storage.AccessExclusive)
	switch {
	case err != nil:
		return nil, err
	case r == nil:
		return nil, missingRelation(name)
	case r.Kind != catalog.CompositeType:
		return nil, pgerr.New(pgerr.WrongObjectType, "%q is not a composite type", r.Name)
	}
	return r.Clone(), e.MustOwn(r.OwnerOID(), "type", r.Name)
}

// usedBy names a column that has a type; empty when none has.
func (e *Env) usedBy(oids ...uint32) string {
	for _, r := range e.snapshot().Relations() {
		for i := range r.Columns {
			if t := r.Columns[i].Type; t != nil && slices.Contains(oids, t.OID) && r.Kind.HasRows() {
				return r.Name + "." + r.Columns[i].Name
			}
		}
	}
	return ""
}

func (e *Env) alterComposite(s *ast.AlterComposite) error {
	r, err := e.composite(s.Name)
	if err != nil {
		return err
	}
	for i := range s.Actions {
		a := &s.Actions[i]
		if used := e.usedBy(r.TypeOID, r.ArrayOID); used != "" {
			table, column, _ := cutLast(used)
			return pgerr.New(pgerr.FeatureNotSupported, "cannot alter type %q because column %q uses it", r.Name, table+"."+column)
		}
		switch a.Kind {
		case ast.AddColumn:
			if err := e.addAttribute(r, a.Column, s.Text); err != nil {
				return err
			}
			continue
		}
		at, ok := r.ColumnByName(a.Name)
		if !ok {
			if a.Kind == ast.DropColumn && a.IfExists {
				e.notice(pgerr.Code{}, "column %q of relation %q does not exist, skipping", a.Name, r.Name)
				continue
			}
			return pgerr.New(pgerr.UndefinedColumn, "column %q of relation %q does not exist", a.Name, r.Name)
		}
		if a.Kind == ast.DropColumn {
			r.Columns = slices.Delete(r.Columns, at, at+1)
			continue
		}
		c := &r.Columns[at]
		if c.Type, c.Typmod, err = planner.TypeName(e.Ctx, a.Type, e.Plan(s.Text)); err != nil {
			return err
		}
	}
	return e.Cat.Replace(e.Ctx, r)
}

func cutLast(s string) (before, after string, ok bool) {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '.' {
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

func (e *Env) createDomain(s *ast.CreateDomain) error {
	schema, err := e.Target(s.Name, false)
	if err != nil {
		return err
	}
	if err := e.freeType(schema, s.Name.Name); err != nil {
		return err
	}
	t, typmod, err := planner.TypeName(e.Ctx, &s.Type, e.Plan(s.Text))
	if err != nil {
		return err
	}
	if t.IsPseudo() {
		return pgerr.New(pgerr.DatatypeMismatch, "%q is not a valid base type for a domain", t)
	}
	u := &catalog.UserType{
		OID: e.Cat.Catalog().NextOID(), ArrayOID: e.Cat.Catalog().NextOID(), Schema: schema, Name: s.Name.Name,
		Domain: &catalog.Domain{Base: t.OID, Typmod: typmod}, Security: catalog.Security{Owner: e.Role},
	}
	if s.Collation != nil {
		u.Domain.Collation = s.Collation[len(s.Collation)-1]
	}
	null := false
	for i := range s.Constraints {
		c := &s.Constraints[i]
		switch c.Kind {
		case ast.NotNull, ast.Null:
			if c.Kind == ast.Null && u.Domain.NotNull || c.Kind == ast.NotNull && null {
				return pgerr.New(pgerr.SyntaxError, "conflicting NULL/NOT NULL constraints")
			}
			null = c.Kind == ast.Null
			u.Domain.NotNull = c.Kind == ast.NotNull
		case ast.DefaultValue:
			if u.Domain.Default != "" {
				return pgerr.New(pgerr.SyntaxError, "multiple default expressions")
			}
			if u.Domain.Default, err = e.domainDefault(u, c.Expr, s.Text); err != nil {
				return err
			}
		case ast.Check:
			if err := e.domainCheck(u, c, s.Text); err != nil {
				return err
			}
		}
	}
	return e.Cat.CreateObject(e.Ctx, u)
}

func (e *Env) baseOf(u *catalog.UserType) *types.Type {
	t, _ := e.snapshot().TypeByOID(u.Domain.Base)
	return t
}

// domainDefault checks a default and gives its text.
func (e *Env) domainDefault(u *catalog.UserType, x ast.Expr, text string) (string, error) {
	if err := planner.CheckDomainDefault(e.Ctx, e.Plan(text), e.baseOf(u), u.Domain.Typmod, u.Name, x); err != nil {
		return "", err
	}
	return ast.Format(x), nil
}

// domainCheck adds a check.
func (e *Env) domainCheck(u *catalog.UserType, c *ast.Constraint, text string) error {
	if _, err := planner.DomainCheck(e.Ctx, e.Plan(text), e.baseOf(u), u.Domain.Typmod, c.Expr); err != nil {
		return err
	}
	name := c.Name
	taken := func(n string) bool {
		return slices.ContainsFunc(u.Domain.Checks, func(c catalog.Constraint) bool { return c.Name == n })
	}
	if name == "" {
		name = u.Name + "_check"
		for i := 1; taken(name); i++ {
			name = u.Name + "_check" + strconv.Itoa(i)
		}
	} else if taken(name) {
		return pgerr.New(pgerr.DuplicateObject, "constraint %q for domain %q already exists", name, u.Name)
	}
	u.Domain.Checks = append(u.Domain.Checks, catalog.Constraint{
		OID: e.Cat.Catalog().NextOID(), Name: name, Kind: catalog.ConstraintCheck, Expr: ast.Format(c.Expr), NotValid: c.NotValid,
	})
	return nil
}

func (e *Env) alterDomain(s *ast.AlterDomain) error {
	u, err := e.userType(s.Name)
	if err != nil {
		return err
	}
	if u == nil || u.Domain == nil {
		return pgerr.New(pgerr.WrongObjectType, "%s is not a domain", s.Name.Dotted())
	}
	u = u.Clone()
	check := func(name string) int {
		return slices.IndexFunc(u.Domain.Checks, func(c catalog.Constraint) bool { return c.Name == name })
	}
	var verify string // what rows have to fulfil now
	switch s.Action {
	case "set default":
		u.Domain.Default, err = e.domainDefault(u, s.Expr, s.Text)
	case "drop default":
		u.Domain.Default = ""
	case "set not null":
		u.Domain.NotNull = true
		verify = "not null"
	case "drop not null":
		u.Domain.NotNull = false
	case "add":
		switch s.Constraint.Kind {
		case ast.Check:
			if err = e.domainCheck(u, s.Constraint, s.Text); err == nil && !s.Constraint.NotValid {
				verify = u.Domain.Checks[len(u.Domain.Checks)-1].Name
			}
		case ast.NotNull:
			u.Domain.NotNull = true
			verify = "not null"
		default:
			err = pgerr.New(pgerr.FeatureNotSupported, "this constraint of a domain is not supported")
		}
	case "drop constraint":
		at := check(s.Part)
		switch {
		case at >= 0:
			u.Domain.Checks = slices.Delete(u.Domain.Checks, at, at+1)
		case s.IfExists:
			e.notice(pgerr.Code{}, "constraint %q of domain %q does not exist, skipping", s.Part, u.Name)
			return nil
		default:
			err = pgerr.New(pgerr.UndefinedObject, "constraint %q of domain %q does not exist", s.Part, u.Name)
		}
	case "validate":
		at := check(s.Part)
		if at < 0 {
			return pgerr.New(pgerr.UndefinedObject, "constraint %q of domain %q does not exist", s.Part, u.Name)
		}
		u.Domain.Checks[at].NotValid = false
		verify = s.Part
	}
	if err != nil {
		return err
	}
	if err := e.Cat.ReplaceObject(e.Ctx, u); err != nil || verify == "" {
		return err
	}
	return e.VerifyDomain(u, verify)
}
