package funcs

import (
	"strings"
	"unicode/utf8"

	"raisind/pgerr"
	"raisind/sql/types"
)

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
