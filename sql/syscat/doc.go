// Package syscat makes up the relations that describe the database: pg_catalog and
// information_schema. Their names, columns, types and order are PostgreSQL 15's, as
// are the OIDs of everything PostgreSQL has too, so that what clients ask of these
// relations, joins and all, means what it means there. Rows come from three places:
// data/, written from PostgreSQL and narrowed to what this server has; the registries
// of types and functions; and the catalog of the transaction that asks. Most views
// are PostgreSQL's own text over these rows.
package syscat
