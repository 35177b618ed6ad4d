package planner

import (
	"context"
	"testing"

	"raisind/sql/parser"
)

// BenchmarkPlan binds and plans statements that were parsed before.
func BenchmarkPlan(b *testing.B) {
	w := newWorld()
	w.rels["public.fleet"] = w.cat.NewWorkspace("fleet")
	for _, c := range []struct{ name, sql string }{
		{"UpdateByPath", `UPDATE 'fleet' SET properties = $1::jsonb WHERE path = $2`},
		{"SelectByPath", `SELECT properties FROM 'fleet' WHERE path = $1`},
		{"Insert", `INSERT INTO 'fleet' (path, node_type, name, properties) VALUES ($1, 'fleet:Ping', $2, $3::jsonb)`},
		{"Radius", `SELECT path, __distance FROM 'fleet' WHERE ST_DWithin(properties->'position', ST_Point($1, $2), $3) ORDER BY __distance LIMIT 10`},
		{"Nearest", `SELECT path FROM 'fleet' ORDER BY ST_Distance(properties->'position', ST_Point($1, $2)) LIMIT 5`},
	} {
		b.Run(c.name, func(b *testing.B) {
			st, err := parser.Parse(c.sql)
			if err != nil {
				b.Fatal(err)
			}
			opt := w.options(st[0].Text)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Plan(context.Background(), st[0].Node, opt); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
