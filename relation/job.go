package relation

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/storage"
)

// Job is one rebuild, running in a goroutine of its own. Safe for concurrent use.
type Job struct {
	// ID names the job; it stays the same when the job goes on after a restart.
	ID string
	// Relation and Property say what is rebuilt; Property "" is all of them.
	Relation storage.RelationID
	Property string

	ix     *Indexer
	ctx    context.Context
	cancel context.CancelCauseFunc
	ended  chan struct{}
	result Rebuilt // settled when ended is closed, like err
	err    error

	name        atomic.Pointer[string] // of the relation
	phase       atomic.Pointer[phase]
	done, total atomic.Int64
}

// phase is what a job is doing, and since when.
type phase struct {
	text  string
	since time.Time
	from  int64 // done when it began here
}

// jobs are the rebuilds an Indexer knows: those that run or wait, and for each
// relation the last that ended.
type jobs struct {
	mu     sync.Mutex
	all    []*Job
	closed bool
	wg     sync.WaitGroup
}

// Errors that end a job.
var (
	errShutdown  = errors.New("the server is shutting down")
	errCancelled = pgerr.New(pgerr.QueryCanceled, "canceling rebuild due to user request")
)

// Progress is what a job has done so far.
type Progress struct {
	JobID, Relation, Property string
	Phase                     string
	// Done and Total count rows, or entries while entries are looked at. Total is an
	// estimate.
	Done, Total int64
	// PerSecond is the speed of the phase; Remaining is 0 when nothing can be said.
	PerSecond float64
	Remaining time.Duration
	Ended     bool
	// Detail says why a job failed.
	Detail string
}

// Rebuild rebuilds the index of a property, or with "" of all properties, under the
// policies of the catalog, and waits for the end. When ctx ends the job does.
func (ix *Indexer) Rebuild(ctx context.Context, rel storage.RelationID, property string) (Rebuilt, error) {
	j, err := ix.StartRebuild(rel, property)
	if err != nil {
		return Rebuilt{}, err
	}
	return j.Wait(ctx)
}

// StartRebuild starts a rebuild. It waits its turn behind others of the relation, and
// behind those who change its policies, which in turn wait for it.
func (ix *Indexer) StartRebuild(rel storage.RelationID, property string) (*Job, error) {
	id, err := uuid.NewRandom()
	if err != nil {
		return nil, err
	}
	j := ix.newJob(id.String(), rel, property)
	if err := ix.saveJob(j, jobRecord{Property: property}); err != nil {
		return nil, err
	}
	return j, ix.start(j, jobRecord{Property: property})
}

// ResumeRebuilds starts the jobs that were running when the store was last closed or
// its process died, where they were.
func (ix *Indexer) ResumeRebuilds() error {
	type left struct {
		j   *Job
		rec jobRecord
	}
	var all []left
	err := ix.db.ScanMeta(jobPrefix, func(key, value []byte) error {
		n := len(jobPrefix)
		var rec jobRecord
		if len(key) < n+4 || len(value) == 0 || value[0] != jobFormat || json.Unmarshal(value[1:], &rec) != nil {
			return pgerr.New(pgerr.DataCorrupted, "rebuild record %x has an unknown format", key)
		}
		rel := storage.RelationID(binary.BigEndian.Uint32(key[n:]))
		all = append(all, left{ix.newJob(string(key[n+4:]), rel, rec.Property), rec})
		return nil
	})
	for _, l := range all {
		if err == nil {
			err = ix.start(l.j, l.rec)
		}
	}
	return err
}

func (ix *Indexer) newJob(id string, rel storage.RelationID, property string) *Job {
	j := &Job{ID: id, Relation: rel, Property: property, ix: ix, ended: make(chan struct{})}
	j.ctx, j.cancel = context.WithCancelCause(context.Background())
	name := ""
	if r, ok := ix.cat.Current().ByID(rel); ok {
		name = r.Name
	}
	j.name.Store(&name)
	j.enter("waiting for its turn", 0)
	return j
}

func (ix *Indexer) start(j *Job, rec jobRecord) error {
	q := &ix.jobs
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return storage.ErrClosed
	}
	// Of the ended ones of a relation the last is kept, until the next begins.
	q.all = slices.DeleteFunc(q.all, func(o *Job) bool { return o.Relation == j.Relation && o.hasEnded() })
	q.all = append(q.all, j)
	q.wg.Go(func() {
		j.run(rec)
		q.mu.Lock()
		defer q.mu.Unlock()
		q.all = slices.DeleteFunc(q.all, func(o *Job) bool { return o != j && o.Relation == j.Relation && o.hasEnded() })
	})
	return nil
}

// Close ends the jobs, to go on after the next start, and waits for them.
func (ix *Indexer) Close() {
	q := &ix.jobs
	q.mu.Lock()
	q.closed = true
	all := slices.Clone(q.all)
	q.mu.Unlock()
	for _, j := range all {
		j.cancel(errShutdown)
	}
	q.wg.Wait()
}

// Rebuilds returns the progress of the jobs that run or wait, and of the last that
// ended of each relation, oldest first.
func (ix *Indexer) Rebuilds() []Progress {
	q := &ix.jobs
	q.mu.Lock()
	all := slices.Clone(q.all)
	q.mu.Unlock()
	list := make([]Progress, len(all))
	for i, j := range all {
		list[i] = j.Progress()
	}
	return list
}

// CancelRebuild ends a job; false when no such job runs or waits.
func (ix *Indexer) CancelRebuild(id string) bool {
	q := &ix.jobs
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, j := range q.all {
		if j.ID == id && !j.hasEnded() {
			j.cancel(errCancelled)
			return true
		}
	}
	return false
}

