package storage

import (
	"bytes"
	"context"
	"slices"

	"github.com/cockroachdb/pebble/v2"

	"raisind/storage/keys"
)

// ScanStats counts what an iterator read.
type ScanStats struct {
	Keys       int // keys visited, tombstones included
	Superseded int // of these, versions of no interest to the scan that NextPrefix did not jump over
	Seeks      int
}

// checkEvery is after how many keys an iterator looks at the context of View.Bind.
const checkEvery = 256

// maxSteps is how many versions a scan walks before it seeks instead.
const maxSteps = 4

// iterBase is what all iterators of a view share: Pebble's iterator, its registration with the view, the
// first error, counters.
type iterBase struct {
	v       *View
	it      *pebble.Iterator // nil: closed, or never opened
	done    <-chan struct{}
	started bool
	at      int // place in v.open
	err     error
	stats   ScanStats
	seekKey []byte // scratch
}

// init opens the iterator over [lower, upper).
func (b *iterBase) init(v *View, lower, upper []byte) {
	b.v = v
	if b.err != nil {
		return
	}
	if v.closed {
		b.err = errViewClosed
		return
	}
	if v.ctx != nil {
		b.done = v.ctx.Done()
	}
	o := iterOptions(lower, upper)
	if b.it, b.err = v.db.p.NewIter(&o); b.err != nil {
		b.err = storeError(b.err)
		return
	}
	b.at = len(v.open)
	v.open = append(v.open, b)
}

// close closes Pebble's iterator and leaves the view.
func (b *iterBase) close() error {
	if b.it == nil {
		return nil
	}
	last := len(b.v.open) - 1
	b.v.open[b.at] = b.v.open[last]
	b.v.open[b.at].at = b.at
	b.v.open = b.v.open[:last]
	err := storeError(b.it.Close())
	b.it = nil
	return err
}

// visit counts the key under Pebble's iterator and reports whether there is one.
func (b *iterBase) visit(valid bool) bool {
	if !valid {
		b.fail(b.it.Error())
		return false
	}
	b.stats.Keys++
	if b.stats.Keys%checkEvery == 0 && b.done != nil {
		select {
		case <-b.done:
			b.fail(context.Cause(b.v.ctx))
			return false
		default:
		}
	}
	return true
}

// fail keeps the first error.
func (b *iterBase) fail(err error) {
	if b.err == nil && err != nil {
		b.err = storeError(err)
	}
}

// usable tells whether the iterator can move.
func (b *iterBase) usable() bool { return b.err == nil && b.it != nil }

// nextVisible moves forward to the newest version the view reads of the next prefix that has one, live or
// deleted, and returns its key, valid until the next move.
func (b *iterBase) nextVisible() (key []byte, rev Revision, ok bool) {
	var valid bool
	if b.started {
		valid = b.it.NextPrefix()
	} else {
		b.started = true
		b.stats.Seeks++
		valid = b.it.First()
	}
	if !b.visit(valid) {
		return nil, 0, false
	}
	return b.visibleFrom()
}

// visibleFrom goes on from the key the iterator stands on to the first version that the view reads.
func (b *iterBase) visibleFrom() (key []byte, rev Revision, ok bool) {
	for steps := 1; ; steps++ {
		key = b.it.Key()
		n := keys.Split(key)
		if len(key)-n < 8 {
			b.fail(keys.ErrCorrupt)
			return nil, 0, false
		}
		rev = keys.RevisionOf(key[n:])
		if rev <= b.v.pin.rev {
			return key, rev, true
		}
		b.stats.Superseded++ // newer than the view
		var valid bool
		if steps%maxSteps != 0 {
			valid = b.it.Next()
		} else {
			b.seekKey = keys.AppendRevision(append(b.seekKey[:0], key[:n]...), b.v.pin.rev)
			b.stats.Seeks++
			valid = b.it.SeekGE(b.seekKey)
		}
		if !b.visit(valid) {
			return nil, 0, false
		}
	}
}

// prevVisible moves backward to the newest version the view reads of the previous prefix that has one. Key
// and value are copied to the buffers given, as the newest version of a prefix is met last.
func (b *iterBase) prevVisible(key, value []byte) (_, _ []byte, ok bool) {
	key = key[:0]
	valid := b.started && b.it.Valid() // on the oldest version of the previous prefix
	if !b.started {
		b.started = true
		b.stats.Seeks++
		valid = b.visit(b.it.Last())
	}
	for steps := 0; valid; steps++ {
		k := b.it.Key()
		n := keys.Split(k)
		if len(k)-n < 8 {
			b.fail(keys.ErrCorrupt)
			break
		}
		if len(key) > 0 && !bytes.Equal(key[:keys.Split(key)], k[:n]) {
			break
		}
		switch rev := keys.RevisionOf(k[n:]); {
		case rev > b.v.pin.rev:
			b.stats.Superseded++
		default:
			if len(key) > 0 {
				b.stats.Superseded++
			}
			key, value = b.keep(key, value)
		}
		if steps < 2*maxSteps {
			valid = b.visit(b.it.Prev())
			continue
		}
		steps = 0
		key, value, valid = b.jumpBack(slices.Clone(k[:n]), key, value)
		if len(key) > 0 {
			break
		}
	}
	return key, value, b.err == nil && len(key) > 0
}

// jumpBack ends the walk through a prefix with many versions: it keeps the version wanted, if there is one,
// and moves before the prefix.
func (b *iterBase) jumpBack(prefix, key, value []byte) (_, _ []byte, valid bool) {
	b.seekKey = keys.AppendRevision(append(b.seekKey[:0], prefix...), b.v.pin.rev)
	b.stats.Seeks += 2
	if b.visit(b.it.SeekGE(b.seekKey)) {
		if k := b.it.Key(); bytes.Equal(k[:keys.Split(k)], prefix) {
			key, value = b.keep(key, value)
		}
	}
	return key, value, b.err == nil && b.visit(b.it.SeekLT(prefix))
}

// keep copies what the iterator stands on.
func (b *iterBase) keep(key, value []byte) (_, _ []byte) {
	stored, err := b.it.ValueAndErr()
	b.fail(err)
	return append(key[:0], b.it.Key()...), append(value[:0], stored...)
}
