package funcs

import (
	"strings"

	"raisind/pgerr"
	"raisind/sql/types"
)

// bitStrings combines two bit strings of one length.
func bitStrings(name string, combine func(a, b byte) byte) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		a, b := args[0].Str(), args[1].Str()
		if len(a) != len(b) {
			return types.Null, pgerr.New(pgerr.StringDataLengthMismatch, "cannot %s bit strings of different sizes", name)
		}
		out := make([]byte, len(a))
		for i := range out {
			out[i] = '0' + combine(a[i]-'0', b[i]-'0')
		}
		return types.Str(string(out)), nil
	}
}

// shiftBits moves a bit string to the left, by a negative number to the right.
func shiftBits(s string, by int64) string {
	n := int64(len(s))
	switch {
	case by >= n || by <= -n:
		return strings.Repeat("0", len(s))
	case by >= 0:
		return s[by:] + strings.Repeat("0", int(by))
	}
	return strings.Repeat("0", int(-by)) + s[:n+by]
}

func bitSubstring(s string, from int64, count int64, hasCount bool) (types.Datum, error) {
	end := int64(len(s)) + 1
	if hasCount {
		if count < 0 {
			return types.Null, pgerr.New(pgerr.SubstringError, "negative substring length not allowed")
		}
		end = min(end, from+count)
	}
	from = max(from, 1)
	if from >= end {
		return types.Str(""), nil
	}
	return types.Str(s[from-1 : end-1]), nil
}

func errBitIndex(i int64, n int) error {
	return pgerr.New(pgerr.ArraySubscriptError, "bit index %d out of valid range (0..%d)", i, n-1)
}

