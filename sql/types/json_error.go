package types

import (
	"strconv"
	"unicode/utf8"

	"raisind/pgerr"
)

// jsonError says what is wrong with s, in the words and with the excerpt of
// PostgreSQL's parser. strict adds what only jsonb asks of a string: no \u0000, whole
// surrogate pairs. It returns nil when nothing is wrong. It is slow and runs only
// where the fast reader has already failed, or for the type json.
func jsonError(s string, strict bool) error {
	p := jsonParser{in: s, line: 1, strict: strict, kind: jsonNone}
	if !p.lex() || !p.value(0) {
		return p.err
	}
	if p.kind != jsonEnd {
		p.expected("end of input")
		return p.err
	}
	return nil
}

func jsonTooDeep() error {
	return pgerr.New(pgerr.StatementTooComplex, "JSON nested deeper than %d levels", MaxJSONDepth)
}

// Kinds of tokens: the punctuation itself, or one of these.
const (
	jsonEnd    = 0
	jsonNone   = '?'
	jsonString = 's'
	jsonNumber = 'n'
	jsonWord   = 'w'
)

type jsonParser struct {
	in        string
	strict    bool
	kind      byte
	start     int // of the current token
	end       int
	line      int
	lineStart int
	err       error
}

// lex moves to the next token.
func (p *jsonParser) lex() bool {
	i := p.end
	for ; i < len(p.in) && isJSONSpace(p.in[i]); i++ {
		if p.in[i] == '\n' {
			p.line++
			p.lineStart = i + 1
		}
	}
	p.start, p.end = i, i
	if i == len(p.in) {
		p.kind = jsonEnd
		return true
	}
	switch c := p.in[i]; {
	case c == '{' || c == '}' || c == '[' || c == ']' || c == ',' || c == ':':
		p.kind = c
		p.end = i + 1
		return true
	case c == '"':
		p.kind = jsonString
		return p.lexString()
	case c == '-' || isDigit(c):
		p.kind = jsonNumber
		return p.lexNumber()
	}
	for p.end < len(p.in) && isWordByte(p.in[p.end]) {
		p.end++
	}
	if p.end == p.start { // some other character alone
		p.end++
		return p.invalidToken()
	}
	switch p.in[p.start:p.end] {
	case "true", "false", "null":
		p.kind = jsonWord
		return true
	}
	return p.invalidToken()
}

func (p *jsonParser) lexNumber() bool {
	i := p.start
	bad := false
	digits := func() {
		if i >= len(p.in) || !isDigit(p.in[i]) {
			bad = true
		}
		for i < len(p.in) && isDigit(p.in[i]) {
			i++
		}
	}
	if p.in[i] == '-' {
		i++
	}
	if i < len(p.in) && p.in[i] == '0' {
		i++
	} else {
		digits()
	}
	if i < len(p.in) && p.in[i] == '.' {
		i++
		digits()
	}
	if i < len(p.in) && p.in[i]|0x20 == 'e' {
		if i++; i < len(p.in) && (p.in[i] == '+' || p.in[i] == '-') {
			i++
		}
		digits()
	}
	for i < len(p.in) && isWordByte(p.in[i]) { // trailing garbage belongs to the token
		bad = true
		i++
	}
	p.end = i
	return !bad || p.invalidToken()
}

