package exec

import (
	"raisind/sql/types"
)

// account counts the memory of one operator, which goes to disk with its rows once it
// is full, within the memory of the statement, which ends with an error.
type account struct {
	q      *Query
	parent *account // counts what is taken here as well; may be nil
	limit  int64    // bytes
	held   int64
	peak   int64
}

// sortMemory is the account of an operator that work_mem bounds.
func (q *Query) sortMemory() account { return account{q: q, limit: q.workMem} }

// hashMemory is the account of one that hashes: hash_mem_multiplier times as much.
func (q *Query) hashMemory() account { return account{q: q, limit: q.hashMem} }

func (a *account) take(bytes int64) error {
	a.held += bytes
	a.peak = max(a.peak, a.held)
	if a.parent != nil {
		return a.parent.take(bytes)
	}
	return a.q.hold(bytes)
}

func (a *account) full() bool { return a.held > a.limit }

// release gives back what is held.
func (a *account) release() { a.giveBack(a.held) }

func (a *account) giveBack(bytes int64) {
	a.held -= bytes
	if a.parent != nil {
		a.parent.giveBack(bytes)
		return
	}
	a.q.memory += bytes
}

// rowStore keeps rows in the order they were added: the first ones in memory, those
// that memory has no room for on disk.
type rowStore struct {
	q     *Query
	acc   account
	a     arena
	rows  []types.Row
	file  *spillFile
	tape  *tape
	width int
}

func (q *Query) newRowStore(width int) *rowStore {
	s := &rowStore{q: q, acc: q.sortMemory(), width: width}
	s.a = arena{q: q, acc: &s.acc}
	return s
}

func (s *rowStore) add(row types.Row) error {
	if s.tape == nil && !s.acc.full() {
		kept, err := s.a.keep(row)
		if err != nil {
			return err
		}
		s.rows = append(s.rows, kept)
		return nil
	}
	if s.tape == nil {
		s.file = s.q.newSpillFile()
		s.tape = s.file.newTape(s.width)
	}
	return s.tape.add(row)
}

// len is how many rows there are.
func (s *rowStore) len() int {
	n := len(s.rows)
	if s.tape != nil {
		n += int(s.tape.rows)
	}
	return n
}

// fill adds all rows of a source.
func (s *rowStore) fill(it iter) error {
	for {
		row, err := it.next()
		if err != nil || row == nil {
			return err
		}
		if err := s.q.tick(); err != nil {
			return err
		}
		if err := s.add(row); err != nil {
			return err
		}
	}
}

func (s *rowStore) close() {
	s.acc.release()
	s.rows, s.a.chunk = nil, nil
	if s.file != nil {
		s.file.close()
	}
}

// storeReader reads a rowStore from its first row on; rows may still be added.
type storeReader struct {
	s    *rowStore
	at   int
	disk *tapeReader
}

func (s *rowStore) reader() *storeReader { return &storeReader{s: s} }

func (r *storeReader) next() (types.Row, error) {
	if r.at < len(r.s.rows) {
		r.at++
		return r.s.rows[r.at-1], nil
	}
	if r.s.tape == nil {
		return nil, nil
	}
	if r.disk == nil {
		r.disk = r.s.tape.reader()
	}
	row, err := r.disk.next()
	if row != nil {
		r.at++
	}
	return row, err
}

func (r *storeReader) close() {}
