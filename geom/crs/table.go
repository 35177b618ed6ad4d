package crs

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"strconv"
	"strings"
	"sync"
)

//go:embed systems.tsv.gz
var systemsGz []byte

// System is one row of spatial_ref_sys.
type System struct {
	SRID     int32
	AuthName string
	AuthSRID int32
	SRText   string // well-known text
	Proj4    string
	shift    string // towgs84 of the registry's operation to WGS 84; "" for that of Proj4, 0 for none

	once  sync.Once
	frame *Frame
	err   error
}

var table = sync.OnceValues(func() ([]*System, map[int32]*System) {
	zr, err := gzip.NewReader(bytes.NewReader(systemsGz))
	if err != nil {
		panic(err) // the file is part of the program
	}
	text, err := io.ReadAll(zr)
	if err != nil {
		panic(err)
	}
	var all []*System
	byID := map[int32]*System{}
	for line := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n"), "\n") {
		f := strings.Split(line, "\t")
		s := &System{SRID: number(f[0]), AuthName: f[1], AuthSRID: number(f[2]), Proj4: f[3], SRText: f[4], shift: f[5]}
		all = append(all, s)
		byID[s.SRID] = s
	}
	return all, byID
})

func number(s string) int32 {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return int32(n)
}

// All returns every known system by SRID. The slice is shared: do not write to it.
func All() []*System {
	all, _ := table()
	return all
}

// ByID returns a system by its SRID.
func ByID(srid int32) (*System, bool) {
	_, byID := table()
	s, ok := byID[srid]
	return s, ok
}

// Frame returns what computes positions of s.
func (s *System) Frame() (*Frame, error) {
	s.once.Do(func() {
		f, err := Parse(s.Proj4)
		if err != nil {
			s.err = err
			return
		}
		switch s.shift {
		case "":
		case "0":
			f.shift = nil
		default:
			if f.shift, s.err = parseShift(s.shift); s.err != nil {
				return
			}
		}
		s.frame = f
	})
	return s.frame, s.err
}
