package plpgsql

import (
	"strings"

	"raisind/pgerr"
	"raisind/sql/parser"
	"raisind/sql/types"
)

// body reads the whole text: options, one block, an optional semicolon.
func (r *reader) body() *block {
	for r.takeOp("#") {
		r.option()
	}
	b := r.block("")
	r.takeOp(";")
	if r.err == nil && r.tok().Kind != parser.TokenEnd {
		r.fail()
	}
	return b
}

// option reads one of #variable_conflict, #print_strict_params and #option dump.
func (r *reader) option() {
	at := r.tok().Start
	switch {
	case r.take("variable_conflict"):
		switch {
		case r.take("error"):
			r.fn.conflict = conflictError
		case r.take("use_variable"):
			r.fn.conflict = useVariable
		case r.take("use_column"):
			r.fn.conflict = useColumn
		default:
			r.fail()
		}
	case r.take("print_strict_params"):
		switch {
		case r.take("on"):
			r.fn.printStrict = true
		case r.take("off"):
			r.fn.printStrict = false
		default:
			r.fail()
		}
	case r.take("option"):
		r.want("dump")
	default:
		r.failAt(at, pgerr.New(pgerr.SyntaxError, "unrecognized option"))
		r.fail()
	}
}

// label reads <<name>>, empty for none.
func (r *reader) label() string {
	if !r.takeOp("<<") {
		return ""
	}
	name := r.name()
	r.wantOp(">>")
	return name
}

// endLabel reads the label after END and compares it.
func (r *reader) endLabel(label string) {
	t := r.tok()
	if t.Kind != parser.TokenWord && t.Kind != parser.TokenQuoted || r.err != nil {
		return
	}
	name := r.name()
	switch {
	case r.err != nil:
	case label == "":
		r.failAt(t.Start, pgerr.New(pgerr.SyntaxError, `end label "%s" specified for unlabeled block`, name))
	case name != label:
		r.failAt(t.Start, pgerr.New(pgerr.SyntaxError, `end label "%s" differs from block's label "%s"`, name, label))
	}
}

// block reads [DECLARE …] BEGIN … END; the label was read.
func (r *reader) block(label string) *block {
	if label == "" {
		label = r.label()
	}
	outer := r.ns
	r.ns = &scope{prev: r.ns, kind: nsBlock, name: label}
	b := &block{at: r.here(), label: label, state: -1, message: -1}
	if r.take("declare") {
		b.init = r.declarations()
		b.at = r.here()
	}
	r.want("begin")
	b.body = r.stmts("end", "exception")
	if r.take("exception") {
		inner := r.ns
		b.state = r.add(variable{name: "sqlstate", t: types.TText, typmod: -1, constant: true}, true)
		b.message = r.add(variable{name: "sqlerrm", t: types.TText, typmod: -1, constant: true}, true)
		r.handler++
		if !r.isWord("when") {
			r.fail()
		}
		for r.take("when") {
			h := handler{conditions: r.conditions()}
			r.want("then")
			h.body = r.stmts("when", "end")
			b.handlers = append(b.handlers, h)
		}
		r.handler--
		r.ns = inner
	}
	r.want("end")
	r.ns = outer
	r.endLabel(label)
	return b
}

// conditions reads condition OR condition ….
func (r *reader) conditions() []condition {
	var list []condition
	for {
		t := *r.tok()
		switch {
		case r.isWord("sqlstate"):
			r.advance()
			list = append(list, condition{code: r.sqlstate()})
		default:
			name := r.name()
			if name == "others" {
				list = append(list, condition{others: true})
				break
			}
			codes := codesOf(name)
			if codes == nil && r.err == nil {
				r.failAt(-1, pgerr.New(pgerr.UndefinedObject, `unrecognized exception condition "%s"`, name))
				_ = t
			}
			for _, c := range codes {
				list = append(list, condition{code: c})
			}
		}
		if r.err != nil || !r.take("or") {
			return list
		}
	}
}

