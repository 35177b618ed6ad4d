package plpgsql

import (
	"strings"

	"raisind/pgerr"
	"raisind/sql/parser"
	"raisind/sql/types"
)

// declarations reads what stands between DECLARE and BEGIN and returns the variables in
// the order in which they are set.
func (r *reader) declarations() []int {
	var dnos []int
	for r.err == nil && !r.isWord("begin") {
		if r.take("declare") {
			continue // DECLARE may be repeated
		}
		if r.isOp("<<") {
			r.failAt(r.tok().Start, pgerr.New(pgerr.SyntaxError, "block label must be placed before DECLARE, not after"))
			return nil
		}
		if dno := r.declaration(); dno >= 0 {
			dnos = append(dnos, dno)
		}
	}
	return dnos
}

// declaration reads one; -1 for an alias.
func (r *reader) declaration() int {
	start := r.tok().Start
	line := r.lineOf(start)
	first := *r.tok()
	name := r.name()
	if r.err != nil {
		return -1
	}
	if r.ns.local(name) != nil {
		r.i--
		r.failAt(first.Start, pgerr.New(pgerr.SyntaxError, `duplicate declaration at or near "%s"`, r.src[first.Start:first.End]))
		return -1
	}
	if isWord(r.tok(), "alias") && isWord(r.next(), "for") {
		r.advance()
		r.advance()
		r.alias(name)
		return -1
	}
	if scrollWord := r.isWord("scroll") || r.isWord("no") && isWord(r.next(), "scroll"); scrollWord || r.isWord("cursor") {
		return r.boundCursor(name, line)
	}
	v := variable{name: name, line: line, typmod: -1}
	v.constant = r.take("constant")
	r.dataType(&v)
	if r.take("collate") {
		r.name()
		for r.takeOp(".") {
			r.name()
		}
	}
	if r.take("not") {
		r.want("null")
		v.notNull = true
	}
	switch {
	case r.takeOp(":="), r.takeOp("="), r.take("default"):
		v.def = r.expr(";", ";")
	case v.notNull && r.err == nil:
		r.failAt(start, pgerr.New(pgerr.NullValueNotAllowed, `variable "%s" must have a default value, since it's declared NOT NULL`, name))
	}
	r.wantOp(";")
	return r.add(v, true)
}

// alias reads what an alias stands for.
func (r *reader) alias(name string) {
	names := []string{}
	t := r.tok()
	if t.Kind == parser.TokenParam {
		names = append(names, "$"+t.Text)
		r.advance()
	} else {
		names = append(names, r.name())
		for r.takeOp(".") {
			names = append(names, r.name())
		}
	}
	if r.err != nil {
		return
	}
	it, used := r.ns.lookup(names)
	if it == nil || used < len(names) {
		r.failAt(t.Start, pgerr.New(pgerr.UndefinedObject, `variable "%s" does not exist`, strings.Join(names, ".")))
		return
	}
	r.wantOp(";")
	r.ns = &scope{prev: r.ns, kind: it.kind, name: name, dno: it.dno}
}

// boundCursor reads [NO] SCROLL CURSOR (args) FOR query.
func (r *reader) boundCursor(name string, line int) int {
	v := variable{kind: cursorVar, name: name, line: line, t: types.TRefcursor, typmod: -1}
	no, yes := false, true
	if r.take("no") {
		r.want("scroll")
		v.scroll = &no
	} else if r.take("scroll") {
		v.scroll = &yes
	}
	r.want("cursor")
	outer := r.ns
	r.ns = &scope{prev: r.ns, kind: nsBlock}
	if r.takeOp("(") {
		for {
			a := variable{name: r.name(), line: line, typmod: -1}
			r.dataType(&a)
			v.parts = append(v.parts, r.add(a, true))
			if !r.takeOp(",") {
				break
			}
		}
		r.wantOp(")")
	}
	if !r.take("is") {
		r.want("for")
	}
	end := r.until(";")
	if r.err == nil {
		f := &fragment{mode: modeStatement, pos: r.tok().Start, ns: r.ns}
		if end > r.i {
			f.text = r.src[r.tok().Start:r.toks[end-1].End]
		}
		r.i = end
		r.parse(f)
		v.query = f
	}
	r.wantOp(";")
	r.ns = outer
	return r.add(v, true)
}

