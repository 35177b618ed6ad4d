package plpgsql

// nsKind tells the entries of a scope apart.
type nsKind uint8

const (
	nsVariable nsKind = iota
	nsRecord          // a variable with fields
	nsBlock           // the label of a block, or the start of one without
	nsLoop            // the same of a loop
)

// scope is the newest of a list of names, each made visible after the one before it. A
// label begins a level. A fragment keeps the scope it was read in.
type scope struct {
	prev *scope
	kind nsKind
	name string
	dno  int
}

func (s *scope) isLabel() bool { return s.kind == nsBlock || s.kind == nsLoop }

// lookup finds what the first of names stand for, and how many of them it took: x, or
// block.x. Of a record all further names are fields.
func (s *scope) lookup(names []string) (found *scope, used int) {
	return s.find(names, false)
}

// local is lookup in the innermost level only.
func (s *scope) local(name string) *scope {
	found, _ := s.find([]string{name}, true)
	return found
}

func (s *scope) find(names []string, local bool) (*scope, int) {
	for top := s; top != nil; {
		i := top
		for ; !i.isLabel(); i = i.prev {
			if i.name == names[0] && (len(names) == 1 || i.kind == nsRecord) {
				return i, 1
			}
		}
		if len(names) > 1 && i.name == names[0] {
			for j := top; !j.isLabel(); j = j.prev {
				if j.name == names[1] && (len(names) == 2 || j.kind == nsRecord) {
					return j, 2
				}
			}
		}
		if local {
			break
		}
		top = i.prev
	}
	return nil, 0
}

// label finds a label around a statement.
func (s *scope) label(name string) *scope {
	for ; s != nil; s = s.prev {
		if s.isLabel() && s.name == name {
			return s
		}
	}
	return nil
}

// inLoop reports whether a statement stands in a loop.
func (s *scope) inLoop() bool {
	for ; s != nil; s = s.prev {
		if s.kind == nsLoop {
			return true
		}
	}
	return false
}
