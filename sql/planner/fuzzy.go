package planner

import (
	"raisind/pgerr"
)

// PostgreSQL's hints for names that are nearly right: at most maxFuzzy edits, and
// fewer than half of the name's characters.
const maxFuzzy = 3

type fuzzyMatch struct {
	alias, column string // column is empty for an exact match that is out of reach
}

// missingColumn is 42703 with PostgreSQL's hint.
func (b *builder) missingColumn(s *scope, table, name string, at int) error {
	var e *pgerr.Error
	if table != "" {
		e = b.err(pgerr.UndefinedColumn, at, "column %s.%s does not exist", table, name)
	} else {
		e = b.err(pgerr.UndefinedColumn, at, "column %q does not exist", name)
	}
	found := fuzzyColumns(s, table, name)
	switch {
	case len(found) == 2:
		e.WithHint("Perhaps you meant to reference the column %q or the column %q.",
			found[0].alias+"."+found[0].column, found[1].alias+"."+found[1].column)
	case len(found) == 1 && found[0].column != "":
		e.WithHint("Perhaps you meant to reference the column %q.", found[0].alias+"."+found[0].column)
	case len(found) == 1:
		e.WithHint("There is a column named %q in table %q, but it cannot be referenced from this part of the query.", name, found[0].alias)
	}
	return e
}

// fuzzyColumns finds the one or two best matches over all range items of all levels.
func fuzzyColumns(s *scope, table, name string) []fuzzyMatch {
	best := maxFuzzy + 1
	var found []fuzzyMatch
	tooMany := false
	for ; s != nil; s = s.parent {
		if s.q == nil {
			continue
		}
		for _, r := range s.q.rels {
			penalty := 0
			if table != "" {
				penalty = levenshtein(table, r.alias)
			}
			for i := range r.cols {
				match := r.cols[i].name
				if r.cols[i].hidden || match == "" {
					continue
				}
				if match == name && penalty == 0 {
					return []fuzzyMatch{{alias: r.alias}}
				}
				if penalty > best {
					continue
				}
				d := levenshtein(name, match)
				if d > len(match)/2 {
					continue
				}
				d += penalty
				m := fuzzyMatch{r.alias, match}
				switch {
				case d < best:
					best, found, tooMany = d, append(found[:0], m), false
				case d > best:
				case len(found) == 2:
					// Three equally good ones are none.
					found, best = found[:0], d-1
					tooMany = true
				case len(found) == 1 || best <= maxFuzzy && !tooMany:
					found = append(found, m)
				}
			}
		}
	}
	return found
}

// missingTable is 42P01 for a qualifier.
func (b *builder) missingTable(s *scope, schema, table string, at int) error {
	name := table
	if schema != "" {
		name = schema + "." + table
	}
	// An item of that name that cannot be seen from here.
	for l := s; l != nil; l = l.parent {
		if l.q == nil {
			continue
		}
		for _, r := range l.q.rels {
			switch {
			case schema == "" && r.alias == table:
				return b.err(pgerr.UndefinedTable, at, "invalid reference to FROM-clause entry for table %q", table).
					WithHint("There is an entry for table %q, but it cannot be referenced from this part of the query.", table)
			case r.table != nil && r.table.Name == table && r.alias != table:
				return b.err(pgerr.UndefinedTable, at, "invalid reference to FROM-clause entry for table %q", name).
					WithHint("Perhaps you meant to reference the table alias %q.", r.alias)
			}
		}
	}
	return b.err(pgerr.UndefinedTable, at, "missing FROM-clause entry for table %q", name)
}

// levenshtein is the number of edits between two names, by bytes.
func levenshtein(a, b string) int {
	var buf [64]int
	row := buf[:0]
	for j := range len(b) + 1 {
		row = append(row, j)
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next := min(row[j]+1, row[j+1]+1, diag+cost)
			diag, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
