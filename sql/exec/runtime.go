package exec

import (
	"context"
	"log/slog"
	"math"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/relation"
	"raisind/sql/expr"
	"raisind/sql/funcs"
	"raisind/sql/plan"
	"raisind/sql/types"
	"raisind/storage"
)

const (
	// defaultMaxKeysPerCell is how many keys of one cell a scan of the index visits
	// before it goes on as a row scan.
	defaultMaxKeysPerCell = 250_000
	// defaultMemoryBytes bounds what the sorts, groups and joins of one statement hold.
	defaultMemoryBytes = 1 << 30
	// defaultWorkMemBytes is what one sort or hash holds before rows go to disk.
	defaultWorkMemBytes = 4 << 20
)

// Runtime is what all executions share. Fields are set before the first Open; then
// it is safe for concurrent use.
type Runtime struct {
	DB      *storage.DB
	Catalog *catalog.Catalog
	Indexer *relation.Indexer
	// MaxKeysPerCell is the scan budget of one cell in keys; 0: 250,000.
	MaxKeysPerCell int
	// MemoryBytes bounds what the sorts, groups and joins of one statement hold; 0: 1 GiB.
	MemoryBytes int64
	// TempDir is where rows go that memory has no room for; made when missing. Empty: the
	// system's directory of temporary files.
	TempDir string
	// Logger is told of scans that gave up on the index; nil: nobody.
	Logger *slog.Logger

	totals counters
}

func (rt *Runtime) maxKeysPerCell() int {
	if rt.MaxKeysPerCell > 0 {
		return rt.MaxKeysPerCell
	}
	return defaultMaxKeysPerCell
}

// IndexState implements plan.IndexStates for readers of HEAD.
func (rt *Runtime) IndexState(rel storage.RelationID, property string) (plan.IndexState, bool) {
	return rt.indexStateAt(rel, property, math.MaxInt64)
}

// RelationRows is about how many rows a relation has, for EXPLAIN.
func (rt *Runtime) RelationRows(rel storage.RelationID) (rows int64, ok bool) {
	return rt.Indexer.Rows(rel), true
}

// indexStateAt is the state for a view of rev: one older than a rebuild does not see
// the entries the rebuild wrote.
func (rt *Runtime) indexStateAt(rel storage.RelationID, property string, rev storage.Revision) (plan.IndexState, bool) {
	s, ok := rt.Indexer.State(rel, property)
	if !ok {
		return plan.IndexState{}, false
	}
	st := plan.IndexState{
		Property: s.Property, Ready: s.Phase != relation.NotBuilt, Rebuilding: s.Phase == relation.Building,
		Precisions: s.Usable(rev), Rows: rt.Indexer.Rows(rel),
	}
	if len(st.Precisions) == 0 && len(s.Precisions) > 0 {
		st.Ready, st.Rebuilding = false, true
	}
	return st, true
}

// OpenOptions are what one execution needs.
type OpenOptions struct {
	Txn     *storage.Txn
	Catalog *catalog.Tx
	// Params are the values of $1, $2 …, of the plan's parameter types.
	Params []types.Datum
	Funcs  *funcs.Ctx
	// Instrument measures each node, for EXPLAIN ANALYZE; Timing takes times as well.
	Instrument, Timing bool
	// Notice is told of what the client should know; may be nil.
	Notice func(*pgerr.Error)
	// Triggers fires triggers; nil for none.
	Triggers Triggers
	// MemoryBytes overrides Runtime.MemoryBytes when above 0.
	MemoryBytes int64
	// WorkMemBytes is what one sort holds before its rows go to disk, HashMemBytes what
	// one hash table holds; 0: 4 MiB, and twice the former.
	WorkMemBytes, HashMemBytes int64
	// TempFileBytes bounds the temporary files of the statement; 0: no bound.
	TempFileBytes int64
	// Keys looks after foreign keys; nil: nobody does.
	Keys KeyWatcher
	// Latest reads what is committed now, whatever the isolation level.
	Latest bool
}

// Query is one execution of one statement. Used by one goroutine at a time.
type Query struct {
	rt   *Runtime
	ctx  context.Context
	st   *plan.Statement
	opt  OpenOptions
	ec   *expr.Ctx
	root iter

	view *storage.View // what the statement sees

	affected int64
	done     bool
	keyed    bool // the watcher of keys was told of rows
	ticks    uint32
	memory   int64
	workMem  int64
	hashMem  int64
	spills   map[*spillFile]struct{} // temporary files in use
	spilled  int64                   // their bytes
	toDisk   int64                   // bytes written to them, also to those that are gone
	stats    map[plan.Node]*plan.Stats
	discard  plan.Stats
	ctes     []*spool
	working  map[int]*rowStore // rows recursive terms read, by CTE
	subplans []subplan
	fellBack map[*plan.SpatialScan]bool // scans the client was told of
	// The rows this statement has changed, each of which it changes once: the first,
	// and a map when there are more.
	first   rowKey
	touched map[rowKey]struct{}
}

type rowKey struct {
	rel storage.RelationID
	row storage.RowID
}

