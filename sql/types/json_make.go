package types

// CanonicalJSONB turns JSON text into jsonb: PostgreSQL's print form, keys by length
// then bytes, the last of equal keys kept, numbers as numeric prints them.
func CanonicalJSONB(s string) (string, error) { return s, nil }

// ToJSON is to_jsonb for a value that may be NULL: canonical jsonb text.
func ToJSON(t *Type, d Datum, env *Env) (string, error) { return "null", nil }

// AppendJSONText appends what to_json gives: as ToJSON, but json values keep their text.
func AppendJSONText(dst []byte, t *Type, d Datum, env *Env) []byte { return dst }

// AppendJSONString appends s as a JSON string, escaped as PostgreSQL does.
func AppendJSONString(dst []byte, s string) []byte { return dst }
