package session

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"raisind/pgerr"
	"raisind/sql/types"
)

// binarySignature begins COPY data in binary format.
const binarySignature = "PGCOPY\n\xff\r\n\x00"

// copyBinaryReader reads rows in binary format.
type copyBinaryReader struct {
	in    *copyIn
	rel   string
	cols  []copyColumn
	row   types.Row
	buf   []byte
	start int
	begun bool
	count int64
	col   string
}

// at implements copyReader.
func (r *copyBinaryReader) at(err error) error {
	e := *pgerr.From(err)
	e.Where = fmt.Sprintf("COPY %s, line %d", r.rel, r.count)
	if r.col != "" {
		e.Where += ", column " + r.col
	}
	return &e
}

// take returns the next n bytes, which live until the following take.
func (r *copyBinaryReader) take(n int) ([]byte, error) {
	for len(r.buf)-r.start < n {
		b, err := r.in.read()
		if err != nil {
			return nil, err
		}
		r.buf = append(r.buf[:copy(r.buf, r.buf[r.start:])], b...)
		r.start = 0
	}
	b := r.buf[r.start : r.start+n]
	r.start += n
	return b, nil
}

func (r *copyBinaryReader) number32(what string) (int32, error) {
	b, err := r.take(4)
	if err != nil {
		return 0, r.cut(err, what)
	}
	return int32(binary.BigEndian.Uint32(b)), nil
}

// cut makes an end of the data an error.
func (r *copyBinaryReader) cut(err error, what string) error {
	if errors.Is(err, io.EOF) {
		return r.at(pgerr.New(pgerr.BadCopyFileFormat, "%s", what))
	}
	return err
}

func (r *copyBinaryReader) begin() error {
	b, err := r.take(len(binarySignature))
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if string(b) != binarySignature {
		return pgerr.New(pgerr.BadCopyFileFormat, "COPY file signature not recognized")
	}
	flags, err := r.number32("invalid COPY file header (missing flags)")
	if err != nil {
		return err
	}
	if flags&(1<<16) != 0 {
		return pgerr.New(pgerr.BadCopyFileFormat, "invalid COPY file header (WITH OIDS)")
	}
	if uint32(flags)>>16 != 0 {
		return pgerr.New(pgerr.BadCopyFileFormat, "unrecognized critical flags in COPY file header")
	}
	ext, err := r.number32("invalid COPY file header (missing length)")
	if err != nil {
		return err
	}
	if ext < 0 {
		return pgerr.New(pgerr.BadCopyFileFormat, "invalid COPY file header (wrong length)")
	}
	if _, err := r.take(int(ext)); err != nil {
		return r.cut(err, "invalid COPY file header (wrong length)")
	}
	return nil
}

// next implements copyReader.
func (r *copyBinaryReader) next() (types.Row, error) {
	if !r.begun {
		r.begun = true
		if err := r.begin(); err != nil {
			return nil, err
		}
	}
	r.count++
	r.col = ""
	b, err := r.take(2)
	if err != nil {
		return nil, err // the trailer may be missing
	}
	n := int16(binary.BigEndian.Uint16(b))
	if n == -1 {
		if _, err := r.take(1); err == nil {
			return nil, r.at(pgerr.New(pgerr.BadCopyFileFormat, "received copy data after EOF marker"))
		} else if !errors.Is(err, io.EOF) {
			return nil, err
		}
		return nil, io.EOF
	}
	if int(n) != len(r.cols) {
		return nil, r.at(pgerr.New(pgerr.BadCopyFileFormat, "row field count is %d, expected %d", n, len(r.cols)))
	}
	for i := range r.cols {
		c := &r.cols[i]
		r.col = c.name
		size, err := r.number32("unexpected EOF in COPY data")
		if err != nil {
			return nil, err
		}
		switch {
		case size == -1:
			r.row[i] = types.Null
			continue
		case size < 0 || size > maxLineBytes:
			return nil, r.at(pgerr.New(pgerr.BadCopyFileFormat, "invalid field size"))
		}
		b, err := r.take(int(size))
		if err != nil {
			return nil, r.cut(err, "unexpected EOF in COPY data")
		}
		if r.row[i], err = c.typ.ParseBinary(b, c.typmod); err != nil {
			return nil, r.at(err)
		}
	}
	r.col = ""
	return r.row, nil
}