func (j *Job) hasEnded() bool {
	select {
	case <-j.ended:
		return true
	default:
		return false
	}
}

// Wait waits for the end of the job. When ctx ends first, it cancels the job.
func (j *Job) Wait(ctx context.Context) (Rebuilt, error) {
	select {
	case <-j.ended:
	case <-ctx.Done():
		j.cancel(context.Cause(ctx))
		<-j.ended
	}
	return j.result, j.err
}

// Progress returns what the job has done so far.
func (j *Job) Progress() Progress {
	ph := j.phase.Load()
	p := Progress{
		JobID: j.ID, Relation: *j.name.Load(), Property: j.Property, Phase: ph.text,
		Done: j.done.Load(), Total: j.total.Load(), Ended: j.hasEnded(),
	}
	p.Total = max(p.Total, p.Done)
	if p.Ended {
		if j.err != nil {
			p.Detail = j.err.Error()
		}
		return p
	}
	if secs := time.Since(ph.since).Seconds(); secs > 0 && p.Done > ph.from {
		p.PerSecond = float64(p.Done-ph.from) / secs
		p.Remaining = time.Duration(float64(p.Total-p.Done) / p.PerSecond * float64(time.Second))
	}
	return p
}

// enter begins a phase of the job that is to do total.
func (j *Job) enter(text string, total int64) {
	j.phase.Store(&phase{text: text, since: time.Now()})
	j.done.Store(0)
	j.total.Store(total)
}

func (j *Job) run(rec jobRecord) {
	defer close(j.ended)
	defer j.cancel(nil)
	err := j.work(rec)
	if err != nil && j.ctx.Err() != nil {
		err = context.Cause(j.ctx)
	}
	switch {
	case err == nil:
		j.phase.Store(&phase{text: "finished", since: time.Now()})
	case errors.Is(err, errShutdown), errors.Is(err, storage.ErrClosed):
		j.phase.Store(&phase{text: "interrupted", since: time.Now()})
	case j.ctx.Err() != nil:
		j.phase.Store(&phase{text: "cancelled", since: time.Now()})
		err = errors.Join(err, j.ix.forgetJob(j))
	default:
		j.phase.Store(&phase{text: "failed", since: time.Now()})
		slog.Error("rebuild of a spatial index failed", "relation", *j.name.Load(), "property", j.Property, "error", err)
		err = errors.Join(err, j.ix.forgetJob(j))
	}
	j.err = err
}

// work waits for the job's turn and rebuilds.
func (j *Job) work(rec jobRecord) (err error) {
	defer func() {
		if p := recover(); p != nil { // the server goes on, as it does for sessions
			err = pgerr.New(pgerr.InternalError, "internal error: %v", p)
		}
	}()
	txn := j.ix.db.Begin(storage.ReadCommitted)
	defer txn.Rollback()
	if err := txn.LockRelation(j.ctx, j.Relation, storage.ShareUpdateExclusive, storage.Wait); err != nil {
		return err
	}
	r, ok := j.ix.cat.Current().ByID(j.Relation)
	if !ok {
		return errors.Join(j.ix.forgetJob(j), pgerr.New(pgerr.UndefinedTable, "the relation has been dropped"))
	}
	j.name.Store(&r.Name)
	b, err := newRebuild(j, r, rec)
	if err != nil {
		return err
	}
	if err := b.run(); err != nil {
		if cause := context.Cause(j.ctx); !errors.Is(cause, errShutdown) && !errors.Is(err, storage.ErrClosed) {
			return errors.Join(err, b.settle())
		}
		return err
	}
	j.result = b.done
	return j.ix.forgetJob(j)
}

// A job's record lets it go on after a crash. Key: the prefix, the relation's number
// in four bytes, big endian, and the job's id; value: a format byte and JSON.
var jobPrefix = []byte("rebuild/")

const jobFormat = 1

type jobRecord struct {
	Property string `json:"property"`
	// Policies is what the catalog declared when the job began: under others it has to
	// begin anew.
	Policies json.RawMessage `json:"policies,omitempty"`
	// Checked is set after the first pass over the rows, Clearing after the last.
	Checked  bool `json:"checked,omitempty"`
	Clearing bool `json:"clearing,omitempty"`
	// Row is where the pass goes on.
	Row storage.RowID `json:"row,omitempty"`
	// Entry is where clearing goes on.
	Entry entryCursor `json:"entry"`
}

func jobKey(j *Job) []byte {
	return append(binary.BigEndian.AppendUint32(slices.Clone(jobPrefix), uint32(j.Relation)), j.ID...)
}

func (ix *Indexer) saveJob(j *Job, rec jobRecord) error {
	b, err := json.Marshal(rec)
	if err != nil {
		return pgerr.Wrap(err, pgerr.InternalError, "rebuild record cannot be written: %v", err)
	}
	if err := ix.db.PutMeta(false, storage.MetaKV{Key: jobKey(j), Value: append([]byte{jobFormat}, b...)}); err != nil {
		return fmt.Errorf("write rebuild record: %w", err)
	}
	return nil
}

func (ix *Indexer) forgetJob(j *Job) error {
	return ix.db.PutMeta(false, storage.MetaKV{Key: jobKey(j)})
}

// policiesOf is the form of a relation's policies that records compare.
func policiesOf(r *catalog.Relation) (json.RawMessage, error) {
	b, err := json.Marshal(r.Spatial)
	if err != nil {
		return nil, pgerr.Wrap(err, pgerr.InternalError, "policies of %q cannot be written: %v", r.Name, err)
	}
	return b, nil
}
