package session

import (
	"errors"
	"io"
	"strings"
	"testing"

	"raisind/pgerr"
	"raisind/sql/types"
)

// pieces is a COPY stream in pieces of so many bytes.
func pieces(data string, size int) *copyIn {
	return &copyIn{next: func() ([]byte, error) {
		if data == "" {
			return nil, io.EOF
		}
		n := min(size, len(data))
		b := []byte(data[:n])
		data = data[n:]
		return b, nil
	}}
}

// readAll reads rows of columns a, b, c of type text.
func readAll(data string, size int, csv bool, set func(*copyOptions)) string {
	o := &copyOptions{delim: '\t', null: `\N`, quote: '"', escape: '"'}
	if csv {
		o.format, o.delim, o.null = copyCSV, ',', ""
	}
	if set != nil {
		set(o)
	}
	cols := []copyColumn{{name: "a", typ: types.TText, typmod: -1}, {name: "b", typ: types.TText, typmod: -1}, {name: "c", typ: types.TText, typmod: -1}}
	r := o.reader(pieces(data, size), "t", cols, types.DefaultEnv())
	var b strings.Builder
	for {
		row, err := r.next()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		if err != nil {
			e := pgerr.From(err)
			return b.String() + e.Code.String() + " " + e.Msg + " [" + e.Where + "]"
		}
		for _, d := range row {
			if d.IsNull() {
				b.WriteString("NULL")
			} else {
				b.WriteString("<" + d.Str() + ">")
			}
		}
		b.WriteString(";")
	}
}

// TestCopyRead holds what PostgreSQL 15 makes of the same bytes.
func TestCopyRead(t *testing.T) {
	for _, c := range []struct {
		name, data, want string
		csv              bool
		set              func(*copyOptions)
	}{
		{name: "rows", data: "1\tx\t2.5\n2\ty\tz\n", want: "<1><x><2.5>;<2><y><z>;"},
		{name: "no newline at the end", data: "1\tx\ty", want: "<1><x><y>;"},
		{name: "carriage returns", data: "1\tx\ty\r\n2\tx\ty\r\n", want: "<1><x><y>;<2><x><y>;"},
		{name: "marker", data: "1\tx\ty\n\\.\nrest", want: "<1><x><y>;"},
		{name: "marker in a line", data: "1\tx\ty\\.\nrest", want: "<1><x><y>;"},
		{name: "marker cut short", data: "1\tx\ty\\.z\n", want: "22P04 end-of-copy marker corrupt [COPY t, line 1]"},
		{name: "escapes", data: "a\\tb\\nc\\\\d\\x41\\101\\q\t\\N\t\\\n\n", want: "<a\tb\nc\\dAAq>NULL<\n>;"},
		{name: "few", data: "1\tx\ty\n2\ty\n", want: `<1><x><y>;22P04 missing data for column "c" [COPY t, line 2: "2	y"]`},
		{name: "many", data: "1\t2\t3\t4\n", want: `22P04 extra data after last expected column [COPY t, line 1: "1	2	3	4"]`},
		{name: "mixed ends", data: "1\t2\t3\n4\t5\t6\r\n", want: `<1><2><3>;22P04 literal carriage return found in data [COPY t, line 2]`},
		{name: "bad UTF-8", data: "1\t\xff\t3\n", want: `22021 invalid byte sequence for encoding "UTF8": 0xff [COPY t, line 1]`},
		{name: "escaped bad UTF-8", data: "1\t\\xff\t3\n", want: `22021 invalid byte sequence for encoding "UTF8": 0xff [COPY t, line 1: "1	\xff	3"]`},
		{name: "long line", data: strings.Repeat("x", 120) + "\n", want: `22P04 missing data for column "b" [COPY t, line 1: "` + strings.Repeat("x", 100) + `..."]`},

		{name: "csv", csv: true, data: "1,\"a \"\"q\"\", b\",2\n2,\"multi\nline\",3\n3,,\n4,\"\",x\n", want: "<1><a \"q\", b><2>;<2><multi\nline><3>;<3>NULLNULL;<4><><x>;"},
		{name: "csv quotes inside", csv: true, data: "1,\"abc\"x,2\n2,\"abc\"def\"ghi\",3\n", want: "<1><abcx><2>;<2><abcdefghi><3>;"},
		{name: "csv unterminated", csv: true, data: "1,\"x,2\n\\.\n", want: "22P04 unterminated CSV quoted field [COPY t, line 1: \"1,\"x,2\n\\.\n\"]"},
		{name: "csv lines are counted", csv: true, data: "0,1,2\n1,\"a\nb\",2\n3\n", want: "<0><1><2>;<1><a\nb><2>;22P04 missing data for column \"b\" [COPY t, line 4: \"3\"]"},
		{name: "csv marker is data within a line", csv: true, data: "1,x\\.,3\n\\.\n", want: "<1><x\\.><3>;"},
		{name: "csv escape", csv: true, data: `1,"a\"b\\",2` + "\n", want: `<1><a"b\><2>;`, set: func(o *copyOptions) { o.escape = '\\' }},
		{name: "header", csv: true, data: "x,y,z\n1,2,3\n", want: "<1><2><3>;", set: func(o *copyOptions) { o.header = headerYes }},
		{name: "header alone", csv: true, data: "", want: "", set: func(o *copyOptions) { o.header = headerYes }},
		{name: "header match", csv: true, data: "a,b,x\n", want: `22P04 column name mismatch in header line field 3: got "x", expected "c" [COPY t, line 1: "a,b,x"]`, set: func(o *copyOptions) { o.header = headerMatch }},
		{name: "header too short", csv: true, data: "a,b\n", want: `22P04 wrong number of fields in header line: got 2, expected 3 [COPY t, line 1: "a,b"]`, set: func(o *copyOptions) { o.header = headerMatch }},
	} {
		for _, size := range []int{1, 3, 1 << 20} {
			if got := readAll(c.data, size, c.csv, c.set); got != c.want {
				t.Errorf("%s, in pieces of %d: %q, want %q", c.name, size, got, c.want)
			}
		}
	}
}

