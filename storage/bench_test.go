package storage

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// benchRows lie in 20 dense places, as a fleet does in cities.
const benchRows = 100_000

// benchDeriver derives entries at precisions 8 and 6 from a value whose first 8 bytes are a 64-bit geohash
// and, with unique, a key from the next 8.
type benchDeriver struct{ unique bool }

func (d benchDeriver) Derive(_ RelationID, _ RowID, old, cur []byte, out *Entries) error {
	for _, prec := range [...]uint8{8, 6} {
		mask := ^uint64(0) << (64 - 5*prec)
		if old != nil {
			was := binary.BigEndian.Uint64(old) & mask
			if cur == nil || was != binary.BigEndian.Uint64(cur)&mask {
				out.TombstoneSpatial(3, prec, was, false)
			}
		}
		if cur != nil {
			out.SetSpatial(3, prec, binary.BigEndian.Uint64(cur)&mask, false, cur[:16])
		}
	}
	if d.unique && old == nil {
		out.SetUnique(1, cur[8:16])
	}
	return nil
}

// benchValue is a row of 200 bytes near place row%20: the places differ in the first 20 bits, rows of one
// place within the next 24, which is some 600 cells of precision 6.
func benchValue(rng *rand.Rand, row RowID) []byte {
	value := make([]byte, 200)
	place := uint64(row%20)*0x0a1f7 + 0x12345
	binary.BigEndian.PutUint64(value, place&0xfffff<<44|rng.Uint64()>>20)
	binary.BigEndian.PutUint64(value[8:], uint64(row))
	return value
}

// benchStore holds benchRows rows, each updated versions times, compacted or not.
func benchStore(b *testing.B, fs vfs.FS, versions int) *DB {
	b.Helper()
	o := testOptions(fs)
	if fs == vfs.Default {
		o.Dir = b.TempDir()
	}
	o.CacheBytes, o.MemTableBytes, o.Clock = 256<<20, 64<<20, time.Now
	db := openStore(b, o)
	b.Cleanup(func() { closeStore(b, db) })
	rng := rand.New(rand.NewPCG(1, 1))
	for range versions {
		for row := RowID(1); row <= benchRows; {
			txn := db.Begin(ReadCommitted)
			for range 1000 {
				txn.Put(1, row, benchValue(rng, row))
				row++
			}
			must[CommitInfo](b)(txn.Commit(bg, benchDeriver{unique: true}, CommitOptions{}))
		}
	}
	check(b, db.Compact(bg))
	b.ReportAllocs()
	b.ResetTimer()
	return db
}

func BenchmarkUpdate(b *testing.B) {
	for _, sync := range []bool{false, true} {
		for _, workers := range []int{1, 16} {
			b.Run(fmt.Sprintf("sync=%v/workers=%d", sync, workers), func(b *testing.B) {
				fs := vfs.FS(vfs.NewMem())
				if sync {
					fs = vfs.Default
				}
				db := benchStore(b, fs, 1)
				var keys, bytes, next atomic.Int64
				b.SetParallelism(max(1, workers/2))
				b.RunParallel(func(pb *testing.PB) {
					rng := rand.New(rand.NewPCG(uint64(next.Add(1)), 2))
					for pb.Next() {
						row := RowID(1 + rng.IntN(benchRows))
						txn := db.Begin(ReadCommitted)
						if err := txn.LockRelation(bg, 1, RowExclusive, Wait); err != nil {
							b.Error(err)
						}
						v, err := txn.NewView()
						if err != nil {
							b.Error(err)
						}
						if _, _, ok, err := v.Peek(1, row); err != nil || !ok {
							b.Error(ok, err)
						}
						if _, err := txn.LockRow(bg, 1, row, ForNoKeyUpdate, Wait); err != nil {
							b.Error(err)
						}
						if _, err := v.Changed(1, row); err != nil {
							b.Error(err)
						}
						txn.Put(1, row, benchValue(rng, row))
						v.Close()
						info, err := txn.Commit(bg, benchDeriver{}, CommitOptions{Sync: sync})
						if err != nil {
							b.Error(err)
						}
						keys.Add(int64(info.Keys))
						bytes.Add(info.Bytes)
					}
				})
				b.ReportMetric(float64(keys.Load())/float64(b.N), "keys/op")
				b.ReportMetric(float64(bytes.Load())/float64(b.N), "bytes/op")
			})
		}
	}
}

