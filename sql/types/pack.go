package types

import (
	"encoding/binary"
	"errors"
	"math/big"

	"github.com/cockroachdb/apd/v3"

	"raisind/geom"
)

// A Packer writes rows as bytes and reads them back within one process, for rows that
// are put aside on disk. What it writes means nothing to another Packer: types are
// numbered as they are met, and values of kinds it has no bytes for stay in memory and
// are named by number.
type Packer struct {
	types  []*Type
	number map[*Type]uint64
	kept   []any
}

// Marks in front of a packed value.
const (
	packNull = iota
	packNum
	packText
	packDecimal
	packInterval
	packTimeTZ
	packArray
	packRecord
	packGeometry
	packBox
	packKept
)

var errPacked = errors.New("types: packed row is damaged")

// AppendRow appends the values of a row, one after the other.
func (p *Packer) AppendRow(dst []byte, row Row) []byte {
	for _, d := range row {
		dst = p.appendDatum(dst, d)
	}
	return dst
}

func (p *Packer) appendDatum(dst []byte, d Datum) []byte {
	switch d.kind {
	case kindNull:
		return append(dst, packNull)
	case kindNum:
		return binary.AppendVarint(append(dst, packNum), d.num)
	case kindText:
		return appendHashBytes(append(dst, packText), d.str)
	}
	switch v := d.ref.(type) {
	case *apd.Decimal:
		flags := byte(v.Form) << 1
		if v.Negative {
			flags |= 1
		}
		dst = binary.AppendVarint(append(dst, packDecimal, flags), int64(v.Exponent))
		b := v.Coeff.MathBigInt().Bytes()
		return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
	case *Interval:
		dst = binary.AppendVarint(append(dst, packInterval), int64(v.Months))
		return binary.AppendVarint(binary.AppendVarint(dst, int64(v.Days)), v.Micros)
	case *TimeTZ:
		return binary.AppendVarint(binary.AppendVarint(append(dst, packTimeTZ), v.Micros), int64(v.OffsetSecs))
	case *Array:
		dst = binary.AppendUvarint(append(dst, packArray), p.typeNumber(v.Elem))
		dst = binary.AppendUvarint(dst, uint64(len(v.Dims)))
		for i := range v.Dims {
			dst = binary.AppendVarint(binary.AppendVarint(dst, int64(v.Dims[i])), int64(v.Lower[i]))
		}
		return p.AppendRow(binary.AppendUvarint(dst, uint64(len(v.Elems))), v.Elems)
	case *Record:
		dst = binary.AppendUvarint(append(dst, packRecord), uint64(len(v.Fields)))
		dst = binary.AppendUvarint(dst, uint64(len(v.Names)))
		for _, name := range v.Names {
			dst = appendHashBytes(dst, name)
		}
		dst = binary.AppendUvarint(dst, uint64(len(v.Types)))
		for _, t := range v.Types {
			dst = binary.AppendUvarint(dst, p.typeNumber(t))
		}
		return p.AppendRow(dst, v.Fields)
	case *geom.Geometry:
		at := len(dst) + 1
		dst = v.AppendEWKB(append(dst, packGeometry, 0, 0, 0, 0))
		binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
		return dst
	case *geom.Box:
		dst = append(dst, packBox)
		for _, f := range [4]float64{v.MinX, v.MinY, v.MaxX, v.MaxY} {
			dst = appendHashInt(dst, Float(f).num)
		}
		return dst
	}
	p.kept = append(p.kept, d.ref)
	return binary.AppendUvarint(append(dst, packKept), uint64(len(p.kept)-1))
}

func (p *Packer) typeNumber(t *Type) uint64 {
	n, ok := p.number[t]
	if !ok {
		if p.number == nil {
			p.number = map[*Type]uint64{}
		}
		n = uint64(len(p.types))
		p.types, p.number[t] = append(p.types, t), n
	}
	return n
}

// ReadRow reads len(row) values from the start of b and returns what follows them.
// Values share nothing with b.
func (p *Packer) ReadRow(row Row, b []byte) (rest []byte, err error) {
	r := packReader{p: p, b: b}
	r.row(row)
	if r.bad {
		return nil, errPacked
	}
	return r.b, nil
}

