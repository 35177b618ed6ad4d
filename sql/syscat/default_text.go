package syscat

import (
	"regexp"
	"strconv"

	"raisind/catalog"
	"raisind/sql/ast"
)

// relationByNumber is how a default of the catalog names the sequence it counts with,
// so that the sequence may be renamed.
var relationByNumber = regexp.MustCompile(`'([0-9]+)'::regclass`)

// defaultText is a default as it is shown: relations by their names.
func defaultText(snap *catalog.Snapshot, text string) string {
	return relationByNumber.ReplaceAllStringFunc(text, func(m string) string {
		oid, err := strconv.ParseUint(relationByNumber.FindStringSubmatch(m)[1], 10, 32)
		if err != nil {
			return m
		}
		r, ok := snap.ByOID(uint32(oid))
		if !ok {
			return m
		}
		name := ast.QuoteIdent(r.Name)
		if r.Schema != catalog.DefaultSchema {
			name = ast.QuoteIdent(r.Schema) + "." + name
		}
		return ast.QuoteLiteral(name) + "::regclass"
	})
}
