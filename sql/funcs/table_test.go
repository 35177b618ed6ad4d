package funcs

import (
	"fmt"
	"strings"
	"testing"
)

func signatureText(o *Overload) string {
	var args []string
	for _, a := range o.Args {
		args = append(args, a.Type.Name)
	}
	name := o.Func.Name
	if o.Func.Operator != "" {
		name = o.Func.Operator
	}
	return fmt.Sprintf("%s(%s)", name, strings.Join(args, ","))
}

func TestEntriesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range All() {
		if f.Doc == "" || f.Group == "" || f.Volatility == 0 || len(f.Overloads) == 0 {
			t.Errorf("%s%s: doc, group, volatility and an overload are due", f.Name, f.Operator)
		}
		if len(f.Examples) == 0 && f.Operator == "" {
			t.Errorf("%s: no example", f.Title)
		}
		for i := range f.Overloads {
			o := &f.Overloads[i]
			sig := signatureText(o)
			if seen[sig] {
				t.Errorf("%s is there twice", sig)
			}
			seen[sig] = true
			if o.Eval == nil && o.EvalFor == nil && !o.IsSet() {
				t.Errorf("%s: no body", sig)
			}
		}
	}
}
