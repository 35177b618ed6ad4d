package session

import (
	"context"
	"time"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// explainStatement is EXPLAIN.
func (s *Session) explainStatement(ctx context.Context, p *portal, n *ast.Explain, row emit) error {
	o := plan.ExplainOptions{
		Analyze: n.Analyze, Verbose: n.Verbose, Costs: n.Costs, Buffers: n.Buffers, Timing: n.Timing, Summary: n.Summary,
	}
	switch n.Format {
	case ast.FormatJSON:
		o.Format = plan.ExplainJSON
	case ast.FormatYAML:
		o.Format = plan.ExplainYAML
	case ast.FormatXML:
		return notSupported("EXPLAIN in format XML")
	}
	q, params, err := s.explained(ctx, p, n)
	if err != nil {
		return err
	}
	if err := s.revalidate(ctx, q); err != nil {
		return err
	}
	o.PlanningNanos = q.planTook.Nanoseconds()
	fresh := !s.tx.queried
	s.tx.queried = true
	fc := s.funcsCtx(ctx)
	var stats map[plan.Node]*plan.Stats
	if n.Analyze {
		if stats, err = s.explainAnalyze(ctx, q, params, &o, fresh); err != nil {
			return err
		}
	}
	lines, err := plan.ExplainLines(q.plan, o, s.engine.runtime, &expr.Ctx{Ctx: fc, Params: params}, stats)
	if err != nil {
		return err
	}
	for _, l := range lines {
		if err := row(types.Row{types.Str(l)}); err != nil {
			return err
		}
	}
	return nil
}

// explained returns the statement EXPLAIN is about, with its parameters.
func (s *Session) explained(ctx context.Context, p *portal, n *ast.Explain) (*prepared, []types.Datum, error) {
	if p.prep.inner != nil {
		return p.prep.inner, p.params, nil
	}
	x, ok := n.Stmt.(*ast.Execute)
	if !ok {
		return nil, nil, notSupported("EXPLAIN of " + commandName(n.Stmt))
	}
	q, err := s.statement(x.Name)
	if err != nil {
		return nil, nil, err
	}
	if q.plan == nil {
		return nil, nil, pgerr.New(pgerr.FeatureNotSupported, `prepared statement "%s" has no plan to explain`, x.Name)
	}
	params, err := s.arguments(ctx, p, x, q)
	return q, params, err
}

// explainAnalyze runs the statement and throws its rows away. When the statement is all
// there is in its transaction, that is committed, so that its time can be told.
func (s *Session) explainAnalyze(ctx context.Context, q *prepared, params []types.Datum, o *plan.ExplainOptions, fresh bool) (map[plan.Node]*plan.Stats, error) {
	began := time.Now()
	run := &portal{prep: q, plan: q.plan, params: params}
	if err := s.startMeasured(ctx, run, measuring{nodes: true, timing: o.Timing, triggers: &o.Triggers}); err != nil {
		return nil, err
	}
	defer s.endQuery(run)
	for {
		_, ok, err := run.query.Next()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
	}
	stats := run.query.Stats()
	s.endQuery(run)
	o.ExecutionNanos = time.Since(began).Nanoseconds()
	if fresh && run.plan.Writes && !s.tx.block && !s.tx.implicitBlock {
		info, err := s.commitInfo(ctx)
		if err != nil {
			return nil, err
		}
		o.CommitNanos = info.Wait.Nanoseconds()
		s.ensureTx()
	}
	q.plan = run.plan
	return stats, nil
}
