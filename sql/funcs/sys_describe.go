package funcs

import (
	"strings"

	"raisind/pgerr"
	"raisind/sql/types"
)

// Describer may be implemented by a Session that knows the catalog: it answers what
// functions about objects ask.
type Describer interface {
	// Definition is the SQL text of an object or a part of it; see syscat.Names.Definition.
	Definition(kind string, oid uint32, sub int, pretty bool) (string, bool)
	// Visible tells whether the search path leads to an object of a relation of
	// pg_catalog; ok is false when there is none.
	Visible(relation string, oid uint32) (visible, ok bool)
	// Comment is the comment on an object, or on a column; an empty class is any.
	Comment(class string, oid uint32, column int) (string, bool)
	// SharedComment is the comment on a role or database.
	SharedComment(class string, oid uint32) (string, bool)
	// RoleName and RoleOID name roles.
	RoleName(oid uint32) (string, bool)
	RoleOID(name string) (uint32, bool)
	// FormatType names any type, with its modifier.
	FormatType(oid uint32, typmod int32) (string, bool)
	// Object describes an object of a class of pg_depend.
	Object(class, oid uint32, sub int) (o ObjectName, ok bool)
}

// ObjectName is what pg_describe_object and pg_identify_object say.
type ObjectName struct {
	Description          string
	Type                 string
	Schema, Name         string // empty where the object has none
	Identity             string
	AddressName, Address []string
}

// defined asks the session for the text of an object; sub is the argument that says
// which part, pretty the one that asks for readable text, -1 for none.
func defined(kind string, sub, pretty int) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		d, ok := session[Describer](fc)
		if !ok {
			return types.Null, nil
		}
		part, readable := 0, false
		if sub >= 0 {
			part = int(args[sub].Int())
		}
		if pretty >= 0 {
			readable = args[pretty].Bool()
		}
		s, ok := d.Definition(kind, uint32(args[0].Int()), part, readable)
		return strOrNull(s, ok), nil
	}
}

// viewByName is pg_get_viewdef of a name.
func viewByName(pretty bool) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		d, ok := session[Describer](fc)
		if !ok {
			return types.Null, nil
		}
		oid, ok := fc.Session.RelationOID(args[0].Str())
		if !ok {
			return types.Null, pgerr.New(pgerr.UndefinedTable, "relation \"%s\" does not exist", args[0].Str())
		}
		s, ok := d.Definition("view", oid, 0, pretty)
		return strOrNull(s, ok), nil
	}
}

func visibleIn(relation string) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		d, ok := session[Describer](fc)
		if !ok {
			return types.Null, nil
		}
		v, ok := d.Visible(relation, uint32(args[0].Int()))
		if !ok {
			return types.Null, nil
		}
		return types.Bool(v), nil
	}
}

// objectComment is obj_description; class is the argument that names the relation of
// pg_catalog, -1 for any.
func objectComment(class int) EvalFunc {
	return func(fc *Ctx, args []types.Datum) (types.Datum, error) {
		d, ok := session[Describer](fc)
		if !ok {
			return types.Null, nil
		}
		name := ""
		if class >= 0 {
			name = args[class].Str()
		}
		s, ok := d.Comment(name, uint32(args[0].Int()), 0)
		return strOrNull(s, ok), nil
	}
}

func columnComment(fc *Ctx, args []types.Datum) (types.Datum, error) {
	d, ok := session[Describer](fc)
	if !ok {
		return types.Null, nil
	}
	s, ok := d.Comment("pg_class", uint32(args[0].Int()), int(args[1].Int()))
	return strOrNull(s, ok), nil
}

func sharedComment(fc *Ctx, args []types.Datum) (types.Datum, error) {
	d, ok := session[Describer](fc)
	if !ok {
		return types.Null, nil
	}
	s, ok := d.SharedComment(args[1].Str(), uint32(args[0].Int()))
	return strOrNull(s, ok), nil
}

func describeObject(fc *Ctx, args []types.Datum) (types.Datum, error) {
	d, ok := session[Describer](fc)
	if !ok {
		return types.Null, nil
	}
	o, ok := d.Object(uint32(args[0].Int()), uint32(args[1].Int()), int(args[2].Int()))
	return strOrNull(o.Description, ok), nil
}

