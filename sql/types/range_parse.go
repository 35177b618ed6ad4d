package types

import (
	"strings"

	"raisind/pgerr"
)

// rangeReader reads the text form of a range, alone or within a multirange.
type rangeReader struct {
	s  string
	at int
}

func (p *rangeReader) malformed(detail string) error {
	return pgerr.New(pgerr.InvalidTextRepresentation, "malformed range literal: \"%s\"", p.s).WithDetail("%s", detail)
}

func (p *rangeReader) blanks() {
	for p.at < len(p.s) && isSpace(p.s[p.at]) {
		p.at++
	}
}

// read reads one range; whole: nothing may follow.
func (p *rangeReader) read(t *Type, env *Env, whole bool) (*Range, error) {
	p.blanks()
	if len(p.s)-p.at >= 5 && strings.EqualFold(p.s[p.at:p.at+5], "empty") {
		p.at += 5
		p.blanks()
		if whole && p.at < len(p.s) {
			return nil, p.malformed("Junk after \"empty\" key word.")
		}
		return &Range{Empty: true}, nil
	}
	var r Range
	if p.at >= len(p.s) || p.s[p.at] != '[' && p.s[p.at] != '(' {
		return nil, p.malformed("Missing left parenthesis or bracket.")
	}
	r.LowerInc = p.s[p.at] == '['
	p.at++
	lower, hasLower, err := p.bound()
	if err != nil {
		return nil, err
	}
	if p.at >= len(p.s) || p.s[p.at] != ',' {
		return nil, p.malformed("Missing comma after lower bound.")
	}
	p.at++
	upper, hasUpper, err := p.bound()
	if err != nil {
		return nil, err
	}
	switch {
	case p.at < len(p.s) && (p.s[p.at] == ']' || p.s[p.at] == ')'):
		r.UpperInc = p.s[p.at] == ']'
		p.at++
	default:
		return nil, p.malformed("Too many commas.")
	}
	p.blanks()
	if whole && p.at < len(p.s) {
		return nil, p.malformed("Junk after right parenthesis or bracket.")
	}
	if hasLower {
		if r.Lower, err = t.subtype.ParseText(lower, -1, env); err != nil {
			return nil, err
		}
	}
	if hasUpper {
		if r.Upper, err = t.subtype.ParseText(upper, -1, env); err != nil {
			return nil, err
		}
	}
	return NewRange(t, r)
}

// bound reads up to a comma, bracket or parenthesis; none at all is infinite.
func (p *rangeReader) bound() (string, bool, error) {
	if p.at < len(p.s) && strings.IndexByte(",)]", p.s[p.at]) >= 0 {
		return "", false, nil
	}
	var b strings.Builder
	quoted := false
	for {
		if p.at >= len(p.s) {
			return "", false, p.malformed("Unexpected end of input.")
		}
		c := p.s[p.at]
		if !quoted && strings.IndexByte(",)]([", c) >= 0 {
			return b.String(), true, nil
		}
		p.at++
		switch {
		case c == '\\':
			if p.at >= len(p.s) {
				return "", false, p.malformed("Unexpected end of input.")
			}
			b.WriteByte(p.s[p.at])
			p.at++
		case c == '"' && quoted && p.at < len(p.s) && p.s[p.at] == '"':
			b.WriteByte('"')
			p.at++
		case c == '"':
			quoted = !quoted
		default:
			b.WriteByte(c)
		}
	}
}
