package storage

import (
	"bytes"
	"unsafe"

	"github.com/tidwall/btree"

	"raisind/storage/keys"
)

// UniqueIter iterates over unique keys. Next, then Err, and Close in every case.
type UniqueIter struct {
	base    iterBase
	reverse bool
	stored  struct {
		ok, ended bool // as in RowIter
		key       []byte
		row       RowID
	}
	own struct {
		ok         bool
		it         btree.MapIter[string, uniqueWrite]
		start, end []byte // nil: open
	}
	keyBuf, valueBuf, textBuf []byte
	key                       []byte
	row                       RowID
}

// ScanUnique iterates over the keys in [start, end) in order, or in reverse order, own writes merged; nil
// start: from the beginning, nil end: to the end.
func (v *View) ScanUnique(index IndexID, start, end []byte, reverse bool) *UniqueIter {
	it := &UniqueIter{reverse: reverse}
	lower := keys.AppendUniqueBound(nil, index, start)
	upper := keys.AppendSuccessor(nil, keys.AppendIndex(nil, index))
	if end != nil {
		upper = keys.AppendUniqueBound(nil, index, end)
	}
	if end != nil && bytes.Compare(start, end) >= 0 {
		it.stored.ended = true
		return it
	}
	it.base.err = v.checkIndex()
	it.base.init(v, lower, upper)
	if v.reads != nil {
		v.reads.index(index)
	}
	if own := v.own.keys(index); own != nil {
		it.own.it = own.Iter()
		it.own.start, it.own.end = start, end
		it.startOwn()
	}
	return it
}

// Next moves to the next key.
func (it *UniqueIter) Next() bool {
	for it.base.err == nil {
		if !it.stored.ok && !it.stored.ended {
			it.readAhead()
			continue
		}
		order := it.compare()
		switch {
		case order < 0 || order == 0 && it.own.ok:
			if order == 0 {
				it.stored.ok = false
			}
			key, w := it.own.it.Key(), it.own.it.Value()
			it.key, it.row = unsafe.Slice(unsafe.StringData(key), len(key)), w.row
			it.nextOwn()
			if w.gone {
				continue
			}
			return true
		case order > 0:
			it.key, it.row = it.stored.key, it.stored.row
			it.stored.ok = false
			return true
		}
		return false
	}
	return false
}

// compare tells which comes next: the own key (negative), the stored one (positive), both are equal (0 with
// an own key), or there is none (0 without).
func (it *UniqueIter) compare() int {
	switch {
	case !it.own.ok && !it.stored.ok:
		return 0
	case !it.stored.ok:
		return -1
	case !it.own.ok:
		return 1
	}
	own := it.own.it.Key()
	order := bytes.Compare(unsafe.Slice(unsafe.StringData(own), len(own)), it.stored.key)
	if it.reverse {
		return -order
	}
	return order
}

// readAhead finds the next stored key that is held.
func (it *UniqueIter) readAhead() {
	for it.base.usable() {
		key, value, ok := it.step()
		if !ok {
			break
		}
		if cap(it.textBuf) < len(key) {
			it.textBuf = make([]byte, 0, 2*len(key))
		}
		k, err := keys.DecodeUnique(it.textBuf, key)
		if err != nil {
			it.base.fail(err)
			return
		}
		row, live, err := keys.DecodeRowID(value)
		if err != nil {
			it.base.fail(err)
			return
		}
		if live {
			it.stored.ok, it.stored.key, it.stored.row = true, k.Key, row
			return
		}
	}
	it.stored.ended = true
}

func (it *UniqueIter) step() (key, value []byte, ok bool) {
	if it.reverse {
		it.keyBuf, it.valueBuf, ok = it.base.prevVisible(it.keyBuf, it.valueBuf)
		return it.keyBuf, it.valueBuf, ok
	}
	key, _, ok = it.base.nextVisible()
	if !ok {
		return nil, nil, false
	}
	value, err := it.base.it.ValueAndErr()
	it.base.fail(err)
	return key, value, err == nil
}

func (it *UniqueIter) startOwn() {
	o := &it.own
	switch {
	case !it.reverse:
		o.ok = o.it.Seek(string(o.start))
	case o.end == nil:
		o.ok = o.it.Last()
	case o.it.Seek(string(o.end)): // the first key at or above end: one too far
		o.ok = o.it.Prev()
	default:
		o.ok = o.it.Last()
	}
	it.boundOwn()
}

func (it *UniqueIter) nextOwn() {
	if it.reverse {
		it.own.ok = it.own.it.Prev()
	} else {
		it.own.ok = it.own.it.Next()
	}
	it.boundOwn()
}

func (it *UniqueIter) boundOwn() {
	o := &it.own
	switch {
	case !o.ok:
	case it.reverse:
		o.ok = o.it.Key() >= string(o.start)
	case o.end != nil:
		o.ok = o.it.Key() < string(o.end)
	}
}

// Key is the current key; lives until the following Next and must not be changed.
func (it *UniqueIter) Key() []byte { return it.key }

// RowID holds the current key.
func (it *UniqueIter) RowID() RowID { return it.row }

// Err tells an end from a failure.
func (it *UniqueIter) Err() error { return it.base.err }

// Stats counts what was read so far.
func (it *UniqueIter) Stats() ScanStats { return it.base.stats }

// Close ends the iteration.
func (it *UniqueIter) Close() error { return it.base.close() }
