package parser

import (
	"fmt"
	"strings"
	"testing"
)

var benchStatements = []struct{ name, sql string }{
	{"Select1", "SELECT 1"},
	{"Update", `UPDATE 'fleet' SET properties = '{"position":{"type":"Point","coordinates":[13.4,52.5]}}'::jsonb WHERE path = '/van-17'`},
	{"Radius", `SELECT path, properties FROM 'fleet' WHERE ST_DWithin(properties->'position', ST_Point(13.404, 52.52), 500) ORDER BY ST_Distance(properties->'position', ST_Point(13.404, 52.52)) LIMIT 10`},
	{"Insert", `INSERT INTO 'fleet' (path, node_type, name, properties) VALUES ($1, $2, $3, $4)`},
	{"Begin", "BEGIN"},
	{"Set", "SET extra_float_digits = 3"},
}

func BenchmarkParse(b *testing.B) {
	for _, c := range benchStatements {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(c.sql)))
			for b.Loop() {
				if _, err := Parse(c.sql); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkParseValues(b *testing.B) {
	for _, rows := range []int{100, 10_000} {
		sql := "INSERT INTO t VALUES (1, 'a')" + strings.Repeat(", (1, 'a')", rows-1)
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(sql); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/row")
		})
	}
}
