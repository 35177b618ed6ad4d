package session

import (
	"strings"
	"testing"

	"raisind/pgerr"
)

// TestSettingValues holds what PostgreSQL 15 answers.
func TestSettingValues(t *testing.T) {
	u := newUser(t, newTestEngine(t, Config{}))
	for _, c := range []struct{ name, value, want string }{
		{"work_mem", "abc", `22023 invalid value for parameter "work_mem": "abc"`},
		{"work_mem", "1", `22023 1 kB is outside the valid range for parameter "work_mem" (64 .. 2147483647)`},
		{"work_mem", "1GB", "1GB"},
		{"work_mem", "100.5MB", "102912kB"},
		{"work_mem", "4 TB", `22023 invalid value for parameter "work_mem": "4 TB"`},
		{"work_mem", "1.5kB", `22023 2 kB is outside the valid range for parameter "work_mem" (64 .. 2147483647)`},
		{"work_mem", "0x400", "1MB"},
		{"statement_timeout", "5min", "5min"},
		{"statement_timeout", "5000", "5s"},
		{"statement_timeout", "5001", "5001ms"},
		{"statement_timeout", "1.5s", "1500ms"},
		{"statement_timeout", "0", "0"},
		{"statement_timeout", "-1", `22023 -1 ms is outside the valid range for parameter "statement_timeout" (0 .. 2147483647)`},
		{"statement_timeout", "1w", `22023 invalid value for parameter "statement_timeout": "1w"`},
		{"idle_in_transaction_session_timeout", "1d", "1d"},
		{"extra_float_digits", "4", `22023 4 is outside the valid range for parameter "extra_float_digits" (-15 .. 3)`},
		{"vacuum_cost_delay", "1.55ms", "1550us"},
		{"cpu_tuple_cost", "0.00000001", "1e-08"},
		{"cpu_tuple_cost", "-1", `22023 -1 is outside the valid range for parameter "cpu_tuple_cost" (0 .. 1.79769e+308)`},
		{"jit", "maybe", `22023 parameter "jit" requires a Boolean value`},
		{"jit", "f", "off"},
		{"jit", "1", "on"},
		{"jit", "o", `22023 parameter "jit" requires a Boolean value`},
		{"bytea_output", "HEX", "hex"},
		{"client_min_messages", "debug", "debug2"},
		{"client_min_messages", "fatal", `22023 invalid value for parameter "client_min_messages": "fatal"`},
		{"synchronous_commit", "yes", "on"},
		{"TimeZone", "europe/berlin", "Europe/Berlin"},
		{"TimeZone", "america/argentina/BUENOS_AIRES", "America/Argentina/Buenos_Aires"},
		{"TimeZone", "utc", "UTC"},
		{"TimeZone", "3", "<+03>-03"},
		{"TimeZone", "-3.5", "<-03:30>+03:30"},
		{"TimeZone", "<+05>-05", "<+05>-05"},
		{"TimeZone", "Mars/X", `22023 invalid value for parameter "TimeZone": "Mars/X"`},
		{"TimeZone", "../etc/passwd", `22023 invalid value for parameter "TimeZone": "../etc/passwd"`},
		{"DateStyle", "german", "German, DMY"},
		{"DateStyle", "sql, european", "SQL, DMY"},
		{"DateStyle", "iso, sql", `22023 invalid value for parameter "DateStyle": "iso, sql"`},
		{"DateStyle", "foo", `22023 invalid value for parameter "DateStyle": "foo"`},
		{"client_encoding", "utf-8", "UTF8"},
		{"client_encoding", "latin1", `0A000 invalid value for parameter "client_encoding": "latin1"`},
		{"application_name", "a\tb€c", "a?b???c"},
		{"search_path", `a, "B c", d`, `a, "B c", d`},
		{"search_path", `a,,b`, `22023 invalid value for parameter "search_path": "a,,b"`},
		{"server_version", "16", `55P02 parameter "server_version" cannot be changed`},
		{"max_connections", "5", `55P02 parameter "max_connections" cannot be changed without restarting the server`},
		{"nosuch", "5", `42704 unrecognized configuration parameter "nosuch"`},
		{"my.own", "5", "5"},
		{"my.o wn", "5", `42602 invalid configuration parameter name "my.o wn"`},
		{"standard_conforming_strings", "off", "0A000 standard_conforming_strings cannot be turned off"},
	} {
		err := u.SetSetting(c.name, c.value, false)
		got, _ := u.Setting(c.name)
		if err != nil {
			e := pgerr.From(err)
			got = e.Code.String() + " " + e.Msg
		}
		if got != c.want {
			t.Errorf("SET %s = %q: %s, want %s", c.name, c.value, got, c.want)
		}
		if err := u.set(c.name, nil, false); err != nil && !strings.Contains(c.want, " ") {
			t.Errorf("RESET %s: %v", c.name, err)
		}
	}
}

// Every setting of the table can be shown, and its default is a value it takes.
func TestSettingsTable(t *testing.T) {
	u := newUser(t, newTestEngine(t, Config{}))
	for _, d := range settingsTable {
		if d.doc == "" {
			t.Errorf("%s has no description", d.name)
		}
		if d.boot != "" && d.ctx == userContext {
			if v, err := d.canonical(u.Session, d.boot); err != nil || v != d.boot {
				t.Errorf("default %q of %s: %q, %v", d.boot, d.name, v, err)
			}
		}
		if _, ok := u.Setting(d.name); !ok {
			t.Errorf("%s cannot be shown", d.name)
		}
	}
}

func TestEngineSettings(t *testing.T) {
	e := newTestEngine(t, Config{Settings: map[string]string{"port": "5433", "work_mem": "8MB", "TimeZone": "Asia/Tokyo"}})
	u := newUser(t, e)
	u.want("SHOW port; SHOW work_mem; SHOW TimeZone; SET work_mem = '1MB'; RESET work_mem; SHOW work_mem",
		"5433\nSHOW\n8MB\nSHOW\nAsia/Tokyo\nSHOW\nSET\nRESET\n8MB\nSHOW")
}

func TestSplitIdentifiers(t *testing.T) {
	for in, want := range map[string]string{
		"":             "",
		`a`:            "a",
		`A, "B", c`:    "a|B|c",
		`"a""b" , "c"`: `a"b|c`,
		`"a`:           "!",
		`a b`:          "!",
		`a,`:           "!",
	} {
		names, ok := splitIdentifiers(in)
		got := strings.Join(names, "|")
		if !ok {
			got = "!"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
