package session

import (
	"context"
	"fmt"
	"strings"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/types"
)

// verifyForeignKey holds the rows that are there against a foreign key.
func (s *Session) verifyForeignKey(ctx context.Context, oid uint32) error {
	snap := s.tx.cat.Snapshot()
	r, c, ok := snap.ConstraintByOID(oid)
	if !ok {
		return pgerr.New(pgerr.InternalError, "constraint %d is not there", oid)
	}
	parent, ok := snap.ByID(c.RefRelation)
	if !ok {
		return pgerr.New(pgerr.InternalError, "relation %d is not there", c.RefRelation)
	}
	f := &foreignKey{s: s, ctx: ctx, child: r, parent: parent, c: c}
	var on, given, values []string
	refs := columnsOf(parent, c.RefColumns)
	for i, col := range columnsOf(r, c.Columns) {
		name := "fk." + ast.QuoteIdent(r.Columns[col].Name)
		on = append(on, "pk."+ast.QuoteIdent(parent.Columns[refs[i]].Name)+" = "+name)
		given = append(given, name+" IS NOT NULL")
		values = append(values, name)
	}
	between := " AND "
	if c.Match == 'f' {
		between = " OR "
	}
	sql := "SELECT " + strings.Join(values, ", ") + " FROM " + f.name(r) + " fk LEFT JOIN " + f.name(parent) + " pk ON (" + strings.Join(on, " AND ") +
		") WHERE pk." + ast.QuoteIdent(parent.Columns[refs[0]].Name) + " IS NULL AND (" + strings.Join(given, between) + ") LIMIT 1"
	return s.runInternal(ctx, sql, nil, true, func(row types.Row) error {
		full := make(types.Row, len(r.Columns))
		mixed := false
		for i, col := range columnsOf(r, c.Columns) {
			full[col] = row[i]
			mixed = mixed || row[i].IsNull()
		}
		e := f.violation(fmt.Sprintf(`insert or update on table "%s" violates foreign key constraint "%s"`, r.Name, c.Name))
		if mixed {
			return e.WithDetail("MATCH FULL does not allow mixing of null and nonnull key values.")
		}
		return e.WithDetail("Key %s is not present in table \"%s\".", f.key(r, c.Columns, full), parent.Name)
	})
}

// verifyDomain holds the values of a domain that are stored against one of its checks.
func (s *Session) verifyDomain(ctx context.Context, u *catalog.UserType, check string) error {
	for _, r := range s.tx.cat.Snapshot().Relations() {
		if !r.Kind.HasRows() {
			continue
		}
		for i := range r.Columns {
			col := &r.Columns[i]
			if col.Type.OID != u.OID {
				continue
			}
			name := ast.QuoteIdent(col.Name)
			sql := "SELECT " + name + "::" + ast.QuoteIdent(u.Schema) + "." + ast.QuoteIdent(u.Name) + " FROM " +
				ast.QuoteIdent(r.Schema) + "." + ast.QuoteIdent(r.Name)
			err := s.runInternal(ctx, sql, nil, true, nil)
			switch {
			case pgerr.Is(err, pgerr.NotNullViolation):
				return pgerr.New(pgerr.NotNullViolation, "column %q of table %q contains null values", col.Name, r.Name).WithRelation(r.Schema, r.Name, col.Name, "")
			case pgerr.Is(err, pgerr.CheckViolation):
				return pgerr.New(pgerr.CheckViolation, "column %q of table %q contains values that violate the new constraint", col.Name, r.Name).
					WithRelation(r.Schema, r.Name, col.Name, "")
			case err != nil:
				return err
			}
		}
	}
	return nil
}
