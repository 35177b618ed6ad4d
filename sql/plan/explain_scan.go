package plan

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"raisind/catalog"
	"raisind/geom"
	"raisind/spatialidx"
	"raisind/sql/expr"
)

// scan describes the nodes that read relations and other sources of rows.
func (x *explainer) scan(n Node) *entry {
	e := &entry{}
	var filter expr.Expr
	switch n := n.(type) {
	case *RowScan:
		x.rowScan(e, n)
		filter = n.Filter
	case *KeyScan:
		x.indexScan(e, n.Rel, n.Alias, n.Index, false, keyCondition(n))
		filter = n.Filter
	case *IndexScan:
		x.index(e, n)
		filter = n.Filter
	case *SpatialScan:
		filter = n.Filter
		if x.spatialScan(e, n) && n.Predicate != nil {
			if filter = n.Predicate; n.Filter != nil {
				filter = &expr.And{Args: []expr.Expr{n.Predicate, n.Filter}}
			}
		}
	case *VirtualScan:
		e.kind = "Seq Scan"
		name := expr.QuoteName(n.Name)
		e.hidden("Relation Name", n.Name)
		if n.Alias != "" && n.Alias != n.Name {
			name += " " + expr.QuoteName(n.Alias)
		}
		e.title = "Seq Scan on " + name
		filter = n.Filter
	case *FuncScan:
		e.kind = "Function Scan"
		name := n.Alias
		if n.Fn != nil && n.Fn.Func != nil {
			name = n.Fn.Func.Name
		} else if c, ok := n.Scalar.(*expr.Call); ok && c.Fn.Func != nil {
			name = c.Fn.Func.Name
		}
		e.hidden("Function Name", name)
		e.title = "Function Scan on " + expr.QuoteName(name)
		if n.Alias != "" && n.Alias != name {
			e.title += " " + expr.QuoteName(n.Alias)
		}
		if x.o.Verbose && n.Fn != nil {
			e.add("Function Call", expr.Format(&expr.Call{Fn: n.Fn, Args: n.Args, T: n.Fn.Result}))
		}
	case *CTEScan:
		e.kind, e.title = "CTE Scan", "CTE Scan on "+expr.QuoteName(n.Name)
		if n.Working {
			e.kind, e.title = "WorkTable Scan", "WorkTable Scan on "+expr.QuoteName(n.Name)
		}
		e.hidden("CTE Name", n.Name)
		if n.Alias != "" && n.Alias != n.Name {
			e.title += " " + expr.QuoteName(n.Alias)
		}
	}
	s := x.stat(n)
	if filter != nil {
		e.add("Filter", expr.Format(filter))
	}
	x.removed(e, s, "Rows Removed by Filter")
	if s != nil && x.o.Analyze {
		x.counters(e, n, s)
	}
	x.output(e, n)
	return e
}

// counters adds what a scan read.
func (x *explainer) counters(e *entry, n Node, s *Stats) {
	if _, ok := n.(*SpatialScan); ok {
		if s.FellBack != nil {
			e.add("Fallback", "row scan ("+s.FellBack.String()+")")
		}
		e.count("Cells Scanned", s.Cells)
		e.count("Ranges", s.Ranges)
		if s.Precision > 0 {
			e.hidden("Precision", s.Precision)
		}
		e.count("Candidates", s.Candidates)
		e.count("Rechecked", s.Rechecked)
	}
	switch n.(type) {
	case *RowScan, *KeyScan, *IndexScan, *SpatialScan:
		e.count("Seeks", s.Seeks)
		e.count("Keys Visited", s.KeysVisited)
		e.count("Superseded Skipped", s.Superseded)
	}
	if p := s.Pruning; p != nil {
		if x.o.Verbose && x.o.Format == ExplainText {
			e.add("Pruning", p.String())
		}
		e.hidden("Pruning Enabled", p.On)
		e.hidden("Pruning Groups Waiting", p.Waiting)
		e.hidden("Pruning Lag", millis(p.LagNanos))
	}
}

func (x *explainer) rowScan(e *entry, n *RowScan) {
	rel := x.relationText(n.Rel, n.Alias)
	x.relation(e, n.Rel, n.Alias)
	e.kind, e.title = "Seq Scan", "Seq Scan on "+rel
	if n.Rel.Kind == catalog.Workspace || n.Reason != nil {
		e.kind, e.title = "TableScan", "TableScan on "+rel
	}
	if n.Reason != nil {
		x.notUsed(e, n.Reason)
	}
	switch {
	case n.AsOf.Versions:
		e.add("Versions", "every retained version")
	case n.AsOf.Revision != nil:
		e.add("As Of", expr.Format(n.AsOf.Revision))
	}
}

// notUsed says on the scan's own line why the spatial index does not answer.
func (x *explainer) notUsed(e *entry, r *NotUsed) {
	e.title += fmt.Sprintf(" (spatial index NOT USED for '%s'.'%s' (%s); applied per row)", r.Relation, r.Property, r)
	e.hidden("Property", r.Property)
	e.hidden("Spatial Index Not Used", r.String())
}

func (x *explainer) indexScan(e *entry, r *catalog.Relation, alias string, ix *catalog.Index, reverse bool, cond string) {
	e.kind = "Index Scan"
	e.title = "Index Scan using "
	if reverse {
		e.title = "Index Scan Backward using "
		e.hidden("Scan Direction", "Backward")
	} else {
		e.hidden("Scan Direction", "Forward")
	}
	e.title += expr.QuoteName(ix.Name) + " on " + x.relationText(r, alias)
	e.hidden("Index Name", ix.Name)
	x.relation(e, r, alias)
	if cond != "" {
		e.add("Index Cond", cond)
	}
}

