package session

import (
	"strings"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/types"
)

// setTransaction is SET TRANSACTION and SET SESSION CHARACTERISTICS AS TRANSACTION.
func (s *Session) setTransaction(n *ast.SetTransaction) error {
	if n.Snapshot != "" {
		return pgerr.New(pgerr.FeatureNotSupported, "importing snapshots is not supported")
	}
	if n.Session {
		return s.setDefaultModes(n.Modes)
	}
	if s.tx == nil || !s.tx.block && !s.tx.implicitBlock {
		s.notice(pgerr.Warning(pgerr.NoActiveSQLTransaction, "SET TRANSACTION can only be used in transaction blocks"))
	}
	s.ensureTx()
	return s.setModes(n.Modes)
}

func (s *Session) setDefaultModes(m ast.TxnModes) error {
	set := func(name, value string) error { return s.set(name, &value, false) }
	if m.Isolation != "" {
		if err := set("default_transaction_isolation", m.Isolation); err != nil {
			return err
		}
	}
	if m.ReadOnly != nil {
		if err := set("default_transaction_read_only", onOff(*m.ReadOnly)); err != nil {
			return err
		}
	}
	if m.Deferrable != nil {
		return set("default_transaction_deferrable", onOff(*m.Deferrable))
	}
	return nil
}

// setStatement is SET.
func (s *Session) setStatement(n *ast.Set) error {
	if n.Local && (s.tx == nil || !s.tx.block && !s.tx.implicitBlock) {
		s.notice(pgerr.Warning(pgerr.NoActiveSQLTransaction, "SET LOCAL can only be used in transaction blocks"))
	}
	s.ensureTx() // what the statement sets goes with its transaction
	switch {
	case n.FromCurrent:
		_, value, err := s.show(n.Name)
		if err != nil {
			return err
		}
		return s.set(n.Name, &value, n.Local)
	case n.Default:
		return s.set(n.Name, nil, n.Local)
	}
	value, err := setValue(n)
	if err != nil {
		return err
	}
	return s.set(n.Name, &value, n.Local)
}

// setValue makes one text of the values of SET.
func setValue(n *ast.Set) (string, error) {
	d := findSetting(n.Name)
	if len(n.Values) > 1 && (d == nil || !d.list) {
		return "", pgerr.New(pgerr.InvalidParameterValue, "SET %s takes only one argument", n.Name)
	}
	var parts []string
	for _, v := range n.Values {
		switch v := v.(type) {
		case *ast.Literal:
			text := v.Text
			switch {
			case v.Kind == ast.LitBool:
				text = "false"
				if v.Bool {
					text = "true"
				}
			case v.Kind == ast.LitString && d != nil && d.quoted:
				text = ast.QuoteIdent(text)
			}
			parts = append(parts, text)
		case *ast.IntervalLit:
			iv, err := types.TInterval.ParseText(v.Text, -1, nil)
			if err != nil {
				return "", err
			}
			i, ok := iv.Ref().(*types.Interval)
			if !ok || i.Months != 0 {
				return "", pgerr.New(pgerr.InvalidParameterValue, "cannot specify months in time zone interval")
			}
			if i.Days != 0 {
				return "", pgerr.New(pgerr.InvalidParameterValue, "cannot specify days in time zone interval")
			}
			_, name, _ := fixedZone(int(i.Micros / 1e6))
			parts = append(parts, name)
		default:
			return "", pgerr.New(pgerr.SyntaxError, "SET takes constants only")
		}
	}
	return strings.Join(parts, ", "), nil
}

// showStatement is SHOW.
func (s *Session) showStatement(n *ast.Show, row emit) error {
	if n.Name != "all" {
		_, value, err := s.show(n.Name)
		if err != nil {
			return err
		}
		return row(types.Row{types.Str(value)})
	}
	for _, i := range s.Settings() {
		if err := row(types.Row{types.Str(i.Name), types.Str(i.Value), types.Str(i.Doc)}); err != nil {
			return err
		}
	}
	return nil
}

// resetStatement is RESET.
func (s *Session) resetStatement(n *ast.Reset) error {
	s.ensureTx()
	if n.Name == "all" {
		return s.resetAll()
	}
	return s.set(n.Name, nil, false)
}

// discard is DISCARD. There are no temporary tables and no cached sequences to forget.
func (s *Session) discard(n *ast.Discard) error {
	switch n.What {
	case "all":
		if err := s.forbidBlock("DISCARD ALL"); err != nil {
			return err
		}
		s.forgetCursors()
		if err := s.set("session_authorization", nil, false); err != nil {
			return err
		}
		if err := s.resetAll(); err != nil {
			return err
		}
		if err := s.set("role", nil, false); err != nil {
			return err
		}
		clear(s.prepared)
		s.listen("", false)
		s.owner.UnlockAllAdvisory()
	case "plans":
		for _, p := range s.prepared {
			p.planSettings = staleSettings
		}
	}
	return nil
}

// staleSettings is no Session.planKey: a plan made under it is made anew.
const staleSettings = "\x00"
