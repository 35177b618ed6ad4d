package types

import "testing"

var benchDoc = `{"id": 4711, "bus": true, "name": "van-17", "speed": 12.5, "driver": {"id": 9, "name": "Ada"}, ` +
	`"heading": 270, "position": {"type": "Point", "coordinates": [13.404954, 52.520008]}, "updated": "2026-01-01T00:00:00Z"}`

func BenchmarkCanonicalJSONB(b *testing.B) {
	canonical, err := CanonicalJSONB(benchDoc)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct{ name, doc string }{
		{"canonical", canonical},
		{"client", `{"name":"van-17","position":{"type":"Point","coordinates":[13.404954,52.520008]},"speed":12.5,"heading":270,"driver":{"name":"Ada","id":9},"updated":"2026-01-01T00:00:00Z","bus":true,"id":4711}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.doc)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := CanonicalJSONB(c.doc); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkJSONGetKey(b *testing.B) {
	doc, _ := CanonicalJSONB(benchDoc)
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := JSONGetKey(doc, "position"); !ok {
			b.Fatal("missing")
		}
	}
}

func BenchmarkAppendText(b *testing.B) {
	berlin, _ := FindZone("Europe/Berlin")
	local := DefaultEnv()
	local.Location = berlin
	doc, _ := CanonicalJSONB(benchDoc)
	for _, c := range []struct {
		typ *Type
		in  string
		env *Env
	}{
		{TInt4, "123456", nil},
		{TFloat8, "52.520008", nil},
		{TText, "van-17", nil},
		{TJSONB, doc, nil},
		{TTimestamptz, "2026-01-01 12:34:56.789+00", nil},
		{TTimestamptz, "2026-01-01 12:34:56.789+00", local},
		{TNumeric, "12345.6789", nil},
		{TUUID, "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", nil},
		{TInterval, "1 day 02:03:04", nil},
		{TGeometry, "SRID=4326;POINT(13.4 52.5)", nil},
	} {
		name := c.typ.Name
		if c.env != nil {
			name += "/" + c.env.Location.String()
		}
		b.Run(name, func(b *testing.B) {
			d, err := c.typ.ParseText(c.in, -1, nil)
			if err != nil {
				b.Fatal(err)
			}
			dst := make([]byte, 0, 1024)
			b.ReportAllocs()
			for b.Loop() {
				dst = c.typ.AppendText(dst[:0], d, c.env)
			}
		})
	}
}

func BenchmarkParseText(b *testing.B) {
	for _, c := range []struct {
		typ *Type
		in  string
	}{
		{TInt4, "123456"},
		{TFloat8, "52.520008"},
		{TNumeric, "12345.6789"},
		{TTimestamp, "2026-01-01 12:34:56.789"},
		{TTimestamptz, "2026-01-01 12:34:56.789+00"},
		{TUUID, "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"},
		{TDate, "2026-01-01"},
		{TInterval, "1 day 02:03:04"},
	} {
		b.Run(c.typ.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.typ.ParseText(c.in, -1, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkKeys(b *testing.B) {
	for _, c := range []struct {
		typ *Type
		in  string
	}{
		{TInt8, "123456"}, {TText, "van-17"}, {TNumeric, "12345.6789"}, {TJSONB, benchDoc}, {TUUID, "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"},
	} {
		d, err := c.typ.ParseText(c.in, -1, nil)
		if err != nil {
			b.Fatal(err)
		}
		dst := make([]byte, 0, 1024)
		b.Run("hash/"+c.typ.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				dst = AppendHashKey(dst[:0], c.typ, d)
			}
		})
		b.Run("ordered/"+c.typ.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				dst = AppendOrderedKey(dst[:0], c.typ, d)
			}
		})
	}
}
