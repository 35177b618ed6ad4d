package types

import (
	"encoding/binary"
	"math"
	"strings"
)

// appendHashBytes writes a length and the bytes.
func appendHashBytes(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

func appendHashInt(dst []byte, v int64) []byte {
	return binary.LittleEndian.AppendUint64(dst, uint64(v))
}

// appendHashFloat writes one form for both zeros and one for every NaN.
func appendHashFloat(dst []byte, f float64) []byte {
	switch {
	case f == 0:
		f = 0
	case f != f:
		f = math.NaN()
	}
	return binary.LittleEndian.AppendUint64(dst, math.Float64bits(f))
}

// appendKeyBytes writes bytes that keep their order and of which none is a prefix of
// another: 00 as 00 FF, closed by 00 01.
func appendKeyBytes(dst []byte, s string) []byte {
	for {
		i := strings.IndexByte(s, 0)
		if i < 0 {
			break
		}
		dst = append(dst, s[:i]...)
		dst = append(dst, 0x00, 0xff)
		s = s[i+1:]
	}
	dst = append(dst, s...)
	return append(dst, 0x00, 0x01)
}

// appendKeyInt writes a signed integer, big-endian with the sign bit flipped.
func appendKeyInt(dst []byte, v int64) []byte {
	return binary.BigEndian.AppendUint64(dst, uint64(v)^1<<63)
}

// appendKeyFloat writes a float so that bytes sort as numbers: both zeros alike, NaN last.
func appendKeyFloat(dst []byte, f float64) []byte {
	switch {
	case f == 0:
		f = 0
	case f != f:
		return append(dst, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)
	}
	bits := math.Float64bits(f)
	if bits>>63 != 0 {
		bits = ^bits
	} else {
		bits |= 1 << 63
	}
	return binary.BigEndian.AppendUint64(dst, bits)
}
