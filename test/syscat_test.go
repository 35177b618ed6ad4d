package test

import (
	"context"
	"testing"
)

// everyKind makes an object of every kind that the catalogs have rows about.
var everyKind = []string{
	`CREATE SCHEMA kinds`,
	`CREATE TYPE kinds.mood AS ENUM ('sad', 'ok')`,
	`CREATE DOMAIN kinds.positive AS int CHECK (VALUE > 0)`,
	`CREATE TYPE kinds.pair AS (a int, b text)`,
	`CREATE SEQUENCE kinds.counter`,
	`CREATE TABLE kinds.parent (id serial PRIMARY KEY, m kinds.mood DEFAULT 'ok', n kinds.positive, p kinds.pair,
		tags text[] NOT NULL DEFAULT '{}', twice int GENERATED ALWAYS AS (n * 2) STORED, geom geometry(Point, 4326), UNIQUE (n, m), CHECK (n < 100))`,
	`CREATE TABLE kinds.child (id bigint GENERATED ALWAYS AS IDENTITY, parent int REFERENCES kinds.parent ON DELETE CASCADE DEFERRABLE)`,
	`CREATE INDEX ON kinds.parent ((n + 1) DESC) WHERE n > 1`,
	`CREATE INDEX ON kinds.parent USING gist (geom)`,
	`CREATE VIEW kinds.seen AS SELECT id, m FROM kinds.parent`,
	`CREATE MATERIALIZED VIEW kinds.kept AS SELECT id FROM kinds.parent`,
	`CREATE FUNCTION kinds.twice(x int, y int DEFAULT 2) RETURNS int LANGUAGE sql AS 'SELECT x * y'`,
	`CREATE FUNCTION kinds.fire() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`,
	`CREATE PROCEDURE kinds.act() LANGUAGE plpgsql AS 'BEGIN NULL; END'`,
	`CREATE TRIGGER watch BEFORE UPDATE OF n ON kinds.parent FOR EACH ROW WHEN (NEW.n > 3) EXECUTE FUNCTION kinds.fire()`,
	`CREATE ROLE reader LOGIN PASSWORD 'secret' CONNECTION LIMIT 3`,
	`CREATE ROLE readers`,
	`GRANT readers TO reader`,
	`GRANT SELECT, UPDATE (m) ON kinds.parent TO reader`,
	`COMMENT ON TABLE kinds.parent IS 'those above'`,
	`CREATE WORKSPACE 'kinds_fleet'`,
	`INSERT INTO kinds.parent (n) VALUES (2)`,
	`ANALYZE kinds.parent`,
}

// TestEveryCatalogRelationIsRead reads every relation of pg_catalog and information_schema, with an object of
// every kind, a prepared statement, a cursor, a lock and a channel that is listened to.
func TestEveryCatalogRelationIsRead(t *testing.T) {
	ctx := context.Background()
	s := startServer(t)
	c := s.connect(t)
	for _, sql := range everyKind {
		mustExec(t, c, sql)
	}
	mustExec(t, c, `LISTEN kinds`)
	mustExec(t, c, `PREPARE ready AS SELECT 1`)
	mustExec(t, c, `BEGIN`)
	mustExec(t, c, `DECLARE open SCROLL CURSOR FOR SELECT 1`)
	mustExec(t, c, `LOCK TABLE kinds.parent`)
	names := queryAll[string](t, c, `SELECT quote_ident(nspname) || '.' || quote_ident(relname) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
		WHERE nspname IN ('pg_catalog', 'information_schema') AND relkind IN ('r', 'v') ORDER BY 1`)
	if len(names) < 190 {
		t.Fatalf("only %d relations", len(names))
	}
	for _, name := range names {
		mustExec(t, c, `SAVEPOINT one`)
		if _, err := c.Exec(ctx, `SELECT * FROM `+name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		mustExec(t, c, `ROLLBACK TO one`)
	}
	mustExec(t, c, `ROLLBACK`)
}
