package storage

import (
	"bytes"
	"strings"

	"github.com/tidwall/btree"

	"raisind/storage/keys"
)

// ScanMeta calls fn for the catalog records under prefix in key order, own writes included, until fn
// fails. Key and value live until fn returns.
func (v *View) ScanMeta(prefix []byte, fn func(key, value []byte) error) error {
	var b iterBase
	lower := keys.AppendCatalogBound(nil, prefix)
	b.init(v, lower, keys.AppendSuccessor(nil, lower))
	if b.err != nil {
		return b.err
	}
	defer b.close()
	own := ownMeta{prefix: string(prefix)}
	own.start(v)
	for b.usable() {
		key, _, ok := b.nextVisible()
		if !ok {
			break
		}
		k, err := keys.DecodeCatalog(nil, key)
		if err != nil {
			return storeError(err)
		}
		stored, err := b.it.ValueAndErr()
		if err != nil {
			return storeError(err)
		}
		payload, live, err := keys.DecodeValue(stored)
		if err != nil {
			return storeError(err)
		}
		hidden, err := own.before(k.Key, fn)
		if err != nil {
			return err
		}
		if live && !hidden {
			if err := fn(k.Key, payload); err != nil {
				return err
			}
		}
	}
	if b.err != nil {
		return b.err
	}
	_, err := own.before(nil, fn)
	return err
}

// ownMeta walks the catalog records the transaction wrote under a prefix.
type ownMeta struct {
	prefix string
	ok     bool
	it     btree.MapIter[string, []byte]
}

func (o *ownMeta) start(v *View) {
	if v.own.meta != nil {
		o.it = v.own.meta.records.Iter()
		o.ok = o.it.Seek(o.prefix)
	}
}

// before passes the own records before limit (nil: all) to fn and tells whether one hides limit itself, in
// which case it was passed too.
func (o *ownMeta) before(limit []byte, fn func(key, value []byte) error) (hidden bool, err error) {
	for o.ok && strings.HasPrefix(o.it.Key(), o.prefix) && !hidden {
		key := []byte(o.it.Key())
		if limit != nil {
			order := bytes.Compare(key, limit)
			if order > 0 {
				return false, nil
			}
			hidden = order == 0
		}
		if value := o.it.Value(); value != nil {
			if err := fn(key, value); err != nil {
				return hidden, err
			}
		}
		o.ok = o.it.Next()
	}
	return hidden, nil
}