// sqlstate reads the literal after SQLSTATE.
func (r *reader) sqlstate() string {
	t := *r.tok()
	if t.Kind != parser.TokenString {
		r.fail()
		return ""
	}
	if !validState(t.Text) {
		r.failAt(t.Start, pgerr.New(pgerr.SyntaxError, "invalid SQLSTATE code"))
		return ""
	}
	r.advance()
	return t.Text
}

func validState(s string) bool {
	if len(s) != 5 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z') {
			return false
		}
	}
	return true
}

// stmts reads statements up to one of the words given.
func (r *reader) stmts(ends ...string) []stmt {
	var list []stmt
	if r.depth++; r.depth > maxNesting {
		r.failAt(r.tok().Start, pgerr.New(pgerr.StatementTooComplex, "stack depth limit exceeded").
			WithDetail("Statements may nest at most %d levels deep.", maxNesting))
	}
	defer func() { r.depth-- }()
	for r.err == nil && r.tok().Kind != parser.TokenEnd {
		for _, e := range ends {
			if r.isWord(e) {
				return list
			}
		}
		if s := r.stmt(); s != nil {
			list = append(list, s)
		}
	}
	if r.err == nil {
		r.fail()
	}
	return list
}

// assigns reports whether what stands here is the left side of an assignment; PostgreSQL
// looks at the token after the first one only.
func assigns(t *parser.Token) bool {
	return isOp(t, ":=") || isOp(t, "=") || isOp(t, "[") || isOp(t, ".")
}

// stmt reads one statement.
func (r *reader) stmt() stmt {
	t := *r.tok()
	line := r.here()
	if isOp(&t, "<<") {
		return r.labelled()
	}
	if t.Kind == parser.TokenWord && !(assigns(r.next()) && !reserved[t.Text]) {
		if s, ok := r.keyword(t.Text, line); ok {
			return s
		}
	}
	if t.Kind == parser.TokenWord || t.Kind == parser.TokenQuoted || t.Kind == parser.TokenParam {
		if s, ok := r.assignment(line); ok {
			return s
		}
	}
	if t.Kind == parser.TokenWord || t.Kind == parser.TokenQuoted || isOp(&t, "(") {
		return r.execSQL(line)
	}
	r.fail()
	return nil
}

// labelled reads a statement with a label: a block or a loop.
func (r *reader) labelled() stmt {
	label := r.label()
	line := r.here()
	switch {
	case r.isWord("declare") || r.isWord("begin"):
		b := r.block(label)
		r.wantOp(";")
		return b
	case r.isWord("loop"), r.isWord("while"), r.isWord("for"), r.isWord("foreach"):
		return r.loop(label, line)
	}
	r.fail()
	return nil
}

// keyword reads a statement that begins with a word of the language; ok is false when the
// word begins none.
func (r *reader) keyword(word string, line at) (s stmt, ok bool) {
	switch word {
	case "declare", "begin":
		b := r.block("")
		r.wantOp(";")
		return b, true
	case "if":
		return r.ifStmt(line), true
	case "case":
		return r.caseStmt(line), true
	case "loop", "while", "for", "foreach":
		return r.loop("", line), true
	case "exit", "continue":
		return r.exit(line, word == "continue"), true
	case "return":
		r.advance()
		return r.returns(line), true
	case "raise":
		r.advance()
		return r.raise(line), true
	case "assert":
		r.advance()
		a := &assert{at: line}
		a.cond = r.expr(";", ",", ";")
		if r.takeOp(",") {
			a.message = r.expr(";", ";")
		}
		r.wantOp(";")
		return a, true
	case "perform":
		at := r.tok().Start
		r.advance()
		end := r.until(";")
		if end == r.i {
			r.fail()
			return nil, true
		}
		// The text that messages show has SELECT in the place of PERFORM.
		_ = at
		text := selectWord + r.src[r.tok().Start:r.toks[end-1].End]
		f := r.statement(text, r.tok().Start-len(selectWord))
		if r.err == nil {
			r.i = end
		}
		r.wantOp(";")
		return &execSQL{at: line, q: f, kind: "PERFORM"}, true
	case "execute":
		r.advance()
		return r.execute(line), true
	case "get":
		return r.getDiag(line), true
	case "open":
		r.advance()
		return r.open(line), true
	case "fetch", "move":
		r.advance()
		return r.fetch(line, word == "move"), true
	case "close":
		r.advance()
		c := &closeCursor{at: line, dno: r.cursorName()}
		r.wantOp(";")
		return c, true
	case "null":
		r.advance()
		r.wantOp(";")
		return nil, true
	case "call", "do":
		s := r.execSQL(line)
		if e, ok := s.(*execSQL); ok {
			e.kind = strings.ToUpper(word)
		}
		return s, true
	case "commit", "rollback":
		if n := r.next(); !(isOp(n, ";") || isWord(n, "and")) {
			return nil, false
		}
		r.advance()
		e := &endTxn{at: line, commit: word == "commit"}
		if r.take("and") {
			e.chain = !r.take("no")
			r.want("chain")
		}
		r.wantOp(";")
		return e, true
	}
	return nil, false
}

