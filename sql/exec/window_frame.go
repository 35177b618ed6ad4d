package exec

import (
	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/types"
)

// offsets computes the frame's offsets, once, when there are rows.
func (w *window) offsets(rows int) error {
	f := &w.n.Frame
	if w.started || rows == 0 {
		return nil
	}
	w.started = true
	var err error
	if f.StartOffset != nil {
		if w.start, err = f.StartOffset.Eval(w.ec, nil); err != nil {
			return err
		}
		if err = checkOffset(f.Mode, w.start, "starting"); err != nil {
			return err
		}
	}
	if f.EndOffset != nil {
		if w.end, err = f.EndOffset.Eval(w.ec, nil); err != nil {
			return err
		}
		err = checkOffset(f.Mode, w.end, "ending")
	}
	return err
}

func checkOffset(mode ast.FrameMode, d types.Datum, which string) error {
	switch {
	case d.IsNull():
		return pgerr.New(pgerr.NullValueNotAllowed, "frame %s offset must not be null", which)
	case mode != ast.FrameRange && d.Int() < 0:
		return pgerr.New(pgerr.InvalidPrecedingOrFollowingSize, "frame %s offset must not be negative", which)
	}
	return nil
}

// bounds are the frame of a row before anything is excluded: from up to and without
// to, of which from may be the greater.
func (p *partition) bounds(row int) (from, to int, err error) {
	f := &p.w.n.Frame
	switch f.Start {
	case ast.CurrentRow:
		from = row
		if f.Mode != ast.FrameRows {
			from = p.Peers(row).From
		}
	case ast.OffsetPreceding, ast.OffsetFollowing:
		if from, err = p.startOffset(row); err != nil {
			return 0, 0, err
		}
	case ast.UnboundedFollowing: // the grammar refuses it
		from = len(p.rows)
	}
	switch f.End {
	case ast.CurrentRow:
		to = row + 1
		if f.Mode != ast.FrameRows {
			to = p.Peers(row).To
		}
	case ast.OffsetPreceding, ast.OffsetFollowing:
		if to, err = p.endOffset(row); err != nil {
			return 0, 0, err
		}
	case ast.UnboundedFollowing:
		to = len(p.rows)
	}
	return from, to, nil
}

// moved is at plus or minus an offset, kept between 0 and most.
func moved(at int, offset types.Datum, kind ast.BoundKind, most int) int {
	n := offset.Int()
	if kind == ast.OffsetPreceding {
		return int(max(int64(at)-n, 0))
	}
	if n > int64(most) {
		return most
	}
	return min(at+int(n), most)
}

func (p *partition) startOffset(row int) (int, error) {
	f := &p.w.n.Frame
	switch f.Mode {
	case ast.FrameRows:
		return moved(row, p.w.start, f.Start, len(p.rows)), nil
	case ast.FrameGroups:
		return p.first[moved(p.group[row], p.w.start, f.Start, len(p.first)-1)], nil
	}
	// The first row, from where the row before left off, that is not before the start.
	key := &p.w.n.Order[0]
	sub, less := f.Start == ast.OffsetPreceding, false
	if key.Desc {
		sub, less = !sub, true
	}
	base := p.order[row][0]
	for ; p.rangeFrom < len(p.rows); p.rangeFrom++ {
		head := p.order[p.rangeFrom][0]
		if head.IsNull() || base.IsNull() {
			if key.NullsFirst && (!head.IsNull() || base.IsNull()) || !key.NullsFirst && (head.IsNull() || !base.IsNull()) {
				break
			}
			continue
		}
		in, err := f.StartRange.Fn(p.w.ec.Ctx, head, base, p.w.start, sub, less)
		if err != nil {
			return 0, err
		}
		if in {
			break
		}
	}
	return p.rangeFrom, nil
}

func (p *partition) endOffset(row int) (int, error) {
	f := &p.w.n.Frame
	switch f.Mode {
	case ast.FrameRows:
		if f.End == ast.OffsetPreceding {
			return int(max(int64(row)+1-p.w.end.Int(), 0)), nil
		}
		return moved(row+1, p.w.end, f.End, len(p.rows)), nil
	case ast.FrameGroups:
		if f.End == ast.OffsetPreceding {
			return p.first[int(max(int64(p.group[row])+1-p.w.end.Int(), 0))], nil
		}
		return p.first[moved(p.group[row]+1, p.w.end, f.End, len(p.first)-1)], nil
	}
	key := &p.w.n.Order[0]
	sub, less := f.End == ast.OffsetPreceding, true
	if key.Desc {
		sub, less = !sub, false
	}
	base := p.order[row][0]
	for ; p.rangeTo < len(p.rows); p.rangeTo++ {
		tail := p.order[p.rangeTo][0]
		if tail.IsNull() || base.IsNull() {
			if key.NullsFirst && !tail.IsNull() || !key.NullsFirst && !base.IsNull() {
				break
			}
			continue
		}
		in, err := f.EndRange.Fn(p.w.ec.Ctx, tail, base, p.w.end, sub, less)
		if err != nil {
			return 0, err
		}
		if !in {
			break
		}
	}
	return p.rangeTo, nil
}
