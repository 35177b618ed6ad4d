package session

import (
	"context"
	"math"
	"slices"
	"unsafe"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/types"
)

// cursor is what a portal of DECLARE knows of its position. Rows are numbered from 1.
// Rows the cursor may have to go back to are kept.
type cursor struct {
	binary, hold bool
	// held: the transaction that declared it has committed, and the rows are kept.
	held bool
	// scroll is set by SCROLL, never by NO SCROLL; without either it is maybe, until so
	// many rows were read that keeping them costs more than PostgreSQL's leniency is worth.
	scroll scrolling
	pos    int64 // rows before the next one going forward
	atEnd  bool  // after the last row
	// rows are the rows from base+1 on.
	rows  []types.Row
	base  int64
	bytes int64
}

type scrolling uint8

const (
	scrollMaybe scrolling = iota
	scrollYes
	scrollNo
)

const (
	// maybeRows are kept for a cursor that was declared without a word about scrolling.
	maybeRows = 4096
	// maxKeptBytes bounds what one cursor keeps.
	maxKeptBytes = 1 << 30
)

// declare is DECLARE CURSOR.
func (s *Session) declare(ctx context.Context, p *portal, n *ast.Declare) error {
	if !n.Hold {
		if err := s.needBlock("DECLARE CURSOR"); err != nil {
			return err
		}
	}
	inner := p.prep.inner
	if err := s.revalidate(ctx, inner); err != nil {
		return err
	}
	if old, ok := s.portals[n.Name]; ok && old.name != "" {
		return pgerr.New(pgerr.DuplicateCursor, `cursor "%s" already exists`, n.Name)
	}
	c, err := s.newPortal(n.Name, inner)
	if err != nil {
		return err
	}
	c.plan, c.params = inner.plan, slices.Clone(p.params)
	c.result = Result{Columns: inner.cols, Env: s.env}
	if n.Binary {
		c.result.Formats = []int16{1}
	}
	c.cursor = &cursor{binary: n.Binary, hold: n.Hold}
	locking := inner.plan.Writes
	switch {
	case n.Scroll != nil && *n.Scroll && locking:
		return pgerr.New(pgerr.FeatureNotSupported, "DECLARE SCROLL CURSOR ... FOR UPDATE is not supported").
			WithDetail("Scrollable cursors must be READ ONLY.")
	case n.Hold && locking:
		return pgerr.New(pgerr.FeatureNotSupported, "DECLARE CURSOR WITH HOLD ... FOR UPDATE is not supported").
			WithDetail("Holdable cursors must be READ ONLY.")
	case n.Scroll != nil && *n.Scroll:
		c.cursor.scroll = scrollYes
	case n.Scroll != nil || locking:
		c.cursor.scroll = scrollNo
	}
	if err := s.startQuery(ctx, c); err != nil {
		return err
	}
	s.portals[n.Name] = c
	return nil
}

// findCursor finds the portal that FETCH, MOVE and CLOSE name.
func (s *Session) findCursor(name string) (*portal, error) {
	p, ok := s.portals[name]
	if !ok || name == "" {
		return nil, pgerr.New(pgerr.InvalidCursorName, `cursor "%s" does not exist`, name)
	}
	return p, nil
}

// closeCursor is CLOSE.
func (s *Session) closeCursor(n *ast.CloseCursor) (Tag, error) {
	tag := Tag{Verb: commandName(n)}
	if n.Name == "" {
		s.forgetCursors()
		return tag, nil
	}
	p, err := s.findCursor(n.Name)
	if err != nil {
		return tag, err
	}
	s.dropPortal(p)
	return tag, nil
}

// forgetCursors is CLOSE ALL: everything but the portal that runs it.
func (s *Session) forgetCursors() {
	for name, p := range s.portals {
		if name != "" {
			s.dropPortal(p)
		}
	}
}

// fetch is FETCH and MOVE.
func (s *Session) fetch(ctx context.Context, n *ast.Fetch, row emit) (Tag, error) {
	tag := Tag{Verb: commandName(n), Counted: true}
	p, err := s.findCursor(n.Cursor)
	if err != nil {
		return tag, err
	}
	if p.cursor == nil { // a portal of Bind
		if p.plan == nil || runsToEnd(p.plan) {
			return tag, pgerr.New(pgerr.ObjectNotInPrerequisiteState, `portal "%s" cannot be run`, p.name)
		}
		p.cursor = &cursor{scroll: scrollNo}
		if !p.started {
			if err := s.startQuery(ctx, p); err != nil {
				return tag, err
			}
		}
	}
	if n.Move {
		row = nil
	}
	count := n.Count
	if n.All {
		count = math.MaxInt64
	}
	tag.Rows, err = s.scroll(p, n.Direction, count, row)
	return tag, err
}

// scroll follows PostgreSQL's DoPortalRunFetch. row is nil for MOVE. It returns how many
// rows were passed on or would have been.
func (s *Session) scroll(p *portal, dir ast.FetchDirection, count int64, row emit) (int64, error) {
	c := p.cursor
	switch dir {
	case ast.Absolute:
		return s.absolute(p, count, row)
	case ast.Relative:
		switch {
		case count > 0:
			if err := s.skip(p, true, count-1); err != nil {
				return 0, err
			}
			return s.step(p, true, 1, row)
		case count < 0:
			if err := s.skip(p, false, -count-1); err != nil {
				return 0, err
			}
			return s.step(p, false, 1, row)
		}
		dir = ast.Forward
	}
	forward := dir == ast.Forward
	if count < 0 {
		forward, count = !forward, -count
	}
	if count == 0 { // the current row once more
		if c.pos == 0 || c.atEnd {
			return 0, nil
		}
		if row == nil {
			return 1, nil
		}
		if _, err := s.step(p, false, 1, nil); err != nil {
			return 0, err
		}
		return s.step(p, true, 1, row)
	}
	if !forward && count == math.MaxInt64 && row == nil {
		n := c.pos
		if n > 0 && !c.atEnd {
			n--
		}
		return n, s.rewind(p)
	}
	return s.step(p, forward, count, row)
}

