package types

import (
	"strconv"
	"strings"

	"raisind/pgerr"
)

// maxPathDepth bounds the nesting of a path.
const maxPathDepth = 500

// ParseJSONPath reads a jsonpath. Its errors are those of PostgreSQL's input function.
func ParseJSONPath(s string) (*JSONPath, error) {
	p := &pathParser{s: pathScanner{src: s}}
	p.advance()
	out := &JSONPath{}
	if p.err == nil && p.tok.kind == 0 {
		return nil, pgerr.New(pgerr.InvalidTextRepresentation, "invalid input syntax for type %s: \"%s\"", "jsonpath", s)
	}
	switch {
	case p.isWord("strict"):
		out.Strict = true
		p.advance()
	case p.isWord("lax"):
		p.advance()
	}
	out.Root = p.or()
	if p.err == nil && p.tok.kind != 0 {
		p.fail()
	}
	if p.err == nil {
		p.err = out.Root.check(false, false)
	}
	return out, p.err
}

// check refuses @ outside of filters and last outside of subscripts.
func (n *JSONPathNode) check(inFilter, inSubscript bool) error {
	for ; n != nil; n = n.Next {
		switch {
		case n.Op == PathCurrent && !inFilter:
			return pgerr.New(pgerr.SyntaxError, "@ is not allowed in root expressions")
		case n.Op == PathLast && !inSubscript:
			return pgerr.New(pgerr.SyntaxError, "LAST is allowed only in array subscripts")
		}
		for _, c := range []*JSONPathNode{n.Left, n.Right} {
			if err := c.check(inFilter || n.Op == PathFilter, inSubscript); err != nil {
				return err
			}
		}
		for _, s := range n.Subscripts {
			for _, c := range []*JSONPathNode{s.From, s.To} {
				if err := c.check(inFilter, true); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

type pathParser struct {
	s     pathScanner
	tok   pathToken
	depth int
	err   error
}

func (p *pathParser) advance() {
	if p.err != nil {
		return
	}
	p.tok, p.err = p.s.next()
}

func (p *pathParser) fail() {
	if p.err == nil {
		p.err = pathSyntax(p.tok.raw)
	}
}

func (p *pathParser) is(sym string) bool {
	return p.err == nil && p.tok.text == sym && p.tok.kind == sym[0] && p.tok.kind != 'i' && p.tok.kind != 's'
}

func (p *pathParser) take(sym string) bool {
	if !p.is(sym) {
		return false
	}
	p.advance()
	return true
}

func (p *pathParser) want(sym string) {
	if !p.take(sym) {
		p.fail()
	}
}

// isWord reports a keyword; null, true and false are only lower case.
func (p *pathParser) isWord(w string) bool {
	if p.err != nil || p.tok.kind != 'i' {
		return false
	}
	switch w {
	case "null", "true", "false":
		return p.tok.text == w
	}
	return strings.EqualFold(p.tok.text, w)
}

func (p *pathParser) takeWord(w string) bool {
	if !p.isWord(w) {
		return false
	}
	p.advance()
	return true
}

func (p *pathParser) enter() bool {
	if p.depth++; p.depth > maxPathDepth && p.err == nil {
		p.err = pgerr.New(pgerr.StatementTooComplex, "jsonpath is nested too deeply, limit %d", maxPathDepth)
	}
	return p.err == nil
}

// isPredicate reports whether n gives a truth value.
func (n *JSONPathNode) isPredicate() bool {
	switch n.Op {
	case PathExists, PathNot, PathIsUnknown, PathAnd, PathOr, PathEqual, PathNotEqual, PathLess, PathGreater,
		PathLessEqual, PathGreaterEqual, PathStartsWith, PathLikeRegex:
		return n.Next == nil
	}
	return false
}

// needs checks that operands are predicates, or that they are not.
func (p *pathParser) needs(predicate bool, ns ...*JSONPathNode) {
	for _, n := range ns {
		if p.err == nil && n.isPredicate() != predicate {
			p.fail()
		}
	}
}

func (p *pathParser) or() *JSONPathNode {
	return p.chain(true, p.and, map[string]JSONPathOp{"||": PathOr})
}

func (p *pathParser) and() *JSONPathNode {
	return p.chain(true, p.predicate, map[string]JSONPathOp{"&&": PathAnd})
}

// chain reads operands with operators of one rank between them, which group from the
// left. The operands are all predicates, or none is.
func (p *pathParser) chain(predicates bool, operand func() *JSONPathNode, ops map[string]JSONPathOp) *JSONPathNode {
	l := operand()
	for {
		op, ok := ops[p.tok.text]
		if !ok || !p.take(p.tok.text) {
			return l
		}
		r := operand()
		p.needs(predicates, l, r)
		l = &JSONPathNode{Op: op, Left: l, Right: r}
	}
}

var pathComparisons = map[string]JSONPathOp{
	"==": PathEqual, "=": PathEqual, "!=": PathNotEqual, "<": PathLess, ">": PathGreater, "<=": PathLessEqual, ">=": PathGreaterEqual,
}

func (p *pathParser) predicate() *JSONPathNode {
	if !p.enter() {
		return &JSONPathNode{}
	}
	defer func() { p.depth-- }()
	if p.take("!") {
		if !p.is("(") && !p.isWord("exists") {
			p.fail()
			return &JSONPathNode{}
		}
		n := p.primary()
		p.needs(true, n)
		return &JSONPathNode{Op: PathNot, Left: n}
	}
	l := p.additive()
	if p.err != nil {
		return l
	}
	if op, ok := pathComparisons[p.tok.text]; ok && p.tok.kind != 'i' && p.tok.kind != 's' && p.tok.kind != 'v' {
		p.advance()
		r := p.additive()
		p.needs(false, l, r)
		return &JSONPathNode{Op: op, Left: l, Right: r}
	}
	switch {
	case p.takeWord("starts"):
		if !p.takeWord("with") {
			p.fail()
		}
		r := &JSONPathNode{Op: PathString, Text: p.tok.text}
		switch p.tok.kind {
		case 's':
		case 'v':
			r.Op = PathVariable
		default:
			p.fail()
		}
		p.advance()
		p.needs(false, l)
		return &JSONPathNode{Op: PathStartsWith, Left: l, Right: r}
	case p.takeWord("like_regex"):
		p.needs(false, l)
		return p.likeRegex(l)
	}
	return l
}

func (p *pathParser) likeRegex(l *JSONPathNode) *JSONPathNode {
	n := &JSONPathNode{Op: PathLikeRegex, Left: l, Text: p.tok.text}
	if p.tok.kind != 's' {
		p.fail()
	}
	p.advance()
	if p.takeWord("flag") {
		if p.tok.kind != 's' {
			p.fail()
			return n
		}
		given := p.tok.text
		for _, f := range given {
			if !strings.ContainsRune("ismxq", f) {
				if p.err == nil {
					p.err = pgerr.New(pgerr.SyntaxError, "invalid input syntax for type %s", "jsonpath").
						WithDetail("Unrecognized flag character \"%c\" in LIKE_REGEX predicate.", f)
				}
				return n
			}
		}
		for _, f := range "ismxq" {
			if strings.ContainsRune(given, f) {
				n.Flags += string(f)
			}
		}
		p.advance()
	}
	if strings.Contains(n.Flags, "x") && !strings.Contains(n.Flags, "q") && p.err == nil {
		p.err = pgerr.New(pgerr.FeatureNotSupported, "XQuery \"x\" flag (expanded regular expressions) is not implemented")
	}
	return n
}

func (p *pathParser) additive() *JSONPathNode {
	return p.chain(false, p.multiplicative, map[string]JSONPathOp{"+": PathAdd, "-": PathSub})
}

func (p *pathParser) multiplicative() *JSONPathNode {
	return p.chain(false, p.unary, map[string]JSONPathOp{"*": PathMul, "/": PathDiv, "%": PathMod})
}

func (p *pathParser) unary() *JSONPathNode {
	if !p.enter() {
		return &JSONPathNode{}
	}
	defer func() { p.depth-- }()
	switch {
	case p.take("+"):
		n := p.unary()
		p.needs(false, n)
		return &JSONPathNode{Op: PathPlus, Left: n}
	case p.take("-"):
		n := p.unary()
		p.needs(false, n)
		return &JSONPathNode{Op: PathMinus, Left: n}
	}
	return p.primary()
}

// primary reads a value with its accessors.
func (p *pathParser) primary() *JSONPathNode {
	n := &JSONPathNode{}
	t := p.tok
	switch {
	case p.err != nil:
		return n
	case p.take("("):
		n = p.or()
		p.want(")")
		if p.isWord("is") {
			p.advance()
			if !p.takeWord("unknown") {
				p.fail()
			}
			p.needs(true, n)
			return &JSONPathNode{Op: PathIsUnknown, Left: n}
		}
		if p.err == nil && n.Next != nil && p.startsAccessor() { // accessors of a parenthesised path go on behind it
			last := n
			for last.Next != nil {
				last = last.Next
			}
			last.Next = p.accessors()
			return n
		}
		if p.startsAccessor() {
			c := *n
			c.Next = p.accessors()
			return &c
		}
		return n
	case p.isWord("exists"):
		p.advance()
		p.want("(")
		inner := p.or()
		p.needs(false, inner)
		p.want(")")
		return &JSONPathNode{Op: PathExists, Left: inner}
	case p.is("$"):
		n.Op = PathRoot
	case p.is("@"):
		n.Op = PathCurrent
	case t.kind == 's':
		n.Op, n.Text = PathString, t.text
	case t.kind == 'v':
		n.Op, n.Text = PathVariable, t.text
	case t.kind == 'd' || t.kind == 'n':
		n.Op = PathNumeric
		d, err := TNumeric.ParseText(t.text, -1, nil)
		if err != nil {
			p.err = err
			return n
		}
		n.Text = string(TNumeric.AppendText(nil, d, nil))
	case p.isWord("null"):
		n.Op = PathNull
	case p.isWord("true"), p.isWord("false"):
		n.Op, n.Bool = PathBool, t.text == "true"
	case p.isWord("last"):
		n.Op = PathLast
	default:
		p.fail()
		return n
	}
	p.advance()
	n.Next = p.accessors()
	return n
}

func (p *pathParser) startsAccessor() bool { return p.is(".") || p.is("[") || p.is("?") }

// accessors reads .key, [i], ?(…) and methods, as many as follow.
func (p *pathParser) accessors() *JSONPathNode {
	var first, last *JSONPathNode
	for p.err == nil && p.startsAccessor() {
		n := p.accessor()
		if first == nil {
			first = n
		} else {
			last.Next = n
		}
		last = n
	}
	return first
}

func (p *pathParser) accessor() *JSONPathNode {
	n := &JSONPathNode{}
	if !p.enter() {
		return n
	}
	defer func() { p.depth-- }()
	switch {
	case p.take("?"):
		p.want("(")
		n.Op, n.Left = PathFilter, p.or()
		p.needs(true, n.Left)
		p.want(")")
	case p.take("["):
		if p.take("*") {
			p.want("]")
			n.Op = PathAnyArray
			return n
		}
		n.Op = PathIndex
		for {
			s := JSONPathSubscript{From: p.additive()}
			p.needs(false, s.From)
			if p.takeWord("to") {
				s.To = p.additive()
				p.needs(false, s.To)
			}
			n.Subscripts = append(n.Subscripts, s)
			if !p.take(",") {
				break
			}
		}
		p.want("]")
	default:
		p.want(".")
		p.member(n)
	}
	return n
}

// member reads what follows a dot.
func (p *pathParser) member(n *JSONPathNode) {
	switch {
	case p.take("**"):
		n.Op, n.First, n.Last = PathAny, 0, MaxPathLevel
		if p.take("{") {
			n.First = p.level()
			n.Last = n.First
			if p.takeWord("to") {
				n.Last = p.level()
			}
			p.want("}")
		}
	case p.take("*"):
		n.Op = PathAnyKey
	case p.tok.kind == 's':
		n.Op, n.Text = PathKey, p.tok.text
		p.advance()
	case p.tok.kind == 'i':
		word := p.tok.text
		lower := strings.ToLower(word)
		p.advance()
		switch {
		case p.is("(") && lower == "datetime":
			p.advance()
			n.Op = PathDatetime
			if p.tok.kind == 's' {
				n.Left = &JSONPathNode{Op: PathString, Text: p.tok.text}
				p.advance()
			}
			p.want(")")
		case p.is("(") && isPathMethod(lower):
			p.advance()
			p.want(")")
			n.Op, n.Text = PathMethod, lower
		default:
			n.Op, n.Text = PathKey, word
		}
	default:
		p.fail()
	}
}

func (p *pathParser) level() uint32 {
	if p.takeWord("last") {
		return MaxPathLevel
	}
	v, err := strconv.ParseInt(p.tok.text, 10, 32)
	if p.tok.kind != 'd' || err != nil {
		p.fail()
		return 0
	}
	p.advance()
	return uint32(v)
}
