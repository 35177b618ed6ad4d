package types

// JSONTextGetKey is -> of the type json: the last of equal keys, the value's text as given.
func JSONTextGetKey(doc, key string) (value string, ok bool) {
	for k, v := range JSONEach(doc) {
		if k == key {
			value, ok = v, true
		}
	}
	return value, ok
}

// JSONTextGetIndex is -> of the type json for an index.
func JSONTextGetIndex(doc string, i int) (string, bool) {
	n, ok := JSONArrayLength(doc)
	if !ok {
		return "", false
	}
	if i < 0 {
		i += n
	}
	if i < 0 || i >= n {
		return "", false
	}
	for v := range JSONElements(doc) {
		if i == 0 {
			return v, true
		}
		i--
	}
	return "", false
}

// JSONTextGetPath is #> of the type json.
func JSONTextGetPath(doc string, path []string) (string, bool) {
	for _, step := range path {
		var ok bool
		switch JSONTypeof(doc) {
		case "object":
			doc, ok = JSONTextGetKey(doc, step)
		case "array":
			var n int
			if n, ok = pathIndex(step); ok {
				doc, ok = JSONTextGetIndex(doc, n)
			}
		}
		if !ok {
			return "", false
		}
	}
	return doc, true
}

// JSONPretty is jsonb_pretty: one member or element a line, indented by four blanks.
func JSONPretty(doc string) string { return string(appendPretty(nil, doc, 0)) }

func appendPretty(dst []byte, doc string, level int) []byte {
	newline := func(level int) {
		dst = append(dst, '\n')
		for range level * 4 {
			dst = append(dst, ' ')
		}
	}
	first := true
	separate := func() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		newline(level + 1)
	}
	switch {
	case isContainer(doc, '{'):
		dst = append(dst, '{')
		for k, v := range JSONEach(doc) {
			separate()
			dst = append(AppendJSONString(dst, k), ": "...)
			dst = appendPretty(dst, v, level+1)
		}
		newline(level)
		return append(dst, '}')
	case isContainer(doc, '['):
		dst = append(dst, '[')
		for v := range JSONElements(doc) {
			separate()
			dst = appendPretty(dst, v, level+1)
		}
		newline(level)
		return append(dst, ']')
	}
	return append(dst, doc...)
}
