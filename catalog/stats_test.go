package catalog

import (
	"math"
	"testing"

	"raisind/sql/types"
)

// Estimates come near what a sample was drawn from.
func TestColumnStatistics(t *testing.T) {
	var values []types.Datum
	for i := range 10_000 {
		switch {
		case i%10 == 0:
			values = append(values, types.Null)
		case i%4 == 1:
			values = append(values, types.Int(7)) // common
		default:
			values = append(values, types.Int(int64(100+i)))
		}
	}
	c := ColumnStatisticsOf(types.TInt8, values, 100_000)
	near := func(what string, got, want, tolerance float64) {
		t.Helper()
		if math.Abs(got-want) > tolerance*want {
			t.Errorf("%s: %g instead of about %g", what, got, want)
		}
	}
	seven := types.Int(7)
	part := 0.0
	for _, v := range values {
		if !v.IsNull() && v.Int() == 7 {
			part += 1.0 / 10_000
		}
	}
	near("nulls", c.Nulls, 0.1, 0.01)
	near("equal to the common value", c.Equal(&seven), part, 0.01)
	rare := types.Int(4321)
	if s := c.Equal(&rare); s > 0.001 {
		t.Errorf("equal to a rare value: %g", s)
	}
	near("below the least", c.Below(types.Int(50)), part, 0.01)
	near("below the middle", c.Below(types.Int(5100)), part+(0.9-part)/2, 0.05)
	near("below all", c.Below(types.Int(1e6)), 0.9, 0.01)
	if c.Distinct < 6000 {
		t.Errorf("%g values", c.Distinct)
	}
	few := ColumnStatisticsOf(types.TText, []types.Datum{types.Str("a"), types.Str("b"), types.Str("a"), types.Str("b")}, 1000)
	near("few values", few.Distinct, 2, 0)
	near("a known value", few.Equal(nil), 0.5, 0.01)
	if empty := ColumnStatisticsOf(types.TText, nil, 0); empty.Distinct != 0 {
		t.Error("no rows, yet values")
	}
}
