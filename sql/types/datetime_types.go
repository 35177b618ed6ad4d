package types

import (
	"cmp"
	"encoding/binary"
	"math"

	"raisind/pgerr"
)

func init() {
	num := codec{
		compare: compareNum,
		hash:    func(dst []byte, _ *Type, d Datum) []byte { return appendHashInt(dst, d.num) },
		key:     func(dst []byte, _ *Type, d Datum) []byte { return appendKeyInt(dst, d.num) },
		recv:    recv8, send: send8,
	}
	TDate.codec = num
	TDate.codec.parse, TDate.codec.format = parseDate, formatDate
	TDate.codec.recv, TDate.codec.send = recvDate, sendDate

	TTime.codec = num
	TTime.codec.parse, TTime.codec.format = parseTime, formatTime
	TTime.codec.recv, TTime.codec.fit = recvTime, fitTime

	TTimestamp.codec = num
	TTimestamp.codec.parse, TTimestamp.codec.format = parseTimestamp, formatTimestamp
	TTimestamp.codec.recv, TTimestamp.codec.fit = recvTimestamp, fitTimestamp
	TTimestamptz.codec = TTimestamp.codec
	TTimestamptz.codec.format = formatTimestamptz

	TTimeTZ.codec = codec{
		parse: parseTimeTZ, format: formatTimeTZ, recv: recvTimeTZ, send: sendTimeTZ,
		fit: func(_ *Type, d Datum, typmod int32, _ bool) (Datum, error) {
			v := d.TimeTZ()
			v.Micros = roundMicros(v.Micros, typmod)
			return Ref(&v), nil
		},
		compare: func(_ *Type, a, b Datum) int { return CompareTimeTZ(a.TimeTZ(), b.TimeTZ()) },
		hash: func(dst []byte, _ *Type, d Datum) []byte {
			v := d.TimeTZ()
			return binary.LittleEndian.AppendUint32(appendHashInt(dst, v.Micros), uint32(v.OffsetSecs))
		},
		key: func(dst []byte, _ *Type, d Datum) []byte {
			v := d.TimeTZ()
			dst = appendKeyInt(dst, v.Micros-int64(v.OffsetSecs)*MicrosPerSecond)
			return appendKeyInt(dst, -int64(v.OffsetSecs))
		},
	}
}

// CompareTimeTZ orders by the moment, then by the zone, west last.
func CompareTimeTZ(a, b TimeTZ) int {
	if c := cmp.Compare(a.Micros-int64(a.OffsetSecs)*MicrosPerSecond, b.Micros-int64(b.OffsetSecs)*MicrosPerSecond); c != 0 {
		return c
	}
	return cmp.Compare(b.OffsetSecs, a.OffsetSecs)
}

// NewTimeTZ makes a time with time zone.
func NewTimeTZ(micros int64, offsetSecs int32) Datum {
	return Ref(&TimeTZ{Micros: micros, OffsetSecs: offsetSecs})
}

func parseDate(t *Type, s string, _ int32, env *Env) (Datum, error) {
	if c, ok := scanISODate(s); ok && len(s) == isoDateLen {
		return Int(c.DayNumber()), nil
	}
	f, err := scanDateTime(s, maxDateLen+1)
	if err != nil {
		return Null, dateTimeError(err, s, "date")
	}
	d, err := decodeDateTime(f, env)
	if err != nil {
		return Null, dateTimeError(err, s, "date")
	}
	switch d.special {
	case valueEpoch:
		return Int(-epochUnixDays), nil
	case valueInfinity:
		return Int(PosInfinity), nil
	case valueNegInfinity:
		return Int(NegInfinity), nil
	}
	day := d.c.DayNumber()
	if !validDay(day) {
		return Null, pgerr.New(pgerr.DatetimeFieldOverflow, "date out of range: \"%s\"", s)
	}
	return Int(day), nil
}

// parseTimestamp reads a timestamp with or without time zone; without, a zone is ignored.
func parseTimestamp(t *Type, s string, _ int32, env *Env) (Datum, error) {
	if v, ok := scanISOTimestamp(s, t, env); ok {
		return Int(v), nil
	}
	name := t.SQLName
	if t == TTimestamp {
		name = "timestamp"
	}
	f, err := scanDateTime(s, maxDateLen+maxDateFields)
	if err != nil {
		return Null, dateTimeError(err, s, name)
	}
	d, err := decodeDateTime(f, env)
	if err != nil {
		return Null, dateTimeError(err, s, name)
	}
	switch d.special {
	case valueEpoch:
		return Int(-EpochUnixSeconds * MicrosPerSecond), nil
	case valueInfinity:
		return Int(PosInfinity), nil
	case valueNegInfinity:
		return Int(NegInfinity), nil
	}
	if t == TTimestamp {
		d.offset = 0
	}
	v, ok := d.c.timestampAt(d.offset)
	if !ok {
		return Null, pgerr.New(pgerr.DatetimeFieldOverflow, "timestamp out of range: \"%s\"", s)
	}
	return Int(v), nil
}

