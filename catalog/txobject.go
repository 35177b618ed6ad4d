package catalog

import (
	"context"
	"encoding/binary"

	"raisind/pgerr"
)

// lockObject waits for transactions that make, change or drop the object.
func (tx *Tx) lockObject(ctx context.Context, ref Ref) error {
	key := append([]byte("\x00object"), byte(ref.Class))
	return tx.txn.LockKey(ctx, nameIndex, binary.BigEndian.AppendUint32(key, ref.OID))
}

func (tx *Tx) lockObjectName(ctx context.Context, k objectKey) error {
	key := append([]byte("\x00name"), byte(k.class))
	return tx.txn.LockKey(ctx, nameIndex, append(append(append(key, k.schema...), 0), k.name...))
}

// CreateObject adds an object, which belongs to the catalog from now on. Its name must
// be free: else 42P06, 42710 or 42723.
func (tx *Tx) CreateObject(ctx context.Context, o Object) error {
	if err := tx.lockObjectName(ctx, o.key()); err != nil {
		return err
	}
	if _, exists := tx.Snapshot().names[o.key()]; exists {
		return tx.objectExists(o)
	}
	return tx.putObject(o)
}

// ReplaceObject changes an object; o is a changed Clone of what the catalog has after
// LockObject.
func (tx *Tx) ReplaceObject(ctx context.Context, o Object) error {
	old, ok := tx.Snapshot().Object(o.Ref())
	if !ok {
		return pgerr.New(pgerr.UndefinedObject, "object with OID %d does not exist", o.Ref().OID)
	}
	if old.key() != o.key() {
		for _, k := range [...]objectKey{old.key(), o.key()} {
			if err := tx.lockObjectName(ctx, k); err != nil {
				return err
			}
		}
		if _, exists := tx.Snapshot().names[o.key()]; exists {
			return tx.objectExists(o)
		}
	}
	return tx.putObject(o)
}

// LockObject waits for transactions that change the object and returns it as it then
// is; nil when it has gone.
func (tx *Tx) LockObject(ctx context.Context, ref Ref) (Object, error) {
	if err := tx.lockObject(ctx, ref); err != nil {
		return nil, err
	}
	o, _ := tx.Snapshot().Object(ref)
	return o, nil
}

// DropObject removes an object, whatever depends on it: see Delete.
func (tx *Tx) DropObject(ctx context.Context, ref Ref) error {
	o, err := tx.LockObject(ctx, ref)
	if err != nil || o == nil {
		return err
	}
	if err := tx.lockObjectName(ctx, o.key()); err != nil {
		return err
	}
	tx.txn.PutMeta(objectRecordKey(ref), []byte{objectDropped})
	tx.change(change{ref: ref})
	return nil
}

func (tx *Tx) putObject(o Object) error {
	value, err := encodeObject(o)
	if err != nil {
		return err
	}
	tx.txn.PutMeta(objectRecordKey(o.Ref()), value)
	tx.change(change{ref: o.Ref(), obj: o})
	return nil
}

func (tx *Tx) objectExists(o Object) error {
	switch o := o.(type) {
	case *Schema:
		return pgerr.New(pgerr.DuplicateSchema, "schema %q already exists", o.Name)
	case *UserType:
		return pgerr.New(pgerr.DuplicateObject, "type %q already exists", o.Name)
	case *Function:
		return pgerr.New(pgerr.DuplicateFunction, "function %q already exists with same argument types", o.Name)
	case *Role:
		return pgerr.New(pgerr.DuplicateObject, "role %q already exists", o.Name)
	case *Extension:
		return pgerr.New(pgerr.DuplicateObject, "extension %q already exists", o.Name)
	}
	return pgerr.New(pgerr.DuplicateObject, "object with OID %d already exists", o.Ref().OID)
}
