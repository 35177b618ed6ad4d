package types

import (
	"bytes"
	"net/netip"
	"strconv"
	"strings"

	"raisind/pgerr"
)

// Network addresses.
var (
	TCIDR     = define(650, 651, "cidr", "cidr", -1, CategoryNetwork, ordinary)
	TMacaddr8 = define(774, 775, "macaddr8", "macaddr8", 8, CategoryUser, ordinary)
	TMacaddr  = define(829, 1040, "macaddr", "macaddr", 6, CategoryUser, ordinary)
	TInet     = define(869, 1041, "inet", "inet", -1, CategoryNetwork, preferred)
)

// The bytes of PostgreSQL's binary form.
const (
	familyIPv4 = 2
	familyIPv6 = 3
)

func init() {
	c := codec{
		parse: func(t *Type, s string, _ int32, _ *Env) (Datum, error) {
			p, err := ParseInet(s, t == TCIDR)
			if err != nil {
				return Null, err
			}
			return Ref(&p), nil
		},
		format: func(dst []byte, t *Type, d Datum, _ *Env) []byte {
			p := d.Inet()
			dst = p.Addr().AppendTo(dst)
			if t == TCIDR || p.Bits() < p.Addr().BitLen() {
				dst = strconv.AppendInt(append(dst, '/'), int64(p.Bits()), 10)
			}
			return dst
		},
		send: func(dst []byte, t *Type, d Datum) []byte {
			p := d.Inet()
			family, raw := byte(familyIPv4), p.Addr().AsSlice()
			if p.Addr().Is6() {
				family = familyIPv6
			}
			cidr := byte(0)
			if t == TCIDR {
				cidr = 1
			}
			return append(append(dst, family, byte(p.Bits()), cidr, byte(len(raw))), raw...)
		},
		recv: func(t *Type, b []byte, _ int32) (Datum, error) {
			if len(b) < 4 {
				return Null, shortBinary()
			}
			a, ok := netip.AddrFromSlice(b[4:])
			if !ok || int(b[3]) != len(b)-4 || (b[0] == familyIPv4) != a.Is4() || int(b[1]) > a.BitLen() {
				return Null, pgerr.New(pgerr.InvalidBinaryRepresentation, "invalid address family in external \"%s\" value", t.Name)
			}
			p := netip.PrefixFrom(a, int(b[1]))
			return Ref(&p), nil
		},
		compare: func(_ *Type, a, b Datum) int { return compareInet(a.Inet(), b.Inet()) },
		hash: func(dst []byte, _ *Type, d Datum) []byte {
			p := d.Inet()
			return appendHashBytes(dst, string(p.Addr().AsSlice())+string(rune(p.Bits())))
		},
		key: func(dst []byte, _ *Type, d Datum) []byte {
			p := d.Inet()
			dst = append(dst, byte(p.Addr().BitLen()/32))
			dst = append(append(dst, p.Masked().Addr().AsSlice()...), byte(p.Bits()))
			return append(dst, p.Addr().AsSlice()...)
		},
	}
	TInet.codec, TCIDR.codec = c, c
	addCast(TCIDR, TInet, Implicit, nil)
	addCast(TInet, TCIDR, Assignment, func(_ *Env, d Datum) (Datum, error) {
		p := d.Inet().Masked()
		return Ref(&p), nil
	})
	for _, t := range [2]*Type{TInet, TCIDR} {
		addCast(t, TText, Assignment, func(_ *Env, d Datum) (Datum, error) {
			p := d.Inet()
			return Str(p.String()), nil
		})
	}
	TMacaddr.codec, TMacaddr8.codec = macCodec(6), macCodec(8)
	addCast(TMacaddr, TMacaddr8, Implicit, func(_ *Env, d Datum) (Datum, error) {
		return Str(d.str[:3] + "\xff\xfe" + d.str[3:]), nil
	})
	addCast(TMacaddr8, TMacaddr, Implicit, func(_ *Env, d Datum) (Datum, error) {
		if d.str[3:5] != "\xff\xfe" {
			return Null, pgerr.New(pgerr.NumericValueOutOfRange, "macaddr8 data out of range to convert to macaddr").
				WithHint("Only addresses that have FF and FE as values in the 4th and 5th bytes from the left, for example xx:xx:xx:ff:fe:xx:xx:xx, are eligible to be converted from macaddr8 to macaddr.")
		}
		return Str(d.str[:3] + d.str[5:]), nil
	})
}

// Inet returns the address and prefix length of an inet or cidr; zero for NULL.
func (d Datum) Inet() netip.Prefix {
	if p, ok := d.ref.(*netip.Prefix); ok {
		return *p
	}
	return netip.Prefix{}
}

