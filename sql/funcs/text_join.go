package funcs

import (
	"strings"
	"unicode/utf8"

	"raisind/pgerr"
	"raisind/sql/types"
)

// outputsOf gives the text form of each argument.
func outputsOf(ts []*types.Type) []func(fc *Ctx, d types.Datum) string {
	out := make([]func(fc *Ctx, d types.Datum) string, len(ts))
	for i, t := range ts {
		out[i] = outputOf(t)
	}
	return out
}

// concat joins the texts of its arguments; NULLs are left out.
func concat(ts []*types.Type) EvalFunc {
	text := outputsOf(ts)
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		var b strings.Builder
		for i, a := range args {
			if !a.IsNull() {
				b.WriteString(text[i](fc, a))
			}
		}
		return types.Str(b.String()), nil
	}
}

func concatWS(ts []*types.Type) EvalFunc {
	text := outputsOf(ts)
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		if args[0].IsNull() {
			return types.Null, nil
		}
		var parts []string
		for i, a := range args[1:] {
			if !a.IsNull() {
				parts = append(parts, text[i+1](fc, a))
			}
		}
		return types.Str(strings.Join(parts, args[0].Str())), nil
	}
}

// formatter carries out format(): %s, %I and %L with positions and widths.
type formatter struct {
	fc    *Ctx
	args  []types.Datum // behind the format
	texts []func(fc *Ctx, d types.Datum) string
	next  int
	out   strings.Builder
}

func format(ts []*types.Type) EvalFunc {
	text := outputsOf(ts)
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		if args[0].IsNull() {
			return types.Null, nil
		}
		f := formatter{fc: fc, args: args[1:], texts: text[1:]}
		if err := f.run(args[0].Str()); err != nil {
			return types.Null, err
		}
		return types.Str(f.out.String()), nil
	}
}

func errFormat(format string, args ...any) *pgerr.Error {
	return pgerr.New(pgerr.InvalidParameterValue, format, args...)
}

func errFormatEnd() error {
	return errFormat("unterminated format() type specifier").WithHint(`For a single "%%" use "%%%%".`)
}

func (f *formatter) run(s string) error {
	for len(s) > 0 {
		i := strings.IndexByte(s, '%')
		if i < 0 {
			f.out.WriteString(s)
			return nil
		}
		f.out.WriteString(s[:i])
		s = s[i+1:]
		if s == "" {
			return errFormatEnd()
		}
		if s[0] == '%' {
			f.out.WriteByte('%')
			s = s[1:]
			continue
		}
		var err error
		if s, err = f.specifier(s); err != nil {
			return err
		}
	}
	return nil
}

// digits reads a number in front of s; ok is false when there is none.
func (f *formatter) digits(s string) (n int64, rest string, ok bool, err error) {
	for len(s) > 0 && s[0] >= '0' && s[0] <= '9' {
		n, ok = n*10+int64(s[0]-'0'), true
		if n > 1<<31-1 {
			return 0, s, false, pgerr.New(pgerr.NumericValueOutOfRange, "number is out of range")
		}
		s = s[1:]
	}
	return n, s, ok, nil
}

// specifier carries out one %…, whose % was read, and returns what follows it.
func (f *formatter) specifier(s string) (string, error) {
	position, width, alignLeft := int64(-1), int64(0), false
	n, rest, ok, err := f.digits(s)
	switch {
	case err != nil:
		return "", err
	case ok && strings.HasPrefix(rest, "$"):
		if position, s = n, rest[1:]; n == 0 {
			return "", errFormat("format specifies argument 0, but arguments are numbered from 1")
		}
	}
	for strings.HasPrefix(s, "-") {
		alignLeft, s = true, s[1:]
	}
	if strings.HasPrefix(s, "*") {
		at := int64(-1)
		n, rest, ok, err := f.digits(s[1:])
		switch {
		case err != nil:
			return "", err
		case ok && !strings.HasPrefix(rest, "$"):
			return "", errFormat(`width argument position must be ended by "$"`)
		case ok:
			if at, rest = n, rest[1:]; n == 0 {
				return "", errFormat("format specifies argument 0, but arguments are numbered from 1")
			}
		}
		s = rest
		d, _, err := f.arg(at)
		if err != nil {
			return "", err
		}
		width = d.Int()
	} else if width, s, _, err = f.digits(s); err != nil {
		return "", err
	}
	if width < 0 {
		alignLeft, width = true, -width
	}
	if s == "" {
		return "", errFormatEnd()
	}
	c, size := utf8.DecodeRuneInString(s)
	if c != 's' && c != 'I' && c != 'L' {
		return "", errFormat(`unrecognized format() type specifier "%c"`, c).WithHint(`For a single "%%" use "%%%%".`)
	}
	d, text, err := f.arg(position)
	if err != nil {
		return "", err
	}
	v := ""
	switch {
	case d.IsNull() && c == 'I':
		return "", pgerr.New(pgerr.NullValueNotAllowed, "null values cannot be formatted as an SQL identifier")
	case d.IsNull() && c == 'L':
		v = "NULL"
	case d.IsNull():
	case c == 'I':
		v = quoteIdent(text(f.fc, d))
	case c == 'L':
		v = quoteLiteral(text(f.fc, d))
	default:
		v = text(f.fc, d)
	}
	if width > maxResultBytes {
		return "", errRequestedLength()
	}
	blanks := strings.Repeat(" ", max(int(width)-utf8.RuneCountInString(v), 0))
	if alignLeft {
		f.out.WriteString(v + blanks)
	} else {
		f.out.WriteString(blanks + v)
	}
	return s[size:], nil
}

