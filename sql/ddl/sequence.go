package ddl

import (
	"strconv"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/define"
	"raisind/sql/planner"
	"raisind/sql/types"
	"raisind/storage"
)

// serialTypes are the words for a column that counts by itself.
var serialTypes = map[string]*types.Type{
	"serial": types.TInt4, "serial4": types.TInt4, "bigserial": types.TInt8, "serial8": types.TInt8, "smallserial": types.TInt2, "serial2": types.TInt2,
}

// serialType is the type of a column declared as serial; nil for any other type.
func serialType(n *ast.TypeName) *types.Type {
	if len(n.Names) != 1 || len(n.Dims) > 0 || n.PctType {
		return nil
	}
	return serialTypes[n.Names[0]]
}

// objects is the environment of package define.
func (d *definer) objects() *define.Env {
	return &define.Env{
		Ctx: d.ctx, DB: d.Runtime.DB, Txn: d.Txn, Cat: d.Catalog, Path: d.searchPath(), Role: d.Role, Notice: d.tell,
		Plan: func(string) planner.Options { return d.Planner },
	}
}

// ownSequence makes the sequence of a column, once the table is in the catalog.
func (t *tableMaker) ownSequence(at int, options []ast.SequenceOption, identity bool) (*catalog.Relation, error) {
	c := &t.r.Columns[at]
	base := c.Type.Storage()
	switch base {
	case types.TInt2, types.TInt4, types.TInt8:
	default:
		return nil, pgerr.New(pgerr.InvalidParameterValue, "identity column type must be smallint, integer, or bigint")
	}
	schema, name := t.r.Schema, ""
	var rest []ast.SequenceOption
	for _, o := range options {
		if o.Name == "sequence name" {
			n := o.Owner
			name = n[len(n)-1]
			if len(n) > 1 {
				schema = n[len(n)-2]
			}
			continue
		}
		rest = append(rest, o)
	}
	if name == "" {
		name = freeName(t.r.Name, c.Name, "seq", func(n string) bool {
			for _, s := range t.sequences {
				if s == n {
					return true
				}
			}
			return t.Catalog.Snapshot().NameTaken(schema, n) || n == t.r.Name
		})
	}
	t.sequences = append(t.sequences, name)
	seq, err := t.objects().NewSequence(schema, name, base, rest)
	if err != nil {
		return nil, err
	}
	seq.Owner, seq.Persistence = t.r.Owner, t.r.Persistence
	seq.Sequence.Owner, seq.Sequence.OwnerColumn, seq.Sequence.Identity = t.r.ID, c.ID, identity
	t.after = append(t.after, func() error {
		if err := t.Txn.LockRelation(t.ctx, seq.ID, storage.AccessExclusive, storage.Wait); err != nil {
			return err
		}
		return t.Catalog.Create(t.ctx, seq)
	})
	return seq, nil
}

// serial gives the column at a position declared as serial its sequence and default.
func (t *tableMaker) serial(at int, def *ast.ColumnDef) error {
	if serialType(&def.Type) == nil {
		return nil
	}
	c := &t.r.Columns[at]
	for i := range def.Constraints {
		if con := &def.Constraints[i]; con.Kind == ast.Null {
			return t.err(pgerr.SyntaxError, con.Pos(), "conflicting NULL/NOT NULL declarations for column %q of table %q", c.Name, t.r.Name)
		}
	}
	if c.Default != "" {
		return t.err(pgerr.SyntaxError, def.Pos(), "multiple default values specified for column %q of table %q", c.Name, t.r.Name)
	}
	if c.Identity != 0 {
		return t.err(pgerr.SyntaxError, def.Pos(), "both default and identity specified for column %q of table %q", c.Name, t.r.Name)
	}
	seq, err := t.ownSequence(at, nil, false)
	if err != nil {
		return err
	}
	c.NotNull = true
	c.Default = "nextval('" + strconv.FormatUint(uint64(seq.OID), 10) + "'::regclass)"
	c.Depends = []catalog.Dependency{{On: seq.Ref()}}
	return nil
}

// identity makes the column at a position an identity column.
func (t *tableMaker) identity(at int, con *ast.Constraint) error {
	c := &t.r.Columns[at]
	switch {
	case c.Identity != 0:
		return t.err(pgerr.SyntaxError, con.Pos(), "multiple identity specifications for column %q of table %q", c.Name, t.r.Name)
	case c.Default != "":
		return t.err(pgerr.SyntaxError, con.Pos(), "both default and identity specified for column %q of table %q", c.Name, t.r.Name)
	}
	if _, err := t.ownSequence(at, sequenceOptions(con.Options), true); err != nil {
		return err
	}
	c.NotNull, c.Identity = true, 'd'
	if con.Always {
		c.Identity = 'a'
	}
	return nil
}

// sequenceOptions are the options of an identity column as those of its sequence.
func sequenceOptions(options []ast.Option) []ast.SequenceOption {
	var out []ast.SequenceOption
	for _, o := range options {
		n := ast.SequenceOption{At: o.At, Name: o.Name}
		if lit, ok := o.Value.(*ast.Literal); ok {
			switch {
			case lit.Kind == ast.LitInt:
				v := lit.Int
				n.Value = &v
			case lit.Text == "none":
				n.Name = "no " + o.Name
			}
		}
		out = append(out, n)
	}
	return out
}
