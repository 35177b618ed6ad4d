// Package demo replays a real fleet through the PostgreSQL protocol, as any
// client would: 95 ships and one boat in the Gulf of Finland, ten minutes of
// their positions, in accelerated time and over again.
//
// The positions are those of signalk-server's sample log (Apache-2.0), decoded
// from NMEA 2000 to CSV: 2014-08-15 19:00 to 19:10 UTC, WGS 84 degrees. See NOTICE.
package demo

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"time"
)

//go:embed ais_gulf_of_finland.csv
var fleetCSV []byte

// Fix is one reported position.
type Fix struct {
	Vehicle        string
	Time           time.Time
	LonDeg, LatDeg float64 // WGS 84 degrees
}

// Fleet returns the bundled positions in the order of their times.
func Fleet() ([]Fix, error) { return readFixes(bytes.NewReader(fleetCSV)) }

// readFixes reads vehicle,timestamp,lon,lat lines after a header line.
func readFixes(r io.Reader) ([]Fix, error) {
	in := csv.NewReader(r)
	in.FieldsPerRecord = 4
	in.ReuseRecord = true
	if _, err := in.Read(); err != nil {
		return nil, fmt.Errorf("read the fleet's header: %w", err)
	}
	var fixes []Fix
	for {
		rec, err := in.Read()
		if err == io.EOF {
			return fixes, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the fleet: %w", err)
		}
		f := Fix{Vehicle: rec[0]}
		if f.Time, err = time.Parse(time.RFC3339Nano, rec[1]); err != nil {
			return nil, fmt.Errorf("time of %s: %w", rec[0], err)
		}
		if f.LonDeg, err = strconv.ParseFloat(rec[2], 64); err != nil {
			return nil, fmt.Errorf("longitude of %s: %w", rec[0], err)
		}
		if f.LatDeg, err = strconv.ParseFloat(rec[3], 64); err != nil {
			return nil, fmt.Errorf("latitude of %s: %w", rec[0], err)
		}
		fixes = append(fixes, f)
	}
}
