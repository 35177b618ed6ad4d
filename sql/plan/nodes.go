package plan

// Columns implements Node.
func (n *Values) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *RowScan) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *KeyScan) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *SpatialScan) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *Project) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *ProjectSet) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *Filter) Columns() []Column { return n.Source.Columns() }

// Columns implements Node.
func (n *Sort) Columns() []Column { return n.Source.Columns() }

// Columns implements Node.
func (n *Limit) Columns() []Column { return n.Source.Columns() }

// Columns implements Node.
func (n *Distinct) Columns() []Column { return n.Source.Columns() }

// Columns implements Node.
func (n *Aggregate) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *Window) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *NestedLoop) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *HashJoin) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *SetOp) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *CTEScan) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *RecursiveUnion) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *FuncScan) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *VirtualScan) Columns() []Column { return n.Cols }

// Columns implements Node.
func (n *LockRows) Columns() []Column { return n.Source.Columns() }

// Columns implements Node; empty without RETURNING.
func (n *Insert) Columns() []Column { return n.Cols }

// Columns implements Node; empty without RETURNING.
func (n *Update) Columns() []Column { return n.Cols }

// Columns implements Node; empty without RETURNING.
func (n *Delete) Columns() []Column { return n.Cols }

// Children implements Node.
func (n *Values) Children() []Node { return nil }

// Children implements Node.
func (n *RowScan) Children() []Node { return nil }

// Children implements Node.
func (n *KeyScan) Children() []Node { return nil }

// Children implements Node.
func (n *SpatialScan) Children() []Node { return nil }

// Children implements Node.
func (n *Project) Children() []Node { return []Node{n.Source} }

// Children implements Node.
func (n *ProjectSet) Children() []Node { return []Node{n.Source} }

// Children implements Node.
func (n *Filter) Children() []Node { return []Node{n.Source} }

// Children implements Node.
func (n *Sort) Children() []Node { return []Node{n.Source} }

// Children implements Node.
func (n *Limit) Children() []Node { return []Node{n.Source} }

// Children implements Node.
func (n *Distinct) Children() []Node { return []Node{n.Source} }

// Children implements Node.
func (n *Aggregate) Children() []Node { return []Node{n.Source} }

// Children implements Node.
func (n *Window) Children() []Node { return []Node{n.Source} }

// Children implements Node.
func (n *NestedLoop) Children() []Node { return []Node{n.Left, n.Right} }

// Children implements Node.
func (n *HashJoin) Children() []Node { return []Node{n.Left, n.Right} }

// Children implements Node.
func (n *SetOp) Children() []Node { return []Node{n.Left, n.Right} }

// Children implements Node.
func (n *CTEScan) Children() []Node { return nil }

// Children implements Node.
func (n *RecursiveUnion) Children() []Node { return []Node{n.Initial, n.Next} }

// Children implements Node.
func (n *FuncScan) Children() []Node { return nil }

// Children implements Node.
func (n *VirtualScan) Children() []Node { return nil }

// Children implements Node.
func (n *LockRows) Children() []Node { return []Node{n.Source} }

// Children implements Node.
func (n *Insert) Children() []Node { return []Node{n.Source} }

// Children implements Node.
func (n *Update) Children() []Node { return []Node{n.Source} }

// Children implements Node.
func (n *Delete) Children() []Node { return []Node{n.Source} }
