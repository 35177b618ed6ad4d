package storage

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"

	"github.com/cockroachdb/pebble/v2"

	"raisind/storage/keys"
)

const (
	// pruneBatchKeys is how many drops are committed together, exceeded only by one large group.
	pruneBatchKeys = 1024
	// pruneChunkKeys is how many keys are read through one iterator: an old one holds on to old tables.
	pruneChunkKeys = 64 << 10
)

// prunePass reads groups and deletes what may go, in chunks of one iterator and one batch each.
type prunePass struct {
	p   *pruner
	ctx context.Context

	settled Revision // as of the chunk: every view reads it or a later one
	aged    Revision
	cutoff  func(RelationID) Revision // of history, as of the pass

	known     bool       // the following are set
	rows      RelationID // whose rows are being read
	rowsAged  Revision   // its cutoff; 0: none
	rowsLimit Revision   // nothing goes that was superseded after it
	horizon   Revision   // published for it in this pass; 0: not yet

	it      *pebble.Iterator
	batch   *pebble.Batch
	indexes bool // the batch drops index entries
	read    int  // keys
	drops   int
	held    int // groups from which something goes once a view is closed

	prefix, key []byte
	group       []version
}

// groups prunes the groups of sorted prefixes.
func (s *prunePass) groups(prefixes []string) error {
	for len(prefixes) > 0 {
		err := s.chunk(keyRange{}, func() error {
			for len(prefixes) > 0 && !s.full() {
				s.key = append(s.key[:0], prefixes[0]...)
				prefixes = prefixes[1:]
				if !s.it.SeekGE(s.key) || !bytes.HasPrefix(s.it.Key(), s.key) {
					if err := s.it.Error(); err != nil {
						return err
					}
					continue
				}
				if err := s.one(); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// walk prunes every group in r, whose ends are prefixes. held counts the groups that a view kept.
func (s *prunePass) walk(r keyRange) (held int, err error) {
	s.held = 0
	for more := true; more && err == nil; {
		err = s.chunk(r, func() error {
			more = s.it.First()
			for more && !s.full() {
				if k := s.it.Key(); !prunable(k[0]) {
					more = s.it.Next()
					continue
				}
				if err := s.one(); err != nil {
					return err
				}
				more = s.it.Valid()
			}
			if more {
				k := s.it.Key()
				r.lower = append([]byte{}, k[:keys.Split(k)]...)
			}
			return s.it.Error()
		})
	}
	return s.held, err
}

func (s *prunePass) full() bool { return s.drops >= pruneBatchKeys || s.read >= pruneChunkKeys }

// chunk runs fn with an iterator over r and a batch, and commits the batch.
func (s *prunePass) chunk(r keyRange, fn func() error) (err error) {
	if err := context.Cause(s.p.quit); err != nil {
		return ErrClosed
	}
	if err := context.Cause(s.ctx); err != nil {
		return err
	}
	s.p.reading.Lock()
	defer s.p.reading.Unlock()
	db := s.p.db
	s.begin()
	o := iterOptions(r.lower, r.upper)
	if s.it, err = db.p.NewIter(&o); err != nil {
		return storeError(err)
	}
	s.batch = db.p.NewBatch()
	err = errors.Join(fn(), s.it.Close())
	if err == nil && s.drops > 0 {
		err = s.commit()
	}
	s.p.counter.read.Add(uint64(s.read))
	return errors.Join(storeError(err), s.batch.Close())
}

// begin takes the limits of the chunk. Views of history below settled that are opened from now on are kept
// off the indexes; those open now count in settled.
func (s *prunePass) begin() {
	db := s.p.db
	db.registry.mu.Lock()
	s.settled = db.registry.oldestOr(db.Visible())
	s.p.index.Store(max(s.p.index.Load(), int64(s.settled)))
	db.registry.mu.Unlock()
	s.aged = s.p.aged()
	if s.cutoff == nil {
		s.cutoff = s.p.historyCutoff()
	}
	s.indexes, s.read, s.drops = false, 0, 0
}

// commit needs no sync: a drop that is lost will be found again, and history is given up on disk before.
func (s *prunePass) commit() error {
	if s.indexes {
		key := keys.Local{Kind: keys.IndexHorizon}.Append(nil)
		if err := s.batch.Set(key, keys.AppendUint64(nil, uint64(s.p.index.Load())), nil); err != nil {
			return err
		}
	}
	if err := s.batch.Commit(pebble.NoSync); err != nil {
		return err
	}
	s.p.counter.pruned.Add(uint64(s.drops))
	return nil
}

// one prunes the group on whose first key the iterator stands, and leaves it behind the group.
func (s *prunePass) one() error {
	k := s.it.Key()
	n := keys.Split(k)
	s.prefix = append(s.prefix[:0], k[:n]...)
	s.group = s.group[:0]
	rows := k[0] == keys.RowFamily && n >= 5
	if rows {
		if s.relation(RelationID(binary.BigEndian.Uint32(k[1:]))); s.rowsAged == 0 {
			s.it.NextPrefix()
			return s.it.Error()
		}
	}
	headless := true
	for valid := true; valid; {
		k := s.it.Key()
		if n := keys.Split(k); !bytes.Equal(k[:n], s.prefix) {
			break
		}
		s.read++
		var v version
		var ok bool
		v.rev, v.tombstone, ok = versionOf(k, len(s.prefix))
		v.unreadable = !ok
		if ok && headless && k[0] != keys.SpatialFamily {
			stored, err := s.it.ValueAndErr()
			if err != nil {
				return err
			}
			_, live, err := keys.DecodeValue(stored)
			v.tombstone = err == nil && !live
		}
		s.group = append(s.group, v)
		if rows && headless && ok && v.rev > s.rowsLimit {
			// Nothing goes that was superseded since: jump over what may be an hour of updates.
			s.key = keys.AppendRevision(append(s.key[:0], s.prefix...), s.rowsLimit)
			valid = s.it.SeekGE(s.key)
		} else {
			valid = s.it.Next()
		}
		headless = headless && !ok
	}
	if err := s.it.Error(); err != nil {
		return err
	}
	s.p.counter.groups.Add(1)
	drops, held, err := s.decide()
	if held {
		s.held++
	}
	if err != nil || drops == 0 {
		return err
	}
	return s.delete()
}

// relation takes the limits of rel's rows, once for the rows of one relation in a row.
func (s *prunePass) relation(rel RelationID) {
	if s.known && s.rows == rel {
		return
	}
	s.known, s.rows, s.horizon, s.rowsAged = true, rel, 0, s.cutoff(rel)
	s.rowsLimit = max(s.rowsAged, s.p.db.Horizon(rel))
}

// decide applies the limits of the group's family.
func (s *prunePass) decide() (drops int, held bool, err error) {
	switch s.prefix[0] {
	case keys.SpatialFamily:
		drops, held = decide(s.group, pruneLimits{keep: s.p.keep, aged: s.aged, settled: s.settled})
		s.indexes = s.indexes || drops > 0
		return drops, held, nil
	case keys.UniqueFamily: // history is not read through it: only views need what is superseded
		drops, held = decide(s.group, pruneLimits{keep: 1, aged: keys.MaxRevision, settled: s.settled})
		s.indexes = s.indexes || drops > 0
		return drops, held, nil
	}
	if len(s.prefix) < 5 { // nothing readable
		return 0, false, nil
	}
	if s.horizon == 0 {
		drops, held = decide(s.group, pruneLimits{keep: 1, aged: keys.MaxRevision, settled: min(s.rowsAged, s.settled)})
		if drops == 0 {
			return 0, held && s.settled < s.rowsAged, nil
		}
		if s.horizon, err = s.p.db.RaiseHorizon(s.rows, s.rowsAged); err != nil {
			return 0, false, err
		}
		for i := range s.group {
			s.group[i].drop = false
		}
	}
	drops, held = decide(s.group, pruneLimits{keep: 1, aged: keys.MaxRevision, settled: s.horizon})
	return drops, held && s.horizon < s.rowsAged, nil
}

// delete adds the drops of the group to the batch.
func (s *prunePass) delete() error {
	for _, v := range s.group {
		if !v.drop {
			continue
		}
		s.key = keys.AppendRevision(append(s.key[:0], s.prefix...), v.rev)
		if s.prefix[0] == keys.SpatialFamily {
			s.key = keys.AppendSpatialKind(s.key, v.tombstone)
		}
		if err := s.batch.SingleDelete(s.key, nil); err != nil {
			return err
		}
		s.drops++
		if v.tombstone {
			s.p.counter.tombstones.Add(1)
		}
	}
	return nil
}
