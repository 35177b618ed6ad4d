package types

import (
	"math"

	"github.com/cockroachdb/apd/v3"

	"raisind/geom"
)

// kind tells which field of a Datum holds its value.
type kind uint8

const (
	kindNull kind = iota // the zero Datum is NULL
	kindNum              // num
	kindText             // str
	kindRef              // ref
)

// Datum is one SQL value without its type; the plan knows the type. The zero
// Datum is NULL. A Datum is immutable: what str and ref point at is never
// written again, so copies may be kept.
//
//	bool                        Bool      num 0 or 1
//	int2 int4 int8 oid reg*     Int       num
//	xid cid xid8                Int       num, unsigned
//	tid                         Int       block << 16 | offset
//	float4 float8               Float     num holds the IEEE 754 bits
//	date                        Int       days since 2000-01-01; math.MaxInt64, math.MinInt64 for ±infinity
//	time                        Int       microseconds since midnight
//	timestamp timestamptz       Int       microseconds since 2000-01-01 (UTC for timestamptz); MaxInt64, MinInt64 for ±infinity
//	text varchar bpchar name "char" unknown  Text  UTF-8
//	bytea                       Text      the bytes
//	json jsonb                  Text      json: as given; jsonb: PostgreSQL's canonical text
//	uuid                        Text      16 bytes
//	numeric                     Ref       *apd.Decimal
//	interval                    Ref       *Interval
//	timetz                      Ref       *TimeTZ
//	ranges                      Ref       *Range
//	multiranges                 Ref       *Multirange
//	jsonpath                    Ref       *JSONPath
//	arrays                      Ref       *Array
//	record                      Ref       *Record
//	geometry geography          Ref       *geom.Geometry
//	box2d                       Ref       *geom.Box
//	box3d                       Ref       *geom.Box3D
type Datum struct {
	ref  any
	str  string
	num  int64
	kind kind
}

// Null is the SQL NULL.
var Null = Datum{}

// IsNull reports whether d is NULL.
func (d Datum) IsNull() bool { return d.kind == kindNull }

// Bool makes a boolean.
func Bool(v bool) Datum {
	d := Datum{kind: kindNum}
	if v {
		d.num = 1
	}
	return d
}

// Int makes a value held as an integer: integers, oids, dates (days), times and timestamps (microseconds).
func Int(v int64) Datum { return Datum{num: v, kind: kindNum} }

// Float makes a float4 or float8.
func Float(v float64) Datum { return Datum{num: int64(math.Float64bits(v)), kind: kindNum} }

// Str makes a value held as bytes: text and its kin, bytea, json, jsonb, uuid (16 bytes).
func Str(s string) Datum { return Datum{str: s, kind: kindText} }

// Ref makes a value held by reference: numeric, interval, arrays, records, geometries.
func Ref(v any) Datum { return Datum{ref: v, kind: kindRef} }

// Geom makes a geometry or geography; nil gives NULL.
func Geom(g *geom.Geometry) Datum {
	if g == nil {
		return Null
	}
	return Ref(g)
}

// Bool returns the value of a boolean; false for NULL.
func (d Datum) Bool() bool { return d.num != 0 }

// Int returns the integer a Datum made by Int holds.
func (d Datum) Int() int64 { return d.num }

// Float returns the float a Datum made by Float holds.
func (d Datum) Float() float64 { return math.Float64frombits(uint64(d.num)) }

// Str returns the bytes a Datum made by Str holds.
func (d Datum) Str() string { return d.str }

// Ref returns the reference a Datum made by Ref holds, or nil.
func (d Datum) Ref() any { return d.ref }

// Geom returns the geometry a Datum made by Geom holds, or nil.
func (d Datum) Geom() *geom.Geometry {
	g, _ := d.ref.(*geom.Geometry)
	return g
}

// Row is the values of one row, in the order of its plan node's columns.
type Row = []Datum

// Interval is PostgreSQL's interval: three parts that are not normalised into each other.
type Interval struct {
	Months, Days int32
	Micros       int64 // microseconds
}

// TimeTZ is a time of day with its offset.
type TimeTZ struct {
	Micros     int64 // microseconds since local midnight
	OffsetSecs int32 // seconds east of UTC
}

// Array is a PostgreSQL array: row-major elements, a length and a lower bound a dimension.
type Array struct {
	Elem  *Type
	Dims  []int32 // empty for the empty array
	Lower []int32 // same length as Dims; 1 unless said otherwise
	Elems []Datum
}

// Record is an anonymous or named composite value.
type Record struct {
	Names  []string
	Types  []*Type
	Fields []Datum
}

// Numeric returns the decimal of a numeric, or nil. It must not be changed.
func (d Datum) Numeric() *apd.Decimal {
	v, _ := d.ref.(*apd.Decimal)
	return v
}

// Interval returns the value of an interval; zero for NULL.
func (d Datum) Interval() Interval {
	if v, ok := d.ref.(*Interval); ok {
		return *v
	}
	return Interval{}
}

// TimeTZ returns the value of a time with time zone; zero for NULL.
func (d Datum) TimeTZ() TimeTZ {
	if v, ok := d.ref.(*TimeTZ); ok {
		return *v
	}
	return TimeTZ{}
}

// Array returns the array a Datum holds, or nil. It must not be changed.
func (d Datum) Array() *Array {
	v, _ := d.ref.(*Array)
	return v
}

// Record returns the record a Datum holds, or nil. It must not be changed.
func (d Datum) Record() *Record {
	v, _ := d.ref.(*Record)
	return v
}
