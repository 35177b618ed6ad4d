package test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// residentMiB is the memory a process holds, peak since the last reset or now.
func residentMiB(t testing.TB, pid int, field string) int {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skip("no /proc to read memory from")
	}
	for _, line := range strings.Split(string(b), "\n") {
		if f := strings.Fields(line); len(f) == 3 && f[0] == field+":" {
			kB, err := strconv.Atoi(f[1])
			if err != nil {
				t.Fatal(err)
			}
			return kB / 1024
		}
	}
	t.Fatalf("no %s in %s", field, b)
	return 0
}

// cpuSeconds is the time a process has computed.
func cpuSeconds(t testing.TB, pid int) float64 {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Skip("no /proc to read times from")
	}
	// Fields 14 and 15, the second being a name in parentheses (proc(5)); 100 ticks a second.
	f := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	user, uerr := strconv.ParseFloat(f[11], 64)
	system, serr := strconv.ParseFloat(f[12], 64)
	if uerr != nil || serr != nil {
		t.Fatalf("times in %s", b)
	}
	return (user + system) / 100
}

// TestRebuildRate prints how fast rebuilds are and what they hold in memory. The sizes
// come from RAISIND_REBUILD=100000,1000000; memory must not grow with them.
func TestRebuildRate(t *testing.T) {
	sizes := os.Getenv("RAISIND_REBUILD")
	if sizes == "" {
		t.Skip("RAISIND_REBUILD is not set")
	}
	for _, size := range strings.Split(sizes, ",") {
		rows, err := strconv.Atoi(size)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(size, func(t *testing.T) {
			s := startServer(t, "--cache-mib", "64", "--memtable-mib", "16") // both full soon: what grows then is the rebuild's
			c := s.connect(t)
			mustExec(t, c, `CREATE WORKSPACE 'fleet'`)
			step := func(what, sql string) {
				// 5: the peak becomes what is resident now (proc(5), clear_refs).
				if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", s.cmd.Process.Pid), []byte("5"), 0o200); err != nil {
					t.Log(err)
				}
				from := residentMiB(t, s.cmd.Process.Pid, "VmRSS")
				began, cpu := time.Now(), cpuSeconds(t, s.cmd.Process.Pid)
				mustExec(t, c, sql)
				took := time.Since(began)
				t.Logf("%-40s %6.1f s, %6.1f s CPU, %7.0f rows/s, memory %d MiB before, at most %d MiB", what, took.Seconds(),
					cpuSeconds(t, s.cmd.Process.Pid)-cpu, float64(rows)/took.Seconds(), from, residentMiB(t, s.cmd.Process.Pid, "VmHWM"))
			}
			began := time.Now()
			for from := 0; from < rows; from += 50_000 {
				mustExec(t, c, `INSERT INTO 'fleet' (path, node_type, name, properties)
				  SELECT '/van-' || i, 'fleet:Van', 'van-' || i, jsonb_build_object('position', jsonb_build_object(
				    'type', 'Point', 'coordinates', jsonb_build_array(13 + (i * 7919 % 100003) * 0.00001, 52 + (i * 4723 % 99991) * 0.00001)))
				  FROM generate_series($1::bigint, $2::bigint) i`, from+1, min(from+50_000, rows))
			}
			t.Logf("%d rows loaded in %.1f s", rows, time.Since(began).Seconds())
			step("flush", `VACUUM 'fleet'`)
			step("REBUILD of what is as it should be", `REBUILD SPATIAL INDEX FOR 'fleet'`)
			mustExec(t, c, `ALTER SPATIAL INDEX FOR 'fleet' PROPERTY 'position' SET PRECISIONS = (5)`)
			step("REBUILD to a new precision", `REBUILD SPATIAL INDEX FOR 'fleet'`)
			mustExec(t, c, `ALTER SPATIAL INDEX FOR 'fleet' PROPERTY 'position' SET PRECISIONS = (8, 6)`)
			var commits atomic.Int64
			moving := s.connect(t)
			ctx, stop := context.WithCancel(context.Background())
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				for i := 1; ctx.Err() == nil; i++ {
					if _, err := moving.Exec(context.Background(), updatePosition(fmt.Sprintf("/van-%d", i%rows+1), 13.5, 52.5)); err != nil {
						t.Error(err)
						return
					}
					commits.Add(1)
				}
			}()
			step("REBUILD to two precisions, updates beside", `REBUILD SPATIAL INDEX FOR 'fleet'`)
			stop()
			<-ended
			t.Logf("%d updates meanwhile", commits.Load())
			if m := queryRow(t, c, `VERIFY SPATIAL INDEX FOR 'fleet'`); m["status"] != "OK" {
				t.Errorf("VERIFY: %v", m)
			}
		})
	}
}
