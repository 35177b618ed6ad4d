package funcs

import (
	"cmp"
	"slices"
	"strings"

	"raisind/pgerr"
	"raisind/sql/types"
)

// chapters are the parts of the table, each built by the file that holds its bodies.
var chapters = []func() []Func{
	comparisonOps, arithmeticOps, dateTimeOps, textOps, patternOps, arrayOps, jsonOps, spatialOps,
	relationshipFuncs, distanceFuncs, measureFuncs, spatialBuildFuncs, spatialIOFuncs, spatialReadFuncs, spatialEditFuncs,
	seriesFuncs, mathFuncs, jsonBuildFuncs, jsonFuncs, textFuncs, regexFuncs, arrayFuncs, timeFuncs, formattingFuncs, systemFuncs,
	describingFuncs, schemaFuncs, aclFuncs, statisticsFuncs, sequenceFuncs, enumFuncs, raisinFuncs, spatialSystemFuncs, transformFuncs,
	shapeFuncs,
	jsonPathFuncs, rangeOps, rangeFuncs, networkFuncs, bitFuncs, moneyFuncs,
}

var aggChapters = []func() []Aggregate{aggregates, orderedAggregates, regressionAggregates, spatialAggregates, mvtAggregates, rangeAggregates}

var (
	allFuncs  []*Func
	allAggs   []*Aggregate
	byName    = map[string][]*Overload{}
	byOp      = map[opKey][]*Overload{}
	aggByName = map[string][]*AggOverload{}
)

type opKey struct {
	symbol string
	nargs  int
}

// ByName returns the overloads of a function by its lower-case name, nil when
// there is none. The slice is the table's own.
func ByName(name string) []*Overload { return byName[name] }

// ByOperator returns the overloads of an operator with one operand (prefix) or two.
func ByOperator(symbol string, nargs int) []*Overload { return byOp[opKey{symbol, nargs}] }

// AggregatesByName returns the overloads of an aggregate by its lower-case name.
func AggregatesByName(name string) []*AggOverload { return aggByName[name] }

// All returns every function and operator, functions first, each part by name.
func All() []*Func { return allFuncs }

// AllAggregates returns every aggregate by name.
func AllAggregates() []*Aggregate { return allAggs }

// register adds a chapter to the table. It runs during package initialisation only.
func register(chapter []Func) {
	for i := range chapter {
		f := &chapter[i]
		f.Title, f.Name = f.Name, strings.ToLower(f.Name)
		f.Overloads = slices.Clone(f.Overloads) // two names may share a list
		for j := range f.Overloads {
			o := &f.Overloads[j]
			o.Func = f
			if o.Eval == nil && o.EvalFor != nil {
				o.Eval = unbound
			}
			if o.Set != nil && f.Nulls == NullOnNull {
				o.Set = strictSet(o.Set)
			}
			if f.Operator != "" {
				k := opKey{f.Operator, len(o.Args)}
				byOp[k] = append(byOp[k], o)
			} else {
				byName[f.Name] = append(byName[f.Name], o)
			}
		}
		allFuncs = append(allFuncs, f)
	}
}

func registerAggregates(chapter []Aggregate) {
	for i := range chapter {
		a := &chapter[i]
		a.Title, a.Name = a.Name, strings.ToLower(a.Name)
		a.Overloads = slices.Clone(a.Overloads)
		for j := range a.Overloads {
			o := &a.Overloads[j]
			o.Agg = a
			aggByName[a.Name] = append(aggByName[a.Name], o)
		}
		allAggs = append(allAggs, a)
	}
}

// unbound is the body of an overload that Bind was not called on.
func unbound(*Ctx, []types.Datum) (types.Datum, error) {
	return types.Null, pgerr.New(pgerr.InternalError, "function was called without binding its argument types")
}

func init() {
	for _, c := range chapters {
		register(c())
	}
	for _, c := range aggChapters {
		registerAggregates(c())
	}
	registerWindows(windowFuncs())
	slices.SortStableFunc(allFuncs, func(a, b *Func) int {
		return cmp.Or(
			cmp.Compare(min(len(a.Operator), 1), min(len(b.Operator), 1)),
			cmp.Compare(a.Operator, b.Operator),
			cmp.Compare(a.Name, b.Name))
	})
	slices.SortStableFunc(allAggs, func(a, b *Aggregate) int { return cmp.Compare(a.Name, b.Name) })
}
