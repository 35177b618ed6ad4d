package storage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"

	"raisind/storage/keys"
)

// pruneProperty names the property that a table carries for sweeps.
const pruneProperty = "raisin.prune"

// nominateBlock is how many groups a collector gathers before it hands them over.
const nominateBlock = 128

// pruneCollector watches what one flush or compaction writes into one table, and nominates groups that
// seem to hold something to prune. It sees a part of a group, so it may nominate late or for nothing;
// the pruner reads the group and decides. It never fails, as that would fail the compaction.
type pruneCollector struct {
	p      *pruner
	limits tableLimits // as of the start of the table

	prefix    []byte // of the current group
	rank      int
	last      Revision
	nominated bool // the current group is
	cutoff    Revision

	block  []string
	ranges []tableRange
}

// tableRange is what a table holds of one relation's rows or entries, or of one index.
type tableRange struct {
	family  byte
	id      uint32
	garbage uint64   // keys that are, or with age will be, of no use
	first   Revision // from which on the first of them can go; 0 by count
	last    Revision // and the last
	newest  Revision // of all keys
}

// tableLimits are the limits by family.
type tableLimits struct {
	keep    int
	aged    Revision                  // for spatial entries
	history func(RelationID) Revision // for rows: versions superseded at or before it have aged
}

func (p *pruner) newCollector() pebble.BlockPropertyCollector {
	return &pruneCollector{p: p, limits: tableLimits{keep: p.keep, aged: p.aged(), history: p.historyCutoff()}}
}

// Name implements pebble.BlockPropertyCollector.
func (c *pruneCollector) Name() string { return pruneProperty }

// AddPointKey implements pebble.BlockPropertyCollector. It gets no values: whether a row version or a
// unique key is a deletion is not known here.
func (c *pruneCollector) AddPointKey(key pebble.InternalKey, _ []byte) error {
	if kind := key.Kind(); kind != pebble.InternalKeyKindSet && kind != pebble.InternalKeyKindSetWithDelete {
		return nil
	}
	k := key.UserKey
	if len(k) == 0 || !prunable(k[0]) {
		return nil
	}
	n := keys.Split(k)
	rev, tombstone, ok := versionOf(k, n)
	if !ok {
		return nil
	}
	first := !bytes.Equal(c.prefix, k[:n])
	if first {
		c.prefix = append(c.prefix[:0], k[:n]...)
		c.rank, c.nominated = 1, false
		c.enter(k[0], binary.BigEndian.Uint32(k[1:]))
	}
	r := &c.ranges[len(c.ranges)-1]
	r.newest = max(r.newest, rev)
	over := c.last
	if !first && rev != c.last {
		c.rank++
	}
	c.last = rev
	if first && !tombstone {
		return nil
	}
	var from Revision
	due := false
	switch k[0] {
	case keys.SpatialFamily:
		if from = rev; c.rank > c.limits.keep {
			from = 0
		}
		due = from == 0 || rev < c.limits.aged
	default:
		from = over
		due = over <= c.cutoff
	}
	if r.garbage == 0 {
		r.first = from
	}
	r.garbage++
	r.first, r.last = min(r.first, from), max(r.last, from)
	if due && !c.nominated {
		c.nominated = true
		if c.block = append(c.block, string(c.prefix)); len(c.block) == nominateBlock {
			c.handOver()
		}
	}
	return nil
}

// enter starts the range of a family and relation or index, unless it is the current one.
func (c *pruneCollector) enter(family byte, id uint32) {
	if n := len(c.ranges); n > 0 && c.ranges[n-1].family == family && c.ranges[n-1].id == id {
		return
	}
	c.ranges = append(c.ranges, tableRange{family: family, id: id})
	switch family {
	case keys.RowFamily:
		c.cutoff = c.limits.history(RelationID(id))
	default:
		c.cutoff = keys.MaxRevision
	}
}

