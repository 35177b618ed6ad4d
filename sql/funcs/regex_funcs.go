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

// similarPattern turns a pattern of SIMILAR TO into a regular expression.
func similarPattern(s, esc string) (string, error) {
	if utf8.RuneCountInString(esc) > 1 {
		return "", errEscapeLength()
	}
	var b strings.Builder
	b.WriteString("^(?:")
	escaped, inClass, quotes := false, false, 0
	for _, c := range s {
		switch {
		case escaped:
			escaped = false
			switch {
			case c != '"' || inClass:
				b.WriteByte('\\')
				b.WriteRune(c)
			case quotes == 0:
				b.WriteString("){1,1}?(")
				quotes++
			case quotes == 1:
				b.WriteString("){1,1}(?:")
				quotes++
			default:
				return "", pgerr.New(pgerr.InvalidUseOfEscapeCharacter,
					"SQL regular expression may not contain more than two escape-double-quote separators")
			}
		case string(c) == esc:
			escaped = true
		case inClass:
			if c == '\\' {
				b.WriteByte('\\')
			}
			b.WriteRune(c)
			inClass = c != ']'
		case c == '[':
			b.WriteRune(c)
			inClass = true
		case c == '%':
			b.WriteString(".*")
		case c == '_':
			b.WriteByte('.')
		case c == '(':
			b.WriteString("(?:")
		case c == '\\' || c == '.' || c == '^' || c == '$':
			b.WriteByte('\\')
			b.WriteRune(c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteString(")$")
	return b.String(), nil
}

func similarToEscape(_ *Ctx, args []types.Datum) (types.Datum, error) {
	esc := `\`
	if len(args) > 1 {
		esc = args[1].Str()
	}
	return strResult(similarPattern(args[0].Str(), esc))
}

// similarEscape is the older form, which takes a NULL escape for the default.
func similarEscape(_ *Ctx, args []types.Datum) (types.Datum, error) {
	if args[0].IsNull() {
		return types.Null, nil
	}
	esc := `\`
	if !args[1].IsNull() {
		esc = args[1].Str()
	}
	return strResult(similarPattern(args[0].Str(), esc))
}

// substringSimilar is substring(s SIMILAR pattern ESCAPE esc).
func substringSimilar(_ *Ctx, args []types.Datum) (types.Datum, error) {
	src, err := similarPattern(args[1].Str(), args[2].Str())
	if err != nil {
		return types.Null, err
	}
	p, err := compileRegex(src, regexFlags{})
	if err != nil {
		return types.Null, err
	}
	return firstGroup(p, args[0].Str()), nil
}

func regexFuncs() []Func {
	fn := func(name, doc string, example Example, overloads ...Overload) Func {
		return Func{
			Name: name, Group: groupPattern, Volatility: Immutable, Doc: doc,
			Overloads: overloads, Examples: []Example{example},
		}
	}
	escape := fn("similar_escape", "The regular expression of a SIMILAR TO pattern.", Example{`SELECT similar_escape('a%', NULL)`, "^(?:a.*)$"},
		of("text,text", "text", similarEscape))
	escape.Nulls = CalledOnNull
	return []Func{
		fn("regexp_match", "The groups of the first match, or the match.", Example{`SELECT regexp_match('foobarbeque', '(bar)(beque)')`, "{bar,beque}"},
			of("text,text", "text[]", regexpMatch), of("text,text,text", "text[]", regexpMatch)),
		fn("regexp_matches", "The groups of the first match, or with flag g of every match, as rows.",
			Example{`SELECT count(*) FROM regexp_matches('foobarbequebaz', 'ba.', 'g')`, "2"},
			set("text,text", "text[]", regexpMatches), set("text,text,text", "text[]", regexpMatches)),
		fn("regexp_replace", "Replaces the first match, with flag g every match, or match N from a character on. \\1 is a group, \\& the match.",
			Example{`SELECT regexp_replace('foobarbaz', 'b(..)', 'X\1Y', 'g')`, "fooXarYXazY"},
			of("text,text,text", "text", regexpReplace), of("text,text,text,text", "text", regexpReplace),
			of("text,text,text,int4", "text", regexpReplaceFrom), of("text,text,text,int4,int4", "text", regexpReplaceFrom),
			of("text,text,text,int4,int4,text", "text", regexpReplaceFrom)),
		fn("regexp_split_to_array", "Cuts a text at every match.", Example{`SELECT regexp_split_to_array('hello world', '\s+')`, "{hello,world}"},
			of("text,text", "text[]", regexpSplitToArray), of("text,text,text", "text[]", regexpSplitToArray)),
		fn("regexp_split_to_table", "Cuts a text at every match, into rows.", Example{`SELECT max(s) FROM regexp_split_to_table('a b', ' ') AS s`, "b"},
			set("text,text", "text", regexpSplitToTable), set("text,text,text", "text", regexpSplitToTable)),
		fn("regexp_like", "True when the pattern matches.", Example{`SELECT regexp_like('Hello', 'HELLO', 'i')`, "t"},
			of("text,text", "bool", regexpLike), of("text,text,text", "bool", regexpLike)),
		fn("regexp_count", "Number of matches, from a character on.", Example{`SELECT regexp_count('123456789012', '\d\d\d', 2)`, "3"},
			of("text,text", "int4", regexpCount), of("text,text,int4", "int4", regexpCount), of("text,text,int4,text", "int4", regexpCount)),
		fn("regexp_instr", "Where match N, or a group of it, starts or ends; 0 for nowhere.",
			Example{`SELECT regexp_instr('number of your street, town zip, FR', '[^,]+', 1, 2)`, "23"},
			of("text,text", "int4", regexpInstr), of("text,text,int4", "int4", regexpInstr), of("text,text,int4,int4", "int4", regexpInstr),
			of("text,text,int4,int4,int4", "int4", regexpInstr), of("text,text,int4,int4,int4,text", "int4", regexpInstr),
			of("text,text,int4,int4,int4,text,int4", "int4", regexpInstr)),
		fn("regexp_substr", "Match N, or a group of it.", Example{`SELECT regexp_substr('number of your street, town zip, FR', '[^,]+', 1, 2)`, " town zip"},
			of("text,text", "text", regexpSubstr), of("text,text,int4", "text", regexpSubstr), of("text,text,int4,int4", "text", regexpSubstr),
			of("text,text,int4,int4,text", "text", regexpSubstr), of("text,text,int4,int4,text,int4", "text", regexpSubstr)),
		fn("like_escape", "A LIKE pattern with another escape character, rewritten to backslashes.", Example{`SELECT like_escape('a#%b', '#')`, `a\%b`},
			of("text,text", "text", likeEscape)),
		fn("similar_to_escape", "The regular expression of a SIMILAR TO pattern.", Example{`SELECT similar_to_escape('a_c%')`, "^(?:a.c.*)$"},
			of("text", "text", similarToEscape), of("text,text", "text", similarToEscape)),
		escape,
		fn("like", "The function behind LIKE.", Example{`SELECT "like"('abc', 'a%')`, "t"}, of("text,text", "bool", likeOp(false, false, false))),
		fn("starts_with", "True when the first text starts with the second.", Example{`SELECT starts_with('alphabet', 'alph')`, "t"},
			of("text,text", "bool", startsWith)),
	}
}
