package exec

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"

	"raisind/pgerr"
	"raisind/sql/plan"
	"raisind/sql/types"
)

// spilling are statements whose rows do not fit into the memory of the tests below.
var spilling = []struct {
	sql     string
	ordered bool
}{
	{`SELECT i, 'x' || i FROM generate_series(1, 20000) i ORDER BY i % 7, -i`, true},
	{`SELECT i FROM generate_series(1, 20000) i ORDER BY -i LIMIT 12000`, true},
	{`SELECT DISTINCT i % 9000 FROM generate_series(1, 20000) i`, false},
	{`SELECT i % 7000, count(*), sum(i), string_agg(i::text, ',' ORDER BY i DESC) FROM generate_series(1, 20000) i GROUP BY 1`, false},
	{`SELECT i % 6000 AS a, i % 3 AS b, count(DISTINCT i) FROM generate_series(1, 12000) i GROUP BY ROLLUP (1, 2)`, false},
	{`SELECT sum(length(x)) FROM (SELECT string_agg(i::text, ',' ORDER BY -i) x FROM generate_series(1, 20000) i) s`, true},
	{`SELECT count(DISTINCT i % 9000) FROM generate_series(1, 20000) i`, true},
	{`SELECT a, b FROM generate_series(1, 12000) a JOIN generate_series(6000, 18000) b ON a = b`, false},
	{`SELECT a, b FROM generate_series(1, 12000) a LEFT JOIN generate_series(6000, 18000) b ON a = b AND b % 3 = 0`, false},
	{`SELECT a, b FROM generate_series(1, 12000) a FULL JOIN generate_series(6000, 18000) b ON a = b`, false},
	{`SELECT a, count(b) FROM generate_series(1, 20) a LEFT JOIN (SELECT i % 3 AS b FROM generate_series(1, 12000) i) s ON a = b GROUP BY a`, false},
	{`SELECT a FROM generate_series(1, 9000) a WHERE EXISTS (SELECT FROM generate_series(4000, 16000) b WHERE b = a)`, false},
	{`SELECT a FROM generate_series(1, 9000) a WHERE NOT EXISTS (SELECT FROM generate_series(4000, 16000) b WHERE b = a AND b % 2 = 0)`, false},
	{`SELECT count(*) FROM generate_series(1, 5) a JOIN (SELECT repeat('x', 40) || i AS b FROM generate_series(1, 9000) i) s ON length(b) > a + 43`, true},
	{`SELECT i % 8000 FROM generate_series(1, 12000) i INTERSECT SELECT i FROM generate_series(4000, 16000) i`, false},
	{`SELECT i % 8000 FROM generate_series(1, 12000) i INTERSECT ALL SELECT i % 6000 FROM generate_series(1, 16000) i`, false},
	{`SELECT i % 8000 FROM generate_series(1, 16000) i EXCEPT SELECT i FROM generate_series(4000, 16000) i`, false},
	{`SELECT i % 8000 FROM generate_series(1, 16000) i EXCEPT ALL SELECT i FROM generate_series(1, 12000) i`, false},
	{`SELECT i % 8000 FROM generate_series(1, 16000) i UNION SELECT i FROM generate_series(4000, 12000) i`, false},
	{`WITH x AS MATERIALIZED (SELECT i, repeat('y', 30) r FROM generate_series(1, 9000) i) SELECT count(*), min(a.i), max(b.r) FROM x a JOIN x b ON a.i = b.i`, true},
	{`WITH RECURSIVE x(i) AS (SELECT i FROM generate_series(1, 9000) i UNION ALL SELECT i + 9000 FROM x WHERE i < 18000) SELECT count(*), sum(i) FROM x`, true},
}

// What does not fit into work_mem goes to disk, and the rows are those of a statement
// that had room for all; afterwards no file is left.
func TestSpilling(t *testing.T) {
	s := newServer(t)
	s.rt.TempDir = t.TempDir()
	read := func(sql string, o OpenOptions) (rows []string, disk bool) {
		q, st := s.openQuery(context.Background(), sql, o)
		defer q.Close()
		for {
			row, ok, err := q.Next()
			if err != nil {
				t.Fatalf("%s: %v", sql, err)
			}
			if !ok {
				return rows, q.toDisk > 0
			}
			var text []byte
			for i, d := range row {
				if text = append(text, '|'); !d.IsNull() {
					text = st.Columns[i].Type.AppendText(text, d, types.DefaultEnv())
				}
			}
			rows = append(rows, string(text))
		}
	}
	for _, c := range spilling {
		want, disk := read(c.sql, OpenOptions{WorkMemBytes: 1 << 26})
		if disk {
			t.Errorf("%s: went to disk with room in memory", c.sql)
		}
		got, disk := read(c.sql, OpenOptions{WorkMemBytes: 64 << 10, Instrument: true})
		if !disk {
			t.Errorf("%s: did not go to disk", c.sql)
		}
		if !c.ordered {
			slices.Sort(want)
			slices.Sort(got)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d rows instead of %d, or others", c.sql, len(got), len(want))
		}
		if left, _ := os.ReadDir(s.rt.TempDir); len(left) > 0 {
			t.Errorf("%s: left %s", c.sql, left[0].Name())
		}
	}
}

// The bound on temporary files ends a statement, and so does cancelling; neither
// leaves a file.
func TestSpillingEnds(t *testing.T) {
	s := newServer(t)
	s.rt.TempDir = t.TempDir()
	for _, c := range spilling {
		q, _ := s.openQuery(context.Background(), c.sql, OpenOptions{WorkMemBytes: 64 << 10, TempFileBytes: 16 << 10})
		if _, err := all(q); !pgerr.Is(err, pgerr.ConfigurationLimitExceeded) {
			t.Errorf("%s: %v", c.sql, err)
		}
		q.Close()
		ctx, cancel := context.WithCancelCause(context.Background())
		stop := errors.New("stop")
		q, _ = s.openQuery(ctx, c.sql, OpenOptions{WorkMemBytes: 64 << 10})
		cancel(stop)
		if _, err := all(q); !errors.Is(err, stop) {
			t.Errorf("%s: %v", c.sql, err)
		}
		q.Close()
	}
	if left, _ := os.ReadDir(s.rt.TempDir); len(left) > 0 {
		t.Errorf("left %s", left[0].Name())
	}
	if err := os.WriteFile(s.rt.TempDir+"/"+tempPrefix+"1.2", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := ClearTempDir(s.rt.TempDir); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(s.rt.TempDir); len(left) > 0 {
		t.Errorf("left %s", left[0].Name())
	}
}

// EXPLAIN ANALYZE says where rows were sorted.
func TestSortMethods(t *testing.T) {
	s := newServer(t)
	s.rt.TempDir = t.TempDir()
	for sql, want := range map[string]string{
		`SELECT i FROM generate_series(1, 20000) i ORDER BY -i`:         "external merge",
		`SELECT i FROM generate_series(1, 20) i ORDER BY -i`:            "quicksort",
		`SELECT i FROM generate_series(1, 20000) i ORDER BY -i LIMIT 5`: "top-N heapsort",
	} {
		q, _ := s.openQuery(context.Background(), sql, OpenOptions{WorkMemBytes: 64 << 10, Instrument: true})
		if _, err := all(q); err != nil {
			t.Fatal(err)
		}
		for n, st := range q.Stats() {
			if _, ok := n.(*plan.Sort); ok && (st.SortMethod != want || st.SortSpaceBytes == 0) {
				t.Errorf("%s: %s, %d bytes", sql, st.SortMethod, st.SortSpaceBytes)
			}
		}
		q.Close()
	}
}
