package funcs

import (
	"strings"

	"raisind/pgerr"
)

// This file is to_char and to_number for numbers, after NUM_processor of formatting.c.

// numberFormat is what a template says about a number (NUMDesc).
type numberFormat struct {
	nodes               []node
	pre, post           int // digits before and after the point
	zeroStart, zeroEnd  int // places of the 0 patterns, from 1
	multi               int // digits after V
	signAt              int // digits before an S in front
	zero, decimal, fill bool
	sign                signPlace // of S
	bracket, plus       bool
	minus, roman        bool
	shift, scientific   bool
	blank               bool
}

// signPlace is where an S puts the sign.
type signPlace uint8

const (
	signNone signPlace = iota
	signBefore
	signAfter
)

func errTemplate(format string, args ...any) error {
	return pgerr.New(pgerr.SyntaxError, format, args...)
}

func parseNumberFormat(template string) (*numberFormat, error) {
	f := &numberFormat{nodes: numberTemplate(template)}
	for i := range f.nodes {
		if f.nodes[i].key == nil {
			continue
		}
		if err := f.take(f.nodes[i].key.field); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// take notes one pattern.
func (f *numberFormat) take(field string) error {
	if f.scientific && field != "EEEE" {
		return errTemplate(`"EEEE" must be the last pattern used`)
	}
	switch field {
	case "9", "0":
		if f.bracket {
			return errTemplate(`"%s" must be ahead of "PR"`, field)
		}
		switch {
		case field == "9" && f.shift:
			f.multi++
			return nil
		case field == "0" && !f.zero && !f.decimal:
			f.zero, f.zeroStart = true, f.pre+1
		}
		if f.decimal {
			f.post++
		} else {
			f.pre++
		}
		if field == "0" {
			f.zeroEnd = f.pre + f.post
		}
	case "B":
		f.blank = f.pre == 0 && f.post == 0 && !f.zero
	case "D", ".":
		if f.decimal {
			return errTemplate("multiple decimal points")
		}
		if f.shift {
			return errTemplate(`cannot use "V" and decimal point together`)
		}
		f.decimal = true
	case "FM":
		f.fill = true
	case "S":
		if f.sign != signNone {
			return errTemplate(`cannot use "S" twice`)
		}
		if f.plus || f.minus || f.bracket {
			return errTemplate(`cannot use "S" and "PL"/"MI"/"SG"/"PR" together`)
		}
		f.sign = signAfter
		if !f.decimal {
			f.sign, f.signAt = signBefore, f.pre
		}
	case "MI", "PL", "SG":
		if f.sign != signNone {
			return errTemplate(`cannot use "S" and "%s" together`, field)
		}
		f.minus = f.minus || field != "PL"
		f.plus = f.plus || field != "MI"
	case "PR":
		if f.sign != signNone || f.plus || f.minus {
			return errTemplate(`cannot use "PR" and "S"/"PL"/"MI"/"SG" together`)
		}
		f.bracket = true
	case "RN":
		f.roman = true
	case "V":
		if f.decimal {
			return errTemplate(`cannot use "V" and decimal point together`)
		}
		f.shift = true
	case "EEEE":
		if f.scientific {
			return errTemplate(`cannot use "EEEE" twice`)
		}
		if f.blank || f.fill || f.sign != signNone || f.bracket || f.minus || f.plus || f.roman || f.shift {
			return pgerr.New(pgerr.SyntaxError, `"EEEE" is incompatible with other formats`).
				WithDetail(`"EEEE" may only be used together with digit and decimal point patterns.`)
		}
		f.scientific = true
	}
	return nil
}

// numberWriter writes a number by its format.
type numberWriter struct {
	*numberFormat
	number    string // digits without a sign, or # for too many
	at        int    // next character of number
	blanks    int    // places in front of the first digit
	sign      byte
	signDone  bool
	lastDigit int // index of the last digit that FM keeps, the point where it keeps none; -1: all
	count     int // places
	place     int // of the pattern
	inNumber  bool
	out       strings.Builder
}

func (f numberFormat) write(number string, sign byte, blanks int) string {
	if f.zeroStart > 0 {
		f.zeroStart--
	}
	if f.roman { // sign, digits and blanks mean nothing to it
		f = numberFormat{nodes: f.nodes, roman: true, fill: f.fill}
		sign, blanks = 0, 0
	}
	w := &numberWriter{numberFormat: &f, number: number, sign: sign, blanks: blanks, lastDigit: -1}
	switch {
	case f.plus || f.minus:
		w.signDone = !f.plus || f.minus
	default:
		if sign != '-' && f.bracket && f.fill {
			f.bracket = false
		}
		w.signDone = sign == '+' && f.fill && f.sign == signNone
		if f.sign == signBefore && f.pre == f.signAt {
			f.sign = signAfter
		}
	}
	w.count = f.post + f.pre - 1
	if f.fill && f.decimal {
		w.lastDigit = lastRelevant(number)
		if w.lastDigit >= 0 && f.zeroEnd > blanks {
			w.lastDigit = max(w.lastDigit, min(len(number)-1, f.zeroEnd-blanks))
		}
	}
	if !w.signDone && blanks == 0 {
		w.count++
	}
	for i := range f.nodes {
		n := &f.nodes[i]
		if n.key == nil {
			w.out.WriteString(n.char)
			continue
		}
		w.pattern(n.key)
	}
	return w.out.String()
}

// lastRelevant is the last digit behind the point that is not 0, or the point; -1
// without one.
func lastRelevant(number string) int {
	p := strings.IndexByte(number, '.')
	if p < 0 {
		return -1
	}
	last := p
	for i := p + 1; i < len(number); i++ {
		if number[i] != '0' {
			last = i
		}
	}
	return last
}

func (w *numberWriter) pattern(k *keyDef) {
	optional := func(c byte) {
		if c != ' ' || !w.fill {
			w.out.WriteByte(c)
		}
	}
	switch k.field {
	case "9", "0", ".", "D":
		w.digit(k.field)
	case ",", "G":
		if w.inNumber {
			w.out.WriteByte(',')
		} else {
			optional(' ')
		}
	case "L", "C":
		if k.field == "L" {
			w.out.WriteByte(' ') // the currency sign of locale C
		}
	case "RN":
		s := w.number
		if k.name == "rn" {
			s = strings.ToLower(s)
		}
		if !w.fill {
			s = strings.Repeat(" ", max(15-len(s), 0)) + s
		}
		w.out.WriteString(s)
	case "TH":
		if !w.roman && !strings.HasPrefix(w.number, "#") && w.sign != '-' && !w.decimal {
			w.out.WriteString(ordinalOf(w.number, k.name == "TH"))
		}
	case "MI":
		optional(map[bool]byte{true: '-', false: ' '}[w.sign == '-'])
	case "PL":
		optional(map[bool]byte{true: '+', false: ' '}[w.sign == '+'])
	case "SG":
		w.out.WriteByte(w.sign)
	}
}

func (w *numberWriter) char() byte {
	if w.at < len(w.number) {
		return w.number[w.at]
	}
	return 0
}

// leadingZero: a 0 in front of the point that no pattern asks for is not written.
func (w *numberWriter) leadingZero() bool {
	return !w.zero && w.at == 0 && w.char() == '0' && w.post != 0
}

// pointOnly: FM keeps nothing behind the point.
func (w *numberWriter) pointOnly() bool {
	return w.lastDigit >= 0 && w.number[w.lastDigit] == '.'
}

// digit carries out 9, 0, . and D (NUM_numpart_to_char).
func (w *numberWriter) digit(field string) {
	if w.roman {
		return
	}
	w.inNumber = false
	if !w.signDone && (w.place >= w.blanks || w.zero && w.zeroStart == w.place) && (!w.leadingZero() || w.pointOnly()) {
		w.writeSign()
	}
	switch {
	case w.place < w.blanks && (!w.zero || w.zeroStart > w.place):
		if !w.fill {
			w.out.WriteByte(' ')
		}
	case w.zero && w.place < w.blanks:
		w.out.WriteByte('0')
		w.inNumber = true
	default:
		switch c := w.char(); {
		case c == '.':
			if !w.pointOnly() || w.fill {
				w.out.WriteByte('.')
			}
		case w.lastDigit >= 0 && w.at > w.lastDigit && field != "0":
		case w.leadingZero():
			if !w.fill {
				w.out.WriteByte(' ')
			} else if w.pointOnly() {
				w.out.WriteByte('0')
			}
		case c != 0:
			w.out.WriteByte(c)
			w.inNumber = true
		}
		if w.at < len(w.number) {
			w.at++
		}
	}
	end := w.count + b2i(w.blanks > 0) + b2i(w.decimal)
	if w.lastDigit >= 0 && w.lastDigit == w.at {
		end = w.place
	}
	if w.place+1 == end {
		switch {
		case w.signDone && w.bracket:
			w.out.WriteByte(map[bool]byte{true: ' ', false: '>'}[w.sign == '+'])
		case w.numberFormat.sign == signAfter:
			w.out.WriteByte(w.sign)
		}
	}
	w.place++
}

func (w *numberWriter) writeSign() {
	switch {
	case w.numberFormat.sign == signBefore:
		w.out.WriteByte(w.sign)
	case w.numberFormat.sign == signAfter:
		return
	case w.bracket:
		w.out.WriteByte(map[bool]byte{true: ' ', false: '<'}[w.sign == '+'])
	case w.sign == '+':
		if !w.fill {
			w.out.WriteByte(' ')
		}
	case w.sign == '-':
		w.out.WriteByte('-')
	}
	w.signDone = true
}

// fit fills digits to the format's width, or with # when there are too many.
func (f *numberFormat) fit(number string, negative bool) string {
	sign := byte('+')
	if negative {
		sign = '-'
	}
	whole := len(number)
	if p := strings.IndexByte(number, '.'); p >= 0 {
		whole = p
	}
	blanks := 0
	if whole < f.pre {
		blanks = f.pre - whole
	} else if whole > f.pre {
		number = strings.Repeat("#", f.pre) + "." + strings.Repeat("#", f.post)
	}
	return f.write(number, sign, blanks)
}
