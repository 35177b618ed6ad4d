package funcs

import (
	"math/big"
	"net/netip"

	"raisind/pgerr"
	"raisind/sql/types"
)

func inetDatum(p netip.Prefix) types.Datum { return types.Ref(&p) }

// subnetOf reports whether a is a part of b; strictly: and not all of it.
func subnetOf(a, b netip.Prefix, strictly bool) bool {
	if a.Addr().BitLen() != b.Addr().BitLen() || a.Bits() < b.Bits() || strictly && a.Bits() == b.Bits() {
		return false
	}
	return b.Masked().Contains(a.Addr())
}

// addrBits applies fn to the bytes of an address.
func addrBits(a netip.Addr, fn func(i int, b byte) byte) netip.Addr {
	raw := a.AsSlice()
	for i := range raw {
		raw[i] = fn(i, raw[i])
	}
	out, _ := netip.AddrFromSlice(raw)
	return out
}

// maskByte is byte i of the mask of a prefix length.
func maskByte(bits, i int) byte {
	n := min(max(bits-8*i, 0), 8)
	return byte(0xff << (8 - n))
}

func addToInet(p netip.Prefix, by *big.Int) (types.Datum, error) {
	v := new(big.Int).SetBytes(p.Addr().AsSlice())
	v.Add(v, by)
	size := p.Addr().BitLen() / 8
	if v.Sign() < 0 || v.BitLen() > p.Addr().BitLen() {
		return types.Null, pgerr.New(pgerr.NumericValueOutOfRange, "result is out of range")
	}
	a, _ := netip.AddrFromSlice(v.FillBytes(make([]byte, size)))
	return inetDatum(netip.PrefixFrom(a, p.Bits())), nil
}

