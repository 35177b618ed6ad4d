package types

import (
	"time"
)

// Env holds the settings of a session that reading and printing values depend on.
// It is read only while values are read or printed; a nil *Env stands for the defaults.
type Env struct {
	// Location is the session's TimeZone; nil is UTC.
	Location *time.Location
	// DateStyle is ISO, SQL, Postgres or German; empty is ISO.
	DateStyle string
	// DateOrder is MDY, DMY or YMD; empty is MDY.
	DateOrder string
	// IntervalStyle is postgres, postgres_verbose, sql_standard or iso_8601; empty is postgres.
	IntervalStyle string
	// ExtraFloatDigits above 0 prints floats shortest; else 15 (float8) or 6 (float4) plus that many digits.
	ExtraFloatDigits int
	// ByteaHex prints bytea as \x and hex digits, else in escape format.
	ByteaHex bool
	// Now is the transaction's time, which now, today and tomorrow refer to; zero asks the clock.
	Now time.Time
	// RegName names the object that a regclass, regtype, regproc ... value stands for.
	// Nil or false prints the number. Types are known without it.
	RegName func(t *Type, oid uint32) (name string, ok bool)
	// RegOID finds the object that a name stands for, as a client would write it.
	RegOID func(t *Type, name string) (oid uint32, err error)
}

// DefaultEnv returns a new Env with PostgreSQL's defaults and time zone UTC.
func DefaultEnv() *Env {
	return &Env{
		Location: time.UTC, DateStyle: "ISO", DateOrder: "MDY", IntervalStyle: "postgres",
		ExtraFloatDigits: 1, ByteaHex: true,
	}
}

var defaultEnv = DefaultEnv()

func (e *Env) location() *time.Location {
	if e.Location == nil {
		return time.UTC
	}
	return e.Location
}

func (e *Env) now() time.Time {
	if e.Now.IsZero() {
		return time.Now()
	}
	return e.Now
}
