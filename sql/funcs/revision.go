package funcs

import (
	"raisind/geom"
	"raisind/pgerr"
	"raisind/sql/types"
)

// revisionCounterBits are the bits of a revision below its unix milliseconds.
const revisionCounterBits = 20

const (
	microsPerMilli  = 1000
	epochUnixMillis = types.EpochUnixSeconds * 1000
)

func revisionTime(_ *Ctx, args []types.Datum) (types.Datum, error) {
	millis := args[0].Int() >> revisionCounterBits
	return types.Int((millis - epochUnixMillis) * microsPerMilli), nil
}

// revisionAt is the first revision that a commit of that millisecond could have.
func revisionAt(_ *Ctx, args []types.Datum) (types.Datum, error) {
	const limit = int64(1) << (63 - revisionCounterBits)
	t := args[0].Int()
	millis := floorDiv64(t, microsPerMilli) + epochUnixMillis
	if isInfinite(t) || millis < -limit || millis >= limit {
		return types.Null, pgerr.New(pgerr.DatetimeFieldOverflow, "timestamp out of range for a revision")
	}
	return types.Int(millis << revisionCounterBits), nil
}

func geometryProblem(_ *Ctx, args []types.Datum) (types.Datum, error) {
	_, problem := geom.FromProperty(args[0].Str())
	return strOrNull(problem, problem != ""), nil
}

func raisinFuncs() []Func {
	fn := func(group, name, doc string, example Example, overloads ...Overload) Func {
		return Func{
			Name: name, Group: group, Volatility: Immutable, Doc: doc,
			Overloads: overloads, Examples: []Example{example},
		}
	}
	return []Func{
		fn(groupRevision, "raisin_revision_time", "When a revision was committed, to the millisecond.",
			Example{`SELECT raisin_revision_time(1767225600000::bigint << 20) = '2026-01-01 00:00:00+00'::timestamptz`, "t"},
			of("revision int8", "timestamptz", revisionTime)),
		fn(groupRevision, "raisin_revision_at", "The revision at the beginning of a millisecond: what was committed earlier has a lower one.",
			Example{`SELECT raisin_revision_at('2026-01-01 00:00:00+00') = 1767225600000::bigint << 20`, "t"},
			of("at timestamptz", "int8", revisionAt)),
		fn(groupGeomRead, "raisin_geometry_problem", "Why a property is no GeoJSON geometry; NULL when it is one.",
			Example{`SELECT raisin_geometry_problem('{"type": "Point", "coordinates": [1, 2]}') IS NULL`, "t"},
			of("property jsonb", "text", geometryProblem)),
	}
}
