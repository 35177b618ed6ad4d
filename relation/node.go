package relation

import (
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"raisind/catalog"
	"raisind/pgerr"
	"raisind/sql/types"
)

// MaxPathBytes bounds a node's path.
const MaxPathBytes = 4096

// CompleteInsert fills what the server gives a new row and checks what every row
// must hold. row has len(r.Columns) values, NULL where the statement gave none;
// nowMicros is the transaction's time as a timestamptz.
func CompleteInsert(r *catalog.Relation, row types.Row, nowMicros int64) error {
	if r.Kind == catalog.Workspace {
		if row[catalog.ColID].IsNull() {
			id, err := uuid.NewRandom()
			if err != nil {
				return pgerr.Wrap(err, pgerr.SystemError, "no random numbers for an id: %v", err)
			}
			row[catalog.ColID] = types.Str(string(id[:]))
		}
		if row[catalog.ColProperties].IsNull() {
			row[catalog.ColProperties] = types.Str("{}")
		}
		if row[catalog.ColCreatedAt].IsNull() {
			row[catalog.ColCreatedAt] = types.Int(nowMicros)
		}
		if row[catalog.ColUpdatedAt].IsNull() {
			row[catalog.ColUpdatedAt] = types.Int(nowMicros)
		}
		row[catalog.ColVersion] = types.Int(1)
		if err := completeNode(r, row); err != nil {
			return err
		}
	}
	return checkNotNull(r, row)
}

// CompleteUpdate is CompleteInsert for a row that was old; row may share its memory
// with old only where nothing changed.
func CompleteUpdate(r *catalog.Relation, old, row types.Row, nowMicros int64) error {
	if r.Kind == catalog.Workspace {
		was, is := old[catalog.ColPath], row[catalog.ColPath]
		renamed := !is.IsNull() && was.Str() != is.Str()
		if renamed && row[catalog.ColName].Str() == old[catalog.ColName].Str() && old[catalog.ColName].Str() == lastSegment(was.Str()) {
			row[catalog.ColName] = types.Null // the name followed the path and still does
		}
		row[catalog.ColVersion] = types.Int(old[catalog.ColVersion].Int() + 1)
		row[catalog.ColUpdatedAt] = types.Int(nowMicros)
		if err := completeNode(r, row); err != nil {
			return err
		}
	}
	return checkNotNull(r, row)
}

// completeNode checks path and properties and derives name and parent_path.
func completeNode(r *catalog.Relation, row types.Row) error {
	if path := row[catalog.ColPath]; !path.IsNull() {
		p := path.Str()
		if err := checkPath(p); err != nil {
			return err.WithRelation(r.Schema, r.Name, "path", "")
		}
		slash := strings.LastIndexByte(p, '/')
		if row[catalog.ColName].IsNull() {
			row[catalog.ColName] = types.Str(p[slash+1:])
		}
		row[catalog.ColParentPath] = types.Str(p[:max(slash, 1)])
	}
	if props := row[catalog.ColProperties]; !props.IsNull() && !strings.HasPrefix(props.Str(), "{") {
		return pgerr.New(pgerr.InvalidParameterValue, "properties must be a JSON object, not %s", article(types.JSONTypeof(props.Str()))).
			WithHint("Write properties as '{\"name\": value, ...}'.").
			WithRelation(r.Schema, r.Name, "properties", "")
	}
	return nil
}

func article(jsonType string) string {
	switch jsonType {
	case "array":
		return "an array"
	case "null":
		return "null"
	}
	return "a " + jsonType
}

func lastSegment(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// checkPath says what is wrong with a node's path.
func checkPath(p string) *pgerr.Error {
	const hint = "A path is a slash and segments divided by slashes, such as /fleet/van-17."
	switch {
	case p == "/":
		return pgerr.New(pgerr.InvalidParameterValue, "path \"/\" is the root, which is no node").WithHint(hint)
	case !strings.HasPrefix(p, "/"):
		return pgerr.New(pgerr.InvalidParameterValue, "path %q does not start with a slash", p).WithHint(hint)
	case strings.HasSuffix(p, "/") || strings.Contains(p, "//"):
		return pgerr.New(pgerr.InvalidParameterValue, "path %q has an empty segment", p).WithHint(hint)
	case len(p) > MaxPathBytes:
		return pgerr.New(pgerr.ProgramLimitExceeded, "path of %d bytes is too long", len(p)).
			WithHint("A path has at most %d bytes.", MaxPathBytes)
	}
	return nil
}

// checkNotNull refuses a row that lacks a value it must have.
func checkNotNull(r *catalog.Relation, row types.Row) error {
	for i := range r.Columns {
		if c := &r.Columns[i]; c.NotNull && row[i].IsNull() {
			return pgerr.New(pgerr.NotNullViolation, "null value in column %q of relation %q violates not-null constraint", c.Name, r.Name).
				WithDetail("Failing row contains (%s).", rowText(r, row)).
				WithRelation(r.Schema, r.Name, c.Name, "")
		}
	}
	return nil
}

// maxDetailBytes is how much of one value an error's detail shows, as in PostgreSQL.
const maxDetailBytes = 64

// rowText prints a row as PostgreSQL's details do.
func rowText(r *catalog.Relation, row types.Row) string {
	var b []byte
	for i := range r.Columns {
		if r.Columns[i].Hidden {
			continue
		}
		if len(b) > 0 {
			b = append(b, ", "...)
		}
		if row[i].IsNull() {
			b = append(b, "null"...)
			continue
		}
		text := r.Columns[i].Type.AppendText(nil, row[i], types.DefaultEnv())
		if len(text) > maxDetailBytes {
			cut := maxDetailBytes
			for cut > 0 && !utf8.RuneStart(text[cut]) {
				cut--
			}
			text = append(text[:cut], "..."...)
		}
		b = append(b, text...)
	}
	return string(b)
}

// CheckViolation is the error for a row that a check constraint refuses.
func CheckViolation(r *catalog.Relation, constraint string, row types.Row) error {
	return pgerr.New(pgerr.CheckViolation, "new row for relation %q violates check constraint %q", r.Name, constraint).
		WithDetail("Failing row contains (%s).", rowText(r, row)).
		WithRelation(r.Schema, r.Name, "", constraint)
}
