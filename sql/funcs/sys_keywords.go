package funcs

import (
	_ "embed"
	"strings"

	"raisind/sql/types"
)

// keywordsText has a line for each of PostgreSQL's key words: the word, its class (U
// unreserved, C cannot be a function or type, T can only be one of those, R reserved)
// and whether it may be a column label without AS.
//
//go:embed keywords.txt
var keywordsText string

// keyword is one line of it.
type keyword struct {
	word, class string
	bareLabel   bool
}

var keywords = func() []keyword {
	var out []keyword
	for line := range strings.Lines(keywordsText) {
		if f := strings.Fields(line); len(f) == 3 {
			out = append(out, keyword{f[0], f[1], f[2] == "t"})
		}
	}
	return out
}()

// quotedWords are the key words that a name must be quoted to be.
var quotedWords = func() map[string]bool {
	m := map[string]bool{}
	for _, k := range keywords {
		if k.class != "U" {
			m[k.word] = true
		}
	}
	return m
}()

func getKeywords(*Ctx, []types.Datum) (RowSource, error) {
	classes := map[string]string{
		"U": "unreserved",
		"C": "unreserved (cannot be function or type name)",
		"T": "reserved (can be function or type name)",
		"R": "reserved",
	}
	rows := make([]types.Row, len(keywords))
	var m rowMaker
	for i, k := range keywords {
		label := "requires AS"
		if k.bareLabel {
			label = "can be bare label"
		}
		rows[i] = m.row(types.Str(k.word), types.Str(k.class), types.Bool(k.bareLabel), types.Str(classes[k.class]), types.Str(label))
	}
	return rowsOf(rows), nil
}
