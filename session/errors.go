package session

import (
	"context"
	"errors"

	"raisind/pgerr"
	"raisind/sql/exec"
)

// mapError gives errors of the store their SQLSTATE.
func mapError(err error) error { return exec.MapError(err) }

// isCancellation reports whether err may be the echo of a cancelled context.
func isCancellation(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || pgerr.Is(err, pgerr.QueryCanceled)
}
