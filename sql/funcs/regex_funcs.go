package funcs

import (
	"strings"
	"unicode/utf8"

	"raisind/pgerr"
	"raisind/sql/types"
)

// matches returns the matches of a pattern in s from byte offset start on, as index
// pairs of the match and its groups. As in PostgreSQL the search goes on where the
// last match ended, one character later after an empty one.
func (p *pattern) matches(s string, start, limit int) [][]int {
	if p.contextual {
		var out [][]int
		for _, m := range p.FindAllStringSubmatchIndex(s, -1) {
			if m[0] >= start {
				out = append(out, m)
			}
			if len(out) == limit {
				break
			}
		}
		return out
	}
	var out [][]int
	for at := start; at <= len(s) && len(out) != limit; {
		m := p.FindStringSubmatchIndex(s[at:])
		if m == nil {
			break
		}
		for i := range m {
			if m[i] >= 0 {
				m[i] += at
			}
		}
		out = append(out, m)
		if at = m[1]; m[0] == m[1] {
			if at == len(s) {
				break
			}
			at += charLen(s[at:], false)
		}
	}
	return out
}

// noLimit is a limit that is never reached.
const noLimit = -1

// parseFlags reads the letters of a flags argument; global is g.
func parseFlags(s string) (flags regexFlags, global bool, err error) {
	for _, c := range s {
		if c == 'g' {
			global = true
		} else if !flags.set(c) {
			return flags, false, pgerr.New(pgerr.InvalidParameterValue, "invalid regular expression option: \"%c\"", c)
		}
	}
	return flags, global, nil
}

// patternArg compiles args[1] under the flags in args[i], when there is one.
func patternArg(args []types.Datum, i int) (p *pattern, global bool, err error) {
	var flags regexFlags
	if len(args) > i {
		if flags, global, err = parseFlags(args[i].Str()); err != nil {
			return nil, false, err
		}
	}
	p, err = compileRegex(args[1].Str(), flags)
	return p, global, err
}

func errNoGlobal(name, instead string) error {
	e := pgerr.New(pgerr.InvalidParameterValue, `%s() does not support the "global" option`, name)
	if instead != "" {
		e.Hint = "Use the " + instead + " function instead."
	}
	return e
}

// groups are the texts of a match's groups, or of the match when there are none.
func groups(s string, m []int) types.Datum {
	if len(m) == 2 {
		return textArray([]string{s[m[0]:m[1]]})
	}
	elems := make([]types.Datum, 0, len(m)/2-1)
	for i := 2; i < len(m); i += 2 {
		if m[i] < 0 {
			elems = append(elems, types.Null)
		} else {
			elems = append(elems, types.Str(s[m[i]:m[i+1]]))
		}
	}
	return types.Ref(newArray(types.TText, elems))
}

func regexpMatch(_ *Ctx, args []types.Datum) (types.Datum, error) {
	p, global, err := patternArg(args, 2)
	switch {
	case err != nil:
		return types.Null, err
	case global:
		return types.Null, errNoGlobal("regexp_match", "regexp_matches")
	}
	m := p.matches(args[0].Str(), 0, 1)
	if len(m) == 0 {
		return types.Null, nil
	}
	return groups(args[0].Str(), m[0]), nil
}

func regexpMatches(_ *Ctx, args []types.Datum) (RowSource, error) {
	p, global, err := patternArg(args, 2)
	if err != nil {
		return nil, err
	}
	limit := 1
	if global {
		limit = noLimit
	}
	var values []types.Datum
	for _, m := range p.matches(args[0].Str(), 0, limit) {
		values = append(values, groups(args[0].Str(), m))
	}
	return valueRows(values), nil
}

