package storage

// modeSet is a set of lock modes, bit n for mode n.
type modeSet uint8

func modes(list ...uint8) (s modeSet) {
	for _, m := range list {
		s |= 1 << m
	}
	return s
}

// lockKind says what a lock is on.
type lockKind uint8

const (
	lockRow lockKind = iota
	lockRelation
	lockKey
	lockAdvisory
	lockAdvisoryPair
	lockKinds
)

// Modes of unique keys and advisory locks.
const (
	sharedMode    uint8 = 0
	exclusiveMode uint8 = 1
)

// conflicts tells, per kind and mode, the modes of others it cannot be held with. Rows and relations are
// PostgreSQL's tables 13.3 and 13.2.
var conflicts = [lockKinds][8]modeSet{
	lockRow: {
		ForKeyShare:    modes(uint8(ForUpdate)),
		ForShare:       modes(uint8(ForNoKeyUpdate), uint8(ForUpdate)),
		ForNoKeyUpdate: modes(uint8(ForShare), uint8(ForNoKeyUpdate), uint8(ForUpdate)),
		ForUpdate:      modes(uint8(ForKeyShare), uint8(ForShare), uint8(ForNoKeyUpdate), uint8(ForUpdate)),
	},
	lockRelation: {
		AccessShare: relModes(AccessExclusive),
		RowShare:    relModes(Exclusive, AccessExclusive),
		RowExclusive: relModes(Share, ShareRowExclusive, Exclusive,
			AccessExclusive),
		ShareUpdateExclusive: relModes(ShareUpdateExclusive, Share, ShareRowExclusive, Exclusive,
			AccessExclusive),
		Share: relModes(RowExclusive, ShareUpdateExclusive, ShareRowExclusive, Exclusive,
			AccessExclusive),
		ShareRowExclusive: relModes(RowExclusive, ShareUpdateExclusive, Share, ShareRowExclusive, Exclusive,
			AccessExclusive),
		Exclusive: relModes(RowShare, RowExclusive, ShareUpdateExclusive, Share, ShareRowExclusive, Exclusive,
			AccessExclusive),
		AccessExclusive: relModes(AccessShare, RowShare, RowExclusive, ShareUpdateExclusive, Share,
			ShareRowExclusive, Exclusive, AccessExclusive),
	},
	lockKey:          {exclusiveMode: modes(exclusiveMode)},
	lockAdvisory:     {sharedMode: modes(exclusiveMode), exclusiveMode: modes(sharedMode, exclusiveMode)},
	lockAdvisoryPair: {sharedMode: modes(exclusiveMode), exclusiveMode: modes(sharedMode, exclusiveMode)},
}

func relModes(list ...RelLockMode) (s modeSet) {
	for _, m := range list {
		s |= 1 << m
	}
	return s
}

// covers tells whether who holds held already excludes everybody that mode would exclude.
func covers(kind lockKind, held modeSet, mode uint8) bool {
	if held&(1<<mode) != 0 {
		return true
	}
	var excluded modeSet
	for m := uint8(0); m < 8; m++ {
		if held&(1<<m) != 0 {
			excluded |= conflicts[kind][m]
		}
	}
	return held != 0 && conflicts[kind][mode]&^excluded == 0
}