func parseTime(t *Type, s string, _ int32, env *Env) (Datum, error) {
	d, err := readTime(s, env)
	if err != nil {
		return Null, dateTimeError(err, s, "time")
	}
	return Int(d.c.TimeMicros()), nil
}

func parseTimeTZ(t *Type, s string, _ int32, env *Env) (Datum, error) {
	d, err := readTime(s, env)
	if err != nil {
		return Null, dateTimeError(err, s, "time with time zone")
	}
	return NewTimeTZ(d.c.TimeMicros(), int32(d.offset)), nil
}

func readTime(s string, env *Env) (*dateDecoder, error) {
	f, err := scanDateTime(s, maxDateLen+1)
	if err != nil {
		return nil, err
	}
	return decodeTime(f, env)
}

// roundMicros rounds to a number of digits behind the second, half away from zero.
func roundMicros(v int64, digits int32) int64 {
	if digits < 0 || digits >= 6 {
		return v
	}
	unit := int64(math.Pow10(6 - int(digits)))
	if v >= 0 {
		return (v + unit/2) / unit * unit
	}
	return -((-v + unit/2) / unit * unit)
}

func fitTime(_ *Type, d Datum, typmod int32, _ bool) (Datum, error) {
	return Int(roundMicros(d.num, typmod)), nil
}

func fitTimestamp(_ *Type, d Datum, typmod int32, _ bool) (Datum, error) {
	if IsInfinite(d.num) {
		return d, nil
	}
	v := roundMicros(d.num, typmod)
	if !validTimestamp(v) {
		return Null, timestampOutOfRange()
	}
	return Int(v), nil
}

func timestampOutOfRange() error {
	return pgerr.New(pgerr.DatetimeFieldOverflow, "timestamp out of range")
}

func dateOutOfRange() error {
	return pgerr.New(pgerr.DatetimeFieldOverflow, "date out of range")
}

func sendDate(dst []byte, _ *Type, d Datum) []byte {
	v := int32(d.num)
	switch d.num {
	case PosInfinity:
		v = math.MaxInt32
	case NegInfinity:
		v = math.MinInt32
	}
	return binary.BigEndian.AppendUint32(dst, uint32(v))
}

func recvDate(_ *Type, b []byte, _ int32) (Datum, error) {
	u, err := fixed(b, 4)
	if err != nil {
		return Null, err
	}
	switch v := int32(u); {
	case v == math.MaxInt32:
		return Int(PosInfinity), nil
	case v == math.MinInt32:
		return Int(NegInfinity), nil
	case !validDay(int64(v)):
		return Null, dateOutOfRange()
	default:
		return Int(int64(v)), nil
	}
}

func recvTimestamp(_ *Type, b []byte, _ int32) (Datum, error) {
	u, err := fixed(b, 8)
	if v := int64(u); err == nil && !IsInfinite(v) && !validTimestamp(v) {
		err = timestampOutOfRange()
	}
	return Int(int64(u)), err
}

func recvTime(_ *Type, b []byte, _ int32) (Datum, error) {
	u, err := fixed(b, 8)
	if v := int64(u); err == nil && (v < 0 || v > MicrosPerDay) {
		err = pgerr.New(pgerr.DatetimeFieldOverflow, "time out of range")
	}
	return Int(int64(u)), err
}

func sendTimeTZ(dst []byte, _ *Type, d Datum) []byte {
	v := d.TimeTZ()
	dst = binary.BigEndian.AppendUint64(dst, uint64(v.Micros))
	return binary.BigEndian.AppendUint32(dst, uint32(-v.OffsetSecs)) // the protocol counts west
}

func recvTimeTZ(_ *Type, b []byte, _ int32) (Datum, error) {
	if len(b) < 12 {
		return Null, shortBinary()
	}
	if len(b) > 12 {
		return Null, binaryError(TTimeTZ)
	}
	v := TimeTZ{int64(binary.BigEndian.Uint64(b)), -int32(binary.BigEndian.Uint32(b[8:]))}
	if v.Micros < 0 || v.Micros > MicrosPerDay {
		return Null, pgerr.New(pgerr.DatetimeFieldOverflow, "time out of range")
	}
	if v.OffsetSecs <= -16*3600 || v.OffsetSecs >= 16*3600 {
		return Null, pgerr.New(pgerr.InvalidTimeZoneDisplacementValue, "time zone displacement out of range")
	}
	return Ref(&v), nil
}
