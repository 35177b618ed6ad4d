package funcs

import (
	"strings"

	"raisind/pgerr"
	"raisind/sql/types"
)

// aclWords are the privileges by their letters in an aclitem.
var aclWords = []struct {
	letter byte
	word   string
}{
	{'a', "INSERT"},
	{'r', "SELECT"},
	{'w', "UPDATE"},
	{'d', "DELETE"},
	{'D', "TRUNCATE"},
	{'x', "REFERENCES"},
	{'t', "TRIGGER"},
	{'X', "EXECUTE"},
	{'U', "USAGE"},
	{'C', "CREATE"},
	{'T', "TEMPORARY"},
	{'c', "CONNECT"},
	{'s', "SET"},
	{'A', "ALTER SYSTEM"},
}

// aclItem is an aclitem taken apart.
type aclItem struct {
	grantee, grantor string // empty grantee: PUBLIC
	privileges       string // letters, each with a * for the grant option
}

// parseACLItem reads grantee=privileges/grantor.
func parseACLItem(s string) (aclItem, bool) {
	var it aclItem
	name := func() bool {
		if !strings.HasPrefix(s, `"`) {
			end := strings.IndexAny(s, "=/")
			if end < 0 {
				end = len(s)
			}
			it.grantor, s = s[:end], s[end:]
			return true
		}
		for i := 1; i < len(s); i++ {
			if s[i] == '"' {
				if i+1 < len(s) && s[i+1] == '"' {
					i++
					continue
				}
				it.grantor, s = strings.ReplaceAll(s[1:i], `""`, `"`), s[i+1:]
				return true
			}
		}
		return false
	}
	if !name() || !strings.HasPrefix(s, "=") {
		return it, false
	}
	it.grantee, s = it.grantor, s[1:]
	end := strings.IndexByte(s, '/')
	if end < 0 {
		return it, false
	}
	it.privileges, s = s[:end], s[end+1:]
	return it, name() && s == ""
}

