package funcs

import (
	"context"
	"time"

	"raisind/sql/types"
)

func sleep(fc *Ctx, d time.Duration) (types.Datum, error) {
	if d <= 0 {
		return void, nil
	}
	var done <-chan struct{}
	if fc != nil && fc.Context != nil {
		done = fc.Context.Done()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return void, nil
	case <-done:
		return types.Null, context.Cause(fc.Context)
	}
}

// secondsDuration keeps within what a Duration holds.
func secondsDuration(secs float64) time.Duration {
	return time.Duration(min(max(secs, 0), 9e9) * float64(time.Second))
}

func pgSleep(fc *Ctx, args []types.Datum) (types.Datum, error) {
	return sleep(fc, secondsDuration(args[0].Float()))
}

func pgSleepFor(fc *Ctx, args []types.Datum) (types.Datum, error) {
	now := microsOf(time.Now())
	end, err := addToTimestamptz(now, intervalOf(args[0]), fc.location())
	if err != nil {
		return types.Null, err
	}
	return sleep(fc, secondsDuration(float64(end-now)/microsPerSecond))
}

func pgSleepUntil(fc *Ctx, args []types.Datum) (types.Datum, error) {
	return sleep(fc, secondsDuration(float64(args[0].Int()-microsOf(time.Now()))/microsPerSecond))
}
