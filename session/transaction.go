package session

import (
	"context"
	"slices"
	"time"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/storage"
)

// transaction is the running transaction. PostgreSQL's states map to it so:
//
//	no transaction             tx == nil
//	one message's own          tx != nil, nothing else set; ended by the message or by Sync
//	several statements of a    implicitBlock: counts as a block for what needs one, and is
//	simple query               ended with the message unless BEGIN makes it a block
//	a block                    block
//	a failed block             block and failed: only ROLLBACK, COMMIT, ROLLBACK TO are taken
type transaction struct {
	store *storage.Txn
	cat   *catalog.Tx
	// level is the isolation level as it was asked for.
	level                string
	readOnly, deferrable bool
	start                time.Time

	block, implicitBlock, failed bool
	// queried: a statement has run, so the isolation level stands.
	queried bool
	saves   []savepoint
	// listens and notes wait for the commit.
	listens []listenAction
	notes   []Notification
	noted   map[Notification]int // their places in notes
	// deferred are constraint triggers that wait for the commit; deferring is what SET
	// CONSTRAINTS said, by name, "" for all.
	deferred  []queued
	deferring map[string]bool
	keys      keyEvents
}

// savepoint is where ROLLBACK TO goes back to.
type savepoint struct {
	name     string
	store    storage.Savepoint
	cat      int
	settings int // length of the settings' undo log
	readOnly bool
	portals  uint64 // portals made later have a higher number
	// lengths of the transaction's listens and notes
	listens, notes int
	deferred       int
	// later is how many checks of keys wait for the commit.
	later int
}

var levels = map[string]storage.Isolation{
	"read uncommitted": storage.ReadCommitted,
	"read committed":   storage.ReadCommitted,
	"repeatable read":  storage.RepeatableRead,
	"serializable":     storage.Serializable,
}

// ensureTx makes sure that there is a transaction.
func (s *Session) ensureTx() *transaction {
	if s.tx == nil {
		s.tx = &transaction{
			level: s.defaultLevel, readOnly: s.defaultReadOnly,
			deferrable: s.value(settingByName["default_transaction_deferrable"]) == "on",
			start:      s.statementTime,
		}
		s.openTx()
	}
	return s.tx
}

// openTx begins the storage's side at the transaction's level.
func (s *Session) openTx() {
	tx := s.tx
	tx.store = s.engine.cfg.DB.BeginFor(s.owner, levels[tx.level])
	if s.lockTimeout > 0 {
		tx.store.SetLockTimeout(s.lockTimeout)
	}
	tx.cat = s.engine.cat.Begin(tx.store)
	s.env.Now = tx.start
}

// begin is BEGIN.
func (s *Session) begin(modes ast.TxnModes) error {
	tx := s.ensureTx()
	if tx.block {
		s.notice(pgerr.Warning(pgerr.ActiveSQLTransaction, "there is already a transaction in progress"))
	} else {
		tx.block, tx.implicitBlock = true, false
	}
	return s.setModes(modes)
}

// setModes applies transaction modes to the running transaction.
func (s *Session) setModes(m ast.TxnModes) error {
	if m.Isolation != "" {
		if err := s.setLevel(m.Isolation); err != nil {
			return err
		}
	}
	if m.ReadOnly != nil {
		if err := s.setReadOnly(*m.ReadOnly); err != nil {
			return err
		}
	}
	if m.Deferrable != nil {
		return s.setDeferrable(*m.Deferrable)
	}
	return nil
}

func (s *Session) setLevel(level string) error {
	tx := s.tx
	if level == tx.level {
		return nil
	}
	if tx.queried {
		return pgerr.New(pgerr.ActiveSQLTransaction, "SET TRANSACTION ISOLATION LEVEL must be called before any query")
	}
	if len(tx.saves) > 0 {
		return pgerr.New(pgerr.ActiveSQLTransaction, "SET TRANSACTION ISOLATION LEVEL must not be called in a subtransaction")
	}
	if levels[level] != levels[tx.level] {
		tx.store.Rollback()
		tx.level = level
		s.openTx()
	}
	tx.level = level
	return nil
}

