package relation

import (
	"context"
	"fmt"
	"slices"

	"raisind/catalog"
	"raisind/storage"
)

// Health is what the index of one property looks like on this node.
type Health struct {
	State *State
	// Live and Tombstoned count entries by cell and row, Nodes the rows that have any.
	Live, Tombstoned, Nodes int64
	// PerPrecision are the live entries of each precision that has any.
	PerPrecision map[int]int64
	// NeedsRebuild is set while the index is not what the policy of r asks for.
	NeedsRebuild bool
}

// Health reads the whole index of one property, in a view of now.
func (ix *Indexer) Health(ctx context.Context, r *catalog.Relation, s *State) (Health, error) {
	h := Health{State: s, PerPrecision: map[int]int64{}}
	h.NeedsRebuild = s.Phase != Ready || s.PolicyHash != r.EffectivePolicy(s.Name).Hash()
	v, err := ix.db.NewView()
	if err != nil {
		return h, err
	}
	defer v.Close()
	v.Bind(ctx)
	var nodes rowSet
	st, err := storedEntries(v, r.ID, s.Property, func(e entry) error {
		h.Live++
		h.PerPrecision[e.prec]++
		nodes.add(e.row)
		return nil
	})
	if err != nil {
		return h, err
	}
	h.Tombstoned = int64(st.Keys-st.Superseded) - h.Live
	h.Nodes = nodes.n
	return h, nil
}

// Verified is the verdict on the index of one property.
type Verified struct {
	Live, Nodes int64
	// Missing and Stray count entries the rows call for that are not there, and
	// entries they do not call for.
	Missing, Stray int64
	// Example names one of them.
	Example string
}

// Verify compares the index of one property with the rows, in a view of now.
func (ix *Indexer) Verify(ctx context.Context, r *catalog.Relation, s *State) (Verified, error) {
	v, err := ix.db.NewView()
	if err != nil {
		return Verified{}, err
	}
	defer v.Close()
	v.Bind(ctx)
	c := newComparison(v, r, []*State{s})
	if err := c.rows(nil); err != nil {
		return Verified{}, err
	}
	return c.entries(s)
}

// comparison compares the entries of some properties with the rows, in one view.
type comparison struct {
	v    *storage.View
	rr   rowReader
	seen map[string]*compared
}

type compared struct {
	state  *State
	policy catalog.EffectivePolicy
	got    Verified
}

func newComparison(v *storage.View, r *catalog.Relation, states []*State) *comparison {
	c := &comparison{v: v, rr: rowReader{r: r}, seen: map[string]*compared{}}
	for _, s := range states {
		c.seen[s.Name] = &compared{state: s, policy: r.EffectivePolicy(s.Name)}
	}
	return c
}

// rows looks for the entries that the rows call for. see, when not nil, is told of
// each row, whether all its geometries are indexed, and of geometries under names
// that have no state.
func (c *comparison) rows(see func(row storage.RowID, whole bool, unknown []string)) error {
	it := c.v.Rows(c.rr.r.ID)
	defer it.Close()
	for it.Next() {
		list, whole, err := c.rr.geometries(it.Value())
		if err != nil {
			return err
		}
		var unknown []string
		for i := range list {
			p := c.seen[list[i].name]
			if p == nil && see == nil {
				continue
			}
			g, ok, err := c.rr.placed(&list[i])
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			if p == nil {
				unknown = append(unknown, list[i].name)
				continue
			}
			covers := unionCovers(p.state.Covers, p.policy.Cover)
			for _, prec := range p.state.Precisions {
				whole, err := c.rr.complete(c.v, p.state.Property, it.RowID(), g, prec, covers)
				if err != nil {
					return err
				}
				if !whole {
					p.got.Missing++
					p.got.Example = fmt.Sprintf("row %d at precision %d", it.RowID(), prec)
				}
			}
		}
		if see != nil {
			see(it.RowID(), whole, unknown)
		}
	}
	return it.Err()
}

// entries looks at what is stored of one property and returns the verdict.
func (c *comparison) entries(s *State) (Verified, error) {
	p := c.seen[s.Name]
	held, covers := union(s.Held, p.policy.Precisions), unionCovers(s.Covers, p.policy.Cover)
	var nodes rowSet
	_, err := storedEntries(c.v, c.rr.r.ID, s.Property, func(e entry) error {
		p.got.Live++
		nodes.add(e.row)
		ok, err := c.rr.belongs(c.v, s.Name, e, covers)
		if err != nil {
			return err
		}
		if !ok || !slices.Contains(held, e.prec) {
			p.got.Stray++
			p.got.Example = e.String()
		}
		return nil
	})
	p.got.Nodes = nodes.n
	return p.got, err
}
