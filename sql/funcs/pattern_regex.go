package funcs

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf8"

	lru "github.com/hashicorp/golang-lru/v2"

	"raisind/pgerr"
	"raisind/sql/types"
)

// regexCacheSize compiled expressions are kept for all sessions together.
const regexCacheSize = 512

// regexFlags are the options of a regular expression (PostgreSQL's embedded and
// function flags).
type regexFlags struct {
	fold     bool // i: without regard to case
	lines    bool // n, m, w: ^ and $ match at newlines
	dotLine  bool // n, m, p: . and [^ do not match a newline
	expanded bool // x: white space and comments in the pattern
	literal  bool // q: the pattern is plain text
}

type regexKey struct {
	pattern string
	flags   regexFlags
}

// pattern is a compiled regular expression.
type pattern struct {
	*regexp.Regexp
	// contextual is set when a match depends on what stands in front of it: ^, \b.
	contextual bool
}

var regexCache = func() *lru.Cache[regexKey, *pattern] {
	c, err := lru.New[regexKey, *pattern](regexCacheSize)
	if err != nil { // only for a size below 1
		panic(err)
	}
	return c
}()

// compileRegex translates an advanced regular expression of PostgreSQL to Go's
// syntax. Look-around and back references have no counterpart there: 0A000.
// Without non-greedy quantifiers the match is the leftmost longest, as POSIX wants.
func compileRegex(text string, flags regexFlags) (*pattern, error) {
	key := regexKey{text, flags}
	if re, ok := regexCache.Get(key); ok {
		return re, nil
	}
	t := regexTranslator{flags: flags}
	src, err := t.translate(text)
	if err != nil {
		return nil, err
	}
	re, err := regexp.Compile(src)
	if err != nil {
		return nil, regexError(err)
	}
	if !t.lazy {
		re.Longest()
	}
	p := &pattern{re, t.contextual}
	regexCache.Add(key, p)
	return p, nil
}

func errRegex(reason string) error {
	return pgerr.New(pgerr.InvalidRegularExpression, "invalid regular expression: %s", reason)
}

// regexError words an error of Go's parser as PostgreSQL would.
func regexError(err error) error {
	var se *syntax.Error
	if !errors.As(err, &se) {
		return errRegex(err.Error())
	}
	reason := map[syntax.ErrorCode]string{
		syntax.ErrInvalidCharClass:      "invalid character range",
		syntax.ErrInvalidCharRange:      "invalid character range",
		syntax.ErrInvalidEscape:         `invalid escape \ sequence`,
		syntax.ErrInvalidRepeatOp:       "quantifier operand invalid",
		syntax.ErrInvalidRepeatSize:     "invalid repetition count(s)",
		syntax.ErrMissingBracket:        "brackets [] not balanced",
		syntax.ErrMissingParen:          "parentheses () not balanced",
		syntax.ErrUnexpectedParen:       "parentheses () not balanced",
		syntax.ErrMissingRepeatArgument: "quantifier operand invalid",
		syntax.ErrTrailingBackslash:     `invalid escape \ sequence`,
		syntax.ErrNestingDepth:          "regular expression is too complex",
		syntax.ErrLarge:                 "regular expression is too complex",
	}[se.Code]
	if reason == "" {
		reason = se.Code.String()
	}
	return errRegex(reason)
}

// regexTranslator writes Go's syntax.
type regexTranslator struct {
	flags      regexFlags
	lazy       bool // saw a non-greedy quantifier
	contextual bool
	out        strings.Builder
}

func (t *regexTranslator) translate(p string) (string, error) {
	p = t.director(p)
	if t.flags.literal {
		p = regexp.QuoteMeta(p)
		t.prefix()
		t.out.WriteString(p)
		return t.out.String(), nil
	}
	t.prefix()
	for i := 0; i < len(p); {
		n, err := t.atom(p, i)
		if err != nil {
			return "", err
		}
		i = n
	}
	return t.out.String(), nil
}

// director reads *** prefixes and the options embedded at the start: (?i).
func (t *regexTranslator) director(p string) string {
	if rest, ok := strings.CutPrefix(p, "***="); ok {
		t.flags.literal = true
		return rest
	}
	p = strings.TrimPrefix(p, "***:")
	if t.flags.literal || !strings.HasPrefix(p, "(?") {
		return p
	}
	end := strings.IndexByte(p, ')')
	if end < 0 || end == 2 {
		return p
	}
	flags := t.flags
	for _, c := range p[2:end] {
		if !flags.set(c) {
			return p // (?: and others
		}
	}
	t.flags = flags
	return p[end+1:]
}

