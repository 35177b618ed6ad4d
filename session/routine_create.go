package session

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/planner"
	"raisind/sql/plpgsql"
	"raisind/sql/types"
)

// createFunction is CREATE FUNCTION and CREATE PROCEDURE.
func (s *Session) createFunction(ctx context.Context, p *portal, n *ast.CreateFunction) error {
	name := "CREATE FUNCTION"
	if n.Procedure {
		name = "CREATE PROCEDURE"
	}
	if err := s.forbidReadOnly(name); err != nil {
		return err
	}
	tx := s.ensureTx()
	tx.queried = true
	text := p.prep.stmt.Text
	f, err := s.functionOf(ctx, n, text)
	if err != nil {
		return err
	}
	e := s.definer(ctx)
	if f.Schema, err = e.Target(n.Name, false); err != nil {
		return err
	}
	snap := tx.cat.Snapshot()
	old := sameFunction(snap, f)
	switch {
	case old == nil:
		f.OID = s.engine.cat.NextOID()
		f.Owner = s.roleOID()
	case !n.OrReplace:
		return pgerr.New(pgerr.DuplicateFunction, `function "%s" already exists with same argument types`, f.Name)
	default:
		if err := mayReplace(snap, old, f); err != nil {
			return err
		}
		f.OID, f.Security, f.Comment = old.OID, old.Security, old.Comment
	}
	if s.value(settingByName["check_function_bodies"]) != "off" {
		if err := s.checkBody(f, n, text); err != nil {
			return err
		}
	}
	for _, t := range append(f.Inputs(), f.Returns) {
		if _, ok := types.ByOID(t); !ok && t != 0 {
			f.Depends = append(f.Depends, dependOnType(snap, t)...)
		}
	}
	if old != nil {
		if _, err := tx.cat.LockObject(ctx, old.Ref()); err != nil {
			return err
		}
		return tx.cat.ReplaceObject(ctx, f)
	}
	return tx.cat.CreateObject(ctx, f)
}

func dependOnType(snap *catalog.Snapshot, oid uint32) []catalog.Dependency {
	if t, ok := snap.TypeByOID(oid); ok && t.Elem != nil {
		oid = t.Elem.OID
	}
	for _, r := range snap.Relations() {
		if r.TypeOID == oid {
			return []catalog.Dependency{{On: catalog.Ref{Class: catalog.ClassRelation, OID: r.OID}}}
		}
	}
	if _, ok := snap.UserType(oid); ok {
		return []catalog.Dependency{{On: catalog.Ref{Class: catalog.ClassType, OID: oid}}}
	}
	return nil
}

// sameFunction is the function that has the name and arguments of f, nil for none.
func sameFunction(snap *catalog.Snapshot, f *catalog.Function) *catalog.Function {
	for _, x := range snap.Functions(f.Schema, f.Name) {
		if slices.Equal(x.Inputs(), f.Inputs()) {
			return x
		}
	}
	return nil
}

// mayReplace refuses changes that callers would notice.
func mayReplace(snap *catalog.Snapshot, old, f *catalog.Function) error {
	kind := map[byte]string{'f': "function", 'p': "procedure", 'a': "aggregate function", 'w': "window function"}
	if old.Kind != f.Kind {
		return pgerr.New(pgerr.WrongObjectType, "cannot change routine kind").WithDetail(`"%s" is a %s.`, old.Name, kind[old.Kind])
	}
	drop := "DROP FUNCTION "
	if f.Kind == 'p' {
		drop = "DROP PROCEDURE "
	}
	hint := "Use " + drop + old.Name + "(" + typeList(snap, old.Inputs()) + ") first."
	outs := func(x *catalog.Function) []string {
		var list []string
		for _, a := range x.Args {
			if a.Mode == 'o' || a.Mode == 'b' || a.Mode == 't' {
				list = append(list, a.Name+" "+strconv.FormatUint(uint64(a.Type), 10))
			}
		}
		return list
	}
	if old.Returns != f.Returns || old.ReturnsSet != f.ReturnsSet {
		return pgerr.New(pgerr.InvalidFunctionDefinition, "cannot change return type of existing function").WithHint("%s", hint)
	}
	if !slices.Equal(outs(old), outs(f)) {
		return pgerr.New(pgerr.InvalidFunctionDefinition, "cannot change return type of existing function").
			WithDetail("Row type defined by OUT parameters is different.").WithHint("%s", hint)
	}
	var oldIn, newIn []catalog.FunctionArg
	for _, a := range old.Args {
		if a.Mode != 'o' && a.Mode != 't' {
			oldIn = append(oldIn, a)
		}
	}
	for _, a := range f.Args {
		if a.Mode != 'o' && a.Mode != 't' {
			newIn = append(newIn, a)
		}
	}
	for i := range oldIn {
		if oldIn[i].Name != "" && oldIn[i].Name != newIn[i].Name {
			return pgerr.New(pgerr.InvalidFunctionDefinition, `cannot change name of input parameter "%s"`, oldIn[i].Name).WithHint("%s", hint)
		}
		if oldIn[i].Default != "" && newIn[i].Default == "" {
			return pgerr.New(pgerr.InvalidFunctionDefinition, "cannot remove parameter defaults from existing function").WithHint("%s", hint)
		}
	}
	return nil
}

