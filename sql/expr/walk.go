package expr

// Parent is an expression with operands. Packages that add nodes of their own
// implement it so that Walk and Rewrite reach below them.
type Parent interface {
	Expr
	// Children are the operands, none of them nil. The slice may be the node's own.
	Children() []Expr
	// WithChildren returns a copy of the node with other operands, as many as
	// Children returned, in its order.
	WithChildren(c []Expr) Expr
}

// Walk calls fn with e and every expression below it until fn returns false for
// a node, whose children are then left out.
func Walk(e Expr, fn func(Expr) bool) {
	if e == nil || !fn(e) {
		return
	}
	if p, ok := e.(Parent); ok {
		for _, c := range p.Children() {
			Walk(c, fn)
		}
	}
}

// Any reports whether fn holds for e or any expression below it.
func Any(e Expr, fn func(Expr) bool) bool {
	found := false
	Walk(e, func(x Expr) bool {
		found = found || fn(x)
		return !found
	})
	return found
}

// Rewrite returns e with nodes replaced: fn is asked from the top down and returns
// the node to stand in e's place and whether to go on below it. What does not change
// is shared, not copied.
func Rewrite(e Expr, fn func(Expr) (Expr, bool)) Expr {
	if e == nil {
		return nil
	}
	n, below := fn(e)
	if !below {
		return n
	}
	p, ok := n.(Parent)
	if !ok {
		return n
	}
	old := p.Children()
	var changed []Expr
	for i, c := range old {
		if r := Rewrite(c, fn); r != c {
			if changed == nil {
				changed = append([]Expr(nil), old...)
			}
			changed[i] = r
		}
	}
	if changed == nil {
		return n
	}
	return p.WithChildren(changed)
}

// Children implements Parent.
func (e *Call) Children() []Expr { return e.Args }

// WithChildren implements Parent.
func (e *Call) WithChildren(c []Expr) Expr {
	n := *e
	n.Args = c
	return &n
}

// Children implements Parent.
func (e *Cast) Children() []Expr { return []Expr{e.Arg} }

// WithChildren implements Parent.
func (e *Cast) WithChildren(c []Expr) Expr {
	n := *e
	n.Arg = c[0]
	return &n
}

// Children implements Parent.
func (e *And) Children() []Expr { return e.Args }

// WithChildren implements Parent.
func (e *And) WithChildren(c []Expr) Expr { return &And{c} }

// Children implements Parent.
func (e *Or) Children() []Expr { return e.Args }

// WithChildren implements Parent.
func (e *Or) WithChildren(c []Expr) Expr { return &Or{c} }

// Children implements Parent.
func (e *Not) Children() []Expr { return []Expr{e.Arg} }

// WithChildren implements Parent.
func (e *Not) WithChildren(c []Expr) Expr { return &Not{c[0]} }

// Children implements Parent.
func (e *IsTest) Children() []Expr { return []Expr{e.Arg} }

// WithChildren implements Parent.
func (e *IsTest) WithChildren(c []Expr) Expr { return &IsTest{c[0], e.What, e.Not} }

// Children implements Parent.
func (e *Distinct) Children() []Expr { return []Expr{e.Left, e.Right} }

// WithChildren implements Parent.
func (e *Distinct) WithChildren(c []Expr) Expr { return &Distinct{c[0], c[1], e.Not, e.NoEquality} }

// Children implements Parent.
func (e *NullIf) Children() []Expr { return []Expr{e.Left, e.Right} }

// WithChildren implements Parent.
func (e *NullIf) WithChildren(c []Expr) Expr { return &NullIf{c[0], c[1], e.Eq} }

// Children implements Parent.
func (e *Case) Children() []Expr {
	c := make([]Expr, 0, 2*len(e.Whens)+2)
	if e.Operand != nil {
		c = append(c, e.Operand)
	}
	for _, w := range e.Whens {
		c = append(c, w.Cond, w.Then)
	}
	if e.Else != nil {
		c = append(c, e.Else)
	}
	return c
}

// WithChildren implements Parent.
func (e *Case) WithChildren(c []Expr) Expr {
	n := &Case{T: e.T, Whens: make([]When, len(e.Whens))}
	if e.Operand != nil {
		n.Operand, c = c[0], c[1:]
	}
	for i := range n.Whens {
		n.Whens[i], c = When{c[0], c[1]}, c[2:]
	}
	if e.Else != nil {
		n.Else = c[0]
	}
	return n
}

// Children implements Parent.
func (e *Coalesce) Children() []Expr { return e.Args }

// WithChildren implements Parent.
func (e *Coalesce) WithChildren(c []Expr) Expr { return &Coalesce{c, e.T} }

// Children implements Parent.
func (e *MinMax) Children() []Expr { return e.Args }

// WithChildren implements Parent.
func (e *MinMax) WithChildren(c []Expr) Expr { return &MinMax{c, e.Greatest, e.T} }

// Children implements Parent.
func (e *InList) Children() []Expr {
	return append(append(make([]Expr, 0, len(e.List)+1), e.Arg), e.List...)
}

// WithChildren implements Parent.
func (e *InList) WithChildren(c []Expr) Expr { return NewInList(c[0], c[1:], e.Eq, e.Not) }

// Children implements Parent.
func (e *AnyAll) Children() []Expr { return []Expr{e.Left, e.Right} }

// WithChildren implements Parent.
func (e *AnyAll) WithChildren(c []Expr) Expr {
	n := *e
	n.Left, n.Right = c[0], c[1]
	return &n
}

// Children implements Parent.
func (e *ArrayLit) Children() []Expr { return e.Elems }

// WithChildren implements Parent.
func (e *ArrayLit) WithChildren(c []Expr) Expr { return &ArrayLit{c, e.T, e.Nested} }

// Children implements Parent.
func (e *Subscript) Children() []Expr {
	c := []Expr{e.Arg}
	for _, s := range e.Index {
		if s.Lo != nil {
			c = append(c, s.Lo)
		}
		if s.Hi != nil {
			c = append(c, s.Hi)
		}
	}
	return c
}

// WithChildren implements Parent.
func (e *Subscript) WithChildren(c []Expr) Expr {
	n := &Subscript{Arg: c[0], Index: append([]SubscriptRange(nil), e.Index...), T: e.T}
	c = c[1:]
	for i := range n.Index {
		s := &n.Index[i]
		if s.Lo != nil {
			s.Lo, c = c[0], c[1:]
		}
		if s.Hi != nil {
			s.Hi, c = c[0], c[1:]
		}
	}
	return n
}

// Children implements Parent.
func (e *Record) Children() []Expr { return e.Fields }

// WithChildren implements Parent.
func (e *Record) WithChildren(c []Expr) Expr { return NewRecord(c, e.Names) }

// Children implements Parent.
func (e *Field) Children() []Expr { return []Expr{e.Arg} }

// WithChildren implements Parent.
func (e *Field) WithChildren(c []Expr) Expr {
	n := *e
	n.Arg = c[0]
	return &n
}

// Children implements Parent.
func (e *Subquery) Children() []Expr { return e.Args }

// WithChildren implements Parent.
func (e *Subquery) WithChildren(c []Expr) Expr {
	n := *e
	n.Args = c
	return &n
}
