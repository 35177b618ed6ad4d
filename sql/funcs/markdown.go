package funcs

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"raisind/sql/types"
)

// Markdown writes the reference of all functions, operators and aggregates, chapter by
// chapter: docs/functions.md.
func Markdown(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "# Functions and operators")
	fmt.Fprintln(b)
	fmt.Fprintln(b, "Written by the server from its own table; do not edit. Volatility: immutable functions depend on their arguments")
	fmt.Fprintln(b, "alone, stable ones give one result within a statement, volatile ones are called for every row.")
	for _, group := range groupOrder {
		var funcs []*Func
		var aggs []*Aggregate
		for _, f := range All() {
			if f.Group == group {
				funcs = append(funcs, f)
			}
		}
		for _, a := range AllAggregates() {
			if a.Group == group {
				aggs = append(aggs, a)
			}
		}
		var windows []*Window
		if group == groupWindow {
			windows = AllWindows()
		}
		if len(funcs)+len(aggs)+len(windows) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n## %s\n", group)
		writeOperators(b, funcs)
		for i := 0; i < len(funcs); i++ {
			if funcs[i].Operator != "" {
				continue
			}
			first := i
			for i+1 < len(funcs) && funcs[i+1].Name == funcs[i].Name && funcs[i+1].Operator == "" {
				i++
			}
			writeFunc(b, funcs[first:i+1])
		}
		for _, a := range aggs {
			writeAggregate(b, a)
		}
		for _, w := range windows {
			writeWindow(b, w)
		}
	}
	return b.Flush()
}

// writeOperators writes the operators of a chapter as one table.
func writeOperators(b *bufio.Writer, funcs []*Func) {
	head := false
	for _, f := range funcs {
		if f.Operator == "" {
			continue
		}
		if !head {
			fmt.Fprint(b, "\n| operator | operands | result | |\n| --- | --- | --- | --- |\n")
			head = true
		}
		var operands, results []string
		for i := range f.Overloads {
			o := &f.Overloads[i]
			operands = appendOnce(operands, argsText(o.Args, o.Variadic, o.Defaults))
			results = appendOnce(results, o.Result.SQLName)
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", strings.ReplaceAll(f.Operator, "|", `\|`),
			strings.Join(operands, "; "), strings.Join(results, ", "), f.Doc)
	}
}

func appendOnce(list []string, s string) []string {
	for _, l := range list {
		if l == s {
			return list
		}
	}
	return append(list, s)
}

// writeFunc writes the Funcs of one name.
func writeFunc(b *bufio.Writer, same []*Func) {
	fmt.Fprintf(b, "\n### %s\n\n", same[0].Title)
	var docs []string
	for _, f := range same {
		docs = appendOnce(docs, f.Doc)
	}
	fmt.Fprintf(b, "%s\n\n", strings.Join(docs, " "))
	for _, f := range same {
		for i := range f.Overloads {
			o := &f.Overloads[i]
			fmt.Fprintf(b, "- `%s(%s)` → `%s`, %s\n", f.Title, argsText(o.Args, o.Variadic, o.Defaults), resultText(o), volatilityText(f.Volatility))
		}
	}
	fmt.Fprint(b, "\n```sql\n")
	for _, f := range same {
		for _, e := range f.Examples {
			fmt.Fprintf(b, "%s; -- %s\n", e.SQL, e.Want)
		}
	}
	fmt.Fprint(b, "```\n")
}

func writeAggregate(b *bufio.Writer, a *Aggregate) {
	fmt.Fprintf(b, "\n### %s (aggregate)\n\n%s\n\n", a.Title, a.Doc)
	for i := range a.Overloads {
		o := &a.Overloads[i]
		args := argsText(o.Args, o.Variadic, nil)
		if len(o.Args) == 0 {
			args = "*"
		}
		fmt.Fprintf(b, "- `%s(%s)` → `%s`\n", a.Title, args, o.Result.SQLName)
	}
	fmt.Fprint(b, "\n```sql\n")
	for _, e := range a.Examples {
		fmt.Fprintf(b, "%s; -- %s\n", e.SQL, e.Want)
	}
	fmt.Fprint(b, "```\n")
}

func writeWindow(b *bufio.Writer, w *Window) {
	fmt.Fprintf(b, "\n### %s (window function)\n\n%s\n\n", w.Name, w.Doc)
	for i := range w.Overloads {
		o := &w.Overloads[i]
		fmt.Fprintf(b, "- `%s(%s)` → `%s`\n", w.Name, argsText(o.Args, false, nil), o.Result.SQLName)
	}
	fmt.Fprint(b, "\n```sql\n")
	for _, e := range w.Examples {
		fmt.Fprintf(b, "%s; -- %s\n", e.SQL, e.Want)
	}
	fmt.Fprint(b, "```\n")
}

func volatilityText(v Volatility) string {
	return map[Volatility]string{Immutable: "immutable", Stable: "stable", Volatile: "volatile"}[v]
}

func resultText(o *Overload) string {
	s := o.Result.SQLName
	if len(o.Columns) > 1 {
		s = "(" + argsText(o.Columns, false, nil) + ")"
	}
	if o.IsSet() {
		s = "set of " + s
	}
	return s
}

// argsText lists arguments as a declaration does.
func argsText(args []Arg, variadic bool, defaults []types.Datum) string {
	parts := make([]string, len(args))
	for i, a := range args {
		s := a.Type.SQLName
		if a.Name != "" {
			s = a.Name + " " + s
		}
		if variadic && i == len(args)-1 {
			s = "variadic " + s
		}
		if d := i - (len(args) - len(defaults)); d >= 0 {
			s += " default " + defaultText(a.Type, defaults[d])
		}
		parts[i] = s
	}
	return strings.Join(parts, ", ")
}

func defaultText(t *types.Type, d types.Datum) string {
	switch {
	case d.IsNull():
		return "NULL"
	case t == types.TBool:
		return fmt.Sprint(d.Bool())
	case t.Category == types.CategoryString:
		return "'" + d.Str() + "'"
	}
	return string(t.AppendText(nil, d, nil))
}
