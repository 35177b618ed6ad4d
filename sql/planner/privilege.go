package planner

import (
	"raisind/catalog"
	"raisind/pgerr"
)

// Plans are made for one role, and anew whenever a privilege changes: what a role may
// not do is refused while its statement is bound.

// mayUse refuses a relation in a schema that the role may not look into, or, unless it
// is written, rows that it may not read.
func (b *builder) mayUse(r *rel, t *catalog.Relation) error {
	role, snap := b.opt.Role, b.snapshot()
	if role == 0 || snap == nil {
		return nil
	}
	if s, ok := snap.Schema(t.Schema); ok && t.Schema != b.opt.TempSchema &&
		!snap.Allowed(role, catalog.PrivilegeUsage, catalog.SchemaKind, &s.Security) {
		return b.err(pgerr.InsufficientPrivilege, r.at, "permission denied for schema %s", t.Schema)
	}
	if r.target || snap.Allowed(role, catalog.PrivilegeSelect, catalog.KindOf(t), &t.Security) {
		return nil
	}
	denied := pgerr.New(pgerr.InsufficientPrivilege, "permission denied for %s %s", accessWord(t), t.Name)
	for i := range t.Columns {
		if !snap.ColumnAllowed(role, catalog.PrivilegeSelect, &t.Columns[i]) {
			continue
		}
		// Some columns may be read: which ones are, is known at the end.
		b.atEnd = append(b.atEnd, func() {
			for c := range t.Columns {
				if (r.need == nil || c < len(r.need) && r.need[c]) && !snap.ColumnAllowed(role, catalog.PrivilegeSelect, &t.Columns[c]) {
					b.failed = denied
				}
			}
		})
		return nil
	}
	return denied
}

// mayWrite refuses to write what the role may not.
func (b *builder) mayWrite(t *catalog.Relation, want catalog.Privilege) error {
	role, snap := b.opt.Role, b.snapshot()
	if role == 0 || snap == nil || snap.Allowed(role, want, catalog.KindOf(t), &t.Security) {
		return nil
	}
	return pgerr.New(pgerr.InsufficientPrivilege, "permission denied for %s %s", accessWord(t), t.Name)
}

func accessWord(t *catalog.Relation) string {
	if t.Kind == catalog.Workspace {
		return "table"
	}
	return t.Kind.String()
}
