package funcs

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"raisind/pgerr"
	"raisind/sql/types"
)

// textFunc is a body for a function of one text.
func textFunc(f func(s string) string) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) { return types.Str(f(args[0].Str())), nil }
}

// textInt is a body for a number about one text.
func textInt(f func(s string) int) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) { return types.Int(int64(f(args[0].Str()))), nil }
}

func errRequestedLength() error {
	return pgerr.New(pgerr.ProgramLimitExceeded, "requested length too large")
}

func bpcharLen(s string) int { return utf8.RuneCountInString(trimBlanks(s)) }

// initcap makes the first letter of each word upper case, the others lower case.
func initcap(s string) string {
	word := false
	return strings.Map(func(r rune) rune {
		first := !word
		word = unicode.IsLetter(r) || unicode.IsDigit(r)
		if first {
			return unicode.ToUpper(r)
		}
		return unicode.ToLower(r)
	}, s)
}

// trim is the body of btrim, ltrim and rtrim: blanks, or the characters of args[1].
func trim(left, right bool) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		s, set := args[0].Str(), " "
		if len(args) > 1 {
			set = args[1].Str()
		}
		if left {
			s = strings.TrimLeft(s, set)
		}
		if right {
			s = strings.TrimRight(s, set)
		}
		return types.Str(s), nil
	}
}

// trimBytes is trim on bytes.
func trimBytes(left, right bool) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		s, set := args[0].Str(), args[1].Str()
		for left && s != "" && strings.IndexByte(set, s[0]) >= 0 {
			s = s[1:]
		}
		for right && s != "" && strings.IndexByte(set, s[len(s)-1]) >= 0 {
			s = s[:len(s)-1]
		}
		return types.Str(s), nil
	}
}

// span turns a start (from 1) and an optional length into offsets from 0. end is -1
// for the rest.
func span(args []types.Datum) (start, end int64, err error) {
	start, end = args[1].Int()-1, -1
	if len(args) > 2 {
		n := args[2].Int()
		if n < 0 {
			return 0, 0, pgerr.New(pgerr.SubstringError, "negative substring length not allowed")
		}
		end = max(start+n, 0)
	}
	return max(start, 0), end, nil
}

func substring(_ *Ctx, args []types.Datum) (types.Datum, error) {
	start, end, err := span(args)
	if err != nil {
		return types.Null, err
	}
	s := args[0].Str()
	from := byteOffset(s, int(min(start, int64(len(s)))))
	if end < 0 {
		return types.Str(s[from:]), nil
	}
	n := max(end-start, 0)
	return types.Str(s[from : from+byteOffset(s[from:], int(min(n, int64(len(s)))))]), nil
}

func substringBytes(_ *Ctx, args []types.Datum) (types.Datum, error) {
	start, end, err := span(args)
	if err != nil {
		return types.Null, err
	}
	s := args[0].Str()
	start = min(start, int64(len(s)))
	if end < 0 {
		end = int64(len(s))
	}
	return types.Str(s[start:max(min(end, int64(len(s))), start)]), nil
}

// left and right take n characters, or all but n when n is negative.
func left(_ *Ctx, args []types.Datum) (types.Datum, error) {
	s, n := args[0].Str(), args[1].Int()
	if n < 0 {
		n += int64(utf8.RuneCountInString(s))
	}
	return types.Str(s[:byteOffset(s, int(min(max(n, 0), int64(len(s)))))]), nil
}

func right(_ *Ctx, args []types.Datum) (types.Datum, error) {
	s, n := args[0].Str(), args[1].Int()
	if n < 0 {
		n = -n
	} else {
		n = int64(utf8.RuneCountInString(s)) - n
	}
	return types.Str(s[byteOffset(s, int(min(max(n, 0), int64(len(s))))):]), nil
}

// pad is the body of lpad and rpad: to a length in characters, cutting what is longer.
func pad(onLeft bool) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		s, n, fill := args[0].Str(), args[1].Int(), " "
		if len(args) > 2 {
			fill = args[2].Str()
		}
		n = max(n, 0)
		if n > maxResultBytes/utf8.UTFMax {
			return types.Null, errRequestedLength()
		}
		have := int64(utf8.RuneCountInString(s))
		if have >= n || fill == "" {
			return types.Str(s[:byteOffset(s, int(min(n, have)))]), nil
		}
		var b strings.Builder
		for missing := n - have; missing > 0; {
			k := int64(utf8.RuneCountInString(fill))
			if k > missing {
				b.WriteString(fill[:byteOffset(fill, int(missing))])
				break
			}
			b.WriteString(fill)
			missing -= k
		}
		if onLeft {
			return types.Str(b.String() + s), nil
		}
		return types.Str(s + b.String()), nil
	}
}