func TestCopyWriteText(t *testing.T) {
	write := func(csv bool, vals ...string) string {
		o := &copyOptions{delim: '\t', null: `\N`, quote: '"', escape: '"'}
		if csv {
			o.format, o.delim, o.null = copyCSV, ',', ""
		}
		var out string
		w := &copyWriter{opt: o, env: types.DefaultEnv(), send: func(b []byte) error { out += string(b); return nil }}
		var row types.Row
		for _, v := range vals {
			w.cols = append(w.cols, copyColumn{typ: types.TText, typmod: -1})
			if v == "NULL" {
				row = append(row, types.Null)
			} else {
				row = append(row, types.Str(v))
			}
		}
		if err := w.row(row); err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, c := range []struct {
		csv  bool
		vals []string
		want string
	}{
		{false, []string{"a\\b\r\n\v\f\b\t", "NULL", ""}, `a\\b\r\n\v\f\b\t` + "\t\\N\t\n"},
		{true, []string{"a,b", "NULL", "", `q"q`, "x\ny", "plain"}, "\"a,b\",,\"\",\"q\"\"q\",\"x\ny\",plain\n"},
		{true, []string{`\.`}, "\"\\.\"\n"},
	} {
		if got := write(c.csv, c.vals...); got != c.want {
			t.Errorf("%q: %q, want %q", c.vals, got, c.want)
		}
	}
}

// Whatever the bytes and however they come in pieces, reading ends in rows or one error,
// the same for all pieces.
func FuzzCopyRead(f *testing.F) {
	f.Add("1\tx\ty\n\\.\n", false)
	f.Add("1,\"a\"\"\nb\",\r\n", true)
	f.Add("\\N\t\\x4\t\\777\n", false)
	f.Fuzz(func(t *testing.T, data string, csv bool) {
		whole := readAll(data, 1<<20, csv, nil)
		for _, size := range []int{1, 2, 7} {
			if got := readAll(data, size, csv, nil); got != whole {
				t.Fatalf("in pieces of %d: %q, whole: %q", size, got, whole)
			}
		}
	})
}