// variableHere looks at the name here and finds the variable that it begins with; end is
// the token after the whole dotted name.
func (r *reader) variableHere() (it *scope, used int, names []string, end int) {
	if t := r.tok(); t.Kind == parser.TokenParam {
		names, end = []string{"$" + t.Text}, r.i+1
	} else {
		end, names = r.dotted()
		for n := r.i + 1; names == nil && n < len(r.toks); n++ { // something like a.*
			return nil, 0, nil, r.i + 1
		}
	}
	it, used = r.ns.lookup(names)
	return it, used, names, end
}

// assignment reads target := value; ok is false when what stands here is none.
func (r *reader) assignment(line at) (stmt, bool) {
	start := r.i
	it, used, names, end := r.variableHere()
	if names == nil {
		return nil, false
	}
	after := &r.toks[min(end, len(r.toks)-1)]
	isAssign := isOp(after, ":=") || isOp(after, "=") || isOp(after, "[")
	if it == nil {
		if isAssign || len(names) == 1 && isOp(after, ".") {
			t := r.tok()
			r.failAt(t.Start, pgerr.New(pgerr.SyntaxError, `"%s" is not a known variable`, strings.Join(names, ".")))
			return nil, true
		}
		return nil, false
	}
	if !isAssign {
		return nil, false
	}
	to := target{dno: it.dno, name: strings.Join(names, "."), pos: r.tok().Start}
	for _, f := range names[used:] {
		to.path = append(to.path, step{field: f})
	}
	r.i = end
	r.subscripts(&to)
	r.checkAssignable(&to)
	if !r.takeOp(":=") && !r.takeOp("=") {
		r.fail()
		return nil, true
	}
	eq := r.i
	valueEnd := r.until(";")
	a := &assign{at: line, to: to, value: r.exprTo(valueEnd, ";", ";")}
	if r.err == nil {
		first := r.toks[start].Start
		a.value.mode = modeAssign
		a.value.skip = r.toks[eq].Start - first
		a.value.text, a.value.pos = r.src[first:r.toks[valueEnd-1].End], first
	}
	r.wantOp(";")
	return a, true
}

// subscripts reads [i] and .field after the name of a target.
func (r *reader) subscripts(to *target) {
	for r.err == nil {
		switch {
		case r.takeOp("["):
			to.path = append(to.path, step{index: r.expr("]", "]")})
			r.wantOp("]")
		case r.takeOp("."):
			to.path = append(to.path, step{field: r.name()})
		default:
			return
		}
	}
}

// checkAssignable refuses constants and cursors with a query.
func (r *reader) checkAssignable(to *target) {
	v := &r.fn.vars[to.dno]
	if v.constant {
		r.failAt(to.pos, pgerr.New(pgerr.ErrorInAssignment, `variable "%s" is declared CONSTANT`, v.name))
	}
}

