package relation

import (
	"slices"
	"strings"

	"raisind/catalog"
	"raisind/spatialidx"
	"raisind/storage"
)

// writePlan says what a geometry write of a relation puts where. It is made anew
// when the catalog's relation or the index state has changed.
type writePlan struct {
	rel    *catalog.Relation
	props  *map[string]*State
	byName map[string]*propPlan
}

// propPlan is the writePlan of one property.
type propPlan struct {
	prop storage.PropertyID
	// live get an entry: configured or complete. clear may hold an entry that a write
	// supersedes: live, and what was configured before.
	live, clear []int
	cover       spatialidx.CoverKind
	// covers are those an entry of a shape may have been placed under.
	covers []spatialidx.CoverKind
	// grows is set when the state record does not yet tell what this plan writes.
	grows bool
}

// writePlan returns the current plan for r.
func (ix *Indexer) writePlan(r *catalog.Relation) *writePlan {
	rs := ix.relation(r.ID)
	props := rs.props.Load()
	if p := rs.plan.Load(); p != nil && p.rel == r && p.props == props {
		return p
	}
	p := &writePlan{rel: r, props: props, byName: make(map[string]*propPlan, len(*props))}
	for name, s := range *props {
		p.byName[name] = planProperty(r, s)
	}
	rs.plan.Store(p)
	return p
}

func planProperty(r *catalog.Relation, s *State) *propPlan {
	if s.Name == overflowName {
		return &propPlan{prop: s.Property}
	}
	policy, _ := r.Policy(s.Name)
	live := union(policy.Precisions, s.Precisions)
	return &propPlan{
		prop: s.Property, live: live, clear: union(live, s.Held),
		cover: policy.Cover, covers: unionCovers(s.Covers, policy.Cover),
		grows: len(union(live, s.Held)) > len(s.Held) || !slices.Contains(s.Covers, policy.Cover),
	}
}

// property returns the plan for one property, making or widening its state record
// first. had tells that the row had a geometry there before: without a record the
// index is then not known to hold it, nor other rows'. nil when the relation has
// too many properties: this one has no index.
func (ix *Indexer) property(r *catalog.Relation, name string, had bool) (*propPlan, error) {
	if p := ix.writePlan(r).byName[name]; p != nil && !p.grows {
		return p, nil
	}
	e := r.EffectivePolicy(name)
	full := false
	_, err := ix.change(r.ID, name, false, func(old *State, n storage.PropertyID) *State {
		switch {
		case old == nil && n > MaxProperties:
			full = true
			return nil
		case old == nil && had:
			return &State{
				Name: strings.Clone(name), Property: n, Phase: NotBuilt, Held: allPrecisions(),
				Covers: []spatialidx.CoverKind{spatialidx.Centroid, spatialidx.Extent},
			}
		case old == nil:
			return &State{
				Name: strings.Clone(name), Property: n, Phase: Ready, Precisions: e.Precisions, Held: e.Precisions,
				Cover: e.Cover, Covers: []spatialidx.CoverKind{e.Cover}, PolicyHash: e.Hash(),
			}
		}
		s := *old
		s.Held = union(s.Held, e.Precisions)
		s.Covers = unionCovers(s.Covers, e.Cover)
		return &s
	})
	if err != nil || full {
		return nil, err
	}
	return ix.writePlan(r).byName[name], nil
}

// overflow returns the number of the relation's overflow list, made when there is none.
func (ix *Indexer) overflow(r *catalog.Relation) (storage.PropertyID, error) {
	s, err := ix.change(r.ID, overflowName, false, func(old *State, n storage.PropertyID) *State {
		if old != nil {
			return nil
		}
		return &State{Name: overflowName, Property: n, Phase: Ready}
	})
	if err != nil {
		return 0, err
	}
	return s.Property, nil
}
