package exec

import (
	"errors"

	"raisind/catalog"
	"raisind/sql/types"
)

// Triggers fires the triggers of one statement. The session implements it; a statement
// without triggers has none.
type Triggers interface {
	// Begin returns what fires the triggers of a relation for one command, nil when none
	// would. columns are those that an UPDATE assigns to, by their places.
	Begin(r *catalog.Relation, event catalog.TriggerEvent, columns []int) (Firing, error)
	// Finish fires the AFTER triggers, in the order they were queued.
	Finish() error
}

// Firing fires the triggers of one command on one relation. Rows have the relation's
// columns; old is nil for an INSERT, cur for a DELETE.
type Firing interface {
	// Statement fires BEFORE STATEMENT triggers, once.
	Statement() error
	// Before fires BEFORE ROW triggers, which may change cur in place; ok is false when one
	// of them wants the row passed over.
	Before(old, cur types.Row) (ok bool, err error)
	// Changes tells that there are BEFORE ROW triggers, which may set any column.
	Changes() bool
	// After queues AFTER ROW triggers; the rows are copied.
	After(old, cur types.Row) error
	// Done queues AFTER STATEMENT triggers.
	Done()
}

// errPassedOver says that a trigger wants a row left as it is.
var errPassedOver = errors.New("passed over by a trigger")

// firing begins the triggers of a command; nil for none.
func (q *Query) firing(r *catalog.Relation, event catalog.TriggerEvent, columns []int) (Firing, error) {
	if q.opt.Triggers == nil || len(r.Triggers) == 0 {
		return nil, nil
	}
	return q.opt.Triggers.Begin(r, event, columns)
}

// before fires BEFORE ROW triggers, of which f may have none.
func before(f Firing, old, cur types.Row) error {
	if f == nil {
		return nil
	}
	ok, err := f.Before(old, cur)
	if err == nil && !ok {
		err = errPassedOver
	}
	return err
}

// after queues AFTER ROW triggers.
func after(f Firing, old, cur types.Row) error {
	if f == nil {
		return nil
	}
	return f.After(old, cur)
}
