package define

import (
	"math"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/types"
	"raisind/storage"
)

// SequenceValues tells where the values of a sequence are kept and how they follow
// each other.
func SequenceValues(r *catalog.Relation) (storage.RelationID, storage.Sequence) {
	d := r.Sequence
	s := storage.Sequence{Increment: d.Increment, Min: d.Min, Max: d.Max, Cycle: d.Cycle, Start: d.Start}
	id := d.Values
	if id == 0 {
		id = r.ID
	}
	if d.First != nil {
		s.Start = *d.First
	}
	return id, s
}

// NewSequence makes a sequence of a type that Create may be given: what serial and
// identity columns count with. options may be nil.
func (e *Env) NewSequence(schema, name string, t *types.Type, options []ast.SequenceOption) (*catalog.Relation, error) {
	r := e.Cat.Catalog().NewRelation(catalog.Sequence, schema, name)
	for i, c := range [...]struct {
		name string
		t    *types.Type
	}{{"last_value", types.TInt8}, {"log_cnt", types.TInt8}, {"is_called", types.TBool}} {
		r.Columns = append(r.Columns, catalog.Column{ID: uint16(i + 1), Name: c.name, Type: c.t, Typmod: -1, NotNull: true})
	}
	r.NextColumnID = 4
	r.Owner = e.Role
	r.Sequence = &catalog.SequenceDef{Type: t.OID, Increment: 1, Cache: 1}
	_, err := e.sequenceOptions(r.Sequence, options, true)
	return r, err
}

func (e *Env) createSequence(s *ast.CreateSequence) error {
	schema, err := e.Target(s.Name, s.Temp)
	if err != nil {
		return err
	}
	if s.IfNotExists && e.snapshot().NameTaken(schema, s.Name.Name) {
		e.notice(pgerr.DuplicateTable, "relation %q already exists, skipping", s.Name.Name)
		return nil
	}
	r, err := e.NewSequence(schema, s.Name.Name, types.TInt8, s.Options)
	if err != nil {
		return err
	}
	if schema == e.Temp && schema != "" {
		r.Persistence = catalog.Temporary
	}
	if err := e.ownedBy(r, s.Options); err != nil {
		return err
	}
	return e.Cat.Create(e.Ctx, r)
}

// AlterSequence is ALTER SEQUENCE.
func (e *Env) AlterSequence(s *ast.AlterSequence) error {
	r, err := e.lock(s.Name, storage.ShareRowExclusive)
	if err != nil {
		return err
	}
	if r == nil {
		if s.IfExists {
			e.notice(pgerr.Code{}, "relation %q does not exist, skipping", s.Name.Dotted())
			return nil
		}
		return missingRelation(s.Name)
	}
	if r.Kind != catalog.Sequence {
		return pgerr.New(pgerr.WrongObjectType, "%q is not a sequence", r.Name)
	}
	if err := e.MustOwn(r.OwnerOID(), "sequence", r.Name); err != nil {
		return err
	}
	r = r.Clone()
	if err := e.ChangeSequence(r, s.Options); err != nil {
		return err
	}
	if err := e.ownedBy(r, s.Options); err != nil {
		return err
	}
	return e.Cat.Replace(e.Ctx, r)
}

// ChangeSequence applies options to the clone of a sequence. It stands where it stood
// unless it is restarted, which a rollback takes back.
func (e *Env) ChangeSequence(r *catalog.Relation, options []ast.SequenceOption) error {
	id, old := SequenceValues(r)
	restart, err := e.sequenceOptions(r.Sequence, options, false)
	if err != nil {
		return err
	}
	if restart != nil {
		r.Sequence.Values, r.Sequence.First = e.Cat.Catalog().NextRelationID(), restart
		return nil
	}
	st, err := e.DB.ReadSequence(id, old)
	if err != nil {
		return err
	}
	d := r.Sequence
	for _, o := range options {
		if o.Name == "owned by" {
			continue
		}
		switch {
		case st.Last < d.Min:
			return pgerr.New(pgerr.InvalidParameterValue, "RESTART value (%d) cannot be less than MINVALUE (%d)", st.Last, d.Min)
		case st.Last > d.Max:
			return pgerr.New(pgerr.InvalidParameterValue, "RESTART value (%d) cannot be greater than MAXVALUE (%d)", st.Last, d.Max)
		}
	}
	if d.Start != old.Start && !st.Called && d.First == nil { // it stands where it stood
		d.First = &st.Last
	}
	return nil
}

// RestartSequence makes the clone of a sequence begin again.
func (e *Env) RestartSequence(r *catalog.Relation) {
	r.Sequence.Values, r.Sequence.First = e.Cat.Catalog().NextRelationID(), nil
}

// bounds are the least and greatest values of the types that sequences have.
var bounds = map[*types.Type][2]int64{
	types.TInt2: {math.MinInt16, math.MaxInt16}, types.TInt4: {math.MinInt32, math.MaxInt32}, types.TInt8: {math.MinInt64, math.MaxInt64},
}

