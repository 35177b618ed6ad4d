package plpgsql

import (
	"strconv"
	"strings"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/parser"
	"raisind/sql/types"
)

func itoa(n int) string { return strconv.Itoa(n) }

func atoi(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// execSQL reads a statement of SQL up to its semicolon. An INTO that is not INSERT's is
// taken out, and spaces are left in its place so that positions stay.
func (r *reader) execSQL(line at) stmt {
	s := &execSQL{at: line, kind: "SQL statement"}
	first := r.i
	start := r.tok().Start
	prev := ""
	var from, to int
	for r.err == nil {
		t := r.tok()
		if t.Kind == parser.TokenEnd {
			r.failAt(t.Start, pgerr.New(pgerr.SyntaxError, "unexpected end of function definition at end of input"))
			return nil
		}
		if isOp(t, ";") {
			break
		}
		if isWord(t, "into") && prev != "insert" && prev != "merge" && r.i > first {
			if prev == "import" {
				prev = ""
				r.advance()
				continue
			}
			if s.into != nil {
				r.failAt(t.Start, pgerr.New(pgerr.SyntaxError, "INTO specified more than once"))
				return nil
			}
			from = t.Start
			r.advance()
			s.strict = r.take("strict")
			into := r.intoTarget()
			s.into, to = &into, r.tok().Start
			prev = ""
			continue
		}
		prev = ""
		if t.Kind == parser.TokenWord {
			prev = t.Text
		}
		r.advance()
	}
	if r.err != nil {
		return nil
	}
	text := r.src[start:r.toks[r.i-1].End]
	if s.into != nil {
		end := r.toks[r.i-1].End
		if to > end {
			text = r.src[start:from]
		} else {
			text = r.src[start:from] + strings.Repeat(" ", to-from) + r.src[to:end]
		}
		text = strings.TrimRight(text, " \t\n\r\f")
	}
	end := r.i
	s.q = r.statement(text, start)
	if r.err != nil {
		return nil
	}
	r.i = end
	r.wantOp(";")
	return s
}

// intoTarget reads the variables of INTO or of a loop: one record, or a list.
func (r *reader) intoTarget() target {
	first := *r.tok()
	one := r.oneTarget()
	if r.err != nil || !r.isOp(",") {
		if r.err == nil && len(one.path) == 0 {
			if k := r.fn.vars[one.dno].kind; k == recordVar || k == rowVar {
				return one
			}
		}
		if r.err != nil {
			return one
		}
	}
	list := []target{one}
	for r.err == nil && r.takeOp(",") {
		list = append(list, r.oneTarget())
	}
	for _, t := range list {
		if v := &r.fn.vars[t.dno]; r.err == nil && len(t.path) == 0 && len(list) > 1 && (v.kind == recordVar || v.kind == rowVar) {
			r.failAt(t.pos, pgerr.New(pgerr.SyntaxError, `record variable cannot be part of multiple-item INTO list`))
		}
	}
	row := variable{kind: rowVar, name: "(unnamed row)", typmod: -1}
	dno := r.add(row, false)
	r.fn.rows[dno] = list
	return target{dno: dno, name: row.name, pos: first.Start}
}

// oneTarget reads the name of a variable, with fields and subscripts.
func (r *reader) oneTarget() target {
	t := r.tok()
	if t.Kind != parser.TokenWord && t.Kind != parser.TokenQuoted && t.Kind != parser.TokenParam {
		r.fail()
		return target{}
	}
	it, used, names, end := r.variableHere()
	if it == nil {
		if names == nil {
			r.fail()
			return target{}
		}
		r.failAt(t.Start, pgerr.New(pgerr.SyntaxError, `"%s" is not a known variable`, strings.Join(names, ".")))
		return target{}
	}
	to := target{dno: it.dno, name: strings.Join(names, "."), pos: t.Start}
	for _, f := range names[used:] {
		to.path = append(to.path, step{field: f})
	}
	r.i = end
	r.subscripts(&to)
	r.checkAssignable(&to)
	return to
}

// execute reads EXECUTE expression [INTO [STRICT] …] [USING …].
func (r *reader) execute(line at) stmt {
	s := &execute{at: line}
	s.q = r.expr(";", "into", "using", ";")
	for r.err == nil {
		switch {
		case r.take("into"):
			if s.into != nil {
				r.i--
				r.fail()
				break
			}
			s.strict = r.take("strict")
			into := r.intoTarget()
			s.into = &into
		case r.take("using"):
			if s.using != nil {
				r.i--
				r.fail()
				break
			}
			for r.err == nil {
				s.using = append(s.using, r.expr(";", ",", "into", ";"))
				if !r.takeOp(",") {
					break
				}
			}
		default:
			r.wantOp(";")
			return s
		}
	}
	return s
}

var levels = map[string]pgerr.Severity{
	"exception": pgerr.SeverityError, "warning": pgerr.SeverityWarning, "notice": pgerr.SeverityNotice,
	"info": pgerr.SeverityInfo, "log": pgerr.SeverityLog, "debug": pgerr.SeverityDebug,
}

// raise reads what follows RAISE.
func (r *reader) raise(line at) stmt {
	s := &raise{at: line, level: pgerr.SeverityError}
	if r.takeOp(";") {
		s.again = true
		return s
	}
	if t := r.tok(); t.Kind == parser.TokenWord {
		if level, ok := levels[t.Text]; ok {
			s.level = level
			r.advance()
		}
	}
	t := *r.tok()
	switch {
	case t.Kind == parser.TokenString:
		s.format, s.hasText = t.Text, true
		r.advance()
		for r.err == nil && r.takeOp(",") {
			s.args = append(s.args, r.expr(";", ",", "using", ";"))
		}
		r.checkRaiseParams(s)
	case r.isWord("using"):
	case r.take("sqlstate"):
		s.code = r.sqlstate()
		s.cond = s.code
	default:
		if isOp(&t, ";") {
			break
		}
		s.cond = r.name()
		if codes := codesOf(s.cond); codes != nil {
			s.code = codes[0]
		} else if r.err == nil {
			r.failAt(-1, pgerr.New(pgerr.UndefinedObject, `unrecognized exception condition "%s"`, s.cond))
		}
	}
	if r.take("using") {
		for r.err == nil {
			o := raiseOption{name: r.name()}
			switch o.name {
			case "errcode", "message", "detail", "hint", "column", "constraint", "datatype", "table", "schema":
			default:
				if r.err == nil {
					r.i--
					r.failNear("unrecognized RAISE statement option")
				}
			}
			if !r.takeOp("=") && !r.takeOp(":=") {
				r.failNear("syntax error, expected \"=\"")
			}
			o.value = r.expr(";", ",", ";")
			s.options = append(s.options, o)
			if !r.takeOp(",") {
				break
			}
		}
	}
	r.wantOp(";")
	return s
}

// checkRaiseParams compares the placeholders of a format with the arguments.
func (r *reader) checkRaiseParams(s *raise) {
	n := 0
	for i := 0; i < len(s.format); i++ {
		if s.format[i] != '%' {
			continue
		}
		if i+1 < len(s.format) && s.format[i+1] == '%' {
			i++
			continue
		}
		n++
	}
	if r.err != nil {
		return
	}
	if n < len(s.args) {
		r.failAt(-1, pgerr.New(pgerr.SyntaxError, "too many parameters specified for RAISE"))
	}
	if n > len(s.args) {
		r.failAt(-1, pgerr.New(pgerr.SyntaxError, "too few parameters specified for RAISE"))
	}
}

var diagnostics = map[string]bool{ // true: of GET STACKED DIAGNOSTICS
	"row_count": false, "pg_context": false, "returned_sqlstate": true, "message_text": true, "pg_exception_detail": true,
	"pg_exception_hint": true, "pg_exception_context": true, "column_name": true, "constraint_name": true,
	"pg_datatype_name": true, "table_name": true, "schema_name": true,
}

// getDiag reads GET [CURRENT | STACKED] DIAGNOSTICS.
func (r *reader) getDiag(line at) stmt {
	g := &getDiag{at: line}
	start := r.tok().Start
	r.advance()
	if r.take("stacked") {
		g.stacked = true
	} else {
		r.take("current")
	}
	r.want("diagnostics")
	for r.err == nil {
		i := diagItem{to: r.oneTarget()}
		if !r.takeOp(":=") && !r.takeOp("=") {
			r.fail()
		}
		t := *r.tok()
		i.what = r.name()
		stacked, known := diagnostics[i.what]
		switch {
		case r.err != nil:
		case !known:
			r.i--
			r.failNear("unrecognized GET DIAGNOSTICS item")
		case stacked != g.stacked:
			_ = t
			r.failAt(start, pgerr.New(pgerr.SyntaxError, "diagnostics item %s is not allowed in GET %s DIAGNOSTICS", strings.ToUpper(i.what),
				map[bool]string{true: "STACKED", false: "CURRENT"}[g.stacked]))
		}
		g.items = append(g.items, i)
		if !r.takeOp(",") {
			break
		}
	}
	r.wantOp(";")
	return g
}

// cursorName reads the name of a variable of type refcursor.
func (r *reader) cursorName() int {
	t := *r.tok()
	it, used, names, end := r.variableHere()
	switch {
	case r.err != nil:
	case it == nil || used < len(names):
		if t.Kind == parser.TokenWord || t.Kind == parser.TokenQuoted {
			r.failAt(t.Start, pgerr.New(pgerr.SyntaxError, `"%s" is not a known variable`, r.src[t.Start:t.End]))
		} else {
			r.fail()
		}
	case r.fn.vars[it.dno].t != types.TRefcursor:
		r.failAt(t.Start, pgerr.New(pgerr.DatatypeMismatch, `variable "%s" must be of type cursor or refcursor`, t.Text))
	default:
		r.i = end
		return it.dno
	}
	return 0
}

// cursorArgs reads the arguments of a bound cursor. The fragment yields them in the order
// they are written, list names the variable that each of them goes to.
func (r *reader) cursorArgs(dno int) (*fragment, []int) {
	v := r.fn.vars[dno]
	if len(v.parts) == 0 {
		if r.isOp("(") {
			r.failAt(r.tok().Start, pgerr.New(pgerr.SyntaxError, `cursor "%s" has no arguments`, v.name))
		}
		return nil, nil
	}
	if !r.isOp("(") {
		r.failAt(r.tok().Start, pgerr.New(pgerr.SyntaxError, `cursor "%s" has arguments`, v.name))
		return nil, nil
	}
	open := r.tok().Start
	r.advance()
	var list []int
	var texts []string
	for r.err == nil {
		to := -1
		if n := r.next(); isOp(n, ":=") || isOp(n, "=>") {
			t := *r.tok()
			name := r.name()
			for _, p := range v.parts {
				if r.fn.vars[p].name == name {
					to = p
				}
			}
			if to < 0 && r.err == nil {
				r.failAt(t.Start, pgerr.New(pgerr.SyntaxError, `cursor "%s" has no argument named "%s"`, v.name, name))
			}
			r.advance()
		} else if len(list) < len(v.parts) {
			to = v.parts[len(list)]
		} else {
			r.failAt(open, pgerr.New(pgerr.SyntaxError, `too many arguments for cursor "%s"`, v.name))
		}
		for _, l := range list {
			if l == to && r.err == nil {
				r.failAt(r.tok().Start, pgerr.New(pgerr.SyntaxError, `value for parameter "%s" of cursor "%s" specified more than once`, r.fn.vars[to].name, v.name))
			}
		}
		list = append(list, to)
		texts = append(texts, r.expr(")", ",", ")").text)
		if !r.takeOp(",") {
			break
		}
	}
	r.wantOp(")")
	if r.err == nil && len(list) < len(v.parts) {
		r.failAt(open, pgerr.New(pgerr.SyntaxError, `not enough arguments for cursor "%s"`, v.name))
	}
	f := &fragment{mode: modeExpr, text: strings.Join(texts, ", "), pos: open, ns: r.ns}
	r.parse(f)
	return f, list
}

// open reads what follows OPEN.
func (r *reader) open(line at) stmt {
	s := &openCursor{at: line, dno: r.cursorName()}
	if r.err != nil {
		return nil
	}
	if r.fn.vars[s.dno].kind == cursorVar {
		s.args, s.argList = r.cursorArgs(s.dno)
		r.wantOp(";")
		return s
	}
	no, yes := false, true
	if r.take("no") {
		r.want("scroll")
		s.scroll = &no
	} else if r.take("scroll") {
		s.scroll = &yes
	}
	if !r.isWord("for") {
		r.failNear(`syntax error, expected "FOR"`)
		return nil
	}
	r.advance()
	s.source = &querySource{}
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

// fetch reads what follows FETCH or MOVE.
func (r *reader) fetch(line at, move bool) stmt {
	s := &fetch{at: line, move: move, dir: ast.Forward, count: 1}
	count := func() { // [ALL | n]
		switch {
		case r.take("all"):
			s.all = true
		case r.isWord("from") || r.isWord("in"):
		case r.tok().Kind == parser.TokenWord || r.tok().Kind == parser.TokenQuoted:
			if n := r.next(); isOp(n, ";") || isWord(n, "into") {
				return // FORWARD c
			}
			s.n = r.expr("FROM", "from", "in")
		default:
			s.n = r.expr("FROM", "from", "in")
		}
	}
	switch {
	case r.take("next"):
	case r.take("prior"):
		s.dir = ast.Backward
	case r.take("first"):
		s.dir = ast.Absolute
	case r.take("last"):
		s.dir, s.count = ast.Absolute, -1
	case r.take("absolute"):
		s.dir = ast.Absolute
		s.n = r.expr("FROM", "from", "in")
	case r.take("relative"):
		s.dir = ast.Relative
		s.n = r.expr("FROM", "from", "in")
	case r.take("all"):
		s.all = true
	case r.take("forward"):
		count()
	case r.take("backward"):
		s.dir = ast.Backward
		count()
	case r.isWord("from") || r.isWord("in"):
	default:
		if n := r.next(); isOp(n, ";") || isWord(n, "into") || isOp(n, ".") {
			break // the cursor alone
		}
		s.n = r.expr("FROM", "from", "in")
	}
	if !r.take("from") {
		r.take("in")
	}
	s.dno = r.cursorName()
	if move {
		r.wantOp(";")
		return s
	}
	if s.all || s.n != nil && (s.dir == ast.Forward || s.dir == ast.Backward) && s.n.text != "1" {
		r.failAt(-1, pgerr.New(pgerr.FeatureNotSupported, "FETCH statement cannot return multiple rows"))
	}
	r.want("into")
	into := r.intoTarget()
	s.into = &into
	r.wantOp(";")
	return s
}
