package storage

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2"

	"raisind/storage/keys"
)

// lockDirectory makes and locks the directory, refusing one that holds anything but a store of ours. It
// writes nothing into a foreign directory.
func lockDirectory(o *Options) (*pebble.Lock, error) {
	names, err := o.FS.List(o.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !o.ReadOnly:
		if err := o.FS.MkdirAll(o.Dir, 0o700); err != nil {
			return nil, fmt.Errorf("make data directory %s: %w", o.Dir, err)
		}
	case err != nil:
		return nil, fmt.Errorf("read data directory %s: %w", o.Dir, err)
	}
	if !slices.Contains(names, "LOCK") {
		if err := refuseForeign(o, names); err != nil {
			return nil, err
		}
		return takeLock(o)
	}
	// The lock comes first: the files of a store in use change while one looks. It writes nothing, since
	// its file is there.
	lock, err := takeLock(o)
	if err != nil {
		return nil, err
	}
	if names, err = o.FS.List(o.Dir); err == nil {
		err = refuseForeign(o, names)
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

func takeLock(o *Options) (*pebble.Lock, error) {
	lock, err := pebble.LockDirectory(o.Dir, o.FS)
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("lock data directory %s: %w", o.Dir, err)
	case err != nil:
		return nil, fmt.Errorf("%w: %s: %w", ErrLocked, o.Dir, err)
	}
	return lock, nil
}

// ownFiles are the names that Pebble or a file system puts into a directory. A directory of only these,
// without a manifest, is one whose making was interrupted.
var ownFiles = regexp.MustCompile(`^(LOCK|lost\+found|pgsql_tmp|(MANIFEST|OPTIONS)-\d{6,}(\.dbtmp)?|marker\..*|\d{6,}\.(log|sst|blob|dbtmp)|(temporary|CURRENT)\.\d{6,}\.dbtmp|REMOTE-OBJ-CATALOG-\d{6,})$`)

func refuseForeign(o *Options, names []string) error {
	for _, name := range names {
		if !ownFiles.MatchString(name) {
			return fmt.Errorf("%w: %s holds %q", ErrForeign, o.Dir, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	desc, err := pebble.Peek(o.Dir, o.FS)
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrForeign, o.Dir, err)
	}
	if !desc.Exists || desc.OptionsFilename == "" {
		return nil
	}
	name, err := comparerOf(o, desc.OptionsFilename)
	if err != nil {
		return err
	}
	if name != "" && name != keys.Comparer.Name {
		return fmt.Errorf("%w: %s is a Pebble store ordered by %q", ErrForeign, o.Dir, name)
	}
	return nil
}

// comparerOf reads the comparer's name from Pebble's options file; empty when it is not there.
func comparerOf(o *Options, file string) (string, error) {
	f, err := o.FS.Open(o.FS.PathJoin(o.Dir, o.FS.PathBase(file)))
	if err != nil {
		return "", fmt.Errorf("read %s: %w", file, err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if name, ok := strings.CutPrefix(strings.TrimSpace(lines.Text()), "comparer="); ok {
			return name, nil
		}
	}
	return "", lines.Err()
}