func BenchmarkCommit(b *testing.B) {
	db := benchStore(b, vfs.NewMem(), 1)
	rng := rand.New(rand.NewPCG(1, 2))
	value := benchValue(rng, 1)
	for b.Loop() {
		txn := db.Begin(ReadCommitted)
		txn.Put(1, RowID(1+rng.IntN(benchRows)), value)
		if _, err := txn.Commit(bg, benchDeriver{}, CommitOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGet(b *testing.B) {
	for _, versions := range []int{1, 4} {
		b.Run(fmt.Sprintf("versions=%d", versions), func(b *testing.B) {
			db := benchStore(b, vfs.NewMem(), versions)
			rng := rand.New(rand.NewPCG(1, 2))
			b.Run("view", func(b *testing.B) { // one statement of one row
				b.ReportAllocs()
				for b.Loop() {
					v, err := db.NewView()
					if err != nil {
						b.Fatal(err)
					}
					if _, _, ok, err := v.Get(1, RowID(1+rng.IntN(benchRows))); err != nil || !ok {
						b.Fatal(ok, err)
					}
					v.Close()
				}
			})
			b.Run("peek", func(b *testing.B) { // many rows of one statement
				b.ReportAllocs()
				v, err := db.NewView()
				check(b, err)
				defer v.Close()
				for b.Loop() {
					if _, _, ok, err := v.Peek(1, RowID(1+rng.IntN(benchRows))); err != nil || !ok {
						b.Fatal(ok, err)
					}
				}
			})
			b.Run("unique", func(b *testing.B) {
				b.ReportAllocs()
				v, err := db.NewView()
				check(b, err)
				defer v.Close()
				var key [8]byte
				for b.Loop() {
					binary.BigEndian.PutUint64(key[:], uint64(1+rng.IntN(benchRows)))
					if _, ok, err := v.LookupUnique(1, key[:]); err != nil || !ok {
						b.Fatal(ok, err)
					}
				}
			})
			b.Run("miss", func(b *testing.B) {
				b.ReportAllocs()
				v, err := db.NewView()
				check(b, err)
				defer v.Close()
				for b.Loop() {
					if _, _, ok, err := v.Peek(1, RowID(benchRows+1+rng.IntN(benchRows))); err != nil || ok {
						b.Fatal(ok, err)
					}
				}
			})
		})
	}
}

func BenchmarkScanSpatial(b *testing.B) {
	for _, versions := range []int{1, 4} {
		db := benchStore(b, vfs.NewMem(), versions)
		for _, c := range []struct {
			prec uint8
			bits int // of a square of Z-order
		}{{6, 29}, {6, 26}, {8, 32}} {
			b.Run(fmt.Sprintf("versions=%d/prec=%d/bits=%d", versions, c.prec, c.bits), func(b *testing.B) {
				b.ReportAllocs()
				rng := rand.New(rand.NewPCG(1, 2))
				var rows, keys, seeks int
				for b.Loop() {
					hash := binary.BigEndian.Uint64(benchValue(rng, RowID(rng.IntN(benchRows))))
					first := hash >> (64 - c.bits) << (64 - c.bits)
					last := first | (1<<(64-c.bits)-1)&(^uint64(0)<<(64-5*c.prec))
					v, err := db.NewView()
					if err != nil {
						b.Fatal(err)
					}
					it := v.ScanSpatial(1, 3, c.prec, []CellRange{{first, last}}, SpatialScan{Wide: true, MaxKeysPerCell: 250_000})
					for it.Next() {
						rows++
					}
					if it.Err() != nil {
						b.Fatal(it.Err())
					}
					s := it.Stats()
					keys += s.Keys
					seeks += s.Seeks
					it.Close()
					v.Close()
				}
				b.ReportMetric(float64(rows)/float64(b.N), "rows/op")
				b.ReportMetric(float64(keys)/float64(b.N), "keys/op")
				b.ReportMetric(float64(seeks)/float64(b.N), "seeks/op")
			})
		}
	}
}

func BenchmarkRows(b *testing.B) {
	db := benchStore(b, vfs.NewMem(), 2)
	rows := 0
	for b.Loop() {
		v, err := db.NewView()
		if err != nil {
			b.Fatal(err)
		}
		it := v.Rows(1)
		for it.Next() {
			rows++
		}
		if it.Err() != nil {
			b.Fatal(it.Err())
		}
		it.Close()
		v.Close()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/row")
}

func BenchmarkView(b *testing.B) {
	db := openMem(b)
	txn := db.Begin(ReadCommitted)
	txn.Put(1, 1, []byte("--"))
	b.ReportAllocs()
	for b.Loop() {
		v, err := txn.NewView()
		if err != nil {
			b.Fatal(err)
		}
		v.Close()
	}
	txn.Rollback()
}

func BenchmarkLockRow(b *testing.B) {
	db := openMem(b)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		rng := rand.New(rand.NewPCG(rand.Uint64(), 2))
		for pb.Next() {
			txn := db.Begin(ReadCommitted)
			if _, err := txn.LockRow(bg, 1, RowID(rng.Uint64()), ForUpdate, Wait); err != nil {
				b.Error(err)
			}
			txn.Rollback()
		}
	})
}
