package demo

import (
	"strings"
	"testing"
	"time"
)

func TestFleet(t *testing.T) {
	fixes, err := Fleet()
	if err != nil {
		t.Fatal(err)
	}
	vehicles := map[string]bool{}
	for i, f := range fixes {
		vehicles[f.Vehicle] = true
		if i > 0 && f.Time.Before(fixes[i-1].Time) {
			t.Fatalf("fix %d is older than the one before", i)
		}
		// The Gulf of Finland lies between 19 and 31 degrees east, 58 and 62 north.
		if f.LonDeg < 19 || f.LonDeg > 31 || f.LatDeg < 58 || f.LatDeg > 62 {
			t.Errorf("%s is at %v %v", f.Vehicle, f.LonDeg, f.LatDeg)
		}
	}
	if len(fixes) != 3464 || len(vehicles) != 96 {
		t.Errorf("%d fixes of %d vehicles", len(fixes), len(vehicles))
	}
	if span := fixes[len(fixes)-1].Time.Sub(fixes[0].Time); span < 9*time.Minute || span > 11*time.Minute {
		t.Errorf("the record lasts %v", span)
	}
}

func TestReadFixesRefusesWhatIsNone(t *testing.T) {
	for _, csv := range []string{
		"",
		"vehicle,timestamp,lon,lat\na,yesterday,1,2\n",
		"vehicle,timestamp,lon,lat\na,2014-08-15T19:00:00Z,east,2\n",
		"vehicle,timestamp,lon,lat\na,2014-08-15T19:00:00Z,1,north\n",
		"vehicle,timestamp,lon,lat\na,2014-08-15T19:00:00Z,1\n",
	} {
		if fixes, err := readFixes(strings.NewReader(csv)); err == nil {
			t.Errorf("%q gave %v", csv, fixes)
		}
	}
}
