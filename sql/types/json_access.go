package types

import (
	"iter"
	"strings"
)

// Functions on canonical jsonb text. Values they return are parts of their argument.
// Text that is not canonical gives wrong answers, never a panic; the functions named
// JSONText... read any valid JSON, for the type json.

// skipValue returns where the value at i ends. It relies on valid JSON.
func skipValue(s string, i int) int {
	if i >= len(s) {
		return len(s)
	}
	switch s[i] {
	case '"':
		return skipString(s, i)
	case '{', '[':
		for depth := 0; i < len(s); i++ {
			switch s[i] {
			case '"':
				i = skipString(s, i) - 1
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
		return len(s)
	}
	for i < len(s) {
		switch s[i] {
		case ',', '}', ']', ' ', '\n', '\t', '\r':
			return i
		}
		i++
	}
	return i
}

// skipString returns where the string whose quote stands at i ends.
func skipString(s string, i int) int {
	for i++; i < len(s); i++ {
		switch s[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return len(s)
}

func skipBlanks(s string, i int) int {
	for i < len(s) && isJSONSpace(s[i]) {
		i++
	}
	return i
}

// isContainer tells an object or array by its first byte.
func isContainer(doc string, open byte) bool { return doc != "" && doc[0] == open }

// keyText is the content of a key or string given with its quotes.
func keyText(quoted string) string {
	if len(quoted) < 2 {
		return ""
	}
	s, _ := unescapeJSON(quoted[1 : len(quoted)-1])
	return s
}

// JSONGetKey returns a member of a jsonb object: the operator ->.
func JSONGetKey(doc, key string) (string, bool) {
	if !isContainer(doc, '{') {
		return "", false
	}
	for i := 1; i < len(doc) && doc[i] == '"'; {
		end := skipString(doc, i)
		raw := doc[i+1 : max(end-1, i+1)]
		if strings.IndexByte(raw, '\\') >= 0 {
			raw, _ = unescapeJSON(raw)
		}
		start := min(end+2, len(doc))
		if len(raw) >= len(key) { // keys stand in order of length, then of bytes
			switch {
			case raw == key:
				return doc[start:skipValue(doc, start)], true
			case len(raw) > len(key) || raw > key:
				return "", false
			}
		}
		i = skipValue(doc, start) + 2
	}
	return "", false
}

// JSONGetIndex returns an element of a jsonb array, counted from the end when negative.
// A scalar counts as an array of itself, as in PostgreSQL.
func JSONGetIndex(doc string, i int) (string, bool) {
	if isContainer(doc, '{') || doc == "" {
		return "", false
	}
	if doc[0] != '[' {
		return doc, i == 0 || i == -1
	}
	if i < 0 {
		n, _ := JSONArrayLength(doc)
		if i += n; i < 0 {
			return "", false
		}
	}
	for v := range JSONElements(doc) {
		if i == 0 {
			return v, true
		}
		i--
	}
	return "", false
}

// JSONGetPath follows keys and indexes: the operator #>.
func JSONGetPath(doc string, path []string) (string, bool) {
	for _, step := range path {
		ok := false
		switch {
		case isContainer(doc, '{'):
			doc, ok = JSONGetKey(doc, step)
		case isContainer(doc, '['):
			var n int
			if n, ok = pathIndex(step); ok {
				doc, ok = JSONGetIndex(doc, n)
			}
		}
		if !ok {
			return "", false
		}
	}
	return doc, true
}

// pathIndex reads an array index as strtol does: blanks in front, a sign, digits to the end.
func pathIndex(s string) (int, bool) {
	v, ok, inRange := scanInt(s)
	if !ok || !inRange || v != int64(int32(v)) || s != "" && isSpace(s[len(s)-1]) {
		return 0, false
	}
	return int(v), true
}

// JSONAsText returns what ->> returns: a string without its quotes, else the value's
// text. It reports false for the JSON null.
func JSONAsText(value string) (string, bool) {
	switch {
	case value == "null" || value == "":
		return "", false
	case value[0] == '"':
		return keyText(value), true
	}
	return value, true
}

// JSONTypeof returns object, array, string, number, boolean or null.
func JSONTypeof(doc string) string {
	i := skipBlanks(doc, 0)
	if i == len(doc) {
		return "null"
	}
	switch doc[i] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// JSONArrayLength returns the number of elements, false when doc is not an array.
func JSONArrayLength(doc string) (int, bool) {
	i := skipBlanks(doc, 0)
	if i == len(doc) || doc[i] != '[' {
		return 0, false
	}
	n := 0
	for c := walkJSON(doc, '['); c.next(); {
		n++
	}
	return n, true
}

// JSONEach yields the members of an object, keys unescaped, in the order of the text;
// nothing for other values. It reads any valid JSON.
func JSONEach(doc string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for k, v := range jsonMembers(doc) {
			if !yield(keyText(k), v) {
				return
			}
		}
	}
}

// jsonMembers is JSONEach with the keys as they stand, in their quotes.
func jsonMembers(doc string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for c := walkJSON(doc, '{'); c.next(); {
			if !yield(c.key, c.value) {
				return
			}
		}
	}
}

// JSONElements yields the elements of an array; nothing for other values. It reads any valid JSON.
func JSONElements(doc string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for c := walkJSON(doc, '['); c.next(); {
			if !yield(c.value) {
				return
			}
		}
	}
}

// jsonWalk stands on one member or element after the other.
type jsonWalk struct {
	doc        string
	i          int // what comes next, len(doc) at the end
	object     bool
	key, value string // key in its quotes
}

// walkJSON starts before the first part of doc, which must open with open; else there
// are no parts.
func walkJSON(doc string, open byte) jsonWalk {
	i := skipBlanks(doc, 0)
	if i == len(doc) || doc[i] != open {
		return jsonWalk{}
	}
	return jsonWalk{doc: doc, i: skipBlanks(doc, i+1), object: open == '{'}
}

func (c *jsonWalk) next() bool {
	i, doc := c.i, c.doc
	if i >= len(doc) || doc[i] == ']' || doc[i] == '}' {
		return false
	}
	if c.object {
		if doc[i] != '"' {
			return false
		}
		end := skipString(doc, i)
		c.key = doc[i:end]
		i = skipBlanks(doc, min(skipBlanks(doc, end)+1, len(doc)))
	}
	end := skipValue(doc, i)
	if end <= i {
		return false
	}
	c.value = doc[i:end]
	c.i = skipBlanks(doc, min(skipBlanks(doc, end)+1, len(doc)))
	return true
}

// JSONExists tells whether key is a key of the object, a string in the array or the
// string itself: the operator ?.
func JSONExists(doc, key string) bool {
	switch {
	case isContainer(doc, '{'):
		_, ok := JSONGetKey(doc, key)
		return ok
	case isContainer(doc, '['):
		for v := range JSONElements(doc) {
			if v[0] == '"' && keyText(v) == key {
				return true
			}
		}
		return false
	}
	return isContainer(doc, '"') && keyText(doc) == key
}

// JSONContains tells whether a contains b: the operator @>.
func JSONContains(a, b string) bool {
	if a == "" || b == "" || (a[0] == '{') != (b[0] == '{') {
		return false
	}
	if a[0] == '{' || a[0] == '[' {
		if b[0] == '{' || b[0] == '[' {
			return containsDeep(a, b)
		}
		return arrayHasScalar(a, b)
	}
	return b[0] != '[' && b[0] != '{' && JSONCompare(a, b) == 0
}

// containsDeep compares two objects or two arrays; order and repetition do not matter.
func containsDeep(a, b string) bool {
	if a[0] != b[0] {
		return false
	}
	if a[0] == '{' {
		for k, want := range JSONEach(b) {
			have, ok := JSONGetKey(a, k)
			if !ok || !containsValue(have, want) {
				return false
			}
		}
		return true
	}
	for want := range JSONElements(b) {
		found := false
		if want[0] != '{' && want[0] != '[' {
			found = arrayHasScalar(a, want)
		} else {
			for have := range JSONElements(a) {
				if found = have[0] == want[0] && containsDeep(have, want); found {
					break
				}
			}
		}
		if !found {
			return false
		}
	}
	return true
}

func containsValue(have, want string) bool {
	if want[0] == '{' || want[0] == '[' {
		return have[0] == want[0] && containsDeep(have, want)
	}
	return have[0] != '{' && have[0] != '[' && JSONCompare(have, want) == 0
}

func arrayHasScalar(a, scalar string) bool {
	for v := range JSONElements(a) {
		if v[0] != '{' && v[0] != '[' && JSONCompare(v, scalar) == 0 {
			return true
		}
	}
	return false
}
