package funcs

import "raisind/sql/types"

// rowChunk rows share one allocation.
const rowChunk = 128

// rowMaker hands out rows that the caller may keep.
type rowMaker struct {
	free []types.Datum
}

func (m *rowMaker) row(values ...types.Datum) types.Row {
	if len(m.free) < len(values) {
		m.free = make([]types.Datum, rowChunk*len(values))
	}
	r := m.free[:len(values):len(values)]
	m.free = m.free[len(values):]
	copy(r, values)
	return r
}

// rowFunc is a RowSource over a function that yields one row at a time.
type rowFunc func() (types.Row, bool, error)

// Next implements RowSource.
func (f rowFunc) Next() (types.Row, bool, error) { return f() }

// noRows is the empty set.
var noRows = rowFunc(func() (types.Row, bool, error) { return nil, false, nil })

// valueRows yields values as rows of one column.
func valueRows(values []types.Datum) RowSource {
	i := 0
	return rowFunc(func() (types.Row, bool, error) {
		if i == len(values) {
			return nil, false, nil
		}
		i++
		return values[i-1 : i : i], true, nil
	})
}

// rowsOf yields rows computed beforehand.
func rowsOf(rows []types.Row) RowSource {
	i := 0
	return rowFunc(func() (types.Row, bool, error) {
		if i == len(rows) {
			return nil, false, nil
		}
		i++
		return rows[i-1], true, nil
	})
}

// strictSet gives no rows when an argument is NULL.
func strictSet(body SetFunc) SetFunc {
	return func(fc *Ctx, args []types.Datum) (RowSource, error) {
		for _, a := range args {
			if a.IsNull() {
				return noRows, nil
			}
		}
		return body(fc, args)
	}
}
