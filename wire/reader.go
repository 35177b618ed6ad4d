package wire

import (
	"encoding/binary"
	"io"

	"raisind/pgerr"
)

const (
	readBytes     = 16 << 10 // the buffer of a quiet connection
	growStep      = 1 << 20  // a large message's buffer grows by at most this ahead of its bytes
	keepReadBytes = 64 << 10 // a larger buffer is given back when it is empty

	// smallMessageBytes bounds messages that carry no data, as PostgreSQL does.
	smallMessageBytes = 10_000
	headerBytes       = 5
)

// reader cuts what a client sends into messages. pgproto3.Backend is not used for it: a
// malformed message must be told from a broken stream, a read that timed out must go on
// where it stopped, and a message's claim of a length must not be believed before its
// bytes are there.
type reader struct {
	src        io.Reader
	buf        []byte
	start, end int
	maxBytes   int
}

func newReader(src io.Reader, maxBytes int) *reader {
	return &reader{src: src, buf: make([]byte, readBytes), maxBytes: maxBytes}
}

// next returns the next message: its type and its body, which lives until the following
// next. After an error of the source, such as a timeout, next may be called again.
func (r *reader) next() (typ byte, body []byte, err error) {
	if r.start == r.end && len(r.buf) > keepReadBytes {
		r.buf = make([]byte, readBytes)
		r.start, r.end = 0, 0
	}
	if err := r.need(headerBytes); err != nil {
		return 0, nil, err
	}
	typ = r.buf[r.start]
	limit := r.limit(typ)
	if limit == 0 {
		return 0, nil, fatal(pgerr.New(pgerr.ProtocolViolation, "invalid frontend message type %d", typ))
	}
	n := int(int32(binary.BigEndian.Uint32(r.buf[r.start+1:]))) - 4
	if n < 0 || n > limit {
		return 0, nil, fatal(pgerr.New(pgerr.ProtocolViolation, "invalid message length"))
	}
	if err := r.need(headerBytes + n); err != nil {
		return 0, nil, err
	}
	body = r.buf[r.start+headerBytes : r.start+headerBytes+n : r.start+headerBytes+n]
	r.start += headerBytes + n
	return typ, body, nil
}

// buffered reports whether bytes of a further message have arrived.
func (r *reader) buffered() bool { return r.start < r.end }

// limit is the longest body of a message type, 0 for types no client sends.
func (r *reader) limit(typ byte) int {
	switch typ {
	case 'Q', 'P', 'B', 'F', 'd':
		return r.maxBytes
	case 'E', 'D', 'C', 'S', 'H', 'X', 'c', 'f':
		return min(smallMessageBytes, r.maxBytes)
	}
	return 0
}

// need makes n bytes available from start on.
func (r *reader) need(n int) error {
	for r.end-r.start < n {
		if r.start > 0 && (r.start == r.end || len(r.buf)-r.start < n) {
			r.end = copy(r.buf, r.buf[r.start:r.end])
			r.start = 0
		}
		if r.end == len(r.buf) {
			size := min(n, max(2*len(r.buf), min(n, len(r.buf)+growStep)))
			grown := make([]byte, max(size, readBytes))
			copy(grown, r.buf[:r.end])
			r.buf = grown
		}
		k, err := r.src.Read(r.buf[r.end:])
		r.end += k
		if err != nil && r.end-r.start < n {
			return err
		}
	}
	return nil
}
