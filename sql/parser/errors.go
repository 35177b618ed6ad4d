package parser

import (
	"errors"
	"fmt"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"raisind/pgerr"
)

// fault is an error at an offset of the statement, before the text is at hand.
type fault struct {
	at  int
	err *pgerr.Error // nil for a syntax error
	msg string       // instead of "syntax error"
}

func (f *fault) Error() string {
	if f.err != nil {
		return f.err.Msg
	}
	return fmt.Sprintf("syntax error at byte %d", f.at)
}

// report makes of an error what PostgreSQL says about the text.
func report(src *source, lex *lexer.PeekingLexer, err error) error {
	var f *fault
	var unexpected *participle.UnexpectedTokenError
	var other participle.Error
	var done *pgerr.Error
	switch {
	case errors.As(err, &f):
	case errors.As(err, &done):
		return done
	case errors.As(err, &unexpected):
		f = &fault{at: unexpected.Unexpected.Pos.Offset}
	case errors.As(err, &other):
		f = &fault{at: other.Position().Offset}
	default:
		return pgerr.Wrap(err, pgerr.InternalError, "parse: %v", err)
	}
	at := src.base + f.at
	if f.err != nil {
		return f.err.At(pgerr.CharPos(src.src, at))
	}
	if src.limit != nil && at >= src.bad {
		return src.limit
	}
	msg := f.msg
	if msg == "" {
		msg = "syntax error"
	}
	s := scanner{src: src.src, pos: at}
	switch typ, _ := s.scan(); {
	case typ == tokBad:
		return s.err
	case typ == tokEOF:
		s.fail(pgerr.SyntaxError, msg, len(src.src), 0)
	default:
		s.fail(pgerr.SyntaxError, msg, s.start, s.pos)
	}
	return s.err
}
