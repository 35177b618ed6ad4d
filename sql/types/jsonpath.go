package types

import (
	"strconv"
	"strings"

	"raisind/pgerr"
)

// JSONPath is a value of the type jsonpath: a parsed path expression.
type JSONPath struct {
	Strict bool
	Root   *JSONPathNode
}

// JSONPathOp names what a node of a path does.
type JSONPathOp uint8

// The nodes of a path.
const (
	PathNull JSONPathOp = iota
	PathString
	PathNumeric
	PathBool
	PathVariable
	PathRoot
	PathCurrent
	PathLast
	PathKey
	PathAnyKey
	PathAnyArray
	PathIndex
	PathAny
	PathMethod
	PathDatetime
	PathFilter
	PathExists
	PathNot
	PathIsUnknown
	PathAnd
	PathOr
	PathEqual
	PathNotEqual
	PathLess
	PathGreater
	PathLessEqual
	PathGreaterEqual
	PathStartsWith
	PathLikeRegex
	PathAdd
	PathSub
	PathMul
	PathDiv
	PathMod
	PathPlus
	PathMinus
)

// MaxPathLevel stands for "last" in **{a to b}.
const MaxPathLevel = 1<<32 - 1

// JSONPathNode is one step or operation; Next is the accessor applied to its result.
type JSONPathNode struct {
	Op          JSONPathOp
	Text        string // of strings, keys, variables, numbers, methods, patterns
	Bool        bool
	Left, Right *JSONPathNode
	Subscripts  []JSONPathSubscript
	First, Last uint32 // levels of **
	Flags       string // of like_regex
	Next        *JSONPathNode
}

// JSONPathSubscript is a or a to b in brackets.
type JSONPathSubscript struct{ From, To *JSONPathNode }

func init() {
	TJSONPath.codec = codec{
		parse: func(_ *Type, s string, _ int32, _ *Env) (Datum, error) {
			p, err := ParseJSONPath(s)
			if err != nil {
				return Null, err
			}
			return Ref(p), nil
		},
		format: func(dst []byte, _ *Type, d Datum, _ *Env) []byte { return d.JSONPath().append(dst) },
		recv: func(_ *Type, b []byte, _ int32) (Datum, error) {
			if len(b) < 1 {
				return Null, shortBinary()
			}
			if b[0] != 1 {
				return Null, pgerr.New(pgerr.InternalError, "unsupported jsonpath version number: %d", b[0])
			}
			s := string(b[1:])
			if err := CheckEncoding(s); err != nil {
				return Null, err
			}
			p, err := ParseJSONPath(s)
			if err != nil {
				return Null, err
			}
			return Ref(p), nil
		},
		send: func(dst []byte, _ *Type, d Datum) []byte { return d.JSONPath().append(append(dst, 1)) },
	}
}

// JSONPath returns the path a Datum holds, or nil. It must not be changed.
func (d Datum) JSONPath() *JSONPath {
	p, _ := d.ref.(*JSONPath)
	return p
}

// String prints a path as PostgreSQL does.
func (p *JSONPath) String() string { return string(p.append(nil)) }

func (p *JSONPath) append(dst []byte) []byte {
	if p == nil {
		return dst
	}
	if p.Strict {
		dst = append(dst, "strict "...)
	}
	return p.Root.append(dst, false, true)
}

var pathOperators = map[JSONPathOp]string{
	PathAnd: "&&", PathOr: "||", PathEqual: "==", PathNotEqual: "!=", PathLess: "<", PathGreater: ">",
	PathLessEqual: "<=", PathGreaterEqual: ">=", PathAdd: "+", PathSub: "-", PathMul: "*", PathDiv: "/", PathMod: "%",
	PathStartsWith: "starts with", PathPlus: "+", PathMinus: "-",
}

// Symbol is how an operator is written.
func (op JSONPathOp) Symbol() string { return pathOperators[op] }

