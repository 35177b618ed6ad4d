package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"raisind/tiles"
)

func TestDirectoryKeepsTiles(t *testing.T) {
	d := directory{t.TempDir()}
	at := tiles.Tile{Z: 3, X: 4, Y: 2}
	for i, step := range []struct {
		data    string
		differs bool
	}{{"", false}, {"one", true}, {"one", false}, {"two", true}, {"", true}, {"", false}} {
		got, err := d.differs("../a layer", at, []byte(step.data))
		if err != nil || got != step.differs {
			t.Errorf("step %d: differs %v, %v", i, got, err)
		}
		if err := d.put("../a layer", at, []byte(step.data)); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(d.path("../a layer", at))
		if string(b) != step.data || (err != nil) != (step.data == "") {
			t.Errorf("step %d: %q, %v", i, b, err)
		}
	}
	if p := d.path("..", at); !strings.HasPrefix(p, d.root+string(filepath.Separator)) {
		t.Errorf("%s lies outside the store", p)
	}
}

func TestConfigurationReportsEveryFault(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiles.yaml")
	write := func(s string) {
		if err := os.WriteFile(path, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("rows: 0\nlease: 1ms\nlayers:\n  - maxzoom: 31\n")
	_, err := readConfig(path)
	for _, want := range []string{"store", "rows", "lease", "name", "sql", "zoom"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no word of %s: %v", want, err)
		}
	}
	write("stroe: x\n")
	if _, err := readConfig(path); err == nil || !strings.Contains(err.Error(), "stroe") {
		t.Error(err)
	}
	write("store: out\nlayers:\n  - {name: a, maxzoom: 14, sql: SELECT 1}\n")
	if c, err := readConfig(path); err != nil || c.Rows != 5000 || c.Table != "dirty_extent" {
		t.Error(c, err)
	}
}
