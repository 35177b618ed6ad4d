package types

// ToJSON is to_jsonb for a value that may be NULL: canonical jsonb text.
func ToJSON(t *Type, d Datum, env *Env) (string, error) {
	if t == TJSONB && !d.IsNull() {
		return d.str, nil
	}
	return CanonicalJSONB(string(AppendJSONText(nil, t, d, env)))
}

// AppendJSONText appends what to_json gives: json values keep their text, numbers theirs,
// dates and times are ISO 8601 whatever DateStyle says, arrays and records are taken apart.
func AppendJSONText(dst []byte, t *Type, d Datum, env *Env) []byte {
	if d.IsNull() {
		return append(dst, "null"...)
	}
	if env == nil {
		env = defaultEnv
	}
	switch t {
	case TBool:
		if d.Bool() {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case TJSON, TJSONB:
		return append(dst, d.str...)
	case TInt2, TInt4, TInt8:
		return appendInt(dst, d.num)
	case TFloat4, TFloat8, TNumeric:
		start := len(dst)
		dst = t.AppendText(dst, d, env)
		if c := dst[len(dst)-1]; !isDigit(c) { // NaN and the infinities are no JSON numbers
			return append(append(append(dst[:start], '"'), t.AppendText(nil, d, env)...), '"')
		}
		return dst
	case TDate, TTimestamp, TTimestamptz:
		return appendJSONDate(dst, t, d, env)
	case TGeometry:
		return appendGeoJSON(dst, d.Geom())
	case TRecord:
		return appendJSONRecord(dst, d.Record(), env)
	case TAnyArray:
		if a := d.Array(); a != nil && a.Elem != nil {
			return appendJSONArray(dst, a, env)
		}
	}
	if t.IsArray() {
		return appendJSONArray(dst, d.Array(), env)
	}
	var buf [64]byte
	return AppendJSONString(dst, string(t.AppendText(buf[:0], d, env)))
}

func appendJSONDate(dst []byte, t *Type, d Datum, env *Env) []byte {
	dst = append(dst, '"')
	dst, infinite := appendInfinity(dst, d.num)
	switch {
	case infinite:
	case t == TDate:
		c := CivilOfDay(d.num)
		dst = appendEra(appendISODate(dst, &c), c.Year)
	case t == TTimestamp:
		c := CivilOf(d.num)
		dst = appendXSD(dst, &c, 0, false)
	default:
		offset, _ := zoneAt(d.num, env.location())
		c := CivilOf(d.num + int64(offset)*MicrosPerSecond)
		dst = appendXSD(dst, &c, offset, true)
	}
	return append(dst, '"')
}

func appendJSONArray(dst []byte, a *Array, env *Env) []byte {
	if a == nil || len(a.Elems) == 0 {
		return append(dst, "[]"...)
	}
	dst, _ = appendJSONLevel(dst, a.Elem, a.Dims, a.Elems, env)
	return dst
}

func appendJSONLevel(dst []byte, elem *Type, dims []int32, rest []Datum, env *Env) ([]byte, []Datum) {
	dst = append(dst, '[')
	for i := range int(dims[0]) {
		if i > 0 {
			dst = append(dst, ',')
		}
		if len(dims) > 1 {
			dst, rest = appendJSONLevel(dst, elem, dims[1:], rest, env)
			continue
		}
		if len(rest) == 0 {
			break
		}
		dst = AppendJSONText(dst, elem, rest[0], env)
		rest = rest[1:]
	}
	return append(dst, ']'), rest
}

func appendJSONRecord(dst []byte, r *Record, env *Env) []byte {
	dst = append(dst, '{')
	for i, f := range r.Fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		name := ""
		if i < len(r.Names) {
			name = r.Names[i]
		}
		if name == "" {
			name = "f" + string(appendInt(nil, int64(i+1)))
		}
		dst = append(AppendJSONString(dst, name), ':')
		dst = AppendJSONText(dst, r.Types[i], f, env)
	}
	return append(dst, '}')
}
