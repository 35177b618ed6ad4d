package exec

import (
	"raisind/sql/plan"
	"raisind/sql/types"
)

// deduper tells which of the rows it is shown have not come before. When its memory is
// full, rows it does not know are put aside on disk, split by their keys; rest then
// gives them back part by part, each with a memory of its own.
type deduper struct {
	q     *Query
	stats *plan.Stats
	acc   account
	seen  map[string]struct{}
	file  *spillFile
	parts *partitions
	level int
	wait  []waitingTape
}

// waitingTape are rows put aside, and the level they are split at if they must be again.
type waitingTape struct {
	t     *tape
	level int
}

func (q *Query) newDeduper(stats *plan.Stats) *deduper {
	return &deduper{q: q, stats: stats, acc: q.hashMemory(), seen: map[string]struct{}{}}
}

// fresh reports whether a row has not come before; false as well for one that was put
// aside and comes again by rest.
func (d *deduper) fresh(key []byte, row types.Row) (bool, error) {
	if _, ok := d.seen[string(key)]; ok {
		return false, nil
	}
	if d.parts == nil && d.acc.full() {
		d.parts = &partitions{level: d.level}
		if d.file == nil {
			d.file = d.q.newSpillFile()
		}
	}
	if d.parts != nil {
		return false, d.parts.add(d.file, d.parts.of(key), row)
	}
	if err := d.acc.take(int64(len(key)) + mapEntryBytes); err != nil {
		return false, err
	}
	d.seen[string(key)] = struct{}{}
	return true, nil
}

// rest returns rows that were put aside and are to be shown again, nil when there are
// none. It is called at the end of what came before.
func (d *deduper) rest() (iter, error) {
	d.stats.Batches++
	d.stats.HashBytes = max(d.stats.HashBytes, d.acc.peak)
	if d.parts != nil {
		for _, t := range d.parts.tapes {
			if t == nil {
				continue
			}
			if err := t.flush(); err != nil {
				return nil, err
			}
			t.buf = nil
			d.wait = append(d.wait, waitingTape{t, d.level + 1})
		}
		d.parts = nil
	}
	if d.file != nil {
		d.stats.HashDiskBytes = max(d.stats.HashDiskBytes, d.file.size)
	}
	if len(d.wait) == 0 {
		return nil, nil
	}
	next := d.wait[len(d.wait)-1]
	d.wait = d.wait[:len(d.wait)-1]
	d.level = next.level
	d.acc.release()
	clear(d.seen)
	return next.t.reader(), nil
}

func (d *deduper) close() {
	d.acc.release()
	d.seen, d.wait, d.parts = nil, nil, nil
	if d.file != nil {
		d.file.close()
	}
}
