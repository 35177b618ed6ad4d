package parser

import (
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"raisind/sql/ast"
)

// A production parses one kind of statement, whose text it is given.
type production func(lex *lexer.PeekingLexer, text string) (ast.Stmt, error)

// lowerer is a grammar's struct, filled by participle, that makes the statement.
// Names, ranges and combinations are checked there rather than in the grammar.
type lowerer[G any] interface {
	*G
	lower(text string) (ast.Stmt, error)
}

// builds makes every grammar, for the test that all of them are sound.
var builds []func() error

// rule is the production of a grammar struct. The grammar is built at first use.
// No alternative in a grammar may match nothing: participle panics on those.
func rule[G any, L lowerer[G]]() production {
	build := sync.OnceValues(func() (*participle.Parser[G], error) {
		return participle.Build[G](grammarOptions...)
	})
	builds = append(builds, func() error { _, err := build(); return err })
	return func(lex *lexer.PeekingLexer, text string) (ast.Stmt, error) {
		grammar, err := build()
		if err != nil {
			return nil, err
		}
		g, err := grammar.ParseFromLexer(lex)
		if err != nil {
			return nil, err
		}
		return L(g).lower(text)
	}
}

// hook is a field of a grammar struct that is read by hand; one per type T.
type hook[T any] interface{ get() T }

type read[T any] struct{ v T }

func (r read[T]) get() T { return r.v }

// value is what a hook has read, the zero value when it was left out.
func value[T any](h hook[T]) (v T) {
	if h != nil {
		v = h.get()
	}
	return v
}

func values[T any](hooks []hook[T]) []T {
	var list []T
	for _, h := range hooks {
		list = append(list, h.get())
	}
	return list
}

// by makes the hooks of type T call parse.
func by[T any](parse func(*parser) T) participle.Option {
	return participle.ParseTypeWith(func(lex *lexer.PeekingLexer) (hook[T], error) {
		p := newParser(lex)
		v := parse(p)
		if p.err != nil {
			return nil, p.err
		}
		return read[T]{v}, nil
	})
}

// The types of hooks that are not types of the tree.
type (
	colID       struct{ name string }
	colLabel    struct{ name string }
	nonReserved struct{ text string } // a word that is not reserved, or a string
	stringConst struct {
		text string
		at   int
	}
	intConst      struct{ n int } // with a sign
	anyName       struct{ parts []string }
	funcName      struct{ parts []string }
	restricted    struct{ ast.Expr }
	numberConst   struct{ ast.Expr }
	settingValue  struct{ ast.Expr }
	zoneValue     struct{ ast.Expr }
	savepointName struct{ name string }
	preparedName  struct{ name string }
	optionList    struct{ list []ast.Option } // name = value
	copyList      struct{ list []ast.Option } // name value
	utilityList   struct{ list []ast.Option } // name value
	funcType      struct{ ast.TypeName }
	fetchArgs     struct{ ast.Fetch }
	anyOp         struct{ op string }
	inherited     struct { // [ONLY] name [*]
		name ast.RelName
		only bool
	}
	span     struct{ first, last int } // where tokens start that are not looked into
	bodySpan struct{ span }
)

var grammarOptions = []participle.Option{
	participle.Lexer(definition{}),
	participle.UseLookahead(0), // commit to a branch, so that errors name the right token
	by(func(p *parser) colID { return colID{p.colID()} }),
	by(func(p *parser) colLabel { return colLabel{p.label()} }),
	by(func(p *parser) nonReserved { return nonReserved{p.nonReserved()} }),
	by(func(p *parser) stringConst {
		at := p.tok.Pos.Offset
		return stringConst{p.text(), at}
	}),
	by(func(p *parser) intConst { return intConst{int(p.signedInt())} }),
	by(func(p *parser) anyName { return anyName{p.anyName()} }),
	by(func(p *parser) funcName { return funcName{p.funcName()} }),
	by(func(p *parser) restricted { return restricted{p.restricted()} }),
	by(func(p *parser) numberConst { return numberConst{p.signedNumber()} }),
	by(func(p *parser) settingValue { return settingValue{p.settingValue()} }),
	by(func(p *parser) zoneValue { return zoneValue{p.zoneValue()} }),
	by(func(p *parser) savepointName { return savepointName{p.nameAfter(kwSavepoint)} }),
	by(func(p *parser) preparedName { return preparedName{p.nameAfter(kwPrepare)} }),
	by(func(p *parser) copyList { return copyList{p.copyOptions()} }),
	by(func(p *parser) utilityList { return utilityList{p.utilityOptions()} }),
	by(func(p *parser) optionList { return optionList{p.options()} }),
	by(func(p *parser) funcType { return funcType{p.funcType()} }),
	by(func(p *parser) fetchArgs { return fetchArgs{p.fetchArgs()} }),
	by(func(p *parser) inherited {
		ref := &ast.TableRef{}
		p.relation(ref)
		return inherited{ref.Name, ref.Only}
	}),
	by(func(p *parser) anyOp { return anyOp{p.anyOperator()} }),
	by((*parser).property),
	by(func(p *parser) span { return p.skip(',') }),
	by(func(p *parser) bodySpan { return bodySpan{p.body()} }),
	by((*parser).triggerEvents),
	by((*parser).expr),
	by((*parser).query),
	by((*parser).preparable),
	by((*parser).relName),
	by((*parser).typeName),
	by((*parser).indexElem),
	by((*parser).funcArg),
}

// nonReserved reads a word or a string.
func (p *parser) nonReserved() string {
	if p.is(tokString) {
		return p.text()
	}
	if !isNonReserved(p.tok.Type) {
		p.fail()
		return ""
	}
	return p.name()
}

// nameAfter reads a name with a keyword before it, which may be missing or itself
// be the name.
func (p *parser) nameAfter(keyword lexer.TokenType) string {
	if p.is(keyword) && isColID(p.after().Type) {
		p.advance()
	}
	return p.colID()
}

func names(hooks []hook[colID]) []string {
	var list []string
	for _, h := range hooks {
		list = append(list, h.get().name)
	}
	return list
}

func pointer[T any](v T) *T { return &v }