func aclRoleName(name string) string {
	for i := range len(name) {
		c := name[i]
		if c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c < 0x80 {
			return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
	}
	return name
}

func (fc *Ctx) roleByName(name string) types.Datum {
	if name == "" {
		return types.Int(0)
	}
	if d, ok := session[Describer](fc); ok {
		if oid, ok := d.RoleOID(name); ok {
			return types.Int(int64(oid))
		}
	}
	return types.Int(0)
}

func (fc *Ctx) roleByOID(oid uint32) string {
	if oid == 0 {
		return ""
	}
	if d, ok := session[Describer](fc); ok {
		if name, ok := d.RoleName(oid); ok {
			return name
		}
	}
	return string(types.TOID.AppendText(nil, types.Int(int64(oid)), nil))
}

// explodeACL gives one row for each privilege of each item.
func explodeACL(fc *Ctx, args []types.Datum) (RowSource, error) {
	var rows []types.Row
	for _, e := range arrayOf(args[0]).Elems {
		it, ok := parseACLItem(e.Str())
		if !ok {
			return nil, pgerr.New(pgerr.InvalidTextRepresentation, "invalid input syntax for type aclitem: %q", e.Str())
		}
		for _, w := range aclWords {
			i := strings.IndexByte(it.privileges, w.letter)
			if i < 0 {
				continue
			}
			option := i+1 < len(it.privileges) && it.privileges[i+1] == '*'
			rows = append(rows, types.Row{fc.roleByName(it.grantor), fc.roleByName(it.grantee), types.Str(w.word), types.Bool(option)})
		}
	}
	i := 0
	return rowFunc(func() (types.Row, bool, error) {
		if i == len(rows) {
			return nil, false, nil
		}
		i++
		return rows[i-1], true, nil
	}), nil
}

// defaultACLs are what the owner and PUBLIC hold of an object without an ACL, by the
// letters of acldefault.
var defaultACLs = map[string][2]string{
	"c": {"", ""}, "r": {"arwdDxt", ""}, "s": {"rwU", ""}, "d": {"CTc", "Tc"}, "f": {"X", "X"}, "l": {"U", "U"}, "L": {"rw", ""},
	"n": {"UC", ""}, "p": {"sA", ""}, "t": {"C", ""}, "F": {"U", ""}, "S": {"U", ""}, "T": {"U", "U"},
}

func defaultACL(fc *Ctx, args []types.Datum) (types.Datum, error) {
	acl, ok := defaultACLs[args[0].Str()]
	if !ok {
		return types.Null, pgerr.New(pgerr.InvalidParameterValue, "unrecognized object type abbreviation: %s", args[0].Str())
	}
	owner := aclRoleName(fc.roleByOID(uint32(args[1].Int())))
	var items []types.Datum
	if acl[1] != "" {
		items = append(items, types.Str("="+acl[1]+"/"+owner))
	}
	if acl[0] != "" {
		items = append(items, types.Str(owner+"="+acl[0]+"/"+owner))
	}
	return types.NewArray(types.TACLItem, items), nil
}

func makeACLItem(fc *Ctx, args []types.Datum) (types.Datum, error) {
	letters := ""
	for p := range strings.SplitSeq(args[2].Str(), ",") {
		word := strings.ToUpper(strings.Join(strings.Fields(p), " "))
		if word == "TEMP" {
			word = "TEMPORARY"
		}
		known := false
		for _, w := range aclWords {
			if w.word == word {
				letters += string(rune(w.letter))
				known = true
			}
		}
		if !known {
			return types.Null, pgerr.New(pgerr.InvalidParameterValue, "unrecognized privilege type: \"%s\"", strings.TrimSpace(p))
		}
	}
	var b strings.Builder
	for _, w := range aclWords {
		if strings.IndexByte(letters, w.letter) >= 0 {
			b.WriteByte(w.letter)
			if args[3].Bool() {
				b.WriteByte('*')
			}
		}
	}
	return types.Str(aclRoleName(fc.roleByOID(uint32(args[0].Int()))) + "=" + b.String() + "/" + aclRoleName(fc.roleByOID(uint32(args[1].Int())))), nil
}

func containsACL(_ *Ctx, args []types.Datum) (types.Datum, error) {
	want, ok := parseACLItem(args[1].Str())
	if !ok {
		return types.Null, pgerr.New(pgerr.InvalidTextRepresentation, "invalid input syntax for type aclitem: %q", args[1].Str())
	}
	for _, e := range arrayOf(args[0]).Elems {
		it, ok := parseACLItem(e.Str())
		if !ok || it.grantee != want.grantee || it.grantor != want.grantor {
			continue
		}
		all := true
		for i := range len(want.privileges) {
			all = all && strings.IndexByte(it.privileges, want.privileges[i]) >= 0
		}
		if all {
			return types.Bool(true), nil
		}
	}
	return types.Bool(false), nil
}

func aclFuncs() []Func {
	fn := func(name string, v Volatility, doc, sql, want string, overloads ...Overload) Func {
		return Func{Name: name, Group: groupSystem, Volatility: v, Doc: doc, Overloads: overloads, Examples: []Example{{sql, want}}}
	}
	return []Func{
		fn("aclexplode", Stable, "The privileges of an ACL, one by one.", `SELECT privilege_type FROM aclexplode(ARRAY['=r/raisin'::aclitem])`, "SELECT",
			set("acl aclitem[]", "(grantor oid,grantee oid,privilege_type text,is_grantable bool)", explodeACL)),
		fn("acldefault", Stable, "The ACL of an object that was given none.", `SELECT array_length(acldefault('d', 10), 1)`, "2", of("char,oid", "aclitem[]", defaultACL)),
		fn("makeaclitem", Stable, "An aclitem from its parts: grantee, grantor, privileges, grant option.", `SELECT makeaclitem(0, 10, 'SELECT', false)::text LIKE '=r/%'`, "t",
			of("oid,oid,text,bool", "aclitem", makeACLItem)),
		fn("aclcontains", Stable, "True when an ACL holds what an item grants.", `SELECT aclcontains(ARRAY['=r/raisin'::aclitem], '=r/raisin'::aclitem)`, "t",
			of("aclitem[],aclitem", "bool", containsACL)),
	}
}