// expand writes a replacement: \1 to \9 are groups, \& the match, \\ a backslash.
func expandReplacement(b *strings.Builder, repl, s string, m []int) {
	for i := 0; i < len(repl); i++ {
		c := repl[i]
		if c != '\\' || i+1 == len(repl) {
			b.WriteByte(c)
			continue
		}
		i++
		group := -1
		switch c = repl[i]; {
		case c == '&':
			group = 0
		case c >= '1' && c <= '9':
			group = int(c - '0')
		case c == '\\':
			b.WriteByte('\\')
			continue
		default:
			b.WriteByte('\\')
			i--
			continue
		}
		if 2*group+1 < len(m) && m[2*group] >= 0 {
			b.WriteString(s[m[2*group]:m[2*group+1]])
		}
	}
}

// replaceMatches replaces match n (from 1), or all when n is 0, from character start on.
func replaceMatches(p *pattern, s, repl string, start, n int) string {
	at := byteOffset(s, start-1)
	limit := n
	if n == 0 {
		limit = noLimit
	}
	var b strings.Builder
	last := 0
	for i, m := range p.matches(s, at, limit) {
		if n > 0 && i+1 != n {
			continue
		}
		b.WriteString(s[last:m[0]])
		expandReplacement(&b, repl, s, m)
		last = m[1]
	}
	b.WriteString(s[last:])
	return b.String()
}

// byteOffset is where character n (from 0) starts; the end when s is shorter.
func byteOffset(s string, n int) int {
	for i := range s {
		if n <= 0 {
			return i
		}
		n--
	}
	return len(s)
}

func regexpReplace(_ *Ctx, args []types.Datum) (types.Datum, error) {
	if len(args) > 3 {
		if s := args[3].Str(); s != "" && s[0] >= '0' && s[0] <= '9' {
			return types.Null, pgerr.New(pgerr.InvalidParameterValue, "invalid regular expression option: \"%c\"", s[0]).
				WithHint("If you meant to use regexp_replace() with a start parameter, cast the fourth argument to integer explicitly.")
		}
	}
	p, global, err := patternArg(args, 3)
	if err != nil {
		return types.Null, err
	}
	return types.Str(replaceMatches(p, args[0].Str(), args[2].Str(), 1, 1-b2i(global))), nil
}

// regexpReplaceFrom is the form with start, N and flags; without N and flags it
// replaces once.
func regexpReplaceFrom(_ *Ctx, args []types.Datum) (types.Datum, error) {
	start, n := args[3].Int(), int64(1)
	if len(args) > 4 {
		n = args[4].Int()
	}
	if err := positive("start", start, 1); err != nil {
		return types.Null, err
	}
	if err := positive("n", n, 0); err != nil {
		return types.Null, err
	}
	p, global, err := patternArg(args, 5)
	if err != nil {
		return types.Null, err
	}
	if global && len(args) <= 4 {
		n = 0
	}
	return types.Str(replaceMatches(p, args[0].Str(), args[2].Str(), int(start), int(n))), nil
}

func positive(name string, v, least int64) error {
	if v < least {
		return errParameter(name, v)
	}
	return nil
}

func errParameter(name string, v int64) error {
	return pgerr.New(pgerr.InvalidParameterValue, "invalid value for parameter \"%s\": %d", name, v)
}

// splitByRegex cuts s at every match, leaving out empty matches at its start, its end
// and right behind another match.
func splitByRegex(name string, args []types.Datum) ([]string, error) {
	p, global, err := patternArg(args, 2)
	switch {
	case err != nil:
		return nil, err
	case global:
		return nil, errNoGlobal(name, "")
	}
	s := args[0].Str()
	var out []string
	last := 0
	for _, m := range p.matches(s, 0, noLimit) {
		if m[0] >= len(s) || m[1] <= last {
			continue
		}
		out = append(out, s[last:m[0]])
		last = m[1]
	}
	return append(out, s[last:]), nil
}

func regexpSplitToArray(_ *Ctx, args []types.Datum) (types.Datum, error) {
	parts, err := splitByRegex("regexp_split_to_array", args)
	if err != nil {
		return types.Null, err
	}
	return textArray(parts), nil
}

