package ast

import "strings"

func (p *printer) interval(x *IntervalLit) {
	if x.Type.Fields == "" && x.Type.Mods != nil {
		p.put("INTERVAL(")
		p.exprs(x.Type.Mods)
		p.put(") ", QuoteLiteral(x.Text))
		return
	}
	p.put("INTERVAL ", QuoteLiteral(x.Text))
	p.intervalFields(x.Type)
}

func (p *printer) intervalFields(t TypeName) {
	if t.Fields == "" {
		return
	}
	p.put(" ", strings.ToUpper(t.Fields))
	if t.Mods != nil {
		p.put("(")
		p.exprs(t.Mods)
		p.put(")")
	}
}

// sqlTypes are the spellings of the types that SQL has words for.
var sqlTypes = map[string]string{
	"int2": "smallint", "int4": "integer", "int8": "bigint", "float4": "real", "float8": "double precision",
	"bool": "boolean", "numeric": "numeric", "varchar": "character varying", "varbit": "bit varying",
}

// timeTypes have their modifier inside.
var timeTypes = map[string][2]string{
	"time": {"time", ""}, "timetz": {"time", " with time zone"},
	"timestamp": {"timestamp", ""}, "timestamptz": {"timestamp", " with time zone"},
}

func (p *printer) typeName(t TypeName) {
	p.flag(t.SetOf, "SETOF ")
	p.baseType(t)
	p.flag(t.PctType, "%TYPE")
	for _, dim := range t.Dims {
		p.put("[")
		if dim >= 0 {
			p.put(dim)
		}
		p.put("]")
	}
}

func (p *printer) baseType(t TypeName) {
	mods := func() {
		if t.Mods != nil {
			p.special("", t.Mods...)
		}
	}
	if len(t.Names) == 2 && t.Names[0] == "pg_catalog" && !t.PctType {
		name := t.Names[1]
		switch {
		case name == "interval":
			p.put("interval")
			if t.Fields == "" {
				mods()
			}
			p.intervalFields(t)
			return
		case name == "bpchar" && t.Mods != nil:
			p.put("character")
			mods()
			return
		case name == "bit" && t.Mods != nil:
			p.put("bit")
			mods()
			return
		}
		if spelling, ok := timeTypes[name]; ok && singleInt(t.Mods) {
			p.put(spelling[0])
			mods()
			p.put(spelling[1])
			return
		}
		if spelling, ok := sqlTypes[name]; ok && (t.Mods == nil || name == "numeric" || name == "varbit" || name == "varchar" && singleInt(t.Mods)) {
			p.put(spelling)
			mods()
			return
		}
	}
	p.dotted(t.Names)
	mods()
}

// singleInt reports whether mods are none or one plain integer, all that the
// keywords for character and time types take.
func singleInt(mods []Expr) bool {
	if len(mods) != 1 {
		return len(mods) == 0
	}
	lit, ok := mods[0].(*Literal)
	return ok && lit.Kind == LitInt && lit.Int >= 0 && lit.Int <= 1<<31-1
}
