package exec

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"os"
	"path/filepath"
	"strings"

	"raisind/pgerr"
	"raisind/sql/types"
)

// Rows that do not fit into an operator's memory go to temporary files. A file belongs
// to one operator of one query and holds any number of tapes, each of which is
// written from its start and may be read any number of times. A tape's rows lie in
// blocks, those of several tapes between each other, so that thirty-two partitions
// cost one file. The file goes when its operator closes, and with its query at the
// latest; what a crash left behind goes when the server starts.

// tempPrefix starts the name of every temporary file, as PostgreSQL names them.
const tempPrefix = "pgsql_tmp"

// blockBytes is how much of a tape is gathered before it is written.
const blockBytes = 16 << 10

// ClearTempDir removes what a server that did not end well left in the directory of
// temporary files.
func ClearTempDir(dir string) error {
	names, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read directory of temporary files: %w", err)
	}
	var failed error
	for _, n := range names {
		if strings.HasPrefix(n.Name(), tempPrefix) {
			failed = errors.Join(failed, os.Remove(filepath.Join(dir, n.Name())))
		}
	}
	return failed
}

// spillFile is one temporary file; it is made with its first block.
type spillFile struct {
	q      *Query
	f      *os.File
	size   int64 // bytes
	packer types.Packer
}

func (q *Query) newSpillFile() *spillFile {
	s := &spillFile{q: q}
	if q.spills == nil {
		q.spills = map[*spillFile]struct{}{}
	}
	q.spills[s] = struct{}{}
	return s
}

// write appends a block and returns where it begins.
func (s *spillFile) write(b []byte) (int64, error) {
	q := s.q
	if limit := q.opt.TempFileBytes; limit > 0 && q.spilled+int64(len(b)) > limit {
		return 0, pgerr.New(pgerr.ConfigurationLimitExceeded, "temporary file size exceeds temp_file_limit (%dkB)", limit>>10)
	}
	if err := q.tickNow(); err != nil {
		return 0, err
	}
	if s.f == nil {
		dir := q.rt.TempDir
		if dir == "" {
			dir = os.TempDir()
		} else if err := os.MkdirAll(dir, 0o700); err != nil {
			return 0, spillError(err)
		}
		f, err := os.CreateTemp(dir, fmt.Sprintf("%s%d.*", tempPrefix, os.Getpid()))
		if err != nil {
			return 0, spillError(err)
		}
		s.f = f
	}
	at := s.size
	if _, err := s.f.WriteAt(b, at); err != nil {
		return 0, spillError(err)
	}
	s.size += int64(len(b))
	q.spilled += int64(len(b))
	q.toDisk += int64(len(b))
	return at, nil
}

func spillError(err error) error {
	return pgerr.New(pgerr.DiskFull, "could not write to temporary file: %v", err).
		WithHint("Raise work_mem so that fewer rows go to disk, or make room in the data directory.")
}

// close removes the file. It may be called more than once.
func (s *spillFile) close() {
	delete(s.q.spills, s)
	s.q.spilled -= s.size
	s.size = 0
	if s.f == nil {
		return
	}
	name := s.f.Name()
	err := errors.Join(s.f.Close(), os.Remove(name))
	s.f = nil
	if log := s.q.rt.Logger; err != nil && log != nil {
		log.Warn("temporary file not removed", "file", name, "error", err)
	}
}

// tape is a sequence of rows of one width in a spillFile.
type tape struct {
	f      *spillFile
	width  int
	blocks []tapeBlock
	buf    []byte // the block not written yet
	rows   int64
}

type tapeBlock struct {
	at int64
	n  int
}

func (s *spillFile) newTape(width int) *tape { return &tape{f: s, width: width} }

func (t *tape) add(row types.Row) error {
	t.buf = t.f.packer.AppendRow(t.buf, row)
	t.rows++
	if len(t.buf) >= blockBytes {
		return t.flush()
	}
	return nil
}

func (t *tape) flush() error {
	if len(t.buf) == 0 {
		return nil
	}
	at, err := t.f.write(t.buf)
	if err != nil {
		return err
	}
	t.blocks = append(t.blocks, tapeBlock{at, len(t.buf)})
	t.buf = t.buf[:0]
	if cap(t.buf) > 4*blockBytes {
		t.buf = nil
	}
	return nil
}

// tapeReader reads a tape from its start. It is an iter; its rows live until the
// following next.
type tapeReader struct {
	t      *tape
	block  int
	off    int // in that block
	loaded int // the block in data, plus one
	data   []byte
	row    types.Row
	read   int64
}

func (t *tape) reader() *tapeReader { return &tapeReader{t: t, row: make(types.Row, t.width)} }

func (r *tapeReader) next() (types.Row, error) {
	for r.read < r.t.rows {
		b := r.t.buf
		if r.block < len(r.t.blocks) {
			if r.loaded != r.block+1 {
				if err := r.load(); err != nil {
					return nil, err
				}
			}
			b = r.data
		}
		if r.off == len(b) && r.block < len(r.t.blocks) && r.t.width > 0 {
			r.block, r.off = r.block+1, 0
			continue
		}
		rest, err := r.t.f.packer.ReadRow(r.row, b[r.off:])
		if err != nil {
			return nil, err
		}
		r.off = len(b) - len(rest)
		r.read++
		return r.row, r.t.f.q.tick()
	}
	return nil, nil
}

func (r *tapeReader) load() error {
	b := r.t.blocks[r.block]
	if cap(r.data) < b.n {
		r.data = make([]byte, b.n)
	}
	r.data = r.data[:b.n]
	if _, err := r.t.f.f.ReadAt(r.data, b.at); err != nil && err != io.EOF {
		return fmt.Errorf("read temporary file: %w", err)
	}
	r.loaded = r.block + 1
	return nil
}

func (r *tapeReader) close() { r.data = nil }

// partitionCount is into how many parts rows are split that do not fit into memory.
const partitionCount = 32

// partitions splits rows by a hash of their keys, a different one at each level.
type partitions struct {
	tapes [partitionCount]*tape
	level int
}

// maxLevels is how often a part is split again.
const maxLevels = 6

var partitionSeeds = func() (s [maxLevels]maphash.Seed) {
	for i := range s {
		s[i] = maphash.MakeSeed()
	}
	return s
}()

// of is the part a key belongs to.
func (p *partitions) of(key []byte) int {
	return int(maphash.Bytes(partitionSeeds[p.level%maxLevels], key) % partitionCount)
}

func (p *partitions) add(f *spillFile, part int, row types.Row) error {
	if p.tapes[part] == nil {
		p.tapes[part] = f.newTape(len(row))
	}
	return p.tapes[part].add(row)
}
