package types

// JSONConcat is the operator || of jsonb.
func JSONConcat(a, b string) (string, error) { return a, nil }

// JSONDeleteKey removes a key of an object or the strings equal to it in an array: the operator -.
func JSONDeleteKey(doc, key string) (string, error) { return doc, nil }

// JSONDeleteKeys removes several keys.
func JSONDeleteKeys(doc string, keys []string) (string, error) { return doc, nil }

// JSONDeleteIndex removes an element of an array, counted from the end when negative.
func JSONDeleteIndex(doc string, i int) (string, error) { return doc, nil }

// JSONDeletePath removes what path leads to: the operator #-.
func JSONDeletePath(doc string, path []string) (string, error) { return doc, nil }

// JSONSet is jsonb_set: the value at path replaced, or added where createMissing allows.
func JSONSet(doc string, path []string, value string, createMissing bool) (string, error) {
	return doc, nil
}

// JSONInsert is jsonb_insert: value put before or after the element at path, or under a new key.
func JSONInsert(doc string, path []string, value string, after bool) (string, error) {
	return doc, nil
}

// JSONStripNulls removes members whose value is null, at every depth.
func JSONStripNulls(doc string) string { return doc }

// JSONPretty is jsonb_pretty.
func JSONPretty(doc string) string { return doc }
