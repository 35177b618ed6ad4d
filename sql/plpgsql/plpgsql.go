// Package plpgsql is PL/pgSQL: it reads the bodies of functions, checks their syntax, and
// runs them. A body is read once and its SQL is planned when a statement first runs; both
// are kept by whoever holds the Function. What a body does to the database it does through
// a Host, the session, in whose transaction it runs. Functions in plain SQL live here too.
package plpgsql

import (
	"raisind/pgerr"
	"raisind/sql/parser"
	"raisind/sql/planner"
	"raisind/sql/types"
)

// Definition is what is known of a function besides its body.
type Definition struct {
	// Signature is how CONTEXT lines name it: f(integer).
	Signature string
	Name      string
	Body      string
	Args      []Arg
	// Result is the type returned; TRecord with the columns in OUT arguments.
	Result *types.Type
	// Columns are the fields of a composite result; nil when it has none or they are not
	// known.
	Columns   *Fields
	Set       bool
	Procedure bool
	// Inline is a DO block.
	Inline bool
	// Trigger: the function is called by a trigger on Relation, which is nil while the
	// function is only checked.
	Trigger  bool
	Relation *Fields
	// Element is what anyelement stands for, nil when nothing is polymorphic.
	Element *types.Type
	// ReadOnly: it is stable or immutable, and may not write.
	ReadOnly bool
}

// Arg is an argument: Mode is 'i', 'o', 'b', 'v' or 't', as pg_proc has it.
type Arg struct {
	Name string
	Type *types.Type
	Mode byte
}

// Function is a body that was read. It belongs to one session.
type Function struct {
	Definition
	vars []variable
	// rows are the targets of variables that stand for a list.
	rows  map[int][]target
	root  *block
	found int
	// ins and outs are the variables of the arguments; outRow stands for several outs.
	ins, outs []int
	outRow    int
	// newRow, oldRow and tg are the variables of triggers.
	newRow, oldRow int
	tg             [numTG]int

	conflict    planner.Precedence
	printStrict bool
	// sql are the statements of a function in SQL, which has no root.
	sql []*fragment
}

const (
	conflictError = planner.Ambiguous
	useVariable   = planner.VariablesFirst
	useColumn     = planner.ColumnsFirst
)

// The variables of a trigger besides NEW and OLD.
const (
	tgName = iota
	tgWhen
	tgLevel
	tgOp
	tgRelID
	tgRelName
	tgTableName
	tgTableSchema
	tgNArgs
	tgArgv
	numTG
)

var tgVars = [numTG]struct {
	name string
	t    *types.Type
}{
	{"tg_name", types.TName},
	{"tg_when", types.TText},
	{"tg_level", types.TText},
	{"tg_op", types.TText},
	{"tg_relid", types.TOID},
	{"tg_relname", types.TName},
	{"tg_table_name", types.TName},
	{"tg_table_schema", types.TName},
	{"tg_nargs", types.TInt4},
	{"tg_argv", types.TText.Array()},
}

// Compile reads a body. An error's position counts characters of the body.
func Compile(def Definition, cat Types) (*Function, error) {
	fn := &Function{Definition: def, rows: map[int][]target{}, outRow: -1, newRow: -1, oldRow: -1}
	toks, err := parser.Tokens(def.Body)
	if err != nil {
		return nil, err
	}
	r := &reader{src: def.Body, toks: toks, fn: fn, cat: cat}
	r.ns = &scope{kind: nsBlock, name: def.Name}
	r.arguments()
	if def.Trigger {
		r.triggerVariables()
	}
	fn.found = r.add(variable{name: "found", t: types.TBool, typmod: -1}, true)
	fn.root = r.body()
	if r.err != nil {
		if r.err.Pos == 0 {
			r.err.AddContext(`compilation of PL/pgSQL function "` + def.Name + `" near line ` + itoa(r.errLine))
		}
		return nil, r.err
	}
	return fn, nil
}

// arguments makes the variables of the arguments: $1, and the name where there is one.
func (r *reader) arguments() {
	fn := r.fn
	for i, a := range fn.Args {
		v := variable{name: "$" + itoa(i+1), t: a.Type, typmod: -1}
		if a.Name != "" {
			v.name = a.Name
		}
		if a.Type == types.TRecord {
			v.kind = recordVar
		} else if f, ok := r.composite(a.Type); ok {
			v.kind, v.desc = recordVar, f
		}
		dno := r.add(v, true)
		kind := r.ns.kind
		if a.Name != "" {
			r.ns = &scope{prev: r.ns, kind: kind, name: "$" + itoa(i+1), dno: dno}
		}
		switch a.Mode {
		case 'o', 't':
			fn.outs = append(fn.outs, dno)
		case 'b':
			fn.ins, fn.outs = append(fn.ins, dno), append(fn.outs, dno)
		default:
			fn.ins = append(fn.ins, dno)
		}
	}
}

// composite describes the fields of a row type.
func (r *reader) composite(t *types.Type) (*fields, bool) {
	if c, ok := r.cat.(interface {
		FieldsOf(*types.Type) (*Fields, bool)
	}); ok {
		if f, ok := c.FieldsOf(t); ok {
			return fieldsOf(f), true
		}
	}
	return nil, false
}

// concrete is what a polymorphic type stands for in this function.
func (fn *Function) concrete(t *types.Type) *types.Type {
	switch {
	case fn.Element == nil:
		return t
	case t == types.TAnyArray || t == types.TAnyCompatibleArray:
		return fn.Element.Array()
	}
	return fn.Element
}

func (r *reader) triggerVariables() {
	fn := r.fn
	row := variable{kind: recordVar, t: types.TRecord, typmod: -1}
	if fn.Relation != nil {
		row.desc = fieldsOf(fn.Relation)
	}
	row.name = "new"
	fn.newRow = r.add(row, true)
	row.name = "old"
	fn.oldRow = r.add(row, true)
	for i, v := range tgVars {
		fn.tg[i] = r.add(variable{kind: promiseVar, name: v.name, t: v.t, typmod: -1}, true)
	}
}

// InBody makes of an error of Compile one of the statement that holds the body. at maps a
// byte of the body to one of the statement, -1 when it cannot.
func InBody(err error, body, statement string, at func(int) int) error {
	e := *pgerr.From(err)
	if e.Pos == 0 {
		return &e
	}
	if pos := at(byteAt(body, e.Pos)); pos >= 0 {
		e.Pos = pgerr.CharPos(statement, pos)
		return &e
	}
	e.InternalPos, e.InternalQuery, e.Pos = e.Pos, body, 0
	return &e
}
