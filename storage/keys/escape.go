package keys

import "bytes"

// Variable text inside a key: a byte 00 is written as 00 FF, the end as 00 01. This keeps the order, no
// closed text is a prefix of another, and 00 01 occurs nowhere but at the end, which is how Split finds it.
const (
	escapeByte  = 0x00
	escapedZero = 0xff
	closeByte   = 0x01
	closeLen    = 2
)

// appendEscaped appends text without closing it, as bounds need it.
func appendEscaped(dst, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, escapeByte)
		if i < 0 {
			return append(dst, text...)
		}
		dst = append(dst, text[:i]...)
		dst = append(dst, escapeByte, escapedZero)
		text = text[i+1:]
	}
}

// unescape takes text up to its close; the result is a part of b when there is nothing to unescape, else
// it is appended to buf[:0]. b must end with the close.
func unescape(buf, b []byte) (text []byte, ok bool) {
	n := len(b) - closeLen
	if n < 0 || b[n] != escapeByte || b[n+1] != closeByte {
		return nil, false
	}
	b = b[:n:n]
	i := bytes.IndexByte(b, escapeByte)
	if i < 0 {
		return b, true
	}
	text = buf[:0]
	for i >= 0 {
		if i+1 >= len(b) || b[i+1] != escapedZero {
			return nil, false
		}
		text = append(text, b[:i+1]...)
		b = b[i+2:]
		i = bytes.IndexByte(b, escapeByte)
	}
	return append(text, b...), true
}
