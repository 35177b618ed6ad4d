// Package exec runs plans: one iterator for each plan node, over one consistent view
// that is taken when the statement starts, so that a statement never sees its own
// writes. It locks and re-reads rows as PostgreSQL does at each isolation level,
// and it promises that an index scan yields the rows a row scan would. Transactions
// begin and end elsewhere; so does everything a client sees of them.
package exec