func (r *reader) ifStmt(line at) stmt {
	s := &ifStmt{at: line}
	r.advance()
	for r.err == nil {
		s.conds = append(s.conds, r.expr("THEN", "then"))
		r.want("then")
		s.bodies = append(s.bodies, r.stmts("elsif", "elseif", "else", "end"))
		if !r.take("elsif") && !r.take("elseif") {
			break
		}
	}
	if r.take("else") {
		s.orElse = r.stmts("end")
	}
	r.want("end", "if")
	r.wantOp(";")
	return s
}

func (r *reader) caseStmt(line at) stmt {
	s := &caseStmt{at: line, subj: -1}
	r.advance()
	outer := r.ns
	if !r.isWord("when") {
		s.subject = r.expr("WHEN", "when")
		s.subj = r.add(variable{name: "__Case__Variable_" + itoa(len(r.fn.vars)) + "__", typmod: -1}, true)
	}
	for r.err == nil && r.take("when") {
		pos := r.tok().Start
		end := r.until("then")
		if s.subject == nil {
			s.conds = append(s.conds, r.exprTo(end, "THEN", "then"))
		} else {
			s.conds = append(s.conds, r.whenValue(end, s.subj, pos))
		}
		r.want("then")
		s.bodies = append(s.bodies, r.stmts("when", "else", "end"))
	}
	r.ns = outer
	if len(s.conds) == 0 {
		r.fail()
	}
	if r.take("else") {
		s.hasElse = true
		s.orElse = r.stmts("end")
	}
	r.want("end", "case")
	r.wantOp(";")
	return s
}

// whenValue reads a value of CASE x WHEN value: the condition is that the variable which
// holds x is IN it, as PostgreSQL spells it.
func (r *reader) whenValue(end, subj, pos int) *fragment {
	f := r.exprTo(end, "THEN", "then")
	if r.err != nil {
		return f
	}
	name := r.fn.vars[subj].name
	f.text = `"` + name + `" IN (` + f.text + `)`
	f.pos = pos - len(name) - 7
	r.parse(f)
	return f
}

func (r *reader) exit(line at, next bool) stmt {
	e := &exit{at: line, next: next}
	word := r.tok().Start
	r.advance()
	if t := r.tok(); (t.Kind == parser.TokenWord || t.Kind == parser.TokenQuoted) && !isWord(t, "when") {
		e.label = r.name()
		if r.err == nil {
			l := r.ns.label(e.label)
			switch {
			case l == nil:
				r.failAt(t.Start, pgerr.New(pgerr.SyntaxError, `there is no label "%s" attached to any block or loop enclosing this statement`, e.label))
			case next && l.kind != nsLoop:
				r.failAt(t.Start, pgerr.New(pgerr.SyntaxError, `block label "%s" cannot be used in CONTINUE`, e.label))
			}
		}
	} else if !r.ns.inLoop() {
		if next {
			r.failAt(word, pgerr.New(pgerr.SyntaxError, "CONTINUE cannot be used outside a loop"))
		} else {
			r.failAt(word, pgerr.New(pgerr.SyntaxError, "EXIT cannot be used outside a loop, unless it has a label"))
		}
	}
	if r.take("when") {
		e.cond = r.expr(";", ";")
	}
	r.wantOp(";")
	return e
}

// loop reads LOOP, WHILE, FOR and FOREACH.
func (r *reader) loop(label string, line at) stmt {
	outer := r.ns
	r.ns = &scope{prev: r.ns, kind: nsLoop, name: label}
	defer func() { r.ns = outer }()
	switch r.tok().Text {
	case "loop":
		l := &loop{at: line, label: label}
		l.body = r.loopBody(label)
		return l
	case "while":
		r.advance()
		l := &loop{at: line, label: label, cond: r.expr("LOOP", "loop")}
		l.body = r.loopBody(label)
		return l
	case "for":
		r.advance()
		return r.forLoop(label, line)
	}
	r.advance()
	f := &forEach{at: line, label: label}
	f.into = r.loopTarget()
	if r.take("slice") {
		t := *r.tok()
		if t.Kind != parser.TokenInt {
			r.fail()
		} else {
			f.slice = int(atoi(t.Text))
			r.advance()
		}
	}
	r.want("in", "array")
	f.array = r.expr("LOOP", "loop")
	f.body = r.loopBody(label)
	return f
}

