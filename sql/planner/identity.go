package planner

import (
	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/expr"
	"raisind/sql/types"
)

// identityDefault is the next value of the sequence of an identity column.
func (b *builder) identityDefault(t *catalog.Relation, c *catalog.Column) (expr.Expr, error) {
	for _, r := range b.snapshot().Relations() {
		if q := r.Sequence; q == nil || q.Owner != t.ID || q.OwnerColumn != c.ID || !q.Identity {
			continue
		}
		oid := typed{&expr.Const{Val: types.Int(int64(r.OID)), T: types.TRegclass}, -1}
		e, err := b.call("nextval", -1, &scope{clause: inDefault}, oid)
		if err != nil {
			return nil, err
		}
		return b.assign(e, c.Name, c.Type, c.Typmod, -1)
	}
	return nil, pgerr.New(pgerr.InternalError, "no owned sequence found for column %q of relation %q", c.Name, t.Name)
}

// cannotOverride refuses a value for a column that is GENERATED ALWAYS AS IDENTITY.
func cannotOverride(c *catalog.Column) error {
	return pgerr.New(pgerr.GeneratedAlways, "cannot insert a non-DEFAULT value into column %q", c.Name).
		WithDetail("Column %q is an identity column defined as GENERATED ALWAYS.", c.Name).
		WithHint("Use OVERRIDING SYSTEM VALUE to override.")
}