func (p *jsonParser) lexString() bool {
	high := rune(0) // a high surrogate that waits for its other half
	const lowMissing = "Unicode low surrogate must follow a high surrogate."
	i := p.start + 1
	for {
		if i >= len(p.in) {
			p.end = i
			return p.invalidToken()
		}
		c := p.in[i]
		switch {
		case c == '"':
			p.end = i + 1
			return high == 0 || p.fail(lowMissing)
		case c < 0x20:
			p.end = i
			return p.fail("Character with value 0x" + string([]byte{hexDigits[c>>4], hexDigits[c&15]}) + " must be escaped.")
		case c != '\\':
			if high != 0 {
				_, n := utf8.DecodeRuneInString(p.in[i:])
				p.end = i + n
				return p.fail(lowMissing)
			}
			i++
			continue
		}
		if i++; i >= len(p.in) {
			p.end = i
			return p.invalidToken()
		}
		if p.in[i] != 'u' {
			if high != 0 {
				_, n := utf8.DecodeRuneInString(p.in[i:])
				p.end = i + n
				return p.fail(lowMissing)
			}
			switch p.in[i] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			default:
				_, n := utf8.DecodeRuneInString(p.in[i:])
				p.start, p.end = i, i+n
				return p.fail("Escape sequence \"\\" + p.in[i:i+n] + "\" is invalid.")
			}
			i++
			continue
		}
		i++
		var r rune
		for range 4 {
			if i >= len(p.in) {
				p.end = i
				return p.invalidToken()
			}
			d := hexValue(p.in[i])
			if d > 15 {
				_, n := utf8.DecodeRuneInString(p.in[i:])
				p.end = i + n
				return p.fail(`"\u" must be followed by four hexadecimal digits.`)
			}
			r = r<<4 | rune(d)
			i++
		}
		if !p.strict {
			continue
		}
		switch {
		case r >= 0xd800 && r <= 0xdbff:
			if high != 0 {
				p.end = i
				return p.fail("Unicode high surrogate must not follow a high surrogate.")
			}
			high = r
		case r >= 0xdc00 && r <= 0xdfff:
			if high == 0 {
				p.end = i
				return p.fail(lowMissing)
			}
			high = 0
		case high != 0:
			p.end = i
			return p.fail(lowMissing)
		case r == 0:
			p.end = i
			p.err = p.at(pgerr.New(pgerr.UntranslatableCharacter, "unsupported Unicode escape sequence").
				WithDetail("%s", `\u0000 cannot be converted to text.`))
			return false
		}
	}
}

func (p *jsonParser) value(depth int) bool {
	if depth >= MaxJSONDepth && (p.kind == '{' || p.kind == '[') {
		p.err = jsonTooDeep()
		return false
	}
	switch p.kind {
	case jsonString, jsonNumber, jsonWord:
		return p.lex()
	case '{':
		return p.object(depth)
	case '[':
		return p.array(depth)
	}
	return p.expected("JSON value")
}

func (p *jsonParser) object(depth int) bool {
	if !p.lex() {
		return false
	}
	switch p.kind {
	case '}':
		return p.lex()
	case jsonString:
	default:
		return p.expected(`string or "}"`)
	}
	for {
		if p.kind != jsonString {
			return p.expected("string")
		}
		if !p.lex() {
			return false
		}
		if p.kind != ':' {
			return p.expected(`":"`)
		}
		if !p.lex() || !p.value(depth+1) {
			return false
		}
		switch p.kind {
		case '}':
			return p.lex()
		case ',':
			if !p.lex() {
				return false
			}
		default:
			return p.expected(`"," or "}"`)
		}
	}
}

func (p *jsonParser) array(depth int) bool {
	if !p.lex() {
		return false
	}
	if p.kind == ']' {
		return p.lex()
	}
	for p.value(depth + 1) {
		switch p.kind {
		case ']':
			return p.lex()
		case ',':
			if !p.lex() {
				return false
			}
		default:
			return p.expected(`"," or "]"`)
		}
	}
	return false
}

func (p *jsonParser) expected(what string) bool {
	if p.kind == jsonEnd {
		return p.fail("The input string ended unexpectedly.")
	}
	return p.fail("Expected " + what + ", but found \"" + p.in[p.start:p.end] + "\".")
}

func (p *jsonParser) invalidToken() bool {
	return p.fail("Token \"" + p.in[p.start:p.end] + "\" is invalid.")
}

func (p *jsonParser) fail(detail string) bool {
	p.err = p.at(pgerr.New(pgerr.InvalidTextRepresentation, "invalid input syntax for type json").WithDetail("%s", detail))
	return false
}

// at adds the excerpt: up to 50 bytes of the line before the end of the token.
func (p *jsonParser) at(e *pgerr.Error) *pgerr.Error {
	from, to := p.lineStart, p.end
	for to-from >= 50 {
		_, n := utf8.DecodeRuneInString(p.in[from:])
		from += n
	}
	prefix, suffix := "...", ""
	if from-p.lineStart <= 3 {
		from, prefix = p.lineStart, ""
	}
	if p.kind != jsonEnd && to < len(p.in) && p.in[to] != '\n' && p.in[to] != '\r' {
		suffix = "..."
	}
	e.Where = "JSON data, line " + strconv.Itoa(p.line) + ": " + prefix + p.in[from:to] + suffix
	return e
}
