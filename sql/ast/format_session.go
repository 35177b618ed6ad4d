package ast

import (
	"slices"
	"strings"
)

// session writes the statements of session.go and reports whether s is one.
func (p *printer) session(s Stmt) bool {
	switch s := s.(type) {
	case *Begin:
		p.put("BEGIN")
		p.modes(s.Modes)
	case *Commit:
		p.put("COMMIT")
		p.flag(s.Chain, " AND CHAIN")
	case *Rollback:
		p.put("ROLLBACK")
		p.flag(s.Chain, " AND CHAIN")
	case *Savepoint:
		p.name("SAVEPOINT ", s.Name)
	case *Release:
		p.name("RELEASE SAVEPOINT ", s.Name)
	case *RollbackTo:
		p.name("ROLLBACK TO SAVEPOINT ", s.Name)
	case *TwoPhase:
		if s.Verb == "prepare" {
			p.put("PREPARE TRANSACTION ", QuoteLiteral(s.ID))
		} else {
			p.put(strings.ToUpper(s.Verb), " PREPARED ", QuoteLiteral(s.ID))
		}
	case *SetTransaction:
		p.put("SET ")
		p.flag(s.Session, "SESSION CHARACTERISTICS AS ")
		p.put("TRANSACTION")
		if s.Snapshot != "" {
			p.put(" SNAPSHOT ", QuoteLiteral(s.Snapshot))
		}
		p.modes(s.Modes)
	case *Set:
		p.set(s)
	case *Show:
		p.setting("SHOW ", s.Name)
	case *Reset:
		p.setting("RESET ", s.Name)
	case *Discard:
		p.put("DISCARD ", strings.ToUpper(s.What))
	case *Prepare:
		p.name("PREPARE ", s.Name)
		if s.Types != nil {
			p.put("(")
			list(p, s.Types, p.typeName)
			p.put(")")
		}
		p.put(" AS ")
		p.stmt(s.Stmt)
	case *Execute:
		p.name("EXECUTE ", s.Name)
		if s.Args != nil {
			p.special("", s.Args...)
		}
	case *Deallocate:
		p.nameOrAll("DEALLOCATE ", s.Name)
	case *Declare:
		p.declare(s)
	case *Fetch:
		p.fetch(s)
	case *CloseCursor:
		p.nameOrAll("CLOSE ", s.Name)
	case *Listen:
		p.name("LISTEN ", s.Channel)
	case *Unlisten:
		if s.Channel == "" {
			p.put("UNLISTEN *")
		}
		p.name("UNLISTEN ", s.Channel)
	case *Notify:
		p.name("NOTIFY ", s.Channel)
		if s.Payload != "" {
			p.put(", ", QuoteLiteral(s.Payload))
		}
	case *Vacuum:
		p.vacuum(s)
	case *Analyze:
		p.put("ANALYZE")
		switch {
		case s.SkipLocked && s.Verbose:
			p.put(" (verbose, skip_locked)")
		case s.SkipLocked:
			p.put(" (skip_locked)")
		case s.Verbose:
			p.put(" VERBOSE")
		}
		p.vacuumTargets(s.Relations)
	case *Checkpoint:
		p.put("CHECKPOINT")
	case *Copy:
		p.copy(s)
	case *LockTable:
		p.put("LOCK TABLE ")
		p.rels(s.Relations)
		p.put(" IN ", strings.ToUpper(s.Mode), " MODE")
		p.flag(s.NoWait, " NOWAIT")
	case *Do:
		p.put("DO ")
		if s.Language != "" {
			p.put("LANGUAGE ", QuoteLiteral(s.Language), " ")
		}
		p.put(QuoteLiteral(s.Body))
	default:
		return false
	}
	return true
}

func (p *printer) modes(m TxnModes) {
	if m.Isolation != "" {
		p.put(" ISOLATION LEVEL ", strings.ToUpper(m.Isolation))
	}
	if m.ReadOnly != nil {
		p.either(*m.ReadOnly, " READ ONLY", " READ WRITE")
	}
	if m.Deferrable != nil {
		p.either(*m.Deferrable, " DEFERRABLE", " NOT DEFERRABLE")
	}
}

func (p *printer) either(on bool, yes, no string) {
	if on {
		p.put(yes)
	} else {
		p.put(no)
	}
}

func (p *printer) nameOrAll(verb, name string) {
	if name == "" {
		p.put(verb, "ALL")
	} else {
		p.name(verb, name)
	}
}

