-- pg_catalog.pg_group
 SELECT pg_authid.rolname AS groname,
 pg_authid.oid AS grosysid,
 ARRAY( SELECT pg_auth_members.member
 FROM pg_auth_members
 WHERE (pg_auth_members.roleid = pg_authid.oid)) AS grolist
 FROM pg_authid
 WHERE (NOT pg_authid.rolcanlogin);
-- pg_catalog.pg_indexes
 SELECT n.nspname AS schemaname,
 c.relname AS tablename,
 i.relname AS indexname,
 t.spcname AS tablespace,
 pg_get_indexdef(i.oid) AS indexdef
 FROM ((((pg_index x
 JOIN pg_class c ON ((c.oid = x.indrelid)))
 JOIN pg_class i ON ((i.oid = x.indexrelid)))
 LEFT JOIN pg_namespace n ON ((n.oid = c.relnamespace)))
 LEFT JOIN pg_tablespace t ON ((t.oid = i.reltablespace)))
 WHERE ((c.relkind = ANY (ARRAY['r'::"char", 'm'::"char", 'p'::"char"])) AND (i.relkind = ANY (ARRAY['i'::"char", 'I'::"char"])));
-- pg_catalog.pg_matviews
 SELECT n.nspname AS schemaname,
 c.relname AS matviewname,
 pg_get_userbyid(c.relowner) AS matviewowner,
 t.spcname AS tablespace,
 c.relhasindex AS hasindexes,
 c.relispopulated AS ispopulated,
 pg_get_viewdef(c.oid) AS definition
 FROM ((pg_class c
 LEFT JOIN pg_namespace n ON ((n.oid = c.relnamespace)))
 LEFT JOIN pg_tablespace t ON ((t.oid = c.reltablespace)))
 WHERE (c.relkind = 'm'::"char");
-- pg_catalog.pg_policies
 SELECT n.nspname AS schemaname,
 c.relname AS tablename,
 pol.polname AS policyname,
 CASE
 WHEN pol.polpermissive THEN 'PERMISSIVE'::text
 ELSE 'RESTRICTIVE'::text
 END AS permissive,
 CASE
 WHEN (pol.polroles = '{0}'::oid[]) THEN (string_to_array('public'::text, ''::text))::name[]
 ELSE ARRAY( SELECT pg_authid.rolname
 FROM pg_authid
 WHERE (pg_authid.oid = ANY (pol.polroles))
 ORDER BY pg_authid.rolname)
 END AS roles,
 CASE pol.polcmd
 WHEN 'r'::"char" THEN 'SELECT'::text
 WHEN 'a'::"char" THEN 'INSERT'::text
 WHEN 'w'::"char" THEN 'UPDATE'::text
 WHEN 'd'::"char" THEN 'DELETE'::text
 WHEN '*'::"char" THEN 'ALL'::text
 ELSE NULL::text
 END AS cmd,
 pg_get_expr(pol.polqual, pol.polrelid) AS qual,
 pg_get_expr(pol.polwithcheck, pol.polrelid) AS with_check
 FROM ((pg_policy pol
 JOIN pg_class c ON ((c.oid = pol.polrelid)))
 LEFT JOIN pg_namespace n ON ((n.oid = c.relnamespace)));
-- pg_catalog.pg_roles
 SELECT pg_authid.rolname,
 pg_authid.rolsuper,
 pg_authid.rolinherit,
 pg_authid.rolcreaterole,
 pg_authid.rolcreatedb,
 pg_authid.rolcanlogin,
 pg_authid.rolreplication,
 pg_authid.rolconnlimit,
 '********'::text AS rolpassword,
 pg_authid.rolvaliduntil,
 pg_authid.rolbypassrls,
 s.setconfig AS rolconfig,
 pg_authid.oid
 FROM (pg_authid
 LEFT JOIN pg_db_role_setting s ON (((pg_authid.oid = s.setrole) AND (s.setdatabase = (0)::oid))));
-- pg_catalog.pg_rules
 SELECT n.nspname AS schemaname,
 c.relname AS tablename,
 r.rulename,
 pg_get_ruledef(r.oid) AS definition
 FROM ((pg_rewrite r
 JOIN pg_class c ON ((c.oid = r.ev_class)))
 LEFT JOIN pg_namespace n ON ((n.oid = c.relnamespace)))
 WHERE (r.rulename <> '_RETURN'::name);
-- pg_catalog.pg_sequences
 SELECT n.nspname AS schemaname,
 c.relname AS sequencename,
 pg_get_userbyid(c.relowner) AS sequenceowner,
 (s.seqtypid)::regtype AS data_type,
 s.seqstart AS start_value,
 s.seqmin AS min_value,
 s.seqmax AS max_value,
 s.seqincrement AS increment_by,
 s.seqcycle AS cycle,
 s.seqcache AS cache_size,
 CASE
 WHEN has_sequence_privilege(c.oid, 'SELECT,USAGE'::text) THEN pg_sequence_last_value((c.oid)::regclass)
 ELSE NULL::bigint
 END AS last_value
 FROM ((pg_sequence s
 JOIN pg_class c ON ((c.oid = s.seqrelid)))
 LEFT JOIN pg_namespace n ON ((n.oid = c.relnamespace)))
 WHERE ((NOT pg_is_other_temp_schema(n.oid)) AND (c.relkind = 'S'::"char"));
-- pg_catalog.pg_shadow
 SELECT pg_authid.rolname AS usename,
 pg_authid.oid AS usesysid,
 pg_authid.rolcreatedb AS usecreatedb,
 pg_authid.rolsuper AS usesuper,
 pg_authid.rolreplication AS userepl,
 pg_authid.rolbypassrls AS usebypassrls,
 pg_authid.rolpassword AS passwd,
 pg_authid.rolvaliduntil AS valuntil,
 s.setconfig AS useconfig
 FROM (pg_authid
 LEFT JOIN pg_db_role_setting s ON (((pg_authid.oid = s.setrole) AND (s.setdatabase = (0)::oid))))
 WHERE pg_authid.rolcanlogin;
-- pg_catalog.pg_stat_all_indexes
 SELECT c.oid AS relid,
 i.oid AS indexrelid,
 n.nspname AS schemaname,
 c.relname,
 i.relname AS indexrelname,
 pg_stat_get_numscans(i.oid) AS idx_scan,
 pg_stat_get_tuples_returned(i.oid) AS idx_tup_read,
 pg_stat_get_tuples_fetched(i.oid) AS idx_tup_fetch
 FROM (((pg_class c
 JOIN pg_index x ON ((c.oid = x.indrelid)))
 JOIN pg_class i ON ((i.oid = x.indexrelid)))
 LEFT JOIN pg_namespace n ON ((n.oid = c.relnamespace)))
 WHERE (c.relkind = ANY (ARRAY['r'::"char", 't'::"char", 'm'::"char"]));
-- pg_catalog.pg_stat_all_tables
 SELECT c.oid AS relid,
 n.nspname AS schemaname,
 c.relname,
 pg_stat_get_numscans(c.oid) AS seq_scan,
 pg_stat_get_tuples_returned(c.oid) AS seq_tup_read,
 (sum(pg_stat_get_numscans(i.indexrelid)))::bigint AS idx_scan,
 ((sum(pg_stat_get_tuples_fetched(i.indexrelid)))::bigint + pg_stat_get_tuples_fetched(c.oid)) AS idx_tup_fetch,
 pg_stat_get_tuples_inserted(c.oid) AS n_tup_ins,
 pg_stat_get_tuples_updated(c.oid) AS n_tup_upd,
 pg_stat_get_tuples_deleted(c.oid) AS n_tup_del,
 pg_stat_get_tuples_hot_updated(c.oid) AS n_tup_hot_upd,
 pg_stat_get_live_tuples(c.oid) AS n_live_tup,
 pg_stat_get_dead_tuples(c.oid) AS n_dead_tup,
 pg_stat_get_mod_since_analyze(c.oid) AS n_mod_since_analyze,
 pg_stat_get_ins_since_vacuum(c.oid) AS n_ins_since_vacuum,
 pg_stat_get_last_vacuum_time(c.oid) AS last_vacuum,
 pg_stat_get_last_autovacuum_time(c.oid) AS last_autovacuum,
 pg_stat_get_last_analyze_time(c.oid) AS last_analyze,
 pg_stat_get_last_autoanalyze_time(c.oid) AS last_autoanalyze,
 pg_stat_get_vacuum_count(c.oid) AS vacuum_count,
 pg_stat_get_autovacuum_count(c.oid) AS autovacuum_count,
 pg_stat_get_analyze_count(c.oid) AS analyze_count,
 pg_stat_get_autoanalyze_count(c.oid) AS autoanalyze_count
 FROM ((pg_class c
 LEFT JOIN pg_index i ON ((c.oid = i.indrelid)))
 LEFT JOIN pg_namespace n ON ((n.oid = c.relnamespace)))
 WHERE (c.relkind = ANY (ARRAY['r'::"char", 't'::"char", 'm'::"char", 'p'::"char"]))
 GROUP BY c.oid, n.nspname, c.relname;
-- pg_catalog.pg_stat_sys_indexes
 SELECT pg_stat_all_indexes.relid,
 pg_stat_all_indexes.indexrelid,
 pg_stat_all_indexes.schemaname,
 pg_stat_all_indexes.relname,
 pg_stat_all_indexes.indexrelname,
 pg_stat_all_indexes.idx_scan,
 pg_stat_all_indexes.idx_tup_read,
 pg_stat_all_indexes.idx_tup_fetch
 FROM pg_stat_all_indexes
 WHERE ((pg_stat_all_indexes.schemaname = ANY (ARRAY['pg_catalog'::name, 'information_schema'::name])) OR (pg_stat_all_indexes.schemaname ~ '^pg_toast'::text));
-- pg_catalog.pg_stat_sys_tables
 SELECT pg_stat_all_tables.relid,
 pg_stat_all_tables.schemaname,
 pg_stat_all_tables.relname,
 pg_stat_all_tables.seq_scan,
 pg_stat_all_tables.seq_tup_read,
 pg_stat_all_tables.idx_scan,
 pg_stat_all_tables.idx_tup_fetch,
 pg_stat_all_tables.n_tup_ins,
 pg_stat_all_tables.n_tup_upd,
 pg_stat_all_tables.n_tup_del,
 pg_stat_all_tables.n_tup_hot_upd,
 pg_stat_all_tables.n_live_tup,
 pg_stat_all_tables.n_dead_tup,
 pg_stat_all_tables.n_mod_since_analyze,
 pg_stat_all_tables.n_ins_since_vacuum,
 pg_stat_all_tables.last_vacuum,
 pg_stat_all_tables.last_autovacuum,
 pg_stat_all_tables.last_analyze,
 pg_stat_all_tables.last_autoanalyze,
 pg_stat_all_tables.vacuum_count,
 pg_stat_all_tables.autovacuum_count,
 pg_stat_all_tables.analyze_count,
 pg_stat_all_tables.autoanalyze_count
 FROM pg_stat_all_tables
 WHERE ((pg_stat_all_tables.schemaname = ANY (ARRAY['pg_catalog'::name, 'information_schema'::name])) OR (pg_stat_all_tables.schemaname ~ '^pg_toast'::text));
-- pg_catalog.pg_stat_user_functions
 SELECT p.oid AS funcid,
 n.nspname AS schemaname,
 p.proname AS funcname,
 pg_stat_get_function_calls(p.oid) AS calls,
 pg_stat_get_function_total_time(p.oid) AS total_time,
 pg_stat_get_function_self_time(p.oid) AS self_time
 FROM (pg_proc p
 LEFT JOIN pg_namespace n ON ((n.oid = p.pronamespace)))
 WHERE ((p.prolang <> (12)::oid) AND (pg_stat_get_function_calls(p.oid) IS NOT NULL));
-- pg_catalog.pg_stat_user_indexes
 SELECT pg_stat_all_indexes.relid,
 pg_stat_all_indexes.indexrelid,
 pg_stat_all_indexes.schemaname,
 pg_stat_all_indexes.relname,
 pg_stat_all_indexes.indexrelname,
 pg_stat_all_indexes.idx_scan,
 pg_stat_all_indexes.idx_tup_read,
 pg_stat_all_indexes.idx_tup_fetch
 FROM pg_stat_all_indexes
 WHERE ((pg_stat_all_indexes.schemaname <> ALL (ARRAY['pg_catalog'::name, 'information_schema'::name])) AND (pg_stat_all_indexes.schemaname !~ '^pg_toast'::text));
-- pg_catalog.pg_stat_user_tables
 SELECT pg_stat_all_tables.relid,
 pg_stat_all_tables.schemaname,
 pg_stat_all_tables.relname,
 pg_stat_all_tables.seq_scan,
 pg_stat_all_tables.seq_tup_read,
 pg_stat_all_tables.idx_scan,
 pg_stat_all_tables.idx_tup_fetch,
 pg_stat_all_tables.n_tup_ins,
 pg_stat_all_tables.n_tup_upd,
 pg_stat_all_tables.n_tup_del,
 pg_stat_all_tables.n_tup_hot_upd,
 pg_stat_all_tables.n_live_tup,
 pg_stat_all_tables.n_dead_tup,
 pg_stat_all_tables.n_mod_since_analyze,
 pg_stat_all_tables.n_ins_since_vacuum,
 pg_stat_all_tables.last_vacuum,
 pg_stat_all_tables.last_autovacuum,
 pg_stat_all_tables.last_analyze,
 pg_stat_all_tables.last_autoanalyze,
 pg_stat_all_tables.vacuum_count,
 pg_stat_all_tables.autovacuum_count,
 pg_stat_all_tables.analyze_count,
 pg_stat_all_tables.autoanalyze_count
 FROM pg_stat_all_tables
 WHERE ((pg_stat_all_tables.schemaname <> ALL (ARRAY['pg_catalog'::name, 'information_schema'::name])) AND (pg_stat_all_tables.schemaname !~ '^pg_toast'::text));
-- pg_catalog.pg_stat_xact_all_tables
 SELECT c.oid AS relid,
 n.nspname AS schemaname,
 c.relname,
 pg_stat_get_xact_numscans(c.oid) AS seq_scan,
 pg_stat_get_xact_tuples_returned(c.oid) AS seq_tup_read,
 (sum(pg_stat_get_xact_numscans(i.indexrelid)))::bigint AS idx_scan,
 ((sum(pg_stat_get_xact_tuples_fetched(i.indexrelid)))::bigint + pg_stat_get_xact_tuples_fetched(c.oid)) AS idx_tup_fetch,
 pg_stat_get_xact_tuples_inserted(c.oid) AS n_tup_ins,
 pg_stat_get_xact_tuples_updated(c.oid) AS n_tup_upd,
 pg_stat_get_xact_tuples_deleted(c.oid) AS n_tup_del,
 pg_stat_get_xact_tuples_hot_updated(c.oid) AS n_tup_hot_upd
 FROM ((pg_class c
 LEFT JOIN pg_index i ON ((c.oid = i.indrelid)))
 LEFT JOIN pg_namespace n ON ((n.oid = c.relnamespace)))
 WHERE (c.relkind = ANY (ARRAY['r'::"char", 't'::"char", 'm'::"char", 'p'::"char"]))
 GROUP BY c.oid, n.nspname, c.relname;
-- pg_catalog.pg_stat_xact_sys_tables
 SELECT pg_stat_xact_all_tables.relid,
 pg_stat_xact_all_tables.schemaname,
 pg_stat_xact_all_tables.relname,
 pg_stat_xact_all_tables.seq_scan,
 pg_stat_xact_all_tables.seq_tup_read,
 pg_stat_xact_all_tables.idx_scan,
 pg_stat_xact_all_tables.idx_tup_fetch,
 pg_stat_xact_all_tables.n_tup_ins,
 pg_stat_xact_all_tables.n_tup_upd,
 pg_stat_xact_all_tables.n_tup_del,
 pg_stat_xact_all_tables.n_tup_hot_upd
 FROM pg_stat_xact_all_tables
 WHERE ((pg_stat_xact_all_tables.schemaname = ANY (ARRAY['pg_catalog'::name, 'information_schema'::name])) OR (pg_stat_xact_all_tables.schemaname ~ '^pg_toast'::text));
