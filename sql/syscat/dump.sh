#!/usr/bin/env bash
# Writes data/ from a PostgreSQL 15 that has nothing but what initdb made:
#   dump.sh -h HOST -p PORT -U USER DATABASE
# A table's file has a line of its columns' names, then rows as COPY writes them. Columns
# with one value throughout stand in front, as #name=value. OIDs are written for names.
set -euo pipefail
cd "$(dirname "$0")/data"
q() { PGOPTIONS='-c search_path=pg_catalog -c lc_messages=C' psql -X -q -A -t "$@"; }

q "$@" -c "COPY (
  SELECT n.nspname AS schema, c.relname AS name, c.oid, c.relkind AS kind, c.reltoastrelid <> 0 AS toast, c.relisshared AS shared,
    (SELECT string_agg(concat_ws(':', a.attname, a.atttypid, a.atttypmod, a.attnotnull::int), ' ' ORDER BY a.attnum)
     FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0) AS columns
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname IN ('pg_catalog', 'information_schema') AND c.relkind IN ('r', 'v')
  ORDER BY 1 DESC, 2) TO STDOUT (HEADER)" >relations.tsv

q "$@" -c "COPY (
  SELECT i.indexrelid AS oid, c.relname AS name, i.indrelid AS relation, i.indisprimary AS primary, i.indisunique AS unique,
    i.indkey AS columns, i.indclass AS classes, i.indcollation AS collations
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace = 11 ORDER BY 1) TO STDOUT (HEADER)" >indexes.tsv

dump() { # table condition -- connection
  local table=$1 where=$2; shift 3
  local list
  list=$(q "$@" -c "SELECT string_agg(CASE WHEN atttypid = 'regproc'::regtype THEN attname || '::oid' ELSE attname END, ', ' ORDER BY attnum)
    FROM pg_attribute WHERE attrelid = 'pg_catalog.$table'::regclass AND attnum > 0 AND atttypid NOT IN ('pg_node_tree'::regtype, 'anyarray'::regtype)")
  q "$@" -c "COPY (SELECT $list FROM $table WHERE $where ORDER BY 1, 2, 3) TO STDOUT (HEADER)" | awk -F '\t' -v OFS='\t' '
    NR == 1 { n = split($0, name); next }
    { row[NR] = $0; for (i = 1; i <= n; i++) { if (NR == 2) first[i] = $i; else if ($i != first[i]) varies[i] = 1 } }
    END {
      varies[1] = 1
      for (i = 1; i <= n; i++) if (!varies[i]) print "#" name[i] "=" first[i]
      line = ""; for (i = 1; i <= n; i++) if (varies[i]) line = line (line == "" ? "" : OFS) name[i]
      print line
      for (r = 2; r <= NR; r++) { split(row[r], v, FS); line = v[1]; for (i = 2; i <= n; i++) if (varies[i]) line = line OFS v[i]; print line }
    }' >"$table.tsv"
}
dump pg_type "typrelid = 0 AND NOT EXISTS (SELECT FROM pg_type e WHERE e.oid = pg_type.typelem AND e.typrelid <> 0)" -- "$@"
dump pg_proc "pronamespace = 11" -- "$@"
for table in pg_aggregate pg_am pg_amop pg_amproc pg_cast pg_language pg_opclass pg_operator pg_opfamily pg_range; do
  dump $table true -- "$@"
done
dump pg_collation "collname IN ('default', 'C', 'POSIX', 'ucs_basic') AND collencoding IN (-1, 6)" -- "$@"
dump pg_description "classoid IN ('pg_type'::regclass, 'pg_proc'::regclass, 'pg_am'::regclass, 'pg_cast'::regclass, 'pg_collation'::regclass,
  'pg_language'::regclass, 'pg_opclass'::regclass, 'pg_operator'::regclass, 'pg_opfamily'::regclass, 'pg_namespace'::regclass, 'pg_class'::regclass)" -- "$@"
dump pg_authid "oid > 10 AND oid < 16384" -- "$@"
dump pg_auth_members "roleid < 16384 AND member < 16384" -- "$@"

# Views whose rows the server makes up itself are left out. The domains of
# information_schema stand for their base types.
own='pg_settings pg_file_settings pg_hba_file_rules pg_ident_file_mappings pg_config pg_cursors pg_locks
  pg_prepared_statements pg_prepared_xacts pg_timezone_abbrevs pg_timezone_names
  pg_available_extensions pg_available_extension_versions pg_backend_memory_contexts pg_shmem_allocations
  pg_replication_origin_status pg_replication_slots pg_publication_tables pg_seclabels pg_stats pg_stats_ext pg_stats_ext_exprs
  pg_stat_activity pg_stat_archiver pg_stat_bgwriter pg_stat_database pg_stat_database_conflicts pg_stat_gssapi
  pg_stat_progress_analyze pg_stat_progress_basebackup pg_stat_progress_cluster pg_stat_progress_copy
  pg_stat_progress_create_index pg_stat_progress_vacuum pg_stat_recovery_prefetch pg_stat_replication
  pg_stat_replication_slots pg_stat_slru pg_stat_ssl pg_stat_subscription pg_stat_subscription_stats
  pg_stat_wal pg_stat_wal_receiver'
q "$@" -c "SELECT format(E'-- %s.%s\n%s\n', n.nspname, c.relname, pg_get_viewdef(c.oid))
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'v' AND n.nspname IN ('pg_catalog', 'information_schema') AND c.relname <> ALL (string_to_array('$(echo $own)', ' '))
  ORDER BY n.nspname DESC, c.relname" |
  sed -E -e 's/::information_schema\.sql_identifier/::name/g' -e 's/::information_schema\.cardinal_number/::integer/g' \
    -e 's/::information_schema\.(character_data|yes_or_no)/::character varying/g' -e 's/::information_schema\.time_stamp/::timestamp with time zone/g' \
    -e "s/information_schema\._pg_truetypid\(a\.\*, t\.\*\)/CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE a.atttypid END/g" \
    -e "s/information_schema\._pg_truetypmod\(a\.\*, t\.\*\)/CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END/g" \
    -e 's/^ +/ /' -e '/^$/d' >views.sql
