package types

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"raisind/pgerr"
)

// arrayReader reads PostgreSQL's array literal, {1,2,{...}}, with optional bounds in front.
type arrayReader struct {
	t      *Type
	in     string
	pos    int
	braces int // where the first brace stands: errors behind it show the text from there

	texts []string // of the elements, parsed when the braces are right
	null  []bool
	level int
	dims  []int32
	count [MaxArrayDims]int32 // elements so far in the open brace of a level
	known [MaxArrayDims]bool  // the level's size is fixed by a brace closed before
	deep  int                 // level at which elements stand, 0 before the first one
	// ragged: elements stand at several levels, an error once the braces are right
	ragged bool
}

func parseArray(t *Type, s string, typmod int32, env *Env) (Datum, error) {
	r := &arrayReader{t: t, in: s}
	dims, lower, err := r.bounds()
	if err != nil {
		return Null, err
	}
	r.braces = r.pos
	if err := r.body(); err != nil {
		return Null, err
	}
	if r.pos = skipCSpace(s, r.pos); r.pos < len(s) {
		return Null, r.malformed("Junk after closing right brace.")
	}
	a := &Array{Elem: t.Elem, Dims: r.dims, Lower: lower}
	if r.ragged {
		return Null, r.mismatch()
	}
	if dims != nil && !slices.Equal(dims, r.dims) {
		r.braces = 0
		return Null, r.malformed("Specified array dimensions do not match array contents.")
	}
	if len(r.texts) == 0 {
		return Ref(&Array{Elem: t.Elem}), nil
	}
	a.Elems = make([]Datum, len(r.texts))
	for i, text := range r.texts {
		if r.null[i] {
			continue
		}
		if a.Elems[i], err = t.Elem.ParseText(text, typmod, env); err != nil {
			return Null, err
		}
	}
	if dims == nil {
		for range r.dims {
			a.Lower = append(a.Lower, 1)
		}
	}
	return Ref(a), nil
}

func skipCSpace(s string, i int) int {
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	return i
}

func (r *arrayReader) malformed(detail string, args ...any) error {
	return pgerr.New(pgerr.InvalidTextRepresentation, "malformed array literal: \"%s\"", r.in[r.braces:]).WithDetail(detail, args...)
}

func (r *arrayReader) unexpected() error {
	_, n := utf8.DecodeRuneInString(r.in[r.pos:])
	return r.malformed("Unexpected \"%s\" character.", r.in[r.pos:r.pos+n])
}

// bounds reads [lower:upper]... = in front of the braces.
func (r *arrayReader) bounds() (dims, lower []int32, err error) {
	for {
		r.pos = skipCSpace(r.in, r.pos)
		if r.pos >= len(r.in) || r.in[r.pos] != '[' {
			break
		}
		r.pos++
		if len(dims) >= MaxArrayDims {
			return nil, nil, tooManyDims(len(dims) + 1)
		}
		start := r.pos
		lo, hi := int64(1), r.boundValue()
		if r.pos == start {
			return nil, nil, r.malformed("\"[\" must introduce explicitly-specified array dimensions.")
		}
		if r.pos < len(r.in) && r.in[r.pos] == ':' {
			r.pos++
			start = r.pos
			lo = hi
			if hi = r.boundValue(); r.pos == start {
				return nil, nil, r.malformed("Missing array dimension value.")
			}
		}
		if r.pos >= len(r.in) || r.in[r.pos] != ']' {
			return nil, nil, r.malformed("Missing \"%s\" after array dimensions.", "]")
		}
		r.pos++
		if hi < lo {
			return nil, nil, pgerr.New(pgerr.ArraySubscriptError, "upper bound cannot be less than lower bound")
		}
		if hi-lo >= math.MaxInt32 {
			return nil, nil, tooManyElems()
		}
		lower, dims = append(lower, int32(lo)), append(dims, int32(hi-lo+1))
	}
	if dims == nil {
		if r.pos >= len(r.in) || r.in[r.pos] != '{' {
			return nil, nil, r.malformed("Array value must start with \"{\" or dimension information.")
		}
		return nil, nil, nil
	}
	if r.pos >= len(r.in) || r.in[r.pos] != '=' {
		return nil, nil, r.malformed("Missing \"=\" after array dimensions.")
	}
	if r.pos = skipCSpace(r.in, r.pos+1); r.pos >= len(r.in) || r.in[r.pos] != '{' {
		return nil, nil, r.malformed("Array contents must start with \"{\".")
	}
	return dims, lower, nil
}