func (c *pruneCollector) handOver() {
	c.p.nominate(c.block)
	c.block = c.block[:0]
}

// prunable tells whether keys of the family are pruned. Catalog records are few and stay.
func prunable(family byte) bool {
	return family == keys.RowFamily || family == keys.UniqueFamily || family == keys.SpatialFamily
}

// versionOf reads the suffix of a key of a prunable family with n bytes of prefix; tombstone is known of
// spatial keys only.
func versionOf(k []byte, n int) (rev Revision, tombstone, ok bool) {
	if k[0] == keys.SpatialFamily {
		if len(k) != keys.SpatialLen || k[len(k)-1] > 1 {
			return 0, false, false
		}
		_, rev, tombstone = keys.SpatialTail(k)
		return rev, tombstone, rev >= 0
	}
	if len(k)-n != 8 || n < 5 {
		return 0, false, false
	}
	rev = keys.RevisionOf(k[n:])
	return rev, false, rev >= 0
}

// AddRangeKeys implements pebble.BlockPropertyCollector.
func (c *pruneCollector) AddRangeKeys(sstable.Span) error { return nil }

var errNoReplacement = errors.New("storage: suffixes are not replaced")

// AddCollectedWithSuffixReplacement implements pebble.BlockPropertyCollector.
func (c *pruneCollector) AddCollectedWithSuffixReplacement(_, _, _ []byte) error {
	return errNoReplacement
}

// SupportsSuffixReplacement implements pebble.BlockPropertyCollector.
func (c *pruneCollector) SupportsSuffixReplacement() bool { return false }

// FinishDataBlock implements pebble.BlockPropertyCollector. Blocks have no property: a filter on blocks
// could hide a deletion and show what it deletes.
func (c *pruneCollector) FinishDataBlock(buf []byte) ([]byte, error) { return buf, nil }

// AddPrevDataBlockToIndexBlock implements pebble.BlockPropertyCollector.
func (c *pruneCollector) AddPrevDataBlockToIndexBlock() {}

// FinishIndexBlock implements pebble.BlockPropertyCollector.
func (c *pruneCollector) FinishIndexBlock(buf []byte) ([]byte, error) { return buf, nil }

// FinishTable implements pebble.BlockPropertyCollector.
func (c *pruneCollector) FinishTable(buf []byte) ([]byte, error) {
	c.handOver()
	return appendTableProperty(buf, c.limits.keep, c.ranges), nil
}

// The property of a table: a format byte, how many revisions counted as kept, and the ranges.
const (
	tablePropertyFormat = 1
	tableRangeLen       = 1 + 4 + 4*8
)

func appendTableProperty(dst []byte, keep int, ranges []tableRange) []byte {
	dst = binary.BigEndian.AppendUint32(append(dst, tablePropertyFormat), uint32(keep))
	for _, r := range ranges {
		dst = binary.BigEndian.AppendUint32(append(dst, r.family), r.id)
		for _, n := range [...]uint64{r.garbage, uint64(r.first), uint64(r.last), uint64(r.newest)} {
			dst = binary.BigEndian.AppendUint64(dst, n)
		}
	}
	return dst
}

// decodeTableProperty reads the property; ok is false when it is of another format or damaged.
func decodeTableProperty(b []byte) (keep int, ranges []tableRange, ok bool) {
	if len(b) < 5 || b[0] != tablePropertyFormat || (len(b)-5)%tableRangeLen != 0 {
		return 0, nil, false
	}
	keep = int(binary.BigEndian.Uint32(b[1:]))
	for r := range slices.Chunk(b[5:], tableRangeLen) {
		at := func(i int) uint64 { return binary.BigEndian.Uint64(r[5+8*i:]) }
		ranges = append(ranges, tableRange{
			family: r[0], id: binary.BigEndian.Uint32(r[1:]),
			garbage: at(0), first: Revision(at(1)), last: Revision(at(2)), newest: Revision(at(3)),
		})
	}
	return keep, ranges, true
}
