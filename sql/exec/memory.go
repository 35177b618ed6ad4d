package exec

import (
	"encoding/binary"
	"math"
	"time"
	"unsafe"

	"raisind/sql/expr"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// arena copies rows into chunks, so that keeping a row costs no allocation of its
// own, and counts them against the statement's memory.
type arena struct {
	q     *Query
	acc   *account // nil: the statement's
	chunk []types.Datum
}

const (
	arenaFirst = 64   // datums of the first chunk
	arenaMost  = 8192 // datums of a later one
	datumBytes = int64(unsafe.Sizeof(types.Datum{}))
)

// keep returns a copy of row that lives as long as it is used.
func (a *arena) keep(row types.Row) (types.Row, error) {
	bytes := int64(len(row)) * datumBytes
	for _, d := range row {
		bytes += d.SizeBytes()
	}
	if err := a.take(bytes + 24); err != nil {
		return nil, err
	}
	if cap(a.chunk)-len(a.chunk) < len(row) {
		a.chunk = make([]types.Datum, 0, max(len(row), min(max(2*cap(a.chunk), arenaFirst), arenaMost)))
	}
	n := len(a.chunk)
	a.chunk = append(a.chunk, row...)
	return a.chunk[n:len(a.chunk):len(a.chunk)], nil
}

func (a *arena) take(bytes int64) error {
	if a.acc != nil {
		return a.acc.take(bytes)
	}
	return a.q.hold(bytes)
}

// appendValueKey appends bytes that are equal for equal values, NULL being equal to
// NULL, and of which none is a prefix of another's.
func appendValueKey(dst []byte, t *types.Type, d types.Datum) []byte {
	if d.IsNull() {
		return append(dst, 0)
	}
	at := len(dst)
	dst = append(dst, 1, 0, 0, 0, 0)
	dst = types.AppendHashKey(dst, t, d)
	binary.LittleEndian.PutUint32(dst[at+1:], uint32(len(dst)-at-5))
	return dst
}

// appendRowKey is appendValueKey for all columns of a row.
func appendRowKey(dst []byte, cols []plan.Column, row types.Row) []byte {
	for i := range cols {
		dst = appendValueKey(dst, cols[i].Type, row[i])
	}
	return dst
}

// evalAll evaluates expressions into dst.
func evalAll(dst types.Row, exprs []expr.Expr, ec *expr.Ctx, row types.Row) error {
	for i, e := range exprs {
		var err error
		if dst[i], err = e.Eval(ec, row); err != nil {
			return err
		}
	}
	return nil
}

// evalCount evaluates a LIMIT or OFFSET: NULL is none. The largest number stands
// for no bound.
func evalCount(e expr.Expr, ec *expr.Ctx, none int64) (int64, error) {
	if e == nil {
		return none, nil
	}
	d, err := e.Eval(ec, nil)
	if err != nil || d.IsNull() {
		return none, err
	}
	return d.Int(), nil
}

const unbounded = math.MaxInt64

// postgresEpochMicros is 2000-01-01 in microseconds since 1970.
const postgresEpochMicros = 946_684_800_000_000

// microsOf turns a time into a timestamptz: microseconds since 2000-01-01 UTC.
func microsOf(t time.Time) int64 { return t.UnixMicro() - postgresEpochMicros }
