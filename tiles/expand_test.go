package tiles

import (
	"bufio"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// digest counts the tiles of a zoom and hashes their lines in order of x, then y.
func digest(s *Set, z int) (int64, string) {
	h := sha256.New()
	n := int64(0)
	var line []byte
	for t := range s.Zoom(z) {
		line = append(t.Append(line[:0]), '\n')
		h.Write(line)
		n++
	}
	return n, hex.EncodeToString(h.Sum(nil))[:32]
}

// same compares the tiles of a zoom without listing them.
func same(a, b *Set, z int) bool {
	both := &Set{}
	both.Union(a)
	both.Union(b)
	n := both.CountZoom(z)
	return a.CountZoom(z) == n && b.CountZoom(z) == n
}

// TestSample reads testdata/expansion.tsv: an extent, options, a zoom, and the tiles
// expected, as disjoint ranges or the error.
func TestSample(t *testing.T) {
	f, err := os.Open("testdata/expansion.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		if strings.HasPrefix(in.Text(), "#") {
			continue
		}
		col := strings.Split(in.Text(), "\t")
		t.Run(strings.Join(col[:3], " "), func(t *testing.T) {
			var e Extent
			if _, err := fmt.Sscan(strings.ReplaceAll(col[0], ",", " "), &e.MinX, &e.MinY, &e.MaxX, &e.MaxY); err != nil {
				t.Fatal(err)
			}
			z, _ := strconv.Atoi(col[2])
			o := Options{MinZoom: z, MaxZoom: z}
			for opt := range strings.FieldsSeq(col[1]) {
				name, value, _ := strings.Cut(opt, "=")
				switch name {
				case "buffer":
					o.Buffer, _ = strconv.ParseFloat(value, 64)
				case "metatile":
					o.Metatile, _ = strconv.Atoi(value)
				case "srid":
					e.SRID, _ = strconv.Atoi(value)
				case "nowrap":
					o.NoWrap = true
				case "rfc7946":
					o.RFC7946 = true
				case "clamp":
					o.ClampLatitude = true
				}
			}
			s, err := o.Expand(e)
			if col[3] == "invalid" {
				if err == nil {
					t.Fatal("no error")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := &Set{}
			for r := range strings.FieldsSeq(col[3]) {
				w := Range{Z: z}
				if _, err := fmt.Sscanf(r, "%d,%d,%d,%d", &w.MinX, &w.MinY, &w.MaxX, &w.MaxY); err != nil {
					t.Fatal(r, err)
				}
				want.Add(w)
			}
			if !same(s, want, z) {
				t.Errorf("got %v, want %v", slices.Collect(s.Rectangles(z)), slices.Collect(want.Rectangles(z)))
			}
		})
	}
}

func TestErrors(t *testing.T) {
	o := Options{MaxZoom: 3}
	for _, c := range []struct {
		e    Extent
		want error
	}{
		{Extent{MinX: math.NaN(), MaxX: 1, MaxY: 1}, ErrNaN},
		{Extent{MinX: 2, MaxX: 1, MaxY: 1}, ErrWestBeyondEast},
		{Extent{MinY: 2, MaxX: 1, MaxY: 1}, ErrSouthAboveNorth},
		{Extent{MaxX: 1, MaxY: 1, SRID: 424242}, ErrSRID},
		{Extent{MaxX: 1, MaxY: 1, SRID: -1}, ErrSRID},
	} {
		if _, err := o.Expand(c.e); !errors.Is(err, c.want) {
			t.Errorf("%v: %v, want %v", c.e, err, c.want)
		}
	}
	for _, c := range []struct {
		o    Options
		want error
	}{
		{Options{MinZoom: -1}, ErrZoom},
		{Options{MaxZoom: MaxZoom + 1}, ErrZoom},
		{Options{MinZoom: 2, MaxZoom: 1}, ErrZoom},
		{Options{Buffer: -1}, ErrBuffer},
		{Options{Buffer: math.NaN()}, ErrBuffer},
		{Options{Buffer: math.Inf(1)}, ErrBuffer},
		{Options{Metatile: -1}, ErrMetatile},
	} {
		if _, err := c.o.Expand(Point(0, 0)); !errors.Is(err, c.want) {
			t.Errorf("%+v: %v, want %v", c.o, err, c.want)
		}
	}
}

func TestAddresses(t *testing.T) {
	for _, s := range []string{"0/0/0", "14/9316/4742", "30/1073741823/0"} {
		if got, err := Parse(s); err != nil || got.String() != s {
			t.Errorf("%s: %v %v", s, got, err)
		}
	}
	for _, s := range []string{"", "0/0", "0/0/1", "1/2/0", "-1/0/0", "1/-1/0", "a/b/c", "31/0/0", "1/0/0/0"} {
		if got, err := Parse(s); !errors.Is(err, ErrAddress) {
			t.Errorf("%q: %v %v", s, got, err)
		}
	}
	if got := (Tile{Z: 5, X: 17, Y: 9}).Parent(3); got != (Tile{Z: 3, X: 4, Y: 2}) {
		t.Error(got)
	}
}

// A set counts and lists each tile once, whatever rectangles made it.
func TestSetIsAUnion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, want := &Set{}, map[Tile]bool{}
		for range rapid.IntRange(0, 12).Draw(t, "rectangles") {
			z := rapid.IntRange(0, 4).Draw(t, "z")
			n := 1<<z - 1
			r := Range{Z: z, MinX: rapid.IntRange(0, n).Draw(t, "x"), MinY: rapid.IntRange(0, n).Draw(t, "y")}
			r.MaxX, r.MaxY = rapid.IntRange(r.MinX, n).Draw(t, "x1"), rapid.IntRange(r.MinY, n).Draw(t, "y1")
			s.Add(r)
			for x := r.MinX; x <= r.MaxX; x++ {
				for y := r.MinY; y <= r.MaxY; y++ {
					want[Tile{z, x, y}] = true
				}
			}
		}
		got := slices.Collect(s.All())
		inOrder := slices.IsSortedFunc(got, func(a, b Tile) int {
			return slices.Compare([]int{a.Z, a.X, a.Y}, []int{b.Z, b.X, b.Y})
		})
		if len(got) != len(want) || s.Count() != int64(len(want)) || !inOrder {
			t.Fatalf("%d listed, %d counted, %d wanted, in order %v", len(got), s.Count(), len(want), inOrder)
		}
		c := s.Cursor()
		for i := range len(got) + 1 {
			if one, ok := c.Next(); ok != (i < len(got)) || ok && one != got[i] {
				t.Fatalf("the cursor gives %v, %v at %d", one, ok, i)
			}
		}
		for _, g := range got {
			if !want[g] || !s.Has(g) {
				t.Fatalf("%v is not in the set", g)
			}
		}
	})
}