func (s *Session) setReadOnly(on bool) error {
	tx := s.tx
	if !on && tx.readOnly {
		if len(tx.saves) > 0 && tx.saves[len(tx.saves)-1].readOnly {
			return pgerr.New(pgerr.ActiveSQLTransaction, "cannot set transaction read-write mode inside a read-only transaction")
		}
		if tx.queried {
			return pgerr.New(pgerr.ActiveSQLTransaction, "transaction read-write mode must be set before any query")
		}
	}
	tx.readOnly = on
	return nil
}

func (s *Session) setDeferrable(on bool) error {
	tx := s.tx
	if len(tx.saves) > 0 {
		return pgerr.New(pgerr.ActiveSQLTransaction, "SET TRANSACTION [NOT] DEFERRABLE cannot be called within a subtransaction")
	}
	if tx.queried {
		return pgerr.New(pgerr.ActiveSQLTransaction, "SET TRANSACTION [NOT] DEFERRABLE must be called before any query")
	}
	tx.deferrable = on
	return nil
}

func (s *Session) showIsolation() string {
	if s.tx != nil {
		return s.tx.level
	}
	return s.defaultLevel
}

func (s *Session) showReadOnly() string {
	if s.tx != nil {
		return onOff(s.tx.readOnly)
	}
	return onOff(s.defaultReadOnly)
}

func (s *Session) showDeferrable() string {
	if s.tx != nil {
		return onOff(s.tx.deferrable)
	}
	return s.value(settingByName["default_transaction_deferrable"])
}

// endBlock is COMMIT and ROLLBACK; the tag says which of the two it was.
func (s *Session) endBlock(ctx context.Context, commit, chain bool) (Tag, error) {
	tx := s.tx
	if chain && (tx == nil || !tx.block) {
		verb := "ROLLBACK"
		if commit {
			verb = "COMMIT"
		}
		return Tag{}, pgerr.New(pgerr.NoActiveSQLTransaction, "%s AND CHAIN can only be used in transaction blocks", verb)
	}
	if tx == nil || !tx.block {
		s.notice(pgerr.Warning(pgerr.NoActiveSQLTransaction, "there is no transaction in progress"))
	}
	if tx != nil && tx.failed {
		commit = false
	}
	tag := Tag{Verb: "ROLLBACK"}
	if commit {
		tag.Verb = "COMMIT"
		if err := s.commit(ctx); err != nil {
			return tag, err
		}
	} else {
		s.rollback()
	}
	if chain {
		s.tx = &transaction{level: tx.level, readOnly: tx.readOnly, deferrable: tx.deferrable, start: s.statementTime, block: true}
		s.openTx()
	}
	return tag, nil
}

// commit ends the transaction; an error means that it was rolled back.
func (s *Session) commit(ctx context.Context) error {
	_, err := s.commitInfo(ctx)
	return err
}

// commitInfo is commit that tells what was written.
func (s *Session) commitInfo(ctx context.Context) (info storage.CommitInfo, err error) {
	tx := s.tx
	if tx == nil {
		return info, nil
	}
	if err := s.fireDeferred(ctx); err != nil {
		s.rollback()
		return info, err
	}
	if err := s.holdCursors(ctx); err != nil {
		s.rollback()
		return info, err
	}
	if err := s.endKeys(ctx); err != nil {
		s.rollback()
		return info, mapError(err)
	}
	if err := s.commitTemporary(ctx); err != nil {
		s.rollback()
		return info, mapError(err)
	}
	s.closePortals(false)
	changed := tx.cat.Changed()
	var opt storage.CommitOptions
	opt.Sync = s.syncCommit
	if changed {
		opt.OnApply = tx.cat.OnApply
	}
	deriver, ended := s.engine.indexer.Committing(tx.cat)
	info, err = tx.store.Commit(ctx, deriver, opt)
	ended()
	s.tx = nil
	s.env.Now = time.Time{}
	if err != nil {
		s.settingsRollback(0)
		return info, err
	}
	s.settingsCommit()
	s.announce(tx)
	if changed {
		s.engine.sweepSoon()
	}
	s.engine.count(func(ev *Events) { callIf(ev.Commit, info) })
	return info, nil
}

// rollback ends the transaction without a trace.
func (s *Session) rollback() {
	if s.tx == nil {
		return
	}
	tx := s.tx
	s.tx = nil
	s.closePortals(false)
	tx.store.Rollback()
	s.env.Now = time.Time{}
	s.settingsRollback(0)
}

