package storage

import (
	"github.com/cockroachdb/pebble/v2"

	"raisind/storage/keys"
)

// MetaKV is one local metadata record; a nil Value deletes.
type MetaKV struct{ Key, Value []byte }

// PutMeta writes local metadata in one atomic batch; with sync it is on disk on return. Local metadata is
// unversioned, of this node, and outside transactions.
func (db *DB) PutMeta(sync bool, kvs ...MetaKV) error {
	return db.running(func() error {
		if db.opts.ReadOnly {
			return ErrReadOnly
		}
		b := db.p.NewBatch()
		defer b.Close()
		for _, kv := range kvs {
			key := keys.Local{Kind: keys.LocalMeta, Rest: kv.Key}.Append(nil)
			var err error
			if kv.Value == nil {
				err = b.Delete(key, nil)
			} else {
				err = b.Set(key, kv.Value, nil)
			}
			if err != nil {
				return err
			}
		}
		return b.Commit(&pebble.WriteOptions{Sync: sync})
	})
}

// GetMeta reads local metadata written by DB.PutMeta. Catalog records (Txn.PutMeta) are another space: read
// them with View.GetMeta and View.ScanMeta.
func (db *DB) GetMeta(key []byte) (value []byte, found bool, err error) {
	err = db.running(func() error {
		value, found, err = db.get(keys.Local{Kind: keys.LocalMeta, Rest: key}.Append(nil))
		return err
	})
	return value, found, err
}

// ScanMeta calls fn for the local metadata under prefix in key order, until fn fails. Key and value live
// until fn returns.
func (db *DB) ScanMeta(prefix []byte, fn func(key, value []byte) error) error {
	return db.running(func() error {
		return db.scanLocal(keys.Local{Kind: keys.LocalMeta, Rest: prefix}, fn)
	})
}

// scanLocal calls fn with the rest of each local key under prefix.
func (db *DB) scanLocal(prefix keys.Local, fn func(rest, value []byte) error) (err error) {
	lower := prefix.Append(nil)
	it, err := db.p.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: keys.AppendSuccessor(nil, lower)})
	if err != nil {
		return storeError(err)
	}
	defer func() {
		if closeErr := it.Close(); err == nil {
			err = storeError(closeErr)
		}
	}()
	for it.First(); it.Valid(); it.Next() {
		k, err := keys.DecodeLocal(it.Key())
		if err != nil {
			return storeError(err)
		}
		value, err := it.ValueAndErr()
		if err != nil {
			return storeError(err)
		}
		if err := fn(k.Rest, value); err != nil {
			return err
		}
	}
	return nil
}
