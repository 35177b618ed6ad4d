// Package plan holds plan nodes: what the planner decided and the executor does.
// Nodes are plain immutable data, shared by all executions of a cached statement.
// EXPLAIN prints from here, so every decision a reader may ask about is a field.
package plan

import (
	"raisind/catalog"
	"raisind/sql/ast"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/types"
	"raisind/storage"
)

// Column describes one output column of a node.
type Column struct {
	Name     string
	Type     *types.Type
	Typmod   int32
	TableOID uint32 // 0 when the column is computed
	AttNum   int16  // column number in that table, 0 when computed
}

// Node is one step of a plan.
type Node interface {
	// Columns describes the rows the node yields.
	Columns() []Column
	// Children are the nodes it reads from.
	Children() []Node
}

// Statement is a planned statement.
type Statement struct {
	Root Node
	// Subplans are subqueries used in expressions, by expr.Subquery.ID.
	Subplans []Subplan
	// CTEs are WITH queries, by CTEScan.ID.
	CTEs []CTE
	// Params are the types of $1, $2 …
	Params []*types.Type
	// Columns describe the result; nil when the statement returns no rows.
	Columns []Column
	// Verb is the command tag's first word: SELECT, INSERT, UPDATE, DELETE, MERGE.
	Verb string
	// Writes is true when any part of the statement changes data or locks rows.
	Writes bool
	// Relations are locked before execution.
	Relations []RelationUse
	// Expected has how many rows scans are expected to give, where statistics tell.
	Expected map[Node]float64
	// CatalogVersion is the catalog's version planned against.
	CatalogVersion uint64
	// Stable is false when planning depended on something else than text, catalog
	// version and parameter types (search_path aside), so the plan is not cached.
	Uncacheable bool
}

// Subplan is the plan of a subquery.
type Subplan struct {
	Root Node
	// Correlated plans run for each outer row; others once.
	Correlated bool
}

// CTE is one WITH query.
type CTE struct {
	Name string
	Root Node
	// Modifies is true for INSERT, UPDATE, DELETE in WITH: run to the end even when not read.
	Modifies bool
	// Recursive: Root is a *RecursiveUnion.
	Recursive bool
}

// RelationUse is a relation a statement touches and the lock it needs.
type RelationUse struct {
	ID   storage.RelationID
	Mode storage.RelLockMode
}

// A scan of a relation yields its columns in order, then these three.
const (
	ExtraRevision = iota // __revision int8
	ExtraDistance        // __distance float8, metres; NULL unless a spatial scan fills it
	ExtraRowID           // row id, int8, hidden
	ExtraColumns         // how many
)

// Values yields rows of expressions; one row without columns is FROM nothing.
type Values struct {
	Rows [][]expr.Expr
	Cols []Column
}

// AsOf says which revision a scan reads.
type AsOf struct {
	// Revision is the constant of `__revision = R`, nil for HEAD.
	Revision expr.Expr
	// Versions is set for ranges on __revision: every retained version is read.
	Versions bool
}

// RowScan reads every row of a relation.
type RowScan struct {
	Rel    *catalog.Relation
	Alias  string
	Need   []bool // columns of Rel that are used; nil: all
	Filter expr.Expr
	AsOf   AsOf
	// Reason is why a spatial predicate was not served by the index; empty without one.
	Reason *NotUsed
	// Distance fills __distance per row when given.
	Distance expr.Expr
	Cols     []Column
}

// KeyScan reads rows by a unique index: all key columns equal to Keys[i], any of
// them. A key given twice finds its row once; one with a NULL finds none.
type KeyScan struct {
	Rel    *catalog.Relation
	Alias  string
	Index  *catalog.Index
	Keys   [][]expr.Expr
	Need   []bool
	Filter expr.Expr
	Cols   []Column
}

// Project computes expressions.
type Project struct {
	Source Node
	Exprs  []expr.Expr
	Cols   []Column
}

// ProjectSet is a Project of which some expressions return sets; sets advance together.
type ProjectSet struct {
	Source Node
	Items  []SetItem
	Cols   []Column
}

