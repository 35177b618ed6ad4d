package plpgsql

import (
	"strings"
	"unicode/utf8"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/parser"
	"raisind/sql/types"
)

// reader turns a body into a tree. The first error sticks: from then on the current token
// is the end, so that every rule finishes.
type reader struct {
	src  string
	toks []parser.Token
	i    int
	err  *pgerr.Error
	fn   *Function
	ns   *scope
	cat  Types
	// depth bounds how deep statements nest.
	depth          int
	lineAt, lineNo int // the line of an offset asked for before
	errLine        int // of the token at which the error was found
	// handler counts EXCEPTION handlers around.
	handler int
}

// maxNesting bounds how deep statements nest.
const maxNesting = 500

// Types is what a body's declarations ask of the catalog.
type Types interface {
	// Type finds a type by name; positions of errors count in sql.
	Type(n *ast.TypeName, sql string) (t *types.Type, typmod int32, err error)
	// Fields describes the rows of a relation or composite type; ok is false when there is
	// none of the name.
	Fields(name []string) (f *Fields, ok bool, err error)
}

// Fields are the columns of a relation, or the fields of a composite type.
type Fields struct {
	Names   []string
	Types   []*types.Type
	Typmods []int32
	// Type is the composite type; nil when it has none.
	Type *types.Type
}

func (r *reader) tok() *parser.Token  { return &r.toks[r.i] }
func (r *reader) next() *parser.Token { return r.peek(1) }

func (r *reader) peek(n int) *parser.Token {
	if r.err != nil {
		n = 0
	}
	return &r.toks[min(r.i+n, len(r.toks)-1)]
}

func (r *reader) advance() {
	if r.i < len(r.toks)-1 {
		r.i++
	}
}

// isWord reports whether the current token is an unquoted word.
func (r *reader) isWord(word string) bool {
	return r.tok().Kind == parser.TokenWord && r.tok().Text == word
}

func isWord(t *parser.Token, word string) bool { return t.Kind == parser.TokenWord && t.Text == word }

func isOp(t *parser.Token, op string) bool { return t.Kind == parser.TokenOther && t.Text == op }

func (r *reader) isOp(op string) bool { return isOp(r.tok(), op) }

// take steps over a word, if it is the next.
func (r *reader) take(word string) bool {
	if !r.isWord(word) {
		return false
	}
	r.advance()
	return true
}

func (r *reader) takeOp(op string) bool {
	if !r.isOp(op) {
		return false
	}
	r.advance()
	return true
}

func (r *reader) want(words ...string) {
	for _, w := range words {
		if !r.take(w) {
			r.fail()
			return
		}
	}
}

func (r *reader) wantOp(op string) {
	if !r.takeOp(op) {
		r.fail()
	}
}

// fail reports a syntax error at the current token.
func (r *reader) fail() { r.failNear("syntax error") }

// failNear reports a message that ends in the current token.
func (r *reader) failNear(msg string) {
	t := r.tok()
	if t.Kind == parser.TokenEnd {
		r.failAt(t.Start, pgerr.New(pgerr.SyntaxError, "%s at end of input", msg))
		return
	}
	r.failAt(t.Start, pgerr.New(pgerr.SyntaxError, `%s at or near "%s"`, msg, r.src[t.Start:t.End]))
}

// failAt reports an error at an offset of the body.
func (r *reader) failAt(at int, err *pgerr.Error) {
	if r.err == nil {
		e := *err
		e.Pos = 0
		r.errLine = r.lineOf(r.tok().Start)
		if at >= 0 {
			e.Pos = pgerr.CharPos(r.src, at)
		}
		r.err = &e
		r.i = len(r.toks) - 1
	}
}

// lineOf is the line of an offset.
func (r *reader) lineOf(at int) int {
	if at < r.lineAt || r.lineNo == 0 {
		r.lineAt, r.lineNo = 0, 1
	}
	r.lineNo += strings.Count(r.src[r.lineAt:at], "\n")
	r.lineAt = at
	return r.lineNo
}

func (r *reader) here() at { return at(r.lineOf(r.tok().Start)) }

// name reads a name that is not a reserved word of PL/pgSQL.
func (r *reader) name() string {
	t := r.tok()
	switch {
	case t.Kind == parser.TokenQuoted, t.Kind == parser.TokenWord && !reserved[t.Text]:
		r.advance()
		return t.Text
	}
	r.fail()
	return ""
}

