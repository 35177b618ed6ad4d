package pgerr

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

func TestFrom(t *testing.T) {
	inner := New(UniqueViolation, "duplicate key")
	for _, c := range []struct {
		err  error
		code Code
	}{
		{inner, UniqueViolation},
		{fmt.Errorf("commit: %w", inner), UniqueViolation},
		{context.Canceled, QueryCanceled},
		{fmt.Errorf("scan: %w", context.DeadlineExceeded), QueryCanceled},
		{errors.New("a bug"), InternalError},
		{Wrap(errors.New("disk"), IOError, "write failed"), IOError},
	} {
		if got := From(c.err).Code; got != c.code {
			t.Errorf("%v has code %v, want %v", c.err, got, c.code)
		}
		if r := Response(c.err); r.Code != c.code.String() || r.Severity != "ERROR" || r.Message == "" {
			t.Errorf("%v is sent as %+v", c.err, r)
		}
	}
	if !errors.Is(Wrap(context.Canceled, QueryCanceled, "x"), context.Canceled) {
		t.Error("the cause is lost")
	}
}

func TestPositions(t *testing.T) {
	if got := CharPos("SELECT 'ä', x", len("SELECT 'ä', ")); got != 13 {
		t.Errorf("position %d, want 13: characters count, not bytes", got)
	}
	if got := CharPos("ab", 99); got != 3 {
		t.Errorf("position %d behind the end, want 3", got)
	}
	if got := New(SyntaxError, "x").At(3).At(7).Pos; got != 3 {
		t.Errorf("the first position must stay, got %d", got)
	}
}

func TestNotices(t *testing.T) {
	if n := NoticeResponse(Notice("skipping")); n.Severity != "NOTICE" || n.Code != "00000" {
		t.Errorf("%+v", n)
	}
	if n := NoticeResponse(Warning(NoActiveSQLTransaction, "no transaction")); n.Severity != "WARNING" || n.Code != "25P01" {
		t.Errorf("%+v", n)
	}
}
