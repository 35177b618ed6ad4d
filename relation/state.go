package relation

import (
	"encoding/binary"
	"encoding/json"
	"slices"

	"raisind/pgerr"
	"raisind/spatialidx"
	"raisind/storage"
)

// Phase is how far the index of one property is built on this node.
type Phase uint8

// The phases. The numbers are stored.
const (
	NotBuilt Phase = 0
	Building Phase = 1
	Ready    Phase = 2
)

// String is what SHOW SPATIAL INDEX HEALTH prints.
func (p Phase) String() string {
	switch p {
	case Ready:
		return "ready"
	case Building:
		return "building"
	}
	return "notbuilt"
}

// State is what this node's index of one property holds. Immutable.
type State struct {
	Name     string
	Property storage.PropertyID
	Phase    Phase
	// Precisions are complete: every row's geometry has its entries there. Finest first.
	Precisions []int
	// Held may hold entries, complete or not; contains Precisions.
	Held []int
	// Cover is what the complete precisions were built under; Covers what any entry
	// may have been placed under.
	Cover  spatialidx.CoverKind
	Covers []spatialidx.CoverKind
	// PolicyHash identifies the policy the index was built under.
	PolicyHash string
	// BuiltThrough is, by precision, the revision at which a rebuild had written all its
	// entries: views of earlier revisions must not use it. A precision that grew with
	// its rows is not in it.
	BuiltThrough map[int]storage.Revision
}

// Built is the revision from which on views may use every complete precision; 0 when
// no rebuild has written any.
func (s *State) Built() storage.Revision {
	var rev storage.Revision
	for _, r := range s.BuiltThrough {
		rev = max(rev, r)
	}
	return rev
}

// Usable returns the complete precisions a view of rev may use, finest first.
func (s *State) Usable(rev storage.Revision) []int {
	if len(s.BuiltThrough) == 0 || rev >= s.Built() {
		return s.Precisions
	}
	return slices.DeleteFunc(slices.Clone(s.Precisions), func(p int) bool { return rev < s.BuiltThrough[p] })
}

// overflowName names the state record of a relation's overflow list: rows of which
// not every geometry could be indexed. No property path is empty.
const overflowName = ""

// overflowPrecision is the one precision whose wide list holds the overflow list.
const overflowPrecision = 1

// A state record's key is the prefix, the relation's number in four bytes, big
// endian, and the property's name; its value a format byte and JSON.
var statePrefix = []byte("spatial/")

const stateFormat = 1

type stateRecord struct {
	Property     storage.PropertyID       `json:"property"`
	Phase        Phase                    `json:"phase"`
	Precisions   []int                    `json:"precisions"`
	Held         []int                    `json:"held"`
	Cover        spatialidx.CoverKind     `json:"cover"`
	Covers       []spatialidx.CoverKind   `json:"covers"`
	PolicyHash   string                   `json:"policy_hash"`
	BuiltThrough map[int]storage.Revision `json:"built_through_by_precision,omitempty"`
}

func stateKey(rel storage.RelationID, name string) []byte {
	return append(binary.BigEndian.AppendUint32(slices.Clone(statePrefix), uint32(rel)), name...)
}

func encodeState(s *State) ([]byte, error) {
	b, err := json.Marshal(stateRecord{s.Property, s.Phase, s.Precisions, s.Held, s.Cover, s.Covers, s.PolicyHash, s.BuiltThrough})
	if err != nil {
		return nil, pgerr.Wrap(err, pgerr.InternalError, "spatial state of %q cannot be written: %v", s.Name, err)
	}
	return append([]byte{stateFormat}, b...), nil
}

func decodeState(key, value []byte) (storage.RelationID, *State, error) {
	n := len(statePrefix)
	if len(key) < n+4 || len(value) == 0 || value[0] != stateFormat {
		return 0, nil, pgerr.New(pgerr.DataCorrupted, "spatial state record %x has an unknown format", key)
	}
	var r stateRecord
	if err := json.Unmarshal(value[1:], &r); err != nil {
		return 0, nil, pgerr.Wrap(err, pgerr.DataCorrupted, "spatial state record %x cannot be read: %v", key, err)
	}
	return storage.RelationID(binary.BigEndian.Uint32(key[n:])), &State{
		Name: string(key[n+4:]), Property: r.Property, Phase: r.Phase, Precisions: r.Precisions, Held: r.Held,
		Cover: r.Cover, Covers: r.Covers, PolicyHash: r.PolicyHash, BuiltThrough: r.BuiltThrough,
	}, nil
}

// allPrecisions are the precisions an index without a record might hold.
func allPrecisions() []int {
	var all []int
	for p := spatialidx.MaxPrecision; p >= 1; p-- {
		all = append(all, p)
	}
	return all
}

// union returns the precisions in a or b, finest first.
func union(a, b []int) []int {
	u := append(slices.Clone(a), b...)
	slices.SortFunc(u, func(x, y int) int { return y - x })
	return slices.Compact(u)
}

// intersect returns the precisions in a and b, in a's order.
func intersect(a, b []int) []int {
	return slices.DeleteFunc(slices.Clone(a), func(p int) bool { return !slices.Contains(b, p) })
}

func unionCovers(a []spatialidx.CoverKind, b ...spatialidx.CoverKind) []spatialidx.CoverKind {
	u := append(slices.Clone(a), b...)
	slices.Sort(u)
	return slices.Compact(u)
}