func typeList(snap *catalog.Snapshot, oids []uint32) string {
	var names []string
	for _, o := range oids {
		if t, ok := snap.TypeByOID(o); ok {
			names = append(names, t.String())
		} else {
			names = append(names, strconv.FormatUint(uint64(o), 10))
		}
	}
	return strings.Join(names, ",")
}

// argType finds the type of an argument or result, which may be table.column%TYPE.
func (s *Session) argType(n *ast.TypeName, text string) (*types.Type, error) {
	if n.PctType {
		table, column := n.Names[:len(n.Names)-1], n.Names[len(n.Names)-1]
		f, ok, err := host{s}.Fields(table)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, pgerr.New(pgerr.UndefinedTable, `relation "%s" does not exist`, strings.Join(table, ".")).At(pgerr.CharPos(text, n.Pos()))
		}
		i := slices.Index(f.Names, column)
		if i < 0 {
			return nil, pgerr.New(pgerr.UndefinedColumn, `column "%s" of relation "%s" does not exist`, column, strings.Join(table, ".")).At(pgerr.CharPos(text, n.Pos()))
		}
		s.notice(pgerr.Notice("type reference %s%%TYPE converted to %s", strings.Join(n.Names, "."), f.Types[i]))
		return f.Types[i], nil
	}
	c := *n
	c.SetOf = false
	if f, ok, err := (host{s}).Fields(n.Names); err == nil && ok && f.Type != nil && len(n.Dims) == 0 {
		return f.Type, nil
	}
	t, _, err := host{s}.Type(&c, text)
	return t, err
}

var argModes = map[string]byte{"in": 'i', "out": 'o', "inout": 'b', "variadic": 'v', "table": 't'}

// functionOf makes the catalog's entry of a definition.
func (s *Session) functionOf(ctx context.Context, n *ast.CreateFunction, text string) (*catalog.Function, error) {
	f := &catalog.Function{
		Name: n.Name.Name, Kind: 'f', Language: n.Language, Body: n.Body, Standard: n.Inline, Volatility: 'v', Parallel: 'u', Cost: 100,
	}
	if n.Procedure {
		f.Kind = 'p'
	}
	if f.Language == "" {
		if !n.Inline {
			return nil, pgerr.New(pgerr.InvalidFunctionDefinition, "no language specified")
		}
		f.Language = "sql"
	}
	if f.Language != "sql" && f.Language != "plpgsql" {
		return nil, noLanguage(f.Language)
	}
	if n.BodyAt == 0 && !n.Inline {
		return nil, pgerr.New(pgerr.InvalidFunctionDefinition, "no function body specified")
	}
	if n.Inline && f.Language != "sql" {
		return nil, pgerr.New(pgerr.InvalidFunctionDefinition, "inline SQL function body only valid for language SQL")
	}
	if n.Symbol != "" {
		return nil, pgerr.New(pgerr.InvalidFunctionDefinition, "only one AS item needed for language \"%s\"", f.Language)
	}
	seen := map[string]bool{}
	defaults := false
	for _, a := range slices.Concat(n.Args, n.Table) {
		t, err := s.argType(&a.Type, text)
		if err != nil {
			return nil, err
		}
		if a.Type.SetOf {
			return nil, pgerr.New(pgerr.InvalidFunctionDefinition, "functions cannot accept set arguments")
		}
		if t.IsPseudo() && !t.IsPolymorphic() && t != types.TRecord {
			return nil, pgerr.New(pgerr.InvalidFunctionDefinition, "%s functions cannot accept type %s", languageName(f.Language), t)
		}
		arg := catalog.FunctionArg{Name: a.Name, Type: t.OID, Mode: argModes[a.Mode]}
		if arg.Mode == 'v' && t.Elem == nil && t != types.TAnyArray {
			return nil, pgerr.New(pgerr.InvalidFunctionDefinition, "VARIADIC parameter must be an array")
		}
		input := arg.Mode != 'o' && arg.Mode != 't'
		if a.Name != "" {
			if seen[a.Name] {
				return nil, pgerr.New(pgerr.InvalidFunctionDefinition, `parameter name "%s" used more than once`, a.Name)
			}
			seen[a.Name] = true
		}
		switch {
		case a.Default != nil && !input:
			return nil, pgerr.New(pgerr.InvalidFunctionDefinition, "only input parameters can have default values")
		case a.Default != nil:
			arg.Default = ast.Format(a.Default)
			defaults = true
			if err := s.checkDefault(ctx, arg.Default, t); err != nil {
				return nil, err
			}
		case defaults && input:
			return nil, pgerr.New(pgerr.InvalidFunctionDefinition, "input parameters after one with a default value must also have defaults")
		}
		f.Args = append(f.Args, arg)
	}
	if err := s.resultOf(f, n, text); err != nil {
		return nil, err
	}
	return f, s.functionOptions(f, n.Options, n.Procedure)
}

