package exec

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/cockroachdb/pebble/v2/vfs"
	"go.uber.org/goleak"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/relation"
	"raisind/sql/ast"
	"raisind/sql/funcs"
	"raisind/sql/parser"
	"raisind/sql/plan"
	"raisind/sql/planner"
	"raisind/sql/types"
	"raisind/storage"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server runs SQL text on a store in memory, without sessions and without a wire.
type server struct {
	t        testing.TB
	fs       vfs.FS
	db       *storage.DB
	rt       *Runtime
	clients  map[string]*client
	maxCell  int
	testTime time.Time
	saved    map[string]string
}

func newServer(t testing.TB) *server {
	s := &server{t: t, fs: vfs.NewMem(), clients: map[string]*client{}, saved: map[string]string{}, testTime: time.Date(2024, 5, 17, 12, 0, 0, 0, time.UTC)}
	s.open()
	t.Cleanup(func() {
		for _, c := range s.clients {
			c.end()
		}
		s.db.Close()
	})
	return s
}

func (s *server) open() {
	s.t.Helper()
	db, err := storage.Open(storage.Options{Dir: "db", FS: s.fs})
	if err != nil {
		s.t.Fatal(err)
	}
	cat, err := catalog.Load(db)
	if err != nil {
		s.t.Fatal(err)
	}
	ix, err := relation.NewIndexer(db, cat)
	if err != nil {
		s.t.Fatal(err)
	}
	s.db, s.rt = db, &Runtime{DB: db, Catalog: cat, Indexer: ix, MaxKeysPerCell: s.maxCell}
}

func (s *server) restart() {
	s.t.Helper()
	for _, c := range s.clients {
		c.end()
	}
	if err := s.db.Close(); err != nil {
		s.t.Fatal(err)
	}
	s.open()
}

func (s *server) client(name string) *client {
	c := s.clients[name]
	if c == nil {
		c = &client{s: s}
		s.clients[name] = c
	}
	return c
}

// table makes a table from lines of words: its name, then of each column the name, the
// type, and perhaps notnull or unique.
func (s *server) table(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	cat := s.rt.Catalog
	r := &catalog.Relation{ID: cat.NextRelationID(), Schema: catalog.DefaultSchema, Name: lines[0], Kind: catalog.Table, Options: map[string]string{}}
	r.OID = catalog.FirstOID + uint32(r.ID)
	for i, line := range lines[1:] {
		w := strings.Fields(line)
		t, ok := types.ByName(w[1])
		if !ok {
			return "no type " + w[1]
		}
		c := catalog.Column{ID: uint16(i + 1), Name: w[0], Type: t, Typmod: -1}
		for _, word := range w[2:] {
			switch word {
			case "notnull":
				c.NotNull = true
			case "unique":
				r.Indexes = append(r.Indexes, catalog.Index{ID: cat.NextIndexID(), Name: lines[0] + "_" + w[0] + "_key", Columns: []int{i}, Unique: true})
			}
		}
		r.Columns = append(r.Columns, c)
	}
	txn := s.db.Begin(storage.ReadCommitted)
	tx := cat.Begin(txn)
	if err := tx.Create(context.Background(), r); err != nil {
		return errorText(err)
	}
	if _, err := txn.Commit(context.Background(), nil, storage.CommitOptions{OnApply: tx.OnApply}); err != nil {
		return errorText(err)
	}
	return ""
}

// check compares rows and indexes.
func (s *server) check() {
	s.t.Helper()
	rep, err := relation.Check(context.Background(), s.db, s.rt.Catalog, s.rt.Indexer)
	if err != nil {
		s.t.Fatal(err)
	}
	if !rep.OK() {
		s.t.Errorf("check: %d problems: %s", rep.ProblemCount, strings.Join(rep.Problems, "\n"))
	}
}

// client is one connection: a transaction that is open, or one a statement.
type client struct {
	s      *server
	txn    *storage.Txn
	cat    *catalog.Tx
	block  bool // within BEGIN
	failed bool
	saved  []savepoint
	answer chan string // of a statement running in the background
}

type savepoint struct {
	name string
	txn  storage.Savepoint
	cat  int
}

func (c *client) end() {
	if c.txn != nil {
		c.txn.Rollback()
	}
	c.txn, c.cat, c.block, c.failed, c.saved = nil, nil, false, false, nil
}

func (c *client) begin(iso storage.Isolation) {
	c.txn = c.s.db.Begin(iso)
	c.cat = c.s.rt.Catalog.Begin(c.txn)
}

func (c *client) commit() error {
	_, err := c.txn.Commit(context.Background(), c.s.rt.Indexer.Deriver(c.cat), storage.CommitOptions{OnApply: c.cat.OnApply})
	c.end()
	return MapError(err)
}

// run runs a text of statements and prints what they answer.
func (c *client) run(sql string) string {
	var b strings.Builder
	stmts, err := parser.Parse(sql)
	if err != nil {
		return errorText(err)
	}
	for _, st := range stmts {
		if err := c.statement(st, &b); err != nil {
			b.WriteString(errorText(err))
			break
		}
	}
	return b.String()
}

func errorText(err error) string {
	e := pgerr.From(err)
	text := fmt.Sprintf("ERROR %s: %s\n", e.Code, e.Msg)
	if e.Detail != "" {
		text += "DETAIL: " + e.Detail + "\n"
	}
	if e.Hint != "" {
		text += "HINT: " + e.Hint + "\n"
	}
	if e.Constraint != "" {
		text += "CONSTRAINT: " + e.Constraint + "\n"
	}
	return text
}

