package types

import (
	"encoding/binary"
	"strings"

	"raisind/pgerr"
)

// parseComposite reads a row in PostgreSQL's text form: (1,"a b",).
func parseComposite(t *Type, s string, _ int32, env *Env) (Datum, error) {
	bad := func(detail string) (Datum, error) {
		return Null, pgerr.New(pgerr.InvalidTextRepresentation, "malformed record literal: \"%s\"", s).WithDetail("%s", detail)
	}
	fields := t.Fields()
	r := newRecord(t)
	text := strings.TrimLeft(s, " \t\n\r\v\f")
	if !strings.HasPrefix(text, "(") {
		return bad("Missing left parenthesis.")
	}
	text = text[1:]
	for i := range fields {
		if i > 0 {
			if !strings.HasPrefix(text, ",") {
				return bad("Too few columns.")
			}
			text = text[1:]
		}
		if text == "" {
			return bad("Unexpected end of input.")
		}
		if text[0] == ',' || text[0] == ')' {
			continue
		}
		var b strings.Builder
		quoted := false
		for quoted || text == "" || text[0] != ',' && text[0] != ')' {
			if text == "" {
				return bad("Unexpected end of input.")
			}
			c := text[0]
			text = text[1:]
			switch {
			case c == '\\':
				if text == "" {
					return bad("Unexpected end of input.")
				}
				b.WriteByte(text[0])
				text = text[1:]
			case c == '"' && quoted && strings.HasPrefix(text, `"`):
				b.WriteByte('"')
				text = text[1:]
			case c == '"':
				quoted = !quoted
			default:
				b.WriteByte(c)
			}
		}
		v, err := fields[i].Type.ParseText(b.String(), fields[i].Typmod, env)
		if err != nil {
			return Null, err
		}
		r.Fields[i] = v
	}
	if strings.HasPrefix(text, ",") {
		return bad("Too many columns.")
	}
	if strings.TrimRight(text, " \t\n\r\v\f") != ")" {
		return bad("Junk after right parenthesis.")
	}
	return Ref(r), nil
}

func newRecord(t *Type) *Record {
	fields := t.Fields()
	r := &Record{Names: make([]string, len(fields)), Types: make([]*Type, len(fields)), Fields: make([]Datum, len(fields))}
	for i, f := range fields {
		r.Names[i], r.Types[i] = f.Name, f.Type
	}
	return r
}

// recvComposite reads a row in PostgreSQL's binary form. A row that was stored before
// fields were added has fewer.
func recvComposite(t *Type, b []byte, _ int32) (Datum, error) {
	bad := func() (Datum, error) {
		return Null, pgerr.New(pgerr.InvalidBinaryRepresentation, "wrong number of columns or length in a row of type %s", t.Name)
	}
	if len(b) < 4 {
		return bad()
	}
	n := binary.BigEndian.Uint32(b)
	b = b[4:]
	fields := t.Fields()
	if n > uint32(len(fields)) {
		return bad()
	}
	r := newRecord(t)
	for i := range n {
		if len(b) < 8 {
			return bad()
		}
		size := int32(binary.BigEndian.Uint32(b[4:]))
		b = b[8:]
		if size < 0 {
			continue
		}
		if int(size) > len(b) {
			return bad()
		}
		v, err := fields[i].Type.ParseBinary(b[:size], fields[i].Typmod)
		if err != nil {
			return Null, err
		}
		r.Fields[i] = v
		b = b[size:]
	}
	return Ref(r), nil
}