func bitFuncs() []Func {
	op := func(symbol, name, doc string, overloads ...Overload) Func {
		return Func{Name: name, Operator: symbol, Group: groupBits, Volatility: Immutable, Doc: doc, Overloads: overloads}
	}
	both := func(symbol, name, doc string, o Overload) Func {
		f := op(symbol, name, doc, o)
		f.Commutator = symbol
		return f
	}
	fn := func(name, doc, args, want string, overloads ...Overload) Func {
		return Func{Name: name, Group: groupBits, Volatility: Immutable, Doc: doc, Overloads: overloads, Examples: []Example{{`SELECT ` + name + `(` + args + `)`, want}}}
	}
	length := func(unit int) EvalFunc {
		return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			return types.Int(int64((len(args[0].Str()) + unit - 1) / unit)), nil
		}
	}
	shift := func(sign int64) EvalFunc {
		return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			return types.Str(shiftBits(args[0].Str(), sign*args[1].Int())), nil
		}
	}
	getBit := func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		s, i := args[0].Str(), args[1].Int()
		if i < 0 || i >= int64(len(s)) {
			return types.Null, errBitIndex(i, len(s))
		}
		return types.Int(int64(s[i] - '0')), nil
	}
	checkNew := func(v int64) error {
		if v != 0 && v != 1 {
			return pgerr.New(pgerr.InvalidParameterValue, "new bit must be 0 or 1")
		}
		return nil
	}
	setBit := func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		b, i := []byte(args[0].Str()), args[1].Int()
		if i < 0 || i >= int64(len(b)) {
			return types.Null, errBitIndex(i, len(b))
		}
		if err := checkNew(args[2].Int()); err != nil {
			return types.Null, err
		}
		b[i] = byte('0' + args[2].Int())
		return types.Str(string(b)), nil
	}
	getByteBit := func(_ *Ctx, args []types.Datum) (types.Datum, error) { // bits of a byte count from its lowest
		s, i := args[0].Str(), args[1].Int()
		if i < 0 || i >= int64(len(s))*8 {
			return types.Null, errIndex(i, len(s)*8)
		}
		return types.Int(int64(s[i/8] >> (i % 8) & 1)), nil
	}
	setByteBit := func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		b, i := []byte(args[0].Str()), args[1].Int()
		if i < 0 || i >= int64(len(b))*8 {
			return types.Null, errIndex(i, len(b)*8)
		}
		if err := checkNew(args[2].Int()); err != nil {
			return types.Null, err
		}
		b[i/8] = b[i/8]&^(1<<(i%8)) | byte(args[2].Int())<<(i%8)
		return types.Str(string(b)), nil
	}
	return []Func{
		op("||", "bitcat", "Puts two bit strings together.", of("varbit,varbit", "varbit", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			return types.Str(args[0].Str() + args[1].Str()), nil
		})),
		both("&", "bitand", "Bitwise AND of bit strings of one length.", of("bit,bit", "bit", bitStrings("AND", func(a, b byte) byte { return a & b }))),
		both("|", "bitor", "Bitwise OR of bit strings of one length.", of("bit,bit", "bit", bitStrings("OR", func(a, b byte) byte { return a | b }))),
		both("#", "bitxor", "Bitwise exclusive OR of bit strings of one length.", of("bit,bit", "bit", bitStrings("XOR", func(a, b byte) byte { return a ^ b }))),
		op("~", "bitnot", "Bitwise NOT.", of("bit", "bit", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			b := []byte(args[0].Str())
			for i := range b {
				b[i] ^= 1
			}
			return types.Str(string(b)), nil
		})),
		op("<<", "bitshiftleft", "Moves bits to the left; the length stays.", of("bit,int4", "bit", shift(1))),
		op(">>", "bitshiftright", "Moves bits to the right; the length stays.", of("bit,int4", "bit", shift(-1))),
		fn("length", "How many bits.", `B'101'`, "3", of("bit", "int4", length(1))),
		fn("bit_length", "How many bits.", `B'101'`, "3", of("bit", "int4", length(1))),
		fn("octet_length", "How many bytes.", `B'101'`, "1", of("bit", "int4", length(8))),
		fn("bit_count", "How many bits are set.", `B'101'`, "2", of("bit", "int8", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			return types.Int(int64(strings.Count(args[0].Str(), "1"))), nil
		})),
		fn("get_bit", "Bit n, from 0.", `B'101', 1`, "0", of("bit,int4", "int4", getBit), of("bytea,int8", "int4", getByteBit)),
		fn("set_bit", "Sets bit n, from 0.", `B'101', 1, 1`, "111", of("bit,int4,int4", "bit", setBit), of("bytea,int8,int4", "bytea", setByteBit)),
		fn("substring", "A part of a bit string, from 1.", `B'10110', 2, 3`, "011",
			of("bit,int4", "bit", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
				return bitSubstring(args[0].Str(), args[1].Int(), 0, false)
			}),
			of("bit,int4,int4", "bit", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
				return bitSubstring(args[0].Str(), args[1].Int(), args[2].Int(), true)
			})),
		fn("position", "Where a bit string is found, from 1; 0 when it is not.", `B'11' IN B'011'`, "2", of("bit,bit", "int4", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			return types.Int(int64(strings.Index(args[0].Str(), args[1].Str()) + 1)), nil
		})),
		fn("overlay", "Replaces a part of a bit string, from a place and of a length.", `B'0000', B'11', 2`, "0110",
			of("bit,bit,int4", "bit", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
				return overlayBits(args, int64(len(args[1].Str())))
			}),
			of("bit,bit,int4,int4", "bit", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
				return overlayBits(args, args[3].Int())
			})),
	}
}

func overlayBits(args []types.Datum, count int64) (types.Datum, error) {
	s, from := args[0].Str(), args[2].Int()
	if from <= 0 || count < 0 {
		return types.Null, pgerr.New(pgerr.SubstringError, "negative substring length not allowed")
	}
	head := s[:min(from-1, int64(len(s)))]
	tail := s[min(from-1+count, int64(len(s))):]
	return types.Str(head + args[1].Str() + tail), nil
}
