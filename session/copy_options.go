package session

import (
	"strings"

	"raisind/pgerr"
	"raisind/sql/ast"
	"raisind/sql/types"
)

// copyFormat is the form of COPY data.
type copyFormat uint8

const (
	copyText copyFormat = iota
	copyCSV
	copyBinary
)

type copyHeader uint8

const (
	headerNo copyHeader = iota
	headerYes
	headerMatch
)

// copyOptions are the options of COPY.
type copyOptions struct {
	format        copyFormat
	delim         byte
	null          string
	header        copyHeader
	quote, escape byte

	quoteAll                            bool
	forceQuote, forceNotNull, forceNull []string
}

func (o *copyOptions) wireFormat() int16 {
	if o.format == copyBinary {
		return 1
	}
	return 0
}

// copyOptionsOf reads the options as PostgreSQL's ProcessCopyOptions does.
func copyOptionsOf(n *ast.Copy, p *prepared) (*copyOptions, error) {
	o := &copyOptions{}
	seen := map[string]string{}
	at := func(err *pgerr.Error, opt ast.Option) error {
		err.At(pgerr.CharPos(p.stmt.Text, opt.Pos()))
		return shift(err, p.text, p.stmt)
	}
	for _, opt := range n.Options {
		if _, twice := seen[opt.Name]; twice {
			return nil, at(pgerr.New(pgerr.SyntaxError, "conflicting or redundant options"), opt)
		}
		text := optionText(opt)
		seen[opt.Name] = text
		switch opt.Name {
		case "format":
			switch text {
			case "text":
			case "csv":
				o.format = copyCSV
			case "binary":
				o.format = copyBinary
			default:
				return nil, at(pgerr.New(pgerr.InvalidParameterValue, `COPY format "%s" not recognized`, text), opt)
			}
		case "delimiter", "null", "quote", "escape":
		case "freeze":
			// There is nothing to freeze: rows carry the revision of their commit, for good.
			if _, ok := parseBool(text); !ok && opt.Value != nil {
				return nil, at(pgerr.New(pgerr.SyntaxError, "freeze requires a Boolean value"), opt)
			}
		case "header":
			if err := o.readHeader(opt, text, n.From); err != nil {
				return nil, err
			}
		case "force_quote":
			o.forceQuote, o.quoteAll = optionNames(opt)
		case "force_not_null":
			o.forceNotNull, _ = optionNames(opt)
		case "force_null":
			o.forceNull, _ = optionNames(opt)
		case "encoding":
			if _, err := checkEncoding(nil, text); err != nil {
				if pgerr.Is(err, pgerr.FeatureNotSupported) {
					return nil, err
				}
				return nil, at(pgerr.New(pgerr.InvalidParameterValue, `argument to option "encoding" must be a valid encoding name`), opt)
			}
		default:
			return nil, at(pgerr.New(pgerr.SyntaxError, `option "%s" not recognized`, opt.Name), opt)
		}
	}
	return o, o.settle(seen, n.From)
}

func (o *copyOptions) readHeader(opt ast.Option, text string, from bool) error {
	if opt.Value == nil {
		o.header = headerYes
		return nil
	}
	if strings.EqualFold(text, "match") {
		if !from {
			return pgerr.New(pgerr.FeatureNotSupported, `cannot use "match" with HEADER in COPY TO`)
		}
		o.header = headerMatch
		return nil
	}
	on, ok := parseBool(text)
	if !ok {
		return pgerr.New(pgerr.SyntaxError, `header requires a Boolean value or "match"`)
	}
	if on {
		o.header = headerYes
	}
	return nil
}

// optionText is the value of an option as text.
func optionText(opt ast.Option) string {
	switch v := opt.Value.(type) {
	case *ast.Literal:
		if v.Kind == ast.LitBool {
			return onOff(v.Bool)
		}
		return v.Text
	case *ast.ColumnRef:
		return strings.Join(v.Parts, ".")
	}
	return ""
}

// optionNames is the value of an option as a list of columns, or all of them.
func optionNames(opt ast.Option) (names []string, all bool) {
	switch v := opt.Value.(type) {
	case *ast.RowLit:
		for _, a := range v.Args {
			n, _ := optionNames(ast.Option{Value: a})
			names = append(names, n...)
		}
	case *ast.ColumnRef:
		if v.Star {
			return nil, true
		}
		names = append(names, strings.Join(v.Parts, "."))
	case *ast.Literal:
		names = append(names, v.Text)
	}
	return names, false
}