-- pg_catalog.pg_stat_xact_user_functions
 SELECT p.oid AS funcid,
 n.nspname AS schemaname,
 p.proname AS funcname,
 pg_stat_get_xact_function_calls(p.oid) AS calls,
 pg_stat_get_xact_function_total_time(p.oid) AS total_time,
 pg_stat_get_xact_function_self_time(p.oid) AS self_time
 FROM (pg_proc p
 LEFT JOIN pg_namespace n ON ((n.oid = p.pronamespace)))
 WHERE ((p.prolang <> (12)::oid) AND (pg_stat_get_xact_function_calls(p.oid) IS NOT NULL));
-- pg_catalog.pg_stat_xact_user_tables
 SELECT pg_stat_xact_all_tables.relid,
 pg_stat_xact_all_tables.schemaname,
 pg_stat_xact_all_tables.relname,
 pg_stat_xact_all_tables.seq_scan,
 pg_stat_xact_all_tables.seq_tup_read,
 pg_stat_xact_all_tables.idx_scan,
 pg_stat_xact_all_tables.idx_tup_fetch,
 pg_stat_xact_all_tables.n_tup_ins,
 pg_stat_xact_all_tables.n_tup_upd,
 pg_stat_xact_all_tables.n_tup_del,
 pg_stat_xact_all_tables.n_tup_hot_upd
 FROM pg_stat_xact_all_tables
 WHERE ((pg_stat_xact_all_tables.schemaname <> ALL (ARRAY['pg_catalog'::name, 'information_schema'::name])) AND (pg_stat_xact_all_tables.schemaname !~ '^pg_toast'::text));
-- pg_catalog.pg_statio_all_indexes
 SELECT c.oid AS relid,
 i.oid AS indexrelid,
 n.nspname AS schemaname,
 c.relname,
 i.relname AS indexrelname,
 (pg_stat_get_blocks_fetched(i.oid) - pg_stat_get_blocks_hit(i.oid)) AS idx_blks_read,
 pg_stat_get_blocks_hit(i.oid) AS idx_blks_hit
 FROM (((pg_class c
 JOIN pg_index x ON ((c.oid = x.indrelid)))
 JOIN pg_class i ON ((i.oid = x.indexrelid)))
 LEFT JOIN pg_namespace n ON ((n.oid = c.relnamespace)))
 WHERE (c.relkind = ANY (ARRAY['r'::"char", 't'::"char", 'm'::"char"]));
-- pg_catalog.pg_statio_all_sequences
 SELECT c.oid AS relid,
 n.nspname AS schemaname,
 c.relname,
 (pg_stat_get_blocks_fetched(c.oid) - pg_stat_get_blocks_hit(c.oid)) AS blks_read,
 pg_stat_get_blocks_hit(c.oid) AS blks_hit
 FROM (pg_class c
 LEFT JOIN pg_namespace n ON ((n.oid = c.relnamespace)))
 WHERE (c.relkind = 'S'::"char");
-- pg_catalog.pg_statio_all_tables
 SELECT c.oid AS relid,
 n.nspname AS schemaname,
 c.relname,
 (pg_stat_get_blocks_fetched(c.oid) - pg_stat_get_blocks_hit(c.oid)) AS heap_blks_read,
 pg_stat_get_blocks_hit(c.oid) AS heap_blks_hit,
 i.idx_blks_read,
 i.idx_blks_hit,
 (pg_stat_get_blocks_fetched(t.oid) - pg_stat_get_blocks_hit(t.oid)) AS toast_blks_read,
 pg_stat_get_blocks_hit(t.oid) AS toast_blks_hit,
 x.idx_blks_read AS tidx_blks_read,
 x.idx_blks_hit AS tidx_blks_hit
 FROM ((((pg_class c
 LEFT JOIN pg_class t ON ((c.reltoastrelid = t.oid)))
 LEFT JOIN pg_namespace n ON ((n.oid = c.relnamespace)))
 LEFT JOIN LATERAL ( SELECT (sum((pg_stat_get_blocks_fetched(pg_index.indexrelid) - pg_stat_get_blocks_hit(pg_index.indexrelid))))::bigint AS idx_blks_read,
 (sum(pg_stat_get_blocks_hit(pg_index.indexrelid)))::bigint AS idx_blks_hit
 FROM pg_index
 WHERE (pg_index.indrelid = c.oid)) i ON (true))
 LEFT JOIN LATERAL ( SELECT (sum((pg_stat_get_blocks_fetched(pg_index.indexrelid) - pg_stat_get_blocks_hit(pg_index.indexrelid))))::bigint AS idx_blks_read,
 (sum(pg_stat_get_blocks_hit(pg_index.indexrelid)))::bigint AS idx_blks_hit
 FROM pg_index
 WHERE (pg_index.indrelid = t.oid)) x ON (true))
 WHERE (c.relkind = ANY (ARRAY['r'::"char", 't'::"char", 'm'::"char"]));
-- pg_catalog.pg_statio_sys_indexes
 SELECT pg_statio_all_indexes.relid,
 pg_statio_all_indexes.indexrelid,
 pg_statio_all_indexes.schemaname,
 pg_statio_all_indexes.relname,
 pg_statio_all_indexes.indexrelname,
 pg_statio_all_indexes.idx_blks_read,
 pg_statio_all_indexes.idx_blks_hit
 FROM pg_statio_all_indexes
 WHERE ((pg_statio_all_indexes.schemaname = ANY (ARRAY['pg_catalog'::name, 'information_schema'::name])) OR (pg_statio_all_indexes.schemaname ~ '^pg_toast'::text));
-- pg_catalog.pg_statio_sys_sequences
 SELECT pg_statio_all_sequences.relid,
 pg_statio_all_sequences.schemaname,
 pg_statio_all_sequences.relname,
 pg_statio_all_sequences.blks_read,
 pg_statio_all_sequences.blks_hit
 FROM pg_statio_all_sequences
 WHERE ((pg_statio_all_sequences.schemaname = ANY (ARRAY['pg_catalog'::name, 'information_schema'::name])) OR (pg_statio_all_sequences.schemaname ~ '^pg_toast'::text));
-- pg_catalog.pg_statio_sys_tables
 SELECT pg_statio_all_tables.relid,
 pg_statio_all_tables.schemaname,
 pg_statio_all_tables.relname,
 pg_statio_all_tables.heap_blks_read,
 pg_statio_all_tables.heap_blks_hit,
 pg_statio_all_tables.idx_blks_read,
 pg_statio_all_tables.idx_blks_hit,
 pg_statio_all_tables.toast_blks_read,
 pg_statio_all_tables.toast_blks_hit,
 pg_statio_all_tables.tidx_blks_read,
 pg_statio_all_tables.tidx_blks_hit
 FROM pg_statio_all_tables
 WHERE ((pg_statio_all_tables.schemaname = ANY (ARRAY['pg_catalog'::name, 'information_schema'::name])) OR (pg_statio_all_tables.schemaname ~ '^pg_toast'::text));
-- pg_catalog.pg_statio_user_indexes
 SELECT pg_statio_all_indexes.relid,
 pg_statio_all_indexes.indexrelid,
 pg_statio_all_indexes.schemaname,
 pg_statio_all_indexes.relname,
 pg_statio_all_indexes.indexrelname,
 pg_statio_all_indexes.idx_blks_read,
 pg_statio_all_indexes.idx_blks_hit
 FROM pg_statio_all_indexes
 WHERE ((pg_statio_all_indexes.schemaname <> ALL (ARRAY['pg_catalog'::name, 'information_schema'::name])) AND (pg_statio_all_indexes.schemaname !~ '^pg_toast'::text));
-- pg_catalog.pg_statio_user_sequences
 SELECT pg_statio_all_sequences.relid,
 pg_statio_all_sequences.schemaname,
 pg_statio_all_sequences.relname,
 pg_statio_all_sequences.blks_read,
 pg_statio_all_sequences.blks_hit
 FROM pg_statio_all_sequences
 WHERE ((pg_statio_all_sequences.schemaname <> ALL (ARRAY['pg_catalog'::name, 'information_schema'::name])) AND (pg_statio_all_sequences.schemaname !~ '^pg_toast'::text));
-- pg_catalog.pg_statio_user_tables
 SELECT pg_statio_all_tables.relid,
 pg_statio_all_tables.schemaname,
 pg_statio_all_tables.relname,
 pg_statio_all_tables.heap_blks_read,
 pg_statio_all_tables.heap_blks_hit,
 pg_statio_all_tables.idx_blks_read,
 pg_statio_all_tables.idx_blks_hit,
 pg_statio_all_tables.toast_blks_read,
 pg_statio_all_tables.toast_blks_hit,
 pg_statio_all_tables.tidx_blks_read,
 pg_statio_all_tables.tidx_blks_hit
 FROM pg_statio_all_tables
 WHERE ((pg_statio_all_tables.schemaname <> ALL (ARRAY['pg_catalog'::name, 'information_schema'::name])) AND (pg_statio_all_tables.schemaname !~ '^pg_toast'::text));
-- pg_catalog.pg_tables
 SELECT n.nspname AS schemaname,
 c.relname AS tablename,
 pg_get_userbyid(c.relowner) AS tableowner,
 t.spcname AS tablespace,
 c.relhasindex AS hasindexes,
 c.relhasrules AS hasrules,
 c.relhastriggers AS hastriggers,
 c.relrowsecurity AS rowsecurity
 FROM ((pg_class c
 LEFT JOIN pg_namespace n ON ((n.oid = c.relnamespace)))
 LEFT JOIN pg_tablespace t ON ((t.oid = c.reltablespace)))
 WHERE (c.relkind = ANY (ARRAY['r'::"char", 'p'::"char"]));
-- pg_catalog.pg_user
 SELECT pg_shadow.usename,
 pg_shadow.usesysid,
 pg_shadow.usecreatedb,
 pg_shadow.usesuper,
 pg_shadow.userepl,
 pg_shadow.usebypassrls,
 '********'::text AS passwd,
 pg_shadow.valuntil,
 pg_shadow.useconfig
 FROM pg_shadow;
-- pg_catalog.pg_user_mappings
 SELECT u.oid AS umid,
 s.oid AS srvid,
 s.srvname,
 u.umuser,
 CASE
 WHEN (u.umuser = (0)::oid) THEN 'public'::name
 ELSE a.rolname
 END AS usename,
 CASE
 WHEN (((u.umuser <> (0)::oid) AND (a.rolname = CURRENT_USER) AND (pg_has_role(s.srvowner, 'USAGE'::text) OR has_server_privilege(s.oid, 'USAGE'::text))) OR ((u.umuser = (0)::oid) AND pg_has_role(s.srvowner, 'USAGE'::text)) OR ( SELECT pg_authid.rolsuper
 FROM pg_authid
 WHERE (pg_authid.rolname = CURRENT_USER))) THEN u.umoptions
 ELSE NULL::text[]
 END AS umoptions
 FROM ((pg_user_mapping u
 JOIN pg_foreign_server s ON ((u.umserver = s.oid)))
 LEFT JOIN pg_authid a ON ((a.oid = u.umuser)));
-- pg_catalog.pg_views
 SELECT n.nspname AS schemaname,
 c.relname AS viewname,
 pg_get_userbyid(c.relowner) AS viewowner,
 pg_get_viewdef(c.oid) AS definition
 FROM (pg_class c
 LEFT JOIN pg_namespace n ON ((n.oid = c.relnamespace)))
 WHERE (c.relkind = 'v'::"char");
-- information_schema._pg_foreign_data_wrappers
 SELECT w.oid,
 w.fdwowner,
 w.fdwoptions,
 (current_database())::name AS foreign_data_wrapper_catalog,
 (w.fdwname)::name AS foreign_data_wrapper_name,
 (u.rolname)::name AS authorization_identifier,
 ('c'::character varying)::character varying AS foreign_data_wrapper_language
 FROM pg_foreign_data_wrapper w,
 pg_authid u
 WHERE ((u.oid = w.fdwowner) AND (pg_has_role(w.fdwowner, 'USAGE'::text) OR has_foreign_data_wrapper_privilege(w.oid, 'USAGE'::text)));
-- information_schema._pg_foreign_servers
 SELECT s.oid,
 s.srvoptions,
 (current_database())::name AS foreign_server_catalog,
 (s.srvname)::name AS foreign_server_name,
 (current_database())::name AS foreign_data_wrapper_catalog,
 (w.fdwname)::name AS foreign_data_wrapper_name,
 (s.srvtype)::character varying AS foreign_server_type,
 (s.srvversion)::character varying AS foreign_server_version,
 (u.rolname)::name AS authorization_identifier
 FROM pg_foreign_server s,
 pg_foreign_data_wrapper w,
 pg_authid u
 WHERE ((w.oid = s.srvfdw) AND (u.oid = s.srvowner) AND (pg_has_role(s.srvowner, 'USAGE'::text) OR has_server_privilege(s.oid, 'USAGE'::text)));
-- information_schema._pg_foreign_table_columns
 SELECT n.nspname,
 c.relname,
 a.attname,
 a.attfdwoptions
 FROM pg_foreign_table t,
 pg_authid u,
 pg_namespace n,
 pg_class c,
 pg_attribute a
 WHERE ((u.oid = c.relowner) AND (pg_has_role(c.relowner, 'USAGE'::text) OR has_column_privilege(c.oid, a.attnum, 'SELECT, INSERT, UPDATE, REFERENCES'::text)) AND (n.oid = c.relnamespace) AND (c.oid = t.ftrelid) AND (c.relkind = 'f'::"char") AND (a.attrelid = c.oid) AND (a.attnum > 0));
-- information_schema._pg_foreign_tables
 SELECT (current_database())::name AS foreign_table_catalog,
 (n.nspname)::name AS foreign_table_schema,
 (c.relname)::name AS foreign_table_name,
 t.ftoptions,
 (current_database())::name AS foreign_server_catalog,
 (s.srvname)::name AS foreign_server_name,
 (u.rolname)::name AS authorization_identifier
 FROM pg_foreign_table t,
 pg_foreign_server s,
 pg_foreign_data_wrapper w,
 pg_authid u,
 pg_namespace n,
 pg_class c
 WHERE ((w.oid = s.srvfdw) AND (u.oid = c.relowner) AND (pg_has_role(c.relowner, 'USAGE'::text) OR has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER'::text) OR has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE, REFERENCES'::text)) AND (n.oid = c.relnamespace) AND (c.oid = t.ftrelid) AND (c.relkind = 'f'::"char") AND (s.oid = t.ftserver));
-- information_schema._pg_user_mappings
 SELECT um.oid,
 um.umoptions,
 um.umuser,
 (COALESCE(u.rolname, 'PUBLIC'::name))::name AS authorization_identifier,
 s.foreign_server_catalog,
 s.foreign_server_name,
 s.authorization_identifier AS srvowner
 FROM (pg_user_mapping um
 LEFT JOIN pg_authid u ON ((u.oid = um.umuser))),
 information_schema._pg_foreign_servers s
 WHERE (s.oid = um.umserver);
-- information_schema.administrable_role_authorizations
 SELECT applicable_roles.grantee,
 applicable_roles.role_name,
 applicable_roles.is_grantable
 FROM information_schema.applicable_roles
 WHERE ((applicable_roles.is_grantable)::text = 'YES'::text);