// packReader takes values off b; bad is set when it ends too early.
type packReader struct {
	p   *Packer
	b   []byte
	bad bool
}

func (r *packReader) varint() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *packReader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

// count is a length that fits into what is left, each item being a byte at least.
func (r *packReader) count() int {
	n := r.uvarint()
	if n > uint64(len(r.b)) {
		r.bad, r.b = true, nil
		return 0
	}
	return int(n)
}

func (r *packReader) bytes(n int) []byte {
	if n > len(r.b) {
		r.bad, r.b = true, nil
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *packReader) typ() *Type {
	n := r.uvarint()
	if n >= uint64(len(r.p.types)) {
		r.bad = true
		return nil
	}
	return r.p.types[n]
}

func (r *packReader) row(row Row) {
	for i := range row {
		row[i] = r.datum()
	}
}

func (r *packReader) datum() Datum {
	mark := r.bytes(1)
	if mark == nil {
		return Null
	}
	switch mark[0] {
	case packNull:
		return Null
	case packNum:
		return Int(r.varint())
	case packText:
		return Str(string(r.bytes(r.count())))
	case packDecimal:
		flags := r.bytes(1)
		if flags == nil {
			return Null
		}
		d := &apd.Decimal{Form: apd.Form(flags[0] >> 1), Negative: flags[0]&1 != 0, Exponent: int32(r.varint())}
		d.Coeff.SetMathBigInt(new(big.Int).SetBytes(r.bytes(r.count())))
		return Ref(d)
	case packInterval:
		return Ref(&Interval{Months: int32(r.varint()), Days: int32(r.varint()), Micros: r.varint()})
	case packTimeTZ:
		return Ref(&TimeTZ{Micros: r.varint(), OffsetSecs: int32(r.varint())})
	case packArray:
		return r.array()
	case packRecord:
		return r.record()
	case packGeometry:
		head := r.bytes(4)
		if head == nil {
			return Null
		}
		g, err := geom.ParseEWKB(r.bytes(int(binary.LittleEndian.Uint32(head))))
		r.bad = r.bad || err != nil
		return Geom(g)
	case packBox:
		var f [4]float64
		for i := range f {
			if b := r.bytes(8); b != nil {
				f[i] = Int(int64(binary.LittleEndian.Uint64(b))).Float()
			}
		}
		return NewBox(geom.Box{MinX: f[0], MinY: f[1], MaxX: f[2], MaxY: f[3]})
	case packKept:
		if n := r.uvarint(); n < uint64(len(r.p.kept)) {
			return Ref(r.p.kept[n])
		}
	}
	r.bad = true
	return Null
}

func (r *packReader) array() Datum {
	a := &Array{Elem: r.typ()}
	if n := r.count(); n > 0 {
		a.Dims, a.Lower = make([]int32, n), make([]int32, n)
	}
	for i := range a.Dims {
		a.Dims[i], a.Lower[i] = int32(r.varint()), int32(r.varint())
	}
	if n := r.count(); n > 0 {
		a.Elems = make([]Datum, n)
		r.row(a.Elems)
	}
	return Ref(a)
}

func (r *packReader) record() Datum {
	rec := &Record{Fields: make([]Datum, r.count())}
	if n := r.count(); n > 0 {
		rec.Names = make([]string, n)
	}
	for i := range rec.Names {
		rec.Names[i] = string(r.bytes(r.count()))
	}
	if n := r.count(); n > 0 {
		rec.Types = make([]*Type, n)
	}
	for i := range rec.Types {
		rec.Types[i] = r.typ()
	}
	r.row(rec.Fields)
	return Ref(rec)
}

// SizeBytes is about how much memory a value holds beside the Datum itself.
func (d Datum) SizeBytes() int64 {
	switch v := d.ref.(type) {
	case nil:
		return int64(len(d.str))
	case *geom.Geometry:
		return 96 + int64(v.NumPoints())*16
	case *Array:
		n := int64(96 + 56*len(v.Elems))
		for _, e := range v.Elems {
			n += e.SizeBytes()
		}
		return n
	case *Record:
		n := int64(96 + 72*len(v.Fields))
		for _, e := range v.Fields {
			n += e.SizeBytes()
		}
		return n
	}
	return 64
}