// sequenceOptions is init_params of PostgreSQL's sequence.c.
func (e *Env) sequenceOptions(d *catalog.SequenceDef, options []ast.SequenceOption, create bool) (restart *int64, err error) {
	given := map[string]*ast.SequenceOption{}
	for i := range options {
		o := &options[i]
		key := o.Name
		switch key {
		case "no minvalue", "no maxvalue", "no cycle":
			key = key[3:]
		case "logged", "unlogged":
			continue
		}
		if given[key] != nil {
			return nil, pgerr.New(pgerr.SyntaxError, "conflicting or redundant options")
		}
		given[key] = o
	}
	invalid := func(format string, args ...any) (*int64, error) {
		return nil, pgerr.New(pgerr.InvalidParameterValue, format, args...)
	}
	t, _ := types.ByOID(d.Type)
	resetMin, resetMax := create, create
	if o := given["as"]; o != nil {
		now, err := e.typeOf(o.Type)
		if err != nil {
			return nil, err
		}
		if _, ok := bounds[now]; !ok {
			return invalid("sequence type must be smallint, integer, or bigint")
		}
		if !create {
			b := bounds[t]
			resetMax = resetMax || d.Increment > 0 && d.Max == b[1] || d.Increment < 0 && d.Max == -1
			resetMin = resetMin || d.Increment < 0 && d.Min == b[0] || d.Increment > 0 && d.Min == 1
		}
		t = now
		d.Type = t.OID
	}
	if o := given["increment"]; o != nil {
		if *o.Value == 0 {
			return invalid("INCREMENT must not be zero")
		}
		d.Increment = *o.Value
	}
	if o := given["cycle"]; o != nil {
		d.Cycle = o.Name == "cycle"
	}
	b := bounds[t]
	if o := given["maxvalue"]; o != nil && o.Value != nil {
		d.Max = *o.Value
	} else if o != nil || resetMax {
		if d.Max = b[1]; d.Increment < 0 {
			d.Max = -1
		}
	}
	if d.Max < b[0] || d.Max > b[1] {
		return invalid("MAXVALUE (%d) is out of range for sequence data type %s", d.Max, t)
	}
	if o := given["minvalue"]; o != nil && o.Value != nil {
		d.Min = *o.Value
	} else if o != nil || resetMin {
		if d.Min = 1; d.Increment < 0 {
			d.Min = b[0]
		}
	}
	switch {
	case d.Min < b[0] || d.Min > b[1]:
		return invalid("MINVALUE (%d) is out of range for sequence data type %s", d.Min, t)
	case d.Min >= d.Max:
		return invalid("MINVALUE (%d) must be less than MAXVALUE (%d)", d.Min, d.Max)
	}
	if o := given["start"]; o != nil {
		d.Start = *o.Value
	} else if create {
		if d.Start = d.Min; d.Increment < 0 {
			d.Start = d.Max
		}
	}
	switch {
	case d.Start < d.Min:
		return invalid("START value (%d) cannot be less than MINVALUE (%d)", d.Start, d.Min)
	case d.Start > d.Max:
		return invalid("START value (%d) cannot be greater than MAXVALUE (%d)", d.Start, d.Max)
	}
	if o := given["restart"]; o != nil {
		v := d.Start
		if o.Value != nil {
			v = *o.Value
		}
		switch {
		case v < d.Min:
			return invalid("RESTART value (%d) cannot be less than MINVALUE (%d)", v, d.Min)
		case v > d.Max:
			return invalid("RESTART value (%d) cannot be greater than MAXVALUE (%d)", v, d.Max)
		}
		restart = &v
	}
	if o := given["cache"]; o != nil {
		if *o.Value <= 0 {
			return invalid("CACHE (%d) must be greater than zero", *o.Value)
		}
		d.Cache = *o.Value
	}
	return restart, nil
}

// ownedBy applies OWNED BY.
func (e *Env) ownedBy(r *catalog.Relation, options []ast.SequenceOption) error {
	for i := range options {
		o := &options[i]
		if o.Name != "owned by" {
			continue
		}
		if r.Sequence.Identity {
			return pgerr.New(pgerr.FeatureNotSupported, "cannot change ownership of identity sequence").
				WithDetail("Sequence %q is linked to table %q.", r.Name, e.ownerName(r))
		}
		if len(o.Owner) == 0 {
			r.Sequence.Owner, r.Sequence.OwnerColumn = 0, 0
			continue
		}
		if len(o.Owner) == 1 {
			return pgerr.New(pgerr.SyntaxError, "invalid OWNED BY option").WithHint("Specify OWNED BY table.column or OWNED BY NONE.")
		}
		name := ast.RelName{Name: o.Owner[len(o.Owner)-2]}
		if len(o.Owner) > 2 {
			name.Schema = o.Owner[len(o.Owner)-3]
		}
		table, err := e.lock(name, storage.AccessShare)
		if err != nil {
			return err
		}
		column := o.Owner[len(o.Owner)-1]
		switch {
		case table == nil:
			return missingRelation(name)
		case table.Kind == catalog.Sequence || table.Kind == catalog.CompositeType || table.Kind == catalog.MaterializedView:
			return pgerr.New(pgerr.WrongObjectType, "sequence cannot be owned by relation %q", table.Name).
				WithDetail("This operation is not supported for %ss.", table.Kind)
		case table.OwnerOID() != r.OwnerOID():
			return pgerr.New(pgerr.ObjectNotInPrerequisiteState, "sequence must have same owner as table it is linked to")
		case table.Schema != r.Schema:
			return pgerr.New(pgerr.ObjectNotInPrerequisiteState, "sequence must be in same schema as table it is linked to")
		}
		at, ok := table.ColumnByName(column)
		if !ok {
			return pgerr.New(pgerr.UndefinedColumn, "column %q of relation %q does not exist", column, table.Name)
		}
		r.Sequence.Owner, r.Sequence.OwnerColumn = table.ID, table.Columns[at].ID
	}
	return nil
}

func (e *Env) ownerName(r *catalog.Relation) string {
	if t, ok := e.snapshot().ByID(r.Sequence.Owner); ok {
		return t.Name
	}
	return ""
}
