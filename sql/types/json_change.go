package types

import (
	"slices"

	"raisind/pgerr"
)

// jsonWriter builds one canonical object or array from parts that are canonical.
type jsonWriter struct {
	buf  []byte
	open bool // something stands before the next part
}

func (w *jsonWriter) part() {
	if w.open {
		w.buf = append(w.buf, ", "...)
	}
	w.open = true
}

func (w *jsonWriter) elem(v string) {
	w.part()
	w.buf = append(w.buf, v...)
}

// member writes a key given with its quotes.
func (w *jsonWriter) member(quoted, v string) {
	w.part()
	w.buf = append(append(append(w.buf, quoted...), ": "...), v...)
}

func (w *jsonWriter) begin(c byte) { w.buf, w.open = append(w.buf, c), false }
func (w *jsonWriter) end(c byte)   { w.buf, w.open = append(w.buf, c), true }

func newJSONWriter(open byte, sizeBytes int) jsonWriter {
	w := jsonWriter{buf: make([]byte, 0, sizeBytes+2)}
	w.begin(open)
	return w
}

// JSONConcat is the operator || of jsonb: objects are merged, the right side wins;
// everything else is concatenated as arrays.
func JSONConcat(a, b string) (string, error) {
	if isContainer(a, '{') && isContainer(b, '{') {
		return mergeObjects(a, b), nil
	}
	w := newJSONWriter('[', len(a)+len(b)+2)
	for _, doc := range [2]string{a, b} {
		if !isContainer(doc, '[') {
			w.elem(doc)
			continue
		}
		for v := range JSONElements(doc) {
			w.elem(v)
		}
	}
	w.end(']')
	return string(w.buf), nil
}

type jsonPair struct{ key, quoted, value string }

func jsonPairs(doc string) []jsonPair {
	var out []jsonPair
	for q, v := range jsonMembers(doc) {
		out = append(out, jsonPair{keyText(q), q, v})
	}
	return out
}

func mergeObjects(a, b string) string {
	if a == "{}" {
		return b
	}
	if b == "{}" {
		return a
	}
	right := jsonPairs(b)
	w := newJSONWriter('{', len(a)+len(b))
	for q, v := range jsonMembers(a) {
		k := keyText(q)
		for len(right) > 0 && compareKeys(right[0].key, k) < 0 {
			w.member(right[0].quoted, right[0].value)
			right = right[1:]
		}
		if len(right) > 0 && right[0].key == k {
			v, right = right[0].value, right[1:]
		}
		w.member(q, v)
	}
	for _, p := range right {
		w.member(p.quoted, p.value)
	}
	w.end('}')
	return string(w.buf)
}

// JSONDeleteKey removes a key of an object or the strings equal to it in an array: the operator -.
func JSONDeleteKey(doc, key string) (string, error) { return JSONDeleteKeys(doc, []string{key}) }

// JSONDeleteKeys removes several keys.
func JSONDeleteKeys(doc string, keys []string) (string, error) {
	switch {
	case isContainer(doc, '{'):
		w := newJSONWriter('{', len(doc))
		for q, v := range jsonMembers(doc) {
			if !slices.Contains(keys, keyText(q)) {
				w.member(q, v)
			}
		}
		w.end('}')
		return string(w.buf), nil
	case isContainer(doc, '['):
		w := newJSONWriter('[', len(doc))
		for v := range JSONElements(doc) {
			if v[0] != '"' || !slices.Contains(keys, keyText(v)) {
				w.elem(v)
			}
		}
		w.end(']')
		return string(w.buf), nil
	}
	return "", pgerr.New(pgerr.InvalidParameterValue, "cannot delete from scalar")
}

// JSONDeleteIndex removes an element of an array, counted from the end when negative.
func JSONDeleteIndex(doc string, i int) (string, error) {
	switch {
	case isContainer(doc, '{'):
		return "", pgerr.New(pgerr.InvalidParameterValue, "cannot delete from object using integer index")
	case !isContainer(doc, '['):
		return "", pgerr.New(pgerr.InvalidParameterValue, "cannot delete from scalar")
	}
	if i < 0 {
		n, _ := JSONArrayLength(doc)
		if i += n; i < 0 {
			return doc, nil
		}
	}
	w := newJSONWriter('[', len(doc))
	for v := range JSONElements(doc) {
		if i != 0 {
			w.elem(v)
		}
		i--
	}
	w.end(']')
	return string(w.buf), nil
}

// pathOp is what happens at the end of a path.
type pathOp uint8

const (
	pathReplace pathOp = iota
	pathCreate
	pathDelete
	pathBefore
	pathAfter
)

func (op pathOp) creates() bool { return op == pathCreate || op == pathBefore || op == pathAfter }

// JSONDeletePath removes what path leads to: the operator #-.
func JSONDeletePath(doc string, path []string) (string, error) {
	if !isContainer(doc, '{') && !isContainer(doc, '[') {
		return "", pgerr.New(pgerr.InvalidParameterValue, "cannot delete path in scalar")
	}
	return changePath(doc, path, "", pathDelete)
}