func (s *Session) absolute(p *portal, count int64, row emit) (int64, error) {
	c := p.cursor
	switch {
	case count > 0:
		pos := c.pos
		if c.atEnd {
			pos++
		}
		switch {
		case count <= pos:
			if err := s.skip(p, false, pos-count+1); err != nil {
				return 0, err
			}
		case count > pos+1:
			if err := s.skip(p, true, count-pos-1); err != nil {
				return 0, err
			}
		}
		return s.step(p, true, 1, row)
	case count < 0:
		if err := s.skip(p, true, math.MaxInt64); err != nil {
			return 0, err
		}
		if err := s.skip(p, false, -count-1); err != nil {
			return 0, err
		}
		return s.step(p, false, 1, row)
	}
	return 0, s.rewind(p)
}

// skip moves without passing rows on.
func (s *Session) skip(p *portal, forward bool, count int64) error {
	if count == 0 {
		return nil
	}
	_, err := s.step(p, forward, count, nil)
	return err
}

func (s *Session) rewind(p *portal) error {
	c := p.cursor
	if c.pos == 0 && !c.atEnd {
		return nil
	}
	if c.scroll == scrollNo || c.base > 0 {
		return forwardOnly()
	}
	c.pos, c.atEnd = 0, false
	return nil
}

func forwardOnly() error {
	return pgerr.New(pgerr.ObjectNotInPrerequisiteState, "cursor can only scan forward").
		WithHint("Declare it with SCROLL option to enable backward scan.")
}

// step moves count rows and passes them on. It returns how many there were.
func (s *Session) step(p *portal, forward bool, count int64, row emit) (int64, error) {
	if forward {
		return s.stepForward(p, count, row)
	}
	return s.stepBackward(p, count, row)
}

func (s *Session) stepForward(p *portal, count int64, row emit) (n int64, err error) {
	c := p.cursor
	for n < count && !c.atEnd {
		r, ok, err := s.cursorRow(p)
		if err != nil {
			return n, err
		}
		if !ok {
			c.atEnd = true
			break
		}
		c.pos++
		n++
		if row != nil {
			if err := row(r); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

func (s *Session) stepBackward(p *portal, count int64, row emit) (n int64, err error) {
	c := p.cursor
	if c.scroll == scrollNo {
		return 0, forwardOnly()
	}
	for n < count && (c.pos > 1 || c.atEnd && c.pos > 0) {
		if c.atEnd {
			c.atEnd = false
		} else {
			c.pos--
		}
		if c.pos <= c.base {
			return n, forwardOnly()
		}
		n++
		if row != nil {
			if err := row(c.rows[c.pos-c.base-1]); err != nil {
				return n, err
			}
		}
	}
	if n < count {
		c.pos, c.atEnd = 0, false
	}
	return n, nil
}

// cursorRow returns the row after the position: a kept one, or the next of the query.
func (s *Session) cursorRow(p *portal) (types.Row, bool, error) {
	c := p.cursor
	if i := c.pos - c.base; i < int64(len(c.rows)) {
		return c.rows[i], true, nil
	}
	if p.query == nil {
		return nil, false, nil
	}
	r, ok, err := p.query.Next()
	if err != nil || !ok {
		if !ok && err == nil {
			p.done = true
			s.endQuery(p)
		}
		return nil, false, err
	}
	if c.scroll != scrollNo {
		return r, true, c.keep(r)
	}
	c.base = c.pos + 1
	return r, true, nil
}

// keep remembers a row for going back.
func (c *cursor) keep(r types.Row) error {
	if c.scroll == scrollMaybe && len(c.rows) == maybeRows {
		c.scroll, c.base, c.rows = scrollNo, c.pos+1, nil
		return nil
	}
	c.rows = append(c.rows, slices.Clone(r))
	for _, d := range r {
		c.bytes += int64(unsafe.Sizeof(d)) + int64(len(d.Str()))
	}
	if c.bytes > maxKeptBytes {
		return pgerr.New(pgerr.OutOfMemory, "out of memory").WithDetail("The cursor keeps more rows than its memory allows.").
			WithHint("Declare it NO SCROLL and without HOLD.")
	}
	return nil
}

// holdCursors makes the cursors declared WITH HOLD independent of the transaction that
// is about to commit.
func (s *Session) holdCursors(ctx context.Context) error {
	for _, p := range s.portals {
		c := p.cursor
		if c == nil || !c.hold || c.held {
			continue
		}
		if c.scroll != scrollYes { // what was read already stays read
			c.rows, c.base = c.rows[min(c.pos-c.base, int64(len(c.rows))):], c.pos
		}
		for p.query != nil {
			r, ok, err := p.query.Next()
			if err != nil {
				return err
			}
			if !ok {
				s.endQuery(p)
				break
			}
			scroll := c.scroll
			c.scroll = scrollYes
			err = c.keep(r)
			c.scroll = scroll
			if err != nil {
				return err
			}
		}
		p.done = true
		c.held = true
		if c.scroll == scrollMaybe {
			c.scroll = scrollNo
		}
	}
	return context.Cause(ctx)
}
