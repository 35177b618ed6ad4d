package session

import (
	"slices"
	"strconv"

	"raisind/catalog"
)

// userWord stands in search_path for the schema named as the current user.
const userWord = "$user"

// searchPath are the schemas that unqualified names are looked up in: the session's
// own first, unless the path says where. Schemas need not exist.
func (s *Session) searchPath() []string {
	path := make([]string, 0, len(s.path)+1)
	if s.temp != "" && !slices.Contains(s.path, "pg_temp") && !slices.Contains(s.path, s.temp) {
		path = append(path, s.temp)
	}
	for _, n := range s.path {
		switch n {
		case userWord:
			n = s.User()
		case "pg_temp":
			n = s.temp
		}
		if n != "" {
			path = append(path, n)
		}
	}
	return path
}

// SearchPath implements funcs.Session: the schemas of search_path that exist.
func (s *Session) SearchPath() []string {
	snap := s.catalogNow()
	var path []string
	for _, schema := range s.searchPath() {
		if _, ok := snap.Schema(schema); ok && schema != s.temp && !slices.Contains(path, schema) {
			path = append(path, schema)
		}
	}
	return path
}

// findRelation looks a relation up along the path.
func (s *Session) findRelation(schema, name string) (*catalog.Relation, bool) {
	snap := s.catalogNow()
	if schema == "pg_temp" {
		schema = s.temp
		if schema == "" {
			return nil, false
		}
	}
	if schema != "" {
		return snap.ByName(schema, name)
	}
	for _, schema := range s.searchPath() {
		if r, ok := snap.ByName(schema, name); ok {
			return r, true
		}
	}
	return nil, false
}

// tempSchema makes the session's own schema, in the transaction at work.
func (s *Session) tempSchema() (string, error) {
	if s.temp == "" {
		s.temp = "pg_temp_" + strconv.Itoa(int(s.pid))
		s.planDependencies()
	}
	tx := s.ensureTx()
	if _, ok := tx.cat.Snapshot().Schema(s.temp); ok {
		return s.temp, nil
	}
	role := s.roleOID()
	return s.temp, tx.cat.CreateObject(s.ctx, &catalog.Schema{
		OID: s.engine.cat.NextOID(), Name: s.temp, Security: catalog.Security{Owner: role},
	})
}

// roleOID is the OID of the role that acts.
func (s *Session) roleOID() uint32 { return s.oidOfRole(s.User()) }

func (s *Session) oidOfRole(name string) uint32 {
	if r, ok := s.catalogNow().Role(name); ok {
		return r.OID
	}
	return catalog.BootstrapRole
}
