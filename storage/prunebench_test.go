package storage

import (
	"fmt"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"raisind/storage/keys"
)

// BenchmarkPrune updates 50 rows that circle one site and then lets the store come to rest, with pruning and
// without; one second of the store's clock passes between rounds.
func BenchmarkPrune(b *testing.B) {
	for _, disabled := range []bool{true, false} {
		b.Run(fmt.Sprintf("pruning=%v", !disabled), func(b *testing.B) {
			o, clock := pruneOptions(vfs.NewMem())
			o.Prune.Disabled, o.MemTableBytes, o.CacheBytes = disabled, 4<<20, 64<<20
			db := openStore(b, o)
			db.SetHistoryRetention(func(RelationID) (time.Duration, bool) { return time.Hour, false })
			value := make([]byte, 200)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				row := RowID(1 + n%50)
				txn := db.Begin(ReadCommitted)
				copy(value, fmt.Sprintf("-%c", 'a'+(n/50+int(row))%4))
				txn.Put(1, row, value)
				if _, err := txn.Commit(bg, testDeriver{}, CommitOptions{}); err != nil {
					b.Fatal(err)
				}
				if n++; n%50 == 0 {
					clock.advance(time.Second)
				}
			}
			check(b, db.Flush())
			settle(b, db)
			m := db.Metrics()
			total := m.WAL.BytesWritten
			for _, l := range m.Levels {
				total += l.TableBytesFlushed + l.TableBytesCompacted
			}
			b.ReportMetric(float64(total)/float64(b.N), "disk-B/op")
			check(b, db.VacuumAll(bg))
			b.ReportMetric(float64(countKeys(b, db)[keys.SpatialFamily]), "spatial-keys-left")
			b.ReportMetric(float64(db.PruneStats().KeysRead)/float64(b.N), "pruner-keys/op")
			b.ReportMetric(float64(db.PruneStats().Busy.Nanoseconds())/float64(b.N), "pruner-ns/op")
			closeStore(b, db)
		})
	}
}
