package catalog

import (
	"raisind/sql/ast"
	"raisind/sql/types"
)

// rowType is the type of a relation's rows.
type rowType struct{ t *types.Type }

// RowType is the composite type of the relation's rows; nil for a sequence and for a
// relation that is in no snapshot.
func (r *Relation) RowType() *types.Type {
	if r.row == nil {
		return nil
	}
	return r.row.t
}

// TypeByOID finds a type: a built-in one, a user's, an array or a row type.
func (s *Snapshot) TypeByOID(oid uint32) (*types.Type, bool) {
	if t, ok := types.ByOID(oid); ok {
		return t, true
	}
	t, ok := s.types[oid]
	return t, ok
}

// TypeByName finds a user's type or the row type of a relation; array types by their
// names with a leading underscore.
func (s *Snapshot) TypeByName(schema, name string) (*types.Type, bool) {
	if u, ok := named[*UserType](s, objectKey{ClassType, schema, name}); ok {
		return s.TypeByOID(u.OID)
	}
	if r, ok := s.byName[relName{schema, name}]; ok && r.row != nil {
		return r.row.t, true
	}
	if len(name) > 1 && name[0] == '_' {
		if t, ok := s.TypeByName(schema, name[1:]); ok {
			return t.Array(), t.Array() != nil
		}
	}
	return nil, false
}

// UserType finds the definition of an enum or domain.
func (s *Snapshot) UserType(oid uint32) (*UserType, bool) {
	u, ok := s.objects[Ref{Class: ClassType, OID: oid}].(*UserType)
	return u, ok
}

// UserTypeByName finds the definition of an enum or domain.
func (s *Snapshot) UserTypeByName(schema, name string) (*UserType, bool) {
	return named[*UserType](s, objectKey{ClassType, schema, name})
}

// resolver makes the types of one snapshot.
type resolver struct {
	s, prev *Snapshot
	rows    map[uint32]int // place in s.sorted by the OIDs of its row type
	users   map[uint32]*UserType
	busy    map[uint32]bool // being made: a type within itself has no end
}

// resolveTypes makes types of the definitions and gives them to the columns. A type
// whose definition did not change since prev stays the same pointer.
func (s *Snapshot) resolveTypes(prev *Snapshot) {
	v := &resolver{s: s, prev: prev, rows: make(map[uint32]int, 2*len(s.sorted)), users: map[uint32]*UserType{}, busy: map[uint32]bool{}}
	s.types = make(map[uint32]*types.Type, 2*len(s.sorted))
	for i, r := range s.sorted {
		if r.TypeOID != 0 {
			v.rows[r.TypeOID], v.rows[r.ArrayOID] = i, i
		}
	}
	for _, o := range s.objects {
		if u, ok := o.(*UserType); ok {
			v.users[u.OID] = u
			if u.ArrayOID != 0 {
				v.users[u.ArrayOID] = u
			}
		}
	}
	for oid := range v.users {
		v.find(oid)
	}
	for i := range s.sorted {
		v.relation(i)
	}
}

// find returns the type with an OID; nil when there is none.
func (v *resolver) find(oid uint32) *types.Type {
	if t, ok := types.ByOID(oid); ok {
		return t
	}
	if t, ok := v.s.types[oid]; ok {
		return t
	}
	if v.busy[oid] {
		return nil
	}
	v.busy[oid] = true
	defer delete(v.busy, oid)
	if u, ok := v.users[oid]; ok {
		v.user(u)
	} else if i, ok := v.rows[oid]; ok {
		v.relation(i)
	}
	return v.s.types[oid]
}

func (v *resolver) add(t *types.Type) {
	v.s.types[t.OID] = t
	if a := t.Array(); a != nil {
		v.s.types[a.OID] = a
	}
}

func (v *resolver) user(u *UserType) {
	var base *types.Type
	if u.Domain != nil {
		if base = v.find(u.Domain.Base); base == nil {
			return
		}
	}
	if v.prev != nil && v.prev.objects[u.Ref()] == Object(u) {
		if t := v.prev.types[u.OID]; t != nil {
			if was, _ := t.Domain(); was == base {
				v.add(t)
				return
			}
		}
	}
	n := types.UserName{OID: u.OID, ArrayOID: u.ArrayOID, Schema: u.Schema, Name: u.Name, SQL: sqlName(u.Schema, u.Name)}
	if u.Domain != nil {
		v.add(types.NewDomain(n, base, u.Domain.Typmod))
	} else {
		v.add(types.NewEnum(n, u.Enum.Labels))
	}
}

// relation settles the types of the columns of relation i and makes its row type.
func (v *resolver) relation(i int) {
	r := v.s.sorted[i]
	if r.TypeOID != 0 && v.s.types[r.TypeOID] != nil {
		return
	}
	var own *Relation
	for c := range r.Columns {
		t := r.Columns[c].Type
		if known, ok := types.ByOID(t.OID); ok && known == t {
			continue
		}
		if now := v.find(t.OID); now != nil && now != t {
			if own == nil {
				own = r.Clone()
			}
			own.Columns[c].Type = now
		}
	}
	if own != nil {
		r = own
		v.s.sorted[i] = r
	}
	if r.TypeOID == 0 {
		return
	}
	if r.row == nil {
		fields := make([]types.Field, 0, len(r.Columns))
		for c := range r.Columns {
			fields = append(fields, types.Field{Name: r.Columns[c].Name, Type: r.Columns[c].Type, Typmod: r.Columns[c].Typmod})
		}
		n := types.UserName{OID: r.TypeOID, ArrayOID: r.ArrayOID, Schema: r.Schema, Name: r.Name, SQL: sqlName(r.Schema, r.Name)}
		r.row = &rowType{types.NewComposite(n, fields)}
	}
	v.add(r.row.t)
}

// sqlName is a name in a schema as messages print it.
func sqlName(schema, name string) string {
	if schema == "" || schema == DefaultSchema || schema == "pg_catalog" {
		return ast.QuoteIdent(name)
	}
	return ast.QuoteIdent(schema) + "." + ast.QuoteIdent(name)
}
