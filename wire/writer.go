package wire

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/jackc/pgx/v5/pgproto3"

	"raisind/pgerr"
	"raisind/session"
	"raisind/sql/types"
)

const (
	// flushBytes is how much is gathered before it is sent on while rows stream.
	flushBytes = 64 << 10
	// keepWriteBytes: a larger buffer is given back once it was sent.
	keepWriteBytes = 256 << 10
)

// writer gathers messages and sends them in few writes. The first failure to write
// sticks: nothing is sent after it.
type writer struct {
	dst io.Writer
	buf []byte
	err error
}

// send gathers one message.
func (w *writer) send(m pgproto3.BackendMessage) {
	buf, err := m.Encode(w.buf)
	if err != nil { // a message beyond the protocol's own bounds
		w.fail(err)
		return
	}
	w.buf = buf
}

// mark gathers a message without fields.
func (w *writer) mark(typ byte) { w.buf = append(w.buf, typ, 0, 0, 0, 4) }

func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// flush sends what was gathered.
func (w *writer) flush() error {
	if w.err == nil && len(w.buf) > 0 {
		if _, err := w.dst.Write(w.buf); err != nil {
			w.fail(fmt.Errorf("write to client: %w", err))
		}
	}
	w.buf = w.buf[:0]
	if cap(w.buf) > keepWriteBytes {
		w.buf = nil
	}
	return w.err
}

// flushFull sends what was gathered when it is enough.
func (w *writer) flushFull() error {
	if len(w.buf) < flushBytes {
		return w.err
	}
	return w.flush()
}

// sendError gathers an error.
func (w *writer) sendError(err error) { w.send(pgerr.Response(err)) }

// begin gathers the head of a message; finish fills in its length.
func (w *writer) begin(typ byte) (at int) {
	w.buf = append(w.buf, typ, 0, 0, 0, 0)
	return len(w.buf) - 4
}

func (w *writer) finish(at int) {
	binary.BigEndian.PutUint32(w.buf[at:], uint32(len(w.buf)-at))
}

// Describe implements session.Client.
func (w *writer) Describe(r *session.Result) {
	at := w.begin('T')
	b := binary.BigEndian.AppendUint16(w.buf, uint16(len(r.Columns)))
	for i := range r.Columns {
		c := &r.Columns[i]
		b = append(append(b, c.Name...), 0)
		b = binary.BigEndian.AppendUint32(b, c.TableOID)
		b = binary.BigEndian.AppendUint16(b, uint16(c.AttNum))
		b = binary.BigEndian.AppendUint32(b, c.Type.OID)
		b = binary.BigEndian.AppendUint16(b, uint16(c.Type.Len))
		b = binary.BigEndian.AppendUint32(b, uint32(c.Typmod))
		var format byte
		if r.Binary(i) {
			format = 1
		}
		b = append(b, 0, format)
	}
	w.buf = b
	w.finish(at)
}

// describeParams tells the types of a statement's parameters.
func (w *writer) describeParams(params []*types.Type) {
	at := w.begin('t')
	w.buf = binary.BigEndian.AppendUint16(w.buf, uint16(len(params)))
	for _, t := range params {
		var oid uint32
		if t != nil {
			oid = t.OID
		}
		w.buf = binary.BigEndian.AppendUint32(w.buf, oid)
	}
	w.finish(at)
}

// Row implements session.Client.
func (w *writer) Row(r *session.Result, row types.Row) error {
	n := len(r.Columns)
	at := len(w.buf)
	buf := append(w.buf, 'D', 0, 0, 0, 0, byte(n>>8), byte(n))
	for i := range n {
		if row[i].IsNull() {
			buf = append(buf, 0xff, 0xff, 0xff, 0xff)
			continue
		}
		v := len(buf)
		buf = append(buf, 0, 0, 0, 0)
		if r.Binary(i) {
			buf = r.Columns[i].Type.AppendBinary(buf, row[i])
		} else {
			buf = r.Columns[i].Type.AppendText(buf, row[i], r.Env)
		}
		binary.BigEndian.PutUint32(buf[v:], uint32(len(buf)-v-4))
	}
	if len(buf)-at > math.MaxInt32/2 {
		return pgerr.New(pgerr.ProgramLimitExceeded, "a row of %d bytes is too long to be sent", len(buf)-at)
	}
	binary.BigEndian.PutUint32(buf[at+1:], uint32(len(buf)-at-1))
	w.buf = buf
	return w.flushFull()
}

// Complete implements session.Client.
func (w *writer) Complete(tag session.Tag) {
	at := w.begin('C')
	w.buf = append(tag.Append(w.buf), 0)
	w.finish(at)
}

// Empty implements session.Client.
func (w *writer) Empty() { w.mark('I') }

// Suspended implements session.Client.
func (w *writer) Suspended() { w.mark('s') }

// Notice implements session.Client.
func (w *writer) Notice(e *pgerr.Error) { w.send(pgerr.NoticeResponse(e)) }

// CopyOut implements session.Client.
func (w *writer) CopyOut(format int8, columns int) {
	w.send(&pgproto3.CopyOutResponse{OverallFormat: byte(format), ColumnFormatCodes: columnFormats(format, columns)})
}

func columnFormats(format int8, columns int) []uint16 {
	codes := make([]uint16, columns)
	for i := range codes {
		codes[i] = uint16(format)
	}
	return codes
}

// CopyData implements session.Client.
func (w *writer) CopyData(b []byte) error {
	w.buf = append(w.buf, 'd')
	w.buf = binary.BigEndian.AppendUint32(w.buf, uint32(len(b)+4))
	w.buf = append(w.buf, b...)
	return w.flushFull()
}

// CopyDone implements session.Client.
func (w *writer) CopyDone() { w.mark('c') }