func languageName(l string) string {
	if l == "sql" {
		return "SQL"
	}
	return "PL/pgSQL"
}

// checkDefault binds the default of an argument to see that it is one.
func (s *Session) checkDefault(ctx context.Context, text string, t *types.Type) error {
	return planner.CheckExpr(ctx, text, t, s.plannerOptions("", nil, s.ensureTx()))
}

// resultOf settles what a function returns.
func (s *Session) resultOf(f *catalog.Function, n *ast.CreateFunction, text string) error {
	var outs []catalog.FunctionArg
	for _, a := range f.Args {
		if a.Mode == 'o' || a.Mode == 'b' || a.Mode == 't' {
			outs = append(outs, a)
		}
	}
	implied := uint32(0)
	switch {
	case len(outs) == 1 && f.Kind != 'p':
		implied = outs[0].Type
	case len(outs) > 0:
		implied = types.TRecord.OID
	}
	switch {
	case f.Kind == 'p':
		f.Returns = implied
	case n.Table != nil:
		f.Returns, f.ReturnsSet = implied, true
	case n.Returns != nil:
		t, err := s.argType(n.Returns, text)
		if err != nil {
			if pgerr.Is(err, pgerr.UndefinedObject) {
				e := *pgerr.From(err)
				e.Pos = 0
				return &e
			}
			return err
		}
		f.Returns, f.ReturnsSet = t.OID, n.Returns.SetOf
		if implied != 0 && implied != t.OID {
			it, _ := s.ensureTx().cat.Snapshot().TypeByOID(implied)
			return pgerr.New(pgerr.InvalidFunctionDefinition, "function result type must be %s because of OUT parameters", it)
		}
		if t.IsPseudo() && !t.IsPolymorphic() && t != types.TRecord && t != types.TVoid && !(t == types.TTrigger && f.Language == "plpgsql") {
			return pgerr.New(pgerr.InvalidFunctionDefinition, "%s functions cannot return type %s", languageName(f.Language), t)
		}
		if t == types.TTrigger && len(f.Args) > 0 {
			return pgerr.New(pgerr.InvalidFunctionDefinition, "trigger functions cannot have declared arguments").
				WithHint("The arguments of the trigger can be accessed through TG_NARGS and TG_ARGV instead.")
		}
		if t.IsPolymorphic() && !slices.ContainsFunc(f.Args, func(a catalog.FunctionArg) bool {
			x, ok := types.ByOID(a.Type)
			return ok && x.IsPolymorphic() && a.Mode != 'o' && a.Mode != 't'
		}) {
			return pgerr.New(pgerr.InvalidFunctionDefinition, "cannot determine result data type").
				WithDetail("A result of type %s requires at least one input of type anyelement, anyarray, anynonarray, anyenum, anyrange, or anymultirange.", t)
		}
	case implied != 0:
		f.Returns = implied
	default:
		return pgerr.New(pgerr.InvalidFunctionDefinition, "function result type must be specified")
	}
	if f.ReturnsSet {
		f.Rows = 1000
	}
	return nil
}