// set applies one option letter; false when there is none of that letter.
func (f *regexFlags) set(c rune) bool {
	switch c {
	case 'i':
		f.fold = true
	case 'c':
		f.fold = false
	case 'n', 'm':
		f.lines, f.dotLine = true, true
	case 'p':
		f.lines, f.dotLine = false, true
	case 'w':
		f.lines, f.dotLine = true, false
	case 's':
		f.lines, f.dotLine = false, false
	case 'x':
		f.expanded = true
	case 't':
		f.expanded = false
	case 'q':
		f.literal = true
	case 'e', 'b': // the default; basic expressions are read as extended ones
	default:
		return false
	}
	return true
}

func (t *regexTranslator) prefix() {
	s := ""
	if t.flags.fold {
		s += "i"
	}
	if t.flags.lines {
		s += "m"
	}
	if !t.flags.dotLine {
		s += "s"
	}
	if s != "" {
		t.out.WriteString("(?" + s + ")")
	}
}

// atom translates what starts at p[i] and returns where the next one starts.
func (t *regexTranslator) atom(p string, i int) (int, error) {
	switch c := p[i]; c {
	case '\\':
		return t.escape(p, i)
	case '[':
		return t.bracket(p, i)
	case '^':
		t.contextual = true
	case '(':
		if strings.HasPrefix(p[i:], "(?") {
			switch {
			case strings.HasPrefix(p[i:], "(?:"):
				t.out.WriteString("(?:")
				return i + 3, nil
			case strings.HasPrefix(p[i:], "(?="), strings.HasPrefix(p[i:], "(?!"), strings.HasPrefix(p[i:], "(?<"):
				return 0, pgerr.New(pgerr.FeatureNotSupported, "look-around in regular expressions is not supported")
			}
			return 0, errRegex("quantifier operand invalid")
		}
	case '*', '+', '?', '}':
		if c != '}' || t.closesQuantifier(p, i) {
			t.out.WriteByte(c)
			if i+1 < len(p) && p[i+1] == '?' {
				t.lazy = true
				t.out.WriteByte('?')
				return i + 2, nil
			}
			return i + 1, nil
		}
	case ' ', '\t', '\n', '\r', '\v', '\f':
		if t.flags.expanded {
			return i + 1, nil
		}
	case '#':
		if t.flags.expanded {
			if end := strings.IndexByte(p[i:], '\n'); end >= 0 {
				return i + end + 1, nil
			}
			return len(p), nil
		}
	}
	_, n := utf8.DecodeRuneInString(p[i:])
	t.out.WriteString(p[i : i+n])
	return i + n, nil
}

// closesQuantifier reports whether the } at p[i] ends a bound such as {1,3}.
func (t *regexTranslator) closesQuantifier(p string, i int) bool {
	open := strings.LastIndexByte(p[:i], '{')
	if open < 0 || open+1 == i {
		return false
	}
	return strings.Trim(p[open+1:i], "0123456789,") == ""
}

// escape translates a backslash sequence outside brackets.
func (t *regexTranslator) escape(p string, i int) (int, error) {
	if i+1 >= len(p) {
		return 0, errRegex(`invalid escape \ sequence`)
	}
	c := p[i+1]
	switch c {
	case 'y', 'm', 'M':
		t.contextual = true
		t.out.WriteString(`\b`)
	case 'Y':
		t.contextual = true
		t.out.WriteString(`\B`)
	case 'A':
		t.contextual = true
		t.out.WriteString(`\A`)
	case 'Z':
		t.out.WriteString(`\z`)
	case 'd', 'D', 's', 'S', 'w', 'W':
		t.out.WriteString(p[i : i+2])
	default:
		if c >= '1' && c <= '9' {
			return 0, pgerr.New(pgerr.FeatureNotSupported, "back references in regular expressions are not supported")
		}
		r, n, err := escapedChar(p[i:])
		if err != nil {
			return 0, err
		}
		t.out.WriteString(regexp.QuoteMeta(string(r)))
		return i + n, nil
	}
	return i + 2, nil
}