// JSONSet is jsonb_set: the value at path replaced, or added where createMissing allows.
func JSONSet(doc string, path []string, value string, createMissing bool) (string, error) {
	if !isContainer(doc, '{') && !isContainer(doc, '[') {
		return "", pgerr.New(pgerr.InvalidParameterValue, "cannot set path in scalar")
	}
	op := pathReplace
	if createMissing {
		op = pathCreate
	}
	return changePath(doc, path, value, op)
}

// JSONInsert is jsonb_insert: value put before or after the element at path, or under a new key.
func JSONInsert(doc string, path []string, value string, after bool) (string, error) {
	if !isContainer(doc, '{') && !isContainer(doc, '[') {
		return "", pgerr.New(pgerr.InvalidParameterValue, "cannot set path in scalar")
	}
	op := pathBefore
	if after {
		op = pathAfter
	}
	return changePath(doc, path, value, op)
}

func changePath(doc string, path []string, value string, op pathOp) (string, error) {
	if len(path) == 0 || (doc == "{}" || doc == "[]") && !op.creates() {
		return doc, nil
	}
	w := jsonWriter{buf: make([]byte, 0, len(doc)+len(value)+8)}
	if err := w.change(doc, path, 0, value, op); err != nil {
		return "", err
	}
	return string(w.buf), nil
}

// change writes doc with the change at path[level:] made.
func (w *jsonWriter) change(doc string, path []string, level int, value string, op pathOp) error {
	switch {
	case isContainer(doc, '{'):
		return w.changeObject(doc, path, level, value, op)
	case isContainer(doc, '['):
		return w.changeArray(doc, path, level, value, op)
	}
	w.buf = append(w.buf, doc...) // a scalar ends the path: nothing to change
	w.open = true
	return nil
}

func (w *jsonWriter) changeObject(doc string, path []string, level int, value string, op pathOp) error {
	last, key, done := level == len(path)-1, path[level], false
	add := func() {
		w.member(string(AppendJSONString(nil, key)), value)
		done = true
	}
	w.begin('{')
	for q, v := range jsonMembers(doc) {
		k := keyText(q)
		if last && op.creates() && !done && compareKeys(k, key) > 0 {
			add()
		}
		switch {
		case done || k != key:
			w.member(q, v)
		case !last:
			done = true
			w.member(q, "")
			if err := w.change(v, path, level+1, value, op); err != nil {
				return err
			}
		case op == pathBefore || op == pathAfter:
			return pgerr.New(pgerr.InvalidParameterValue, "cannot replace existing key").
				WithHint("Try using the function jsonb_set to replace key value.")
		default:
			done = true
			if op != pathDelete {
				w.member(q, value)
			}
		}
	}
	if last && op.creates() && !done {
		add()
	}
	w.end('}')
	return nil
}

func (w *jsonWriter) changeArray(doc string, path []string, level int, value string, op pathOp) error {
	at, ok := pathIndex(path[level])
	if !ok {
		return pgerr.New(pgerr.InvalidTextRepresentation, "path element at position %d is not an integer: \"%s\"", level+1, path[level])
	}
	n, _ := JSONArrayLength(doc)
	before := false // the index lies before the first element
	switch {
	case at < 0 && -at > n:
		before = true
	case at < 0:
		at += n
	case at > n:
		at = n
	}
	last, done := level == len(path)-1, false
	w.begin('[')
	if last && op.creates() && (before || n == 0) {
		w.elem(value)
		done = true
	}
	i := 0
	for v := range JSONElements(doc) {
		if i != at || before {
			w.elem(v)
			i++
			continue
		}
		i++
		done = true
		if !last {
			w.part()
			if err := w.change(v, path, level+1, value, op); err != nil {
				return err
			}
			continue
		}
		if op == pathBefore || op == pathCreate || op == pathReplace {
			w.elem(value)
		}
		if op == pathBefore || op == pathAfter {
			w.elem(v)
		}
		if op == pathAfter {
			w.elem(value)
		}
	}
	if last && op.creates() && !done {
		w.elem(value)
	}
	w.end(']')
	return nil
}

// JSONStripNulls removes members whose value is null, at every depth.
func JSONStripNulls(doc string) string {
	w := jsonWriter{buf: make([]byte, 0, len(doc))}
	w.strip(doc)
	return string(w.buf)
}

func (w *jsonWriter) strip(doc string) {
	switch {
	case isContainer(doc, '{'):
		w.begin('{')
		for q, v := range jsonMembers(doc) {
			if v != "null" {
				w.member(q, "")
				w.strip(v)
			}
		}
		w.end('}')
	case isContainer(doc, '['):
		w.begin('[')
		for v := range JSONElements(doc) {
			w.part()
			w.strip(v)
		}
		w.end(']')
	default:
		w.buf = append(w.buf, doc...)
		w.open = true
	}
}
