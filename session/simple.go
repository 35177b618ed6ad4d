package session

import (
	"context"

	"raisind/pgerr"
	"raisind/sql/parser"
)

// Query handles a Query message: statements that are one transaction, unless they
// begin or end one themselves, and of which the first error is the last word.
func (s *Session) Query(ctx context.Context, text string) error {
	return s.handle(ctx, func(ctx context.Context) error {
		s.runs(text)
		s.unnamed = nil
		if p, ok := s.portals[""]; ok {
			s.dropPortal(p)
		}
		if err := validText(text); err != nil {
			return err
		}
		stmts, keep, err := s.engine.cache.parse(text)
		if err != nil {
			return err
		}
		if len(stmts) == 0 {
			s.client.Empty()
			return s.endMessage(ctx)
		}
		for i, st := range stmts {
			if err := s.mayRun(st.Node); err != nil {
				return err
			}
			if len(stmts) > 1 && (s.tx == nil || !s.tx.block) {
				s.ensureTx().implicitBlock = true
			}
			tag, err := s.runSimple(ctx, text, st, keep)
			if err != nil {
				return err
			}
			if i == len(stmts)-1 {
				if err := s.endMessage(ctx); err != nil {
					return err
				}
			}
			s.client.Complete(tag)
		}
		return nil
	})
}

// endMessage ends a transaction that is not a block.
func (s *Session) endMessage(ctx context.Context) error {
	if s.tx == nil || s.tx.block {
		return nil
	}
	return s.commit(ctx)
}

// runSimple runs one statement of a simple query to its end, rows in text.
func (s *Session) runSimple(ctx context.Context, text string, st parser.Statement, keep bool) (Tag, error) {
	prep, err := s.analyse(ctx, text, st, nil, keep)
	if err != nil {
		return Tag{}, err
	}
	if len(prep.params) > 0 {
		return Tag{}, pgerr.New(pgerr.UndefinedParameter, "there is no parameter $1")
	}
	p, err := s.newPortal("", prep)
	if err != nil {
		return Tag{}, err
	}
	p.plan = prep.plan
	p.params = p.params[:0]
	p.result = Result{Columns: prep.cols, Formats: append(p.result.Formats[:0], s.simpleFormats(prep)...), Env: s.env}
	s.portals[""], p.hidden = p, true
	p.announce = prep.cols != nil && p.plan == nil
	if prep.cols != nil && p.plan != nil {
		s.client.Describe(&p.result)
	}
	s.countRun(p)
	tag, _, err := s.run(ctx, p, 0)
	if s.portals[""] == p {
		s.dropPortal(p)
	}
	return tag, err
}