func (r *reader) loopBody(label string) []stmt {
	r.want("loop")
	body := r.stmts("end")
	r.want("end", "loop")
	outer := r.ns
	r.endLabel(label)
	r.ns = outer
	r.wantOp(";")
	return body
}

// loopTarget reads the variables of FOR and FOREACH.
func (r *reader) loopTarget() target {
	t := r.intoTarget()
	return t
}

// forLoop reads what follows FOR.
func (r *reader) forLoop(label string, line at) stmt {
	first := *r.tok()
	end, names := r.dotted()
	// FOR name IN [REVERSE] a .. b declares its variable; the others use one.
	in := &r.toks[min(end, len(r.toks)-1)]
	if len(names) == 1 && isWord(in, "in") {
		here := r.i
		r.i = end + 1
		reverse := r.take("reverse")
		if dots := r.until("..", "loop"); isOp(&r.toks[dots], "..") {
			f := &forInt{at: line, label: label, reverse: reverse}
			low := r.exprTo(dots, "..", "..")
			r.advance()
			high := r.expr("LOOP", "by", "loop")
			f.low, f.high = low, high
			if r.take("by") {
				f.step = r.expr("LOOP", "loop")
			}
			f.dno = r.add(variable{name: first.Text, line: int(line), t: types.TInt4, typmod: -1}, true)
			f.body = r.loopBody(label)
			return f
		}
		r.i = here
	}
	f := &forQuery{at: line, label: label, cursor: -1}
	cursorLoop := false
	if len(names) == 1 && isWord(in, "in") {
		if c := &r.toks[min(end+1, len(r.toks)-1)]; c.Kind == parser.TokenWord || c.Kind == parser.TokenQuoted {
			it, _ := r.ns.lookup([]string{c.Text})
			cursorLoop = it != nil && r.fn.vars[it.dno].t == types.TRefcursor
		}
	}
	if cursorLoop {
		r.i = end + 1
		t := *r.tok()
		f.cursor = r.cursorName()
		v := &r.fn.vars[f.cursor]
		if v.kind != cursorVar && r.err == nil {
			r.failAt(t.Start, pgerr.New(pgerr.SyntaxError, "cursor FOR loop must use a bound cursor variable"))
		}
		f.args, f.argList = r.cursorArgs(f.cursor)
		f.into = target{dno: r.add(variable{kind: recordVar, name: first.Text, line: int(line), t: types.TRecord, typmod: -1}, true), name: first.Text, pos: first.Start}
		f.body = r.loopBody(label)
		return f
	}
	f.into = r.loopTarget()
	r.want("in")
	if t := r.tok(); isWord(t, "reverse") {
		r.failAt(t.Start, pgerr.New(pgerr.SyntaxError, "cannot specify REVERSE in query FOR loop"))
	}
	f.source = &querySource{}
	if r.take("execute") {
		f.source.dynamic = true
		f.source.q = r.expr("LOOP", "using", "loop")
		if r.take("using") {
			f.source.using = r.exprList("loop")
		}
	} else {
		loopAt := r.until("loop")
		if r.err == nil {
			if !isWord(&r.toks[loopAt], "loop") {
				r.i = loopAt
				r.failAt(r.tok().Start, pgerr.New(pgerr.SyntaxError, `missing "%s" at end of SQL expression`, "LOOP"))
			} else {
				f.source.q = r.statement(r.src[r.tok().Start:max(r.toks[loopAt-1].End, r.tok().Start)], r.tok().Start)
				if r.err == nil {
					r.i = loopAt
				}
			}
		}
	}
	f.body = r.loopBody(label)
	return f
}

