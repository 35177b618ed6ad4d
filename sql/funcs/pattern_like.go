package funcs

import (
	"strings"
	"unicode/utf8"

	"raisind/pgerr"
	"raisind/sql/types"
)

func errLikeEscape() error {
	return pgerr.New(pgerr.InvalidEscapeSequence, "LIKE pattern must not end with escape character")
}

// likeMatch reports whether all of s matches a LIKE pattern: % for any run, _ for
// one character (one byte when bytes is set), backslash before a character that
// stands for itself.
func likeMatch(s, pattern string, bytes bool) (bool, error) {
	// On a mismatch the last % takes one more character; earlier ones need not move,
	// so the work is bounded by len(s)·len(pattern).
	star, mark := -1, 0 // pattern position behind the last %, and where it stopped in s
	i, p := 0, 0
	for i < len(s) {
		if p < len(pattern) {
			switch c := pattern[p]; c {
			case '%':
				p++
				star, mark = p, i
				continue
			case '_':
				p++
				i += charLen(s[i:], bytes)
				continue
			case '\\':
				if p+1 == len(pattern) {
					return false, errLikeEscape()
				}
				if pattern[p+1] == s[i] {
					p += 2
					i++
					continue
				}
			default:
				if c == s[i] {
					p++
					i++
					continue
				}
			}
		}
		if star < 0 {
			return false, nil
		}
		mark += charLen(s[mark:], bytes)
		p, i = star, mark
	}
	for p < len(pattern) && pattern[p] == '%' {
		p++
	}
	return p == len(pattern), nil
}

func charLen(s string, bytes bool) int {
	if bytes || s[0] < utf8.RuneSelf {
		return 1
	}
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// likeOp is the body of ~~ and its kin.
func likeOp(not, fold, bytes bool) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		s, p := args[0].Str(), args[1].Str()
		if fold {
			s, p = strings.ToLower(s), strings.ToLower(p)
		}
		ok, err := likeMatch(s, p, bytes)
		if err != nil {
			return types.Null, err
		}
		return types.Bool(ok != not), nil
	}
}

// likeEscape rewrites a pattern with another escape character into one with
// backslashes: what LIKE … ESCAPE means. An empty escape turns escaping off.
func likeEscape(_ *Ctx, args []types.Datum) (types.Datum, error) {
	pattern, esc := args[0].Str(), args[1].Str()
	if utf8.RuneCountInString(esc) > 1 {
		return types.Null, errEscapeLength()
	}
	if esc == `\` {
		return args[0], nil
	}
	var b strings.Builder
	for len(pattern) > 0 {
		if esc != "" && strings.HasPrefix(pattern, esc) {
			pattern = pattern[len(esc):]
			b.WriteByte('\\')
			if pattern == "" {
				break
			}
			n := charLen(pattern, false)
			b.WriteString(pattern[:n])
			pattern = pattern[n:]
			continue
		}
		if pattern[0] == '\\' {
			b.WriteByte('\\')
		}
		b.WriteByte(pattern[0])
		pattern = pattern[1:]
	}
	return types.Str(b.String()), nil
}

func errEscapeLength() error {
	return pgerr.New(pgerr.InvalidEscapeSequence, "invalid escape string").
		WithHint("Escape string must be empty or one character.")
}

func patternOps() []Func {
	op := func(symbol, name, negator, doc string, overloads ...Overload) Func {
		return Func{
			Name: name, Operator: symbol, Negator: negator, Group: groupPattern,
			Volatility: Immutable, Doc: doc, Overloads: overloads,
		}
	}
	likes := func(not, fold bool) []Overload {
		body := likeOp(not, fold, false)
		out := []Overload{of("text,text", "bool", body), of("name,text", "bool", body), of("bpchar,text", "bool", body)}
		if !fold {
			out = append(out, of("bytea,bytea", "bool", likeOp(not, false, true)))
		}
		return out
	}
	regexes := func(not, fold bool) []Overload {
		body := regexOp(not, fold)
		return []Overload{of("text,text", "bool", body), of("name,text", "bool", body), of("bpchar,text", "bool", body)}
	}
	return []Func{
		op("~~", "like", "!~~", "LIKE.", likes(false, false)...),
		op("!~~", "nlike", "~~", "NOT LIKE.", likes(true, false)...),
		op("~~*", "iclike", "!~~*", "ILIKE: LIKE without regard to case.", likes(false, true)...),
		op("!~~*", "icnlike", "~~*", "NOT ILIKE.", likes(true, true)...),
		op("~", "regexeq", "!~", "Matches a regular expression.", regexes(false, false)...),
		op("!~", "regexne", "~", "Does not match a regular expression.", regexes(true, false)...),
		op("~*", "icregexeq", "!~*", "Matches a regular expression without regard to case.", regexes(false, true)...),
		op("!~*", "icregexne", "~*", "Does not match a regular expression, without regard to case.", regexes(true, true)...),
		op("^@", "starts_with", "", "True when the left text starts with the right one.", of("text,text", "bool", startsWith)),
	}
}

func startsWith(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Bool(strings.HasPrefix(args[0].Str(), args[1].Str())), nil
}
