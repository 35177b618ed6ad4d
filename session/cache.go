package session

import (
	"hash/maphash"

	lru "github.com/hashicorp/golang-lru/v2"

	"raisind/sql/parser"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// maxCachedText is the longest text worth keeping, in bytes: longer ones are loads of
// data that never come again.
const maxCachedText = 8 << 10

// cache keeps parsed texts and plans for all sessions. What it hands out is immutable.
// A text is kept when it comes for the second time: clients that write their values into
// the text would otherwise fill it with what never comes again.
type cache struct {
	seed   maphash.Seed
	seen   *lru.Cache[uint64, struct{}]
	parsed *lru.Cache[string, []parser.Statement]
	plans  *lru.Cache[planKey, *plan.Statement]
}

// seenFactor is how many texts are remembered as seen for each that is kept.
const seenFactor = 4

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
	c := &cache{seed: maphash.MakeSeed()}
	var err error
	if c.seen, err = lru.New[uint64, struct{}](seenFactor * entries); err != nil {
		return nil, err
	}
	if c.parsed, err = lru.New[string, []parser.Statement](entries); err != nil {
		return nil, err
	}
	c.plans, err = lru.New[planKey, *plan.Statement](entries)
	return c, err
}

// worth reports whether a text has come before.
func (c *cache) worth(text string) bool {
	again, _ := c.seen.ContainsOrAdd(maphash.String(c.seed, text), struct{}{})
	return again
}

// parse parses a text or finds it parsed. keep tells that plans of it are worth keeping.
func (c *cache) parse(text string) (stmts []parser.Statement, keep bool, err error) {
	if len(text) > maxCachedText {
		stmts, err = parser.Parse(text)
		return stmts, false, err
	}
	if stmts, ok := c.parsed.Get(text); ok {
		return stmts, true, nil
	}
	stmts, err = parser.Parse(text)
	if err != nil || !c.worth(text) {
		return stmts, false, err
	}
	c.parsed.Add(text, stmts)
	return stmts, true, nil
}

// forgetPlans makes every plan be made anew, from the statistics of now.
func (c *cache) forgetPlans() { c.plans.Purge() }

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