func columnName(r *catalog.Relation, col int) string { return expr.QuoteName(r.Columns[col].Name) }

// keyCondition is the condition a KeyScan answers.
func keyCondition(n *KeyScan) string {
	row := func(keys []expr.Expr) string {
		parts := make([]string, len(keys))
		for i, k := range keys {
			parts[i] = fmt.Sprintf("(%s = %s)", columnName(n.Rel, n.Index.Columns[i]), expr.Format(k))
		}
		if len(parts) == 1 {
			return parts[0]
		}
		return "(" + strings.Join(parts, " AND ") + ")"
	}
	switch {
	case len(n.Keys) == 0:
		return "false"
	case len(n.Keys) == 1:
		return row(n.Keys[0])
	case len(n.Index.Columns) == 1:
		in := &expr.InList{Arg: &expr.Column{Name: columnName(n.Rel, n.Index.Columns[0]), T: n.Keys[0][0].Type()}}
		for _, k := range n.Keys {
			in.List = append(in.List, k[0])
		}
		return expr.Format(in)
	}
	rows := make([]string, len(n.Keys))
	for i, k := range n.Keys {
		rows[i] = row(k)
	}
	return "(" + strings.Join(rows, " OR ") + ")"
}

// spatialScan describes a scan of cells, or the row scan that its constants and the
// state of the index make of it; the result is true for the latter.
func (x *explainer) spatialScan(e *entry, n *SpatialScan) (perRow bool) {
	d, decided := decide(n, x.ec, x.states)
	if s := x.stat(n); s != nil && s.Decided != nil {
		d, decided = *s.Decided, true
	}
	x.relation(e, n.Rel, n.Alias)
	rel := x.relationText(n.Rel, n.Alias)
	if decided && d.NotUsed != nil {
		e.kind, e.title = "TableScan", "TableScan on "+rel
		x.notUsed(e, d.NotUsed)
		return true
	}
	e.kind = n.Kind.String()
	e.hidden("Property", n.Property)
	center := x.centerText(n, d)
	switch n.Kind {
	case DistanceScan:
		radius := expr.Format(n.RadiusM)
		if v, ok := known(n.RadiusM, x.ec); ok && !v.IsNull() {
			radius = metres(v.Float())
			e.hidden("Radius", v.Float())
		}
		if n.Strict {
			e.title = fmt.Sprintf("%s: %s=ST_Distance(%s) < %s on %s", n.Kind, n.Property, center, radius, rel)
		} else {
			e.title = fmt.Sprintf("%s: %s=ST_DWithin(%s, %s) on %s", n.Kind, n.Property, center, radius, rel)
		}
	case KnnScan:
		k := expr.Format(n.Count)
		if v, ok := known(n.Count, x.ec); ok {
			k = "all"
			if !v.IsNull() {
				k = strconv.FormatInt(v.Int(), 10)
			}
		}
		e.title = fmt.Sprintf("%s: %s nearest to %s, k=%s on %s", n.Kind, n.Property, center, k, rel)
	default:
		e.title = fmt.Sprintf("%s: %s %s %s on %s", n.Kind, n.Property, n.PredicateText, center, rel)
	}
	x.budget(e, n, d, decided)
	if n.Predicate != nil && !(decided && (d.Exact || d.BoxPoints || d.Never) || !decided && n.Exact) {
		e.add("Recheck", expr.Format(n.Predicate))
	}
	return false
}

// budget says how many cells are read, of how many that may be.
func (x *explainer) budget(e *entry, n *SpatialScan, d Decision, decided bool) {
	switch {
	case !decided:
		e.add("Cells", fmt.Sprintf("decided when the scan opens (limit %d)", spatialidx.MaxScanCells))
	case d.Never:
		e.add("Cells", "none (no row can match)")
	case n.Kind == KnnScan:
		e.add("Cells", "from the centre outwards (precisions "+strings.Trim(spatialidx.FormatPrecisions(d.State.Precisions), "()")+")")
	default:
		e.fields = append(e.fields, prop{key: "Cells", value: d.Cover.Cells, text: fmt.Sprintf("%d of %d (precision %d, %s)",
			d.Cover.Cells, spatialidx.MaxScanCells, d.Cover.Precision, plural(len(d.Cover.Ranges), "range"))})
		e.hidden("Cell Budget", spatialidx.MaxScanCells)
		e.hidden("Precision", d.Cover.Precision)
		e.hidden("Cell Ranges", len(d.Cover.Ranges))
	}
}

// centerText is POINT(lon, lat), the box of another shape, or what will be known later.
func (x *explainer) centerText(n *SpatialScan, d Decision) string {
	g := d.Center
	if g == nil {
		v, ok := known(n.Center, x.ec)
		if !ok {
			return expr.Format(n.Center)
		}
		if g = CenterGeometry(n.Center.Type(), v); g == nil {
			return "NULL"
		}
	}
	if lon, lat, ok := g.AsPoint(); ok {
		return fmt.Sprintf("POINT(%.4f, %.4f)", lon, lat)
	}
	box, ok := g.Box()
	if !ok {
		return "EMPTY"
	}
	return boxText(g, box)
}

func boxText(g *geom.Geometry, b geom.Box) string {
	return fmt.Sprintf("%s(%.4f %.4f, %.4f %.4f)", strings.ToUpper(g.Kind().String()), b.MinX, b.MinY, b.MaxX, b.MaxY)
}

// metres prints a radius: whole metres, more digits only where they matter.
func metres(m float64) string {
	if math.Abs(m) >= 10 || m == math.Trunc(m) {
		return strconv.FormatFloat(m, 'f', 0, 64) + "m"
	}
	return strconv.FormatFloat(m, 'g', 3, 64) + "m"
}
