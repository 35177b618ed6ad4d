package session

import (
	"math"
	"slices"
	"strings"

	"raisind/pgerr"
)

// settingKind is the kind of a setting's value, pg_settings.vartype.
type settingKind uint8

const (
	boolSetting settingKind = iota
	intSetting
	realSetting
	enumSetting
	stringSetting
)

// settingContext tells who may change a setting and when, pg_settings.context.
type settingContext uint8

const (
	userContext       settingContext = iota
	backendContext                   // by the startup packet only
	sighupContext                    // by the server's configuration, while it runs
	postmasterContext                // by the server's configuration, when it starts
	internalContext                  // never
)

// setting describes one setting.
type setting struct {
	// name as SHOW ALL spells it; compared without case.
	name string
	kind settingKind
	ctx  settingContext
	// unit is the unit a number without one counts in: ms, s, kB, 8kB.
	unit string
	// boot is the value without configuration.
	boot     string
	min, max float64
	// words are the values of an enum; aliases are further spellings and the word each stands for.
	words   []string
	aliases map[string]string
	doc     string
	// report: the client is told when the value changes.
	report bool
	// list: SET takes several values; quoted ones are written as identifiers.
	list, quoted bool
	// hidden from SHOW ALL and kept by RESET ALL.
	hidden, noReset bool
	// check says no to a value or returns its canonical form; nil takes every value of the kind.
	check func(s *Session, value string) (string, error)
	// apply makes the session follow the value; nil when it is looked up where it is used.
	apply func(s *Session, value string)
	// show replaces the stored value.
	show func(s *Session) string
}

// inert is what SHOW ALL says of settings that clients of PostgreSQL set and that
// change nothing here.
const inert = "Accepted for PostgreSQL's clients; has no effect."

const maxInt32 = math.MaxInt32

var (
	levelWords    = []string{"debug5", "debug4", "debug3", "debug2", "debug1", "log", "notice", "warning", "error"}
	levelAliases  = map[string]string{"debug": "debug2", "info": "info"}
	isolations    = []string{"serializable", "repeatable read", "read committed", "read uncommitted"}
	switchAliases = map[string]string{"true": "on", "false": "off", "yes": "on", "no": "off", "1": "on", "0": "off"}
)