// functionOptions applies options of CREATE and ALTER FUNCTION.
func (s *Session) functionOptions(f *catalog.Function, options []ast.Option, procedure bool) error {
	for _, o := range options {
		text := ""
		if l, ok := o.Value.(*ast.Literal); ok {
			text = l.Text
		}
		if procedure && o.Name != "security" && o.Name != "set" {
			return pgerr.New(pgerr.InvalidFunctionDefinition, "invalid attribute in procedure definition")
		}
		switch o.Name {
		case "volatility":
			f.Volatility = text[0]
		case "strict":
			f.Strict = text == "on"
		case "security":
			f.SecurityDefiner = text == "definer"
		case "leakproof":
			f.Leakproof = text == "on"
		case "parallel":
			switch strings.ToLower(text) {
			case "safe", "restricted", "unsafe":
				f.Parallel = strings.ToLower(text)[0]
			default:
				return pgerr.New(pgerr.SyntaxError, "parameter \"parallel\" must be SAFE, RESTRICTED, or UNSAFE")
			}
		case "cost", "rows":
			v, err := strconv.ParseFloat(ast.Format(o.Value), 64)
			if err != nil || v <= 0 {
				return pgerr.New(pgerr.InvalidParameterValue, "%s must be positive", strings.ToUpper(o.Name))
			}
			if o.Name == "cost" {
				f.Cost = v
			} else if !f.ReturnsSet {
				return pgerr.New(pgerr.InvalidParameterValue, "ROWS is not applicable when function does not return a set")
			} else {
				f.Rows = v
			}
		case "set":
			if err := s.functionSetting(f, o.Value); err != nil {
				return err
			}
		default:
			return pgerr.New(pgerr.FeatureNotSupported, "functions with %s are not supported", strings.ToUpper(o.Name))
		}
	}
	return nil
}

// functionSetting keeps SET name TO value of a function.
func (s *Session) functionSetting(f *catalog.Function, x ast.Expr) error {
	row, ok := x.(*ast.RowLit)
	if !ok || len(row.Args) == 0 {
		return pgerr.New(pgerr.InternalError, "a SET option has no name")
	}
	name := strings.ToLower(row.Args[0].(*ast.Literal).Text)
	f.Config = slices.DeleteFunc(slices.Clone(f.Config), func(c string) bool { return strings.HasPrefix(c, name+"=") })
	values := row.Args[1:]
	if len(values) == 0 {
		return nil
	}
	var parts []string
	for _, v := range values {
		l, ok := v.(*ast.Literal)
		switch {
		case !ok:
			parts = append(parts, ast.Format(v))
		case l.Kind == ast.LitNull:
			cur, _ := s.Setting(name)
			parts = append(parts, cur)
		case l.Kind == ast.LitString:
			parts = append(parts, l.Text)
		default:
			parts = append(parts, ast.Format(v))
		}
	}
	value := strings.Join(parts, ", ")
	d := findSetting(name)
	if d == nil {
		if !strings.Contains(name, ".") {
			return unknownSetting(name)
		}
	} else {
		var err error
		if value, err = d.canonical(s, value); err != nil {
			return err
		}
	}
	f.Config = append(f.Config, name+"="+value)
	return nil
}

// checkBody reads a body; its errors point into the statement.
func (s *Session) checkBody(f *catalog.Function, n *ast.CreateFunction, text string) error {
	snap := s.ensureTx().cat.Snapshot()
	d := s.describe(snap, f, nil)
	place := func(at int) int { return int(n.BodyAt) + at }
	if !n.Inline {
		place = bodyPlace(text, int(n.BodyAt), f.Body)
	}
	polymorphic := slices.ContainsFunc(d.Args, func(a plpgsql.Arg) bool { return a.Type.IsPolymorphic() })
	if polymorphic {
		ts := make([]*types.Type, len(d.Args))
		for i := range ts {
			ts[i] = types.TInt4
			if a := d.Args[i].Type; a == types.TAnyArray || a == types.TAnyCompatibleArray {
				ts[i] = types.TInt4.Array()
			}
		}
		concretize(d, ts, nil)
	}
	s.interpreter()
	fn, err := s.readBody(*d, f)
	if err == nil && f.Language == "sql" && !polymorphic {
		err = s.interpreter().CheckSQL(fn)
	}
	if err == nil {
		return nil
	}
	if f.Language == "sql" {
		e := *pgerr.From(err)
		if e.Pos == 0 {
			e.AddContext(`SQL function "` + f.Name + `"`)
			return &e
		}
		return plpgsql.InBody(&e, f.Body, text, place)
	}
	return plpgsql.InBody(err, f.Body, text, place)
}

