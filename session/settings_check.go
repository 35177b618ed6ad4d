package session

import (
	"slices"
	"strings"

	"raisind/pgerr"
)

// checkPrintable replaces what is not printable ASCII, as PostgreSQL does for names that
// end up in logs.
func checkPrintable(_ *Session, v string) (string, error) {
	b := []byte(v)
	for i, c := range b {
		if c < 32 || c > 126 {
			b[i] = '?'
		}
	}
	return string(b), nil
}

func onlyOn(_ *Session, v string) (string, error) {
	if v != "on" {
		return "", pgerr.New(pgerr.FeatureNotSupported, "standard_conforming_strings cannot be turned off").
			WithHint("Write E'...' where backslashes are escapes.")
	}
	return v, nil
}

func onlyOff(_ *Session, v string) (string, error) {
	if v != "off" {
		return "", pgerr.New(pgerr.FeatureNotSupported, "transform_null_equals cannot be turned on").
			WithHint("Write IS NULL.")
	}
	return v, nil
}

// checkEncoding accepts the encodings whose bytes need no conversion.
func checkEncoding(_ *Session, v string) (string, error) {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, v)
	switch name {
	case "utf8":
		return "UTF8", nil
	case "unicode":
		return "UNICODE", nil
	case "sqlascii":
		return "SQL_ASCII", nil
	}
	d := settingByName["client_encoding"]
	if slices.Contains(otherEncodings, name) {
		err := d.invalid(v).WithDetail("Conversion between %s and UTF8 is not supported.", strings.ToUpper(v)).
			WithHint("Set client_encoding to UTF8.")
		err.Code = pgerr.FeatureNotSupported
		return "", err
	}
	return "", d.invalid(v)
}

// otherEncodings are PostgreSQL's, which are known and not served.
var otherEncodings = []string{
	"big5", "euccn", "eucjp", "eucjis2004", "euckr", "euctw", "gb18030", "gbk", "iso88591", "iso88592", "iso88593", "iso88594",
	"iso88595", "iso88596", "iso88597", "iso88598", "iso88599", "iso885910", "iso885913", "iso885914", "iso885915", "iso885916",
	"johab", "koi8", "koi8r", "koi8u", "latin1", "latin2", "latin3", "latin4", "latin5", "latin6", "latin7", "latin8", "latin9",
	"latin10", "muleinternal", "sjis", "shiftjis2004", "uhc", "win866", "win874", "win1250", "win1251", "win1252", "win1253",
	"win1254", "win1255", "win1256", "win1257", "win1258",
}

// checkDateStyle takes an output style and a field order, in any order, one of each.
func checkDateStyle(s *Session, v string) (string, error) {
	d := settingByName["datestyle"]
	style, order := "", ""
	pick := func(at *string, word string) bool {
		ok := *at == "" || *at == word
		*at = word
		return ok
	}
	ok := true
	for part := range strings.SplitSeq(v, ",") {
		part = strings.TrimSpace(part)
		switch w := strings.ToLower(part); {
		case w == "":
			if v == "" {
				continue
			}
			return "", d.invalid(v).WithDetail("List syntax is invalid.")
		case w == "iso":
			ok = pick(&style, "ISO") && ok
		case w == "sql":
			ok = pick(&style, "SQL") && ok
		case strings.HasPrefix(w, "postgres"):
			ok = pick(&style, "Postgres") && ok
		case w == "german":
			ok = pick(&style, "German") && ok
			if order == "" {
				order = "DMY"
			}
		case w == "ymd":
			ok = pick(&order, "YMD") && ok
		case w == "dmy", strings.HasPrefix(w, "euro"):
			ok = pick(&order, "DMY") && ok
		case w == "mdy", w == "us", strings.HasPrefix(w, "noneuro"):
			ok = pick(&order, "MDY") && ok
		case w == "default":
			nowStyle, nowOrder, _ := strings.Cut(s.resetValue(d), ", ")
			if style == "" {
				style = nowStyle
			}
			if order == "" {
				order = nowOrder
			}
		default:
			return "", d.invalid(v).WithDetail(`Unrecognized key word: "%s".`, part)
		}
	}
	if !ok {
		return "", d.invalid(v).WithDetail(`Conflicting "datestyle" specifications.`)
	}
	nowStyle, nowOrder, _ := strings.Cut(s.value(d), ", ")
	if style == "" {
		style = nowStyle
	}
	if order == "" {
		order = nowOrder
	}
	return style + ", " + order, nil
}

