package types

// ToJSON is to_jsonb for a value that may be NULL: canonical jsonb text.
func ToJSON(t *Type, d Datum, env *Env) (string, error) { return "null", nil }

// AppendJSONText appends what to_json gives: as ToJSON, but json values keep their text.
func AppendJSONText(dst []byte, t *Type, d Datum, env *Env) []byte { return dst }
