package ast

import "strings"

// routine writes the statements about functions and triggers that exist and reports
// whether s is one.
func (p *printer) routine(s Stmt) bool {
	switch s := s.(type) {
	case *Call:
		p.put("CALL ")
		p.call(s.Func)
	case *AlterFunction:
		p.alterFunction(s)
	case *AlterTrigger:
		p.put("ALTER TRIGGER ", QuoteIdent(s.Name), " ON ")
		p.rel(s.On)
		p.name(" RENAME TO ", s.NewName)
	default:
		return false
	}
	return true
}

func (p *printer) alterFunction(s *AlterFunction) {
	p.put("ALTER ", strings.ToUpper(s.Kind), " ")
	p.rel(s.Name)
	if s.Args != nil {
		p.put("(")
		list(p, s.Args, p.typeName)
		p.put(")")
	}
	p.name(" RENAME TO ", s.Rename)
	p.name(" SET SCHEMA ", s.Schema)
	switch s.Owner {
	case "":
	case "current_user", "session_user", "current_role":
		p.put(" OWNER TO ", strings.ToUpper(s.Owner))
	default:
		p.put(" OWNER TO ", QuoteIdent(s.Owner))
	}
	for _, o := range s.Options {
		p.functionOption(o)
	}
	for _, name := range s.Reset {
		p.put(" RESET ")
		if name == "all" {
			p.put("ALL")
		} else {
			p.pathName(name)
		}
	}
}