// checkSearchPath checks the list; schemas need not exist.
func checkSearchPath(_ *Session, v string) (string, error) {
	if _, ok := splitIdentifiers(v); !ok {
		return "", settingByName["search_path"].invalid(v).WithDetail("List syntax is invalid.")
	}
	return v, nil
}

func checkTablespace(_ *Session, v string) (string, error) {
	if v != "" && v != "pg_default" && v != `""` {
		return "", settingByName["default_tablespace"].invalid(v).WithDetail(`Tablespace "%s" does not exist.`, v)
	}
	return v, nil
}

func checkAccessMethod(_ *Session, v string) (string, error) {
	if v != "heap" {
		return "", settingByName["default_table_access_method"].invalid(v).
			WithDetail(`Table access method "%s" does not exist.`, v)
	}
	return v, nil
}

func checkLocale(name string) func(*Session, string) (string, error) {
	return func(_ *Session, v string) (string, error) {
		switch v {
		case "", "C", "POSIX", "C.UTF-8", "C.utf8", "en_US.UTF-8", "en_US.utf8":
			return v, nil
		}
		return "", settingByName[name].invalid(v)
	}
}

func checkTextSearch(_ *Session, v string) (string, error) {
	switch strings.TrimPrefix(v, "pg_catalog.") {
	case "simple", "english":
		return v, nil
	}
	return "", settingByName["default_text_search_config"].invalid(v)
}

// checkRole lets a session take the role it has, or none: roles beyond the session's own
// user do not exist.
func checkRole(s *Session, v string) (string, error) {
	if v == "none" || s.engine.cat == nil {
		return v, nil
	}
	snap := s.catalogNow()
	r, ok := snap.Role(v)
	if !ok {
		return "", pgerr.New(pgerr.InvalidParameterValue, `role "%s" does not exist`, v)
	}
	if !snap.IsMember(s.oidOfRole(s.sessionUser()), r.OID) {
		return "", pgerr.New(pgerr.InsufficientPrivilege, `permission denied to set role "%s"`, v)
	}
	return v, nil
}

func checkAuthorization(s *Session, v string) (string, error) {
	if v == s.start.User {
		return v, nil
	}
	snap := s.catalogNow()
	if _, ok := snap.Role(v); !ok {
		return "", pgerr.New(pgerr.InvalidParameterValue, `role "%s" does not exist`, v)
	}
	if !snap.IsSuperuser(s.oidOfRole(s.start.User)) {
		return "", pgerr.New(pgerr.InsufficientPrivilege, `permission denied to set session authorization "%s"`, v)
	}
	return v, nil
}

// splitIdentifiers splits a list of names as search_path writes it: plain names are folded
// to lower case, names in double quotes are not.
func splitIdentifiers(v string) (names []string, ok bool) {
	rest := strings.TrimSpace(v)
	if rest == "" {
		return nil, true
	}
	for {
		var name string
		if strings.HasPrefix(rest, `"`) {
			var b strings.Builder
			i := 1
			for {
				end := strings.IndexByte(rest[i:], '"')
				if end < 0 {
					return nil, false
				}
				b.WriteString(rest[i : i+end])
				i += end + 1
				if i < len(rest) && rest[i] == '"' {
					b.WriteByte('"')
					i++
					continue
				}
				break
			}
			name, rest = b.String(), rest[i:]
		} else {
			end := strings.IndexAny(rest, ", \t\n\r\f")
			if end < 0 {
				end = len(rest)
			}
			name, rest = strings.ToLower(rest[:end]), rest[end:]
			if name == "" {
				return nil, false
			}
		}
		names = append(names, name)
		rest = strings.TrimSpace(rest)
		if rest == "" {
			return names, true
		}
		if rest[0] != ',' {
			return nil, false
		}
		rest = strings.TrimSpace(rest[1:])
	}
}