// settle fills in defaults and refuses what does not go together, in PostgreSQL's order.
func (o *copyOptions) settle(seen map[string]string, from bool) error {
	no := func(code pgerr.Code, msg string) error { return pgerr.New(code, "%s", msg) }
	unsupported := func(msg string) error { return no(pgerr.FeatureNotSupported, msg) }
	has := func(name string) bool { _, ok := seen[name]; return ok }
	if o.format == copyBinary {
		if has("delimiter") {
			return no(pgerr.SyntaxError, "cannot specify DELIMITER in BINARY mode")
		}
		if has("null") {
			return no(pgerr.SyntaxError, "cannot specify NULL in BINARY mode")
		}
		if o.header != headerNo {
			return unsupported("cannot specify HEADER in BINARY mode")
		}
	}
	csv := o.format == copyCSV
	delim, null := "\t", `\N`
	if csv {
		delim, null = ",", ""
	}
	if has("delimiter") {
		delim = seen["delimiter"]
	}
	if has("null") {
		null = seen["null"]
	}
	quote := `"`
	if has("quote") {
		quote = seen["quote"]
	}
	escape := quote
	if has("escape") {
		escape = seen["escape"]
	}
	switch {
	case len(delim) != 1:
		return unsupported("COPY delimiter must be a single one-byte character")
	case delim == "\n" || delim == "\r":
		return no(pgerr.InvalidParameterValue, "COPY delimiter cannot be newline or carriage return")
	case strings.ContainsAny(null, "\r\n"):
		return no(pgerr.InvalidParameterValue, "COPY null representation cannot use newline or carriage return")
	case !csv && strings.Contains(`\.abcdefghijklmnopqrstuvwxyz0123456789`, delim):
		return no(pgerr.InvalidParameterValue, `COPY delimiter cannot be "`+delim+`"`)
	case !csv && has("quote"):
		return unsupported("COPY quote available only in CSV mode")
	case csv && len(quote) != 1:
		return unsupported("COPY quote must be a single one-byte character")
	case csv && delim == quote:
		return no(pgerr.InvalidParameterValue, "COPY delimiter and quote must be different")
	case !csv && has("escape"):
		return unsupported("COPY escape available only in CSV mode")
	case csv && len(escape) != 1:
		return unsupported("COPY escape must be a single one-byte character")
	case !csv && has("force_quote"):
		return unsupported("COPY force quote available only in CSV mode")
	case has("force_quote") && from:
		return unsupported("COPY force quote only available using COPY TO")
	case !csv && has("force_not_null"):
		return unsupported("COPY force not null available only in CSV mode")
	case has("force_not_null") && !from:
		return unsupported("COPY force not null only available using COPY FROM")
	case !csv && has("force_null"):
		return unsupported("COPY force null available only in CSV mode")
	case has("force_null") && !from:
		return unsupported("COPY force null only available using COPY FROM")
	case strings.Contains(null, delim):
		return unsupported("COPY delimiter must not appear in the NULL specification")
	case csv && strings.Contains(null, quote):
		return unsupported("CSV quote character must not appear in the NULL specification")
	}
	o.delim, o.null, o.quote, o.escape = delim[0], null, quote[0], escape[0]
	return nil
}

// bind looks up the columns that options name.
func (o *copyOptions) bind(rel string, cols []copyColumn) error {
	mark := func(what string, names []string, set func(*copyColumn)) error {
		for _, name := range names {
			found := false
			for i := range cols {
				if cols[i].name == name {
					found = true
					set(&cols[i])
				}
			}
			if !found {
				if rel != "" {
					return pgerr.New(pgerr.InvalidColumnReference, `%s column "%s" not referenced by COPY`, what, name)
				}
				return pgerr.New(pgerr.UndefinedColumn, `column "%s" does not exist`, name)
			}
		}
		return nil
	}
	if o.quoteAll {
		for i := range cols {
			cols[i].forceQuote = true
		}
	}
	if err := mark("FORCE_QUOTE", o.forceQuote, func(c *copyColumn) { c.forceQuote = true }); err != nil {
		return err
	}
	if err := mark("FORCE_NOT_NULL", o.forceNotNull, func(c *copyColumn) { c.forceNotNull = true }); err != nil {
		return err
	}
	return mark("FORCE_NULL", o.forceNull, func(c *copyColumn) { c.forceNull = true })
}

// reader makes the reader of the format.
func (o *copyOptions) reader(in *copyIn, rel string, cols []copyColumn, env *types.Env) copyReader {
	if o.format == copyBinary {
		return &copyBinaryReader{in: in, rel: rel, cols: cols, row: make(types.Row, len(cols))}
	}
	return &copyTextReader{
		opt: o, rel: rel, cols: cols, env: env, row: make(types.Row, len(cols)),
		lines: lineReader{in: in, csv: o.format == copyCSV, quote: o.quote, escape: o.escape},
	}
}

// copyReader yields the rows of COPY FROM; io.EOF at the end. A row lives until the
// following next.
type copyReader interface {
	next() (types.Row, error)
	// at adds the place of the row that was read last to an error.
	at(err error) error
}
