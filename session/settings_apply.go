package session

import (
	"strconv"
	"strings"
	"time"

	"raisind/catalog"
)

func applyBytea(s *Session, v string) { s.env.ByteaHex = v == "hex" }

func applyMessages(s *Session, v string) {
	s.noticeLevel = 0
	for i, w := range levelWords {
		if w == v {
			s.noticeLevel = i
		}
	}
	if v == "info" { // what is above it passes, as with notice
		s.noticeLevel = noticeRank("NOTICE")
	}
}

func applyDateStyle(s *Session, v string) {
	s.env.DateStyle, s.env.DateOrder, _ = strings.Cut(v, ", ")
	s.planDependencies()
}

func applyIntervalStyle(s *Session, v string) {
	s.env.IntervalStyle = v
	s.planDependencies()
}

func applyFloatDigits(s *Session, v string) {
	s.env.ExtraFloatDigits, _ = strconv.Atoi(v)
	s.planDependencies()
}

func applyTimeZone(s *Session, v string) {
	if loc, _, ok := loadZone(v); ok {
		s.env.Location = loc
	}
	s.planDependencies()
}

func checkTimeZone(_ *Session, v string) (string, error) {
	_, name, ok := loadZone(v)
	if !ok {
		return "", settingByName["timezone"].invalid(v)
	}
	return name, nil
}

func applyIsolation(s *Session, v string) { s.defaultLevel = v }

func applyReadOnly(s *Session, v string) { s.defaultReadOnly = v == "on" }

func applySyncCommit(s *Session, v string) { s.syncCommit = v != "off" }

func applySearchPath(s *Session, v string) {
	names, _ := splitIdentifiers(v)
	s.path = s.path[:0:0]
	for _, n := range names {
		if n != "" {
			s.path = append(s.path, n)
		}
	}
	s.planDependencies()
}

func applyRole(s *Session, _ string) { s.planDependencies() }

func applyTimeouts(s *Session, _ string) {
	ms := func(name string) time.Duration {
		n, _ := strconv.ParseInt(s.value(settingByName[name]), 10, 64)
		return time.Duration(n) * time.Millisecond
	}
	s.statementTimeout = ms("statement_timeout")
	s.lockTimeout = ms("lock_timeout")
	s.idleTimeout = ms("idle_session_timeout")
	s.idleInTxTimeout = ms("idle_in_transaction_session_timeout")
	if s.tx != nil {
		s.tx.store.SetLockTimeout(s.lockTimeout)
	}
}

// applyMemory sets what sorts and hash tables may hold, and the bound on temporary files.
func applyMemory(s *Session, _ string) {
	number := func(name string) float64 {
		n, _ := strconv.ParseFloat(s.value(settingByName[name]), 64)
		return n
	}
	s.workMemBytes = int64(number("work_mem")) << 10
	s.hashMemBytes = int64(float64(s.workMemBytes) * number("hash_mem_multiplier"))
	s.tempFileBytes = max(0, int64(number("temp_file_limit"))<<10)
	if number("temp_file_limit") == 0 {
		s.tempFileBytes = 1 // no room at all
	}
}

// planDependencies names the settings a plan may depend on: constants are read with
// them and names looked up. It is empty while they all have their defaults, which
// sessions share most plans under.
func (s *Session) planDependencies() {
	key := ""
	for _, name := range [...]string{"timezone", "datestyle", "intervalstyle", "extra_float_digits", "search_path"} {
		d := settingByName[name]
		if v := s.value(d); v != d.boot {
			key += name + "=" + v + ";"
		}
	}
	if user := s.User(); key != "" || user != catalog.BootstrapRoleName || s.temp != "" {
		key += "user=" + user + ";" + s.temp
	}
	s.planKey = key
}
