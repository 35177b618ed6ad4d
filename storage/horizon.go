package storage

import (
	"encoding/binary"
	"sync"

	"github.com/cockroachdb/pebble/v2"

	"raisind/storage/keys"
)

// horizons tell how far back each relation can be read: versions superseded before it may be gone.
type horizons struct {
	mu        sync.RWMutex
	relations map[RelationID]Revision
}

func (h *horizons) load(db *DB) error {
	h.relations = map[RelationID]Revision{}
	return db.scanLocal(keys.Local{Kind: keys.HistoryHorizon}, func(rest, value []byte) error {
		rev, err := keys.DecodeUint64(value)
		if err != nil || len(rest) != 4 {
			return ErrCorrupt
		}
		h.relations[RelationID(binary.BigEndian.Uint32(rest))] = Revision(rev)
		return nil
	})
}

// Horizon is the oldest revision at which rel can be read; 0: all of its history is there.
func (db *DB) Horizon(rel RelationID) Revision {
	db.horizons.mu.RLock()
	defer db.horizons.mu.RUnlock()
	return db.horizons.relations[rel]
}

// RaiseHorizon gives up the history of rel below rev, though never what an open view or snapshot reads,
// and returns the horizon that now holds. It is on disk when RaiseHorizon returns: only then may versions
// superseded at or before it be deleted.
func (db *DB) RaiseHorizon(rel RelationID, rev Revision) (Revision, error) {
	var now Revision
	err := db.running(func() error {
		if db.opts.ReadOnly {
			return ErrReadOnly
		}
		now = db.publishHorizon(rel, rev)
		key := keys.AppendLocalRelation(nil, keys.HistoryHorizon, rel)
		return storeError(db.p.Set(key, keys.AppendUint64(nil, uint64(now)), pebble.Sync))
	})
	return now, err
}

// publishHorizon decides while no view can be opened, so that a view either counts or sees the horizon.
func (db *DB) publishHorizon(rel RelationID, rev Revision) Revision {
	db.registry.mu.Lock()
	defer db.registry.mu.Unlock()
	db.horizons.mu.Lock()
	defer db.horizons.mu.Unlock()
	rev = max(db.horizons.relations[rel], min(rev, db.registry.oldestOr(db.Visible())))
	db.horizons.relations[rel] = rev
	return rev
}
