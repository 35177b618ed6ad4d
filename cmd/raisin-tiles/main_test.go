package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// Negative numbers are coordinates or values of flags, wherever flags stand.
func TestNegativeNumbersNeedNoSeparator(t *testing.T) {
	for _, args := range []string{
		"expand --srid 4326 --buffer 0.5 -180 -90 -1e2 -80.5",
		"expand -180 -90 -1e2 -80.5 --srid 4326 --buffer 0.5",
		"expand -180 --srid=4326 -90 --buffer 0.5 -1e2 -80.5",
		"expand --srid 4326 --buffer 0.5 -- -180 -90 -1e2 -80.5",
	} {
		var c cli
		k := kong.Must(&c, kong.WithHyphenPrefixedParameters(true))
		if _, err := k.Parse(separate(strings.Fields(args), valued(k))); err != nil {
			t.Errorf("%s: %v", args, err)
			continue
		}
		e := c.Expand
		if got := []float64{e.MinX, e.MinY, e.MaxX, e.MaxY}; !slices.Equal(got, []float64{-180, -90, -100, -80.5}) || e.Buffer != 0.5 || !e.Wrap {
			t.Errorf("%s: %+v", args, e)
		}
	}
	var c cli
	k := kong.Must(&c, kong.WithHyphenPrefixedParameters(true))
	if _, err := k.Parse(separate(strings.Fields("expand --buffer -1 -Inf 1 2 +Inf --no-wrap"), valued(k))); err != nil || c.Expand.Buffer != -1 || c.Expand.Wrap {
		t.Errorf("%v %+v", err, c.Expand)
	}
}
