package funcs

import (
	"context"

	"raisind/pgerr"
	"raisind/sql/types"
)

// SequenceState is how a sequence counts and where it stands.
type SequenceState struct {
	Last, Ahead                       int64
	Called                            bool
	Start, Min, Max, Increment, Cache int64
	Cycle                             bool
	Type                              uint32
}

// Sequencer counts with sequences, named by their OIDs.
type Sequencer interface {
	NextVal(ctx context.Context, oid uint32) (int64, error)
	CurrVal(ctx context.Context, oid uint32) (int64, error)
	LastVal(ctx context.Context) (int64, error)
	SetVal(ctx context.Context, oid uint32, v int64, called bool) error
	SequenceState(oid uint32) (SequenceState, error)
	// SerialSequence names the sequence that a column owns.
	SerialSequence(table, column string) (name string, ok bool, err error)
}

func sequencer(fc *Ctx) (Sequencer, error) {
	q, ok := session[Sequencer](fc)
	if !ok {
		return nil, pgerr.New(pgerr.FeatureNotSupported, "sequences are not supported here")
	}
	return q, nil
}

// withSequencer is a body that gives a number.
func withSequencer(act func(fc *Ctx, q Sequencer, args []types.Datum) (int64, error)) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		q, err := sequencer(fc)
		if err != nil {
			return types.Null, err
		}
		v, err := act(fc, q, args)
		if err != nil {
			return types.Null, err
		}
		return types.Int(v), nil
	}
}

func sequenceFuncs() []Func {
	setval := func(fc *Ctx, q Sequencer, args []types.Datum) (int64, error) {
		called := len(args) < 3 || args[2].Bool()
		return args[1].Int(), q.SetVal(fc.Context, uint32(args[0].Int()), args[1].Int(), called)
	}
	missing := func(name, args string) []Example {
		return []Example{{`SELECT ` + name + `(` + args + `) IS NULL`, "t"}}
	}
	return []Func{
		{
			Name: "nextval", Group: groupSystem, Volatility: Volatile, Doc: "Advances a sequence and returns its new value.",
			Overloads: []Overload{of("regclass", "int8", withSequencer(func(fc *Ctx, q Sequencer, args []types.Datum) (int64, error) {
				return q.NextVal(fc.Context, uint32(args[0].Int()))
			}))}, Examples: missing("nextval", "NULL"),
		},
		{
			Name: "currval", Group: groupSystem, Volatility: Volatile, Doc: "The value that nextval gave last in this session.",
			Overloads: []Overload{of("regclass", "int8", withSequencer(func(fc *Ctx, q Sequencer, args []types.Datum) (int64, error) {
				return q.CurrVal(fc.Context, uint32(args[0].Int()))
			}))}, Examples: missing("currval", "NULL"),
		},
		{
			Name: "lastval", Group: groupSystem, Volatility: Volatile, Doc: "The value that nextval gave last in this session, of whatever sequence.",
			Overloads: []Overload{of("", "int8", withSequencer(func(fc *Ctx, q Sequencer, _ []types.Datum) (int64, error) {
				return q.LastVal(fc.Context)
			}))}, Examples: []Example{{`SELECT count(*) FROM (SELECT 1) t WHERE false AND lastval() > 0`, "0"}},
		},
		{
			Name: "setval", Group: groupSystem, Volatility: Volatile, Doc: "Sets where a sequence stands; nextval goes on behind the value, or with it when the last argument is false.",
			Overloads: []Overload{of("regclass,int8", "int8", withSequencer(setval)), of("regclass,int8,bool", "int8", withSequencer(setval))},
			Examples:  missing("setval", "NULL, 1"),
		},
		{
			Name: "pg_get_serial_sequence", Group: groupSystem, Volatility: Stable, Doc: "The sequence that belongs to a column, NULL for none.",
			Overloads: []Overload{of("text,text", "text", func(fc *Ctx, args []types.Datum) (types.Datum, error) {
				q, err := sequencer(fc)
				if err != nil {
					return types.Null, err
				}
				name, ok, err := q.SerialSequence(args[0].Str(), args[1].Str())
				return strOrNull(name, ok), err
			})}, Examples: missing("pg_get_serial_sequence", "NULL, 'id'"),
		},
		{
			Name: "pg_sequence_last_value", Group: groupSystem, Volatility: Volatile, Doc: "The value a sequence gave last, NULL before the first.",
			Overloads: []Overload{of("regclass", "int8", func(fc *Ctx, args []types.Datum) (types.Datum, error) {
				q, err := sequencer(fc)
				if err != nil {
					return types.Null, err
				}
				st, err := q.SequenceState(uint32(args[0].Int()))
				if err != nil || !st.Called {
					return types.Null, err
				}
				return types.Int(st.Last), nil
			})}, Examples: missing("pg_sequence_last_value", "NULL"),
		},
	}
}
