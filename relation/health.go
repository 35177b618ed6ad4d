package relation

import (
	"context"

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
	nodes := map[storage.RowID]struct{}{}
	stats, err := storedEntries(v, r.ID, s.Property, func(e entry) error {
		h.Live++
		h.PerPrecision[e.prec]++
		nodes[e.row] = struct{}{}
		return nil
	})
	if err != nil {
		return h, err
	}
	for _, st := range stats {
		h.Tombstoned += int64(st.Keys - st.Superseded)
	}
	h.Tombstoned -= h.Live
	h.Nodes = int64(len(nodes))
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
	all, _, _, err := surveyRows(ctx, v, r, s.Name)
	if err != nil {
		return Verified{}, err
	}
	rows := all[s.Name]
	if rows == nil {
		rows = &survey{name: s.Name}
	}
	return verify(v, r, s, rows)
}
