package geom

import (
	"encoding/json"
	"strings"
)

// maxJSONNesting bounds the depth of arrays and objects that are looked at.
const maxJSONNesting = 512

// fault is what is wrong with a GeoJSON text, noFault when nothing is.
type fault uint8

const (
	noFault fault = iota
	faultEnd
	faultCharacter
	faultName
	faultColon
	faultObjectComma
	faultArrayComma
	faultNumber
	faultDepth
	faultNotObject
	faultNoType
	faultUnknownType
	faultFeature
	faultNoCoordinates
	faultNotArray
	faultNesting
	faultFewOrdinates
	faultNotNumber
	faultNoGeometries
	faultNotFinite
	faultRange
	faultUnclosed
	faultFewPositions
)

// jsonScanner walks over a JSON text without building anything. Methods take an index
// and return the index behind what they read; when they fail, they record the first
// fault and where it was, and return -1.
type jsonScanner struct {
	s     string
	fault fault
	at    int
}

func (j *jsonScanner) fail(f fault, at int) int {
	if j.fault == noFault {
		j.fault, j.at = f, at
	}
	return -1
}

// expected fails at i, which may be the end of the text.
func (j *jsonScanner) expected(f fault, i int) int {
	if i >= len(j.s) {
		return j.fail(faultEnd, len(j.s))
	}
	return j.fail(f, i)
}

func (j *jsonScanner) blank(i int) int {
	for i < len(j.s) && isBlank(j.s[i]) {
		i++
	}
	return i
}

// text reads the string at i and returns its content, unescaped.
func (j *jsonScanner) text(i int) (string, int) {
	if i >= len(j.s) || j.s[i] != '"' {
		return "", j.expected(faultName, i)
	}
	for k := i + 1; k < len(j.s); k++ {
		switch c := j.s[k]; {
		case c == '"':
			return j.s[i+1 : k], k + 1
		case c == '\\':
			return j.escapedText(i)
		case c < ' ':
			return "", j.fail(faultCharacter, k)
		}
	}
	return "", j.fail(faultEnd, len(j.s)+1) // within a string json-c counts one more
}

// escapedText is text for strings with escapes, which keys and types hardly ever have.
func (j *jsonScanner) escapedText(i int) (string, int) {
	for k := i + 1; k < len(j.s); k++ {
		switch j.s[k] {
		case '\\':
			k++
		case '"':
			var v string
			if err := json.Unmarshal([]byte(j.s[i:k+1]), &v); err != nil {
				return "", j.fail(faultCharacter, i)
			}
			return v, k + 1
		}
	}
	return "", j.fail(faultEnd, len(j.s))
}

// skip reads any value.
func (j *jsonScanner) skip(i, depth int) int {
	if i >= len(j.s) {
		return j.fail(faultEnd, i)
	}
	if depth > maxJSONNesting {
		return j.fail(faultDepth, i)
	}
	switch c := j.s[i]; {
	case c == '"':
		_, i = j.text(i)
		return i
	case c == '{':
		return j.members(i, func(_ string, at int) int { return j.skip(at, depth+1) })
	case c == '[':
		return j.elements(i, func(at int) int { return j.skip(at, depth+1) })
	case c == '-' || c-'0' <= 9:
		_, end := scanNumber(j.s, i)
		if end > i && (end == len(j.s) || isBlank(j.s[end]) || strings.IndexByte(",]}", j.s[end]) >= 0) {
			return end
		}
		i = max(i, end)
		return j.fail(faultNumber, i)
	default:
		for _, word := range [...]string{"null", "true", "false"} {
			if strings.HasPrefix(j.s[i:], word) {
				return i + len(word)
			}
		}
	}
	return j.fail(faultCharacter, i)
}

// members reads the object at i and calls fn with each key and the index of its value;
// fn returns the index behind the value.
func (j *jsonScanner) members(i int, fn func(key string, at int) int) int {
	i = j.blank(i + 1)
	if i < len(j.s) && j.s[i] == '}' {
		return i + 1
	}
	for {
		var key string
		if key, i = j.text(i); i < 0 {
			return -1
		}
		if i = j.blank(i); i >= len(j.s) || j.s[i] != ':' {
			return j.expected(faultColon, i)
		}
		if i = fn(key, j.blank(i+1)); i < 0 {
			return -1
		}
		switch i = j.blank(i); {
		case i < len(j.s) && j.s[i] == ',':
			i = j.blank(i + 1)
		case i < len(j.s) && j.s[i] == '}':
			return i + 1
		default:
			return j.expected(faultObjectComma, i)
		}
	}
}

// elements reads the array at i and calls fn with the index of each element.
func (j *jsonScanner) elements(i int, fn func(at int) int) int {
	i = j.blank(i + 1)
	if i < len(j.s) && j.s[i] == ']' {
		return i + 1
	}
	for {
		if i = fn(i); i < 0 {
			return -1
		}
		switch i = j.blank(i); {
		case i < len(j.s) && j.s[i] == ',':
			i = j.blank(i + 1)
		case i < len(j.s) && j.s[i] == ']':
			return i + 1
		default:
			return j.expected(faultArrayComma, i)
		}
	}
}
