package types

import "iter"

// JSONGetKey returns a member of a jsonb object: the operator ->.
func JSONGetKey(doc, key string) (string, bool) { return "", false }

// JSONGetIndex returns an element of a jsonb array, counted from the end when negative.
func JSONGetIndex(doc string, i int) (string, bool) { return "", false }

// JSONGetPath follows keys and indexes: the operator #>.
func JSONGetPath(doc string, path []string) (string, bool) { return "", false }

// JSONAsText returns what ->> returns: a string without its quotes, else the value's
// text. It reports false for the JSON null.
func JSONAsText(value string) (string, bool) { return "", false }

// JSONTypeof returns object, array, string, number, boolean or null.
func JSONTypeof(doc string) string { return "" }

// JSONArrayLength returns the number of elements, false when doc is not an array.
func JSONArrayLength(doc string) (int, bool) { return 0, false }

// JSONEach yields the members of an object, keys unescaped; nothing for other values.
func JSONEach(doc string) iter.Seq2[string, string] { return func(func(string, string) bool) {} }

// JSONElements yields the elements of an array; nothing for other values.
func JSONElements(doc string) iter.Seq[string] { return func(func(string) bool) {} }

// JSONExists tells whether key is a key of the object or a string in the array: the operator ?.
func JSONExists(doc, key string) bool { return false }

// JSONContains tells whether a contains b: the operator @>.
func JSONContains(a, b string) bool { return false }

// JSONCompare is the order of jsonb.
func JSONCompare(a, b string) int { return 0 }
