package plpgsql

import (
	"strings"

	"raisind/pgerr"
	"raisind/sql/types"
)

// shown computes an expression as text, NULL as null.
func (f *frame) shown(q *fragment, null string) (string, bool, error) {
	v, t, _, err := f.evalExpr(q)
	if err != nil {
		return "", false, err
	}
	if v.IsNull() {
		return null, false, nil
	}
	return string(t.AppendText(nil, v, f.env())), true, nil
}

// raise raises an error or sends a message.
func (f *frame) raise(s *raise) error {
	if s.again {
		if f.err == nil {
			return pgerr.New(pgerr.StackedDiagnosticsAccessed, "RAISE without parameters cannot be used outside an exception handler")
		}
		e := *f.err
		e.Where = innermost(e.Where, f.in.context())
		f.rethrown = &e
		return &e
	}
	e := &pgerr.Error{Severity: s.level}
	code, hasMessage := s.code, false
	if s.cond != "" {
		e.Msg = s.cond
	}
	if s.hasText {
		var b strings.Builder
		next := 0
		for i := 0; i < len(s.format); i++ {
			if s.format[i] != '%' {
				b.WriteByte(s.format[i])
				continue
			}
			if i+1 < len(s.format) && s.format[i+1] == '%' {
				b.WriteByte('%')
				i++
				continue
			}
			text, _, err := f.shown(s.args[next], "<NULL>")
			if err != nil {
				return err
			}
			next++
			b.WriteString(text)
		}
		e.Msg, hasMessage = b.String(), true
	}
	seen := map[string]bool{}
	for _, o := range s.options {
		text, ok, err := f.shown(o.value, "")
		if err != nil {
			return err
		}
		if !ok {
			return pgerr.New(pgerr.NullValueNotAllowed, "RAISE statement option cannot be null")
		}
		twice := seen[o.name]
		seen[o.name] = true
		switch o.name {
		case "errcode":
			twice = twice || code != ""
			if codes := codesOf(text); codes != nil {
				code = codes[0]
			} else if validState(text) {
				code = text
			} else if !twice {
				return pgerr.New(pgerr.UndefinedObject, `unrecognized exception condition "%s"`, text)
			}
			if !hasMessage {
				e.Msg = text
			}
		case "message":
			twice = twice || s.hasText
			e.Msg, hasMessage = text, true
		case "detail":
			e.Detail = text
		case "hint":
			e.Hint = text
		case "column":
			e.Column = text
		case "constraint":
			e.Constraint = text
		case "datatype":
			e.DataType = text
		case "table":
			e.Table = text
		case "schema":
			e.Schema = text
		}
		if twice {
			return pgerr.New(pgerr.SyntaxError, "RAISE option already specified: %s", strings.ToUpper(o.name))
		}
	}
	if code == "" && s.level == pgerr.SeverityError {
		code = pgerr.RaiseException.String()
	}
	if e.Msg == "" && !hasMessage {
		e.Msg = code
	}
	if s.level == pgerr.SeverityError {
		e.Severity = ""
		e.Code = pgerr.StateCode(code)
		return e
	}
	switch {
	case code != "":
		e.Code = pgerr.StateCode(code)
	case s.level == pgerr.SeverityWarning:
		e.Code = pgerr.WarningCode
	default:
		e.Code = pgerr.SuccessfulCompletion
	}
	e.Where = f.in.context()
	f.in.host.Notice(e)
	return nil
}

// innermost leaves of the context of a caught error what lies below the calls that are
// still open: those are added again on the way out.
func innermost(where, open string) string {
	// The caught error's context ends in the whole stack at that time, whose last lines are
	// those of the calls above this one.
	outer := ""
	if i := strings.IndexByte(open, '\n'); i >= 0 {
		outer = open[i+1:]
	}
	where = strings.TrimSuffix(where, outer)
	return strings.TrimSuffix(where, "\n")
}

func (f *frame) assert(s *assert) error {
	if v, ok := f.in.host.Funcs(f.ctx).Session.Setting("plpgsql.check_asserts"); ok && v == "off" {
		return nil
	}
	v, t, _, err := f.evalExpr(s.cond)
	if err != nil {
		return err
	}
	if t != types.TBool {
		if v, err = f.cast(v, t, types.TBool, -1); err != nil {
			return err
		}
	}
	if !v.IsNull() && v.Bool() {
		return nil
	}
	e := pgerr.New(pgerr.AssertFailure, "assertion failed")
	if s.message != nil {
		text, ok, err := f.shown(s.message, "")
		if err != nil {
			return err
		}
		if ok {
			e.Msg = text
		}
	}
	return e
}

func (f *frame) getDiag(s *getDiag) error {
	if s.stacked && f.err == nil {
		return pgerr.New(pgerr.StackedDiagnosticsAccessed, "GET STACKED DIAGNOSTICS cannot be used outside an exception handler")
	}
	for i := range s.items {
		it := &s.items[i]
		v, t := types.Null, types.TText
		e := f.err
		switch it.what {
		case "row_count":
			v, t = types.Int(f.processed), types.TInt8
		case "pg_context":
			v = types.Str(f.in.context())
		case "returned_sqlstate":
			v = types.Str(e.Code.String())
		case "message_text":
			v = types.Str(e.Msg)
		case "pg_exception_detail":
			v = types.Str(e.Detail)
		case "pg_exception_hint":
			v = types.Str(e.Hint)
		case "pg_exception_context":
			v = types.Str(e.Where)
		case "column_name":
			v = types.Str(e.Column)
		case "constraint_name":
			v = types.Str(e.Constraint)
		case "pg_datatype_name":
			v = types.Str(e.DataType)
		case "table_name":
			v = types.Str(e.Table)
		case "schema_name":
			v = types.Str(e.Schema)
		}
		if err := f.assignTo(&it.to, v, t, -1); err != nil {
			return err
		}
	}
	return nil
}
