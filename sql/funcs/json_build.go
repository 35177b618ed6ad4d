package funcs

import (
	"raisind/sql/types"
)

// appendJSONValue appends a value as to_json or to_jsonb writes it.
func appendJSONValue(fc *Ctx, dst []byte, t *types.Type, d types.Datum, jsonb bool) ([]byte, error) {
	switch {
	case d.IsNull():
		return append(dst, "null"...), nil
	case t.Name == "unknown":
		return types.AppendJSONString(dst, d.Str()), nil
	case jsonb:
		s, err := types.ToJSON(t, d, fc.Env)
		return append(dst, s...), err
	}
	return types.AppendJSONText(dst, t, d, fc.Env), nil
}
