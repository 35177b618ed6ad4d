package ddl

// foreignKey adds a foreign key: a REFERENCES of the column l.column, or FOREIGN KEY
// of the table. All columns and keys of the table are there by now; what needs the
// table to be in the catalog goes into t.after.
func (t *tableMaker) foreignKey(l laterConstraint) error {
	return notSupported("a foreign key").WithHint("Leave REFERENCES out, or check in a trigger.")
}
