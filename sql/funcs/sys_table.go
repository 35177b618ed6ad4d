package funcs

import "raisind/sql/types"

func systemFuncs() []Func {
	fn := func(name string, v Volatility, nulls NullRule, doc string, example Example, overloads ...Overload) Func {
		return Func{
			Name: name, Group: groupSystem, Volatility: v, Nulls: nulls, Doc: doc,
			Overloads: overloads, Examples: []Example{example},
		}
	}
	stable := func(name, doc, sql, want string, overloads ...Overload) Func {
		return fn(name, Stable, NullOnNull, doc, Example{sql, want}, overloads...)
	}
	null := func(result string, args ...string) []Overload {
		var out []Overload
		for _, a := range args {
			out = append(out, of(a, result, constant(types.Null)))
		}
		return out
	}
	privilege := func(name, what, kind, object, word string) Func {
		return stable(name, "True when a role holds a privilege on a "+what+".", `SELECT `+name+`(`+object+`, '`+word+`')`, "t", privilegeOverloads(kind)...)
	}
	size := func(name, doc string) Func {
		return fn(name, Volatile, NullOnNull, doc, Example{`SELECT ` + name + `('0') IS NULL OR true`, "t"},
			of("regclass", "int8", relationSize))
	}
	out := []Func{
		stable("version", "The server's name and version.", `SELECT version() LIKE 'PostgreSQL %'`, "t", of("", "text", fromSession(Session.ServerVersion))),
		stable("current_database", "The database.", `SELECT current_database() IS NULL`, "f", of("", "name", fromSession(Session.Database))),
		stable("current_schema", "The first schema of the search path.", `SELECT current_schema()`, "public", of("", "name", currentSchema)),
		stable("current_schemas", "The schemas of the search path, with pg_catalog where asked for.", `SELECT current_schemas(true)`, "{pg_catalog,public}",
			of("bool", "name[]", currentSchemas)),
		stable("current_user", "The role that statements run as.", `SELECT current_user IS NULL`, "f", of("", "name", fromSession(Session.User))),
		stable("session_user", "The role that logged in.", `SELECT session_user IS NULL`, "f", of("", "name", fromSession(sessionUser))),
		stable("pg_backend_pid", "The number of the session, for pg_cancel_backend.", `SELECT pg_backend_pid() > 0`, "t",
			of("", "int4", func(fc *Ctx, _ []types.Datum) (types.Datum, error) {
				if fc == nil || fc.Session == nil {
					return types.Null, nil
				}
				return types.Int(int64(fc.Session.PID())), nil
			})),
		stable("current_setting", "The value of a setting; unknown ones are NULL where missing_ok says so.", `SELECT current_setting('no.such', true) IS NULL`, "t",
			of("text", "text", currentSetting), of("text,bool", "text", currentSetting)),
		fn("set_config", Volatile, CalledOnNull, "Sets a setting, for the transaction only where asked for, and returns it.",
			Example{`SELECT set_config('application_name', 'x', true)`, "x"}, of("text,text,bool", "text", setConfig)),
		fn("pg_cancel_backend", Volatile, NullOnNull, "Cancels the statement of another session.", Example{`SELECT pg_cancel_backend(-1)`, "f"},
			of("int4", "bool", signalBackend(Session.Cancel))),
		fn("pg_terminate_backend", Volatile, NullOnNull, "Ends another session.", Example{`SELECT pg_terminate_backend(-1)`, "f"},
			of("pid int4,timeout int8 default 0", "bool", signalBackend(Session.Terminate))),
		fn("raisin_cancel_rebuild", Volatile, NullOnNull, "Cancels a rebuild of a spatial index by its job_id; false when it does not run.",
			Example{`SELECT raisin_cancel_rebuild('none')`, "f"}, of("job_id text", "bool", cancelRebuild)),
		fn("gen_random_uuid", Volatile, NullOnNull, "A random UUID of version 4.", Example{`SELECT length(gen_random_uuid()::text)`, "36"}, of("", "uuid", randomUUID)),
		fn("pg_notify", Volatile, CalledOnNull, "Sends a notification at the end of the transaction.", Example{`SELECT pg_notify('c', 'p') IS NULL`, "f"},
			of("text,text", "void", notify)),
		stable("txid_current", "The number of the transaction.", `SELECT txid_current() IS NULL`, "f", of("", "int8", transactionID)),
		stable("txid_current_if_assigned", "The number of the transaction.", `SELECT txid_current_if_assigned() IS NULL OR true`, "t", of("", "int8", transactionID)),
		stable("pg_current_xact_id", "The number of the transaction.", `SELECT pg_current_xact_id() IS NULL`, "f", of("", "xid8", transactionID)),
		stable("pg_current_xact_id_if_assigned", "The number of the transaction.", `SELECT pg_current_xact_id_if_assigned() IS NULL OR true`, "t", of("", "xid8", transactionID)),
		fn("inet_server_addr", Stable, CalledOnNull, "NULL: addresses are not told.", Example{`SELECT inet_server_addr() IS NULL`, "t"}, null("text", "")...),
		fn("inet_server_port", Stable, CalledOnNull, "NULL: ports are not told.", Example{`SELECT inet_server_port() IS NULL`, "t"}, null("int4", "")...),
		fn("inet_client_addr", Stable, CalledOnNull, "NULL: addresses are not told.", Example{`SELECT inet_client_addr() IS NULL`, "t"}, null("text", "")...),
		fn("inet_client_port", Stable, CalledOnNull, "NULL: ports are not told.", Example{`SELECT inet_client_port() IS NULL`, "t"}, null("int4", "")...),
		fn("pg_is_in_recovery", Volatile, NullOnNull, "False: there are no standby servers.", Example{`SELECT pg_is_in_recovery()`, "f"},
			of("", "bool", constant(types.Bool(false)))),
		stable("pg_postmaster_start_time", "When the server started.", `SELECT pg_postmaster_start_time() <= clock_timestamp()`, "t",
			of("", "timestamptz", constant(types.Int(microsOf(started))))),
		stable("pg_conf_load_time", "When the server read its configuration.", `SELECT pg_conf_load_time() <= clock_timestamp()`, "t",
			of("", "timestamptz", constant(types.Int(microsOf(started))))),
		fn("pg_jit_available", Volatile, NullOnNull, "False.", Example{`SELECT pg_jit_available()`, "f"}, of("", "bool", constant(types.Bool(false)))),
		fn("pg_blocking_pids", Volatile, NullOnNull, "The sessions that a session waits for; always empty.", Example{`SELECT pg_blocking_pids(1)`, "{}"},
			of("int4", "int4[]", constant(types.Ref(newArray(types.TInt4, nil))))),
		stable("pg_my_temp_schema", "0: there are no temporary schemas.", `SELECT pg_my_temp_schema()`, "0", of("", "oid", constant(types.Int(0)))),
		stable("pg_is_other_temp_schema", "False: there are no temporary schemas.", `SELECT pg_is_other_temp_schema(11)`, "f",
			of("oid", "bool", constant(types.Bool(false)))),
		stable("pg_trigger_depth", "How deep in triggers the call is.", `SELECT pg_trigger_depth()`, "0", of("", "int4", triggerDepth)),

		fn("pg_typeof", Stable, CalledOnNull, "The type of a value.", Example{`SELECT pg_typeof(33)`, "integer"}, typed("any", "regtype", typeOf)),
		fn("format_type", Stable, CalledOnNull, "The SQL name of a type with its modifier.", Example{`SELECT format_type(1043, 14)`, "character varying(10)"},
			of("oid,int4", "text", formatType)),
		stable("to_regclass", "The OID of a relation, NULL for an unknown name.", `SELECT to_regclass('no_such_relation') IS NULL`, "t", of("text", "regclass", toRegclass)),
		stable("to_regtype", "The OID of a type, NULL for an unknown name.", `SELECT to_regtype('int4')`, "integer", of("text", "regtype", toRegtype)),
		stable("to_regnamespace", "The OID of a schema, NULL for an unknown name.", `SELECT to_regnamespace('no_such_schema') IS NULL`, "t",
			of("text", "regnamespace", toReg(types.TRegnamespace))),
		stable("to_regproc", "The OID of a function, NULL for an unknown name.", `SELECT to_regproc('no_such_function') IS NULL`, "t",
			of("text", "regproc", toReg(types.TRegproc))),
		stable("to_regrole", "The OID of a role, NULL for an unknown name.", `SELECT to_regrole('no_such_role') IS NULL`, "t",
			of("text", "regrole", toReg(types.TRegrole))),
		stable("oidvectortypes", "The names of types.", `SELECT oidvectortypes('23 25'::oidvector)`, "integer, text", of("oidvector", "text", vectorTypes)),
		stable("pg_get_userbyid", "The name of a role.", `SELECT pg_get_userbyid(10) = session_user`, "t", of("oid", "name", roleName)),
		stable("pg_encoding_to_char", "The name of an encoding.", `SELECT pg_encoding_to_char(6)`, "UTF8", of("int4", "name", encodingName)),
		stable("pg_char_to_encoding", "The number of an encoding.", `SELECT pg_char_to_encoding('UTF8')`, "6", of("name", "int4", encodingNumber)),
		stable("pg_client_encoding", "The encoding of the client.", `SELECT pg_client_encoding()`, "UTF8", of("", "name", constant(types.Str("UTF8")))),
		stable("getdatabaseencoding", "The encoding of the database.", `SELECT getdatabaseencoding()`, "UTF8", of("", "name", constant(types.Str("UTF8")))),

		stable("has_table_privilege", "True when a role holds a privilege on a relation.", `SELECT has_table_privilege('pg_class', 'SELECT')`, "t",
			privilegeOverloads("table")...),
		stable("has_any_column_privilege", "True when a role holds a privilege on a column of a relation.", `SELECT has_any_column_privilege('pg_class', 'SELECT')`, "t",
			privilegeOverloads("column")...),
		stable("has_sequence_privilege", "True when a role holds a privilege on a sequence.", `SELECT has_sequence_privilege(1::oid, 'USAGE')`, "t",
			privilegeOverloads("sequence")...),
		stable("has_column_privilege", "True when a role holds a privilege on a column.", `SELECT has_column_privilege('pg_class', 'relname', 'SELECT')`, "t",
			columnPrivilegeOverloads()...),
		privilege("has_schema_privilege", "schema", "schema", "'public'", "USAGE"),
		privilege("has_database_privilege", "database", "database", "current_database()", "CONNECT"),
		privilege("has_function_privilege", "function", "function", "'now()'", "EXECUTE"),
		privilege("has_type_privilege", "type", "other", "'int4'", "USAGE"),
		privilege("has_language_privilege", "language", "other", "'sql'", "USAGE"),
		privilege("has_tablespace_privilege", "tablespace", "space", "'pg_default'", "CREATE"),
		privilege("has_server_privilege", "foreign server", "other", "1::oid", "USAGE"),
		privilege("has_foreign_data_wrapper_privilege", "foreign data wrapper", "other", "1::oid", "USAGE"),
		stable("pg_has_role", "True when a role is a member of another.", `SELECT pg_has_role(10::oid, 'USAGE')`, "t",
			of("name,name,text", "bool", hasPrivilege("role", -1)), of("name,oid,text", "bool", hasPrivilege("role", -1)), of("name,text", "bool", hasPrivilege("role", -1)),
			of("oid,name,text", "bool", hasPrivilege("role", -1)), of("oid,oid,text", "bool", hasPrivilege("role", -1)), of("oid,text", "bool", hasPrivilege("role", -1))),

		stable("pg_get_expr", "The text of an expression of the catalog.", `SELECT pg_get_expr(NULL, 0) IS NULL`, "t",
			of("pg_node_tree,oid", "text", same), of("pg_node_tree,oid,bool", "text", same)),
		stable("pg_get_partkeydef", "NULL: there are no partitions.", `SELECT pg_get_partkeydef(0) IS NULL`, "t", null("text", "oid")...),
		stable("pg_get_statisticsobjdef_columns", "NULL: there are no extended statistics.", `SELECT pg_get_statisticsobjdef_columns(0) IS NULL`, "t", null("text", "oid")...),
		stable("pg_tablespace_location", "NULL: there are no tablespaces.", `SELECT pg_tablespace_location(1663) IS NULL`, "t", null("text", "oid")...),
		stable("pg_relation_is_publishable", "False: there is no replication by publications.", `SELECT pg_relation_is_publishable('0')`, "f",
			of("regclass", "bool", constant(types.Bool(false)))),
		stable("pg_get_keywords", "The key words of SQL with their classes.", `SELECT count(*) > 400 FROM pg_get_keywords()`, "t",
			set("", "(word text,catcode char,barelabel bool,catdesc text,baredesc text)", getKeywords)),

		fn("pg_size_pretty", Immutable, NullOnNull, "A number of bytes in kB, MB, GB or TB.", Example{`SELECT pg_size_pretty(1048576::bigint)`, "1024 kB"},
			of("int8", "text", sizePrettyInt), of("numeric", "text", sizePrettyNumeric)),
		size("pg_relation_size", "Size of a relation in bytes."), size("pg_table_size", "Size of a relation in bytes."),
		size("pg_total_relation_size", "Size of a relation with its indexes in bytes."), size("pg_indexes_size", "Size of a relation's indexes in bytes."),
		fn("pg_database_size", Volatile, NullOnNull, "Size of the database in bytes.", Example{`SELECT pg_database_size(current_database()) IS NULL OR true`, "t"},
			of("name", "int8", databaseSize), of("oid", "int8", databaseSize)),
		stable("pg_column_size", "Bytes that a value takes.", `SELECT pg_column_size(1)`, "4", typed("any", "int4", columnSize)),
		fn("num_nulls", Immutable, CalledOnNull, "Number of arguments that are NULL.", Example{`SELECT num_nulls(1, NULL, 2)`, "1"},
			of("variadic args any", "int4", countNulls(true))),
		fn("num_nonnulls", Immutable, CalledOnNull, "Number of arguments that are not NULL.", Example{`SELECT num_nonnulls(1, NULL, 2)`, "2"},
			of("variadic args any", "int4", countNulls(false))),
	}
	return append(out, advisoryFuncs()...)
}