func TestCountsWithoutListing(t *testing.T) {
	s, err := Options{MaxZoom: MaxZoom}.Expand(Extent{MinX: -180, MinY: -90, MaxX: 180, MaxY: 90})
	if want := int64(1<<(2*MaxZoom+2)-1) / 3; err != nil || s.Count() != want {
		t.Errorf("%d, want %d (%v)", s.Count(), want, err)
	}
}

// A box of another system is covered wholly: every position in it lies in a listed tile.
func TestOtherSystemsAreCovered(t *testing.T) {
	for _, c := range []Extent{
		{MinX: 300000, MinY: 6600000, MaxX: 500000, MaxY: 6900000, SRID: 32635},   // UTM 35 north
		{MinX: 250000, MinY: 3000000, MaxX: 750000, MaxY: 7900000, SRID: 32601},   // at the antimeridian
		{MinX: -900000, MinY: -900000, MaxX: 900000, MaxY: 900000, SRID: 3995},    // round the north pole
		{MinX: -3e6, MinY: -3e6, MaxX: 3e6, MaxY: 3e6, SRID: 3031},                // round the south pole
		{MinX: 2600000, MinY: 1200000, MaxX: 2600000, MaxY: 1200000, SRID: 21781}, // far from its country
	} {
		o := Options{MinZoom: 0, MaxZoom: 9}
		s, err := o.Expand(c)
		if errors.Is(err, ErrTransform) {
			continue
		}
		if err != nil {
			t.Errorf("%v: %v", c, err)
			continue
		}
		to, err := transform(c.SRID)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 100 {
			for j := range 100 {
				lon, lat, err := to.Apply(c.MinX+(c.MaxX-c.MinX)*float64(i)/99, c.MinY+(c.MaxY-c.MinY)*float64(j)/99, 0)
				if err != nil || math.Abs(lat) > LatitudeLimitDeg {
					continue
				}
				one, err := Options{MinZoom: 9, MaxZoom: 9}.Expand(Point(lon, lat))
				if err != nil {
					t.Fatal(err)
				}
				hit := false
				for p := range one.All() {
					hit = hit || s.Has(p)
				}
				if !hit {
					t.Fatalf("%v: %v %v is not covered", c, lon, lat)
				}
			}
		}
	}
}