// fail is what an error does to the transaction: one that is not a block ends, a block
// waits for its ROLLBACK with its locks given back.
func (s *Session) fail() {
	tx := s.tx
	switch {
	case tx == nil:
	case !tx.block:
		s.rollback()
	case !tx.failed:
		tx.failed = true
		if n := len(tx.saves); n > 0 {
			s.undoTo(tx.saves[n-1])
			return
		}
		s.closePortals(false)
		tx.store.Rollback()
		s.settingsRollback(0)
	}
}

// undoTo takes back what happened since a savepoint.
func (s *Session) undoTo(sp savepoint) {
	for _, p := range s.portals {
		if p.number > sp.portals {
			s.dropPortal(p)
		}
	}
	s.tx.store.RollbackTo(sp.store)
	s.tx.cat.RollbackTo(sp.cat)
	s.settingsRollback(sp.settings)
	s.tx.readOnly = sp.readOnly
	s.tx.listens, s.tx.notes = s.tx.listens[:sp.listens], s.tx.notes[:sp.notes]
	s.tx.deferred = s.tx.deferred[:min(sp.deferred, len(s.tx.deferred))]
	s.tx.keys.now, s.tx.keys.later = nil, s.tx.keys.later[:min(sp.later, len(s.tx.keys.later))]
}

// needBlock says that a statement makes no sense outside a transaction block.
func (s *Session) needBlock(what string) error {
	if s.tx == nil || !s.tx.block && !s.tx.implicitBlock {
		return pgerr.New(pgerr.NoActiveSQLTransaction, "%s can only be used in transaction blocks", what)
	}
	return nil
}

// forbidBlock says that a statement cannot be rolled back and so may not stand in a block.
func (s *Session) forbidBlock(what string) error {
	if s.tx != nil && (s.tx.block || s.tx.implicitBlock) {
		return pgerr.New(pgerr.ActiveSQLTransaction, "%s cannot run inside a transaction block", what)
	}
	return nil
}

// forbidReadOnly says that a statement may not run in a read-only transaction.
func (s *Session) forbidReadOnly(what string) error {
	if s.tx != nil && s.tx.readOnly {
		return pgerr.New(pgerr.ReadOnlySQLTransaction, "cannot execute %s in a read-only transaction", what)
	}
	return nil
}

// savepoint is SAVEPOINT.
func (s *Session) savepoint(name string) error {
	if s.tx == nil || !s.tx.block {
		return pgerr.New(pgerr.NoActiveSQLTransaction, "SAVEPOINT can only be used in transaction blocks")
	}
	s.tx.saves = append(s.tx.saves, s.mark(name))
	return nil
}

// mark notes where the transaction stands.
func (s *Session) mark(name string) savepoint {
	tx := s.tx
	return savepoint{
		name: name, store: tx.store.Savepoint(), cat: tx.cat.Savepoint(), settings: len(s.settings.undo),
		readOnly: tx.readOnly, portals: s.portalNumber, listens: len(tx.listens), notes: len(tx.notes),
		deferred: len(tx.deferred), later: len(tx.keys.later),
	}
}

// findSavepoint returns the place of the newest savepoint of a name.
func (s *Session) findSavepoint(what, name string) (int, error) {
	if s.tx == nil || !s.tx.block {
		return 0, pgerr.New(pgerr.NoActiveSQLTransaction, "%s can only be used in transaction blocks", what)
	}
	for i, sp := range slices.Backward(s.tx.saves) {
		if sp.name == name {
			return i, nil
		}
	}
	return 0, pgerr.New(pgerr.InvalidSavepointSpecification, `savepoint "%s" does not exist`, name)
}

// release is RELEASE SAVEPOINT.
func (s *Session) release(name string) error {
	i, err := s.findSavepoint("RELEASE SAVEPOINT", name)
	if err != nil {
		return err
	}
	s.tx.store.Release(s.tx.saves[i].store)
	s.tx.saves = s.tx.saves[:i]
	return nil
}

// rollbackTo is ROLLBACK TO SAVEPOINT, which also mends a failed block.
func (s *Session) rollbackTo(name string) error {
	i, err := s.findSavepoint("ROLLBACK TO SAVEPOINT", name)
	if err != nil {
		return err
	}
	s.undoTo(s.tx.saves[i])
	s.tx.saves = s.tx.saves[:i+1]
	s.tx.failed = false
	return nil
}