func regexpSplitToTable(_ *Ctx, args []types.Datum) (RowSource, error) {
	parts, err := splitByRegex("regexp_split_to_table", args)
	if err != nil {
		return nil, err
	}
	return valueRows(arrayOf(textArray(parts)).Elems), nil
}

func regexpLike(_ *Ctx, args []types.Datum) (types.Datum, error) {
	p, global, err := patternArg(args, 2)
	switch {
	case err != nil:
		return types.Null, err
	case global:
		return types.Null, errNoGlobal("regexp_like", "")
	}
	return types.Bool(p.MatchString(args[0].Str())), nil
}

func regexpCount(_ *Ctx, args []types.Datum) (types.Datum, error) {
	start := int64(1)
	if len(args) > 2 {
		start = args[2].Int()
	}
	if err := positive("start", start, 1); err != nil {
		return types.Null, err
	}
	p, global, err := patternArg(args, 3)
	switch {
	case err != nil:
		return types.Null, err
	case global:
		return types.Null, errNoGlobal("regexp_count", "")
	}
	s := args[0].Str()
	if int(start) > utf8.RuneCountInString(s)+1 {
		return types.Int(0), nil
	}
	return types.Int(int64(len(p.matches(s, byteOffset(s, int(start-1)), noLimit)))), nil
}

// nthGroup finds group of match n from character start on; nil when there is none.
// flagsAt and groupAt are where the optional arguments stand.
func nthGroup(name string, args []types.Datum, flagsAt, groupAt int) ([]int, error) {
	start, n, group := int64(1), int64(1), int64(0)
	for i, v := range map[int]*int64{2: &start, 3: &n, groupAt: &group} {
		if len(args) > i {
			*v = args[i].Int()
		}
	}
	if err := positive("start", start, 1); err != nil {
		return nil, err
	}
	if err := positive("n", n, 1); err != nil {
		return nil, err
	}
	if err := positive("subexpr", group, 0); err != nil {
		return nil, err
	}
	p, global, err := patternArg(args, flagsAt)
	switch {
	case err != nil:
		return nil, err
	case global:
		return nil, errNoGlobal(name, "")
	}
	s := args[0].Str()
	if int(start) > utf8.RuneCountInString(s)+1 {
		return nil, nil
	}
	m := p.matches(s, byteOffset(s, int(start-1)), int(n))
	if len(m) < int(n) || int(2*group+1) >= len(m[n-1]) || m[n-1][2*group] < 0 {
		return nil, nil
	}
	return m[n-1][2*group : 2*group+2], nil
}

func regexpInstr(_ *Ctx, args []types.Datum) (types.Datum, error) {
	end := int64(0)
	if len(args) > 4 {
		end = args[4].Int()
	}
	if end != 0 && end != 1 {
		return types.Null, errParameter("endoption", end)
	}
	m, err := nthGroup("regexp_instr", args, 5, 6)
	if m == nil {
		return types.Int(0), err
	}
	return types.Int(int64(utf8.RuneCountInString(args[0].Str()[:m[end]])) + 1), nil
}

func regexpSubstr(_ *Ctx, args []types.Datum) (types.Datum, error) {
	m, err := nthGroup("regexp_substr", args, 4, 5)
	if m == nil {
		return types.Null, err
	}
	return types.Str(args[0].Str()[m[0]:m[1]]), nil
}

// substringRegex is substring(s FROM pattern): the first group, or the match.
func substringRegex(_ *Ctx, args []types.Datum) (types.Datum, error) {
	p, err := compileRegex(args[1].Str(), regexFlags{})
	if err != nil {
		return types.Null, err
	}
	return firstGroup(p, args[0].Str()), nil
}

func firstGroup(p *pattern, s string) types.Datum {
	m := p.FindStringSubmatchIndex(s)
	switch {
	case m == nil:
		return types.Null
	case len(m) > 2:
		m = m[2:]
	}
	if m[0] < 0 {
		return types.Null
	}
	return types.Str(s[m[0]:m[1]])
}
