package syscat

import (
	"sync"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/funcs"
	"raisind/sql/plan"
	"raisind/sql/types"
	"raisind/storage"
)

// Session is what the relations ask of the session that reads them.
type Session interface {
	funcs.Session
	// CatalogSnapshot is the catalog as the statement sees it.
	CatalogSnapshot() *catalog.Snapshot
	// Server describes what is not in any catalog.
	Server() Server
}

// Server is what runs now, as a session sees it.
type Server interface {
	// Databases are the names a client may connect to.
	Databases() []string
	// Owner is the role that a database begins with.
	Owner() string
	// SettingRows are the rows of pg_settings, as maps from column to value.
	SettingRows() []Fact
	// Backends are the rows of pg_stat_activity.
	Backends() []Fact
	// PreparedStatements and Cursors are the session's own.
	PreparedStatements() []Fact
	Cursors() []Fact
	// SizeBytes is what a relation takes on disk.
	SizeBytes(oid uint32) (int64, bool)
	// RowCount estimates the rows of a relation; false when nobody counted.
	RowCount(oid uint32) (int64, bool)
}

// Fact is one row made outside, as pairs of a column's name and its value: bool, int,
// int64, float64, string, types.Datum or nil.
type Fact []any

// reader is one scan's view: of the session, and of what its catalog gives.
type reader struct {
	*state
	session Session // nil while a state's own rows are made
}

// Catalog finds the relations of pg_catalog and information_schema for a planner.
// It keeps the rows of the last few states of the catalog. Safe for concurrent use.
type Catalog struct {
	mu     sync.Mutex
	states []*state // latest used last
}

// New returns a Catalog.
func New() *Catalog { return &Catalog{} }

// keptStates is how many states of the catalog have their rows kept: the committed
// one, and those of a few transactions that change it.
const keptStates = 4

// state holds the rows of one state of the catalog.
type state struct {
	snap  *catalog.Snapshot
	owner string

	// count estimates a relation's rows.
	count func(oid uint32) (int64, bool)

	mu      sync.Mutex
	content map[*relation]*content

	refsOnce sync.Once
	refs     map[storage.RelationID]bool

	defaultsOnce sync.Once
	defaults     map[catalog.Ref]uint32
}

// content is the rows of one relation with what finds them by a column's value.
type content struct {
	once sync.Once
	rows []types.Row
	err  error
	by   map[int]map[key][]types.Row
}

// key is a value as a map's key.
type key struct {
	num int64
	str string
}

func (c *Catalog) state(session Session) *state {
	snap, owner := session.CatalogSnapshot(), session.Server().Owner()
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, s := range c.states {
		if s.snap == snap && s.owner == owner {
			copy(c.states[i:], c.states[i+1:])
			c.states[len(c.states)-1] = s
			return s
		}
	}
	s := &state{snap: snap, owner: owner, count: session.Server().RowCount, content: map[*relation]*content{}}
	if len(c.states) == keptStates {
		copy(c.states, c.states[1:])
		c.states[keptStates-1] = s
	} else {
		c.states = append(c.states, s)
	}
	return s
}

// Lookup implements planner.VirtualCatalog.
func (c *Catalog) Lookup(schema, name string) (*plan.VirtualScan, bool) {
	r, ok := relations().byName[relationName{schema, name}]
	if !ok {
		return nil, false
	}
	v := &plan.VirtualScan{Name: name, Cols: r.cols, Expected: float64(expected(r))}
	if r.query != nil {
		v.Query = r.query
		return v, true
	}
	v.Rows = func(fc *funcs.Ctx) (funcs.RowSource, error) { return c.scan(fc, r) }
	return v, true
}

// expected is how many rows a relation is likely to have, for the order of joins.
func expected(r *relation) int {
	switch r.name {
	case "pg_proc", "pg_description", "pg_attribute", "pg_depend":
		return 3000
	case "pg_type", "pg_class", "pg_operator":
		return 500
	case "pg_index", "pg_constraint", "pg_cast", "pg_aggregate":
		return 200
	}
	return 20
}

func (c *Catalog) scan(fc *funcs.Ctx, r *relation) (funcs.RowSource, error) {
	s, ok := fc.Session.(Session)
	if !ok {
		return nil, pgerr.New(pgerr.FeatureNotSupported, "relation %q can be read by a session only", r.schema+"."+r.name)
	}
	st := c.state(s)
	if r.rows == nil {
		return &source{}, nil
	}
	if r.passing {
		rows, err := r.rows(&reader{state: st, session: s})
		return &source{rows: rows}, err
	}
	kept, err := st.contentOf(r)
	if err != nil {
		return nil, err
	}
	return &source{rows: kept.rows, find: func(column int, v types.Datum) []types.Row { return st.find(kept, column, v) }}, nil
}

// contentOf makes the rows of a relation once. Rows of one may be made from those of
// others, never in a circle.
func (s *state) contentOf(r *relation) (*content, error) {
	s.mu.Lock()
	c := s.content[r]
	if c == nil {
		c = &content{by: map[int]map[key][]types.Row{}}
		s.content[r] = c
	}
	s.mu.Unlock()
	c.once.Do(func() { c.rows, c.err = r.rows(&reader{state: s}) })
	return c, c.err
}

// find gives the rows with a value in a column.
func (s *state) find(c *content, column int, v types.Datum) []types.Row {
	s.mu.Lock()
	defer s.mu.Unlock()
	by := c.by[column]
	if by == nil {
		by = make(map[key][]types.Row, len(c.rows))
		for _, row := range c.rows {
			if d := row[column]; !d.IsNull() {
				k := key{d.Int(), d.Str()}
				by[k] = append(by[k], row)
			}
		}
		c.by[column] = by
	}
	return by[key{v.Int(), v.Str()}]
}

// source yields rows in turn.
type source struct {
	rows []types.Row
	find func(column int, v types.Datum) []types.Row
}

// Next implements funcs.RowSource.
func (s *source) Next() (types.Row, bool, error) {
	if len(s.rows) == 0 {
		return nil, false, nil
	}
	row := s.rows[0]
	s.rows = s.rows[1:]
	return row, true, nil
}

// Only implements exec's narrowing of a scan to rows with a value in a column.
func (s *source) Only(column int, v types.Datum) {
	if s.find != nil {
		s.rows = s.find(column, v)
	}
}