// setting writes a setting's name, part by part.
func (p *printer) setting(verb, name string) {
	if name == "all" {
		p.put(verb, "ALL")
		return
	}
	p.put(verb)
	p.pathName(name)
}

// pathName writes a name whose parts a dot separates.
func (p *printer) pathName(name string) {
	parts := strings.Split(name, ".")
	if slices.Contains(parts, "") {
		parts = []string{name}
	}
	p.dotted(parts)
}

func (p *printer) set(s *Set) {
	p.put("SET ")
	p.flag(s.Local, "LOCAL ")
	if len(s.Values) == 1 {
		if x, ok := s.Values[0].(*IntervalLit); ok {
			p.put("TIME ZONE ")
			p.interval(x)
			return
		}
	}
	p.pathName(s.Name)
	switch {
	case s.Default:
		p.put(" TO DEFAULT")
	case s.FromCurrent:
		p.put(" FROM CURRENT")
	default:
		p.put(" TO ")
		p.exprs(s.Values)
	}
}

func (p *printer) declare(s *Declare) {
	p.name("DECLARE ", s.Name)
	p.flag(s.Binary, " BINARY")
	p.flag(s.Insensitive, " INSENSITIVE")
	p.flag(s.Asensitive, " ASENSITIVE")
	if s.Scroll != nil {
		p.either(*s.Scroll, " SCROLL", " NO SCROLL")
	}
	p.put(" CURSOR")
	p.flag(s.Hold, " WITH HOLD")
	p.put(" FOR ")
	p.query(s.Query)
}

func (p *printer) fetch(s *Fetch) {
	p.either(s.Move, "MOVE ", "FETCH ")
	p.put([]string{"FORWARD ", "BACKWARD ", "ABSOLUTE ", "RELATIVE "}[s.Direction])
	if s.All {
		p.put("ALL")
	} else {
		p.put(int(s.Count))
	}
	p.name(" FROM ", s.Cursor)
}

func (p *printer) vacuum(s *Vacuum) {
	p.put("VACUUM")
	if s.Options != nil {
		options := []Option{}
		for _, o := range []struct {
			on   bool
			name string
		}{{s.Full, "full"}, {s.Freeze, "freeze"}, {s.Verbose, "verbose"}, {s.Analyze, "analyze"}} {
			if o.on {
				options = append(options, Option{Name: o.name})
			}
		}
		p.options(" ", append(options, s.Options...), " ")
	} else {
		p.flag(s.Full, " FULL")
		p.flag(s.Freeze, " FREEZE")
		p.flag(s.Verbose, " VERBOSE")
		p.flag(s.Analyze, " ANALYZE")
	}
	p.vacuumTargets(s.Relations)
}

func (p *printer) vacuumTargets(targets []VacuumTarget) {
	p.flag(len(targets) > 0, " ")
	list(p, targets, func(t VacuumTarget) {
		p.rel(t.Name)
		p.columns(" ", t.Columns)
	})
}

func (p *printer) copy(s *Copy) {
	p.put("COPY ")
	if s.Relation != nil {
		p.rel(*s.Relation)
		p.columns(" ", s.Columns)
	} else {
		p.put("(")
		p.stmt(s.Query)
		p.put(")")
	}
	p.either(s.From, " FROM ", " TO ")
	switch {
	case s.Std && s.From:
		p.put("STDIN")
	case s.Std:
		p.put("STDOUT")
	default:
		p.flag(s.Program, "PROGRAM ")
		p.put(QuoteLiteral(s.File))
	}
	p.options(" WITH ", s.Options, " ")
	p.clause(" WHERE ", s.Where)
}

func (p *printer) explain(s *Explain) {
	p.put("EXPLAIN (")
	for _, o := range []struct {
		name string
		on   bool
	}{
		{"ANALYZE", s.Analyze},
		{"VERBOSE", s.Verbose},
		{"COSTS", s.Costs},
		{"SETTINGS", s.Settings},
		{"BUFFERS", s.Buffers},
		{"WAL", s.WAL},
		{"TIMING", s.Timing},
		{"SUMMARY", s.Summary},
	} {
		p.put(o.name)
		p.either(o.on, ", ", " off, ")
	}
	p.put("FORMAT ", []string{"text", "json", "yaml", "xml"}[s.Format], ") ")
	p.stmt(s.Stmt)
}
