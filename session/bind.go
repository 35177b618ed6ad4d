package session

import (
	"context"
	"strconv"

	"raisind/pgerr"
	"raisind/sql/types"
)

// Bind is a Bind message. Its slices live until Bind returns.
type Bind struct {
	Portal, Statement string
	// ParamFormats are none (all text), one for all, or one a parameter.
	ParamFormats []int16
	// Params are nil for NULL.
	Params        [][]byte
	ResultFormats []int16
}

// Bind handles a Bind message: it makes a portal.
func (s *Session) Bind(ctx context.Context, b *Bind) error {
	return s.handle(ctx, func(ctx context.Context) error {
		prep, err := s.statement(b.Statement)
		if err != nil {
			return err
		}
		s.runs(prep.text)
		if s.failedBlock() && (len(prep.params) > 0 || prep.stmt.Node == nil || s.mayRun(prep.stmt.Node) != nil) {
			return abortedError()
		}
		if err := checkFormats(b, prep); err != nil {
			return err
		}
		p, err := s.newPortal(b.Portal, prep)
		if err != nil {
			return err
		}
		if p.params, err = s.bindParams(p.params[:0], b, prep); err != nil {
			return err
		}
		if err := s.revalidate(ctx, prep); err != nil {
			return err
		}
		p.plan = prep.plan
		cols := prep.cols
		if prep.plan == nil && prep.stmt.Node != nil {
			cols = s.utilityColumns(prep)
		}
		formats := b.ResultFormats
		if len(formats) > 1 && len(formats) != len(cols) {
			return pgerr.New(pgerr.ProtocolViolation, "bind message has %d result formats but query has %d columns", len(formats), len(cols))
		}
		p.result = Result{Columns: cols, Formats: append(p.result.Formats[:0], formats...), Env: s.env}
		s.portals[p.name] = p
		return nil
	})
}

func checkFormats(b *Bind, prep *prepared) error {
	if n := len(b.ParamFormats); n > 1 && n != len(b.Params) {
		return pgerr.New(pgerr.ProtocolViolation, "bind message has %d parameter formats but %d parameters", n, len(b.Params))
	}
	if len(b.Params) != len(prep.params) {
		return pgerr.New(pgerr.ProtocolViolation, `bind message supplies %d parameters, but prepared statement "%s" requires %d`,
			len(b.Params), b.Statement, len(prep.params))
	}
	for i, f := range b.ParamFormats {
		if f != 0 && f != 1 {
			return paramError(badFormat(f), b, i, false)
		}
	}
	for _, f := range b.ResultFormats {
		if f != 0 && f != 1 {
			return badFormat(f)
		}
	}
	return nil
}

func badFormat(code int16) error {
	return pgerr.New(pgerr.InvalidParameterValue, "unsupported format code: %d", code)
}

// bindParams reads the parameter values.
func (s *Session) bindParams(dst []types.Datum, b *Bind, prep *prepared) ([]types.Datum, error) {
	size := 0
	for _, v := range b.Params {
		size += len(v)
	}
	// One copy of all text holds for as long as any value of it lives.
	text := ""
	if size > 0 && !(len(b.ParamFormats) == 1 && b.ParamFormats[0] == 1) {
		all := make([]byte, 0, size)
		for _, v := range b.Params {
			all = append(all, v...)
		}
		text = string(all)
	}
	at := 0
	for i, raw := range b.Params {
		if raw == nil {
			dst = append(dst, types.Null)
			continue
		}
		binary := len(b.ParamFormats) == 1 && b.ParamFormats[0] == 1 || len(b.ParamFormats) > 1 && b.ParamFormats[i] == 1
		var v types.Datum
		var err error
		t := inputType(prep.params[i])
		if binary {
			v, err = t.ParseBinary(raw, -1)
		} else {
			str := text[at : at+len(raw)]
			if err = validText(str); err == nil {
				v, err = t.ParseText(str, -1, s.env)
			}
		}
		at += len(raw)
		if err != nil {
			return nil, paramError(err, b, i, !binary)
		}
		dst = append(dst, v)
	}
	return dst, nil
}

// inputType is the type a parameter is read as: one whose type was never settled is text.
func inputType(t *types.Type) *types.Type {
	if t == nil || t == types.TUnknown {
		return types.TText
	}
	return t
}

// paramError tells which parameter an error is about. Values of parameters are nobody
// else's business, so that a text is only hinted at.
func paramError(err error, b *Bind, i int, text bool) error {
	e := *pgerr.From(err)
	e.Where = "unnamed portal"
	if b.Portal != "" {
		e.Where = `portal "` + b.Portal + `"`
	}
	e.Where += " parameter $" + strconv.Itoa(i+1)
	if text {
		e.Where += " = '...'"
	}
	return &e
}
