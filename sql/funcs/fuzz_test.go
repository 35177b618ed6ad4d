package funcs

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"raisind/sql/types"
)

// FuzzLike compares the matcher with a regular expression of the same meaning.
func FuzzLike(f *testing.F) {
	for _, s := range [][2]string{{"abc", "a%"}, {"äbc", "_bc"}, {"a%c", `a\%c`}, {"mississippi", "m%iss%ip%i"}, {"", "%%"}, {`a\b`, `a\\b`}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, s, pattern string) {
		if !utf8.ValidString(s) || !utf8.ValidString(pattern) || len(s) > 200 || len(pattern) > 50 {
			return
		}
		got, err := likeMatch(s, pattern, false)
		if err != nil {
			if !strings.HasSuffix(pattern, `\`) {
				t.Fatalf("%q LIKE %q: %v", s, pattern, err)
			}
			return
		}
		var b strings.Builder
		b.WriteString(`(?s)\A`)
		for rest := pattern; rest != ""; {
			r, n := utf8.DecodeRuneInString(rest)
			rest = rest[n:]
			switch r {
			case '%':
				b.WriteString(".*")
			case '_':
				b.WriteString(".")
			case '\\':
				if rest == "" {
					return // decided by whether the text gets that far
				}
				r, n = utf8.DecodeRuneInString(rest)
				rest = rest[n:]
				fallthrough
			default:
				b.WriteString(regexp.QuoteMeta(string(r)))
			}
		}
		b.WriteString(`\z`)
		if want := regexp.MustCompile(b.String()).MatchString(s); got != want {
			t.Fatalf("%q LIKE %q: got %v, want %v", s, pattern, got, want)
		}
	})
}

// FuzzRegex: what is accepted can be matched, replaced and split; all else is an error
// with a code.
func FuzzRegex(f *testing.F) {
	for _, p := range []string{"a+", "[[:alpha:]]", `\mfoo\M`, "(?i)x", "a{1,2}?", `[\]]`, "***=a", "(a|b)*", "["} {
		f.Add(p, "abc foo", `[\1]`, "g")
	}
	f.Fuzz(func(t *testing.T, pattern, s, repl, flags string) {
		args := []types.Datum{types.Str(s), types.Str(pattern), types.Str(repl), types.Str(flags)}
		d, err := regexpReplace(callCtx(), args)
		if err == nil && d.IsNull() {
			t.Fatal("no text")
		}
		parts, err := splitByRegex("split", args[:2])
		if err == nil && len(parts) == 0 {
			t.Fatal("no part")
		}
	})
}

// FuzzTemplates: no template or text makes the formatting functions fail otherwise than
// by an error.
func FuzzTemplates(f *testing.F) {
	for _, p := range []string{"YYYY-MM-DD HH24:MI:SS.US", "9,999.99PR", "FM0000", "RN", "9.99EEEE", "Y,YYY", `"a"DDth`, "TZH:TZM", "IYYY-IW-ID", "99V9"} {
		f.Add(p, "2026-04-05 10:11:12.5", int64(1234567), 3.25)
	}
	f.Fuzz(func(t *testing.T, template, text string, i int64, v float64) {
		if len(template) > 200 {
			return
		}
		fc, tpl := callCtx(), types.Str(template)
		_, _ = timestampToChar(fc, []types.Datum{types.Int(i), tpl})
		_, _ = intervalToChar(fc, []types.Datum{types.Ref(&types.Interval{Months: int32(i), Days: int32(i >> 8), Micros: i}), tpl})
		_, _ = intToChar(fc, []types.Datum{types.Int(i), tpl})
		_, _ = floatToChar(15)(fc, []types.Datum{types.Float(v), tpl})
		_, _ = toNumber(fc, []types.Datum{types.Str(text), tpl})
		_, _ = toDate(fc, []types.Datum{types.Str(text), tpl})
		_, _ = toTimestampText(fc, []types.Datum{types.Str(text), tpl})
	})
}

// FuzzFormat: format() ends with a text or an error.
func FuzzFormat(f *testing.F) {
	for _, s := range []string{"%s", "%1$s %I", "%-10L|", "%*s", "%%", "%"} {
		f.Add(s, "x")
	}
	body := format([]*types.Type{types.TText, types.TText, types.TInt4})
	f.Fuzz(func(t *testing.T, s, arg string) {
		if strings.ContainsAny(s, "0123456789*") && len(s) > 6 {
			return // widths may ask for a gigabyte
		}
		_, _ = body(callCtx(), []types.Datum{types.Str(s), types.Str(arg), types.Int(3)})
	})
}
