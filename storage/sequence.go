package storage

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/cockroachdb/pebble/v2"

	"raisind/storage/keys"
)

// ErrSequenceExhausted says that a sequence has no next value.
var ErrSequenceExhausted = errors.New("storage: sequence is at its end")

// Sequence says how the values of a sequence follow each other.
type Sequence struct {
	Increment, Min, Max int64
	Cycle               bool
	// Start is the first value, as long as nothing else was stored.
	Start int64
}

// SequenceState is where a sequence stands.
type SequenceState struct {
	// Last is the value given out last or, unless Called, the one that comes next.
	Last   int64
	Called bool
	// Ahead is how many values can be given out before the store is written to.
	Ahead int
}

const (
	// sequenceBlock is how many values are reserved at first. A sequence that runs through
	// its blocks gets bigger ones, up to maxSequenceBlock: that many a crash may skip.
	sequenceBlock    = 32
	maxSequenceBlock = 1024
)

// sequences are the values of sequences, which no transaction takes back. What is
// stored is a value at or behind the last one given out, so that none comes again
// after a crash.
type sequences struct {
	all sync.Map // RelationID -> *sequence
}

type sequence struct {
	mu     sync.Mutex
	loaded bool
	SequenceState
	block int
}

func (s *sequences) get(id RelationID) *sequence {
	q, ok := s.all.Load(id)
	if !ok {
		q, _ = s.all.LoadOrStore(id, new(sequence))
	}
	return q.(*sequence)
}

// NextSequence gives out the next values of a sequence, at most n of them: from first
// on in steps of the increment. With sync, what makes them unique is on disk on return.
func (db *DB) NextSequence(id RelationID, s Sequence, n int, sync bool) (first int64, count int, err error) {
	err = db.running(func() error {
		q := db.sequences.get(id)
		q.mu.Lock()
		defer q.mu.Unlock()
		if err := db.loadSequence(id, s, q); err != nil {
			return err
		}
		last, called := q.Last, q.Called
		for count < n {
			v := last
			if called {
				var ok bool
				if v, ok = s.after(last); !ok {
					if count > 0 {
						break
					}
					if !s.Cycle {
						return ErrSequenceExhausted
					}
					if v = s.Min; s.Increment < 0 {
						v = s.Max
					}
				}
			}
			if count == 0 {
				first = v
			}
			last, called = v, true
			count++
		}
		ahead := q.Ahead - count
		if ahead < 0 {
			logged := last
			for ahead = 0; ahead < q.block; ahead++ {
				v, ok := s.after(logged)
				if !ok {
					break
				}
				logged = v
			}
			if err := db.writeSequence(id, logged, true, sync); err != nil {
				return err
			}
			q.block = min(2*q.block, maxSequenceBlock)
		}
		q.SequenceState = SequenceState{last, true, ahead}
		return nil
	})
	return first, count, err
}

// after is the value that follows v, if the bounds allow one.
func (s Sequence) after(v int64) (int64, bool) {
	n := v + s.Increment
	if s.Increment > 0 {
		return n, n > v && n <= s.Max
	}
	return n, n < v && n >= s.Min
}

// ReadSequence tells where a sequence stands.
func (db *DB) ReadSequence(id RelationID, s Sequence) (st SequenceState, err error) {
	err = db.running(func() error {
		q := db.sequences.get(id)
		q.mu.Lock()
		defer q.mu.Unlock()
		err := db.loadSequence(id, s, q)
		st = q.SequenceState
		return err
	})
	return st, err
}

// SetSequence makes a sequence stand at a value.
func (db *DB) SetSequence(id RelationID, last int64, called, sync bool) error {
	return db.running(func() error {
		q := db.sequences.get(id)
		q.mu.Lock()
		defer q.mu.Unlock()
		if err := db.writeSequence(id, last, called, sync); err != nil {
			return err
		}
		q.loaded, q.block, q.SequenceState = true, sequenceBlock, SequenceState{last, called, 0}
		return nil
	})
}

// DropSequence forgets a sequence that nobody uses any more.
func (db *DB) DropSequence(id RelationID) error {
	return db.running(func() error {
		if db.opts.ReadOnly {
			return ErrReadOnly
		}
		db.sequences.all.Delete(id)
		return storeError(db.p.Delete(keys.AppendLocalRelation(nil, keys.SequenceValue, id), pebble.NoSync))
	})
}

// loadSequence reads what is stored; the caller holds the lock.
func (db *DB) loadSequence(id RelationID, s Sequence, q *sequence) error {
	if q.loaded {
		return nil
	}
	value, found, err := db.get(keys.AppendLocalRelation(nil, keys.SequenceValue, id))
	if err != nil {
		return err
	}
	q.SequenceState = SequenceState{Last: s.Start}
	if found {
		if len(value) != 9 {
			return fmt.Errorf("%w: sequence value of %d bytes", ErrCorrupt, len(value))
		}
		q.Last, q.Called = int64(binary.BigEndian.Uint64(value)), value[8] != 0
	}
	q.loaded, q.block = true, sequenceBlock
	return nil
}

func (db *DB) writeSequence(id RelationID, last int64, called, sync bool) error {
	if db.opts.ReadOnly {
		return ErrReadOnly
	}
	value := append(binary.BigEndian.AppendUint64(nil, uint64(last)), 0)
	if called {
		value[8] = 1
	}
	return storeError(db.p.Set(keys.AppendLocalRelation(nil, keys.SequenceValue, id), value, &pebble.WriteOptions{Sync: sync}))
}

// closeSequences stores where the sequences stand, so that an orderly stop skips nothing.
func (db *DB) closeSequences() (err error) {
	db.sequences.all.Range(func(id, v any) bool {
		q := v.(*sequence)
		q.mu.Lock()
		defer q.mu.Unlock()
		if q.loaded && q.Ahead > 0 {
			err = db.writeSequence(id.(RelationID), q.Last, q.Called, false)
		}
		return err == nil
	})
	if err == nil {
		return nil
	}
	return fmt.Errorf("store the values of sequences: %w", err)
}
