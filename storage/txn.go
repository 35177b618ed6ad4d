package storage

import "time"

// MaxCommitBytes bounds the keys and values one transaction may commit.
const MaxCommitBytes = 1 << 30

// Txn is a transaction: buffered writes, held locks, and for the higher isolation levels a snapshot. Used
// by one goroutine at a time, together with its views.
type Txn struct {
	db    *DB
	id    uint64
	iso   Isolation
	done  bool
	owner *Owner
	self  Owner // owner, unless BeginFor gave one

	writes writeSet
	epoch  uint64 // counts views and savepoints; parts of writes from earlier epochs are shared with them
	seq    uint64 // numbers the writes to rows

	snapshot pin      // of RepeatableRead and Serializable
	pinned   bool     // snapshot is taken, which the first view does
	reads    *readSet // of Serializable

	held          []heldLock
	relationLocks []relationLock
	lockTimeout   time.Duration

	inline struct { // room for the usual transaction, used once
		writes    relationWrites
		relations [1]*relationWrites
		held      [4]heldLock
		locks     [1]relationLock
	}
}

// Begin starts a transaction. It costs nothing until it reads, writes or locks.
func (db *DB) Begin(iso Isolation) *Txn {
	t := &Txn{db: db, id: db.nextTxn.Add(1), iso: iso}
	t.self.db = db
	t.owner = &t.self
	t.held, t.relationLocks = t.inline.held[:0], t.inline.locks[:0]
	return t
}

// BeginFor starts a transaction whose locks stand next to the session-level locks of owner.
func (db *DB) BeginFor(owner *Owner, iso Isolation) *Txn {
	t := db.Begin(iso)
	t.owner = owner
	return t
}

// Isolation is the level given to Begin.
func (t *Txn) Isolation() Isolation { return t.iso }

// ID numbers the transaction within this run of the store.
func (t *Txn) ID() uint64 { return t.id }

// HasWrites tells whether Commit would write anything.
func (t *Txn) HasWrites() bool { return len(t.writes.relations) > 0 || t.writes.meta != nil }

// NewView reads as the isolation level says: ReadCommitted the newest visible revision, else the
// transaction's snapshot, which the first view takes. Own writes up to now are in it.
func (t *Txn) NewView() (*View, error) {
	if t.iso == ReadCommitted {
		return t.NewLatestView()
	}
	if t.done {
		return nil, ErrTxnDone
	}
	if err := t.takeSnapshot(); err != nil {
		return nil, err
	}
	v, err := t.view(t.snapshotRevision)
	if err != nil {
		return nil, err
	}
	v.reads = t.reads
	return v, nil
}

// NewLatestView reads the newest visible revision whatever the isolation, with own writes: for unique
// checks, and for looking again after waiting for a lock.
func (t *Txn) NewLatestView() (*View, error) {
	if t.done {
		return nil, ErrTxnDone
	}
	return t.view(t.db.Visible)
}

// ViewAt reads history as of rev, without own writes. A rev above Visible reads Visible. Reading a relation
// whose horizon lies above rev fails with ErrSnapshotTooOld.
func (t *Txn) ViewAt(rev Revision) (*View, error) {
	if t.done {
		return nil, ErrTxnDone
	}
	v := &View{db: t.db, history: true}
	if !t.db.registry.pin(&v.pin, func() Revision { return min(rev, t.db.Visible()) }) {
		return nil, ErrClosed
	}
	return v, nil
}

// NewView reads the newest visible revision outside any transaction.
func (db *DB) NewView() (*View, error) {
	v := &View{db: db}
	if !db.registry.pin(&v.pin, db.Visible) {
		return nil, ErrClosed
	}
	return v, nil
}

func (t *Txn) view(choose func() Revision) (*View, error) {
	v := &View{db: t.db, own: t.writes, seq: t.seq}
	if !t.db.registry.pin(&v.pin, choose) {
		return nil, ErrClosed
	}
	t.epoch++
	return v, nil
}

func (t *Txn) takeSnapshot() error {
	if t.pinned {
		return nil
	}
	if !t.db.registry.pin(&t.snapshot, t.db.Visible) {
		return ErrClosed
	}
	t.pinned = true
	if t.iso == Serializable {
		t.reads = newReadSet()
	}
	return nil
}

func (t *Txn) snapshotRevision() Revision { return t.snapshot.rev }

// CheckWrite fails with ErrSerialization when the row has a committed version newer than the snapshot of a
// RepeatableRead or Serializable transaction. To be called with the row locked; Commit checks once more.
func (t *Txn) CheckWrite(rel RelationID, row RowID) error {
	if t.iso == ReadCommitted {
		return nil
	}
	if t.done {
		return ErrTxnDone
	}
	if err := t.takeSnapshot(); err != nil {
		return err
	}
	changed, err := t.db.rowChangedAfter(rel, row, t.snapshot.rev)
	if err == nil && changed {
		err = ErrSerialization
	}
	return err
}

// Savepoint marks a place in a transaction. The zero Savepoint is the beginning.
type Savepoint struct {
	writes writeSet
	locks  int
}

// Savepoint marks the present state. It shares the buffers, so it costs what is written after it.
func (t *Txn) Savepoint() Savepoint {
	t.epoch++
	return Savepoint{writes: t.writes, locks: len(t.held)}
}

// RollbackTo undoes what was written and gives back what was locked after sp, which stays usable; later
// savepoints do not. Views taken before keep what they saw.
func (t *Txn) RollbackTo(sp Savepoint) {
	if t.done {
		return
	}
	t.writes = sp.writes
	t.epoch++
	t.unlockTo(min(sp.locks, len(t.held)))
}

// Release forgets sp, keeping writes and locks.
func (t *Txn) Release(Savepoint) {}

// Rollback drops the writes and gives the locks back. Harmless after Commit.
func (t *Txn) Rollback() {
	if !t.done {
		t.end()
	}
}

func (t *Txn) end() {
	t.done = true
	t.writes, t.reads = writeSet{}, nil
	t.unlockTo(0)
	if t.pinned {
		t.pinned = false
		t.db.registry.unpin(&t.snapshot)
	}
}
