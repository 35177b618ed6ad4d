package storage

import (
	"bytes"
	"context"

	"raisind/storage/keys"
)

// SpatialUsage is what the store holds of one property's spatial entries, pruned or not: on disk and in
// memtables that no flush has written yet.
type SpatialUsage struct {
	Keys       int64 // entries and tombstones of every revision
	Superseded int64 // of these, versions beneath the newest of their row and cell
	Prunable   int64 // of all, what the rules let go as of now
	Held       int64 // rows in cells of which something would go but for an open view
}

// SpatialUsage reads every key of a property and applies to it the rules that the pruner applies. With pruning
// disabled Prunable is what it would remove.
func (db *DB) SpatialUsage(ctx context.Context, rel RelationID, prop PropertyID) (SpatialUsage, error) {
	var u SpatialUsage
	err := db.running(func() error {
		lim := pruneLimits{keep: db.pruner.keep, aged: db.pruner.aged(), settled: db.OldestActive()}
		all := within(keys.AppendSpatialProperty(nil, rel, prop))
		o := iterOptions(all.lower, all.upper)
		it, err := db.p.NewIter(&o)
		if err != nil {
			return storeError(err)
		}
		defer it.Close()
		var prefix []byte
		var group []version
		settle := func() {
			drops, held := decide(group, lim)
			u.Superseded += int64(max(len(group)-1, 0))
			u.Prunable += int64(drops)
			if held {
				u.Held++
			}
			group = group[:0]
		}
		for valid := it.First(); valid; valid = it.Next() {
			k := it.Key()
			n := keys.Split(k)
			if !bytes.Equal(prefix, k[:n]) {
				settle()
				prefix = append(prefix[:0], k[:n]...)
			}
			rev, tombstone, ok := versionOf(k, n)
			group = append(group, version{rev: rev, tombstone: tombstone, unreadable: !ok})
			if u.Keys++; u.Keys%checkEvery == 0 && ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
		settle()
		return storeError(it.Error())
	})
	return u, err
}