// arg is argument n from 1, or the next one; what follows an explicit one is next.
func (f *formatter) arg(n int64) (types.Datum, func(fc *Ctx, d types.Datum) string, error) {
	if n < 0 {
		n = int64(f.next) + 1
	}
	f.next = int(n)
	if n > int64(len(f.args)) {
		return types.Null, nil, errFormat("too few arguments for format()")
	}
	return f.args[n-1], f.texts[n-1], nil
}

// splitText is string_to_array: by a delimiter, into characters when it is NULL.
// Fields equal to args[2] become NULL.
func splitText(args []types.Datum) []types.Datum {
	s := args[0].Str()
	var parts []string
	switch {
	case s == "":
	case args[1].IsNull():
		parts = strings.Split(s, "")
	case args[1].Str() == "":
		parts = []string{s}
	default:
		parts = strings.Split(s, args[1].Str())
	}
	elems := make([]types.Datum, len(parts))
	for i, p := range parts {
		if len(args) > 2 && !args[2].IsNull() && p == args[2].Str() {
			continue
		}
		elems[i] = types.Str(p)
	}
	return elems
}

func stringToArray(_ *Ctx, args []types.Datum) (types.Datum, error) {
	if args[0].IsNull() {
		return types.Null, nil
	}
	return types.Ref(newArray(types.TText, splitText(args))), nil
}

func stringToTable(_ *Ctx, args []types.Datum) (RowSource, error) {
	if args[0].IsNull() {
		return noRows, nil
	}
	return valueRows(splitText(args)), nil
}

// arrayToString joins the elements of all dimensions; NULLs are left out, or written
// as args[2].
func arrayToString(ts []*types.Type) EvalFunc {
	text := outputOf(elemOf(ts[0]))
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		if args[0].IsNull() || args[1].IsNull() {
			return types.Null, nil
		}
		var b strings.Builder
		first := true
		for _, e := range arrayOf(args[0]).Elems {
			v := ""
			switch {
			case !e.IsNull():
				v = text(fc, e)
			case len(args) > 2 && !args[2].IsNull():
				v = args[2].Str()
			default:
				continue
			}
			if !first {
				b.WriteString(args[1].Str())
			}
			first = false
			b.WriteString(v)
		}
		return types.Str(b.String()), nil
	}
}

// parseIdent takes a dotted name apart; names without quotes become lower case.
func parseIdent(_ *Ctx, args []types.Datum) (types.Datum, error) {
	const blanks = " \t\n\r\f\v"
	input, s := args[0].Str(), args[0].Str()
	bad := func(detail string) (types.Datum, error) {
		e := pgerr.New(pgerr.InvalidParameterValue, "string is not a valid identifier: \"%s\"", input)
		if detail != "" {
			e.Detail = detail
		}
		return types.Null, e
	}
	var parts []string
	afterDot := false
	for s = strings.TrimLeft(s, blanks); ; {
		switch {
		case strings.HasPrefix(s, `"`):
			end := 1
			for {
				i := strings.IndexByte(s[end:], '"')
				if i < 0 {
					return bad("String has unclosed double quotes.")
				}
				if end += i + 1; end < len(s) && s[end] == '"' {
					end++
					continue
				}
				break
			}
			if end == 2 {
				return bad("Quoted identifier must not be empty.")
			}
			parts = append(parts, strings.ReplaceAll(s[1:end-1], `""`, `"`))
			s = s[end:]
		default:
			n := 0
			for n < len(s) && (isAlnum(s[n]) || s[n] == '_' || s[n] >= utf8.RuneSelf || n > 0 && s[n] == '$') {
				n++
			}
			if n == 0 || s[0] >= '0' && s[0] <= '9' {
				switch {
				case strings.HasPrefix(s, "."):
					return bad(`No valid identifier before ".".`)
				case afterDot:
					return bad(`No valid identifier after ".".`)
				}
				return bad("")
			}
			parts = append(parts, strings.ToLower(s[:n]))
			s = s[n:]
		}
		s = strings.TrimLeft(s, blanks)
		if rest, ok := strings.CutPrefix(s, "."); ok {
			s, afterDot = strings.TrimLeft(rest, blanks), true
			continue
		}
		if s != "" && args[1].Bool() {
			return bad("")
		}
		return textArray(parts), nil
	}
}