// SetItem is a scalar Expr, or a set-returning call. A function with several result
// columns gives one *types.Record of them a row; with one column it gives the value.
// Sets that end before the longest one go on with NULLs.
type SetItem struct {
	Expr expr.Expr
	Set  *funcs.Overload
	Args []expr.Expr
}

// Filter keeps rows for which Cond is true.
type Filter struct {
	Source Node
	Cond   expr.Expr
}

// SortKey is one key of an ordering.
type SortKey struct {
	Expr       expr.Expr
	Desc       bool
	NullsFirst bool
}

// Sort orders rows. With Top it keeps only the first rows it yields, Top being the
// expression of how many are wanted (limit plus offset), nil for all.
type Sort struct {
	Source Node
	Keys   []SortKey
	Top    expr.Expr
}

// Limit passes on Count rows after Offset; nil means no bound.
type Limit struct {
	Source        Node
	Count, Offset expr.Expr
	// TiesKeys is given for WITH TIES: rows equal in these to the last one follow it.
	TiesKeys []SortKey
}

// Distinct keeps the first row of each group of rows equal in On (nil: in all columns).
type Distinct struct {
	Source Node
	On     []expr.Expr
}

// AggCall is one aggregate of an Aggregate node.
type AggCall struct {
	Fn       *funcs.AggOverload
	Args     []expr.Expr
	Distinct bool
	OrderBy  []SortKey
	Filter   expr.Expr
	T        *types.Type
}

// Aggregate groups rows and yields the group keys, then the aggregates. Without
// group keys and sets it yields one row even for no input.
type Aggregate struct {
	Source Node
	Keys   []expr.Expr
	// Sets are grouping sets as indexes into Keys; nil: one set of all keys.
	Sets  [][]int
	Calls []AggCall
	// Grouping: for each GROUPING() call the keys it asks about; values follow the aggregates.
	Grouping [][]int
	Cols     []Column
}

// Window computes window functions over rows that come ordered by Partition, then
// Order: it yields the source's columns, then a value for each call.
type Window struct {
	Source    Node
	Partition []expr.Expr
	Order     []SortKey
	Frame     Frame
	Calls     []WindowCall
	Cols      []Column
}

// WindowCall is a window function, or an aggregate used as one.
type WindowCall struct {
	Window *funcs.WindowOverload
	Agg    *funcs.AggOverload // given instead of Window
	Args   []expr.Expr
	Filter expr.Expr
	T      *types.Type
}

// Frame are the rows round each row that an aggregate sees.
type Frame struct {
	Mode       ast.FrameMode
	Start, End ast.BoundKind
	// StartOffset and EndOffset are given for bounds with one, over no row.
	StartOffset, EndOffset expr.Expr
	Exclude                ast.FrameExclude
	// StartRange and EndRange compare with the offsets of RANGE.
	StartRange, EndRange *funcs.InRange
}

// JoinKind is the kind of a join.
type JoinKind uint8

// Kinds of joins. Semi and Anti yield the left columns only.
const (
	InnerJoin JoinKind = iota
	LeftJoin
	RightJoin
	FullJoin
	SemiJoin
	AntiJoin
)

// NestedLoop joins by trying every right row for every left row. With Lateral the
// right side sees the left row as its nearest expr.Outer row.
type NestedLoop struct {
	Kind        JoinKind
	Left, Right Node
	On          expr.Expr // over left columns followed by right columns; nil: all
	Lateral     bool
	Cols        []Column
}

// HashJoin joins on equality of keys, then On.
type HashJoin struct {
	Kind                JoinKind
	Left, Right         Node
	LeftKeys, RightKeys []expr.Expr
	On                  expr.Expr
	Cols                []Column
}

// SetOpKind is UNION, INTERSECT or EXCEPT.
type SetOpKind uint8

// The set operations.
const (
	Union SetOpKind = iota
	Intersect
	Except
)

// SetOp combines two inputs with the same column types.
type SetOp struct {
	Kind        SetOpKind
	All         bool
	Left, Right Node
	Cols        []Column
}

// CTEScan reads the result of Statement.CTEs[ID]; inside a recursive term it reads
// the working table.
type CTEScan struct {
	ID      int
	Name    string
	Alias   string
	Working bool
	Cols    []Column
}

