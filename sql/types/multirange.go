package types

import (
	"encoding/binary"
	"slices"

	"raisind/pgerr"
)

var multirangeCodec = codec{
	parse: func(t *Type, s string, _ int32, env *Env) (Datum, error) {
		m, err := parseMultirange(t, s, env)
		if err != nil {
			return Null, err
		}
		return Ref(m), nil
	},
	format: func(dst []byte, t *Type, d Datum, env *Env) []byte {
		dst = append(dst, '{')
		for i, r := range d.Multirange().Ranges {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendRange(dst, t.subtype, r, env)
		}
		return append(dst, '}')
	},
	send: func(dst []byte, t *Type, d Datum) []byte {
		m := d.Multirange()
		dst = binary.BigEndian.AppendUint32(dst, uint32(len(m.Ranges)))
		for _, r := range m.Ranges {
			dst = appendSized(dst, t.subtype, Ref(r))
		}
		return dst
	},
	recv: func(t *Type, b []byte, _ int32) (Datum, error) {
		if len(b) < 4 {
			return Null, shortBinary()
		}
		n := binary.BigEndian.Uint32(b)
		b = b[4:]
		var rs []*Range
		for range n {
			if len(b) < 4 {
				return Null, shortBinary()
			}
			size := binary.BigEndian.Uint32(b)
			if b = b[4:]; uint32(len(b)) < size {
				return Null, shortBinary()
			}
			d, err := t.subtype.ParseBinary(b[:size], -1)
			if err != nil {
				return Null, err
			}
			rs, b = append(rs, d.Range()), b[size:]
		}
		if len(b) > 0 {
			return Null, binaryError(t)
		}
		return Ref(NewMultirange(t, rs)), nil
	},
	compare: func(t *Type, a, b Datum) int {
		x, y := a.Multirange().Ranges, b.Multirange().Ranges
		for i := range min(len(x), len(y)) {
			if c := CompareRanges(t.subtype, x[i], y[i]); c != 0 {
				return c
			}
		}
		return len(x) - len(y)
	},
	hash: func(dst []byte, t *Type, d Datum) []byte {
		dst = binary.BigEndian.AppendUint32(dst, uint32(len(d.Multirange().Ranges)))
		for _, r := range d.Multirange().Ranges {
			dst = hashRange(dst, t.subtype, r)
		}
		return dst
	},
	key: func(dst []byte, t *Type, d Datum) []byte {
		for _, r := range d.Multirange().Ranges {
			dst = keyRange(append(dst, 1), t.subtype, r)
		}
		return append(dst, 0)
	},
}

// NewMultirange sorts ranges, leaves out empty ones and joins what touches.
func NewMultirange(t *Type, rs []*Range) *Multirange {
	rt := t.subtype
	kept := slices.DeleteFunc(slices.Clone(rs), func(r *Range) bool { return r.Empty })
	slices.SortStableFunc(kept, func(a, b *Range) int { return CompareRanges(rt, a, b) })
	out := &Multirange{}
	for _, r := range kept {
		if n := len(out.Ranges); n > 0 && (RangesOverlap(rt, out.Ranges[n-1], r) || RangesAdjacent(rt, out.Ranges[n-1], r)) {
			out.Ranges[n-1] = RangesHull(rt, out.Ranges[n-1], r)
			continue
		}
		out.Ranges = append(out.Ranges, r)
	}
	return out
}

func parseMultirange(t *Type, s string, env *Env) (*Multirange, error) {
	malformed := func(detail string) error {
		return pgerr.New(pgerr.InvalidTextRepresentation, "malformed multirange literal: \"%s\"", s).WithDetail("%s", detail)
	}
	p := rangeReader{s: s}
	p.blanks()
	if p.at >= len(s) || s[p.at] != '{' {
		return nil, malformed("Missing left brace.")
	}
	p.at++
	var rs []*Range
	p.blanks()
	for first := true; ; first = false {
		p.blanks()
		if p.at >= len(s) {
			return nil, malformed("Unexpected end of input.")
		}
		if s[p.at] == '}' && (first || len(rs) > 0) {
			break
		}
		if !first {
			if s[p.at] != ',' {
				return nil, malformed("Expected comma or end of multirange.")
			}
			p.at++
			p.blanks()
		}
		if p.at >= len(s) || s[p.at] != '[' && s[p.at] != '(' && s[p.at]|0x20 != 'e' {
			return nil, malformed("Expected range start.")
		}
		r, err := p.read(t.subtype, env, false)
		if err != nil {
			return nil, err
		}
		rs = append(rs, r)
	}
	p.at++
	p.blanks()
	if p.at < len(s) {
		return nil, malformed("Junk after closing right brace.")
	}
	return NewMultirange(t, rs), nil
}