// dataType reads a type: of a name, of a variable or column with %TYPE, of a row with
// %ROWTYPE, or RECORD.
func (r *reader) dataType(v *variable) {
	start := r.i
	if r.take("record") {
		v.kind, v.t = recordVar, types.TRecord
		return
	}
	if t := r.tok(); t.Kind == parser.TokenEnd || isOp(t, ";") {
		r.failAt(t.Start, pgerr.New(pgerr.SyntaxError, "missing data type declaration at or near %q", r.src[t.Start:t.End]))
		return
	}
	// name[.name…]%TYPE and %ROWTYPE
	if i, names := r.dotted(); names != nil && isOp(&r.toks[i], "%") {
		if w := &r.toks[i+1]; isWord(w, "type") || isWord(w, "rowtype") {
			at := r.tok().Start
			r.i = i + 2
			r.referred(v, names, w.Text == "rowtype", at)
			return
		}
	}
	// A type goes on until something that a declaration goes on with.
	depth := 0
	for {
		t := r.tok()
		if t.Kind == parser.TokenEnd || depth == 0 && r.i > start && endsType(t) {
			break
		}
		if isOp(t, "(") || isOp(t, "[") {
			depth++
		} else if isOp(t, ")") || isOp(t, "]") {
			if depth == 0 {
				break
			}
			depth--
		}
		r.advance()
	}
	if r.err != nil {
		return
	}
	if r.i == start {
		r.fail()
		return
	}
	at := r.toks[start].Start
	text := r.src[at:r.toks[r.i-1].End]
	n, err := parser.ParseType(text)
	if err == nil && len(n.Mods) == 0 && len(n.Dims) == 0 {
		if f, ok, ferr := r.cat.Fields(n.Names); ferr == nil && ok {
			v.kind, v.t, v.desc = recordVar, types.TRecord, fieldsOf(f)
			if f.Type != nil {
				v.t = f.Type
			}
			return
		}
	}
	if err == nil {
		v.t, v.typmod, err = r.cat.Type(&n, text)
	}
	if err == nil && v.t.IsPseudo() && v.t != types.TRecord && !v.t.IsPolymorphic() {
		err = pgerr.New(pgerr.FeatureNotSupported, `variable "%s" has pseudo-type %s`, v.name, v.t)
	}
	if err != nil {
		e := *pgerr.From(err)
		if e.Pos > 0 {
			at += byteAt(text, e.Pos)
		}
		r.failAt(at, &e)
		v.t = types.TText
		return
	}
	if v.t.IsPolymorphic() {
		v.t = r.fn.concrete(v.t)
	}
}

func fieldsOf(f *Fields) *fields { return &fields{f.Names, f.Types, f.Typmods} }

func endsType(t *parser.Token) bool {
	if t.Kind == parser.TokenOther {
		switch t.Text {
		case ";", ":=", "=", ",":
			return true
		}
		return false
	}
	if t.Kind != parser.TokenWord {
		return false
	}
	switch t.Text {
	case "not", "default", "collate", "in", "loop":
		return true
	}
	return false
}

// dotted looks at a name with its dots; i is the token after it.
func (r *reader) dotted() (i int, names []string) {
	for i = r.i; ; i += 2 {
		t := &r.toks[min(i, len(r.toks)-1)]
		if t.Kind != parser.TokenWord && t.Kind != parser.TokenQuoted {
			return i, nil
		}
		names = append(names, t.Text)
		if i+1 >= len(r.toks) || !isOp(&r.toks[i+1], ".") {
			return i + 1, names
		}
	}
}

// referred gives v the type that a variable or column has.
func (r *reader) referred(v *variable, names []string, row bool, at int) {
	if it, used := r.ns.lookup(names); it != nil {
		of := &r.fn.vars[it.dno]
		switch {
		case used == len(names) && !row && (of.kind == scalarVar || of.kind == recordVar || of.kind == promiseVar):
			v.kind, v.t, v.typmod, v.desc = of.kind, of.t, of.typmod, of.desc
			if v.kind == promiseVar {
				v.kind = scalarVar
			}
			return
		case of.kind == recordVar && of.desc != nil && used == len(names)-1:
			if i := of.desc.find(names[used]); i >= 0 {
				v.t, v.typmod = of.desc.types[i], of.desc.typmods[i]
				return
			}
		}
	}
	if row {
		f, ok, err := r.cat.Fields(names)
		if err == nil && !ok {
			err = pgerr.New(pgerr.UndefinedTable, `relation "%s" does not exist`, strings.Join(names, "."))
		}
		if err != nil {
			e := *pgerr.From(err)
			r.failAt(-1, &e)
			return
		}
		v.kind, v.t, v.desc = recordVar, types.TRecord, fieldsOf(f)
		if f.Type != nil {
			v.t = f.Type
		}
		return
	}
	if len(names) == 1 {
		r.failAt(at, pgerr.New(pgerr.SyntaxError, `variable "%s" does not exist`, names[0]))
		return
	}
	table, column := names[:len(names)-1], names[len(names)-1]
	f, ok, err := r.cat.Fields(table)
	if err == nil && !ok {
		err = pgerr.New(pgerr.UndefinedTable, `relation "%s" does not exist`, strings.Join(table, "."))
	}
	if err != nil {
		e := *pgerr.From(err)
		r.failAt(-1, &e)
		return
	}
	i := fieldsOf(f).find(column)
	if i < 0 {
		r.failAt(-1, pgerr.New(pgerr.UndefinedColumn, `column "%s" of relation "%s" does not exist`, column, strings.Join(table, ".")))
		return
	}
	v.t, v.typmod = f.Types[i], f.Typmods[i]
}
