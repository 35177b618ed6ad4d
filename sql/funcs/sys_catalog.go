package funcs

import (
	"strings"

	"raisind/pgerr"
	"raisind/sql/types"
)

// privileges are the words that may be asked for, by kind of object.
var privileges = map[string]string{
	"table":    " SELECT INSERT UPDATE DELETE TRUNCATE REFERENCES TRIGGER ",
	"column":   " SELECT INSERT UPDATE REFERENCES ",
	"sequence": " USAGE SELECT UPDATE ",
	"database": " CREATE CONNECT TEMPORARY TEMP ",
	"schema":   " CREATE USAGE ",
	"function": " EXECUTE ",
	"space":    " CREATE ",
	"other":    " USAGE ",
	"role":     " USAGE MEMBER ",
}

func checkPrivileges(kind, list string) error {
	for p := range strings.SplitSeq(list, ",") {
		word := strings.ToUpper(strings.Join(strings.Fields(p), " "))
		word = strings.TrimSuffix(strings.TrimSuffix(word, " WITH GRANT OPTION"), " WITH ADMIN OPTION")
		if !strings.Contains(privileges[kind], " "+word+" ") {
			return pgerr.New(pgerr.InvalidParameterValue, "unrecognized privilege type: \"%s\"", strings.TrimSpace(p))
		}
	}
	return nil
}

// systemName tells names that belong to the catalog, which has them all.
func systemName(name string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, "pg_") || strings.HasPrefix(name, "information_schema")
}

// hasPrivilege answers for the one role there is, which may do everything. relation is
// the argument that names a relation, -1 for none: an unknown name is an error.
func hasPrivilege(kind string, relation int) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		if err := checkPrivileges(kind, args[len(args)-1].Str()); err != nil {
			return types.Null, err
		}
		if relation >= 0 && fc != nil && fc.Session != nil {
			name := args[relation].Str()
			if _, ok := fc.Session.RelationOID(name); !ok && !systemName(name) {
				return types.Null, pgerr.New(pgerr.UndefinedTable, "relation \"%s\" does not exist", name)
			}
		}
		return types.Bool(true), nil
	}
}

// privilegeOverloads gives the six signatures of a function about one kind of object.
func privilegeOverloads(kind string) []Overload {
	at := func(i int) int {
		if kind == "table" || kind == "column" || kind == "sequence" {
			return i
		}
		return -1
	}
	return []Overload{
		of("name,oid,text", "bool", hasPrivilege(kind, -1)), of("name,text,text", "bool", hasPrivilege(kind, at(1))),
		of("oid,oid,text", "bool", hasPrivilege(kind, -1)), of("oid,text", "bool", hasPrivilege(kind, -1)),
		of("oid,text,text", "bool", hasPrivilege(kind, at(1))), of("text,text", "bool", hasPrivilege(kind, at(0))),
	}
}

func columnPrivilegeOverloads() []Overload {
	var out []Overload
	for _, role := range []string{"", "name,", "oid,"} {
		for _, rel := range []string{"oid", "text"} {
			for _, col := range []string{"int2", "text"} {
				i := -1
				if rel == "text" {
					i = b2i(role != "")
				}
				out = append(out, of(role+rel+","+col+",text", "bool", hasPrivilege("column", i)))
			}
		}
	}
	return out
}

func roleName(fc *Ctx, args []types.Datum) (types.Datum, error) {
	if d, ok := session[Describer](fc); ok {
		if name, ok := d.RoleName(uint32(args[0].Int())); ok {
			return types.Str(name), nil
		}
	}
	return types.Str("unknown (OID=" + string(types.TOID.AppendText(nil, args[0], nil)) + ")"), nil
}

// encodings are the names by PostgreSQL's numbers; UTF8 is the only one in use.
var encodings = map[int64]string{0: "SQL_ASCII", 6: "UTF8", 8: "LATIN1"}

func encodingName(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Str(encodings[args[0].Int()]), nil
}

func encodingNumber(_ *Ctx, args []types.Datum) (types.Datum, error) {
	name := args[0].Str()
	for n, e := range encodings {
		if strings.EqualFold(e, name) {
			return types.Int(n), nil
		}
	}
	if isUTF8(name) {
		return types.Int(6), nil
	}
	return types.Int(-1), nil
}

func sizeOf(fc *Ctx, oid uint32) (types.Datum, error) {
	s, ok := session[Sizer](fc)
	if !ok {
		return types.Null, nil
	}
	n, ok := s.SizeBytes(oid)
	if !ok {
		return types.Null, nil
	}
	return types.Int(n), nil
}

func relationSize(fc *Ctx, args []types.Datum) (types.Datum, error) {
	return sizeOf(fc, uint32(args[0].Int()))
}

func databaseSize(fc *Ctx, _ []types.Datum) (types.Datum, error) { return sizeOf(fc, 0) }

