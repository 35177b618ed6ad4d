package session

import (
	"context"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
)

// setConstraints is SET CONSTRAINTS.
func (s *Session) setConstraints(ctx context.Context, n *ast.SetConstraints) error {
	if s.tx == nil || !s.tx.block && !s.tx.implicitBlock {
		s.notice(pgerr.Warning(pgerr.NoActiveSQLTransaction, "SET CONSTRAINTS can only be used in transaction blocks"))
		return nil
	}
	k := &s.tx.keys
	if len(n.Names) == 0 {
		deferred := n.Deferred
		k.all, k.deferred = &deferred, nil
	}
	for _, name := range n.Names {
		found, err := s.constraintsNamed(name)
		if err != nil {
			return err
		}
		if k.deferred == nil {
			k.deferred = map[uint32]bool{}
		}
		for _, c := range found {
			k.deferred[c.OID] = n.Deferred
		}
	}
	if n.Deferred {
		return nil
	}
	// What is immediate now has waited long enough.
	var wait []keyEvent
	for _, e := range k.later {
		if _, c, ok := s.tx.cat.Snapshot().ConstraintByOID(e.constraint); ok && k.isDeferred(c) {
			wait = append(wait, e)
		} else {
			k.now = append(k.now, e)
		}
	}
	k.later = wait
	return s.EndStatement(ctx)
}

// constraintsNamed finds deferrable constraints by name.
func (s *Session) constraintsNamed(name ast.RelName) ([]*catalog.Constraint, error) {
	schemas := s.searchPath()
	if name.Schema != "" {
		schemas = []string{name.Schema}
	}
	full := name.Dotted()
	for _, schema := range schemas {
		var found []*catalog.Constraint
		for _, r := range s.tx.cat.Snapshot().Relations() {
			if r.Schema != schema {
				continue
			}
			if c, ok := r.Constraint(name.Name); ok {
				if !c.Deferrable {
					return nil, pgerr.New(pgerr.WrongObjectType, "constraint %q is not deferrable", name.Name)
				}
				found = append(found, c)
			}
		}
		if found != nil {
			return found, nil
		}
	}
	return nil, pgerr.New(pgerr.UndefinedObject, "constraint %q does not exist", full)
}
