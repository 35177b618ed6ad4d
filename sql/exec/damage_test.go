package exec

import (
	"context"
	"strings"
	"testing"

	"raisind/geom"
	"raisind/spatialidx"
	"raisind/storage"
)

// An entry too few and one too many are found by VERIFY, which names the statement
// that mends them; HEALTH tells what is stored.
func TestVerifyNamesDamage(t *testing.T) {
	s := newServer(t)
	c := s.client("a")
	c.run(`CREATE WORKSPACE 'fleet'; ALTER SPATIAL INDEX FOR 'fleet' PROPERTY 'position' SET PRECISIONS = (8, 6);
	  INSERT INTO 'fleet' (path, node_type, properties) VALUES
	    ('/a', 't', '{"position": {"type": "Point", "coordinates": [13.4, 52.5]}}'), ('/b', 't', '{"position": {"type": "Point", "coordinates": [10, 50]}}')`)
	near := `SELECT path FROM 'fleet' WHERE ST_DWithin(properties->'position', ST_Point(13.4, 52.5), 1000)`
	verify := `VERIFY SPATIAL INDEX FOR 'fleet' PROPERTY 'position'`
	if got := c.run(verify); !strings.Contains(got, "|OK|") {
		t.Fatalf("a sound index: %s", got)
	}
	r, _ := s.rt.Catalog.Current().ByName("", "fleet")
	st, _ := s.rt.Indexer.State(r.ID, "position")
	at := geom.LonLat{LonDeg: 13.4, LatDeg: 52.5}
	_, err := s.db.Reindex(context.Background(), r.ID, func(row func(storage.RowID, func(*storage.Entries)) error) error {
		v, err := s.db.NewView()
		if err != nil {
			return err
		}
		defer v.Close()
		it := v.Rows(r.ID)
		defer it.Close()
		it.Next()
		return row(it.RowID(), func(out *storage.Entries) {
			out.TombstoneSpatial(st.Property, 6, uint64(spatialidx.CellAt(at, 6)), false)
			out.SetSpatial(st.Property, 7, uint64(spatialidx.CellAt(at, 7)), false, spatialidx.EncodeEntry(nil, geom.NewPoint(1, 1, 4326)))
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	got := c.run(verify)
	for _, want := range []string{"NEEDS_REBUILD", "1 entries missing, 1 stray", "run REBUILD SPATIAL INDEX FOR 'fleet' PROPERTY 'position'", "|4|2|"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %s", want, got)
		}
	}
	if got := c.run(`SHOW SPATIAL INDEX HEALTH FOR 'fleet'`); !strings.Contains(got, "|4|1|2|0|8:2, 7:1, 6:1|") {
		t.Errorf("health: %s", got)
	}
	c.run(`REBUILD SPATIAL INDEX FOR 'fleet' PROPERTY 'position'`)
	if got := c.run(verify); !strings.Contains(got, "|OK|") {
		t.Errorf("after the rebuild: %s", got)
	}
	if got := c.run(near); !strings.Contains(got, "/a") {
		t.Errorf("after the rebuild: %q", got)
	}
	s.check()
}