// RecursiveUnion runs Initial, then Next over what the round before yielded. It is
// the Root of a CTE, or stands in the tree where the query depends on outer rows.
type RecursiveUnion struct {
	ID            int // the CTE whose working table Next reads
	Initial, Next Node
	All           bool
	Cols          []Column
}

// FuncScan reads a set-returning function (or a scalar one as a single row).
type FuncScan struct {
	Fn         *funcs.Overload
	Args       []expr.Expr
	Scalar     expr.Expr // given instead of Fn and Args for a scalar function
	Alias      string
	Ordinality bool
	Cols       []Column
}

// VirtualScan reads rows that the server makes up: catalog relations, statistics, settings.
type VirtualScan struct {
	Name   string
	Alias  string
	Rows   func(fc *funcs.Ctx) (funcs.RowSource, error)
	Filter expr.Expr
	Cols   []Column
	// Query is given instead of Rows by a view: its query, in which unqualified names are
	// pg_catalog's, and the text that was parsed. It is planned in place of the scan.
	Query func() (*ast.Select, string, error)
	// Expected is how many rows there are likely to be; 0: unknown.
	Expected float64
	// Key is the value that Cols[KeyColumn] must have, nil for any. It is part of Filter
	// as well: rows that hold another value may be yielded.
	Key       expr.Expr
	KeyColumn int
}

// Narrower may be implemented by what VirtualScan.Rows returns.
type Narrower interface {
	// Only leaves out rows that do not have a value, which is not NULL, in a column.
	Only(column int, v types.Datum)
}

// LockRows locks each row of the relations named before passing it on.
type LockRows struct {
	Source Node
	Locks  []RowLock
}

// RowLock is one FOR clause applied to one scan.
type RowLock struct {
	Rel *catalog.Relation
	// Offset is where the relation's columns start in the source's row.
	Offset int
	Mode   storage.RowLockMode
	Wait   storage.WaitPolicy
	// Qual is re-evaluated over the source's row when the row changed meanwhile.
	Qual expr.Expr
}

// Insert writes rows. Source yields one column for each entry of Targets. What is not
// in Targets and has no default, a workspace fills in by its own rules.
type Insert struct {
	Rel    *catalog.Relation
	Source Node
	// Targets are positions in Rel.Columns.
	Targets []int
	// Defaults has an expression for each column of Rel without a target; nil: NULL.
	Defaults   []expr.Expr
	Rules      *RowRules
	OnConflict *OnConflict
	Returning  []expr.Expr // over the row layout of a scan of Rel
	Cols       []Column
}

// OnConflict is ON CONFLICT.
type OnConflict struct {
	// Index is the arbiter, nil (DO NOTHING only): any unique index.
	Index *catalog.Index
	// Update: assignments over the existing row (layout of a scan of Rel) followed by
	// the proposed row (Rel.Columns); nil for DO NOTHING.
	Update []Assign
	Where  expr.Expr
}

// RowRules are what a relation asks of every row written to it, over its columns.
type RowRules struct {
	Generated []Assign // by column
	Checks    []Check  // by name
}

// Check is a condition that must not be false.
type Check struct {
	Name string
	Cond expr.Expr
}

// Assign sets one column.
type Assign struct {
	Column int // position in Rel.Columns
	Value  expr.Expr
}

// Update changes the rows Source yields. Source's row holds a scan row of Rel at
// Offset. A row of Rel that Source yields again was changed already and is passed over.
type Update struct {
	Rel    *catalog.Relation
	Alias  string
	Source Node
	Offset int
	Set    []Assign // over the source's row
	Rules  *RowRules
	Qual   expr.Expr // the whole condition over the source's row, re-evaluated after a wait; nil: none
	// Returning is over the source's row, in which Rel's columns hold the new values.
	Returning []expr.Expr
	Cols      []Column
}

// Delete removes the rows Source yields.
type Delete struct {
	Rel         *catalog.Relation
	Alias       string
	Source      Node
	Offset      int
	Qual        expr.Expr   // as in Update
	Descendants bool        // nodes below a deleted node go too
	Returning   []expr.Expr // over the source's row
	Cols        []Column
}
