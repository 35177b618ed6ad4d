package storage

import (
	"encoding/binary"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
	"github.com/coocood/freecache"

	"raisind/storage/keys"
)

// headCache holds newest versions of rows and unique keys, so that an update of something that moves, which
// looks up the same few keys every few seconds, need not search memtables and tables for them.
//
// An entry is the newest version there is below any visible revision. Commits write theirs before they become
// visible, and readers add what they found only when nothing was committed since. So an entry whose revision a
// view may see is what the view would find; with a newer one the view has to search.
type headCache struct {
	db      *DB
	entries *freecache.Cache // by key without revision: the revision, then what is stored; nil: no cache
	since   Revision         // newest when the store was opened: what changed before is not known

	hits, misses atomic.Uint64
}

// maxHeadValue bounds the values kept, in bytes; larger ones cost more to copy than to find.
const maxHeadValue = 4 << 10

// minHeadCache is the smallest cache freecache makes, in bytes.
const minHeadCache = 512 << 10

// HeadCacheStats tell how often point reads found their version in the cache of newest versions.
type HeadCacheStats struct {
	Hits, Misses uint64
	Entries      int64
}

// HeadCacheStats counts since the store was opened.
func (db *DB) HeadCacheStats() HeadCacheStats {
	h := &db.heads
	s := HeadCacheStats{Hits: h.hits.Load(), Misses: h.misses.Load()}
	if h.entries != nil {
		s.Entries = h.entries.EntryCount()
	}
	return s
}

// init makes a cache of so many bytes, which are taken from the system as they fill. Called with the store
// open and nothing committed since.
func (h *headCache) init(db *DB, bytes int64) {
	h.db, h.since = db, db.Visible()
	if bytes >= minHeadCache {
		h.entries = freecache.NewCacheCustomTimer(int(bytes), revisionClock{db})
	}
}

// revisionClock gives the cache the time of the newest revision, in seconds: enough for its order of use.
type revisionClock struct{ db *DB }

// Now implements freecache.Timer.
func (c revisionClock) Now() uint32 {
	return uint32(c.db.Visible().UnixMs() / 1000)
}

// get finds what key, a complete row or unique key, asks for and appends it to dst: the version at or below
// the revision of key.
func (h *headCache) get(dst, key []byte) (stored []byte, rev Revision, ok bool) {
	if h.entries == nil {
		return nil, 0, false
	}
	n := keys.Split(key)
	want := keys.RevisionOf(key[n:])
	err := h.entries.GetFn(key[:n], func(entry []byte) error {
		if rev = Revision(binary.BigEndian.Uint64(entry)); rev <= want {
			stored, ok = append(dst, entry[8:]...), true
		}
		return nil
	})
	if err != nil || !ok {
		h.misses.Add(1)
		return nil, 0, false
	}
	h.hits.Add(1)
	return stored, rev, true
}

// committed takes over what a stamped batch writes. Called before its revision becomes visible.
func (h *headCache) committed(batch *pebble.Batch, rev Revision) {
	if h.entries == nil {
		return
	}
	var buf [8 + 1024]byte
	for r := batch.Reader(); len(r) > 0; {
		_, key, value, ok, err := r.Next()
		if !ok || err != nil { // stamp has read the same bytes
			return
		}
		if !cachedFamily(key) {
			continue
		}
		prefix := key[:keys.Split(key)]
		if len(value) > maxHeadValue {
			h.entries.Del(prefix)
			continue
		}
		entry := append(binary.BigEndian.AppendUint64(buf[:0], uint64(rev)), value...)
		if h.entries.Set(prefix, entry, 0) != nil { // too large for it: what it had must not stay
			h.entries.Del(prefix)
		}
	}
}

// clear forgets everything: a batch that committed has told of was not applied.
func (h *headCache) clear() {
	if h.entries != nil {
		h.entries.Clear()
	}
}

// found offers what a view at revision at read from the store, under the key it found.
func (h *headCache) found(key, stored []byte, at Revision) {
	if h.entries == nil || at < h.since || len(stored) > maxHeadValue {
		return
	}
	n := keys.Split(key)
	_, _, _ = h.entries.Update(key[:n], func(_ []byte, found bool) ([]byte, bool, int) {
		if found || h.changedAfter(key, at) {
			return nil, false, 0
		}
		entry := binary.BigEndian.AppendUint64(make([]byte, 0, 8+len(stored)), uint64(keys.RevisionOf(key[n:])))
		return append(entry, stored...), true, 0
	}) // one it cannot hold is not kept
}

// changedAfter tells whether a commit newer than at may have written the key. Commits leave their marks
// before they write to the cache, so under the lock of an entry no is certain.
func (h *headCache) changedAfter(key []byte, at Revision) bool {
	if key[0] == keys.UniqueFamily {
		return h.db.changes.after(objectID{index: true, id: uint32(keys.IndexOf(key))}, at)
	}
	row, err := keys.DecodeRow(key)
	return err != nil || h.db.recent.after(row.Relation, row.Row, at)
}

func cachedFamily(key []byte) bool {
	return key[0] == keys.RowFamily || key[0] == keys.UniqueFamily
}