// compareInet orders by family, the common bits, the length of the prefix, the address.
func compareInet(a, b netip.Prefix) int {
	x, y := a.Addr(), b.Addr()
	if c := x.BitLen() - y.BitLen(); c != 0 {
		return c
	}
	common := min(a.Bits(), b.Bits())
	p, _ := x.Prefix(common)
	q, _ := y.Prefix(common)
	if c := p.Addr().Compare(q.Addr()); c != 0 {
		return c
	}
	if c := a.Bits() - b.Bits(); c != 0 {
		return c
	}
	return x.Compare(y)
}

// ParseInet reads an address with an optional prefix length; a cidr may leave out
// trailing bytes of an IPv4 address and must not have bits set behind its prefix.
func ParseInet(s string, cidr bool) (netip.Prefix, error) {
	name := "inet"
	if cidr {
		name = "cidr"
	}
	bad := pgerr.New(pgerr.InvalidTextRepresentation, "invalid input syntax for type %s: \"%s\"", name, s)
	text, bitsText, hasBits := strings.Cut(s, "/")
	if cidr && !strings.Contains(text, ":") {
		parts := strings.Split(text, ".")
		if n := len(parts); n < 4 && n > 0 && text != "" {
			if !hasBits { // the class of the address, at least what was written
				first, err := strconv.Atoi(parts[0])
				if err != nil {
					return netip.Prefix{}, bad
				}
				class := 8
				switch {
				case first >= 240:
					class = 32
				case first >= 224:
					class = 4
				case first >= 192:
					class = 24
				case first >= 128:
					class = 16
				}
				bitsText, hasBits = strconv.Itoa(max(class, 8*n)), true
			}
			text += strings.Repeat(".0", 4-n)
		}
	}
	a, err := netip.ParseAddr(text)
	if err != nil || a.Zone() != "" {
		return netip.Prefix{}, bad
	}
	bits := a.BitLen()
	if hasBits {
		if bits, err = strconv.Atoi(bitsText); err != nil || bits < 0 || bits > a.BitLen() || bitsText[0] == '+' {
			return netip.Prefix{}, bad
		}
	}
	p := netip.PrefixFrom(a, bits)
	if cidr && p.Masked().Addr() != a {
		return p, pgerr.New(pgerr.InvalidTextRepresentation, "invalid cidr value: \"%s\"", s).WithDetail("Value has bits set to right of mask.")
	}
	return p, nil
}

// macCodec is that of macaddr (6 bytes) and macaddr8 (8).
func macCodec(size int) codec {
	return codec{
		parse: func(t *Type, s string, _ int32, _ *Env) (Datum, error) {
			b, ok := parseMac(s)
			if ok && size == 8 && len(b) == 6 {
				b = append(append(append([]byte(nil), b[:3]...), 0xff, 0xfe), b[3:]...)
			}
			if !ok || len(b) != size {
				return Null, syntaxError(t, s)
			}
			return Str(string(b)), nil
		},
		format: func(dst []byte, _ *Type, d Datum, _ *Env) []byte {
			const digits = "0123456789abcdef"
			for i := range len(d.str) {
				if i > 0 {
					dst = append(dst, ':')
				}
				dst = append(dst, digits[d.str[i]>>4], digits[d.str[i]&15])
			}
			return dst
		},
		send: func(dst []byte, _ *Type, d Datum) []byte { return append(dst, d.str...) },
		recv: func(_ *Type, b []byte, _ int32) (Datum, error) {
			if size == 8 && len(b) == 6 {
				return Str(string(b[:3]) + "\xff\xfe" + string(b[3:])), nil
			}
			if len(b) != size {
				return Null, shortBinary()
			}
			return Str(string(b)), nil
		},
		compare: func(_ *Type, a, b Datum) int { return bytes.Compare([]byte(a.str), []byte(b.str)) },
		hash:    func(dst []byte, _ *Type, d Datum) []byte { return append(dst, d.str...) },
		key:     func(dst []byte, _ *Type, d Datum) []byte { return append(dst, d.str...) },
	}
}

// parseMac reads hexadecimal digits, in pairs or groups that one separator divides.
func parseMac(s string) ([]byte, bool) {
	s = strings.TrimFunc(s, func(r rune) bool { return r < 0x80 && isSpace(byte(r)) })
	var out []byte
	var sep byte
	nibbles := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if v := strings.IndexByte("0123456789abcdef", c|0x20); v >= 0 && (isDigit(c) || isAlpha(c)) {
			if nibbles%2 == 0 {
				out = append(out, byte(v)<<4)
			} else {
				out[len(out)-1] |= byte(v)
			}
			nibbles++
			continue
		}
		if strings.IndexByte(":-.", c) < 0 || sep != 0 && c != sep || nibbles == 0 || nibbles%2 != 0 {
			return nil, false
		}
		sep = c
	}
	return out, nibbles%2 == 0 && (len(out) == 6 || len(out) == 8)
}