-- information_schema.applicable_roles
 SELECT (a.rolname)::name AS grantee,
 (b.rolname)::name AS role_name,
 (
 CASE
 WHEN m.admin_option THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS is_grantable
 FROM ((( SELECT pg_auth_members.member,
 pg_auth_members.roleid,
 pg_auth_members.admin_option
 FROM pg_auth_members
 UNION
 SELECT pg_database.datdba,
 pg_authid.oid,
 false
 FROM pg_database,
 pg_authid
 WHERE ((pg_database.datname = current_database()) AND (pg_authid.rolname = 'pg_database_owner'::name))) m
 JOIN pg_authid a ON ((m.member = a.oid)))
 JOIN pg_authid b ON ((m.roleid = b.oid)))
 WHERE pg_has_role(a.oid, 'USAGE'::text);
-- information_schema.attributes
 SELECT (current_database())::name AS udt_catalog,
 (nc.nspname)::name AS udt_schema,
 (c.relname)::name AS udt_name,
 (a.attname)::name AS attribute_name,
 (a.attnum)::integer AS ordinal_position,
 (pg_get_expr(ad.adbin, ad.adrelid))::character varying AS attribute_default,
 (
 CASE
 WHEN (a.attnotnull OR ((t.typtype = 'd'::"char") AND t.typnotnull)) THEN 'NO'::text
 ELSE 'YES'::text
 END)::character varying AS is_nullable,
 (
 CASE
 WHEN ((t.typelem <> (0)::oid) AND (t.typlen = '-1'::integer)) THEN 'ARRAY'::text
 WHEN (nt.nspname = 'pg_catalog'::name) THEN format_type(a.atttypid, NULL::integer)
 ELSE 'USER-DEFINED'::text
 END)::character varying AS data_type,
 (information_schema._pg_char_max_length(CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE a.atttypid END, CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END))::integer AS character_maximum_length,
 (information_schema._pg_char_octet_length(CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE a.atttypid END, CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END))::integer AS character_octet_length,
 (NULL::name)::name AS character_set_catalog,
 (NULL::name)::name AS character_set_schema,
 (NULL::name)::name AS character_set_name,
 (
 CASE
 WHEN (nco.nspname IS NOT NULL) THEN current_database()
 ELSE NULL::name
 END)::name AS collation_catalog,
 (nco.nspname)::name AS collation_schema,
 (co.collname)::name AS collation_name,
 (information_schema._pg_numeric_precision(CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE a.atttypid END, CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END))::integer AS numeric_precision,
 (information_schema._pg_numeric_precision_radix(CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE a.atttypid END, CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END))::integer AS numeric_precision_radix,
 (information_schema._pg_numeric_scale(CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE a.atttypid END, CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END))::integer AS numeric_scale,
 (information_schema._pg_datetime_precision(CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE a.atttypid END, CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END))::integer AS datetime_precision,
 (information_schema._pg_interval_type(CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE a.atttypid END, CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END))::character varying AS interval_type,
 (NULL::integer)::integer AS interval_precision,
 (current_database())::name AS attribute_udt_catalog,
 (nt.nspname)::name AS attribute_udt_schema,
 (t.typname)::name AS attribute_udt_name,
 (NULL::name)::name AS scope_catalog,
 (NULL::name)::name AS scope_schema,
 (NULL::name)::name AS scope_name,
 (NULL::integer)::integer AS maximum_cardinality,
 (a.attnum)::name AS dtd_identifier,
 ('NO'::character varying)::character varying AS is_derived_reference_attribute
 FROM ((((pg_attribute a
 LEFT JOIN pg_attrdef ad ON (((a.attrelid = ad.adrelid) AND (a.attnum = ad.adnum))))
 JOIN (pg_class c
 JOIN pg_namespace nc ON ((c.relnamespace = nc.oid))) ON ((a.attrelid = c.oid)))
 JOIN (pg_type t
 JOIN pg_namespace nt ON ((t.typnamespace = nt.oid))) ON ((a.atttypid = t.oid)))
 LEFT JOIN (pg_collation co
 JOIN pg_namespace nco ON ((co.collnamespace = nco.oid))) ON (((a.attcollation = co.oid) AND ((nco.nspname <> 'pg_catalog'::name) OR (co.collname <> 'default'::name)))))
 WHERE ((a.attnum > 0) AND (NOT a.attisdropped) AND (c.relkind = 'c'::"char") AND (pg_has_role(c.relowner, 'USAGE'::text) OR has_type_privilege(c.reltype, 'USAGE'::text)));
-- information_schema.character_sets
 SELECT (NULL::name)::name AS character_set_catalog,
 (NULL::name)::name AS character_set_schema,
 (getdatabaseencoding())::name AS character_set_name,
 (
 CASE
 WHEN (getdatabaseencoding() = 'UTF8'::name) THEN 'UCS'::name
 ELSE getdatabaseencoding()
 END)::name AS character_repertoire,
 (getdatabaseencoding())::name AS form_of_use,
 (current_database())::name AS default_collate_catalog,
 (nc.nspname)::name AS default_collate_schema,
 (c.collname)::name AS default_collate_name
 FROM (pg_database d
 LEFT JOIN (pg_collation c
 JOIN pg_namespace nc ON ((c.collnamespace = nc.oid))) ON (((d.datcollate = c.collcollate) AND (d.datctype = c.collctype))))
 WHERE (d.datname = current_database())
 ORDER BY (char_length((c.collname)::text)) DESC, c.collname
 LIMIT 1;
-- information_schema.check_constraint_routine_usage
 SELECT DISTINCT (current_database())::name AS constraint_catalog,
 (nc.nspname)::name AS constraint_schema,
 (c.conname)::name AS constraint_name,
 (current_database())::name AS specific_catalog,
 (np.nspname)::name AS specific_schema,
 (nameconcatoid(p.proname, p.oid))::name AS specific_name
 FROM pg_namespace nc,
 pg_constraint c,
 pg_depend d,
 pg_proc p,
 pg_namespace np
 WHERE ((nc.oid = c.connamespace) AND (c.contype = 'c'::"char") AND (c.oid = d.objid) AND (d.classid = ('pg_constraint'::regclass)::oid) AND (d.refobjid = p.oid) AND (d.refclassid = ('pg_proc'::regclass)::oid) AND (p.pronamespace = np.oid) AND pg_has_role(p.proowner, 'USAGE'::text));
-- information_schema.check_constraints
 SELECT (current_database())::name AS constraint_catalog,
 (rs.nspname)::name AS constraint_schema,
 (con.conname)::name AS constraint_name,
 (SUBSTRING(pg_get_constraintdef(con.oid) FROM 7))::character varying AS check_clause
 FROM (((pg_constraint con
 LEFT JOIN pg_namespace rs ON ((rs.oid = con.connamespace)))
 LEFT JOIN pg_class c ON ((c.oid = con.conrelid)))
 LEFT JOIN pg_type t ON ((t.oid = con.contypid)))
 WHERE (pg_has_role(COALESCE(c.relowner, t.typowner), 'USAGE'::text) AND (con.contype = 'c'::"char"))
UNION
 SELECT (current_database())::name AS constraint_catalog,
 (n.nspname)::name AS constraint_schema,
 (((((((n.oid)::text || '_'::text) || (r.oid)::text) || '_'::text) || (a.attnum)::text) || '_not_null'::text))::name AS constraint_name,
 (((a.attname)::text || ' IS NOT NULL'::text))::character varying AS check_clause
 FROM pg_namespace n,
 pg_class r,
 pg_attribute a
 WHERE ((n.oid = r.relnamespace) AND (r.oid = a.attrelid) AND (a.attnum > 0) AND (NOT a.attisdropped) AND a.attnotnull AND (r.relkind = ANY (ARRAY['r'::"char", 'p'::"char"])) AND pg_has_role(r.relowner, 'USAGE'::text));
-- information_schema.collation_character_set_applicability
 SELECT (current_database())::name AS collation_catalog,
 (nc.nspname)::name AS collation_schema,
 (c.collname)::name AS collation_name,
 (NULL::name)::name AS character_set_catalog,
 (NULL::name)::name AS character_set_schema,
 (getdatabaseencoding())::name AS character_set_name
 FROM pg_collation c,
 pg_namespace nc
 WHERE ((c.collnamespace = nc.oid) AND (c.collencoding = ANY (ARRAY['-1'::integer, ( SELECT pg_database.encoding
 FROM pg_database
 WHERE (pg_database.datname = current_database()))])));
-- information_schema.collations
 SELECT (current_database())::name AS collation_catalog,
 (nc.nspname)::name AS collation_schema,
 (c.collname)::name AS collation_name,
 ('NO PAD'::character varying)::character varying AS pad_attribute
 FROM pg_collation c,
 pg_namespace nc
 WHERE ((c.collnamespace = nc.oid) AND (c.collencoding = ANY (ARRAY['-1'::integer, ( SELECT pg_database.encoding
 FROM pg_database
 WHERE (pg_database.datname = current_database()))])));
-- information_schema.column_column_usage
 SELECT DISTINCT (current_database())::name AS table_catalog,
 (n.nspname)::name AS table_schema,
 (c.relname)::name AS table_name,
 (ac.attname)::name AS column_name,
 (ad.attname)::name AS dependent_column
 FROM pg_namespace n,
 pg_class c,
 pg_depend d,
 pg_attribute ac,
 pg_attribute ad,
 pg_attrdef atd
 WHERE ((n.oid = c.relnamespace) AND (c.oid = ac.attrelid) AND (c.oid = ad.attrelid) AND (ac.attnum <> ad.attnum) AND (ad.attrelid = atd.adrelid) AND (ad.attnum = atd.adnum) AND (d.classid = ('pg_attrdef'::regclass)::oid) AND (d.refclassid = ('pg_class'::regclass)::oid) AND (d.objid = atd.oid) AND (d.refobjid = ac.attrelid) AND (d.refobjsubid = ac.attnum) AND (ad.attgenerated <> ''::"char") AND pg_has_role(c.relowner, 'USAGE'::text));
-- information_schema.column_domain_usage
 SELECT (current_database())::name AS domain_catalog,
 (nt.nspname)::name AS domain_schema,
 (t.typname)::name AS domain_name,
 (current_database())::name AS table_catalog,
 (nc.nspname)::name AS table_schema,
 (c.relname)::name AS table_name,
 (a.attname)::name AS column_name
 FROM pg_type t,
 pg_namespace nt,
 pg_class c,
 pg_namespace nc,
 pg_attribute a
 WHERE ((t.typnamespace = nt.oid) AND (c.relnamespace = nc.oid) AND (a.attrelid = c.oid) AND (a.atttypid = t.oid) AND (t.typtype = 'd'::"char") AND (c.relkind = ANY (ARRAY['r'::"char", 'v'::"char", 'f'::"char", 'p'::"char"])) AND (a.attnum > 0) AND (NOT a.attisdropped) AND pg_has_role(t.typowner, 'USAGE'::text));
-- information_schema.column_options
 SELECT (current_database())::name AS table_catalog,
 (c.nspname)::name AS table_schema,
 (c.relname)::name AS table_name,
 (c.attname)::name AS column_name,
 ((pg_options_to_table(c.attfdwoptions)).option_name)::name AS option_name,
 ((pg_options_to_table(c.attfdwoptions)).option_value)::character varying AS option_value
 FROM information_schema._pg_foreign_table_columns c;
-- information_schema.column_privileges
 SELECT (u_grantor.rolname)::name AS grantor,
 (grantee.rolname)::name AS grantee,
 (current_database())::name AS table_catalog,
 (nc.nspname)::name AS table_schema,
 (x.relname)::name AS table_name,
 (x.attname)::name AS column_name,
 (x.prtype)::character varying AS privilege_type,
 (
 CASE
 WHEN (pg_has_role(x.grantee, x.relowner, 'USAGE'::text) OR x.grantable) THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS is_grantable
 FROM ( SELECT pr_c.grantor,
 pr_c.grantee,
 a.attname,
 pr_c.relname,
 pr_c.relnamespace,
 pr_c.prtype,
 pr_c.grantable,
 pr_c.relowner
 FROM ( SELECT pg_class.oid,
 pg_class.relname,
 pg_class.relnamespace,
 pg_class.relowner,
 (aclexplode(COALESCE(pg_class.relacl, acldefault('r'::"char", pg_class.relowner)))).grantor AS grantor,
 (aclexplode(COALESCE(pg_class.relacl, acldefault('r'::"char", pg_class.relowner)))).grantee AS grantee,
 (aclexplode(COALESCE(pg_class.relacl, acldefault('r'::"char", pg_class.relowner)))).privilege_type AS privilege_type,
 (aclexplode(COALESCE(pg_class.relacl, acldefault('r'::"char", pg_class.relowner)))).is_grantable AS is_grantable
 FROM pg_class
 WHERE (pg_class.relkind = ANY (ARRAY['r'::"char", 'v'::"char", 'f'::"char", 'p'::"char"]))) pr_c(oid, relname, relnamespace, relowner, grantor, grantee, prtype, grantable),
 pg_attribute a
 WHERE ((a.attrelid = pr_c.oid) AND (a.attnum > 0) AND (NOT a.attisdropped))
 UNION
 SELECT pr_a.grantor,
 pr_a.grantee,
 pr_a.attname,
 c.relname,
 c.relnamespace,
 pr_a.prtype,
 pr_a.grantable,
 c.relowner
 FROM ( SELECT a.attrelid,
 a.attname,
 (aclexplode(COALESCE(a.attacl, acldefault('c'::"char", cc.relowner)))).grantor AS grantor,
 (aclexplode(COALESCE(a.attacl, acldefault('c'::"char", cc.relowner)))).grantee AS grantee,
 (aclexplode(COALESCE(a.attacl, acldefault('c'::"char", cc.relowner)))).privilege_type AS privilege_type,
 (aclexplode(COALESCE(a.attacl, acldefault('c'::"char", cc.relowner)))).is_grantable AS is_grantable
 FROM (pg_attribute a
 JOIN pg_class cc ON ((a.attrelid = cc.oid)))
 WHERE ((a.attnum > 0) AND (NOT a.attisdropped))) pr_a(attrelid, attname, grantor, grantee, prtype, grantable),
 pg_class c
 WHERE ((pr_a.attrelid = c.oid) AND (c.relkind = ANY (ARRAY['r'::"char", 'v'::"char", 'f'::"char", 'p'::"char"])))) x,
 pg_namespace nc,
 pg_authid u_grantor,
 ( SELECT pg_authid.oid,
 pg_authid.rolname
 FROM pg_authid
 UNION ALL
 SELECT (0)::oid AS oid,
 'PUBLIC'::name) grantee(oid, rolname)
 WHERE ((x.relnamespace = nc.oid) AND (x.grantee = grantee.oid) AND (x.grantor = u_grantor.oid) AND (x.prtype = ANY (ARRAY['INSERT'::text, 'SELECT'::text, 'UPDATE'::text, 'REFERENCES'::text])) AND (pg_has_role(u_grantor.oid, 'USAGE'::text) OR pg_has_role(grantee.oid, 'USAGE'::text) OR (grantee.rolname = 'PUBLIC'::name)));
-- information_schema.column_udt_usage
 SELECT (current_database())::name AS udt_catalog,
 (COALESCE(nbt.nspname, nt.nspname))::name AS udt_schema,
 (COALESCE(bt.typname, t.typname))::name AS udt_name,
 (current_database())::name AS table_catalog,
 (nc.nspname)::name AS table_schema,
 (c.relname)::name AS table_name,
 (a.attname)::name AS column_name
 FROM pg_attribute a,
 pg_class c,
 pg_namespace nc,
 ((pg_type t
 JOIN pg_namespace nt ON ((t.typnamespace = nt.oid)))
 LEFT JOIN (pg_type bt
 JOIN pg_namespace nbt ON ((bt.typnamespace = nbt.oid))) ON (((t.typtype = 'd'::"char") AND (t.typbasetype = bt.oid))))
 WHERE ((a.attrelid = c.oid) AND (a.atttypid = t.oid) AND (nc.oid = c.relnamespace) AND (a.attnum > 0) AND (NOT a.attisdropped) AND (c.relkind = ANY (ARRAY['r'::"char", 'v'::"char", 'f'::"char", 'p'::"char"])) AND pg_has_role(COALESCE(bt.typowner, t.typowner), 'USAGE'::text));
-- information_schema.columns
 SELECT (current_database())::name AS table_catalog,
 (nc.nspname)::name AS table_schema,
 (c.relname)::name AS table_name,
 (a.attname)::name AS column_name,
 (a.attnum)::integer AS ordinal_position,
 (
 CASE
 WHEN (a.attgenerated = ''::"char") THEN pg_get_expr(ad.adbin, ad.adrelid)
 ELSE NULL::text
 END)::character varying AS column_default,
 (
 CASE
 WHEN (a.attnotnull OR ((t.typtype = 'd'::"char") AND t.typnotnull)) THEN 'NO'::text
 ELSE 'YES'::text
 END)::character varying AS is_nullable,
 (
 CASE
 WHEN (t.typtype = 'd'::"char") THEN
 CASE
 WHEN ((bt.typelem <> (0)::oid) AND (bt.typlen = '-1'::integer)) THEN 'ARRAY'::text
 WHEN (nbt.nspname = 'pg_catalog'::name) THEN format_type(t.typbasetype, NULL::integer)
 ELSE 'USER-DEFINED'::text
 END
 ELSE
 CASE
 WHEN ((t.typelem <> (0)::oid) AND (t.typlen = '-1'::integer)) THEN 'ARRAY'::text
 WHEN (nt.nspname = 'pg_catalog'::name) THEN format_type(a.atttypid, NULL::integer)
 ELSE 'USER-DEFINED'::text
 END
 END)::character varying AS data_type,
 (information_schema._pg_char_max_length(CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE a.atttypid END, CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END))::integer AS character_maximum_length,
 (information_schema._pg_char_octet_length(CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE a.atttypid END, CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END))::integer AS character_octet_length,
 (information_schema._pg_numeric_precision(CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE a.atttypid END, CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END))::integer AS numeric_precision,
 (information_schema._pg_numeric_precision_radix(CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE a.atttypid END, CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END))::integer AS numeric_precision_radix,
 (information_schema._pg_numeric_scale(CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE a.atttypid END, CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END))::integer AS numeric_scale,
 (information_schema._pg_datetime_precision(CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE a.atttypid END, CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END))::integer AS datetime_precision,
 (information_schema._pg_interval_type(CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE a.atttypid END, CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END))::character varying AS interval_type,
 (NULL::integer)::integer AS interval_precision,
 (NULL::name)::name AS character_set_catalog,
 (NULL::name)::name AS character_set_schema,
 (NULL::name)::name AS character_set_name,
 (
 CASE
 WHEN (nco.nspname IS NOT NULL) THEN current_database()
 ELSE NULL::name
 END)::name AS collation_catalog,
 (nco.nspname)::name AS collation_schema,
 (co.collname)::name AS collation_name,
 (
 CASE
 WHEN (t.typtype = 'd'::"char") THEN current_database()
 ELSE NULL::name
 END)::name AS domain_catalog,
 (
 CASE
 WHEN (t.typtype = 'd'::"char") THEN nt.nspname
 ELSE NULL::name
 END)::name AS domain_schema,
 (
 CASE
 WHEN (t.typtype = 'd'::"char") THEN t.typname
 ELSE NULL::name
 END)::name AS domain_name,
 (current_database())::name AS udt_catalog,
 (COALESCE(nbt.nspname, nt.nspname))::name AS udt_schema,
 (COALESCE(bt.typname, t.typname))::name AS udt_name,
 (NULL::name)::name AS scope_catalog,
 (NULL::name)::name AS scope_schema,
 (NULL::name)::name AS scope_name,
 (NULL::integer)::integer AS maximum_cardinality,
 (a.attnum)::name AS dtd_identifier,
 ('NO'::character varying)::character varying AS is_self_referencing,
 (
 CASE
 WHEN (a.attidentity = ANY (ARRAY['a'::"char", 'd'::"char"])) THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS is_identity,
 (
 CASE a.attidentity
 WHEN 'a'::"char" THEN 'ALWAYS'::text
 WHEN 'd'::"char" THEN 'BY DEFAULT'::text
 ELSE NULL::text
 END)::character varying AS identity_generation,
 (seq.seqstart)::character varying AS identity_start,
 (seq.seqincrement)::character varying AS identity_increment,
 (seq.seqmax)::character varying AS identity_maximum,
 (seq.seqmin)::character varying AS identity_minimum,
 (
 CASE
 WHEN seq.seqcycle THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS identity_cycle,
 (
 CASE
 WHEN (a.attgenerated <> ''::"char") THEN 'ALWAYS'::text
 ELSE 'NEVER'::text
 END)::character varying AS is_generated,
 (
 CASE
 WHEN (a.attgenerated <> ''::"char") THEN pg_get_expr(ad.adbin, ad.adrelid)
 ELSE NULL::text
 END)::character varying AS generation_expression,
 (
 CASE
 WHEN ((c.relkind = ANY (ARRAY['r'::"char", 'p'::"char"])) OR ((c.relkind = ANY (ARRAY['v'::"char", 'f'::"char"])) AND pg_column_is_updatable((c.oid)::regclass, a.attnum, false))) THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS is_updatable
 FROM ((((((pg_attribute a
 LEFT JOIN pg_attrdef ad ON (((a.attrelid = ad.adrelid) AND (a.attnum = ad.adnum))))
 JOIN (pg_class c
 JOIN pg_namespace nc ON ((c.relnamespace = nc.oid))) ON ((a.attrelid = c.oid)))
 JOIN (pg_type t
 JOIN pg_namespace nt ON ((t.typnamespace = nt.oid))) ON ((a.atttypid = t.oid)))
 LEFT JOIN (pg_type bt
 JOIN pg_namespace nbt ON ((bt.typnamespace = nbt.oid))) ON (((t.typtype = 'd'::"char") AND (t.typbasetype = bt.oid))))
 LEFT JOIN (pg_collation co
 JOIN pg_namespace nco ON ((co.collnamespace = nco.oid))) ON (((a.attcollation = co.oid) AND ((nco.nspname <> 'pg_catalog'::name) OR (co.collname <> 'default'::name)))))
 LEFT JOIN (pg_depend dep
 JOIN pg_sequence seq ON (((dep.classid = ('pg_class'::regclass)::oid) AND (dep.objid = seq.seqrelid) AND (dep.deptype = 'i'::"char")))) ON (((dep.refclassid = ('pg_class'::regclass)::oid) AND (dep.refobjid = c.oid) AND (dep.refobjsubid = a.attnum))))
 WHERE ((NOT pg_is_other_temp_schema(nc.oid)) AND (a.attnum > 0) AND (NOT a.attisdropped) AND (c.relkind = ANY (ARRAY['r'::"char", 'v'::"char", 'f'::"char", 'p'::"char"])) AND (pg_has_role(c.relowner, 'USAGE'::text) OR has_column_privilege(c.oid, a.attnum, 'SELECT, INSERT, UPDATE, REFERENCES'::text)));
-- information_schema.constraint_column_usage
 SELECT (current_database())::name AS table_catalog,
 (x.tblschema)::name AS table_schema,
 (x.tblname)::name AS table_name,
 (x.colname)::name AS column_name,
 (current_database())::name AS constraint_catalog,
 (x.cstrschema)::name AS constraint_schema,
 (x.cstrname)::name AS constraint_name
 FROM ( SELECT DISTINCT nr.nspname,
 r.relname,
 r.relowner,
 a.attname,
 nc.nspname,
 c.conname
 FROM pg_namespace nr,
 pg_class r,
 pg_attribute a,
 pg_depend d,
 pg_namespace nc,
 pg_constraint c
 WHERE ((nr.oid = r.relnamespace) AND (r.oid = a.attrelid) AND (d.refclassid = ('pg_class'::regclass)::oid) AND (d.refobjid = r.oid) AND (d.refobjsubid = a.attnum) AND (d.classid = ('pg_constraint'::regclass)::oid) AND (d.objid = c.oid) AND (c.connamespace = nc.oid) AND (c.contype = 'c'::"char") AND (r.relkind = ANY (ARRAY['r'::"char", 'p'::"char"])) AND (NOT a.attisdropped))
 UNION ALL
 SELECT nr.nspname,
 r.relname,
 r.relowner,
 a.attname,
 nc.nspname,
 c.conname
 FROM pg_namespace nr,
 pg_class r,
 pg_attribute a,
 pg_namespace nc,
 pg_constraint c
 WHERE ((nr.oid = r.relnamespace) AND (r.oid = a.attrelid) AND (nc.oid = c.connamespace) AND (r.oid =
 CASE c.contype
 WHEN 'f'::"char" THEN c.confrelid
 ELSE c.conrelid
 END) AND (a.attnum = ANY (
 CASE c.contype
 WHEN 'f'::"char" THEN c.confkey
 ELSE c.conkey
 END)) AND (NOT a.attisdropped) AND (c.contype = ANY (ARRAY['p'::"char", 'u'::"char", 'f'::"char"])) AND (r.relkind = ANY (ARRAY['r'::"char", 'p'::"char"])))) x(tblschema, tblname, tblowner, colname, cstrschema, cstrname)
 WHERE pg_has_role(x.tblowner, 'USAGE'::text);
-- information_schema.constraint_table_usage
 SELECT (current_database())::name AS table_catalog,
 (nr.nspname)::name AS table_schema,
 (r.relname)::name AS table_name,
 (current_database())::name AS constraint_catalog,
 (nc.nspname)::name AS constraint_schema,
 (c.conname)::name AS constraint_name
 FROM pg_constraint c,
 pg_namespace nc,
 pg_class r,
 pg_namespace nr
 WHERE ((c.connamespace = nc.oid) AND (r.relnamespace = nr.oid) AND (((c.contype = 'f'::"char") AND (c.confrelid = r.oid)) OR ((c.contype = ANY (ARRAY['p'::"char", 'u'::"char"])) AND (c.conrelid = r.oid))) AND (r.relkind = ANY (ARRAY['r'::"char", 'p'::"char"])) AND pg_has_role(r.relowner, 'USAGE'::text));
-- information_schema.data_type_privileges
 SELECT (current_database())::name AS object_catalog,
 x.objschema AS object_schema,
 x.objname AS object_name,
 (x.objtype)::character varying AS object_type,
 x.objdtdid AS dtd_identifier
 FROM ( SELECT attributes.udt_schema,
 attributes.udt_name,
 'USER-DEFINED TYPE'::text AS text,
 attributes.dtd_identifier
 FROM information_schema.attributes
 UNION ALL
 SELECT columns.table_schema,
 columns.table_name,
 'TABLE'::text AS text,
 columns.dtd_identifier
 FROM information_schema.columns
 UNION ALL
 SELECT domains.domain_schema,
 domains.domain_name,
 'DOMAIN'::text AS text,
 domains.dtd_identifier
 FROM information_schema.domains
 UNION ALL
 SELECT parameters.specific_schema,
 parameters.specific_name,
 'ROUTINE'::text AS text,
 parameters.dtd_identifier
 FROM information_schema.parameters
 UNION ALL
 SELECT routines.specific_schema,
 routines.specific_name,
 'ROUTINE'::text AS text,
 routines.dtd_identifier
 FROM information_schema.routines) x(objschema, objname, objtype, objdtdid);
-- information_schema.domain_constraints
 SELECT (current_database())::name AS constraint_catalog,
 (rs.nspname)::name AS constraint_schema,
 (con.conname)::name AS constraint_name,
 (current_database())::name AS domain_catalog,
 (n.nspname)::name AS domain_schema,
 (t.typname)::name AS domain_name,
 (
 CASE
 WHEN con.condeferrable THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS is_deferrable,
 (
 CASE
 WHEN con.condeferred THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS initially_deferred
 FROM pg_namespace rs,
 pg_namespace n,
 pg_constraint con,
 pg_type t
 WHERE ((rs.oid = con.connamespace) AND (n.oid = t.typnamespace) AND (t.oid = con.contypid) AND (pg_has_role(t.typowner, 'USAGE'::text) OR has_type_privilege(t.oid, 'USAGE'::text)));
-- information_schema.domain_udt_usage
 SELECT (current_database())::name AS udt_catalog,
 (nbt.nspname)::name AS udt_schema,
 (bt.typname)::name AS udt_name,
 (current_database())::name AS domain_catalog,
 (nt.nspname)::name AS domain_schema,
 (t.typname)::name AS domain_name
 FROM pg_type t,
 pg_namespace nt,
 pg_type bt,
 pg_namespace nbt
 WHERE ((t.typnamespace = nt.oid) AND (t.typbasetype = bt.oid) AND (bt.typnamespace = nbt.oid) AND (t.typtype = 'd'::"char") AND pg_has_role(bt.typowner, 'USAGE'::text));
-- information_schema.domains
 SELECT (current_database())::name AS domain_catalog,
 (nt.nspname)::name AS domain_schema,
 (t.typname)::name AS domain_name,
 (
 CASE
 WHEN ((t.typelem <> (0)::oid) AND (t.typlen = '-1'::integer)) THEN 'ARRAY'::text
 WHEN (nbt.nspname = 'pg_catalog'::name) THEN format_type(t.typbasetype, NULL::integer)
 ELSE 'USER-DEFINED'::text
 END)::character varying AS data_type,
 (information_schema._pg_char_max_length(t.typbasetype, t.typtypmod))::integer AS character_maximum_length,
 (information_schema._pg_char_octet_length(t.typbasetype, t.typtypmod))::integer AS character_octet_length,
 (NULL::name)::name AS character_set_catalog,
 (NULL::name)::name AS character_set_schema,
 (NULL::name)::name AS character_set_name,
 (
 CASE
 WHEN (nco.nspname IS NOT NULL) THEN current_database()
 ELSE NULL::name
 END)::name AS collation_catalog,
 (nco.nspname)::name AS collation_schema,
 (co.collname)::name AS collation_name,
 (information_schema._pg_numeric_precision(t.typbasetype, t.typtypmod))::integer AS numeric_precision,
 (information_schema._pg_numeric_precision_radix(t.typbasetype, t.typtypmod))::integer AS numeric_precision_radix,
 (information_schema._pg_numeric_scale(t.typbasetype, t.typtypmod))::integer AS numeric_scale,
 (information_schema._pg_datetime_precision(t.typbasetype, t.typtypmod))::integer AS datetime_precision,
 (information_schema._pg_interval_type(t.typbasetype, t.typtypmod))::character varying AS interval_type,
 (NULL::integer)::integer AS interval_precision,
 (t.typdefault)::character varying AS domain_default,
 (current_database())::name AS udt_catalog,
 (nbt.nspname)::name AS udt_schema,
 (bt.typname)::name AS udt_name,
 (NULL::name)::name AS scope_catalog,
 (NULL::name)::name AS scope_schema,
 (NULL::name)::name AS scope_name,
 (NULL::integer)::integer AS maximum_cardinality,
 (1)::name AS dtd_identifier
 FROM (((pg_type t
 JOIN pg_namespace nt ON ((t.typnamespace = nt.oid)))
 JOIN (pg_type bt
 JOIN pg_namespace nbt ON ((bt.typnamespace = nbt.oid))) ON (((t.typbasetype = bt.oid) AND (t.typtype = 'd'::"char"))))
 LEFT JOIN (pg_collation co
 JOIN pg_namespace nco ON ((co.collnamespace = nco.oid))) ON (((t.typcollation = co.oid) AND ((nco.nspname <> 'pg_catalog'::name) OR (co.collname <> 'default'::name)))))
 WHERE (pg_has_role(t.typowner, 'USAGE'::text) OR has_type_privilege(t.oid, 'USAGE'::text));
-- information_schema.element_types
 SELECT (current_database())::name AS object_catalog,
 (n.nspname)::name AS object_schema,
 x.objname AS object_name,
 (x.objtype)::character varying AS object_type,
 (x.objdtdid)::name AS collection_type_identifier,
 (
 CASE
 WHEN (nbt.nspname = 'pg_catalog'::name) THEN format_type(bt.oid, NULL::integer)
 ELSE 'USER-DEFINED'::text
 END)::character varying AS data_type,
 (NULL::integer)::integer AS character_maximum_length,
 (NULL::integer)::integer AS character_octet_length,
 (NULL::name)::name AS character_set_catalog,
 (NULL::name)::name AS character_set_schema,
 (NULL::name)::name AS character_set_name,
 (
 CASE
 WHEN (nco.nspname IS NOT NULL) THEN current_database()
 ELSE NULL::name
 END)::name AS collation_catalog,
 (nco.nspname)::name AS collation_schema,
 (co.collname)::name AS collation_name,
 (NULL::integer)::integer AS numeric_precision,
 (NULL::integer)::integer AS numeric_precision_radix,
 (NULL::integer)::integer AS numeric_scale,
 (NULL::integer)::integer AS datetime_precision,
 (NULL::character varying)::character varying AS interval_type,
 (NULL::integer)::integer AS interval_precision,
 (NULL::character varying)::character varying AS domain_default,
 (current_database())::name AS udt_catalog,
 (nbt.nspname)::name AS udt_schema,
 (bt.typname)::name AS udt_name,
 (NULL::name)::name AS scope_catalog,
 (NULL::name)::name AS scope_schema,
 (NULL::name)::name AS scope_name,
 (NULL::integer)::integer AS maximum_cardinality,
 (('a'::text || (x.objdtdid)::text))::name AS dtd_identifier
 FROM pg_namespace n,
 pg_type at,
 pg_namespace nbt,
 pg_type bt,
 (( SELECT c.relnamespace,
 (c.relname)::name AS relname,
 CASE
 WHEN (c.relkind = 'c'::"char") THEN 'USER-DEFINED TYPE'::text
 ELSE 'TABLE'::text
 END AS "case",
 a.attnum,
 a.atttypid,
 a.attcollation
 FROM pg_class c,
 pg_attribute a
 WHERE ((c.oid = a.attrelid) AND (c.relkind = ANY (ARRAY['r'::"char", 'v'::"char", 'f'::"char", 'c'::"char", 'p'::"char"])) AND (a.attnum > 0) AND (NOT a.attisdropped))
 UNION ALL
 SELECT t.typnamespace,
 (t.typname)::name AS typname,
 'DOMAIN'::text AS text,
 1,
 t.typbasetype,
 t.typcollation
 FROM pg_type t
 WHERE (t.typtype = 'd'::"char")
 UNION ALL
 SELECT ss.pronamespace,
 (nameconcatoid(ss.proname, ss.oid))::name AS nameconcatoid,
 'ROUTINE'::text AS text,
 (ss.x).n AS n,
 (ss.x).x AS x,
 0
 FROM ( SELECT p.pronamespace,
 p.proname,
 p.oid,
 information_schema._pg_expandarray(COALESCE(p.proallargtypes, (p.proargtypes)::oid[])) AS x
 FROM pg_proc p) ss
 UNION ALL
 SELECT p.pronamespace,
 (nameconcatoid(p.proname, p.oid))::name AS nameconcatoid,
 'ROUTINE'::text AS text,
 0,
 p.prorettype,
 0
 FROM pg_proc p) x(objschema, objname, objtype, objdtdid, objtypeid, objcollation)
 LEFT JOIN (pg_collation co
 JOIN pg_namespace nco ON ((co.collnamespace = nco.oid))) ON (((x.objcollation = co.oid) AND ((nco.nspname <> 'pg_catalog'::name) OR (co.collname <> 'default'::name)))))
 WHERE ((n.oid = x.objschema) AND (at.oid = x.objtypeid) AND ((at.typelem <> (0)::oid) AND (at.typlen = '-1'::integer)) AND (at.typelem = bt.oid) AND (nbt.oid = bt.typnamespace) AND ((n.nspname, (x.objname)::name, x.objtype, ((x.objdtdid)::name)::name) IN ( SELECT data_type_privileges.object_schema,
 data_type_privileges.object_name,
 data_type_privileges.object_type,
 data_type_privileges.dtd_identifier
 FROM information_schema.data_type_privileges)));
-- information_schema.enabled_roles
 SELECT (a.rolname)::name AS role_name
 FROM pg_authid a
 WHERE pg_has_role(a.oid, 'USAGE'::text);
-- information_schema.foreign_data_wrapper_options
 SELECT w.foreign_data_wrapper_catalog,
 w.foreign_data_wrapper_name,
 ((pg_options_to_table(w.fdwoptions)).option_name)::name AS option_name,
 ((pg_options_to_table(w.fdwoptions)).option_value)::character varying AS option_value
 FROM information_schema._pg_foreign_data_wrappers w;
-- information_schema.foreign_data_wrappers
 SELECT w.foreign_data_wrapper_catalog,
 w.foreign_data_wrapper_name,
 w.authorization_identifier,
 (NULL::character varying)::character varying AS library_name,
 w.foreign_data_wrapper_language
 FROM information_schema._pg_foreign_data_wrappers w;
-- information_schema.foreign_server_options
 SELECT s.foreign_server_catalog,
 s.foreign_server_name,
 ((pg_options_to_table(s.srvoptions)).option_name)::name AS option_name,
 ((pg_options_to_table(s.srvoptions)).option_value)::character varying AS option_value
 FROM information_schema._pg_foreign_servers s;
-- information_schema.foreign_servers
 SELECT _pg_foreign_servers.foreign_server_catalog,
 _pg_foreign_servers.foreign_server_name,
 _pg_foreign_servers.foreign_data_wrapper_catalog,
 _pg_foreign_servers.foreign_data_wrapper_name,
 _pg_foreign_servers.foreign_server_type,
 _pg_foreign_servers.foreign_server_version,
 _pg_foreign_servers.authorization_identifier
 FROM information_schema._pg_foreign_servers;
-- information_schema.foreign_table_options
 SELECT t.foreign_table_catalog,
 t.foreign_table_schema,
 t.foreign_table_name,
 ((pg_options_to_table(t.ftoptions)).option_name)::name AS option_name,
 ((pg_options_to_table(t.ftoptions)).option_value)::character varying AS option_value
 FROM information_schema._pg_foreign_tables t;
-- information_schema.foreign_tables
 SELECT _pg_foreign_tables.foreign_table_catalog,
 _pg_foreign_tables.foreign_table_schema,
 _pg_foreign_tables.foreign_table_name,
 _pg_foreign_tables.foreign_server_catalog,
 _pg_foreign_tables.foreign_server_name
 FROM information_schema._pg_foreign_tables;
-- information_schema.information_schema_catalog_name
 SELECT (current_database())::name AS catalog_name;
-- information_schema.key_column_usage
 SELECT (current_database())::name AS constraint_catalog,
 (ss.nc_nspname)::name AS constraint_schema,
 (ss.conname)::name AS constraint_name,
 (current_database())::name AS table_catalog,
 (ss.nr_nspname)::name AS table_schema,
 (ss.relname)::name AS table_name,
 (a.attname)::name AS column_name,
 ((ss.x).n)::integer AS ordinal_position,
 (
 CASE
 WHEN (ss.contype = 'f'::"char") THEN information_schema._pg_index_position(ss.conindid, ss.confkey[(ss.x).n])
 ELSE NULL::integer
 END)::integer AS position_in_unique_constraint
 FROM pg_attribute a,
 ( SELECT r.oid AS roid,
 r.relname,
 r.relowner,
 nc.nspname AS nc_nspname,
 nr.nspname AS nr_nspname,
 c.oid AS coid,
 c.conname,
 c.contype,
 c.conindid,
 c.confkey,
 c.confrelid,
 information_schema._pg_expandarray(c.conkey) AS x
 FROM pg_namespace nr,
 pg_class r,
 pg_namespace nc,
 pg_constraint c
 WHERE ((nr.oid = r.relnamespace) AND (r.oid = c.conrelid) AND (nc.oid = c.connamespace) AND (c.contype = ANY (ARRAY['p'::"char", 'u'::"char", 'f'::"char"])) AND (r.relkind = ANY (ARRAY['r'::"char", 'p'::"char"])) AND (NOT pg_is_other_temp_schema(nr.oid)))) ss
 WHERE ((ss.roid = a.attrelid) AND (a.attnum = (ss.x).x) AND (NOT a.attisdropped) AND (pg_has_role(ss.relowner, 'USAGE'::text) OR has_column_privilege(ss.roid, a.attnum, 'SELECT, INSERT, UPDATE, REFERENCES'::text)));
-- information_schema.parameters
 SELECT (current_database())::name AS specific_catalog,
 (ss.n_nspname)::name AS specific_schema,
 (nameconcatoid(ss.proname, ss.p_oid))::name AS specific_name,
 ((ss.x).n)::integer AS ordinal_position,
 (
 CASE
 WHEN (ss.proargmodes IS NULL) THEN 'IN'::text
 WHEN (ss.proargmodes[(ss.x).n] = 'i'::"char") THEN 'IN'::text
 WHEN (ss.proargmodes[(ss.x).n] = 'o'::"char") THEN 'OUT'::text
 WHEN (ss.proargmodes[(ss.x).n] = 'b'::"char") THEN 'INOUT'::text
 WHEN (ss.proargmodes[(ss.x).n] = 'v'::"char") THEN 'IN'::text
 WHEN (ss.proargmodes[(ss.x).n] = 't'::"char") THEN 'OUT'::text
 ELSE NULL::text
 END)::character varying AS parameter_mode,
 ('NO'::character varying)::character varying AS is_result,
 ('NO'::character varying)::character varying AS as_locator,
 (NULLIF(ss.proargnames[(ss.x).n], ''::text))::name AS parameter_name,
 (
 CASE
 WHEN ((t.typelem <> (0)::oid) AND (t.typlen = '-1'::integer)) THEN 'ARRAY'::text
 WHEN (nt.nspname = 'pg_catalog'::name) THEN format_type(t.oid, NULL::integer)
 ELSE 'USER-DEFINED'::text
 END)::character varying AS data_type,
 (NULL::integer)::integer AS character_maximum_length,
 (NULL::integer)::integer AS character_octet_length,
 (NULL::name)::name AS character_set_catalog,
 (NULL::name)::name AS character_set_schema,
 (NULL::name)::name AS character_set_name,
 (NULL::name)::name AS collation_catalog,
 (NULL::name)::name AS collation_schema,
 (NULL::name)::name AS collation_name,
 (NULL::integer)::integer AS numeric_precision,
 (NULL::integer)::integer AS numeric_precision_radix,
 (NULL::integer)::integer AS numeric_scale,
 (NULL::integer)::integer AS datetime_precision,
 (NULL::character varying)::character varying AS interval_type,
 (NULL::integer)::integer AS interval_precision,
 (current_database())::name AS udt_catalog,
 (nt.nspname)::name AS udt_schema,
 (t.typname)::name AS udt_name,
 (NULL::name)::name AS scope_catalog,
 (NULL::name)::name AS scope_schema,
 (NULL::name)::name AS scope_name,
 (NULL::integer)::integer AS maximum_cardinality,
 ((ss.x).n)::name AS dtd_identifier,
 (
 CASE
 WHEN pg_has_role(ss.proowner, 'USAGE'::text) THEN pg_get_function_arg_default(ss.p_oid, (ss.x).n)
 ELSE NULL::text
 END)::character varying AS parameter_default
 FROM pg_type t,
 pg_namespace nt,
 ( SELECT n.nspname AS n_nspname,
 p.proname,
 p.oid AS p_oid,
 p.proowner,
 p.proargnames,
 p.proargmodes,
 information_schema._pg_expandarray(COALESCE(p.proallargtypes, (p.proargtypes)::oid[])) AS x
 FROM pg_namespace n,
 pg_proc p
 WHERE ((n.oid = p.pronamespace) AND (pg_has_role(p.proowner, 'USAGE'::text) OR has_function_privilege(p.oid, 'EXECUTE'::text)))) ss
 WHERE ((t.oid = (ss.x).x) AND (t.typnamespace = nt.oid));
-- information_schema.referential_constraints
 SELECT (current_database())::name AS constraint_catalog,
 (ncon.nspname)::name AS constraint_schema,
 (con.conname)::name AS constraint_name,
 (
 CASE
 WHEN (npkc.nspname IS NULL) THEN NULL::name
 ELSE current_database()
 END)::name AS unique_constraint_catalog,
 (npkc.nspname)::name AS unique_constraint_schema,
 (pkc.conname)::name AS unique_constraint_name,
 (
 CASE con.confmatchtype
 WHEN 'f'::"char" THEN 'FULL'::text
 WHEN 'p'::"char" THEN 'PARTIAL'::text
 WHEN 's'::"char" THEN 'NONE'::text
 ELSE NULL::text
 END)::character varying AS match_option,
 (
 CASE con.confupdtype
 WHEN 'c'::"char" THEN 'CASCADE'::text
 WHEN 'n'::"char" THEN 'SET NULL'::text
 WHEN 'd'::"char" THEN 'SET DEFAULT'::text
 WHEN 'r'::"char" THEN 'RESTRICT'::text
 WHEN 'a'::"char" THEN 'NO ACTION'::text
 ELSE NULL::text
 END)::character varying AS update_rule,
 (
 CASE con.confdeltype
 WHEN 'c'::"char" THEN 'CASCADE'::text
 WHEN 'n'::"char" THEN 'SET NULL'::text
 WHEN 'd'::"char" THEN 'SET DEFAULT'::text
 WHEN 'r'::"char" THEN 'RESTRICT'::text
 WHEN 'a'::"char" THEN 'NO ACTION'::text
 ELSE NULL::text
 END)::character varying AS delete_rule
 FROM ((((((pg_namespace ncon
 JOIN pg_constraint con ON ((ncon.oid = con.connamespace)))
 JOIN pg_class c ON (((con.conrelid = c.oid) AND (con.contype = 'f'::"char"))))
 LEFT JOIN pg_depend d1 ON (((d1.objid = con.oid) AND (d1.classid = ('pg_constraint'::regclass)::oid) AND (d1.refclassid = ('pg_class'::regclass)::oid) AND (d1.refobjsubid = 0))))
 LEFT JOIN pg_depend d2 ON (((d2.refclassid = ('pg_constraint'::regclass)::oid) AND (d2.classid = ('pg_class'::regclass)::oid) AND (d2.objid = d1.refobjid) AND (d2.objsubid = 0) AND (d2.deptype = 'i'::"char"))))
 LEFT JOIN pg_constraint pkc ON (((pkc.oid = d2.refobjid) AND (pkc.contype = ANY (ARRAY['p'::"char", 'u'::"char"])) AND (pkc.conrelid = con.confrelid))))
 LEFT JOIN pg_namespace npkc ON ((pkc.connamespace = npkc.oid)))
 WHERE (pg_has_role(c.relowner, 'USAGE'::text) OR has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER'::text) OR has_any_column_privilege(c.oid, 'INSERT, UPDATE, REFERENCES'::text));
-- information_schema.role_column_grants
 SELECT column_privileges.grantor,
 column_privileges.grantee,
 column_privileges.table_catalog,
 column_privileges.table_schema,
 column_privileges.table_name,
 column_privileges.column_name,
 column_privileges.privilege_type,
 column_privileges.is_grantable
 FROM information_schema.column_privileges
 WHERE (((column_privileges.grantor)::name IN ( SELECT enabled_roles.role_name
 FROM information_schema.enabled_roles)) OR ((column_privileges.grantee)::name IN ( SELECT enabled_roles.role_name
 FROM information_schema.enabled_roles)));
-- information_schema.role_routine_grants
 SELECT routine_privileges.grantor,
 routine_privileges.grantee,
 routine_privileges.specific_catalog,
 routine_privileges.specific_schema,
 routine_privileges.specific_name,
 routine_privileges.routine_catalog,
 routine_privileges.routine_schema,
 routine_privileges.routine_name,
 routine_privileges.privilege_type,
 routine_privileges.is_grantable
 FROM information_schema.routine_privileges
 WHERE (((routine_privileges.grantor)::name IN ( SELECT enabled_roles.role_name
 FROM information_schema.enabled_roles)) OR ((routine_privileges.grantee)::name IN ( SELECT enabled_roles.role_name
 FROM information_schema.enabled_roles)));
-- information_schema.role_table_grants
 SELECT table_privileges.grantor,
 table_privileges.grantee,
 table_privileges.table_catalog,
 table_privileges.table_schema,
 table_privileges.table_name,
 table_privileges.privilege_type,
 table_privileges.is_grantable,
 table_privileges.with_hierarchy
 FROM information_schema.table_privileges
 WHERE (((table_privileges.grantor)::name IN ( SELECT enabled_roles.role_name
 FROM information_schema.enabled_roles)) OR ((table_privileges.grantee)::name IN ( SELECT enabled_roles.role_name
 FROM information_schema.enabled_roles)));
-- information_schema.role_udt_grants
 SELECT udt_privileges.grantor,
 udt_privileges.grantee,
 udt_privileges.udt_catalog,
 udt_privileges.udt_schema,
 udt_privileges.udt_name,
 udt_privileges.privilege_type,
 udt_privileges.is_grantable
 FROM information_schema.udt_privileges
 WHERE (((udt_privileges.grantor)::name IN ( SELECT enabled_roles.role_name
 FROM information_schema.enabled_roles)) OR ((udt_privileges.grantee)::name IN ( SELECT enabled_roles.role_name
 FROM information_schema.enabled_roles)));
-- information_schema.role_usage_grants
 SELECT usage_privileges.grantor,
 usage_privileges.grantee,
 usage_privileges.object_catalog,
 usage_privileges.object_schema,
 usage_privileges.object_name,
 usage_privileges.object_type,
 usage_privileges.privilege_type,
 usage_privileges.is_grantable
 FROM information_schema.usage_privileges
 WHERE (((usage_privileges.grantor)::name IN ( SELECT enabled_roles.role_name
 FROM information_schema.enabled_roles)) OR ((usage_privileges.grantee)::name IN ( SELECT enabled_roles.role_name
 FROM information_schema.enabled_roles)));
-- information_schema.routine_column_usage
 SELECT DISTINCT (current_database())::name AS specific_catalog,
 (np.nspname)::name AS specific_schema,
 (nameconcatoid(p.proname, p.oid))::name AS specific_name,
 (current_database())::name AS routine_catalog,
 (np.nspname)::name AS routine_schema,
 (p.proname)::name AS routine_name,
 (current_database())::name AS table_catalog,
 (nt.nspname)::name AS table_schema,
 (t.relname)::name AS table_name,
 (a.attname)::name AS column_name
 FROM pg_namespace np,
 pg_proc p,
 pg_depend d,
 pg_class t,
 pg_namespace nt,
 pg_attribute a
 WHERE ((np.oid = p.pronamespace) AND (p.oid = d.objid) AND (d.classid = ('pg_proc'::regclass)::oid) AND (d.refobjid = t.oid) AND (d.refclassid = ('pg_class'::regclass)::oid) AND (t.relnamespace = nt.oid) AND (t.relkind = ANY (ARRAY['r'::"char", 'v'::"char", 'f'::"char", 'p'::"char"])) AND (t.oid = a.attrelid) AND (d.refobjsubid = a.attnum) AND pg_has_role(t.relowner, 'USAGE'::text));
-- information_schema.routine_privileges
 SELECT (u_grantor.rolname)::name AS grantor,
 (grantee.rolname)::name AS grantee,
 (current_database())::name AS specific_catalog,
 (n.nspname)::name AS specific_schema,
 (nameconcatoid(p.proname, p.oid))::name AS specific_name,
 (current_database())::name AS routine_catalog,
 (n.nspname)::name AS routine_schema,
 (p.proname)::name AS routine_name,
 ('EXECUTE'::character varying)::character varying AS privilege_type,
 (
 CASE
 WHEN (pg_has_role(grantee.oid, p.proowner, 'USAGE'::text) OR p.grantable) THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS is_grantable
 FROM ( SELECT pg_proc.oid,
 pg_proc.proname,
 pg_proc.proowner,
 pg_proc.pronamespace,
 (aclexplode(COALESCE(pg_proc.proacl, acldefault('f'::"char", pg_proc.proowner)))).grantor AS grantor,
 (aclexplode(COALESCE(pg_proc.proacl, acldefault('f'::"char", pg_proc.proowner)))).grantee AS grantee,
 (aclexplode(COALESCE(pg_proc.proacl, acldefault('f'::"char", pg_proc.proowner)))).privilege_type AS privilege_type,
 (aclexplode(COALESCE(pg_proc.proacl, acldefault('f'::"char", pg_proc.proowner)))).is_grantable AS is_grantable
 FROM pg_proc) p(oid, proname, proowner, pronamespace, grantor, grantee, prtype, grantable),
 pg_namespace n,
 pg_authid u_grantor,
 ( SELECT pg_authid.oid,
 pg_authid.rolname
 FROM pg_authid
 UNION ALL
 SELECT (0)::oid AS oid,
 'PUBLIC'::name) grantee(oid, rolname)
 WHERE ((p.pronamespace = n.oid) AND (grantee.oid = p.grantee) AND (u_grantor.oid = p.grantor) AND (p.prtype = 'EXECUTE'::text) AND (pg_has_role(u_grantor.oid, 'USAGE'::text) OR pg_has_role(grantee.oid, 'USAGE'::text) OR (grantee.rolname = 'PUBLIC'::name)));
-- information_schema.routine_routine_usage
 SELECT DISTINCT (current_database())::name AS specific_catalog,
 (np.nspname)::name AS specific_schema,
 (nameconcatoid(p.proname, p.oid))::name AS specific_name,
 (current_database())::name AS routine_catalog,
 (np1.nspname)::name AS routine_schema,
 (nameconcatoid(p1.proname, p1.oid))::name AS routine_name
 FROM pg_namespace np,
 pg_proc p,
 pg_depend d,
 pg_proc p1,
 pg_namespace np1
 WHERE ((np.oid = p.pronamespace) AND (p.oid = d.objid) AND (d.classid = ('pg_proc'::regclass)::oid) AND (d.refobjid = p1.oid) AND (d.refclassid = ('pg_proc'::regclass)::oid) AND (p1.pronamespace = np1.oid) AND (p.prokind = ANY (ARRAY['f'::"char", 'p'::"char"])) AND (p1.prokind = ANY (ARRAY['f'::"char", 'p'::"char"])) AND pg_has_role(p1.proowner, 'USAGE'::text));
-- information_schema.routine_sequence_usage
 SELECT DISTINCT (current_database())::name AS specific_catalog,
 (np.nspname)::name AS specific_schema,
 (nameconcatoid(p.proname, p.oid))::name AS specific_name,
 (current_database())::name AS routine_catalog,
 (np.nspname)::name AS routine_schema,
 (p.proname)::name AS routine_name,
 (current_database())::name AS sequence_catalog,
 (ns.nspname)::name AS sequence_schema,
 (s.relname)::name AS sequence_name
 FROM pg_namespace np,
 pg_proc p,
 pg_depend d,
 pg_class s,
 pg_namespace ns
 WHERE ((np.oid = p.pronamespace) AND (p.oid = d.objid) AND (d.classid = ('pg_proc'::regclass)::oid) AND (d.refobjid = s.oid) AND (d.refclassid = ('pg_class'::regclass)::oid) AND (s.relnamespace = ns.oid) AND (s.relkind = 'S'::"char") AND pg_has_role(s.relowner, 'USAGE'::text));
-- information_schema.routine_table_usage
 SELECT DISTINCT (current_database())::name AS specific_catalog,
 (np.nspname)::name AS specific_schema,
 (nameconcatoid(p.proname, p.oid))::name AS specific_name,
 (current_database())::name AS routine_catalog,
 (np.nspname)::name AS routine_schema,
 (p.proname)::name AS routine_name,
 (current_database())::name AS table_catalog,
 (nt.nspname)::name AS table_schema,
 (t.relname)::name AS table_name
 FROM pg_namespace np,
 pg_proc p,
 pg_depend d,
 pg_class t,
 pg_namespace nt
 WHERE ((np.oid = p.pronamespace) AND (p.oid = d.objid) AND (d.classid = ('pg_proc'::regclass)::oid) AND (d.refobjid = t.oid) AND (d.refclassid = ('pg_class'::regclass)::oid) AND (t.relnamespace = nt.oid) AND (t.relkind = ANY (ARRAY['r'::"char", 'v'::"char", 'f'::"char", 'p'::"char"])) AND pg_has_role(t.relowner, 'USAGE'::text));
-- information_schema.routines
 SELECT (current_database())::name AS specific_catalog,
 (n.nspname)::name AS specific_schema,
 (nameconcatoid(p.proname, p.oid))::name AS specific_name,
 (current_database())::name AS routine_catalog,
 (n.nspname)::name AS routine_schema,
 (p.proname)::name AS routine_name,
 (
 CASE p.prokind
 WHEN 'f'::"char" THEN 'FUNCTION'::text
 WHEN 'p'::"char" THEN 'PROCEDURE'::text
 ELSE NULL::text
 END)::character varying AS routine_type,
 (NULL::name)::name AS module_catalog,
 (NULL::name)::name AS module_schema,
 (NULL::name)::name AS module_name,
 (NULL::name)::name AS udt_catalog,
 (NULL::name)::name AS udt_schema,
 (NULL::name)::name AS udt_name,
 (
 CASE
 WHEN (p.prokind = 'p'::"char") THEN NULL::text
 WHEN ((t.typelem <> (0)::oid) AND (t.typlen = '-1'::integer)) THEN 'ARRAY'::text
 WHEN (nt.nspname = 'pg_catalog'::name) THEN format_type(t.oid, NULL::integer)
 ELSE 'USER-DEFINED'::text
 END)::character varying AS data_type,
 (NULL::integer)::integer AS character_maximum_length,
 (NULL::integer)::integer AS character_octet_length,
 (NULL::name)::name AS character_set_catalog,
 (NULL::name)::name AS character_set_schema,
 (NULL::name)::name AS character_set_name,
 (NULL::name)::name AS collation_catalog,
 (NULL::name)::name AS collation_schema,
 (NULL::name)::name AS collation_name,
 (NULL::integer)::integer AS numeric_precision,
 (NULL::integer)::integer AS numeric_precision_radix,
 (NULL::integer)::integer AS numeric_scale,
 (NULL::integer)::integer AS datetime_precision,
 (NULL::character varying)::character varying AS interval_type,
 (NULL::integer)::integer AS interval_precision,
 (
 CASE
 WHEN (nt.nspname IS NOT NULL) THEN current_database()
 ELSE NULL::name
 END)::name AS type_udt_catalog,
 (nt.nspname)::name AS type_udt_schema,
 (t.typname)::name AS type_udt_name,
 (NULL::name)::name AS scope_catalog,
 (NULL::name)::name AS scope_schema,
 (NULL::name)::name AS scope_name,
 (NULL::integer)::integer AS maximum_cardinality,
 (
 CASE
 WHEN (p.prokind <> 'p'::"char") THEN 0
 ELSE NULL::integer
 END)::name AS dtd_identifier,
 (
 CASE
 WHEN (l.lanname = 'sql'::name) THEN 'SQL'::text
 ELSE 'EXTERNAL'::text
 END)::character varying AS routine_body,
 (
 CASE
 WHEN pg_has_role(p.proowner, 'USAGE'::text) THEN p.prosrc
 ELSE NULL::text
 END)::character varying AS routine_definition,
 (
 CASE
 WHEN (l.lanname = 'c'::name) THEN p.prosrc
 ELSE NULL::text
 END)::character varying AS external_name,
 (upper((l.lanname)::text))::character varying AS external_language,
 ('GENERAL'::character varying)::character varying AS parameter_style,
 (
 CASE
 WHEN (p.provolatile = 'i'::"char") THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS is_deterministic,
 ('MODIFIES'::character varying)::character varying AS sql_data_access,
 (
 CASE
 WHEN (p.prokind <> 'p'::"char") THEN
 CASE
 WHEN p.proisstrict THEN 'YES'::text
 ELSE 'NO'::text
 END
 ELSE NULL::text
 END)::character varying AS is_null_call,
 (NULL::character varying)::character varying AS sql_path,
 ('YES'::character varying)::character varying AS schema_level_routine,
 (0)::integer AS max_dynamic_result_sets,
 (NULL::character varying)::character varying AS is_user_defined_cast,
 (NULL::character varying)::character varying AS is_implicitly_invocable,
 (
 CASE
 WHEN p.prosecdef THEN 'DEFINER'::text
 ELSE 'INVOKER'::text
 END)::character varying AS security_type,
 (NULL::name)::name AS to_sql_specific_catalog,
 (NULL::name)::name AS to_sql_specific_schema,
 (NULL::name)::name AS to_sql_specific_name,
 ('NO'::character varying)::character varying AS as_locator,
 (NULL::timestamp with time zone)::timestamp with time zone AS created,
 (NULL::timestamp with time zone)::timestamp with time zone AS last_altered,
 (NULL::character varying)::character varying AS new_savepoint_level,
 ('NO'::character varying)::character varying AS is_udt_dependent,
 (NULL::character varying)::character varying AS result_cast_from_data_type,
 (NULL::character varying)::character varying AS result_cast_as_locator,
 (NULL::integer)::integer AS result_cast_char_max_length,
 (NULL::integer)::integer AS result_cast_char_octet_length,
 (NULL::name)::name AS result_cast_char_set_catalog,
 (NULL::name)::name AS result_cast_char_set_schema,
 (NULL::name)::name AS result_cast_char_set_name,
 (NULL::name)::name AS result_cast_collation_catalog,
 (NULL::name)::name AS result_cast_collation_schema,
 (NULL::name)::name AS result_cast_collation_name,
 (NULL::integer)::integer AS result_cast_numeric_precision,
 (NULL::integer)::integer AS result_cast_numeric_precision_radix,
 (NULL::integer)::integer AS result_cast_numeric_scale,
 (NULL::integer)::integer AS result_cast_datetime_precision,
 (NULL::character varying)::character varying AS result_cast_interval_type,
 (NULL::integer)::integer AS result_cast_interval_precision,
 (NULL::name)::name AS result_cast_type_udt_catalog,
 (NULL::name)::name AS result_cast_type_udt_schema,
 (NULL::name)::name AS result_cast_type_udt_name,
 (NULL::name)::name AS result_cast_scope_catalog,
 (NULL::name)::name AS result_cast_scope_schema,
 (NULL::name)::name AS result_cast_scope_name,
 (NULL::integer)::integer AS result_cast_maximum_cardinality,
 (NULL::name)::name AS result_cast_dtd_identifier
 FROM (((pg_namespace n
 JOIN pg_proc p ON ((n.oid = p.pronamespace)))
 JOIN pg_language l ON ((p.prolang = l.oid)))
 LEFT JOIN (pg_type t
 JOIN pg_namespace nt ON ((t.typnamespace = nt.oid))) ON (((p.prorettype = t.oid) AND (p.prokind <> 'p'::"char"))))
 WHERE (pg_has_role(p.proowner, 'USAGE'::text) OR has_function_privilege(p.oid, 'EXECUTE'::text));
-- information_schema.schemata
 SELECT (current_database())::name AS catalog_name,
 (n.nspname)::name AS schema_name,
 (u.rolname)::name AS schema_owner,
 (NULL::name)::name AS default_character_set_catalog,
 (NULL::name)::name AS default_character_set_schema,
 (NULL::name)::name AS default_character_set_name,
 (NULL::character varying)::character varying AS sql_path
 FROM pg_namespace n,
 pg_authid u
 WHERE ((n.nspowner = u.oid) AND (pg_has_role(n.nspowner, 'USAGE'::text) OR has_schema_privilege(n.oid, 'CREATE, USAGE'::text)));
-- information_schema.sequences
 SELECT (current_database())::name AS sequence_catalog,
 (nc.nspname)::name AS sequence_schema,
 (c.relname)::name AS sequence_name,
 (format_type(s.seqtypid, NULL::integer))::character varying AS data_type,
 (information_schema._pg_numeric_precision(s.seqtypid, '-1'::integer))::integer AS numeric_precision,
 (2)::integer AS numeric_precision_radix,
 (0)::integer AS numeric_scale,
 (s.seqstart)::character varying AS start_value,
 (s.seqmin)::character varying AS minimum_value,
 (s.seqmax)::character varying AS maximum_value,
 (s.seqincrement)::character varying AS increment,
 (
 CASE
 WHEN s.seqcycle THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS cycle_option
 FROM pg_namespace nc,
 pg_class c,
 pg_sequence s
 WHERE ((c.relnamespace = nc.oid) AND (c.relkind = 'S'::"char") AND (NOT (EXISTS ( SELECT 1
 FROM pg_depend
 WHERE ((pg_depend.classid = ('pg_class'::regclass)::oid) AND (pg_depend.objid = c.oid) AND (pg_depend.deptype = 'i'::"char"))))) AND (NOT pg_is_other_temp_schema(nc.oid)) AND (c.oid = s.seqrelid) AND (pg_has_role(c.relowner, 'USAGE'::text) OR has_sequence_privilege(c.oid, 'SELECT, UPDATE, USAGE'::text)));
-- information_schema.table_constraints
 SELECT (current_database())::name AS constraint_catalog,
 (nc.nspname)::name AS constraint_schema,
 (c.conname)::name AS constraint_name,
 (current_database())::name AS table_catalog,
 (nr.nspname)::name AS table_schema,
 (r.relname)::name AS table_name,
 (
 CASE c.contype
 WHEN 'c'::"char" THEN 'CHECK'::text
 WHEN 'f'::"char" THEN 'FOREIGN KEY'::text
 WHEN 'p'::"char" THEN 'PRIMARY KEY'::text
 WHEN 'u'::"char" THEN 'UNIQUE'::text
 ELSE NULL::text
 END)::character varying AS constraint_type,
 (
 CASE
 WHEN c.condeferrable THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS is_deferrable,
 (
 CASE
 WHEN c.condeferred THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS initially_deferred,
 ('YES'::character varying)::character varying AS enforced,
 (
 CASE
 WHEN (c.contype = 'u'::"char") THEN
 CASE
 WHEN ( SELECT (NOT pg_index.indnullsnotdistinct)
 FROM pg_index
 WHERE (pg_index.indexrelid = c.conindid)) THEN 'YES'::text
 ELSE 'NO'::text
 END
 ELSE NULL::text
 END)::character varying AS nulls_distinct
 FROM pg_namespace nc,
 pg_namespace nr,
 pg_constraint c,
 pg_class r
 WHERE ((nc.oid = c.connamespace) AND (nr.oid = r.relnamespace) AND (c.conrelid = r.oid) AND (c.contype <> ALL (ARRAY['t'::"char", 'x'::"char"])) AND (r.relkind = ANY (ARRAY['r'::"char", 'p'::"char"])) AND (NOT pg_is_other_temp_schema(nr.oid)) AND (pg_has_role(r.relowner, 'USAGE'::text) OR has_table_privilege(r.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER'::text) OR has_any_column_privilege(r.oid, 'INSERT, UPDATE, REFERENCES'::text)))
UNION ALL
 SELECT (current_database())::name AS constraint_catalog,
 (nr.nspname)::name AS constraint_schema,
 (((((((nr.oid)::text || '_'::text) || (r.oid)::text) || '_'::text) || (a.attnum)::text) || '_not_null'::text))::name AS constraint_name,
 (current_database())::name AS table_catalog,
 (nr.nspname)::name AS table_schema,
 (r.relname)::name AS table_name,
 ('CHECK'::character varying)::character varying AS constraint_type,
 ('NO'::character varying)::character varying AS is_deferrable,
 ('NO'::character varying)::character varying AS initially_deferred,
 ('YES'::character varying)::character varying AS enforced,
 (NULL::character varying)::character varying AS nulls_distinct
 FROM pg_namespace nr,
 pg_class r,
 pg_attribute a
 WHERE ((nr.oid = r.relnamespace) AND (r.oid = a.attrelid) AND a.attnotnull AND (a.attnum > 0) AND (NOT a.attisdropped) AND (r.relkind = ANY (ARRAY['r'::"char", 'p'::"char"])) AND (NOT pg_is_other_temp_schema(nr.oid)) AND (pg_has_role(r.relowner, 'USAGE'::text) OR has_table_privilege(r.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER'::text) OR has_any_column_privilege(r.oid, 'INSERT, UPDATE, REFERENCES'::text)));
-- information_schema.table_privileges
 SELECT (u_grantor.rolname)::name AS grantor,
 (grantee.rolname)::name AS grantee,
 (current_database())::name AS table_catalog,
 (nc.nspname)::name AS table_schema,
 (c.relname)::name AS table_name,
 (c.prtype)::character varying AS privilege_type,
 (
 CASE
 WHEN (pg_has_role(grantee.oid, c.relowner, 'USAGE'::text) OR c.grantable) THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS is_grantable,
 (
 CASE
 WHEN (c.prtype = 'SELECT'::text) THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS with_hierarchy
 FROM ( SELECT pg_class.oid,
 pg_class.relname,
 pg_class.relnamespace,
 pg_class.relkind,
 pg_class.relowner,
 (aclexplode(COALESCE(pg_class.relacl, acldefault('r'::"char", pg_class.relowner)))).grantor AS grantor,
 (aclexplode(COALESCE(pg_class.relacl, acldefault('r'::"char", pg_class.relowner)))).grantee AS grantee,
 (aclexplode(COALESCE(pg_class.relacl, acldefault('r'::"char", pg_class.relowner)))).privilege_type AS privilege_type,
 (aclexplode(COALESCE(pg_class.relacl, acldefault('r'::"char", pg_class.relowner)))).is_grantable AS is_grantable
 FROM pg_class) c(oid, relname, relnamespace, relkind, relowner, grantor, grantee, prtype, grantable),
 pg_namespace nc,
 pg_authid u_grantor,
 ( SELECT pg_authid.oid,
 pg_authid.rolname
 FROM pg_authid
 UNION ALL
 SELECT (0)::oid AS oid,
 'PUBLIC'::name) grantee(oid, rolname)
 WHERE ((c.relnamespace = nc.oid) AND (c.relkind = ANY (ARRAY['r'::"char", 'v'::"char", 'f'::"char", 'p'::"char"])) AND (c.grantee = grantee.oid) AND (c.grantor = u_grantor.oid) AND (c.prtype = ANY (ARRAY['INSERT'::text, 'SELECT'::text, 'UPDATE'::text, 'DELETE'::text, 'TRUNCATE'::text, 'REFERENCES'::text, 'TRIGGER'::text])) AND (pg_has_role(u_grantor.oid, 'USAGE'::text) OR pg_has_role(grantee.oid, 'USAGE'::text) OR (grantee.rolname = 'PUBLIC'::name)));
-- information_schema.tables
 SELECT (current_database())::name AS table_catalog,
 (nc.nspname)::name AS table_schema,
 (c.relname)::name AS table_name,
 (
 CASE
 WHEN (nc.oid = pg_my_temp_schema()) THEN 'LOCAL TEMPORARY'::text
 WHEN (c.relkind = ANY (ARRAY['r'::"char", 'p'::"char"])) THEN 'BASE TABLE'::text
 WHEN (c.relkind = 'v'::"char") THEN 'VIEW'::text
 WHEN (c.relkind = 'f'::"char") THEN 'FOREIGN'::text
 ELSE NULL::text
 END)::character varying AS table_type,
 (NULL::name)::name AS self_referencing_column_name,
 (NULL::character varying)::character varying AS reference_generation,
 (
 CASE
 WHEN (t.typname IS NOT NULL) THEN current_database()
 ELSE NULL::name
 END)::name AS user_defined_type_catalog,
 (nt.nspname)::name AS user_defined_type_schema,
 (t.typname)::name AS user_defined_type_name,
 (
 CASE
 WHEN ((c.relkind = ANY (ARRAY['r'::"char", 'p'::"char"])) OR ((c.relkind = ANY (ARRAY['v'::"char", 'f'::"char"])) AND ((pg_relation_is_updatable((c.oid)::regclass, false) & 8) = 8))) THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS is_insertable_into,
 (
 CASE
 WHEN (t.typname IS NOT NULL) THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS is_typed,
 (NULL::character varying)::character varying AS commit_action
 FROM ((pg_namespace nc
 JOIN pg_class c ON ((nc.oid = c.relnamespace)))
 LEFT JOIN (pg_type t
 JOIN pg_namespace nt ON ((t.typnamespace = nt.oid))) ON ((c.reloftype = t.oid)))
 WHERE ((c.relkind = ANY (ARRAY['r'::"char", 'v'::"char", 'f'::"char", 'p'::"char"])) AND (NOT pg_is_other_temp_schema(nc.oid)) AND (pg_has_role(c.relowner, 'USAGE'::text) OR has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER'::text) OR has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE, REFERENCES'::text)));
-- information_schema.transforms
 SELECT (current_database())::name AS udt_catalog,
 (nt.nspname)::name AS udt_schema,
 (t.typname)::name AS udt_name,
 (current_database())::name AS specific_catalog,
 (np.nspname)::name AS specific_schema,
 (nameconcatoid(p.proname, p.oid))::name AS specific_name,
 (l.lanname)::name AS group_name,
 ('FROM SQL'::character varying)::character varying AS transform_type
 FROM (((((pg_type t
 JOIN pg_transform x ON ((t.oid = x.trftype)))
 JOIN pg_language l ON ((x.trflang = l.oid)))
 JOIN pg_proc p ON (((x.trffromsql)::oid = p.oid)))
 JOIN pg_namespace nt ON ((t.typnamespace = nt.oid)))
 JOIN pg_namespace np ON ((p.pronamespace = np.oid)))
UNION
 SELECT (current_database())::name AS udt_catalog,
 (nt.nspname)::name AS udt_schema,
 (t.typname)::name AS udt_name,
 (current_database())::name AS specific_catalog,
 (np.nspname)::name AS specific_schema,
 (nameconcatoid(p.proname, p.oid))::name AS specific_name,
 (l.lanname)::name AS group_name,
 ('TO SQL'::character varying)::character varying AS transform_type
 FROM (((((pg_type t
 JOIN pg_transform x ON ((t.oid = x.trftype)))
 JOIN pg_language l ON ((x.trflang = l.oid)))
 JOIN pg_proc p ON (((x.trftosql)::oid = p.oid)))
 JOIN pg_namespace nt ON ((t.typnamespace = nt.oid)))
 JOIN pg_namespace np ON ((p.pronamespace = np.oid)))
 ORDER BY 1, 2, 3, 7, 8;
-- information_schema.triggered_update_columns
 SELECT (current_database())::name AS trigger_catalog,
 (n.nspname)::name AS trigger_schema,
 (t.tgname)::name AS trigger_name,
 (current_database())::name AS event_object_catalog,
 (n.nspname)::name AS event_object_schema,
 (c.relname)::name AS event_object_table,
 (a.attname)::name AS event_object_column
 FROM pg_namespace n,
 pg_class c,
 pg_trigger t,
 ( SELECT ta0.tgoid,
 (ta0.tgat).x AS tgattnum,
 (ta0.tgat).n AS tgattpos
 FROM ( SELECT pg_trigger.oid AS tgoid,
 information_schema._pg_expandarray(pg_trigger.tgattr) AS tgat
 FROM pg_trigger) ta0) ta,
 pg_attribute a
 WHERE ((n.oid = c.relnamespace) AND (c.oid = t.tgrelid) AND (t.oid = ta.tgoid) AND ((a.attrelid = t.tgrelid) AND (a.attnum = ta.tgattnum)) AND (NOT t.tgisinternal) AND (NOT pg_is_other_temp_schema(n.oid)) AND (pg_has_role(c.relowner, 'USAGE'::text) OR has_column_privilege(c.oid, a.attnum, 'INSERT, UPDATE, REFERENCES'::text)));
-- information_schema.triggers
 SELECT (current_database())::name AS trigger_catalog,
 (n.nspname)::name AS trigger_schema,
 (t.tgname)::name AS trigger_name,
 (em.text)::character varying AS event_manipulation,
 (current_database())::name AS event_object_catalog,
 (n.nspname)::name AS event_object_schema,
 (c.relname)::name AS event_object_table,
 (rank() OVER (PARTITION BY (n.nspname)::name, (c.relname)::name, em.num, ((t.tgtype)::integer & 1), ((t.tgtype)::integer & 66) ORDER BY t.tgname))::integer AS action_order,
 (
 CASE
 WHEN pg_has_role(c.relowner, 'USAGE'::text) THEN (regexp_match(pg_get_triggerdef(t.oid), '.{35,} WHEN \((.+)\) EXECUTE FUNCTION'::text))[1]
 ELSE NULL::text
 END)::character varying AS action_condition,
 (SUBSTRING(pg_get_triggerdef(t.oid) FROM (POSITION(('EXECUTE FUNCTION'::text) IN (SUBSTRING(pg_get_triggerdef(t.oid) FROM 48))) + 47)))::character varying AS action_statement,
 (
 CASE ((t.tgtype)::integer & 1)
 WHEN 1 THEN 'ROW'::text
 ELSE 'STATEMENT'::text
 END)::character varying AS action_orientation,
 (
 CASE ((t.tgtype)::integer & 66)
 WHEN 2 THEN 'BEFORE'::text
 WHEN 64 THEN 'INSTEAD OF'::text
 ELSE 'AFTER'::text
 END)::character varying AS action_timing,
 (t.tgoldtable)::name AS action_reference_old_table,
 (t.tgnewtable)::name AS action_reference_new_table,
 (NULL::name)::name AS action_reference_old_row,
 (NULL::name)::name AS action_reference_new_row,
 (NULL::timestamp with time zone)::timestamp with time zone AS created
 FROM pg_namespace n,
 pg_class c,
 pg_trigger t,
 ( VALUES (4,'INSERT'::text), (8,'DELETE'::text), (16,'UPDATE'::text)) em(num, text)
 WHERE ((n.oid = c.relnamespace) AND (c.oid = t.tgrelid) AND (((t.tgtype)::integer & em.num) <> 0) AND (NOT t.tgisinternal) AND (NOT pg_is_other_temp_schema(n.oid)) AND (pg_has_role(c.relowner, 'USAGE'::text) OR has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER'::text) OR has_any_column_privilege(c.oid, 'INSERT, UPDATE, REFERENCES'::text)));
-- information_schema.udt_privileges
 SELECT (u_grantor.rolname)::name AS grantor,
 (grantee.rolname)::name AS grantee,
 (current_database())::name AS udt_catalog,
 (n.nspname)::name AS udt_schema,
 (t.typname)::name AS udt_name,
 ('TYPE USAGE'::character varying)::character varying AS privilege_type,
 (
 CASE
 WHEN (pg_has_role(grantee.oid, t.typowner, 'USAGE'::text) OR t.grantable) THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS is_grantable
 FROM ( SELECT pg_type.oid,
 pg_type.typname,
 pg_type.typnamespace,
 pg_type.typtype,
 pg_type.typowner,
 (aclexplode(COALESCE(pg_type.typacl, acldefault('T'::"char", pg_type.typowner)))).grantor AS grantor,
 (aclexplode(COALESCE(pg_type.typacl, acldefault('T'::"char", pg_type.typowner)))).grantee AS grantee,
 (aclexplode(COALESCE(pg_type.typacl, acldefault('T'::"char", pg_type.typowner)))).privilege_type AS privilege_type,
 (aclexplode(COALESCE(pg_type.typacl, acldefault('T'::"char", pg_type.typowner)))).is_grantable AS is_grantable
 FROM pg_type) t(oid, typname, typnamespace, typtype, typowner, grantor, grantee, prtype, grantable),
 pg_namespace n,
 pg_authid u_grantor,
 ( SELECT pg_authid.oid,
 pg_authid.rolname
 FROM pg_authid
 UNION ALL
 SELECT (0)::oid AS oid,
 'PUBLIC'::name) grantee(oid, rolname)
 WHERE ((t.typnamespace = n.oid) AND (t.typtype = 'c'::"char") AND (t.grantee = grantee.oid) AND (t.grantor = u_grantor.oid) AND (t.prtype = 'USAGE'::text) AND (pg_has_role(u_grantor.oid, 'USAGE'::text) OR pg_has_role(grantee.oid, 'USAGE'::text) OR (grantee.rolname = 'PUBLIC'::name)));
-- information_schema.usage_privileges
 SELECT (u.rolname)::name AS grantor,
 ('PUBLIC'::name)::name AS grantee,
 (current_database())::name AS object_catalog,
 (n.nspname)::name AS object_schema,
 (c.collname)::name AS object_name,
 ('COLLATION'::character varying)::character varying AS object_type,
 ('USAGE'::character varying)::character varying AS privilege_type,
 ('NO'::character varying)::character varying AS is_grantable
 FROM pg_authid u,
 pg_namespace n,
 pg_collation c
 WHERE ((u.oid = c.collowner) AND (c.collnamespace = n.oid) AND (c.collencoding = ANY (ARRAY['-1'::integer, ( SELECT pg_database.encoding
 FROM pg_database
 WHERE (pg_database.datname = current_database()))])))
UNION ALL
 SELECT (u_grantor.rolname)::name AS grantor,
 (grantee.rolname)::name AS grantee,
 (current_database())::name AS object_catalog,
 (n.nspname)::name AS object_schema,
 (t.typname)::name AS object_name,
 ('DOMAIN'::character varying)::character varying AS object_type,
 ('USAGE'::character varying)::character varying AS privilege_type,
 (
 CASE
 WHEN (pg_has_role(grantee.oid, t.typowner, 'USAGE'::text) OR t.grantable) THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS is_grantable
 FROM ( SELECT pg_type.oid,
 pg_type.typname,
 pg_type.typnamespace,
 pg_type.typtype,
 pg_type.typowner,
 (aclexplode(COALESCE(pg_type.typacl, acldefault('T'::"char", pg_type.typowner)))).grantor AS grantor,
 (aclexplode(COALESCE(pg_type.typacl, acldefault('T'::"char", pg_type.typowner)))).grantee AS grantee,
 (aclexplode(COALESCE(pg_type.typacl, acldefault('T'::"char", pg_type.typowner)))).privilege_type AS privilege_type,
 (aclexplode(COALESCE(pg_type.typacl, acldefault('T'::"char", pg_type.typowner)))).is_grantable AS is_grantable
 FROM pg_type) t(oid, typname, typnamespace, typtype, typowner, grantor, grantee, prtype, grantable),
 pg_namespace n,
 pg_authid u_grantor,
 ( SELECT pg_authid.oid,
 pg_authid.rolname
 FROM pg_authid
 UNION ALL
 SELECT (0)::oid AS oid,
 'PUBLIC'::name) grantee(oid, rolname)
 WHERE ((t.typnamespace = n.oid) AND (t.typtype = 'd'::"char") AND (t.grantee = grantee.oid) AND (t.grantor = u_grantor.oid) AND (t.prtype = 'USAGE'::text) AND (pg_has_role(u_grantor.oid, 'USAGE'::text) OR pg_has_role(grantee.oid, 'USAGE'::text) OR (grantee.rolname = 'PUBLIC'::name)))
UNION ALL
 SELECT (u_grantor.rolname)::name AS grantor,
 (grantee.rolname)::name AS grantee,
 (current_database())::name AS object_catalog,
 (''::name)::name AS object_schema,
 (fdw.fdwname)::name AS object_name,
 ('FOREIGN DATA WRAPPER'::character varying)::character varying AS object_type,
 ('USAGE'::character varying)::character varying AS privilege_type,
 (
 CASE
 WHEN (pg_has_role(grantee.oid, fdw.fdwowner, 'USAGE'::text) OR fdw.grantable) THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS is_grantable
 FROM ( SELECT pg_foreign_data_wrapper.fdwname,
 pg_foreign_data_wrapper.fdwowner,
 (aclexplode(COALESCE(pg_foreign_data_wrapper.fdwacl, acldefault('F'::"char", pg_foreign_data_wrapper.fdwowner)))).grantor AS grantor,
 (aclexplode(COALESCE(pg_foreign_data_wrapper.fdwacl, acldefault('F'::"char", pg_foreign_data_wrapper.fdwowner)))).grantee AS grantee,
 (aclexplode(COALESCE(pg_foreign_data_wrapper.fdwacl, acldefault('F'::"char", pg_foreign_data_wrapper.fdwowner)))).privilege_type AS privilege_type,
 (aclexplode(COALESCE(pg_foreign_data_wrapper.fdwacl, acldefault('F'::"char", pg_foreign_data_wrapper.fdwowner)))).is_grantable AS is_grantable
 FROM pg_foreign_data_wrapper) fdw(fdwname, fdwowner, grantor, grantee, prtype, grantable),
 pg_authid u_grantor,
 ( SELECT pg_authid.oid,
 pg_authid.rolname
 FROM pg_authid
 UNION ALL
 SELECT (0)::oid AS oid,
 'PUBLIC'::name) grantee(oid, rolname)
 WHERE ((u_grantor.oid = fdw.grantor) AND (grantee.oid = fdw.grantee) AND (fdw.prtype = 'USAGE'::text) AND (pg_has_role(u_grantor.oid, 'USAGE'::text) OR pg_has_role(grantee.oid, 'USAGE'::text) OR (grantee.rolname = 'PUBLIC'::name)))
UNION ALL
 SELECT (u_grantor.rolname)::name AS grantor,
 (grantee.rolname)::name AS grantee,
 (current_database())::name AS object_catalog,
 (''::name)::name AS object_schema,
 (srv.srvname)::name AS object_name,
 ('FOREIGN SERVER'::character varying)::character varying AS object_type,
 ('USAGE'::character varying)::character varying AS privilege_type,
 (
 CASE
 WHEN (pg_has_role(grantee.oid, srv.srvowner, 'USAGE'::text) OR srv.grantable) THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS is_grantable
 FROM ( SELECT pg_foreign_server.srvname,
 pg_foreign_server.srvowner,
 (aclexplode(COALESCE(pg_foreign_server.srvacl, acldefault('S'::"char", pg_foreign_server.srvowner)))).grantor AS grantor,
 (aclexplode(COALESCE(pg_foreign_server.srvacl, acldefault('S'::"char", pg_foreign_server.srvowner)))).grantee AS grantee,
 (aclexplode(COALESCE(pg_foreign_server.srvacl, acldefault('S'::"char", pg_foreign_server.srvowner)))).privilege_type AS privilege_type,
 (aclexplode(COALESCE(pg_foreign_server.srvacl, acldefault('S'::"char", pg_foreign_server.srvowner)))).is_grantable AS is_grantable
 FROM pg_foreign_server) srv(srvname, srvowner, grantor, grantee, prtype, grantable),
 pg_authid u_grantor,
 ( SELECT pg_authid.oid,
 pg_authid.rolname
 FROM pg_authid
 UNION ALL
 SELECT (0)::oid AS oid,
 'PUBLIC'::name) grantee(oid, rolname)
 WHERE ((u_grantor.oid = srv.grantor) AND (grantee.oid = srv.grantee) AND (srv.prtype = 'USAGE'::text) AND (pg_has_role(u_grantor.oid, 'USAGE'::text) OR pg_has_role(grantee.oid, 'USAGE'::text) OR (grantee.rolname = 'PUBLIC'::name)))
UNION ALL
 SELECT (u_grantor.rolname)::name AS grantor,
 (grantee.rolname)::name AS grantee,
 (current_database())::name AS object_catalog,
 (n.nspname)::name AS object_schema,
 (c.relname)::name AS object_name,
 ('SEQUENCE'::character varying)::character varying AS object_type,
 ('USAGE'::character varying)::character varying AS privilege_type,
 (
 CASE
 WHEN (pg_has_role(grantee.oid, c.relowner, 'USAGE'::text) OR c.grantable) THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS is_grantable
 FROM ( SELECT pg_class.oid,
 pg_class.relname,
 pg_class.relnamespace,
 pg_class.relkind,
 pg_class.relowner,
 (aclexplode(COALESCE(pg_class.relacl, acldefault('r'::"char", pg_class.relowner)))).grantor AS grantor,
 (aclexplode(COALESCE(pg_class.relacl, acldefault('r'::"char", pg_class.relowner)))).grantee AS grantee,
 (aclexplode(COALESCE(pg_class.relacl, acldefault('r'::"char", pg_class.relowner)))).privilege_type AS privilege_type,
 (aclexplode(COALESCE(pg_class.relacl, acldefault('r'::"char", pg_class.relowner)))).is_grantable AS is_grantable
 FROM pg_class) c(oid, relname, relnamespace, relkind, relowner, grantor, grantee, prtype, grantable),
 pg_namespace n,
 pg_authid u_grantor,
 ( SELECT pg_authid.oid,
 pg_authid.rolname
 FROM pg_authid
 UNION ALL
 SELECT (0)::oid AS oid,
 'PUBLIC'::name) grantee(oid, rolname)
 WHERE ((c.relnamespace = n.oid) AND (c.relkind = 'S'::"char") AND (c.grantee = grantee.oid) AND (c.grantor = u_grantor.oid) AND (c.prtype = 'USAGE'::text) AND (pg_has_role(u_grantor.oid, 'USAGE'::text) OR pg_has_role(grantee.oid, 'USAGE'::text) OR (grantee.rolname = 'PUBLIC'::name)));
-- information_schema.user_defined_types
 SELECT (current_database())::name AS user_defined_type_catalog,
 (n.nspname)::name AS user_defined_type_schema,
 (c.relname)::name AS user_defined_type_name,
 ('STRUCTURED'::character varying)::character varying AS user_defined_type_category,
 ('YES'::character varying)::character varying AS is_instantiable,
 (NULL::character varying)::character varying AS is_final,
 (NULL::character varying)::character varying AS ordering_form,
 (NULL::character varying)::character varying AS ordering_category,
 (NULL::name)::name AS ordering_routine_catalog,
 (NULL::name)::name AS ordering_routine_schema,
 (NULL::name)::name AS ordering_routine_name,
 (NULL::character varying)::character varying AS reference_type,
 (NULL::character varying)::character varying AS data_type,
 (NULL::integer)::integer AS character_maximum_length,
 (NULL::integer)::integer AS character_octet_length,
 (NULL::name)::name AS character_set_catalog,
 (NULL::name)::name AS character_set_schema,
 (NULL::name)::name AS character_set_name,
 (NULL::name)::name AS collation_catalog,
 (NULL::name)::name AS collation_schema,
 (NULL::name)::name AS collation_name,
 (NULL::integer)::integer AS numeric_precision,
 (NULL::integer)::integer AS numeric_precision_radix,
 (NULL::integer)::integer AS numeric_scale,
 (NULL::integer)::integer AS datetime_precision,
 (NULL::character varying)::character varying AS interval_type,
 (NULL::integer)::integer AS interval_precision,
 (NULL::name)::name AS source_dtd_identifier,
 (NULL::name)::name AS ref_dtd_identifier
 FROM pg_namespace n,
 pg_class c,
 pg_type t
 WHERE ((n.oid = c.relnamespace) AND (t.typrelid = c.oid) AND (c.relkind = 'c'::"char") AND (pg_has_role(t.typowner, 'USAGE'::text) OR has_type_privilege(t.oid, 'USAGE'::text)));
-- information_schema.user_mapping_options
 SELECT um.authorization_identifier,
 um.foreign_server_catalog,
 um.foreign_server_name,
 (opts.option_name)::name AS option_name,
 (
 CASE
 WHEN (((um.umuser <> (0)::oid) AND ((um.authorization_identifier)::name = CURRENT_USER)) OR ((um.umuser = (0)::oid) AND pg_has_role((um.srvowner)::name, 'USAGE'::text)) OR ( SELECT pg_authid.rolsuper
 FROM pg_authid
 WHERE (pg_authid.rolname = CURRENT_USER))) THEN opts.option_value
 ELSE NULL::text
 END)::character varying AS option_value
 FROM information_schema._pg_user_mappings um,
 LATERAL pg_options_to_table(um.umoptions) opts(option_name, option_value);
-- information_schema.user_mappings
 SELECT _pg_user_mappings.authorization_identifier,
 _pg_user_mappings.foreign_server_catalog,
 _pg_user_mappings.foreign_server_name
 FROM information_schema._pg_user_mappings;
-- information_schema.view_column_usage
 SELECT DISTINCT (current_database())::name AS view_catalog,
 (nv.nspname)::name AS view_schema,
 (v.relname)::name AS view_name,
 (current_database())::name AS table_catalog,
 (nt.nspname)::name AS table_schema,
 (t.relname)::name AS table_name,
 (a.attname)::name AS column_name
 FROM pg_namespace nv,
 pg_class v,
 pg_depend dv,
 pg_depend dt,
 pg_class t,
 pg_namespace nt,
 pg_attribute a
 WHERE ((nv.oid = v.relnamespace) AND (v.relkind = 'v'::"char") AND (v.oid = dv.refobjid) AND (dv.refclassid = ('pg_class'::regclass)::oid) AND (dv.classid = ('pg_rewrite'::regclass)::oid) AND (dv.deptype = 'i'::"char") AND (dv.objid = dt.objid) AND (dv.refobjid <> dt.refobjid) AND (dt.classid = ('pg_rewrite'::regclass)::oid) AND (dt.refclassid = ('pg_class'::regclass)::oid) AND (dt.refobjid = t.oid) AND (t.relnamespace = nt.oid) AND (t.relkind = ANY (ARRAY['r'::"char", 'v'::"char", 'f'::"char", 'p'::"char"])) AND (t.oid = a.attrelid) AND (dt.refobjsubid = a.attnum) AND pg_has_role(t.relowner, 'USAGE'::text));
-- information_schema.view_routine_usage
 SELECT DISTINCT (current_database())::name AS table_catalog,
 (nv.nspname)::name AS table_schema,
 (v.relname)::name AS table_name,
 (current_database())::name AS specific_catalog,
 (np.nspname)::name AS specific_schema,
 (nameconcatoid(p.proname, p.oid))::name AS specific_name
 FROM pg_namespace nv,
 pg_class v,
 pg_depend dv,
 pg_depend dp,
 pg_proc p,
 pg_namespace np
 WHERE ((nv.oid = v.relnamespace) AND (v.relkind = 'v'::"char") AND (v.oid = dv.refobjid) AND (dv.refclassid = ('pg_class'::regclass)::oid) AND (dv.classid = ('pg_rewrite'::regclass)::oid) AND (dv.deptype = 'i'::"char") AND (dv.objid = dp.objid) AND (dp.classid = ('pg_rewrite'::regclass)::oid) AND (dp.refclassid = ('pg_proc'::regclass)::oid) AND (dp.refobjid = p.oid) AND (p.pronamespace = np.oid) AND pg_has_role(p.proowner, 'USAGE'::text));
-- information_schema.view_table_usage
 SELECT DISTINCT (current_database())::name AS view_catalog,
 (nv.nspname)::name AS view_schema,
 (v.relname)::name AS view_name,
 (current_database())::name AS table_catalog,
 (nt.nspname)::name AS table_schema,
 (t.relname)::name AS table_name
 FROM pg_namespace nv,
 pg_class v,
 pg_depend dv,
 pg_depend dt,
 pg_class t,
 pg_namespace nt
 WHERE ((nv.oid = v.relnamespace) AND (v.relkind = 'v'::"char") AND (v.oid = dv.refobjid) AND (dv.refclassid = ('pg_class'::regclass)::oid) AND (dv.classid = ('pg_rewrite'::regclass)::oid) AND (dv.deptype = 'i'::"char") AND (dv.objid = dt.objid) AND (dv.refobjid <> dt.refobjid) AND (dt.classid = ('pg_rewrite'::regclass)::oid) AND (dt.refclassid = ('pg_class'::regclass)::oid) AND (dt.refobjid = t.oid) AND (t.relnamespace = nt.oid) AND (t.relkind = ANY (ARRAY['r'::"char", 'v'::"char", 'f'::"char", 'p'::"char"])) AND pg_has_role(t.relowner, 'USAGE'::text));
-- information_schema.views
 SELECT (current_database())::name AS table_catalog,
 (nc.nspname)::name AS table_schema,
 (c.relname)::name AS table_name,
 (
 CASE
 WHEN pg_has_role(c.relowner, 'USAGE'::text) THEN pg_get_viewdef(c.oid)
 ELSE NULL::text
 END)::character varying AS view_definition,
 (
 CASE
 WHEN ('check_option=cascaded'::text = ANY (c.reloptions)) THEN 'CASCADED'::text
 WHEN ('check_option=local'::text = ANY (c.reloptions)) THEN 'LOCAL'::text
 ELSE 'NONE'::text
 END)::character varying AS check_option,
 (
 CASE
 WHEN ((pg_relation_is_updatable((c.oid)::regclass, false) & 20) = 20) THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS is_updatable,
 (
 CASE
 WHEN ((pg_relation_is_updatable((c.oid)::regclass, false) & 8) = 8) THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS is_insertable_into,
 (
 CASE
 WHEN (EXISTS ( SELECT 1
 FROM pg_trigger
 WHERE ((pg_trigger.tgrelid = c.oid) AND (((pg_trigger.tgtype)::integer & 81) = 81)))) THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS is_trigger_updatable,
 (
 CASE
 WHEN (EXISTS ( SELECT 1
 FROM pg_trigger
 WHERE ((pg_trigger.tgrelid = c.oid) AND (((pg_trigger.tgtype)::integer & 73) = 73)))) THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS is_trigger_deletable,
 (
 CASE
 WHEN (EXISTS ( SELECT 1
 FROM pg_trigger
 WHERE ((pg_trigger.tgrelid = c.oid) AND (((pg_trigger.tgtype)::integer & 69) = 69)))) THEN 'YES'::text
 ELSE 'NO'::text
 END)::character varying AS is_trigger_insertable_into
 FROM pg_namespace nc,
 pg_class c
 WHERE ((c.relnamespace = nc.oid) AND (c.relkind = 'v'::"char") AND (NOT pg_is_other_temp_schema(nc.oid)) AND (pg_has_role(c.relowner, 'USAGE'::text) OR has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER'::text) OR has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE, REFERENCES'::text)));
