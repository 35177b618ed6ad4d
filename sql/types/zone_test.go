package types

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// TestGoldenZones sets time zones and converts with AT TIME ZONE.
func TestGoldenZones(t *testing.T) {
	const name = "zones.txt"
	if *postgres != "" {
		rewriteGolden(t, name, func(conn *pgconn.PgConn, c *goldenCase) ([]string, error) {
			switch c.in[0] {
			case "setting":
				set := "SET TimeZone = '" + strings.ReplaceAll(c.in[1], "'", "''") + "'"
				if strings.HasPrefix(c.in[1], "INTERVAL") {
					set = "SET TIME ZONE " + c.in[1]
				}
				if err := conn.Exec(context.Background(), set).Close(); err != nil {
					return nil, err
				}
				v, _, err := query(conn, 0, `SELECT concat_ws('|', current_setting('TimeZone'), extract(timezone from '2021-01-15 00:00+00'::timestamptz)::int,
					extract(timezone from '2021-07-15 00:00+00'::timestamptz)::int)`)
				if err := conn.Exec(context.Background(), "SET TimeZone = 'UTC'").Close(); err != nil {
					return nil, err
				}
				return strings.Split(v, "|"), err
			case "local":
				v, _, err := query(conn, 0, "SELECT ($1::timestamp AT TIME ZONE $2::text)::text", c.in[1], c.in[2])
				return []string{v}, err
			}
			v, _, err := query(conn, 0, "SELECT ($1::timestamptz AT TIME ZONE $2::text)::text", c.in[1], c.in[2])
			return []string{v}, err
		})
	}
	cases, _ := readGolden(t, name)
	for _, c := range cases {
		var got []string
		var err error
		switch c.in[0] {
		case "setting":
			var loc *time.Location
			if loc, err = ParseZoneSetting(c.in[1]); err == nil {
				got = []string{loc.String()}
				for _, month := range [2]time.Month{time.January, time.July} {
					_, offset := time.Date(2021, month, 15, 0, 0, 0, 0, time.UTC).In(loc).Zone()
					got = append(got, string(appendInt(nil, int64(offset))))
				}
			}
		default:
			from, to, fn := TTimestamp, TTimestamptz, TimestampAtZone
			if c.in[0] == "moment" {
				from, to, fn = TTimestamptz, TTimestamp, TimestamptzAtZone
			}
			d, perr := from.ParseText(c.in[1], -1, nil)
			if perr != nil {
				t.Fatal(perr)
			}
			if d, err = fn(d.Int(), c.in[2]); err == nil {
				got = []string{string(to.AppendText(nil, d, nil))}
			}
		}
		if c.failed {
			checkError(t, c, err)
			continue
		}
		if err != nil || strings.Join(got, " ") != strings.Join(c.want, " ") {
			t.Errorf("%v: got %q %v, want %q", c, got, err, c.want)
		}
	}
}

// TestZoneNames loads every zone and finds it in any case.
func TestZoneNames(t *testing.T) {
	for _, n := range ZoneNames() {
		loc, ok := FindZone(strings.ToUpper(n))
		if !ok || loc.String() != n && n != "UTC" {
			t.Errorf("%s: found %v %v", n, loc, ok)
		}
	}
	for _, a := range ZoneAbbrevs() {
		if a.Zone == "" {
			continue
		}
		if _, ok := FindZone(a.Zone); !ok {
			t.Errorf("abbreviation %s stands for the unknown zone %s", a.Abbrev, a.Zone)
		}
	}
}

// TestNow reads the words that stand for the transaction's time.
func TestNow(t *testing.T) {
	loc, _ := FindZone("America/New_York")
	env := DefaultEnv()
	env.Location = loc
	env.Now = time.Date(2020, 3, 8, 3, 30, 15, 123456789, time.UTC) // the evening of the 7th in New York
	for _, c := range []struct {
		typ      *Type
		in, want string
	}{
		{TTimestamptz, "now", "2020-03-07 22:30:15.123456-05"},
		{TTimestamp, "NOW", "2020-03-07 22:30:15.123456"},
		{TDate, "now", "2020-03-07"},
		{TTime, "now", "22:30:15.123456"},
		{TTimeTZ, "now", "22:30:15.123456-05"},
		{TDate, "today", "2020-03-07"},
		{TDate, "tomorrow", "2020-03-08"},
		{TDate, "yesterday", "2020-03-06"},
		{TTimestamptz, "tomorrow", "2020-03-08 00:00:00-05"},
		{TTimestamptz, "tomorrow 12:00", "2020-03-08 12:00:00-04"},
		{TTimestamp, "today 10:30 PM", "2020-03-07 22:30:00"},
		{TTimestamptz, "yesterday allballs", "2020-03-05 19:00:00-05"},
		{TTimestamptz, "today 10:00 UTC", "2020-03-07 05:00:00-05"},
		{TTimeTZ, "10:00", "10:00:00-05"},
	} {
		d, err := c.typ.ParseText(c.in, -1, env)
		if err != nil {
			t.Errorf("%s %q: %v", c.typ, c.in, err)
			continue
		}
		if got := string(c.typ.AppendText(nil, d, env)); got != c.want {
			t.Errorf("%s %q: got %s, want %s", c.typ, c.in, got, c.want)
		}
	}
}