func identifyObject(fc *Ctx, args []types.Datum) (RowSource, error) {
	d, ok := session[Describer](fc)
	if !ok {
		return noRows, nil
	}
	o, ok := d.Object(uint32(args[0].Int()), uint32(args[1].Int()), int(args[2].Int()))
	if !ok {
		return oneRow(types.Null, types.Null, types.Null, types.Null), nil
	}
	return oneRow(strOrNull(o.Type, true), strOrNull(o.Schema, o.Schema != ""), strOrNull(o.Name, o.Name != ""), strOrNull(o.Identity, true)), nil
}

func identifyAsAddress(fc *Ctx, args []types.Datum) (RowSource, error) {
	d, ok := session[Describer](fc)
	if !ok {
		return noRows, nil
	}
	o, ok := d.Object(uint32(args[0].Int()), uint32(args[1].Int()), int(args[2].Int()))
	if !ok {
		return oneRow(types.Null, types.Null, types.Null), nil
	}
	return oneRow(types.Str(o.Type), types.StringArray(o.AddressName), types.StringArray(o.Address)), nil
}

// oneRow is a set of one row.
func oneRow(values ...types.Datum) RowSource {
	done := false
	return rowFunc(func() (types.Row, bool, error) {
		if done {
			return nil, false, nil
		}
		done = true
		return values, true, nil
	})
}

// optionRows splits name=value.
func optionRows(_ *Ctx, args []types.Datum) (RowSource, error) {
	elems := arrayOf(args[0]).Elems
	i := 0
	return rowFunc(func() (types.Row, bool, error) {
		if i == len(elems) {
			return nil, false, nil
		}
		i++
		name, value, ok := strings.Cut(elems[i-1].Str(), "=")
		return types.Row{types.Str(name), strOrNull(value, ok)}, true, nil
	}), nil
}

func nameWithOID(_ *Ctx, args []types.Datum) (types.Datum, error) {
	return types.Str(types.TruncateName(args[0].Str() + "_" + string(types.TOID.AppendText(nil, args[1], nil)))), nil
}