// settingsTable is the one table of settings.
var settingsTable = slices.Concat([]setting{
	{name: "application_name", kind: stringSetting, report: true, check: checkPrintable, doc: "Sets the application name to be reported in statistics and logs."},
	{name: "bytea_output", kind: enumSetting, boot: "hex", words: []string{"escape", "hex"}, apply: applyBytea, doc: "Sets the output format for bytea."},
	{name: "client_encoding", kind: stringSetting, boot: "UTF8", report: true, check: checkEncoding, doc: "Sets the client's character set encoding."},
	{name: "client_min_messages", kind: enumSetting, boot: "notice", words: levelWords, aliases: levelAliases, apply: applyMessages, doc: "Sets the message levels that are sent to the client."},
	{name: "DateStyle", kind: stringSetting, boot: "ISO, MDY", report: true, list: true, check: checkDateStyle, apply: applyDateStyle, doc: "Sets the display format for date and time values."},
	{name: "default_transaction_deferrable", kind: boolSetting, boot: "off", doc: "Sets the default deferrable status of new transactions."},
	{name: "default_transaction_isolation", kind: enumSetting, boot: "read committed", words: isolations, apply: applyIsolation, doc: "Sets the transaction isolation level of each new transaction."},
	{name: "default_transaction_read_only", kind: boolSetting, boot: "off", report: true, apply: applyReadOnly, doc: "Sets the default read-only status of new transactions."},
	{name: "extra_float_digits", kind: intSetting, boot: "1", min: -15, max: 3, apply: applyFloatDigits, doc: "Sets the number of digits displayed for floating-point values."},
	{name: "hash_mem_multiplier", kind: realSetting, boot: "2", min: 1, max: 1000, apply: applyMemory, doc: "Multiple of \"work_mem\" to use for hash tables."},
	{name: "idle_in_transaction_session_timeout", kind: intSetting, unit: "ms", boot: "0", max: maxInt32, apply: applyTimeouts, doc: "Sets the maximum allowed idle time between queries, when in a transaction."},
	{name: "idle_session_timeout", kind: intSetting, unit: "ms", boot: "0", max: maxInt32, apply: applyTimeouts, doc: "Sets the maximum allowed idle time between queries, when not in a transaction."},
	{name: "IntervalStyle", kind: enumSetting, boot: "postgres", report: true, words: []string{"postgres", "postgres_verbose", "sql_standard", "iso_8601"}, apply: applyIntervalStyle, doc: "Sets the display format for interval values."},
	{name: "lock_timeout", kind: intSetting, unit: "ms", boot: "0", max: maxInt32, apply: applyTimeouts, doc: "Sets the maximum allowed duration of any wait for a lock."},
	{name: "role", kind: stringSetting, boot: "none", hidden: true, noReset: true, check: checkRole, apply: applyRole, doc: "Sets the current role."},
	{name: "search_path", kind: stringSetting, boot: `"$user", public`, list: true, quoted: true, check: checkSearchPath, apply: applySearchPath, doc: "Sets the schema search order for names that are not schema-qualified."},
	{name: "seed", kind: realSetting, boot: "0", min: -1, max: 1, hidden: true, noReset: true, show: func(*Session) string { return "unavailable" }, doc: "Sets the seed for random-number generation."},
	{name: "session_authorization", kind: stringSetting, report: true, hidden: true, noReset: true, check: checkAuthorization, apply: applyRole, doc: "Sets the session user name."},
	{name: "standard_conforming_strings", kind: boolSetting, boot: "on", report: true, check: onlyOn, doc: "Causes '...' strings to treat backslashes literally."},
	{name: "statement_timeout", kind: intSetting, unit: "ms", boot: "0", max: maxInt32, apply: applyTimeouts, doc: "Sets the maximum allowed duration of any statement."},
	{name: "synchronous_commit", kind: enumSetting, boot: "on", words: []string{"local", "remote_write", "remote_apply", "on", "off"}, aliases: switchAliases, apply: applySyncCommit, doc: "Sets the current transaction's synchronization level."},
	{name: "temp_file_limit", kind: intSetting, unit: "kB", boot: "-1", min: -1, max: maxInt32, apply: applyMemory, doc: "Limits the total size of all temporary files used by each statement; -1 means no limit."},
	{name: "TimeZone", kind: stringSetting, boot: "UTC", report: true, check: checkTimeZone, apply: applyTimeZone, doc: "Sets the time zone for displaying and interpreting time stamps."},
	{name: "transaction_deferrable", kind: boolSetting, boot: "off", noReset: true, show: (*Session).showDeferrable, doc: "Whether to defer a read-only serializable transaction until it can be executed with no possible serialization failures."},
	{name: "transaction_isolation", kind: enumSetting, boot: "read committed", words: isolations, noReset: true, show: (*Session).showIsolation, doc: "Sets the current transaction's isolation level."},
	{name: "transaction_read_only", kind: boolSetting, boot: "off", noReset: true, show: (*Session).showReadOnly, doc: "Sets the current transaction's read-only status."},
	{name: "work_mem", kind: intSetting, unit: "kB", boot: "4096", min: 64, max: maxInt32, apply: applyMemory, doc: "Sets the maximum memory to be used for query workspaces; rows beyond it go to temporary files."},
}, facts, inertSettings)