// Open starts an execution: relations are locked, then the statement's view is
// taken. The query has to be closed, before its transaction ends.
func (rt *Runtime) Open(ctx context.Context, st *plan.Statement, o OpenOptions) (*Query, error) {
	for _, u := range st.Relations {
		if err := o.Txn.LockRelation(ctx, u.ID, u.Mode, storage.Wait); err != nil {
			return nil, mapError(err)
		}
	}
	q := &Query{rt: rt, ctx: ctx, st: st, opt: o}
	q.ec = &expr.Ctx{Ctx: o.Funcs, Params: o.Params, Subplans: q}
	q.memory = rt.MemoryBytes
	if o.MemoryBytes > 0 {
		q.memory = o.MemoryBytes
	}
	if q.memory <= 0 {
		q.memory = defaultMemoryBytes
	}
	q.bounds()
	if o.Instrument {
		q.stats = map[plan.Node]*plan.Stats{}
	}
	var err error
	open := o.Txn.NewView
	if o.Latest {
		open = o.Txn.NewLatestView
	}
	if q.view, err = open(); err != nil {
		return nil, mapError(err)
	}
	q.view.Bind(ctx)
	if len(st.CTEs) > 0 {
		q.openCTEs()
	}
	if q.root, err = q.build(st.Root, q.ec); err != nil {
		q.Close()
		return nil, mapError(err)
	}
	return q, nil
}

// Next returns the next row of the result, which lives until the following Next.
// At the end ok is false, and data-changing queries in WITH have run to theirs.
func (q *Query) Next() (row types.Row, ok bool, err error) {
	if q.done {
		return nil, false, nil
	}
	row, err = q.root.next()
	if err == nil && row == nil {
		q.done = true
		err = q.finish()
	}
	if err != nil {
		q.done = true
		return nil, false, mapError(err)
	}
	if row != nil && q.st.Verb == "SELECT" {
		q.affected++
	}
	return row, row != nil, nil
}

// finish runs what has to run to its end, and counts for EXPLAIN ANALYZE.
func (q *Query) finish() error {
	if err := q.finishCTEs(); err != nil {
		return err
	}
	if q.opt.Triggers != nil {
		if err := q.opt.Triggers.Finish(); err != nil {
			return err
		}
	}
	if err := q.endKeys(); err != nil {
		return err
	}
	if q.stats == nil || !q.st.Writes {
		return nil
	}
	info, err := q.opt.Txn.DryDerive(q.rt.Indexer.Deriver(q.opt.Catalog), q.view)
	if err != nil {
		return err
	}
	s := q.stat(q.st.Root)
	s.SpatialKeysWritten = int64(info.SpatialLive)
	s.SpatialTombstonesWritten = int64(info.SpatialTombstones)
	s.DirtyExtentsWritten = int64(info.DirtyExtents)
	s.BytesWritten = info.Bytes
	return nil
}

// RowsAffected is the count of the command tag: rows written, or rows returned by a
// SELECT so far.
func (q *Query) RowsAffected() int64 { return q.affected }

// Stats are the counters of each node; nil unless the query is instrumented.
func (q *Query) Stats() map[plan.Node]*plan.Stats { return q.stats }

// Close ends the execution and releases what it holds.
func (q *Query) Close() error {
	q.done = true
	if q.root != nil {
		q.root.close()
		q.root = nil
	}
	for _, c := range q.ctes {
		c.close()
	}
	for i := range q.subplans {
		if s := q.subplans[i].kept; s != nil {
			s.close()
		}
	}
	for f := range q.spills {
		f.close()
	}
	if q.view == nil {
		return nil
	}
	err := q.view.Close()
	q.view = nil
	return mapError(err)
}

// stat returns the counters of a node. Those of a query that is not instrumented
// are thrown away.
func (q *Query) stat(n plan.Node) *plan.Stats {
	if q.stats == nil {
		return &q.discard
	}
	s := q.stats[n]
	if s == nil {
		s = &plan.Stats{}
		q.stats[n] = s
	}
	return s
}

// checkEvery is how many rows or keys pass between two looks at the context. One row
// may cost milliseconds when functions work on large geometries.
const checkEvery = 8

// tick is called for each row or key that a loop passes.
func (q *Query) tick() error {
	q.ticks++
	if q.ticks%checkEvery == 0 && q.ctx.Err() != nil {
		return context.Cause(q.ctx)
	}
	return nil
}

// tickNow is tick for steps that take long by themselves.
func (q *Query) tickNow() error {
	if q.ctx.Err() != nil {
		return context.Cause(q.ctx)
	}
	return nil
}

// bounds sets what one operator may hold. The statement's own bound is wide enough for
// several of them.
func (q *Query) bounds() {
	if q.workMem = q.opt.WorkMemBytes; q.workMem <= 0 {
		q.workMem = defaultWorkMemBytes
	}
	if q.hashMem = q.opt.HashMemBytes; q.hashMem <= 0 {
		q.hashMem = 2 * q.workMem
	}
	q.workMem, q.hashMem = min(q.workMem, q.memory/8), min(q.hashMem, q.memory/4)
}

// hold counts memory against the statement's bound. What is held is given back when
// the query ends.
func (q *Query) hold(bytes int64) error {
	if q.memory -= bytes; q.memory < 0 {
		return pgerr.New(pgerr.OutOfMemory, "out of memory").
			WithDetail("The statement holds more rows than its memory allows.").
			WithHint("Let the statement read or group fewer rows, or lower work_mem so that rows go to disk earlier.")
	}
	return nil
}

func (q *Query) notice(e *pgerr.Error) {
	if q.opt.Notice != nil {
		q.opt.Notice(e)
	}
}

// nowMicros is the transaction's time as a timestamptz.
func (q *Query) nowMicros() int64 { return microsOf(q.opt.Funcs.TxnTime) }

// IndexState implements plan.IndexStates for the statement's view.
func (q *Query) IndexState(rel storage.RelationID, property string) (plan.IndexState, bool) {
	return q.rt.indexStateAt(rel, property, q.view.Revision())
}