// escapedChar reads a backslash sequence that stands for one character and returns
// its length.
func escapedChar(s string) (rune, int, error) {
	switch c := s[1]; c {
	case 'a':
		return 7, 2, nil
	case 'b':
		return 8, 2, nil
	case 'B':
		return '\\', 2, nil
	case 'e':
		return 27, 2, nil
	case 'f':
		return 12, 2, nil
	case 'n':
		return 10, 2, nil
	case 'r':
		return 13, 2, nil
	case 't':
		return 9, 2, nil
	case 'v':
		return 11, 2, nil
	case '0':
		return 0, 2, nil
	case 'c':
		if len(s) > 2 {
			return rune(s[2] & 31), 3, nil
		}
	case 'u', 'U', 'x':
		width := map[byte]int{'u': 4, 'U': 8, 'x': 255}[c]
		end := 2
		for end < len(s) && end < 2+width && isHexDigit(s[end]) {
			end++
		}
		if v, err := strconv.ParseUint(s[2:end], 16, 32); err == nil && (c == 'x' || end == 2+width) && v <= utf8.MaxRune {
			return rune(v), end, nil
		}
	default:
		if c >= utf8.RuneSelf || !isAlnum(c) {
			r, n := utf8.DecodeRuneInString(s[1:])
			return r, 1 + n, nil
		}
	}
	return 0, 0, errRegex(`invalid escape \ sequence`)
}

func isHexDigit(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// bracket translates a bracket expression.
func (t *regexTranslator) bracket(p string, i int) (int, error) {
	for _, word := range []string{"[[:<:]]", "[[:>:]]"} {
		if strings.HasPrefix(p[i:], word) {
			t.contextual = true
			t.out.WriteString(`\b`)
			return i + len(word), nil
		}
	}
	t.out.WriteByte('[')
	i++
	if i < len(p) && p[i] == '^' {
		t.out.WriteByte('^')
		if t.flags.dotLine {
			t.out.WriteString(`\n`)
		}
		i++
	}
	for first := true; ; first = false {
		if i >= len(p) {
			return 0, errRegex("brackets [] not balanced")
		}
		switch c := p[i]; {
		case c == ']' && !first:
			t.out.WriteByte(']')
			return i + 1, nil
		case c == '[' && i+1 < len(p) && p[i+1] == ':':
			end := strings.Index(p[i:], ":]")
			if end < 0 {
				return 0, errRegex("brackets [] not balanced")
			}
			class := p[i+2 : i+end]
			if !posixClasses[class] {
				return 0, errRegex("invalid character class")
			}
			fmt.Fprintf(&t.out, "[:%s:]", class)
			i += end + 2
		case c == '[' && i+1 < len(p) && (p[i+1] == '.' || p[i+1] == '='):
			end := strings.Index(p[i+2:], string(p[i+1])+"]")
			if end <= 0 || utf8.RuneCountInString(p[i+2:i+2+end]) != 1 {
				return 0, errRegex("invalid collating element")
			}
			t.out.WriteString(quoteInBracket(p[i+2 : i+2+end]))
			i += end + 4
		case c == '\\' && i+1 < len(p):
			if strings.IndexByte("dswDSW", p[i+1]) >= 0 {
				t.out.WriteString(p[i : i+2])
				i += 2
				continue
			}
			r, n, err := escapedChar(p[i:])
			if err != nil {
				return 0, err
			}
			t.out.WriteString(quoteInBracket(string(r)))
			i += n
		default:
			_, n := utf8.DecodeRuneInString(p[i:])
			if c == '-' {
				t.out.WriteByte('-')
			} else {
				t.out.WriteString(quoteInBracket(p[i : i+n]))
			}
			i += n
		}
	}
}

var posixClasses = map[string]bool{
	"alnum": true, "alpha": true, "ascii": true, "blank": true, "cntrl": true, "digit": true, "graph": true,
	"lower": true, "print": true, "punct": true, "space": true, "upper": true, "word": true, "xdigit": true,
}

func quoteInBracket(s string) string {
	switch s {
	case `\`, "]", "[", "^", "-":
		return `\` + s
	}
	return s
}

// regexOp is the body of ~ and its kin.
func regexOp(not, fold bool) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		re, err := compileRegex(args[1].Str(), regexFlags{fold: fold})
		if err != nil {
			return types.Null, err
		}
		return types.Bool(re.MatchString(args[0].Str()) != not), nil
	}
}