func networkFuncs() []Func {
	op := func(symbol, name, commutator, doc string, overloads ...Overload) Func {
		return Func{Name: name, Operator: symbol, Commutator: commutator, Group: groupNetwork, Volatility: Immutable, Doc: doc, Overloads: overloads}
	}
	fn := func(name, doc, args, want string, overloads ...Overload) Func {
		return Func{Name: name, Group: groupNetwork, Volatility: Immutable, Doc: doc, Overloads: overloads, Examples: []Example{{`SELECT ` + name + `(` + args + `)`, want}}}
	}
	test := func(holds func(a, b netip.Prefix) bool) Overload {
		return of("inet,inet", "bool", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			return types.Bool(holds(args[0].Inet(), args[1].Inet())), nil
		})
	}
	both := func(name string, combine func(a, b byte) byte) Overload {
		return of("inet,inet", "inet", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			a, b := args[0].Inet(), args[1].Inet()
			if a.Addr().BitLen() != b.Addr().BitLen() {
				return types.Null, pgerr.New(pgerr.InvalidParameterValue, "cannot %s inet values of different sizes", name)
			}
			other := b.Addr().AsSlice()
			return inetDatum(netip.PrefixFrom(addrBits(a.Addr(), func(i int, x byte) byte { return combine(x, other[i]) }), max(a.Bits(), b.Bits()))), nil
		})
	}
	plus := func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		return addToInet(args[0].Inet(), big.NewInt(args[1].Int()))
	}
	text := func(get func(p netip.Prefix) string) EvalFunc {
		return func(_ *Ctx, args []types.Datum) (types.Datum, error) { return types.Str(get(args[0].Inet())), nil }
	}
	part := func(get func(p netip.Prefix) netip.Prefix) EvalFunc {
		return func(_ *Ctx, args []types.Datum) (types.Datum, error) { return inetDatum(get(args[0].Inet())), nil }
	}
	abbrev := func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		return types.Str(string(types.TInet.AppendText(nil, args[0], nil))), nil
	}
	setMask := func(masked bool) EvalFunc {
		return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			p, n := args[0].Inet(), args[1].Int()
			if n == -1 {
				n = int64(p.Addr().BitLen())
			}
			if n < 0 || n > int64(p.Addr().BitLen()) {
				return types.Null, pgerr.New(pgerr.InvalidParameterValue, "invalid mask length: %d", n)
			}
			if p = netip.PrefixFrom(p.Addr(), int(n)); masked {
				p = p.Masked()
			}
			return inetDatum(p), nil
		}
	}
	full := func(a netip.Addr) netip.Prefix { return netip.PrefixFrom(a, a.BitLen()) }
	return []Func{
		op("<<", "network_sub", ">>", "True when the left network is a part of the right one, and not all of it.", test(func(a, b netip.Prefix) bool { return subnetOf(a, b, true) })),
		op("<<=", "network_subeq", ">>=", "True when the left network is a part of the right one.", test(func(a, b netip.Prefix) bool { return subnetOf(a, b, false) })),
		op(">>", "network_sup", "<<", "True when the left network has the right one as a part.", test(func(a, b netip.Prefix) bool { return subnetOf(b, a, true) })),
		op(">>=", "network_supeq", "<<=", "True when the left network has the right one as a part or is it.", test(func(a, b netip.Prefix) bool { return subnetOf(b, a, false) })),
		op("&&", "network_overlap", "&&", "True when one network is a part of the other.", test(func(a, b netip.Prefix) bool { return subnetOf(a, b, false) || subnetOf(b, a, false) })),
		op("~", "inetnot", "", "Bitwise NOT.", of("inet", "inet", part(func(p netip.Prefix) netip.Prefix {
			return netip.PrefixFrom(addrBits(p.Addr(), func(_ int, b byte) byte { return ^b }), p.Bits())
		}))),
		op("&", "inetand", "", "Bitwise AND.", both("AND", func(a, b byte) byte { return a & b })),
		op("|", "inetor", "", "Bitwise OR.", both("OR", func(a, b byte) byte { return a | b })),
		op("+", "inetpl", "+", "The address so many further.", of("inet,int8", "inet", plus), of("int8,inet", "inet", swapped(plus))),
		op("-", "inetmi", "", "The address so many before, or the distance of two.", of("inet,int8", "inet", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			return addToInet(args[0].Inet(), new(big.Int).Neg(big.NewInt(args[1].Int())))
		}), of("inet,inet", "int8", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			a, b := args[0].Inet().Addr(), args[1].Inet().Addr()
			if a.BitLen() != b.BitLen() {
				return types.Null, pgerr.New(pgerr.InvalidParameterValue, "cannot subtract inet values of different sizes")
			}
			d := new(big.Int).Sub(new(big.Int).SetBytes(a.AsSlice()), new(big.Int).SetBytes(b.AsSlice()))
			if !d.IsInt64() {
				return types.Null, pgerr.New(pgerr.NumericValueOutOfRange, "result is out of range")
			}
			return types.Int(d.Int64()), nil
		})),
		fn("host", "The address without its prefix length.", `'10.1.2.3/8'::inet`, "10.1.2.3", of("inet", "text", text(func(p netip.Prefix) string { return p.Addr().String() }))),
		fn("text", "Address and prefix length.", `'10.1.2.3'::inet`, "10.1.2.3/32", of("inet", "text", text(netip.Prefix.String))),
		fn("abbrev", "The address, short.", `'10.1.0.0/32'::inet`, "10.1.0.0", of("inet", "text", abbrev)),
		fn("family", "4 or 6.", `'::1'::inet`, "6", of("inet", "int4", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			if args[0].Inet().Addr().Is4() {
				return types.Int(4), nil
			}
			return types.Int(6), nil
		})),
		fn("masklen", "The prefix length.", `'10.1.2.3/8'::inet`, "8", of("inet", "int4", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			return types.Int(int64(args[0].Inet().Bits())), nil
		})),
		fn("network", "The network of an address.", `'10.1.2.3/8'::inet`, "10.0.0.0/8", of("inet", "cidr", part(netip.Prefix.Masked))),
		fn("netmask", "The mask of the prefix length.", `'10.1.2.3/8'::inet`, "255.0.0.0", of("inet", "inet", part(func(p netip.Prefix) netip.Prefix {
			return full(addrBits(p.Addr(), func(i int, _ byte) byte { return maskByte(p.Bits(), i) }))
		}))),
		fn("hostmask", "The mask of the bits behind the prefix.", `'10.1.2.3/8'::inet`, "0.255.255.255", of("inet", "inet", part(func(p netip.Prefix) netip.Prefix {
			return full(addrBits(p.Addr(), func(i int, _ byte) byte { return ^maskByte(p.Bits(), i) }))
		}))),
		fn("broadcast", "The last address of the network.", `'10.1.2.3/8'::inet`, "10.255.255.255/8", of("inet", "inet", part(func(p netip.Prefix) netip.Prefix {
			return netip.PrefixFrom(addrBits(p.Addr(), func(i int, b byte) byte { return b | ^maskByte(p.Bits(), i) }), p.Bits())
		}))),
		fn("set_masklen", "The address with another prefix length.", `'10.1.2.3/8'::inet, 16`, "10.1.2.3/16", of("inet,int4", "inet", setMask(false)), of("cidr,int4", "cidr", setMask(true))),
		fn("inet_same_family", "True when both are IPv4 or both IPv6.", `'10.0.0.1'::inet, '::1'`, "f", test(func(a, b netip.Prefix) bool { return a.Addr().Is4() == b.Addr().Is4() })),
		fn("inet_merge", "The smallest network with both in it.", `'10.1.2.3'::inet, '10.1.3.4'`, "10.1.2.0/23", of("inet,inet", "cidr", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			a, b := args[0].Inet(), args[1].Inet()
			if a.Addr().BitLen() != b.Addr().BitLen() {
				return types.Null, pgerr.New(pgerr.InvalidParameterValue, "cannot merge addresses from different families")
			}
			n := min(a.Bits(), b.Bits())
			for ; n > 0; n-- {
				if p := netip.PrefixFrom(a.Addr(), n).Masked(); p.Contains(b.Addr()) {
					break
				}
			}
			return inetDatum(netip.PrefixFrom(a.Addr(), n).Masked()), nil
		})),
		fn("trunc", "The address with its last bytes 0.", `'12:34:56:78:90:ab'::macaddr`, "12:34:56:00:00:00", of("macaddr", "macaddr", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			return types.Str(args[0].Str()[:3] + "\x00\x00\x00"), nil
		}), of("macaddr8", "macaddr8", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			return types.Str(args[0].Str()[:3] + "\x00\x00\x00\x00\x00"), nil
		})),
		fn("macaddr8_set7bit", "The address with the bit of locally given ones set.", `'00:34:56:ab:cd:ef'::macaddr8`, "02:34:56:ff:fe:ab:cd:ef", of("macaddr8", "macaddr8", func(_ *Ctx, args []types.Datum) (types.Datum, error) {
			b := []byte(args[0].Str())
			b[0] |= 2
			return types.Str(string(b)), nil
		})),
	}
}