// facts cannot be set by a session.
var facts = []setting{
	{name: "block_size", kind: intSetting, ctx: internalContext, boot: "8192", max: maxInt32, doc: "Shows the size of a disk block."},
	{name: "in_hot_standby", kind: boolSetting, ctx: internalContext, boot: "off", report: true, doc: "Shows whether hot standby is currently active."},
	{name: "integer_datetimes", kind: boolSetting, ctx: internalContext, boot: "on", report: true, doc: "Shows whether datetimes are integer based."},
	{name: "is_superuser", kind: boolSetting, ctx: internalContext, boot: "on", report: true, hidden: true, doc: "Shows whether the current user is a superuser."},
	{name: "lc_collate", kind: stringSetting, ctx: internalContext, boot: "C", doc: "Shows the collation order locale."},
	{name: "lc_ctype", kind: stringSetting, ctx: internalContext, boot: "C.UTF-8", doc: "Shows the character classification and case conversion locale."},
	{name: "listen_addresses", kind: stringSetting, ctx: postmasterContext, boot: "localhost", doc: "Sets the host name or IP address(es) to listen to."},
	{name: "data_directory", kind: stringSetting, ctx: postmasterContext, doc: "Sets the server's data directory."},
	{name: "max_connections", kind: intSetting, ctx: postmasterContext, boot: "100", max: maxInt32, doc: "Sets the maximum number of concurrent connections."},
	{name: "max_function_args", kind: intSetting, ctx: internalContext, boot: "100", max: maxInt32, doc: "Shows the maximum number of function arguments."},
	{name: "max_identifier_length", kind: intSetting, ctx: internalContext, boot: "63", max: maxInt32, doc: "Shows the maximum identifier length."},
	{name: "max_index_keys", kind: intSetting, ctx: internalContext, boot: "32", max: maxInt32, doc: "Shows the maximum number of index keys."},
	{name: "max_prepared_transactions", kind: intSetting, ctx: postmasterContext, boot: "0", max: maxInt32, doc: "Sets the maximum number of simultaneously prepared transactions."},
	{name: "port", kind: intSetting, ctx: postmasterContext, boot: "5432", max: maxInt32, doc: "Sets the TCP port the server listens on."},
	{name: "server_encoding", kind: stringSetting, ctx: internalContext, boot: "UTF8", report: true, doc: "Shows the server (database) character set encoding."},
	{name: "server_version", kind: stringSetting, ctx: internalContext, boot: serverVersion, report: true, doc: "Shows the server version."},
	{name: "server_version_num", kind: intSetting, ctx: internalContext, boot: serverVersionNum, max: maxInt32, doc: "Shows the server version as an integer."},
	{name: "ssl", kind: boolSetting, ctx: sighupContext, boot: "off", doc: "Enables SSL connections."},
}

// What the server says it is: the PostgreSQL whose dialect and protocol it speaks.
const (
	serverVersion    = "15.0"
	serverVersionNum = "150000"
)

var (
	settingByName = map[string]*setting{}
	// settingsSorted is the order of SHOW ALL.
	settingsSorted []*setting
)

func init() {
	for i := range settingsTable {
		d := &settingsTable[i]
		settingByName[strings.ToLower(d.name)] = d
		settingsSorted = append(settingsSorted, d)
	}
	slices.SortFunc(settingsSorted, func(a, b *setting) int {
		return strings.Compare(strings.ToLower(a.name), strings.ToLower(b.name))
	})
}

// findSetting finds a setting, or makes a description for a custom name of two parts.
// It is nil when the name can be neither.
func findSetting(name string) *setting {
	if d := settingByName[strings.ToLower(name)]; d != nil {
		return d
	}
	return nil
}

// customSetting checks a name of two or more parts, which sessions may make up.
func customSetting(name string) error {
	if !strings.Contains(name, ".") {
		return unknownSetting(name)
	}
	for part := range strings.SplitSeq(name, ".") {
		if !isSimpleIdentifier(part) {
			return pgerr.New(pgerr.InvalidName, "invalid configuration parameter name %q", name).
				WithDetail("Custom parameter names must be two or more simple identifiers separated by dots.")
		}
	}
	return nil
}

func isSimpleIdentifier(s string) bool {
	for i, r := range s {
		switch {
		case r == '_', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= 0x80:
		case i > 0 && (r >= '0' && r <= '9' || r == '$'):
		default:
			return false
		}
	}
	return s != ""
}

func unknownSetting(name string) error {
	return pgerr.New(pgerr.UndefinedObject, `unrecognized configuration parameter "%s"`, name)
}

// mayChange says why a session may not change d; startup tells that the value comes
// with the startup packet.
func (d *setting) mayChange(startup bool) error {
	var why string
	switch d.ctx {
	case userContext:
		return nil
	case backendContext:
		if startup {
			return nil
		}
		why = "cannot be set after connection start"
	case sighupContext:
		why = "cannot be changed now"
	case postmasterContext:
		why = "cannot be changed without restarting the server"
	case internalContext:
		why = "cannot be changed"
	}
	return pgerr.New(pgerr.CantChangeRuntimeParam, `parameter "%s" %s`, d.name, why)
}
