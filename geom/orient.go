package geom

// orientation tells on which side of the line from a to b the point p lies: 1 left, -1
// right, 0 on the line. It is exact but for products beyond 106 bits, as JTS and GEOS
// are: a difference of doubles in plain arithmetic first, with Shewchuk's error bound,
// in double-double arithmetic where that does not decide.
func orientation(ax, ay, bx, by, px, py float64) int {
	left := (ax - px) * (by - py)
	right := (ay - py) * (bx - px)
	det := left - right
	var bound float64
	switch {
	case left > 0:
		if right <= 0 {
			return sign(det)
		}
		bound = left + right
	case left < 0:
		if right >= 0 {
			return sign(det)
		}
		bound = -left - right
	default:
		return sign(det)
	}
	const filter = 3.3306690738754716e-16 // (3 + 16ε)ε with ε = 2^-53
	if bound *= filter; det >= bound || -det >= bound {
		return sign(det)
	}
	d := mulDD(diffDD(ax, px), diffDD(by, py)).sub(mulDD(diffDD(ay, py), diffDD(bx, px)))
	if d.hi != 0 {
		return sign(d.hi)
	}
	return sign(d.lo)
}

func sign(v float64) int {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}

// dd is an unevaluated sum of two doubles, hi the nearer.
type dd struct{ hi, lo float64 }

// diffDD is a - b without error (Knuth's two-sum).
func diffDD(a, b float64) dd {
	s := a - b
	bb := s - a
	return dd{hi: s, lo: (a - (s - bb)) - (b + bb)}
}

func mulDD(a, b dd) dd {
	p := a.hi * b.hi
	e := fma(a.hi, b.hi, -p) + (a.hi*b.lo + a.lo*b.hi)
	s := p + e
	return dd{hi: s, lo: e - (s - p)}
}

func (a dd) sub(b dd) dd {
	s := diffDD(a.hi, b.hi)
	t := diffDD(a.lo, b.lo)
	s.lo += t.hi
	h := s.hi + s.lo
	s = dd{hi: h, lo: s.lo - (h - s.hi)}
	s.lo += t.lo
	h = s.hi + s.lo
	return dd{hi: h, lo: s.lo - (h - s.hi)}
}
