package types

import (
	"context"
	"flag"
	"math/rand"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"

	"raisind/pgerr"
)

var seed = flag.Int64("seed", 1, "seed of the inputs sent to the server of -postgres")

// tryFunction answers a cast of a text with its result or its error.
const tryFunction = `CREATE FUNCTION pg_temp.try(v text, ty text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE r text; d text; h text;
BEGIN
	EXECUTE format('select %L::%s::text', v, ty) INTO r;
	RETURN 'ok ' || r;
EXCEPTION WHEN others THEN
	GET STACKED DIAGNOSTICS d = pg_exception_detail, h = pg_exception_hint;
	RETURN 'err ' || sqlstate || ' ' || sqlerrm || '|' || d || '|' || h;
END $$`

// TestMutations changes inputs of the golden files at random and compares the answers
// with a server's. It runs with -postgres only. PostgreSQL's oddest corners (zones such
// as p42:0m0, years in the millions) are not followed, so a few answers may differ.
func TestMutations(t *testing.T) {
	if *postgres == "" {
		t.Skip("needs -postgres")
	}
	ctx := context.Background()
	conn, err := pgconn.Connect(ctx, *postgres)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if err := conn.Exec(ctx, tryFunction+"; SET TimeZone = 'America/New_York'").Close(); err != nil {
		t.Fatal(err)
	}
	env := DefaultEnv()
	env.Location, _ = FindZone("America/New_York")
	rng := rand.New(rand.NewSource(*seed))
	inputs := map[string][]string{}
	for _, name := range goldenFiles(t, "values_*.txt") {
		cases, _ := readGolden(t, filepath.Base(name))
		for _, c := range cases {
			if len(c.in[1]) < 200 {
				inputs[c.in[0]] = append(inputs[c.in[0]], c.in[1])
			}
		}
	}
	for name, golden := range inputs {
		typ, ok := ByName(name)
		if !ok || typ == TXID || strings.HasPrefix(name, "reg") || strings.HasPrefix(name, "geo") || strings.HasPrefix(name, "box") {
			continue
		}
		var batch []string
		for range 2000 {
			if s := mutate(rng, golden); utf8.ValidString(s) && len(s) < 150 && !dependsOnNow(s) {
				batch = append(batch, s)
			}
		}
		r := conn.ExecParams(ctx, "SELECT pg_temp.try(v, $2) FROM unnest($1::text[]) WITH ORDINALITY u(v, o) ORDER BY o",
			[][]byte{TText.Array().AppendText(nil, StringArray(batch), nil), []byte(name)}, nil, nil, nil).Read()
		if r.Err != nil {
			t.Fatal(name, r.Err)
		}
		different := 0
		for i, row := range r.Rows {
			if got, want := tryCast(typ, batch[i], env), string(row[0]); got != want {
				different++
				t.Logf("%s %q\n got %s\nwant %s", name, batch[i], got, want)
			}
		}
		if different > len(batch)/200 {
			t.Errorf("%s: %d of %d answers differ", name, different, len(batch))
		}
	}
}

func tryCast(typ *Type, in string, env *Env) string {
	d, err := typ.ParseText(in, -1, env)
	if err == nil {
		cast, _ := FindCast(typ, TText)
		d, err = cast.Fn(env, d, -1, true)
	}
	if err != nil {
		e := pgerr.From(err)
		return "err " + e.Code.String() + " " + e.Msg + "|" + e.Detail + "|" + e.Hint
	}
	return "ok " + d.Str()
}

func mutate(rng *rand.Rand, inputs []string) string {
	const alphabet = " 0123456789:-+./TZabcdefpmnyhsj,{}[]\"\\'eE_"
	any := func() byte { return alphabet[rng.Intn(len(alphabet))] }
	s := []byte(inputs[rng.Intn(len(inputs))])
	for range 1 + rng.Intn(3) {
		if len(s) == 0 {
			s = append(s, any())
			continue
		}
		other, at := inputs[rng.Intn(len(inputs))], rng.Intn(len(s))
		switch rng.Intn(6) {
		case 0:
			s = append(s[:at], s[at+1:]...)
		case 1:
			s[at] = any()
		case 2:
			s = append(s[:at], append([]byte{any()}, s[at:]...)...)
		case 3:
			s = append(s[:at], other[rng.Intn(len(other)+1):]...)
		case 4:
			s = append(append(s, ' '), other...)
		case 5:
			to := rng.Intn(len(s))
			s[at], s[to] = s[to], s[at]
		}
	}
	return strings.ReplaceAll(string(s), "\x00", "")
}

// dependsOnNow tells input that means another moment on the server.
func dependsOnNow(s string) bool {
	s = strings.ToLower(s)
	for _, w := range []string{"now", "tod", "tom", "yest"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