// copyWriter writes the rows of COPY TO, one message each.
type copyWriter struct {
	opt  *copyOptions
	cols []copyColumn
	env  *types.Env
	send func([]byte) error
	out  []byte
	val  []byte
}

func (w *copyWriter) begin() error {
	switch {
	case w.opt.format == copyBinary: // goes out with what comes first after it
		w.out = append(append(w.out[:0], binarySignature...), 0, 0, 0, 0, 0, 0, 0, 0)
		return nil
	case w.opt.header == headerNo:
		return nil
	}
	w.out = w.out[:0]
	for i, c := range w.cols {
		if i > 0 {
			w.out = append(w.out, w.opt.delim)
		}
		w.field([]byte(c.name), false)
	}
	w.out = append(w.out, '\n')
	return w.send(w.out)
}

func (w *copyWriter) end() error {
	if w.opt.format != copyBinary {
		return nil
	}
	return w.send(append(w.out, 0xff, 0xff))
}

func (w *copyWriter) row(row types.Row) error {
	if w.opt.format == copyBinary {
		return w.binaryRow(row)
	}
	w.out = w.out[:0]
	for i := range w.cols {
		if i > 0 {
			w.out = append(w.out, w.opt.delim)
		}
		if row[i].IsNull() {
			w.out = append(w.out, w.opt.null...)
			continue
		}
		w.val = w.cols[i].typ.AppendText(w.val[:0], row[i], w.env)
		w.field(w.val, w.cols[i].forceQuote)
	}
	w.out = append(w.out, '\n')
	return w.send(w.out)
}

func (w *copyWriter) field(v []byte, force bool) {
	if w.opt.format == copyCSV {
		w.csvField(v, force)
		return
	}
	for _, c := range v {
		switch {
		case c >= '\b' && c <= '\r':
			w.out = append(w.out, '\\', "btnvfr"[c-'\b'])
		case c == '\\' || c == w.opt.delim:
			w.out = append(w.out, '\\', c)
		default:
			w.out = append(w.out, c)
		}
	}
}

func (w *copyWriter) csvField(v []byte, force bool) {
	o := w.opt
	quote := force || string(v) == o.null || len(w.cols) == 1 && string(v) == `\.`
	for _, c := range v {
		quote = quote || c == o.delim || c == o.quote || c == '\n' || c == '\r'
	}
	if !quote {
		w.out = append(w.out, v...)
		return
	}
	w.out = append(w.out, o.quote)
	for _, c := range v {
		if c == o.quote || c == o.escape {
			w.out = append(w.out, o.escape)
		}
		w.out = append(w.out, c)
	}
	w.out = append(w.out, o.quote)
}

func (w *copyWriter) binaryRow(row types.Row) error {
	if len(row) > math.MaxInt16 {
		return pgerr.New(pgerr.TooManyColumns, "COPY in binary format holds at most %d columns", math.MaxInt16)
	}
	w.out = binary.BigEndian.AppendUint16(w.out, uint16(len(w.cols)))
	for i := range w.cols {
		if row[i].IsNull() {
			w.out = append(w.out, 0xff, 0xff, 0xff, 0xff)
			continue
		}
		at := len(w.out)
		w.out = w.cols[i].typ.AppendBinary(append(w.out, 0, 0, 0, 0), row[i])
		binary.BigEndian.PutUint32(w.out[at:], uint32(len(w.out)-at-4))
	}
	err := w.send(w.out)
	w.out = w.out[:0]
	return err
}
