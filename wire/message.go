package wire

import (
	"bytes"
	"encoding/binary"

	"raisind/pgerr"
	"raisind/session"
)

// body reads the fields of a message. After the first mistake all reads give nothing,
// and finish says what was wrong.
type body struct {
	b   []byte
	bad bool
}

// text reads a string up to its NUL.
func (m *body) text() []byte {
	i := bytes.IndexByte(m.b, 0)
	if i < 0 {
		m.bad = true
		m.b = nil
		return nil
	}
	s := m.b[:i]
	m.b = m.b[i+1:]
	return s
}

// take reads n bytes.
func (m *body) take(n int) []byte {
	if n < 0 || n > len(m.b) {
		m.bad = true
		m.b = nil
		return nil
	}
	s := m.b[:n:n]
	m.b = m.b[n:]
	return s
}

func (m *body) byte() byte {
	if s := m.take(1); s != nil {
		return s[0]
	}
	return 0
}

func (m *body) uint16() int {
	if s := m.take(2); s != nil {
		return int(binary.BigEndian.Uint16(s))
	}
	return 0
}

func (m *body) int32() int32 {
	if s := m.take(4); s != nil {
		return int32(binary.BigEndian.Uint32(s))
	}
	return 0
}

// finish checks that the message was well formed to its last byte.
func (m *body) finish() error {
	if m.bad || len(m.b) > 0 {
		return pgerr.New(pgerr.ProtocolViolation, "invalid message format")
	}
	return nil
}

// decoder decodes messages into memory it uses again.
type decoder struct {
	bind session.Bind
	oids []uint32
	// last is the name seen last: a client that runs one statement again and again
	// costs no copy of its name.
	last string
}

func (d *decoder) name(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if string(b) != d.last {
		d.last = string(b)
	}
	return d.last
}

func (d *decoder) parse(b []byte) (name, text string, oids []uint32, err error) {
	m := body{b: b}
	name = d.name(m.text())
	text = string(m.text())
	d.oids = d.oids[:0]
	for range m.uint16() {
		d.oids = append(d.oids, uint32(m.int32()))
		if m.bad {
			break
		}
	}
	return name, text, d.oids, m.finish()
}

func (d *decoder) decodeBind(b []byte) (*session.Bind, error) {
	m := body{b: b}
	v := &d.bind
	v.Portal = d.name(m.text())
	v.Statement = d.name(m.text())
	v.ParamFormats = formats(&m, v.ParamFormats[:0])
	v.Params = v.Params[:0]
	for range m.uint16() {
		size := m.int32()
		switch {
		case m.bad:
		case size == -1:
			v.Params = append(v.Params, nil)
		default:
			p := m.take(int(size))
			if p == nil && !m.bad {
				p = []byte{}
			}
			v.Params = append(v.Params, p)
		}
		if m.bad {
			break
		}
	}
	v.ResultFormats = formats(&m, v.ResultFormats[:0])
	return v, m.finish()
}

func formats(m *body, dst []int16) []int16 {
	for range m.uint16() {
		dst = append(dst, int16(m.uint16()))
		if m.bad {
			break
		}
	}
	return dst
}

// target decodes Describe and Close: what kind of thing, and its name.
func (d *decoder) target(b []byte, message string) (kind byte, name string, err error) {
	m := body{b: b}
	kind = m.byte()
	name = d.name(m.text())
	if err := m.finish(); err != nil {
		return 0, "", err
	}
	if kind != 'S' && kind != 'P' {
		return 0, "", pgerr.New(pgerr.ProtocolViolation, "invalid %s message subtype %d", message, kind)
	}
	return kind, name, nil
}

func (d *decoder) execute(b []byte) (portal string, maxRows int64, err error) {
	m := body{b: b}
	portal = d.name(m.text())
	maxRows = max(int64(m.int32()), 0)
	return portal, maxRows, m.finish()
}

func query(b []byte) (string, error) {
	m := body{b: b}
	text := string(m.text())
	return text, m.finish()
}

func fatal(e *pgerr.Error) *pgerr.Error {
	f := *e
	f.Severity = pgerr.SeverityFatal
	return &f
}
