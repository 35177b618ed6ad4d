package types

import (
	"cmp"
	"encoding/binary"
	"math"

	"raisind/pgerr"
)

func init() {
	TInterval.codec = codec{
		parse: parseInterval, format: formatInterval,
		recv: recvInterval, send: sendInterval,
		fit:     fitInterval,
		compare: func(_ *Type, a, b Datum) int { return CompareInterval(a.Interval(), b.Interval()) },
		hash: func(dst []byte, _ *Type, d Datum) []byte {
			days, micros := intervalSpan(d.Interval())
			return appendHashInt(appendHashInt(dst, days), micros)
		},
		key: func(dst []byte, _ *Type, d Datum) []byte {
			days, micros := intervalSpan(d.Interval())
			return appendKeyInt(appendKeyInt(dst, days), micros)
		},
	}
}

// NewInterval makes an interval.
func NewInterval(months, days int32, micros int64) Datum {
	return Ref(&Interval{Months: months, Days: days, Micros: micros})
}

// intervalSpan is the length by which intervals are compared: a month has 30 days, a day 24 hours.
func intervalSpan(v Interval) (days, micros int64) {
	carry := floorDiv(v.Micros, MicrosPerDay)
	return int64(v.Months)*30 + int64(v.Days) + carry, v.Micros - carry*MicrosPerDay
}

// CompareInterval orders intervals by their length, a month as 30 days, a day as 24 hours.
func CompareInterval(a, b Interval) int {
	ad, am := intervalSpan(a)
	bd, bm := intervalSpan(b)
	return cmp.Or(cmp.Compare(ad, bd), cmp.Compare(am, bm))
}

func sendInterval(dst []byte, _ *Type, d Datum) []byte {
	v := d.Interval()
	dst = binary.BigEndian.AppendUint64(dst, uint64(v.Micros))
	dst = binary.BigEndian.AppendUint32(dst, uint32(v.Days))
	return binary.BigEndian.AppendUint32(dst, uint32(v.Months))
}

func recvInterval(_ *Type, b []byte, _ int32) (Datum, error) {
	if len(b) < 16 {
		return Null, shortBinary()
	}
	if len(b) > 16 {
		return Null, binaryError(TInterval)
	}
	return NewInterval(int32(binary.BigEndian.Uint32(b[12:])), int32(binary.BigEndian.Uint32(b[8:])), int64(binary.BigEndian.Uint64(b))), nil
}

// Bits of the range in an interval's typmod.
const (
	rangeMonth  = 1 << 1
	rangeYear   = 1 << 2
	rangeDay    = 1 << 3
	rangeHour   = 1 << 10
	rangeMinute = 1 << 11
	rangeSecond = 1 << 12
	rangeFull   = 0x7fff

	precisionFull = 0xffff
)

// IntervalTypmod makes a typmod from the words between first and last unit ("year",
// "month" ...; both empty for all) and the digits of seconds (-1 for all).
func IntervalTypmod(first, last string, digits int) (int32, bool) {
	units := []string{"year", "month", "day", "hour", "minute", "second"}
	bits := []int32{rangeYear, rangeMonth, rangeDay, rangeHour, rangeMinute, rangeSecond}
	r := int32(rangeFull)
	if first != "" {
		r = 0
		inside := false
		for i, u := range units {
			if u == first {
				inside = true
			}
			if inside {
				r |= bits[i]
			}
			if u == last || last == "" && u == first {
				inside = false
			}
		}
		if r == 0 {
			return -1, false
		}
	}
	precision := int32(precisionFull)
	if digits >= 0 {
		precision = int32(min(digits, 6))
	}
	if r == rangeFull && precision == precisionFull {
		return -1, true
	}
	return r<<16 | precision, true
}

// intervalRange returns the range bits of a typmod.
func intervalRange(typmod int32) int32 {
	if typmod < 0 {
		return rangeFull
	}
	return typmod >> 16 & 0x7fff
}

// fitInterval clears what lies below the range's last field and rounds the seconds.
func fitInterval(_ *Type, d Datum, typmod int32, _ bool) (Datum, error) {
	v := d.Interval()
	cut := func(unit int64) { v.Micros = v.Micros / unit * unit }
	switch r := intervalRange(typmod); {
	case r == rangeFull || r&rangeSecond != 0:
	case r&rangeMinute != 0:
		cut(MicrosPerMinute)
	case r&rangeHour != 0:
		cut(MicrosPerHour)
	case r&rangeDay != 0:
		v.Micros = 0
	case r&rangeMonth != 0:
		v.Days, v.Micros = 0, 0
	case r&rangeYear != 0:
		v.Months, v.Days, v.Micros = v.Months/12*12, 0, 0
	}
	if p := typmod & precisionFull; p != precisionFull {
		if p < 6 && (v.Micros > math.MaxInt64-MicrosPerSecond || v.Micros < math.MinInt64+MicrosPerSecond) {
			return Null, intervalOutOfRange()
		}
		v.Micros = roundMicros(v.Micros, p)
	}
	return Ref(&v), nil
}

func intervalOutOfRange() error {
	return pgerr.New(pgerr.DatetimeFieldOverflow, "interval out of range")
}
