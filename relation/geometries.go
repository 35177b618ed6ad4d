package relation

import (
	"encoding/json"
	"strings"

	"raisind/catalog"
)

// Bounds of what is looked at in one properties object. Rows beyond them stay
// exact: see Indexer's overflow list.
const (
	// MaxGeometries of one row are indexed.
	MaxGeometries = 64
	// MaxGeometryDepth is how deep a geometry may lie.
	MaxGeometryDepth = 64
)

// EachGeometry calls fn for every object in doc, a JSON text, that looks like a
// GeoJSON geometry, at any depth, with the path that names it (see
// catalog.AppendPathKey) and its text. An object comes before those within it.
// Whether it is a valid geometry fn has to find out. The walk ends early when fn
// returns false. The result is false when something may have been left out: fn
// ended the walk, or doc is nested too deep or is no JSON.
func EachGeometry(doc string, fn func(path, raw string) bool) bool {
	w := walker{doc: doc, fn: fn}
	start := skipSpace(doc, 0)
	if start == len(doc) || doc[start] != '{' && doc[start] != '[' {
		return true
	}
	_, ok := w.value(start, nil, "", 0)
	return ok
}

type walker struct {
	doc string
	fn  func(path, raw string) bool
}

// member is a child that holds objects and has to be looked into.
type member struct {
	keyStart, keyEnd int // without quotes; keyEnd 0: an array element, keyStart its index
	value            int
}

// value looks at the object or array that starts at i, whose path is the name when
// that is not empty (a key of the top level) or else the joined path.
func (w *walker) value(i int, path []byte, name string, depth int) (end int, ok bool) {
	if depth > MaxGeometryDepth {
		return 0, false
	}
	var inline [8]member
	children := inline[:0]
	var typed, placed bool
	start := i
	if w.doc[i] == '{' {
		children, i, ok = w.object(i, func(m member) {
			switch key := w.doc[m.keyStart:m.keyEnd]; key {
			case "type":
				typed = isGeometryType(w.doc[m.value:])
			case "coordinates", "geometries":
				placed = true
			}
		}, children)
	} else {
		children, i, ok = w.array(i, children)
	}
	if !ok {
		return i, false
	}
	if typed && placed && depth > 0 {
		if name == "" {
			name = string(path)
		}
		if !w.fn(name, w.doc[start:i]) {
			return i, false
		}
	}
	for _, m := range children {
		if !w.child(m, path, name, depth) {
			return i, false
		}
	}
	return i, true
}

// child descends into m.
func (w *walker) child(m member, path []byte, name string, depth int) bool {
	if len(path) == 0 && depth > 0 {
		path = append(path, name...)
	}
	var childName string
	if m.keyEnd == 0 {
		path = catalog.AppendPathIndex(path, m.keyStart)
	} else {
		key := w.doc[m.keyStart:m.keyEnd]
		if strings.IndexByte(key, '\\') >= 0 {
			var s string
			if json.Unmarshal([]byte(w.doc[m.keyStart-1:m.keyEnd+1]), &s) != nil {
				return false
			}
			key = s
		}
		if depth == 0 && catalog.IsPlainPathKey(key) {
			childName = key // shares the document's memory
		} else {
			path = catalog.AppendPathKey(path, key)
		}
	}
	_, ok := w.value(m.value, path, childName, depth+1)
	return ok
}

// object walks the members of the object at i, shows each to see, and adds those that
// hold objects to children.
func (w *walker) object(i int, see func(member), children []member) (_ []member, end int, ok bool) {
	i = skipSpace(w.doc, i+1)
	if i < len(w.doc) && w.doc[i] == '}' {
		return children, i + 1, true
	}
	for i < len(w.doc) && w.doc[i] == '"' {
		keyEnd, ok := skipString(w.doc, i)
		if !ok {
			return children, i, false
		}
		m := member{keyStart: i + 1, keyEnd: keyEnd - 1}
		if m.keyEnd == 0 {
			return children, i, false
		}
		i = skipSpace(w.doc, keyEnd)
		if i == len(w.doc) || w.doc[i] != ':' {
			return children, i, false
		}
		m.value = skipSpace(w.doc, i+1)
		see(m)
		var holds bool
		if i, holds, ok = skipValue(w.doc, m.value); !ok {
			return children, i, false
		}
		if holds {
			children = append(children, m)
		}
		i = skipSpace(w.doc, i)
		if i < len(w.doc) && w.doc[i] == '}' {
			return children, i + 1, true
		}
		if i == len(w.doc) || w.doc[i] != ',' {
			return children, i, false
		}
		i = skipSpace(w.doc, i+1)
	}
	return children, i, false
}

// array walks the elements of the array at i.
func (w *walker) array(i int, children []member) (_ []member, end int, ok bool) {
	i = skipSpace(w.doc, i+1)
	if i < len(w.doc) && w.doc[i] == ']' {
		return children, i + 1, true
	}
	for n := 0; i < len(w.doc); n++ {
		m := member{keyStart: n, value: i}
		var holds bool
		if i, holds, ok = skipValue(w.doc, i); !ok {
			return children, i, false
		}
		if holds {
			children = append(children, m)
		}
		i = skipSpace(w.doc, i)
		if i < len(w.doc) && w.doc[i] == ']' {
			return children, i + 1, true
		}
		if i == len(w.doc) || w.doc[i] != ',' {
			return children, i, false
		}
		i = skipSpace(w.doc, i+1)
	}
	return children, i, false
}

// isGeometryType reports whether a JSON text starts with the name of a geometry type.
func isGeometryType(s string) bool {
	if len(s) == 0 || s[0] != '"' {
		return false
	}
	s = s[1:]
	end := strings.IndexByte(s, '"')
	if end < 0 {
		return false
	}
	switch s[:end] {
	case "Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon", "GeometryCollection":
		return true
	}
	return false
}

func skipSpace(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\n' || s[i] == '\t' || s[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the place behind the string that starts at i.
func skipString(s string, i int) (int, bool) {
	for i++; i < len(s); i++ {
		switch s[i] {
		case '"':
			return i + 1, true
		case '\\':
			i++
		}
	}
	return i, false
}

// skipValue returns the place behind the value that starts at i, and whether the
// value is an object or an array with an object in it.
func skipValue(s string, i int) (end int, holds, ok bool) {
	if i == len(s) {
		return i, false, false
	}
	switch s[i] {
	case '"':
		end, ok = skipString(s, i)
		return end, false, ok
	case '{', '[':
		for depth := 0; i < len(s); i++ {
			switch s[i] {
			case '"':
				if i, ok = skipString(s, i); !ok {
					return i, holds, false
				}
				i--
			case '{':
				holds = true
				depth++
			case '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1, holds, true
				}
			}
		}
		return i, holds, false
	}
	start := i
	for i < len(s) && s[i] != ',' && s[i] != '}' && s[i] != ']' && s[i] != ' ' && s[i] != '\n' && s[i] != '\t' && s[i] != '\r' {
		i++
	}
	return i, false, i > start
}
