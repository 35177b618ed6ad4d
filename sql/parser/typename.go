package parser

import (
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"raisind/pgerr"
	"raisind/sql/ast"
)

// typeName reads a type with array bounds.
func (p *parser) typeName() ast.TypeName {
	setOf := p.take(kwSetof)
	t := p.simpleType()
	t.SetOf = setOf
	if p.take(kwArray) {
		bound := -1
		if p.take('[') {
			bound = p.int()
			p.want(']')
		}
		t.Dims = append(t.Dims, bound)
		return t
	}
	for p.take('[') {
		bound := -1
		if !p.is(']') {
			bound = p.int()
		}
		p.want(']')
		t.Dims = append(t.Dims, bound)
	}
	return t
}

// startsConstant reports whether a type spelled by keywords stands here with a
// string to follow, rather than a column of that name.
func (p *parser) startsConstant() bool {
	next := p.after().Type
	switch p.tok.Type {
	case kwBit, kwChar, kwCharacter, kwNchar, kwVarchar:
		return next == tokString || next == '(' || next == kwVarying
	case kwTime, kwTimestamp:
		return next == tokString || next == '(' || next == kwWith || next == kwWithout
	case kwNational:
		return next == kwChar || next == kwCharacter
	case kwInterval, kwDec, kwDecimal, kwFloat, kwNumeric:
		return next == tokString || next == '('
	case kwBigint, kwBoolean, kwInt, kwInteger, kwReal, kwSmallint:
		return next == tokString
	case kwDouble:
		return next == kwPrecision
	}
	return false
}

// typedConstant reads a constant such as timestamp '2024-01-01'.
func (p *parser) typedConstant() ast.Expr {
	at := p.at()
	if p.take(kwInterval) {
		return p.intervalConstant(at)
	}
	return p.typedString(at, p.simpleType())
}

// intervalConstant reads the rest of INTERVAL '1' DAY and INTERVAL(3) '1'.
func (p *parser) intervalConstant(at ast.At) ast.Expr {
	x := &ast.IntervalLit{At: at, Type: systemType(at, "interval")}
	if p.take('(') {
		x.Type.Mods = []ast.Expr{p.modifier()}
		p.want(')')
		x.Text = p.text()
		return x
	}
	x.Text = p.text()
	p.intervalFields(&x.Type)
	return x
}

func systemType(at ast.At, name string) ast.TypeName {
	return ast.TypeName{At: at, Names: []string{"pg_catalog", name}}
}

// modifier reads an integer constant as an expression.
func (p *parser) modifier() ast.Expr {
	at := p.at()
	text := p.tok.Value
	p.int()
	if p.err != nil {
		return nil
	}
	return numberLiteral(at, text)
}

// modifiers reads (list), if it follows.
func (p *parser) modifiers() []ast.Expr {
	if !p.take('(') {
		return nil
	}
	list := p.exprs()
	p.want(')')
	return list
}

// plainTypes are the keywords that are a type by themselves.
var plainTypes = map[lexer.TokenType]string{
	kwInt: "int4", kwInteger: "int4", kwSmallint: "int2", kwBigint: "int8", kwReal: "float4", kwBoolean: "bool",
}

// simpleType reads a type without SETOF and array bounds.
func (p *parser) simpleType() ast.TypeName {
	at := p.at()
	typ := p.tok.Type
	if isTypeFuncName(typ) && typ != kwDouble {
		return p.genericType()
	}
	if name, ok := plainTypes[typ]; ok {
		p.advance()
		return systemType(at, name)
	}
	switch typ {
	case kwDouble:
		if p.after().Type != kwPrecision {
			return p.genericType()
		}
		p.advance()
		p.advance()
		return systemType(at, "float8")
	case kwFloat:
		return p.floatType()
	case kwDec, kwDecimal, kwNumeric:
		p.advance()
		t := systemType(at, "numeric")
		t.Mods = p.modifiers()
		return t
	case kwBit:
		p.advance()
		t := systemType(at, "bit")
		if p.take(kwVarying) {
			t.Names[1] = "varbit"
			t.Mods = p.modifiers()
		} else if t.Mods = p.modifiers(); t.Mods == nil {
			t.Mods = []ast.Expr{numberLiteral(at, "1")}
		}
		return t
	case kwChar, kwCharacter, kwNchar, kwNational, kwVarchar:
		return p.characterType()
	case kwTime, kwTimestamp:
		return p.timeType()
	case kwInterval:
		p.advance()
		t := systemType(at, "interval")
		if p.take('(') {
			t.Mods = []ast.Expr{p.modifier()}
			p.want(')')
		} else {
			p.intervalFields(&t)
		}
		return t
	}
	p.fail()
	return ast.TypeName{At: at}
}

