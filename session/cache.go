package session

import (
	lru "github.com/hashicorp/golang-lru/v2"

	"raisind/sql/parser"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// maxCachedText is the longest text worth keeping: longer ones are loads of data that
// never come again.
const maxCachedText = 16 << 10

// cache keeps parsed texts and plans for all sessions. What it hands out is immutable.
type cache struct {
	parsed *lru.Cache[string, []parser.Statement]
	plans  *lru.Cache[planKey, *plan.Statement]
}

// planKey is everything a plan depends on.
type planKey struct {
	text string
	// catalog is the catalog's version.
	catalog uint64
	// params are the OIDs given for the parameters, four bytes each.
	params string
	// settings is Session.planKey.
	settings string
}

func newCache(entries int) (*cache, error) {
	parsed, err := lru.New[string, []parser.Statement](entries)
	if err != nil {
		return nil, err
	}
	plans, err := lru.New[planKey, *plan.Statement](entries)
	if err != nil {
		return nil, err
	}
	return &cache{parsed, plans}, nil
}

// parse parses a text or finds it parsed.
func (c *cache) parse(text string) ([]parser.Statement, error) {
	if len(text) > maxCachedText {
		return parser.Parse(text)
	}
	if st, ok := c.parsed.Get(text); ok {
		return st, nil
	}
	st, err := parser.Parse(text)
	if err != nil {
		return nil, err
	}
	c.parsed.Add(text, st)
	return st, nil
}

// paramKey is a comparable form of parameter types; unknown ones count as not given.
func paramKey(params []*types.Type) string {
	if len(params) == 0 {
		return ""
	}
	b := make([]byte, 0, 4*len(params))
	for _, t := range params {
		var oid uint32
		if t != nil {
			oid = t.OID
		}
		b = append(b, byte(oid), byte(oid>>8), byte(oid>>16), byte(oid>>24))
	}
	return string(b)
}
