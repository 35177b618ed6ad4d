package planner

import (
	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
	"raisind/storage"
)

// queryKind tells the three shapes of a query apart.
type queryKind uint8

const (
	plainQuery queryKind = iota
	valuesQuery
	setQuery
)

// query is a bound query. It holds expressions over variables, not yet over rows;
// planQuery may be called on it more than once.
type query struct {
	kind    queryKind
	targets []target // those the query yields, then junk for ordering
	visible int      // how many are yielded

	// plain queries
	rels      []*rel
	from      *fromNode // nil without FROM
	where     []expr.Expr
	grouped   bool
	keys      []expr.Expr
	sets      [][]int // grouping sets, nil for one of all keys
	having    expr.Expr
	aggs      []*aggregate
	groupings []*grouping
	setCalls  []*setCall
	// windows are those of the WINDOW clause, then those written after OVER.
	windows     []*windowDef
	windowCalls []*windowCall
	distinct    bool
	distinctOn  []expr.Expr
	locks       []lock

	// VALUES
	rows [][]expr.Expr

	// set operations
	op          plan.SetOpKind
	all         bool
	left, right *query

	order         []orderKey
	limit, offset expr.Expr
	ties          bool

	// out stands for the rows the query yields; post, when given, is computed over it.
	out  *rel
	post []expr.Expr

	// outer are the variables of enclosing queries that the query uses, those of its
	// own subqueries included.
	outer []expr.Expr
	// volatile is set when the query calls volatile functions, writes or locks.
	volatile bool
	// recursive is set while the query reads a working table.
	recursive bool
}

// target is one output column.
type target struct {
	e    expr.Expr
	name string
	at   int
}

// orderKey is one key of ORDER BY.
type orderKey struct {
	e          expr.Expr
	target     int // the target it is, -1 for none
	desc       bool
	nullsFirst bool
	at         int
}

// lock is a locking clause applied to one relation.
type lock struct {
	rel  *rel
	mode storage.RowLockMode
	wait storage.WaitPolicy
}

// relKind tells range items apart.
type relKind uint8

const (
	relTable relKind = iota
	relVirtual
	relDerived
	relFunction
	relCTE
	relWorking // the recursive reference within a CTE
	relOut     // the output of a query
)

// rel is one range item of a query.
type rel struct {
	q      *query
	index  int // position in q.rels
	kind   relKind
	stats  *catalog.Statistics // of a table, once they were asked for; may be nil
	alias  string
	schema string // of a table or virtual relation without alias
	cols   []column
	// nullable is set when an outer join may fill the item with NULLs.
	nullable bool
	at       int

	table    *catalog.Relation
	virtual  *plan.VirtualScan
	sub      *query
	view     *catalog.Relation // whose query sub is
	cte      *cte
	fn       *fromFunc
	lateral  relSet      // other items of the query it depends on
	joinOnly bool        // made by the planner for a semi-join
	outputs  []expr.Expr // of such an item: what its columns are
	target   bool        // written by UPDATE or DELETE
	versions bool        // every retained version is read

	// need and needOutput are filled while expressions over the item are finished.
	need, needOutput []bool
}

// column is one column of a range item.
type column struct {
	name   string
	t      *types.Type
	typmod int32
	hidden bool // not part of *
	// fields describe a record.
	fields []field
	oid    uint32 // of the table it comes from
	attnum int16
}

// field is one column of a record.
type field struct {
	name string
	t    *types.Type
}

// fromFunc is a function in FROM.
type fromFunc struct {
	ordinality bool
	// calls are the functions: several with ROWS FROM.
	calls []*setCall
	// record turns each row of jsonb into columns: *_to_recordset.
	record []expr.Expr
	row    *rel // what record is over
	// items are record and row of each call.
	items []*fromFunc
}

// relSet is a set of range items of one query by index.
type relSet uint64

// maxRels is how many items one FROM list may have.
const maxRels = 64

func (s relSet) has(r *rel) bool            { return s&(1<<r.index) != 0 }
func (s relSet) within(o relSet) bool       { return s&^o == 0 }
func (s relSet) overlaps(o relSet) bool     { return s&o != 0 }
func (r *rel) set() relSet                  { return 1 << r.index }
func (r *rel) isWorkspace() bool            { return r.table != nil && r.table.Kind == catalog.Workspace }
func (r *rel) extra(which int) int          { return len(r.table.Columns) + which }
func (r *rel) newVar(col, at int) *variable { return &variable{r, col, at} }

// addRel appends a range item to q.
func (b *builder) addRel(q *query, r *rel) error {
	if len(q.rels) == maxRels {
		return b.err(pgerr.ProgramLimitExceeded, r.at, "a FROM clause can have at most %d items", maxRels)
	}
	r.q, r.index = q, len(q.rels)
	q.rels = append(q.rels, r)
	b.rels++
	return nil
}

// fromNode is a tree of joins; leaves have rel.
type fromNode struct {
	rel         *rel
	kind        plan.JoinKind
	left, right *fromNode
	on          []expr.Expr
}

// rels returns the items below n.
func (n *fromNode) rels() relSet {
	switch {
	case n == nil:
		return 0
	case n.rel != nil:
		return n.rel.set()
	}
	return n.left.rels() | n.right.rels()
}