func (c *client) statement(st parser.Statement, b *strings.Builder) (err error) {
	switch n := st.Node.(type) {
	case *ast.Begin:
		iso := storage.ReadCommitted
		switch n.Modes.Isolation {
		case "repeatable read":
			iso = storage.RepeatableRead
		case "serializable":
			iso = storage.Serializable
		}
		c.begin(iso)
		c.block = true
		return nil
	case *ast.Commit:
		if c.failed {
			c.end()
			b.WriteString("ROLLBACK\n")
			return nil
		}
		return c.commit()
	case *ast.Rollback:
		c.end()
		return nil
	case *ast.Savepoint:
		c.saved = append(c.saved, savepoint{n.Name, c.txn.Savepoint(), c.cat.Savepoint()})
		return nil
	case *ast.RollbackTo:
		for i := len(c.saved) - 1; i >= 0; i-- {
			if sp := c.saved[i]; sp.name == n.Name {
				c.txn.RollbackTo(sp.txn)
				c.cat.RollbackTo(sp.cat)
				c.saved, c.failed = c.saved[:i+1], false
				return nil
			}
		}
		return pgerr.New(pgerr.InvalidSavepointSpecification, "savepoint %q does not exist", n.Name)
	}
	if c.failed {
		return pgerr.New(pgerr.InFailedSQLTransaction, "current transaction is aborted, commands ignored until end of transaction block")
	}
	if c.txn == nil {
		c.begin(storage.ReadCommitted)
	}
	err = c.execute(st, b)
	if err == nil && !c.block {
		return c.commit()
	}
	if err != nil {
		if c.failed = c.block; !c.block {
			c.end()
		}
	}
	return err
}

func (c *client) notice(b *strings.Builder) func(*pgerr.Error) {
	return func(e *pgerr.Error) { fmt.Fprintf(b, "%s: %s\n", e.Severity, e.Msg) }
}

func (c *client) execute(st parser.Statement, b *strings.Builder) error {
	ctx := context.Background()
	env := types.DefaultEnv()
	env.Now = c.s.testTime
	fc := &funcs.Ctx{Context: ctx, Env: env, TxnTime: c.s.testTime, StmtTime: c.s.testTime}
	res, handled, err := c.s.rt.RunDDL(ctx, st.Node, c.txn, c.cat)
	if err != nil {
		return err
	}
	if handled {
		for _, n := range res.Notices {
			c.notice(b)(n)
		}
		for _, row := range res.Rows {
			writeRow(b, res.Columns, row, env)
		}
		return nil
	}
	p, err := planner.Plan(ctx, st.Node, planner.Options{Catalog: c.cat, SQL: st.Text, Env: env})
	if err != nil {
		return err
	}
	q, err := c.s.rt.Open(ctx, p, OpenOptions{Txn: c.txn, Catalog: c.cat, Funcs: fc, Notice: c.notice(b)})
	if err != nil {
		return err
	}
	defer q.Close()
	for {
		row, ok, err := q.Next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		writeRow(b, p.Columns, row, env)
	}
	if p.Verb != "SELECT" {
		fmt.Fprintf(b, "%s %d\n", p.Verb, q.RowsAffected())
	}
	return nil
}

func writeRow(b *strings.Builder, cols []plan.Column, row types.Row, env *types.Env) {
	var text []byte
	for i, d := range row[:len(cols)] {
		if i > 0 {
			text = append(text, '|')
		}
		if d.IsNull() {
			text = append(text, "NULL"...)
		} else {
			text = cols[i].Type.AppendText(text, d, env)
		}
	}
	b.Write(text)
	b.WriteByte('\n')
}

// What differs from run to run.
var (
	uuids     = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	revisions = regexp.MustCompile(`\b[0-9]{18,19}\b`)
)

func legible(answer string) string {
	return revisions.ReplaceAllString(uuids.ReplaceAllString(answer, "<uuid>"), "<revision>")
}

// waitsAfter is how long a statement that should wait for a lock is watched.
const waitsAfter = 50 * time.Millisecond

// TestExec runs the files of testdata: a command, SQL, and what it answers.
//
//	run [s=name]    statements of one client, one after the other
//	async [s=name]  a statement that has to wait for another client
//	await [s=name]  its answer
//	save var=x      a query; its first value stands for ${x} in what follows
//	restart         closes the store and opens it again
//	budget keys=n   restart with n as the keys a scan may visit in one cell
//	table           makes a table: its name, then a line a column: name, type, unique
//
// After each file rows and indexes are compared.
func TestExec(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		s := newServer(t)
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			name := "a"
			d.MaybeScanArgs(t, "s", &name)
			c := s.client(name)
			sql := os.Expand(d.Input, func(v string) string { return s.saved[v] })
			switch d.Cmd {
			case "run":
				return legible(c.run(sql))
			case "save":
				var v string
				d.ScanArgs(t, "var", &v)
				s.saved[v], _, _ = strings.Cut(c.run(sql), "\n")
				return ""
			case "async":
				c.answer = make(chan string, 1)
				go func() { c.answer <- legible(c.run(sql)) }()
				select {
				case text := <-c.answer:
					return text + "did not wait\n"
				case <-time.After(waitsAfter):
					return "waits\n"
				}
			case "await":
				select {
				case text := <-c.answer:
					return text
				case <-time.After(30 * time.Second):
					return "still waits\n"
				}
			case "table":
				return s.table(d.Input)
			case "restart":
				s.restart()
				return ""
			case "budget":
				d.ScanArgs(t, "keys", &s.maxCell)
				s.restart()
				return ""
			}
			d.Fatalf(t, "unknown command %s", d.Cmd)
			return ""
		})
		s.check()
	})
}