// shared finds a file of reference results beside the checkout, which is not part of it.
func shared(t *testing.T, name string) []byte {
	for _, up := range []string{"../..", "../../.."} {
		if b, err := os.ReadFile(filepath.Join(up, "shared", name)); err == nil {
			return b
		}
	}
	t.Skipf("no %s beside the checkout", name)
	return nil
}

type number float64

func (n *number) UnmarshalJSON(b []byte) error {
	v, err := strconv.ParseFloat(strings.Trim(string(b), `"`), 64)
	*n = number(v)
	return err
}

type reference struct {
	N      int64    `json:"n"`
	Ranges [][4]int `json:"ranges"`
	SHA256 string   `json:"sha256"`
}

func TestReferenceExpansion(t *testing.T) {
	var file struct {
		Cases []struct {
			ID, Note string
			Extent   [4]number
			Buffer   float64
			Meta     int
			Wrap     *bool
			RFC7946  bool
			Closed   json.RawMessage
		}
	}
	if err := json.Unmarshal(shared(t, "tiles/expansion.json"), &file); err != nil {
		t.Fatal(err)
	}
	for _, c := range file.Cases {
		e := Extent{MinX: float64(c.Extent[0]), MinY: float64(c.Extent[1]), MaxX: float64(c.Extent[2]), MaxY: float64(c.Extent[3])}
		o := Options{MaxZoom: 16, Buffer: c.Buffer, Metatile: c.Meta, NoWrap: c.Wrap != nil && !*c.Wrap, RFC7946: c.RFC7946}
		s, err := o.Expand(e)
		if string(c.Closed) == `"invalid"` {
			if err == nil {
				t.Errorf("%s %s: no error", c.ID, c.Note)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s %s: %v", c.ID, c.Note, err)
			continue
		}
		var zooms map[string]reference
		if err := json.Unmarshal(c.Closed, &zooms); err != nil {
			t.Fatal(err)
		}
		for zs, want := range zooms {
			z, _ := strconv.Atoi(zs)
			if n := s.CountZoom(z); n != want.N {
				t.Errorf("%s %s z%d: %d tiles, want %d %v, got %v", c.ID, c.Note, z, n, want.N, want.Ranges, slices.Collect(s.Rectangles(z)))
				continue
			}
			if want.N > 5000 {
				w := &Set{}
				for _, r := range want.Ranges {
					w.Add(Range{z, r[0], r[1], r[2], r[3]})
				}
				if !same(s, w, z) {
					t.Errorf("%s %s z%d: other ranges", c.ID, c.Note, z)
				}
				continue
			}
			if _, sum := digest(s, z); sum != want.SHA256 {
				t.Errorf("%s %s z%d: other tiles: %v, want %v", c.ID, c.Note, z, slices.Collect(s.Rectangles(z)), want.Ranges)
			}
		}
	}
}

func TestReferenceReplay(t *testing.T) {
	var file struct {
		Cases []struct {
			FirstRows int `json:"first_rows"`
			Buffer    float64
			Meta      int
			Zooms     map[string]reference
		}
	}
	if err := json.Unmarshal(shared(t, "tiles/replay_ais.json"), &file); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(shared(t, "data/ais_gulf_of_finland.csv")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range file.Cases {
		o := Options{MaxZoom: 16, Buffer: c.Buffer, Metatile: c.Meta}
		last, s := map[string]Extent{}, &Set{}
		for _, row := range rows[1 : c.FirstRows+1] {
			lon, err1 := strconv.ParseFloat(row[2], 64)
			lat, err2 := strconv.ParseFloat(row[3], 64)
			if err := errors.Join(err1, err2); err != nil {
				t.Fatal(err)
			}
			at := Point(lon, lat)
			if last[row[0]] == at {
				continue
			}
			last[row[0]] = at
			u, err := o.Expand(at) // the old place was listed when it was new
			if err != nil {
				t.Fatal(err)
			}
			s.Union(u)
		}
		for zs, want := range c.Zooms {
			z, _ := strconv.Atoi(zs)
			if n, sum := digest(s, z); n != want.N || sum != want.SHA256 {
				t.Errorf("%d rows, buffer %v, metatile %d, z%d: %d tiles, want %d", c.FirstRows, c.Buffer, c.Meta, z, n, want.N)
			}
		}
	}
}