// sizePretty writes bytes in the largest unit that leaves at least ten of it.
func sizePretty(n number) string {
	const step = 10 * 1024
	abs := n.abs().round(0)
	units := []string{"bytes", "kB", "MB", "GB", "TB", "PB"}
	sign := ""
	if n.sign() < 0 {
		sign = "-"
	}
	// The half of a unit is kept until it is rounded, as pg_size_pretty does.
	v := abs
	for i, unit := range units {
		last := i == len(units)-1
		if i == 0 {
			if v.cmp(numberOfInt(step)) < 0 {
				return sign + v.coef.String() + " " + unit
			}
			v, _ = v.div(numberOfInt(512))
			continue
		}
		if last || v.cmp(numberOfInt(2*step-1)) < 0 {
			r, _ := v.add(numberOfInt(1)).div(numberOfInt(2))
			return sign + r.coef.String() + " " + unit
		}
		v, _ = v.div(numberOfInt(1024))
	}
	return ""
}

func sizePrettyInt(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Str(sizePretty(numberOfInt(args[0].Int()))), nil
}

func sizePrettyNumeric(_ *Ctx, args []types.Datum) (types.Datum, error) {
	n := numberOf(args[0])
	if !n.finite() {
		return types.Str(string(types.TNumeric.AppendText(nil, args[0], nil)) + " bytes"), nil
	}
	if n.abs().cmp(numberOfInt(10*1024)) < 0 { // digits after the point are shown
		return types.Str(string(types.TNumeric.AppendText(nil, args[0], nil)) + " bytes"), nil
	}
	return types.Str(sizePretty(n)), nil
}

// typeOf is pg_typeof.
func typeOf(ts []*types.Type) EvalFunc { return constant(types.Int(int64(ts[0].OID))) }

// formatType names a type by OID; NULL for a NULL OID.
func formatType(fc *Ctx, args []types.Datum) (types.Datum, error) {
	if args[0].IsNull() {
		return types.Null, nil
	}
	oid := args[0].Int()
	typmod := int32(-1)
	if !args[1].IsNull() {
		typmod = int32(args[1].Int())
	}
	t, ok := types.ByOID(uint32(oid))
	switch {
	case oid == 0:
		return types.Str("-"), nil
	case !ok:
		if d, is := session[Describer](fc); is {
			if name, found := d.FormatType(uint32(oid), typmod); found {
				return types.Str(name), nil
			}
		}
		return types.Str("???"), nil
	}
	if typmod < 0 && args[1].IsNull() && t == types.TBPChar {
		return types.Str(t.SQLName), nil
	}
	return types.Str(types.FormatType(t, typmod)), nil
}

func toRegclass(fc *Ctx, args []types.Datum) (types.Datum, error) {
	if fc == nil || fc.Session == nil {
		return types.Null, nil
	}
	if fc.Env != nil && fc.Env.RegOID != nil {
		if oid, err := fc.Env.RegOID(types.TRegclass, args[0].Str()); err == nil && oid != 0 {
			return types.Int(int64(oid)), nil
		}
		return types.Null, nil
	}
	oid, ok := fc.Session.RelationOID(args[0].Str())
	if !ok {
		return types.Null, nil
	}
	return types.Int(int64(oid)), nil
}

func toRegtype(_ *Ctx, args []types.Datum) (types.Datum, error) {
	t, _, err := types.ParseTypeName(args[0].Str())
	if err != nil {
		return types.Null, nil
	}
	return types.Int(int64(t.OID)), nil
}

// toReg resolves a name through the session's settings; NULL when it names nothing.
func toReg(t *types.Type) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		if fc == nil || fc.Env == nil || fc.Env.RegOID == nil {
			return types.Null, nil
		}
		oid, err := fc.Env.RegOID(t, args[0].Str())
		if err != nil || oid == 0 {
			return types.Null, nil
		}
		return types.Int(int64(oid)), nil
	}
}

// vectorTypes names the types of an oidvector.
func vectorTypes(fc *Ctx, args []types.Datum) (types.Datum, error) {
	var names []string
	for _, e := range arrayOf(args[0]).Elems {
		d, err := formatType(fc, []types.Datum{e, types.Null})
		if err != nil {
			return types.Null, err
		}
		names = append(names, d.Str())
	}
	return types.Str(strings.Join(names, ", ")), nil
}

// columnSize is the length of a value in its binary form.
func columnSize(ts []*types.Type) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		t := ts[0]
		if t.Len > 0 {
			return types.Int(int64(t.Len)), nil
		}
		if t == types.TUnknown {
			t = types.TText
		}
		const header = 4
		return types.Int(int64(len(t.AppendBinary(nil, args[0]))) + header), nil
	}
}

func countNulls(want bool) EvalFunc {
	return func(_ *Ctx, args []types.Datum) (types.Datum, error) {
		n := 0
		for _, a := range args {
			n += b2i(a.IsNull() == want)
		}
		return types.Int(int64(n)), nil
	}
}