func replaceText(_ *Ctx, args []types.Datum) (types.Datum, error) {
	s, from, to := args[0].Str(), args[1].Str(), args[2].Str()
	if from == "" || s == "" {
		return args[0], nil
	}
	if n := strings.Count(s, from); int64(len(s))+int64(n)*int64(len(to)-len(from)) > maxResultBytes {
		return types.Null, errRequestedLength()
	}
	return types.Str(strings.ReplaceAll(s, from, to)), nil
}

// translateText exchanges characters one by one; those without a counterpart vanish.
func translateText(_ *Ctx, args []types.Datum) (types.Datum, error) {
	from, to := []rune(args[1].Str()), []rune(args[2].Str())
	m := make(map[rune]rune, len(from))
	for i, r := range from {
		if _, seen := m[r]; seen {
			continue
		}
		m[r] = -1
		if i < len(to) {
			m[r] = to[i]
		}
	}
	return types.Str(strings.Map(func(r rune) rune {
		if t, ok := m[r]; ok {
			return t
		}
		return r
	}, args[0].Str())), nil
}

// position counts characters from 1; 0 when the text is not there.
func positionText(_ *Ctx, args []types.Datum) (types.Datum, error) {
	i := strings.Index(args[0].Str(), args[1].Str())
	if i < 0 {
		return types.Int(0), nil
	}
	return types.Int(int64(utf8.RuneCountInString(args[0].Str()[:i])) + 1), nil
}

func positionBytes(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Int(int64(strings.Index(args[0].Str(), args[1].Str())) + 1), nil
}

// splitPart counts fields from 1, from the end when negative.
func splitPart(_ *Ctx, args []types.Datum) (types.Datum, error) {
	s, sep, n := args[0].Str(), args[1].Str(), args[2].Int()
	if n == 0 {
		return types.Null, pgerr.New(pgerr.InvalidParameterValue, "field position must not be zero")
	}
	parts := []string{s}
	if sep != "" {
		parts = strings.Split(s, sep)
	}
	if s == "" {
		return types.Str(""), nil
	}
	if n < 0 {
		n += int64(len(parts)) + 1
	}
	if n < 1 || n > int64(len(parts)) {
		return types.Str(""), nil
	}
	return types.Str(parts[n-1]), nil
}

func reverseText(s string) string {
	b := make([]byte, 0, len(s))
	for len(s) > 0 {
		_, n := utf8.DecodeLastRuneInString(s)
		b = append(b, s[len(s)-n:]...)
		s = s[:len(s)-n]
	}
	return string(b)
}

func repeatText(_ *Ctx, args []types.Datum) (types.Datum, error) {
	s, n := args[0].Str(), max(args[1].Int(), 0)
	if s != "" && n > maxResultBytes/int64(len(s)) {
		return types.Null, errRequestedLength()
	}
	return types.Str(strings.Repeat(s, int(n))), nil
}

func chr(_ *Ctx, args []types.Datum) (types.Datum, error) {
	v := args[0].Int()
	switch {
	case v == 0:
		return types.Null, pgerr.New(pgerr.ProgramLimitExceeded, "null character not permitted")
	case v < 0:
		return types.Null, pgerr.New(pgerr.InvalidParameterValue, "character number must be positive")
	case v > unicode.MaxRune:
		return types.Null, pgerr.New(pgerr.ProgramLimitExceeded, "requested character too large for encoding: %d", v)
	case !utf8.ValidRune(rune(v)):
		return types.Null, pgerr.New(pgerr.ProgramLimitExceeded, "requested character not valid for encoding: %d", v)
	}
	return types.Str(string(rune(v))), nil
}

func ascii(s string) int {
	if s == "" {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(s)
	return int(r)
}

// overlay puts a text in place of as many characters, or of so many, from a start on.
func overlay(length func(s string) int64, cut func(s string, from, to int64) string) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		s, with, start := args[0].Str(), args[1].Str(), args[2].Int()
		n := length(with)
		if len(args) > 3 {
			n = args[3].Int()
		}
		if start <= 0 {
			return types.Null, pgerr.New(pgerr.SubstringError, "negative substring length not allowed")
		}
		total := length(s)
		return types.Str(cut(s, 0, min(start-1, total)) + with + cut(s, min(max(start-1+n, 0), total), total)), nil
	}
}

func runes(s string) int64 { return int64(utf8.RuneCountInString(s)) }

func cutRunes(s string, from, to int64) string {
	i := byteOffset(s, int(from))
	return s[i : i+byteOffset(s[i:], int(max(to-from, 0)))]
}

func octets(s string) int64 { return int64(len(s)) }

func cutBytes(s string, from, to int64) string { return s[from:max(to, from)] }
