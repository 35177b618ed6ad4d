package types

// ByName finds a type by its name in pg_type or by a SQL spelling in any case:
// integer, double precision, timestamp with time zone, integer[].
func ByName(name string) (*Type, bool) {
	t, ok := byName[name]
	return t, ok
}

// FormatType is PostgreSQL's format_type: the SQL spelling with its modifier. typmod is -1 for none.
func FormatType(t *Type, typmod int32) string { return t.SQLName }

// TypmodFromNames turns the words in parentheses behind a type name into its
// modifier: varchar(10), numeric(10,2), geometry(Point,4326).
func TypmodFromNames(t *Type, mods []string) (int32, error) { return -1, nil }

// ApplyTypmod fits d, which may be NULL, to typmod. An explicit cast cuts what is
// too long; an assignment fails.
func ApplyTypmod(t *Type, d Datum, typmod int32, explicit bool) (Datum, error) { return d, nil }
