package funcs

import (
	"strings"
	"unicode/utf8"

	"raisind/pgerr"
	"raisind/sql/types"
)

// numberReader reads a number by a template (the input side of NUM_processor).
type numberReader struct {
	*numberFormat
	s        string
	sign     byte // ' ' until one was read
	digits   strings.Builder
	pre      int
	post     int
	inDec    bool
	inNumber bool
}

func (r *numberReader) run() {
	for i := range r.nodes {
		if r.s == "" {
			return
		}
		n := &r.nodes[i]
		if n.key == nil {
			_, size := utf8.DecodeRuneInString(r.s)
			r.s = r.s[size:]
			continue
		}
		r.pattern(n.key)
	}
}

func (r *numberReader) eat(n int) {
	if n <= len(r.s) {
		r.s = r.s[n:]
	} else {
		r.s = ""
	}
}

// eatOther skips up to n characters that are no part of a number.
func (r *numberReader) eatOther(n int) {
	for ; n > 0 && r.s != "" && strings.IndexByte("0123456789.,+-", r.s[0]) < 0; n-- {
		_, size := utf8.DecodeRuneInString(r.s)
		r.s = r.s[size:]
	}
}

func (r *numberReader) pattern(k *keyDef) {
	signed := func(chars string) {
		if strings.IndexByte(chars, r.s[0]) >= 0 {
			r.sign = r.s[0]
			r.eat(1)
		} else {
			r.eatOther(1)
		}
	}
	switch k.field {
	case "9", "0", ".", "D":
		r.number(k.field)
		r.eat(1)
	case ",", "G":
		if (r.inNumber || !r.fill) && r.s[0] == ',' {
			r.eat(1)
		}
	case "L":
		r.eatOther(1)
	case "TH":
		r.eatOther(2)
	case "MI":
		signed("-")
	case "PL":
		signed("+")
	case "SG":
		signed("+-")
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// number reads what a 9, 0, . or D stands for; the caller then moves one character on.
func (r *numberReader) number(field string) {
	if r.s[0] == ' ' {
		if r.eat(1); r.s == "" {
			return
		}
	}
	none := r.pre+r.post == 0
	if r.sign == ' ' && (field == "9" || field == "0") && none {
		switch c := r.s[0]; {
		case r.numberFormat.sign == signBefore:
			if c == '-' || c == '+' {
				r.sign = c
				r.eat(1)
			}
		case c == '-' || r.bracket && c == '<':
			r.sign = '-'
			r.eat(1)
		case c == '+':
			r.sign = '+'
			r.eat(1)
		}
	}
	if r.s == "" {
		return
	}
	read := false
	switch c := r.s[0]; {
	case isDigit(c):
		if r.inDec && r.post == r.numberFormat.post {
			return
		}
		r.digits.WriteByte(c)
		if r.inDec {
			r.post++
		} else {
			r.pre++
		}
		read = true
	case r.decimal && !r.inDec && c == '.':
		r.digits.WriteByte('.')
		r.inDec, read = true, true
	}
	if r.sign != ' ' || r.pre+r.post == 0 {
		return
	}
	switch {
	case r.numberFormat.sign != signNone && read && len(r.s) > 1 && !isDigit(r.s[1]):
		if r.s[1] == '-' || r.s[1] == '+' {
			r.sign = r.s[1]
			r.eat(1) // the caller takes the other one
		}
	case !read && r.numberFormat.sign == signNone && (r.plus || r.minus) && (r.s[0] == '-' || r.s[0] == '+'):
		r.sign = r.s[0]
	}
}

func toNumber(fc *Ctx, args []types.Datum) (types.Datum, error) {
	text, template := args[0].Str(), args[1].Str()
	if template == "" {
		return types.Null, nil
	}
	f, err := parseNumberFormat(template)
	switch {
	case err != nil:
		return types.Null, err
	case f.scientific:
		return types.Null, pgerr.New(pgerr.FeatureNotSupported, `"EEEE" not supported for input`)
	case f.roman:
		return types.Null, pgerr.New(pgerr.FeatureNotSupported, `"RN" not supported for input`)
	}
	r := numberReader{numberFormat: f, s: text, sign: ' '}
	r.run()
	digits := string(r.sign) + strings.TrimSuffix(r.digits.String(), ".")
	precision, scale := f.pre+f.multi+r.post, r.post
	if precision < 1 {
		precision, scale = 1, 0
	}
	const typmodHeader = 4
	d, err := types.TNumeric.ParseText(digits, int32(precision<<16|scale)+typmodHeader, fc.Env)
	if err != nil || !f.shift {
		return d, err
	}
	q, err := numberOf(d).quo(number{coef: pow10(f.multi)})
	if err != nil {
		return types.Null, err
	}
	return q.datum()
}

func formattingFuncs() []Func {
	fn := func(name, doc string, example Example, overloads ...Overload) Func {
		return Func{
			Name: name, Group: groupFormatting, Volatility: Stable, Doc: doc,
			Overloads: overloads, Examples: []Example{example},
		}
	}
	return []Func{
		fn("to_char", "A date, a time, an interval or a number as text, by a template.",
			Example{`SELECT to_char('2026-04-20 17:31:12'::timestamp, 'HH12:MI:SS DD Mon YYYY')`, "05:31:12 20 Apr 2026"},
			of("timestamp,text", "text", timestampToChar), of("timestamptz,text", "text", timestamptzToChar), of("interval,text", "text", intervalToChar),
			of("int4,text", "text", intToChar), of("int8,text", "text", intToChar), of("numeric,text", "text", numericToChar),
			of("float8,text", "text", floatToChar(15)), of("float4,text", "text", floatToChar(6))),
		fn("to_number", "A number read by a template.", Example{`SELECT to_number('12,454.8-', '99G999D9S')`, "-12454.8"}, of("text,text", "numeric", toNumber)),
		fn("to_date", "A date read by a template.", Example{`SELECT to_date('05 Dec 2026', 'DD Mon YYYY')`, "2026-12-05"}, of("text,text", "date", toDate)),
		fn("to_timestamp", "A timestamp read by a template, in the session's time zone.",
			Example{`SELECT to_timestamp('05 Dec 2026', 'DD Mon YYYY') = '2026-12-05'::timestamptz`, "t"}, of("text,text", "timestamptz", toTimestampText)),
	}
}