// describingFuncs are about objects of the catalog.
func describingFuncs() []Func {
	fn := func(name, doc, sql, want string, overloads ...Overload) Func {
		return Func{
			Name: name, Group: groupSystem, Volatility: Stable, Doc: doc, Overloads: overloads, Examples: []Example{{sql, want}},
		}
	}
	none := func(name string) string { return `SELECT ` + name + `(0) IS NULL` }
	visible := func(name, what, relation string) Func {
		return fn(name, "True when a "+what+" is found without its schema.", none(name), "t", of("oid", "bool", visibleIn(relation)))
	}
	reg := func(t *types.Type, what string) Func {
		name := "to_" + t.Name
		return fn(name, "The OID of a "+what+", NULL for an unknown name.", `SELECT `+name+`('no_such') IS NULL`, "t", of("text", t.Name, toReg(t)))
	}
	immutable := func(f Func) Func {
		f.Volatility = Immutable
		return f
	}
	return []Func{
		visible("pg_table_is_visible", "relation", "pg_class"), visible("pg_type_is_visible", "type", "pg_type"),
		visible("pg_function_is_visible", "function", "pg_proc"), visible("pg_operator_is_visible", "operator", "pg_operator"),
		visible("pg_opclass_is_visible", "operator class", "pg_opclass"), visible("pg_opfamily_is_visible", "operator family", "pg_opfamily"),
		visible("pg_collation_is_visible", "collation", "pg_collation"), visible("pg_conversion_is_visible", "conversion", "pg_conversion"),
		visible("pg_statistics_obj_is_visible", "statistics object", "pg_statistic_ext"), visible("pg_ts_config_is_visible", "text search configuration", "pg_ts_config"),
		visible("pg_ts_dict_is_visible", "text search dictionary", "pg_ts_dict"), visible("pg_ts_parser_is_visible", "text search parser", "pg_ts_parser"),
		visible("pg_ts_template_is_visible", "text search template", "pg_ts_template"),
		fn("obj_description", "The comment on an object.", `SELECT obj_description(0, 'pg_class') IS NULL`, "t",
			of("oid", "text", objectComment(-1)), of("oid,name", "text", objectComment(1))),
		fn("col_description", "The comment on a column.", `SELECT col_description(0, 1) IS NULL`, "t", of("oid,int4", "text", columnComment)),
		fn("shobj_description", "The comment on a shared object.", `SELECT shobj_description(0, 'pg_database') IS NULL`, "t", of("oid,name", "text", sharedComment)),
		fn("pg_get_constraintdef", "The SQL that defines a constraint; NULL for none.", none("pg_get_constraintdef"), "t",
			of("oid", "text", defined("constraint", -1, -1)), of("oid,bool", "text", defined("constraint", -1, 1))),
		fn("pg_get_indexdef", "The SQL that defines an index, or one of its keys; NULL for none.", none("pg_get_indexdef"), "t",
			of("oid", "text", defined("index", -1, -1)), of("oid,int4,bool", "text", defined("index", 1, 2))),
		fn("pg_get_viewdef", "The query of a view; NULL for none.", none("pg_get_viewdef"), "t",
			of("oid", "text", defined("view", -1, -1)), of("oid,bool", "text", defined("view", -1, 1)), of("oid,int4", "text", defined("view", -1, -1)),
			of("text", "text", viewByName(false)), of("text,bool", "text", viewByName(true))),
		fn("pg_get_functiondef", "The SQL that defines a function; NULL for none.", none("pg_get_functiondef"), "t", of("oid", "text", defined("function", -1, -1))),
		fn("pg_get_triggerdef", "The SQL that defines a trigger; NULL for none.", none("pg_get_triggerdef"), "t",
			of("oid", "text", defined("trigger", -1, -1)), of("oid,bool", "text", defined("trigger", -1, 1))),
		fn("pg_get_ruledef", "The SQL that defines a rule; NULL for none.", none("pg_get_ruledef"), "t",
			of("oid", "text", defined("rule", -1, -1)), of("oid,bool", "text", defined("rule", -1, 1))),
		fn("pg_get_function_arguments", "The arguments of a function.", none("pg_get_function_arguments"), "t", of("oid", "text", defined("arguments", -1, -1))),
		fn("pg_get_function_identity_arguments", "The arguments of a function that tell it from others.", none("pg_get_function_identity_arguments"), "t",
			of("oid", "text", defined("identity", -1, -1))),
		fn("pg_get_function_result", "The result of a function.", none("pg_get_function_result"), "t", of("oid", "text", defined("result", -1, -1))),
		fn("pg_get_function_sqlbody", "The body of a function in SQL.", none("pg_get_function_sqlbody"), "t", of("oid", "text", defined("body", -1, -1))),
		fn("pg_get_function_arg_default", "The default of an argument.", `SELECT pg_get_function_arg_default(0, 1) IS NULL`, "t",
			of("oid,int4", "text", defined("default", 1, -1))),
		fn("pg_describe_object", "What an object is, in words.", `SELECT pg_describe_object(0, 0, 0) IS NULL`, "t", of("oid,oid,int4", "text", describeObject)),
		fn("pg_identify_object", "What an object is, in parts.", `SELECT count(*) FROM pg_identify_object(1259, 1259, 0)`, "1",
			set("oid,oid,int4", "(type text,schema text,name text,identity text)", identifyObject)),
		fn("pg_identify_object_as_address", "What an object is, as a list of names.", `SELECT count(*) FROM pg_identify_object_as_address(1259, 1259, 0)`, "1",
			set("oid,oid,int4", "(type text,object_names text[],object_args text[])", identifyAsAddress)),
		fn("pg_options_to_table", "Options as names and values.", `SELECT option_value FROM pg_options_to_table('{a=1}')`, "1",
			set("options_array text[]", "(option_name text,option_value text)", optionRows)),
		immutable(fn("nameconcatoid", "A name and a number, as information_schema joins them.", `SELECT nameconcatoid('abs', 1397)`, "abs_1397", of("name,oid", "name", nameWithOID))),
		reg(types.TRegprocedure, "function with its arguments"), reg(types.TRegoper, "operator"), reg(types.TRegoperator, "operator with its arguments"),
		reg(types.TRegcollation, "collation"),
	}
}
