package funcs

import (
	"time"

	"github.com/google/uuid"

	"raisind/pgerr"
	"raisind/sql/types"
)

// started is when the process began, for pg_postmaster_start_time.
var started = time.Now()

// firstUserOID: objects below it are the catalog's own.
const firstUserOID = 16384

// fromSession is a body for a text the session knows; NULL without a session.
func fromSession(get func(s Session) string) EvalFunc {
	return func(fc *Ctx, _ []types.Datum) (types.Datum, error) {
		if fc == nil || fc.Session == nil {
			return types.Null, nil
		}
		return types.Str(get(fc.Session)), nil
	}
}

// sessionUser is the user that logged in.
func sessionUser(s Session) string {
	if v, ok := s.Setting("session_authorization"); ok {
		return v
	}
	return s.User()
}

// currentSchema is the first schema of the path that exists, NULL for none.
func currentSchema(fc *Ctx, _ []types.Datum) (types.Datum, error) {
	for _, s := range fc.existingPath() {
		return types.Str(s), nil
	}
	return types.Null, nil
}

func (fc *Ctx) searchPath() []string {
	if fc == nil || fc.Session == nil {
		return nil
	}
	return fc.Session.SearchPath()
}

// existingPath is the search path without the schema named after the user, which the
// path names whether it exists or not.
func (fc *Ctx) existingPath() []string {
	path := fc.searchPath()
	var out []string
	for _, s := range path {
		if s == fc.Session.User() && !fc.schemaExists(s) {
			continue
		}
		out = append(out, s)
	}
	return out
}

func (fc *Ctx) schemaExists(name string) bool {
	if fc.Env == nil || fc.Env.RegOID == nil {
		return false
	}
	oid, err := fc.Env.RegOID(types.TRegnamespace, quoteIdent(name))
	return err == nil && oid != 0
}

// currentSchemas lists the path, with pg_catalog in front where implicit ones are asked for.
func currentSchemas(fc *Ctx, args []types.Datum) (types.Datum, error) {
	path := fc.existingPath()
	if args[0].Bool() {
		path = append([]string{"pg_catalog"}, path...)
	}
	elems := make([]types.Datum, len(path))
	for i, s := range path {
		elems[i] = types.Str(s)
	}
	return types.Ref(newArray(types.TName, elems)), nil
}

func currentSetting(fc *Ctx, args []types.Datum) (types.Datum, error) {
	name := args[0].Str()
	if fc != nil && fc.Session != nil {
		if v, ok := fc.Session.Setting(name); ok {
			return types.Str(v), nil
		}
	}
	if len(args) > 1 && args[1].Bool() {
		return types.Null, nil
	}
	return types.Null, pgerr.New(pgerr.UndefinedObject, "unrecognized configuration parameter \"%s\"", name)
}

func setConfig(fc *Ctx, args []types.Datum) (types.Datum, error) {
	if args[0].IsNull() {
		return types.Null, pgerr.New(pgerr.NullValueNotAllowed, "SET requires parameter name")
	}
	if fc == nil || fc.Session == nil {
		return types.Null, nil
	}
	local := !args[2].IsNull() && args[2].Bool()
	if err := fc.Session.SetSetting(args[0].Str(), args[1].Str(), local); err != nil {
		return types.Null, err
	}
	v, ok := fc.Session.Setting(args[0].Str())
	return strOrNull(v, ok), nil
}

func signalBackend(send func(s Session, pid int32) bool) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		pid := args[0].Int()
		ok := fc != nil && fc.Session != nil && send(fc.Session, int32(pid))
		if !ok {
			fc.notice("WARNING", "PID %d is not a PostgreSQL backend process", pid)
		}
		return types.Bool(ok), nil
	}
}

func transactionID(fc *Ctx, _ []types.Datum) (types.Datum, error) {
	if fc == nil || fc.Session == nil {
		return types.Null, nil
	}
	return types.Int(fc.Session.TransactionID()), nil
}

func randomUUID(*Ctx, []types.Datum) (types.Datum, error) {
	u, err := uuid.NewRandom()
	if err != nil {
		return types.Null, pgerr.Wrap(err, pgerr.InternalError, "could not generate random values")
	}
	return types.Str(string(u[:])), nil
}

// constant is a body that always gives d.
func constant(d types.Datum) EvalFunc {
	return func(*Ctx, []types.Datum) (types.Datum, error) { return d, nil }
}

