package session

import (
	"fmt"
	"io"
	"unicode/utf8"

	"raisind/pgerr"
	"raisind/sql/types"
)

// copyTextReader reads rows in text and CSV format.
type copyTextReader struct {
	opt   *copyOptions
	rel   string
	cols  []copyColumn
	env   *types.Env
	lines lineReader
	row   types.Row

	scratch []byte // the fields of a line, without escapes, one after the other
	fields  []copyField
	begun   bool

	// Where an error happened: the line as it came, the column and its value.
	line  []byte
	col   string
	value *string
}

// copyField is one field of a line, as a part of scratch.
type copyField struct {
	start, end int
	null       bool
}

// maxShown is how much of the data a context shows, in bytes.
const maxShown = 100

func shown(s string) string {
	if len(s) <= maxShown {
		return s
	}
	n := maxShown
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "..."
}

// at implements copyReader.
func (r *copyTextReader) at(err error) error {
	e := *pgerr.From(err)
	where := fmt.Sprintf("COPY %s, line %d", r.rel, r.lines.number)
	switch {
	case r.col != "" && r.value == nil:
		where += fmt.Sprintf(", column %s: null input", r.col)
	case r.col != "":
		where += fmt.Sprintf(`, column %s: "%s"`, r.col, shown(*r.value))
	case r.line != nil:
		where += fmt.Sprintf(`: "%s"`, shown(string(r.line)))
	}
	e.Where = where
	return &e
}

// next implements copyReader.
func (r *copyTextReader) next() (types.Row, error) {
	if !r.begun {
		r.begun = true
		if r.opt.header != headerNo {
			if err := r.header(); err != nil {
				return nil, err
			}
		}
	}
	if err := r.split(); err != nil {
		return nil, err
	}
	switch {
	case len(r.fields) > len(r.cols):
		return nil, r.at(pgerr.New(pgerr.BadCopyFileFormat, "extra data after last expected column"))
	case len(r.fields) < len(r.cols):
		return nil, r.at(pgerr.New(pgerr.BadCopyFileFormat, `missing data for column "%s"`, r.cols[len(r.fields)].name))
	}
	all := string(r.scratch)
	for i, f := range r.fields {
		c := &r.cols[i]
		if f.null {
			r.row[i] = types.Null
			continue
		}
		v, err := c.typ.ParseText(all[f.start:f.end], c.typmod, r.env)
		if err != nil {
			text := all[f.start:f.end]
			r.col, r.value = c.name, &text
			return nil, r.at(err)
		}
		r.row[i] = v
	}
	r.line = nil
	return r.row, nil
}

// header reads the first line, and compares it with the columns when asked to.
func (r *copyTextReader) header() error {
	err := r.split()
	if err == io.EOF || r.opt.header != headerMatch {
		return err
	}
	if err != nil {
		return err
	}
	if len(r.fields) != len(r.cols) {
		return r.at(pgerr.New(pgerr.BadCopyFileFormat, "wrong number of fields in header line: got %d, expected %d", len(r.fields), len(r.cols)))
	}
	for i, f := range r.fields {
		if name := string(r.scratch[f.start:f.end]); f.null || name != r.cols[i].name {
			return r.at(pgerr.New(pgerr.BadCopyFileFormat, `column name mismatch in header line field %d: got "%s", expected "%s"`,
				i+1, name, r.cols[i].name))
		}
	}
	return nil
}

// split reads a line and takes it apart.
func (r *copyTextReader) split() error {
	line, err := r.lines.next()
	r.line, r.col, r.value = line, "", nil
	if err == io.EOF {
		return err
	}
	if err != nil {
		return r.at(err)
	}
	if !utf8.Valid(line) {
		r.line = nil
		return r.at(validText(string(line)))
	}
	r.scratch, r.fields = r.scratch[:0], r.fields[:0]
	if r.opt.format == copyCSV {
		err = r.splitCSV(line)
	} else {
		err = r.splitText(line)
	}
	if err != nil {
		return r.at(err)
	}
	return nil
}

func (r *copyTextReader) splitText(line []byte) error {
	escaped := false
	for i := 0; ; {
		begin, start := i, len(r.scratch)
		for i < len(line) && line[i] != r.opt.delim {
			c := line[i]
			i++
			if c != '\\' || i == len(line) {
				r.scratch = append(r.scratch, c)
				continue
			}
			c = line[i]
			i++
			switch {
			case c >= '0' && c <= '7':
				v := int(c - '0')
				for n := 0; n < 2 && i < len(line) && line[i] >= '0' && line[i] <= '7'; n++ {
					v = v<<3 + int(line[i]-'0')
					i++
				}
				c, escaped = byte(v), true
			case c == 'x':
				if i < len(line) && isHex(line[i]) {
					v := 0
					for n := 0; n < 2 && i < len(line) && isHex(line[i]); n++ {
						v = v<<4 + hexValue(line[i])
						i++
					}
					c, escaped = byte(v), true
				}
			default:
				if e, ok := textEscapes[c]; ok {
					c = e
				}
			}
			r.scratch = append(r.scratch, c)
		}
		r.fields = append(r.fields, copyField{start, len(r.scratch), string(line[begin:i]) == r.opt.null})
		if i >= len(line) {
			break
		}
		i++ // the delimiter
	}
	if escaped {
		return validText(string(r.scratch))
	}
	return nil
}

var textEscapes = map[byte]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func hexValue(c byte) int {
	switch {
	case c <= '9':
		return int(c - '0')
	case c >= 'a':
		return int(c-'a') + 10
	}
	return int(c-'A') + 10
}

func (r *copyTextReader) splitCSV(line []byte) error {
	o := r.opt
	for i := 0; ; {
		start, quoted, inQuote := len(r.scratch), false, false
		for i < len(line) && (inQuote || line[i] != o.delim) {
			c := line[i]
			i++
			switch {
			case !inQuote && c == o.quote:
				inQuote, quoted = true, true
			case inQuote && c == o.escape && i < len(line) && (line[i] == o.escape || line[i] == o.quote):
				r.scratch = append(r.scratch, line[i])
				i++
			case inQuote && c == o.quote:
				inQuote = false
			default:
				r.scratch = append(r.scratch, c)
			}
		}
		if inQuote {
			return errUnterminated
		}
		f := copyField{start: start, end: len(r.scratch)}
		if n := len(r.fields); string(r.scratch[start:]) == o.null {
			force, keep := false, false
			if n < len(r.cols) {
				force, keep = r.cols[n].forceNull, r.cols[n].forceNotNull
			}
			f.null = !quoted && !keep || quoted && force
		}
		r.fields = append(r.fields, f)
		if i >= len(line) {
			return nil
		}
		i++
	}
}
