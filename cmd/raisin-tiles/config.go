package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"time"

	"go.yaml.in/yaml/v3"

	"raisind/tiles"
)

// config is the configuration file.
type config struct {
	// Database is a connection string or URL; empty stands for the PG* environment.
	Database string `yaml:"database"`
	// Table is the queue of dirty extents.
	Table string `yaml:"table"`
	// Store is the directory tiles are written to, as LAYER/Z/X/Y.mvt.
	Store string `yaml:"store"`
	// Purge is the file that z/x/y lines of changed tiles are appended to; "-" is standard output.
	Purge string `yaml:"purge"`
	// Rows is how many extents a batch claims at most.
	Rows int `yaml:"rows"`
	// Tiles is how many tiles a batch lists at most, unless its first extent alone lists more.
	Tiles int64 `yaml:"tiles"`
	// Lease is how long a claim holds without a sign of life.
	Lease  time.Duration `yaml:"lease"`
	Layers []layer       `yaml:"layers"`
}

// layer is one tileset: a name in the queue and how its tiles are drawn.
type layer struct {
	Name    string  `yaml:"name"`
	MinZoom int     `yaml:"minzoom"`
	MaxZoom int     `yaml:"maxzoom"`
	Buffer  float64 `yaml:"buffer"`
	// SQL is a statement with $1, $2 and $3 for z, x and y that gives one bytea: the tile.
	SQL string `yaml:"sql"`
}

func (l layer) options() tiles.Options {
	return tiles.Options{MinZoom: l.MinZoom, MaxZoom: l.MaxZoom, Buffer: l.Buffer}
}

// readConfig reads a file, fills in defaults and reports every fault.
func readConfig(path string) (*config, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c := &config{Table: "dirty_extent", Purge: "-", Rows: 5000, Tiles: 20000, Lease: time.Minute}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(c); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(path+": "+format, args...)) }
	if c.Store == "" {
		bad("store: a directory is needed")
	}
	if c.Rows < 1 || c.Tiles < 1 {
		bad("rows and tiles: numbers from 1 are needed")
	}
	if c.Lease < time.Second {
		bad("lease: at least 1s is needed")
	}
	if len(c.Layers) == 0 {
		bad("layers: at least one is needed")
	}
	seen := map[string]bool{}
	for i, l := range c.Layers {
		if l.Name == "" || seen[l.Name] {
			bad("layers[%d]: a name of its own is needed", i)
		}
		seen[l.Name] = true
		if l.SQL == "" {
			bad("layer %s: sql is needed", l.Name)
		}
		if err := l.options().Validate(); err != nil {
			bad("layer %s: %w", l.Name, err)
		}
	}
	return c, errors.Join(errs...)
}