func (op JSONPathOp) priority() int {
	switch op {
	case PathOr:
		return 0
	case PathAnd:
		return 1
	case PathEqual, PathNotEqual, PathLess, PathGreater, PathLessEqual, PathGreaterEqual, PathStartsWith:
		return 2
	case PathAdd, PathSub:
		return 3
	case PathMul, PathDiv, PathMod:
		return 4
	case PathPlus, PathMinus:
		return 5
	}
	return 6
}

// append prints n and what follows it: printJsonPathItem.
func (n *JSONPathNode) append(dst []byte, inKey, brackets bool) []byte {
	bracket := func(c byte) {
		if brackets {
			dst = append(dst, c)
		}
	}
	operand := func(x *JSONPathNode) { dst = x.append(dst, false, x.Op.priority() <= n.Op.priority()) }
	dot := func() {
		if inKey {
			dst = append(dst, '.')
		}
	}
	switch n.Op {
	case PathNull:
		dst = append(dst, "null"...)
	case PathString:
		dst = AppendJSONString(dst, n.Text)
	case PathNumeric:
		dst = append(dst, n.Text...)
	case PathBool:
		dst = strconv.AppendBool(dst, n.Bool)
	case PathVariable:
		dst = AppendJSONString(append(dst, '$'), n.Text)
	case PathRoot:
		dst = append(dst, '$')
	case PathCurrent:
		dst = append(dst, '@')
	case PathLast:
		dst = append(dst, "last"...)
	case PathKey:
		dot()
		dst = AppendJSONString(dst, n.Text)
	case PathAnyKey:
		dot()
		dst = append(dst, '*')
	case PathAnyArray:
		dst = append(dst, "[*]"...)
	case PathIndex:
		dst = append(dst, '[')
		for i, s := range n.Subscripts {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = s.From.append(dst, false, false)
			if s.To != nil {
				dst = s.To.append(append(dst, " to "...), false, false)
			}
		}
		dst = append(dst, ']')
	case PathAny:
		dot()
		dst = append(dst, "**"...)
		if n.First != 0 || n.Last != MaxPathLevel {
			dst = append(dst, '{')
			dst = appendLevel(dst, n.First)
			if n.First != n.Last {
				dst = appendLevel(append(dst, " to "...), n.Last)
			}
			dst = append(dst, '}')
		}
	case PathMethod:
		dst = append(append(append(dst, '.'), n.Text...), "()"...)
	case PathDatetime:
		dst = append(dst, ".datetime("...)
		if n.Left != nil {
			dst = n.Left.append(dst, false, false)
		}
		dst = append(dst, ')')
	case PathFilter:
		dst = append(n.Left.append(append(dst, "?("...), false, false), ')')
	case PathExists:
		dst = append(n.Left.append(append(dst, "exists ("...), false, false), ')')
	case PathNot:
		dst = append(n.Left.append(append(dst, "!("...), false, false), ')')
	case PathIsUnknown:
		dst = append(n.Left.append(append(dst, '('), false, false), ") is unknown"...)
	case PathPlus, PathMinus:
		bracket('(')
		dst = append(dst, n.Op.Symbol()...)
		operand(n.Left)
		bracket(')')
	case PathLikeRegex:
		bracket('(')
		operand(n.Left)
		dst = AppendJSONString(append(dst, " like_regex "...), n.Text)
		if n.Flags != "" {
			dst = append(append(append(dst, ` flag "`...), n.Flags...), '"')
		}
		bracket(')')
	default:
		bracket('(')
		operand(n.Left)
		dst = append(append(append(dst, ' '), n.Op.Symbol()...), ' ')
		operand(n.Right)
		bracket(')')
	}
	if n.Next != nil {
		dst = n.Next.append(dst, true, true)
	}
	return dst
}

func appendLevel(dst []byte, level uint32) []byte {
	if level == MaxPathLevel {
		return append(dst, "last"...)
	}
	return strconv.AppendUint(dst, uint64(level), 10)
}

// pathMethods are the item methods without arguments.
const pathMethods = " abs ceiling double floor keyvalue size type "

func isPathMethod(s string) bool { return strings.Contains(pathMethods, " "+s+" ") }