func (p *parser) genericType() ast.TypeName {
	t := ast.TypeName{At: p.at(), Names: []string{p.name()}}
	for p.take('.') {
		t.Names = append(t.Names, p.label())
	}
	t.Mods = p.modifiers()
	return t
}

func (p *parser) floatType() ast.TypeName {
	t := systemType(p.at(), "float8")
	p.advance()
	if !p.take('(') {
		return t
	}
	at := p.at()
	digits := p.int()
	p.want(')')
	switch {
	case p.err != nil:
	case digits < 1:
		p.failAt(at, pgerr.New(pgerr.InvalidParameterValue, "precision for type float must be at least 1 bit"))
	case digits <= 24:
		t.Names[1] = "float4"
	case digits > 53:
		p.failAt(at, pgerr.New(pgerr.InvalidParameterValue, "precision for type float must be less than 54 bits"))
	}
	return t
}

func (p *parser) characterType() ast.TypeName {
	t := systemType(p.at(), "bpchar")
	national := p.is(kwNational)
	varying := p.is(kwVarchar)
	p.advance()
	if national {
		if !p.is(kwChar) && !p.is(kwCharacter) {
			p.fail()
		}
		p.advance()
	}
	if !varying && p.take(kwVarying) {
		varying = true
	}
	if varying {
		t.Names[1] = "varchar"
	}
	if p.take('(') {
		t.Mods = []ast.Expr{p.modifier()}
		p.want(')')
	} else if !varying {
		t.Mods = []ast.Expr{numberLiteral(t.At, "1")}
	}
	return t
}

func (p *parser) timeType() ast.TypeName {
	t := systemType(p.at(), p.tok.Value)
	p.advance()
	if p.take('(') {
		t.Mods = []ast.Expr{p.modifier()}
		p.want(')')
	}
	zoned := p.is(kwWith) && p.after().Type == kwTime
	if zoned || p.is(kwWithout) {
		p.advance()
		p.want(kwTime)
		p.want(kwZone)
	}
	if zoned {
		t.Names[1] += "tz"
	}
	return t
}

// intervalFields reads the fields an interval is restricted to; of SECOND also
// the precision.
func (p *parser) intervalFields(t *ast.TypeName) {
	units := []lexer.TokenType{kwYear, kwMonth, kwDay, kwHour, kwMinute, kwSecond}
	from := -1
	for i, unit := range units {
		if p.is(unit) {
			from = i
		}
	}
	if from < 0 {
		return
	}
	t.Fields = p.tok.Value
	p.advance()
	last := from
	if from != 1 && from < 5 && p.is(kwTo) { // YEAR TO MONTH; DAY, HOUR, MINUTE TO a finer one
		p.advance()
		last = -1
		for i := from + 1; i < len(units); i++ {
			if p.is(units[i]) && (from > 0) == (i > 1) {
				last = i
			}
		}
		if last < 0 {
			p.fail()
			return
		}
		t.Fields += " to " + p.tok.Value
		p.advance()
	}
	if last == 5 && p.take('(') {
		t.Mods = []ast.Expr{p.modifier()}
		p.want(')')
	}
}

func keywordInCapitals(tok *lexer.Token) string { return strings.ToUpper(tok.Value) }
