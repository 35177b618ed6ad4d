package storage

// A group is all versions under one prefix: a row, a unique key, or a row in a cell. What may go from it:
//
//  1. The newest version stays, whatever its age, as reads of now are answered from it.
//  2. An older one goes when it has more than keep-1 newer revisions above it, or is older than aged.
//  3. The newest goes when it is a tombstone older than aged and nothing else of the group is left.
//  4. But nothing goes that an open view may read or ask for: the version above it, and a tombstone that
//     goes itself, must be settled.
//  5. What cannot be read stays, and counts for nothing but as something left.
type version struct {
	rev        Revision
	tombstone  bool
	unreadable bool
	drop       bool
}

// pruneLimits are the limits of a group.
type pruneLimits struct {
	keep    int      // revisions kept, at least 1
	aged    Revision // what is older has aged
	settled Revision // every view reads this revision or a later one
}

// decide marks what may go from a group, newest version first. held: something would go but for a view.
func decide(group []version, lim pruneLimits) (drops int, held bool) {
	var above Revision // of the readable version before
	rank, head := 0, -1
	for i := range group {
		v := &group[i]
		if v.unreadable {
			continue
		}
		if head < 0 {
			head, rank, above = i, 1, v.rev
			continue
		}
		over := above
		if v.rev != above {
			rank, above = rank+1, v.rev
		}
		switch {
		case rank <= lim.keep && v.rev >= lim.aged:
		case over > lim.settled:
			held = true
		default:
			v.drop = true
			drops++
		}
	}
	if head >= 0 && group[head].tombstone && group[head].rev < lim.aged && drops == len(group)-1 {
		if group[head].rev > lim.settled {
			return drops, true
		}
		group[head].drop = true
		drops++
	}
	return drops, held
}
