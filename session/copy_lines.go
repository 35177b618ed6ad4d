package session

import (
	"errors"
	"io"

	"raisind/pgerr"
)

// lineReader cuts COPY data into logical lines: in text format a backslash keeps the
// newline after it in the line, in CSV quotes do.
type lineReader struct {
	in            *copyIn
	csv           bool
	quote, escape byte

	buf        []byte
	start, end int  // the unread part of buf
	over       bool // the end-of-data marker has been read
	number     int64
	eol        lineEnd
}

// lineEnd is how the first line of the data ended; the others must end likewise.
type lineEnd uint8

const (
	eolUnknown lineEnd = iota
	eolNL
	eolCR
	eolCRNL
)

// maxLineBytes bounds one line.
const maxLineBytes = 1 << 30

// fill reads more data behind what is there; false at the end.
func (l *lineReader) fill() (bool, error) {
	b, err := l.in.read()
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if l.start > 0 {
		l.end = copy(l.buf, l.buf[l.start:l.end])
		l.start = 0
	}
	if l.end+len(b) > maxLineBytes {
		return false, pgerr.New(pgerr.ProgramLimitExceeded, "a line of COPY data is longer than %d bytes", maxLineBytes)
	}
	l.buf = append(l.buf[:l.end], b...)
	l.end = len(l.buf)
	return true, nil
}

// next returns the next line without its end. The slice lives until the following next.
func (l *lineReader) next() ([]byte, error) {
	if l.over {
		return nil, io.EOF
	}
	l.number++
	i := 0 // offset from start
	inQuote, lastEscape := false, false
	peek := func(at int) (byte, bool, error) {
		for l.start+at >= l.end {
			ok, err := l.fill()
			if err != nil || !ok {
				return 0, false, err
			}
		}
		return l.buf[l.start+at], true, nil
	}
	for {
		c, ok, err := peek(i)
		if err != nil {
			return nil, err
		}
		if !ok {
			l.over = true
			if i == 0 {
				return nil, io.EOF
			}
			line := l.buf[l.start : l.start+i]
			l.start += i
			if inQuote {
				return line, errUnterminated
			}
			return line, nil
		}
		if l.csv {
			if inQuote && c == l.escape && l.escape != l.quote {
				lastEscape = !lastEscape
			}
			if c == l.quote && !lastEscape {
				inQuote = !inQuote
			}
			if c != l.escape || l.escape == l.quote {
				lastEscape = false
			}
			if inQuote {
				if c == '\n' && l.eol == eolNL || c == '\r' && l.eol != eolNL { // PostgreSQL's way to count
					l.number++
				}
				i++
				continue
			}
		}
		switch {
		case c == '\\' && (!l.csv || i == 0):
			d, ok, err := peek(i + 1)
			if err != nil {
				return nil, err
			}
			if ok && d == '.' {
				ended, err := l.marker(peek, i)
				if err != nil {
					return nil, err
				}
				if ended {
					l.over = true
					line := l.buf[l.start : l.start+i]
					if i == 0 {
						return nil, io.EOF
					}
					return line, nil
				}
			}
			if l.csv || !ok {
				i++
			} else {
				i += 2
			}
		case c == '\n' || c == '\r':
			width, err := l.lineEnd(peek, i, c)
			if err != nil {
				return nil, err
			}
			line := l.buf[l.start : l.start+i]
			l.start += i + width
			return line, nil
		default:
			i++
		}
	}
}

// errUnterminated marks a line that ended within quotes.
var errUnterminated = pgerr.New(pgerr.BadCopyFileFormat, "unterminated CSV quoted field")

type peeker func(int) (byte, bool, error)

// marker looks whether \. at i is the end-of-data marker, which is the last of its line.
func (l *lineReader) marker(peek peeker, i int) (bool, error) {
	c, ok, err := peek(i + 2)
	if err != nil || !ok || c == '\n' || c == '\r' {
		return err == nil, err
	}
	if l.csv {
		return false, nil
	}
	return false, pgerr.New(pgerr.BadCopyFileFormat, "end-of-copy marker corrupt")
}

// lineEnd checks that a line ends as the first one did, and returns how many bytes that are.
func (l *lineReader) lineEnd(peek peeker, i int, c byte) (int, error) {
	kind, width := eolNL, 1
	if c == '\r' {
		kind = eolCR
		d, ok, err := peek(i + 1)
		if err != nil {
			return 0, err
		}
		if ok && d == '\n' {
			kind, width = eolCRNL, 2
		}
	}
	if l.eol == eolUnknown {
		l.eol = kind
	}
	if l.eol == kind {
		return width, nil
	}
	if l.eol == eolCR && kind == eolCRNL {
		return 1, nil // the newline is found at the next line's start
	}
	word, name := "newline", `\n`
	if c == '\r' {
		word, name = "carriage return", `\r`
	}
	if l.csv {
		return 0, pgerr.New(pgerr.BadCopyFileFormat, "unquoted %s found in data", word).
			WithHint("Use quoted CSV field to represent %s.", word)
	}
	return 0, pgerr.New(pgerr.BadCopyFileFormat, "literal %s found in data", word).
		WithHint(`Use "%s" to represent %s.`, name, word)
}