// compareEnds compares the upper bound of a with the lower bound of b: below 0 when a
// ends before b begins, 0 when they share one point, above when they share more.
// touching is set when nothing lies between the two and they share nothing.
func compareEnds(t *Type, a, b *Range) (c int, touching bool) {
	if a.Upper.IsNull() || b.Lower.IsNull() {
		return 1, false
	}
	c = Compare(t.subtype, a.Upper, b.Lower)
	if c != 0 {
		return c, false
	}
	switch {
	case a.UpperInc && b.LowerInc:
		return 0, false
	case a.UpperInc || b.LowerInc:
		return -1, true
	}
	return -1, false
}

// RangesOverlap reports whether two ranges share a point.
func RangesOverlap(t *Type, a, b *Range) bool {
	if a.Empty || b.Empty {
		return false
	}
	ab, _ := compareEnds(t, a, b)
	ba, _ := compareEnds(t, b, a)
	return ab >= 0 && ba >= 0
}

// RangesAdjacent reports whether two ranges touch without sharing a point.
func RangesAdjacent(t *Type, a, b *Range) bool {
	if a.Empty || b.Empty {
		return false
	}
	_, ab := compareEnds(t, a, b)
	_, ba := compareEnds(t, b, a)
	return ab || ba
}

// RangeBefore reports whether all of a lies before all of b.
func RangeBefore(t *Type, a, b *Range) bool {
	if a.Empty || b.Empty {
		return false
	}
	c, _ := compareEnds(t, a, b)
	return c < 0
}

// RangeContains reports whether every point of b is in a.
func RangeContains(t *Type, a, b *Range) bool {
	switch {
	case b.Empty:
		return true
	case a.Empty:
		return false
	}
	return CompareLower(t, a, b) <= 0 && CompareUpper(t, a, b) >= 0
}

// RangesHull is the smallest range with both in it.
func RangesHull(t *Type, a, b *Range) *Range {
	switch {
	case a.Empty:
		return b
	case b.Empty:
		return a
	}
	out := *a
	if CompareLower(t, b, a) < 0 {
		out.Lower, out.LowerInc = b.Lower, b.LowerInc
	}
	if CompareUpper(t, b, a) > 0 {
		out.Upper, out.UpperInc = b.Upper, b.UpperInc
	}
	return &out
}

// RangesShared is what two ranges have in common.
func RangesShared(t *Type, a, b *Range) *Range {
	if !RangesOverlap(t, a, b) {
		return &Range{Empty: true}
	}
	out := *a
	if CompareLower(t, b, a) > 0 {
		out.Lower, out.LowerInc = b.Lower, b.LowerInc
	}
	if CompareUpper(t, b, a) < 0 {
		out.Upper, out.UpperInc = b.Upper, b.UpperInc
	}
	return &out
}

// RangesDifference is a without b: up to two ranges.
func RangesDifference(t *Type, a, b *Range) []*Range {
	if a.Empty {
		return nil
	}
	if !RangesOverlap(t, a, b) {
		return []*Range{a}
	}
	var out []*Range
	if CompareLower(t, a, b) < 0 {
		out = append(out, &Range{Lower: a.Lower, LowerInc: a.LowerInc, Upper: b.Lower, UpperInc: !b.LowerInc})
	}
	if CompareUpper(t, a, b) > 0 {
		out = append(out, &Range{Lower: b.Upper, LowerInc: !b.UpperInc, Upper: a.Upper, UpperInc: a.UpperInc})
	}
	return out
}