// notify is pg_notify.
func notify(fc *Ctx, args []types.Datum) (types.Datum, error) {
	channel := args[0].Str()
	switch {
	case channel == "":
		return types.Null, pgerr.New(pgerr.InvalidParameterValue, "channel name cannot be empty")
	case len(channel) > 63:
		return types.Null, pgerr.New(pgerr.InvalidParameterValue, "channel name too long")
	case len(args[1].Str()) > 7999:
		return types.Null, pgerr.New(pgerr.InvalidParameterValue, "payload string too long")
	}
	n, ok := session[Notifier](fc)
	if !ok {
		return types.Null, pgerr.New(pgerr.FeatureNotSupported, "notifications are not supported")
	}
	return void, n.Notify(channel, args[1].Str())
}

// session is what the session implements besides Session.
func session[T any](fc *Ctx) (T, bool) {
	var none T
	if fc == nil {
		return none, false
	}
	t, ok := fc.Session.(T)
	return t, ok
}

// advisory gives the overloads of one of the functions on advisory locks: keys of 64
// bits, or of two times 32.
func advisory(result string, act func(fc *Ctx, l AdvisoryLocker, key int64, pair bool) (types.Datum, error)) []Overload {
	body := func(pair bool) EvalFunc {
		return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
			l, ok := session[AdvisoryLocker](fc)
			if !ok {
				return types.Null, pgerr.New(pgerr.FeatureNotSupported, "advisory locks are not supported")
			}
			key := args[0].Int()
			if pair {
				key = key<<32 | int64(uint32(args[1].Int()))
			}
			return act(fc, l, key, pair)
		}
	}
	return []Overload{of("int8", result, body(false)), of("int4,int4", result, body(true))}
}

func advisoryFuncs() []Func {
	var out []Func
	fn := func(name, doc string, overloads []Overload) {
		out = append(out, Func{
			Name: name, Group: groupSystem, Volatility: Volatile, Doc: doc, Overloads: overloads,
			Examples: []Example{{`SELECT ` + name + `(42) IS NULL`, "f"}},
		})
	}
	for _, transaction := range []bool{false, true} {
		for _, shared := range []bool{false, true} {
			for _, try := range []bool{false, true} {
				name, doc, result := "pg_", "Takes an exclusive", "void"
				if try {
					name, result = name+"try_", "bool"
				}
				name += "advisory_"
				if transaction {
					name += "xact_"
				}
				name += "lock"
				if shared {
					name, doc = name+"_shared", "Takes a shared"
				}
				doc += " advisory lock of the " + map[bool]string{false: "session", true: "transaction"}[transaction]
				doc += map[bool]string{false: ", waiting for it.", true: " if it is free."}[try]
				fn(name, doc, advisory(result, func(fc *Ctx, l AdvisoryLocker, key int64, pair bool) (types.Datum, error) {
					ok, err := l.AdvisoryLock(fc.Context, key, pair, shared, transaction, try)
					if err != nil {
						return types.Null, err
					}
					if !try {
						return void, nil
					}
					return types.Bool(ok), nil
				}))
			}
		}
	}
	for _, shared := range []bool{false, true} {
		name := "pg_advisory_unlock"
		if shared {
			name += "_shared"
		}
		fn(name, "Releases an advisory lock of the session.", advisory("bool", func(fc *Ctx, l AdvisoryLocker, key int64, pair bool) (types.Datum, error) {
			ok, err := l.AdvisoryUnlock(key, pair, shared)
			if err == nil && !ok {
				fc.notice("WARNING", "you don't own a lock of type %s", map[bool]string{true: "ShareLock", false: "ExclusiveLock"}[shared])
			}
			return types.Bool(ok), err
		}))
	}
	out = append(out, Func{
		Name: "pg_advisory_unlock_all", Group: groupSystem, Volatility: Volatile, Doc: "Releases all advisory locks of the session.",
		Overloads: []Overload{of("", "void", func(fc *Ctx, _ []types.Datum) (types.Datum, error) {
			if l, ok := session[AdvisoryLocker](fc); ok {
				l.AdvisoryUnlockAll()
			}
			return void, nil
		})},
		Examples: []Example{{`SELECT pg_advisory_unlock_all() IS NULL`, "f"}},
	})
	return out
}

// cancelRebuild is raisin_cancel_rebuild.
func cancelRebuild(fc *Ctx, args []types.Datum) (types.Datum, error) {
	if fc == nil || fc.Session == nil {
		return types.Bool(false), nil
	}
	r, ok := fc.Session.(Rebuilder)
	return types.Bool(ok && r.CancelRebuild(args[0].Str())), nil
}
