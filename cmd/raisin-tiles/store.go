package main

import (
	"bytes"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"

	"raisind/tiles"
)

// directory keeps tiles as files LAYER/Z/X/Y.mvt.
type directory struct{ root string }

func (d directory) path(layer string, t tiles.Tile) string {
	name := url.PathEscape(layer)
	if name == "." || name == ".." {
		name = "%" + name
	}
	return filepath.Join(d.root, name, strconv.Itoa(t.Z), strconv.Itoa(t.X), strconv.Itoa(t.Y)+".mvt")
}

// differs reports whether a tile has other bytes than data; no bytes mean no tile.
func (d directory) differs(layer string, t tiles.Tile, data []byte) (bool, error) {
	old, err := os.ReadFile(d.path(layer, t))
	if errors.Is(err, fs.ErrNotExist) {
		return len(data) > 0, nil
	}
	return !bytes.Equal(old, data) || len(data) == 0, err
}

// put makes data the bytes of a tile, or removes it when there are none. A reader sees
// the old or the new bytes, never a part.
func (d directory) put(layer string, t tiles.Tile, data []byte) error {
	path := d.path(layer, t)
	if len(data) == 0 {
		if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".tile-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
