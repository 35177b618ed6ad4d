package types

import (
	"slices"
	"strings"
	"sync"
)

// MaxJSONDepth bounds the nesting of json and jsonb values, so that recursion over a
// value is bounded too.
const MaxJSONDepth = 2000

// CanonicalJSONB turns JSON text into jsonb: PostgreSQL's print form, keys by length
// then bytes, the last of equal keys kept, numbers as numeric prints them. Text that
// has this form already is returned as it is, without an allocation.
func CanonicalJSONB(s string) (string, error) {
	if end, ok := canonicalValue(s, 0, 0); ok && end == len(s) {
		return s, nil
	}
	c := canonicalizers.Get().(*canonicalizer)
	defer c.release()
	c.in = s
	if !c.value(0) || c.trailing() {
		if c.err != nil {
			return "", c.err
		}
		return "", jsonError(s, true)
	}
	return string(c.out), nil
}

var canonicalizers = sync.Pool{New: func() any { return new(canonicalizer) }}

// maxPooledBytes is the largest buffer that waits for the next document.
const maxPooledBytes = 1 << 16

func (c *canonicalizer) release() {
	if cap(c.out)+cap(c.scratch) > maxPooledBytes || cap(c.members) > maxPooledBytes/64 {
		return
	}
	clear(c.members[:cap(c.members)]) // keys hold on to documents
	*c = canonicalizer{out: c.out[:0], members: c.members[:0], scratch: c.scratch[:0]}
	canonicalizers.Put(c)
}

// canonicalValue reports whether a canonical value stands at i and where it ends. It
// gives up at the first byte that is not canonical; such text may still be valid JSON.
func canonicalValue(s string, i, depth int) (int, bool) {
	if i >= len(s) {
		return i, false
	}
	c := s[i]
	if depth >= MaxJSONDepth && (c == '{' || c == '[') {
		return i, false
	}
	switch c {
	case '"':
		return canonicalString(s, i)
	case '{':
		if i++; i < len(s) && s[i] == '}' {
			return i + 1, true
		}
		last := ""
		for first := true; ; first = false {
			end, ok := canonicalString(s, i)
			if !ok || end+2 > len(s) || s[end] != ':' || s[end+1] != ' ' {
				return i, false
			}
			key := s[i+1 : end-1]
			if strings.IndexByte(key, '\\') >= 0 {
				key, _ = unescapeJSON(key)
			}
			if !first && compareKeys(last, key) >= 0 {
				return i, false
			}
			last = key
			if i, ok = canonicalValue(s, end+2, depth+1); !ok || i >= len(s) {
				return i, false
			}
			if s[i] == '}' {
				return i + 1, true
			}
			if i+1 >= len(s) || s[i] != ',' || s[i+1] != ' ' {
				return i, false
			}
			i += 2
		}
	case '[':
		if i++; i < len(s) && s[i] == ']' {
			return i + 1, true
		}
		for {
			var ok bool
			if i, ok = canonicalValue(s, i, depth+1); !ok || i >= len(s) {
				return i, false
			}
			if s[i] == ']' {
				return i + 1, true
			}
			if i+1 >= len(s) || s[i] != ',' || s[i+1] != ' ' {
				return i, false
			}
			i += 2
		}
	case 't', 'n':
		if len(s)-i >= 4 && (s[i:i+4] == "true" || s[i:i+4] == "null") {
			return i + 4, true
		}
	case 'f':
		if len(s)-i >= 5 && s[i:i+5] == "false" {
			return i + 5, true
		}
	default:
		return canonicalNumber(s, i)
	}
	return i, false
}

// canonicalNumber accepts a number without exponent, and no negative zero.
func canonicalNumber(s string, i int) (int, bool) {
	start := i
	neg := s[i] == '-'
	if neg {
		i++
	}
	digits := i
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	if i == digits || s[digits] == '0' && i > digits+1 {
		return i, false
	}
	if i < len(s) && s[i] == '.' {
		point := i
		for i++; i < len(s) && isDigit(s[i]); i++ {
		}
		if i == point+1 {
			return i, false
		}
	}
	if i < len(s) && s[i]|0x20 == 'e' || i-start > MaxNumericScale {
		return i, false
	}
	if neg && strings.Trim(s[digits:i], "0.") == "" {
		return i, false
	}
	return i, true
}

// compareKeys is jsonb's order of object keys: by length, then by bytes.
func compareKeys(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// canonicalizer reads any JSON text and writes the canonical one. It stops at the first
// fault and leaves the description to jsonError, unless err says it already.
type canonicalizer struct {
	in      string
	pos     int
	out     []byte
	members []jsonMember // of all open objects
	scratch []byte
	err     error
}

type jsonMember struct {
	key        string
	start, end int // "key": value in out
}

func (c *canonicalizer) space() {
	for c.pos < len(c.in) && isJSONSpace(c.in[c.pos]) {
		c.pos++
	}
}

func isJSONSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }

func (c *canonicalizer) trailing() bool {
	c.space()
	return c.pos < len(c.in)
}

// next skips blanks and takes b if it comes next.
func (c *canonicalizer) next(b byte) bool {
	c.space()
	if c.pos < len(c.in) && c.in[c.pos] == b {
		c.pos++
		return true
	}
	return false
}