// boundValue reads what C's atoi makes of digits and signs.
func (r *arrayReader) boundValue() int64 {
	start := r.pos
	for r.pos < len(r.in) && (isDigit(r.in[r.pos]) || r.in[r.pos] == '-' || r.in[r.pos] == '+') {
		r.pos++
	}
	v, _, _ := leadingInteger(r.in[start:r.pos])
	return int64(int32(v))
}

// body reads the braces. What may come next depends on what came last.
func (r *arrayReader) body() error {
	const (
		afterOpen = iota
		afterElem
		afterClose
		afterElemComma
		afterCloseComma
	)
	state := afterCloseComma // as if a brace had to follow
	for {
		if r.pos = skipCSpace(r.in, r.pos); r.pos >= len(r.in) {
			return r.malformed("Unexpected end of input.")
		}
		switch c := r.in[r.pos]; c {
		case '{':
			if state != afterOpen && state != afterCloseComma {
				return r.unexpected()
			}
			if r.level >= MaxArrayDims {
				return tooManyDims(r.level + 1)
			}
			r.count[r.level] = 0
			if r.level++; len(r.dims) < r.level {
				r.ragged = r.ragged || r.deep > 0
				r.dims = append(r.dims, 0)
			}
			r.pos++
			state = afterOpen
		case '}':
			if state == afterElemComma || state == afterCloseComma || state == afterOpen && r.level > 1 {
				return r.unexpected()
			}
			r.level--
			if r.known[r.level] && r.count[r.level] != r.dims[r.level] {
				return r.mismatch()
			}
			r.dims[r.level], r.known[r.level] = r.count[r.level], true
			r.pos++
			if r.level == 0 {
				return nil
			}
			r.count[r.level-1]++
			state = afterClose
		case r.t.Elem.Delimiter():
			switch state {
			case afterElem:
				state = afterElemComma
			case afterClose:
				state = afterCloseComma
			default:
				return r.unexpected()
			}
			r.pos++
		default:
			if state != afterOpen && state != afterElemComma {
				if c == '\\' {
					return r.unexpected()
				}
				return r.malformed("Unexpected array element.")
			}
			r.ragged = r.ragged || r.deep != 0 && r.deep != r.level
			r.deep = r.level
			if err := r.element(); err != nil {
				return err
			}
			r.count[r.level-1]++
			state = afterElem
		}
	}
}

func (r *arrayReader) mismatch() error {
	return r.malformed("Multidimensional arrays must have sub-arrays with matching dimensions.")
}

// element reads one element, quoted or not, and leaves pos behind it.
func (r *arrayReader) element() error {
	if len(r.texts) >= MaxArrayElems {
		return tooManyElems()
	}
	delim := r.t.Elem.Delimiter()
	var buf []byte
	quoted, escaped := false, false
	end := 0 // of what is kept: blanks at the end of bare text are not
	start := r.pos
	if r.in[r.pos] == '"' {
		quoted = true
		for r.pos++; ; r.pos++ {
			if r.pos >= len(r.in) {
				return r.malformed("Unexpected end of input.")
			}
			c := r.in[r.pos]
			if c == '"' {
				break
			}
			if c == '\\' {
				if r.pos++; r.pos >= len(r.in) {
					return r.malformed("Unexpected end of input.")
				}
				c = r.in[r.pos]
			}
			buf = append(buf, c)
		}
		r.pos++
		end = len(buf)
		if r.pos = skipCSpace(r.in, r.pos); r.pos < len(r.in) {
			switch r.in[r.pos] {
			case delim, '}', '{':
			case '\\':
				return r.unexpected()
			default:
				return r.malformed("Unexpected array element.")
			}
		}
	} else {
		for ; ; r.pos++ {
			if r.pos >= len(r.in) {
				return r.malformed("Unexpected end of input.")
			}
			c := r.in[r.pos]
			if c == delim || c == '}' {
				break
			}
			if c == '{' {
				return r.unexpected()
			}
			if c == '"' {
				return r.malformed("Unexpected array element.")
			}
			if c == '\\' {
				escaped = true
				if r.pos++; r.pos >= len(r.in) {
					return r.malformed("Unexpected end of input.")
				}
				buf = append(buf, r.in[r.pos])
				end = len(buf)
				continue
			}
			buf = append(buf, c)
			if !isSpace(c) {
				end = len(buf)
			}
		}
	}
	text, null := string(buf[:end]), false
	if !quoted && !escaped {
		text = r.in[start : start+end] // no copy
		null = strings.EqualFold(text, "NULL")
	}
	r.texts, r.null = append(r.texts, text), append(r.null, null)
	return nil
}