// reserved are PL/pgSQL's reserved words.
var reserved = map[string]bool{
	"all": true, "begin": true, "by": true, "case": true, "declare": true, "else": true, "end": true, "execute": true,
	"for": true, "foreach": true, "from": true, "if": true, "in": true, "into": true, "loop": true, "not": true,
	"null": true, "or": true, "strict": true, "then": true, "to": true, "using": true, "when": true, "while": true,
}

// until finds the first of the tokens given outside parentheses, from the current one on,
// and returns its place. Words are given as they are, other tokens as their text.
func (r *reader) until(ends ...string) int {
	depth := 0
	for i := r.i; ; i++ {
		t := &r.toks[i]
		if t.Kind == parser.TokenEnd {
			return i
		}
		if depth == 0 && (t.Kind == parser.TokenWord || t.Kind == parser.TokenOther) {
			for _, e := range ends {
				if t.Text == e {
					return i
				}
			}
		}
		if t.Kind == parser.TokenOther {
			switch t.Text {
			case "(", "[":
				depth++
			case ")", "]":
				if depth--; depth < 0 {
					return i
				}
			case ";":
				return i
			}
		}
	}
}

// expr reads an expression up to one of the tokens given; missing names them in the error
// for their absence. It leaves the reader on the token that ended it.
func (r *reader) expr(missing string, ends ...string) *fragment {
	return r.exprTo(r.until(ends...), missing, ends...)
}

func (r *reader) exprTo(end int, missing string, ends ...string) *fragment {
	if r.err != nil {
		return &fragment{}
	}
	t := &r.toks[end]
	found := false
	for _, e := range ends {
		found = found || t.Kind != parser.TokenEnd && t.Kind != parser.TokenString && t.Kind != parser.TokenQuoted && t.Text == e
	}
	if !found {
		switch {
		case isOp(t, ")") || isOp(t, "]"):
			r.i = end
			r.failNear("mismatched parentheses")
		case missing == "":
			r.i = end
			r.fail()
		default:
			r.i = end
			r.failAt(r.tok().Start, pgerr.New(pgerr.SyntaxError, `missing "%s" at end of SQL expression`, missing))
		}
		return &fragment{}
	}
	if end == r.i {
		r.failAt(t.Start, pgerr.New(pgerr.SyntaxError, "missing expression"))
		if r.err != nil && t.Kind != parser.TokenEnd {
			r.err.Msg = `syntax error at or near "` + r.src[t.Start:t.End] + `"`
		}
		return &fragment{}
	}
	f := &fragment{mode: modeExpr, pos: r.tok().Start, text: r.src[r.tok().Start:r.toks[end-1].End], ns: r.ns}
	r.i = end
	r.parse(f)
	return f
}

// parse reads the SQL of a fragment.
func (r *reader) parse(f *fragment) {
	if r.err != nil {
		return
	}
	text := f.text
	if f.mode != modeStatement {
		text = selectWord + text[f.skip:]
	}
	list, err := parser.Parse(text)
	if err == nil && len(list) != 1 {
		err = pgerr.New(pgerr.SyntaxError, "query has several statements")
	}
	if err != nil {
		e := *pgerr.From(err)
		at := f.pos
		if e.Pos > 0 {
			at = f.pos + f.offset(byteAt(text, e.Pos))
		}
		r.failAt(at, &e)
		return
	}
	f.stmt = list[0]
}

// offset is where in text a byte of the SQL that was parsed stands.
func (f *fragment) offset(at int) int {
	if f.mode == modeStatement {
		return at
	}
	return max(at-len(selectWord), 0) + f.skip
}

// byteAt is the offset of the character at a 1-based position.
func byteAt(s string, pos int) int {
	n := 0
	for pos > 1 && n < len(s) {
		_, size := utf8.DecodeRuneInString(s[n:])
		n += size
		pos--
	}
	return n
}

// statement makes a fragment of a whole statement.
func (r *reader) statement(text string, pos int) *fragment {
	f := &fragment{mode: modeStatement, text: text, pos: pos, ns: r.ns}
	r.parse(f)
	return f
}

// add declares a variable in the current level.
func (r *reader) add(v variable, visible bool) int {
	dno := len(r.fn.vars)
	r.fn.vars = append(r.fn.vars, v)
	if visible {
		kind := nsVariable
		if v.kind == recordVar {
			kind = nsRecord
		}
		r.ns = &scope{prev: r.ns, kind: kind, name: v.name, dno: dno}
	}
	return dno
}
