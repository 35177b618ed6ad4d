package session

import (
	"context"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/parser"
	"raisind/sql/plan"
	"raisind/sql/planner"
	"raisind/sql/types"
)

// prepareStatement is PREPARE.
func (s *Session) prepareStatement(ctx context.Context, p *portal, n *ast.Prepare) error {
	given, err := s.typesOf(ctx, n.Types, p.prep)
	if err != nil {
		return err
	}
	q, err := s.analyse(ctx, p.prep.text, parser.Statement{Node: n.Stmt, Text: p.prep.stmt.Text, Offset: p.prep.stmt.Offset}, given, p.prep.keep)
	if err != nil {
		return err
	}
	for i, t := range q.params {
		if t == nil || t == types.TUnknown {
			return pgerr.New(pgerr.IndeterminateDatatype, "could not determine data type of parameter $%d", i+1)
		}
	}
	q.name, q.sql = n.Name, true
	return s.keep(q)
}

// typesOf resolves type names as the planner does.
func (s *Session) typesOf(ctx context.Context, names []ast.TypeName, p *prepared) ([]*types.Type, error) {
	var ts []*types.Type
	for _, name := range names {
		st, err := s.planExpressions(ctx, p, []ast.Expr{&ast.Cast{At: name.At, Expr: &ast.Literal{At: name.At, Kind: ast.LitNull}, Type: name}})
		if err != nil {
			return nil, err
		}
		ts = append(ts, st.Columns[0].Type)
	}
	return ts, nil
}

// executeStatement is EXECUTE: it runs as the prepared statement would.
func (s *Session) executeStatement(ctx context.Context, p *portal, n *ast.Execute, row emit) (Tag, error) {
	q, err := s.statement(n.Name)
	if err != nil {
		return Tag{}, err
	}
	params, err := s.arguments(ctx, p, n, q)
	if err != nil {
		return Tag{}, err
	}
	if err := s.mayRun(q.stmt.Node); err != nil {
		return Tag{}, err
	}
	if err := s.revalidate(ctx, q); err != nil {
		return Tag{}, err
	}
	run := &portal{prep: q, plan: q.plan, params: params, result: p.result}
	if run.plan == nil {
		return s.utility(ctx, run, row)
	}
	if err := s.startQuery(ctx, run); err != nil {
		return Tag{}, err
	}
	defer s.endQuery(run)
	for n := int64(0); ; n++ {
		r, ok, err := run.query.Next()
		if err != nil {
			return Tag{}, err
		}
		if !ok {
			return s.finish(run, n), nil
		}
		if q.cols != nil {
			if err := row(r); err != nil {
				return Tag{}, err
			}
		}
	}
}

// arguments evaluates the arguments of EXECUTE as the parameter types want them.
func (s *Session) arguments(ctx context.Context, p *portal, n *ast.Execute, q *prepared) ([]types.Datum, error) {
	if len(q.params) == 0 {
		return nil, nil // PostgreSQL does not look at arguments nobody asked for
	}
	if len(n.Args) != len(q.params) {
		return nil, pgerr.New(pgerr.SyntaxError, `wrong number of parameters for prepared statement "%s"`, n.Name).
			WithDetail("Expected %d parameters but got %d.", len(q.params), len(n.Args))
	}
	exprs := make([]ast.Expr, len(n.Args))
	for i, a := range n.Args {
		at := ast.At(a.Pos())
		exprs[i] = &ast.Cast{At: at, Expr: a, Type: ast.TypeName{At: at, Names: []string{"pg_catalog", q.params[i].Name}}}
	}
	st, err := s.planExpressions(ctx, p.prep, exprs)
	if err != nil {
		return nil, err
	}
	query, err := s.open(ctx, st, p.params, measuring{})
	if err != nil {
		return nil, err
	}
	defer query.Close()
	row, _, err := query.Next()
	if err != nil {
		return nil, err
	}
	return append([]types.Datum(nil), row...), nil
}

// planExpressions plans a row of expressions that stand in p's text.
func (s *Session) planExpressions(ctx context.Context, p *prepared, exprs []ast.Expr) (*plan.Statement, error) {
	sel := &ast.Select{}
	for _, e := range exprs {
		sel.Targets = append(sel.Targets, ast.Target{At: ast.At(e.Pos()), Expr: e})
	}
	st, err := planner.Plan(ctx, sel, s.plannerOptions(p.stmt.Text, nil, s.ensureTx()))
	if err != nil {
		return nil, shift(err, p.text, p.stmt)
	}
	return st, nil
}

// deallocate is DEALLOCATE.
func (s *Session) deallocate(n *ast.Deallocate) (Tag, error) {
	if n.Name == "" {
		clear(s.prepared)
		return Tag{Verb: "DEALLOCATE ALL"}, nil
	}
	if _, ok := s.prepared[n.Name]; !ok {
		return Tag{}, pgerr.New(pgerr.InvalidSQLStatementName, `prepared statement "%s" does not exist`, n.Name)
	}
	delete(s.prepared, n.Name)
	return Tag{Verb: "DEALLOCATE"}, nil
}