// findRoutine finds the function that a name, with or without arguments, means.
func (s *Session) findRoutine(kind string, name ast.RelName, args []ast.TypeName) (*catalog.Function, error) {
	snap := s.ensureTx().cat.Snapshot()
	schemas := s.searchPath()
	if name.Schema != "" {
		schemas = []string{name.Schema}
	}
	full := name.Dotted()
	var oids []uint32
	for i := range args {
		t, err := s.argType(&args[i], "")
		if err != nil {
			return nil, err
		}
		oids = append(oids, t.OID)
	}
	want := byte('f')
	switch kind {
	case "procedure":
		want = 'p'
	case "aggregate":
		want = 'a'
	case "routine":
		want = 0
	}
	word := map[byte]string{'p': "procedure", 'a': "aggregate", 'f': "function", 0: "routine"}[want]
	var found []*catalog.Function
	for _, schema := range schemas {
		for _, f := range snap.Functions(schema, name.Name) {
			if args != nil && !slices.Equal(f.Inputs(), oids) {
				continue
			}
			if want != 0 && f.Kind != want {
				if args == nil {
					continue
				}
				return nil, pgerr.New(pgerr.WrongObjectType, "%s is not a %s", full+"("+typeList(snap, oids)+")", word)
			}
			found = append(found, f)
		}
		if len(found) > 0 && args != nil {
			return found[0], nil
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, pgerr.New(pgerr.AmbiguousFunction, `%s name "%s" is not unique`, word, full).
			WithHint("Specify the argument list to select the %s unambiguously.", word)
	case args == nil:
		return nil, pgerr.New(pgerr.UndefinedFunction, `could not find a %s named "%s"`, word, full)
	}
	return nil, pgerr.New(pgerr.UndefinedFunction, "%s %s(%s) does not exist", word, full, typeList(snap, oids))
}

// alterFunction is ALTER FUNCTION, PROCEDURE and ROUTINE.
func (s *Session) alterFunction(ctx context.Context, n *ast.AlterFunction) error {
	if err := s.forbidReadOnly(commandName(n)); err != nil {
		return err
	}
	tx := s.ensureTx()
	tx.queried = true
	f, err := s.findRoutine(n.Kind, n.Name, n.Args)
	if err != nil {
		return err
	}
	e := s.definer(ctx)
	if err := e.MustOwn(f.OwnerOID(), "function", f.Name); err != nil {
		return err
	}
	o, err := tx.cat.LockObject(ctx, f.Ref())
	if err != nil || o == nil {
		return err
	}
	f = o.(*catalog.Function).Clone()
	switch {
	case n.Rename != "":
		f.Name = n.Rename
	case n.Schema != "":
		if f.Schema, err = e.Target(ast.RelName{Schema: n.Schema, Name: f.Name}, false); err != nil {
			return err
		}
	case n.Owner != "":
		oid, err := s.ownerNamed(n.Owner)
		if err != nil {
			return err
		}
		f.Owner = oid
	}
	for _, name := range n.Reset {
		if name == "all" {
			f.Config = nil
		}
		f.Config = slices.DeleteFunc(slices.Clone(f.Config), func(c string) bool { return strings.HasPrefix(c, strings.ToLower(name)+"=") })
	}
	if err := s.functionOptions(f, n.Options, f.Kind == 'p'); err != nil {
		return err
	}
	return tx.cat.ReplaceObject(ctx, f)
}

// ownerNamed is the OID of a role that OWNER TO names.
func (s *Session) ownerNamed(name string) (uint32, error) {
	switch name {
	case "current_user", "current_role":
		name = s.User()
	case "session_user":
		name = s.sessionUser()
	}
	r, ok := s.ensureTx().cat.Snapshot().Role(name)
	if !ok {
		return 0, pgerr.New(pgerr.UndefinedObject, `role "%s" does not exist`, name)
	}
	return r.OID, nil
}

// dropRoutines is DROP FUNCTION, PROCEDURE, ROUTINE and AGGREGATE.
func (s *Session) dropRoutines(ctx context.Context, n *ast.DropObject) error {
	if err := s.forbidReadOnly(commandName(n)); err != nil {
		return err
	}
	tx := s.ensureTx()
	tx.queried = true
	for i, name := range n.Names {
		var args []ast.TypeName
		if i < len(n.Args) {
			args = n.Args[i]
		}
		f, err := s.findRoutine(n.Kind, name, args)
		if err != nil {
			if n.IfExists && (pgerr.Is(err, pgerr.UndefinedFunction) || pgerr.Is(err, pgerr.UndefinedObject) || pgerr.Is(err, pgerr.InvalidSchemaName)) {
				s.notice(pgerr.Notice("%s %s does not exist, skipping", n.Kind, s.routineText(name, args)))
				continue
			}
			return err
		}
		if err := s.definer(ctx).MustOwn(f.OwnerOID(), "function", f.Name); err != nil {
			return err
		}
		if err := s.dropFunction(ctx, f, n.Cascade); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) routineText(name ast.RelName, args []ast.TypeName) string {
	full := name.Dotted()
	if args == nil {
		return full + "()"
	}
	var names []string
	for i := range args {
		if t, err := s.argType(&args[i], ""); err == nil {
			names = append(names, t.String())
		} else {
			names = append(names, strings.Join(args[i].Names, "."))
		}
	}
	return full + "(" + strings.Join(names, ",") + ")"
}

// dropFunction drops one function; triggers that call it go too under CASCADE.
func (s *Session) dropFunction(ctx context.Context, f *catalog.Function, cascade bool) error {
	tx := s.ensureTx()
	snap := tx.cat.Snapshot()
	var details, cascaded []string
	sig := s.signatureOf(snap, f)
	type dependent struct {
		oid  uint32
		what string
	}
	var found []dependent
	for _, r := range snap.Relations() {
		for i := range r.Triggers {
			if t := &r.Triggers[i]; t.Function == f.OID {
				found = append(found, dependent{t.OID, "trigger " + ast.QuoteIdent(t.Name) + " on " + relationWord(r) + " " + s.shownName(r)})
			}
		}
	}
	slices.SortFunc(found, func(a, b dependent) int { return cmp.Compare(a.oid, b.oid) })
	for _, d := range found {
		details = append(details, d.what+" depends on function "+sig)
		cascaded = append(cascaded, "drop cascades to "+d.what)
	}
	if len(details) > 0 && !cascade {
		return pgerr.New(pgerr.DependentObjectsStillExist, "cannot drop function %s because other objects depend on it", sig).
			WithDetail("%s", strings.Join(details, "\n")).WithHint("Use DROP ... CASCADE to drop the dependent objects too.")
	}
	for _, r := range snap.Relations() {
		if !slices.ContainsFunc(r.Triggers, func(t catalog.Trigger) bool { return t.Function == f.OID }) {
			continue
		}
		if err := s.changeTriggers(ctx, r, func(c *catalog.Relation) error {
			c.Triggers = slices.DeleteFunc(c.Triggers, func(t catalog.Trigger) bool { return t.Function == f.OID })
			return nil
		}); err != nil {
			return err
		}
	}
	switch len(cascaded) {
	case 0:
	case 1:
		s.notice(pgerr.Notice("%s", cascaded[0]))
	default:
		e := pgerr.Notice("drop cascades to %d other objects", len(cascaded))
		s.notice(e.WithDetail("%s", strings.Join(cascaded, "\n")))
	}
	return tx.cat.DropObject(ctx, f.Ref())
}

func relationWord(r *catalog.Relation) string {
	if r.Kind == catalog.View {
		return "view"
	}
	return "table"
}

// shownName is a relation's name as messages have it.
func (s *Session) shownName(r *catalog.Relation) string {
	if slices.Contains(s.searchPath(), r.Schema) {
		return ast.QuoteIdent(r.Name)
	}
	return ast.QuoteIdent(r.Schema) + "." + ast.QuoteIdent(r.Name)
}