func (c *canonicalizer) value(depth int) bool {
	c.space()
	if c.pos >= len(c.in) {
		return false
	}
	b := c.in[c.pos]
	if depth >= MaxJSONDepth && (b == '{' || b == '[') {
		c.err = jsonTooDeep()
		return false
	}
	switch b {
	case '{':
		c.pos++
		return c.object(depth)
	case '[':
		c.pos++
		return c.array(depth)
	case '"':
		_, ok := c.str()
		return ok
	case 't':
		return c.word("true")
	case 'f':
		return c.word("false")
	case 'n':
		return c.word("null")
	default:
		return c.number()
	}
}

func (c *canonicalizer) word(w string) bool {
	if !strings.HasPrefix(c.in[c.pos:], w) || c.pos+len(w) < len(c.in) && isWordByte(c.in[c.pos+len(w)]) {
		return false
	}
	c.pos += len(w)
	c.out = append(c.out, w...)
	return true
}

func isWordByte(b byte) bool { return isAlpha(b) || isDigit(b) || b == '_' || b >= 0x80 }

func (c *canonicalizer) array(depth int) bool {
	c.out = append(c.out, '[')
	if c.next(']') {
		c.out = append(c.out, ']')
		return true
	}
	for c.value(depth + 1) {
		if c.next(']') {
			c.out = append(c.out, ']')
			return true
		}
		if !c.next(',') {
			return false
		}
		c.out = append(c.out, ", "...)
	}
	return false
}

func (c *canonicalizer) object(depth int) bool {
	c.out = append(c.out, '{')
	if c.next('}') {
		c.out = append(c.out, '}')
		return true
	}
	base, sorted := len(c.members), true
	for {
		c.space()
		start := len(c.out)
		key, ok := c.str()
		if !ok || !c.next(':') {
			return false
		}
		c.out = append(c.out, ": "...)
		if n := len(c.members); n > base && compareKeys(c.members[n-1].key, key) >= 0 {
			sorted = false
		}
		i := len(c.members)
		c.members = append(c.members, jsonMember{key: key, start: start})
		if !c.value(depth + 1) {
			return false
		}
		c.members[i].end = len(c.out)
		if c.next('}') {
			break
		}
		if !c.next(',') {
			return false
		}
		c.out = append(c.out, ", "...)
	}
	if !sorted {
		c.reorder(c.members[base:])
	}
	c.members = c.members[:base]
	c.out = append(c.out, '}')
	return true
}

// reorder sorts the members at the end of out and drops all but the last of equal keys.
func (c *canonicalizer) reorder(m []jsonMember) {
	start := m[0].start
	slices.SortStableFunc(m, func(a, b jsonMember) int { return compareKeys(a.key, b.key) })
	c.scratch = c.scratch[:0]
	for i, x := range m {
		if i+1 < len(m) && m[i+1].key == x.key {
			continue
		}
		if len(c.scratch) > 0 {
			c.scratch = append(c.scratch, ", "...)
		}
		c.scratch = append(c.scratch, c.out[x.start:x.end]...)
	}
	c.out = append(c.out[:start], c.scratch...)
}

// str copies a string and returns its content, decoded.
func (c *canonicalizer) str() (string, bool) {
	if c.pos >= len(c.in) || c.in[c.pos] != '"' {
		return "", false
	}
	start := c.pos + 1
	escaped := false
	for i := start; i < len(c.in); i++ {
		switch b := c.in[i]; {
		case b == '"':
			raw := c.in[start:i]
			c.pos = i + 1
			if !escaped {
				c.out = append(append(append(c.out, '"'), raw...), '"')
				return raw, true
			}
			s, ok := unescapeJSON(raw)
			if !ok {
				return "", false
			}
			c.out = AppendJSONString(c.out, s)
			return s, true
		case b == '\\':
			escaped = true
			i++
		case b < 0x20:
			return "", false
		}
	}
	return "", false
}

func (c *canonicalizer) number() bool {
	end, ok := scanJSONNumber(c.in, c.pos)
	if !ok {
		return false
	}
	text := c.in[c.pos:end]
	c.pos = end
	if n, canonical := canonicalNumber(text, 0); canonical && n == len(text) {
		c.out = append(c.out, text...)
		return true
	}
	d, _, err := scanNumeric(text)
	if err != nil {
		c.err = err
		return false
	}
	c.out = AppendNumeric(c.out, d.Numeric())
	return true
}

// scanJSONNumber finds the end of the number at i, by JSON's grammar.
func scanJSONNumber(s string, i int) (int, bool) {
	if i < len(s) && s[i] == '-' {
		i++
	}
	digits := func() bool {
		start := i
		for i < len(s) && isDigit(s[i]) {
			i++
		}
		return i > start
	}
	if i < len(s) && s[i] == '0' {
		i++
	} else if !digits() {
		return i, false
	}
	if i < len(s) && s[i] == '.' {
		if i++; !digits() {
			return i, false
		}
	}
	if i < len(s) && s[i]|0x20 == 'e' {
		if i++; i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return i, false
		}
	}
	return i, i >= len(s) || !isWordByte(s[i]) && s[i] != '.' && s[i] != '-' && s[i] != '+'
}