// exprList reads expressions separated by commas up to a token.
func (r *reader) exprList(end string) []*fragment {
	var list []*fragment
	for r.err == nil {
		list = append(list, r.expr(strings.ToUpper(end), ",", end))
		if !r.takeOp(",") {
			break
		}
	}
	return list
}

func (r *reader) returns(line at) stmt {
	switch {
	case r.isWord("next"):
		at := r.tok().Start
		r.advance()
		s := &returnNext{at: line, dno: -1}
		if !r.fn.Set && r.err == nil {
			r.failAt(at, pgerr.New(pgerr.DatatypeMismatch, "cannot use RETURN NEXT in a non-SETOF function"))
		}
		if r.takeOp(";") {
			if len(r.fn.outs) == 0 && r.err == nil {
				r.i--
				r.fail()
			}
			return s
		}
		if len(r.fn.outs) > 0 {
			r.failAt(r.tok().Start, pgerr.New(pgerr.DatatypeMismatch, "RETURN NEXT cannot have a parameter in function with OUT parameters"))
			return s
		}
		s.dno, s.value = r.returned()
		return s
	case r.isWord("query"):
		at := r.tok().Start
		r.advance()
		if !r.fn.Set && r.err == nil {
			r.failAt(at, pgerr.New(pgerr.DatatypeMismatch, "cannot use RETURN QUERY in a non-SETOF function"))
		}
		s := &returnQuery{at: line}
		if r.take("execute") {
			s.source.dynamic = true
			s.source.q = r.expr(";", "using", ";")
			if r.take("using") {
				s.source.using = r.exprList(";")
			}
		} else {
			s.source.q = r.sqlTo(r.until(";"))
		}
		r.wantOp(";")
		return s
	}
	s := &returnStmt{at: line, dno: -1}
	at := r.tok().Start
	bare := func(msg, hint string) {
		e := pgerr.New(pgerr.DatatypeMismatch, "%s", msg)
		if hint != "" {
			e.WithHint("%s", hint)
		}
		r.failAt(at, e)
	}
	switch fn := r.fn; {
	case fn.Set:
		if !r.takeOp(";") {
			bare("RETURN cannot have a parameter in function returning set", "Use RETURN NEXT or RETURN QUERY.")
		}
		return s
	case fn.Procedure && len(fn.outs) == 0, fn.Result == types.TVoid && len(fn.outs) == 0:
		if !r.takeOp(";") {
			if fn.Procedure {
				bare("RETURN cannot have a parameter in a procedure", "")
			} else {
				bare("RETURN cannot have a parameter in function returning void", "")
			}
		}
		return s
	case len(fn.outs) > 0:
		if !r.takeOp(";") {
			bare("RETURN cannot have a parameter in function with OUT parameters", "")
		}
		return s
	}
	s.dno, s.value = r.returned()
	return s
}

// returned reads what RETURN gives: a variable alone, or an expression.
func (r *reader) returned() (dno int, f *fragment) {
	if it, used, names, end := r.variableHere(); it != nil && used == len(names) && isOp(&r.toks[min(end, len(r.toks)-1)], ";") {
		text, pos := r.src[r.tok().Start:r.toks[end-1].End], r.tok().Start
		r.i = end
		r.advance()
		f := &fragment{mode: modeExpr, text: text, pos: pos, ns: r.ns}
		r.parse(f)
		return it.dno, f
	}
	f = r.expr(";", ";")
	r.wantOp(";")
	return -1, f
}

// sqlTo reads the SQL statement from here to a token.
func (r *reader) sqlTo(end int) *fragment {
	if r.err != nil {
		return &fragment{}
	}
	if end == r.i {
		r.fail()
		return &fragment{}
	}
	f := r.statement(r.src[r.tok().Start:r.toks[end-1].End], r.tok().Start)
	if r.err == nil {
		r.i = end
	}
	return f
}
