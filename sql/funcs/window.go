package funcs

import (
	"raisind/pgerr"
	"raisind/sql/types"
)

// Window is one window function with its overloads. Aggregates serve as window
// functions too and are not listed here.
type Window struct {
	Name      string // lower case
	Doc       string
	Overloads []WindowOverload
	Examples  []Example
}

// WindowOverload is one signature of a window function.
type WindowOverload struct {
	Args   []Arg
	Result *types.Type
	// New makes the function's state for one partition. What it returns is called
	// once for each row of the partition, in order.
	New    func(p Partition) WindowEval
	Window *Window // set at registration
}

// WindowEval gives a window function's value for a row, counted from 0.
type WindowEval func(row int) (types.Datum, error)

// Partition is what a window function sees of the rows it ranks.
type Partition interface {
	// Rows is how many rows the partition has.
	Rows() int
	// Peers are the rows that the window's ORDER BY does not tell from row.
	Peers(row int) Span
	// Args is how many arguments the call has.
	Args() int
	// Arg is the function's argument i for a row.
	Arg(row, i int) (types.Datum, error)
	// Frame are the rows of a row's frame: at most three spans in order, none empty.
	Frame(row int) ([]Span, error)
}

// Span is the rows From up to and without To.
type Span struct{ From, To int }

// Len is how many rows it has.
func (s Span) Len() int { return s.To - s.From }

// Retractor is an AggState that can take back a row it was given, so that a frame
// may move without being added up again.
type Retractor interface {
	AggState
	// Remove takes back args; ok is false when that cannot be done exactly.
	Remove(fc *Ctx, args []types.Datum) (ok bool, err error)
}

func window(args, result string, eval func(p Partition) WindowEval) WindowOverload {
	o := WindowOverload{New: eval}
	o.Args, _, _ = parseArgs(args)
	o.Result = mustType(result)
	return o
}

func windowFuncs() []Window {
	const of3 = ` FROM generate_series(1, 3) AS g ORDER BY g DESC LIMIT 1`
	shift := func(name, doc, want string, dir int) Window {
		eval := func(p Partition) WindowEval { return neighbour(p, dir) }
		return Window{Name: name, Doc: doc, Overloads: []WindowOverload{
			window("anyelement", "anyelement", eval),
			window("anyelement,int4", "anyelement", eval),
			window("anycompatible,int4,anycompatible", "anycompatible", eval),
		}, Examples: []Example{{`SELECT ` + name + `(g, 1, 0) OVER (ORDER BY g)` + of3, want}}}
	}
	return []Window{
		{
			Name: "row_number", Doc: "Number of the row within its partition, from 1.",
			Overloads: []WindowOverload{window("", "int8", func(Partition) WindowEval {
				return func(row int) (types.Datum, error) { return types.Int(int64(row) + 1), nil }
			})},
			Examples: []Example{{`SELECT row_number() OVER (ORDER BY g)` + of3, "3"}},
		},
		{
			Name: "rank", Doc: "Number of the first of the row's peers: ties share it and leave gaps.",
			Overloads: []WindowOverload{window("", "int8", func(p Partition) WindowEval {
				return func(row int) (types.Datum, error) { return types.Int(int64(p.Peers(row).From) + 1), nil }
			})},
			Examples: []Example{{`SELECT rank() OVER (ORDER BY g / 3)` + of3, "3"}},
		},
		{
			Name: "dense_rank", Doc: "Number of the row's group of peers, without gaps.",
			Overloads: []WindowOverload{window("", "int8", denseRank)},
			Examples:  []Example{{`SELECT dense_rank() OVER (ORDER BY g / 3)` + of3, "2"}},
		},
		{
			Name: "percent_rank", Doc: "(rank - 1) / (rows of the partition - 1), from 0 to 1.",
			Overloads: []WindowOverload{window("", "float8", func(p Partition) WindowEval {
				return func(row int) (types.Datum, error) {
					if p.Rows() <= 1 {
						return types.Float(0), nil
					}
					return types.Float(float64(p.Peers(row).From) / float64(p.Rows()-1)), nil
				}
			})},
			Examples: []Example{{`SELECT percent_rank() OVER (ORDER BY g)` + of3, "1"}},
		},
		{
			Name: "cume_dist", Doc: "Share of the partition's rows that come before or are peers of the row.",
			Overloads: []WindowOverload{window("", "float8", func(p Partition) WindowEval {
				return func(row int) (types.Datum, error) {
					return types.Float(float64(p.Peers(row).To) / float64(p.Rows())), nil
				}
			})},
			Examples: []Example{{`SELECT cume_dist() OVER (ORDER BY g)` + of3, "1"}},
		},
		{
			Name: "ntile", Doc: "Number of the bucket, from 1, when the partition is divided as evenly as possible.",
			Overloads: []WindowOverload{window("int4", "int4", ntile)},
			Examples:  []Example{{`SELECT ntile(2) OVER (ORDER BY g)` + of3, "2"}},
		},
		shift("lag", "The value at the row so many rows before, 1 unless said otherwise; the default, or NULL, outside of the partition.", "2", -1),
		shift("lead", "The value at the row so many rows after, 1 unless said otherwise; the default, or NULL, outside of the partition.", "0", 1),
		{
			Name: "first_value", Doc: "The value at the first row of the frame.",
			Overloads: []WindowOverload{window("anyelement", "anyelement", func(p Partition) WindowEval {
				return func(row int) (types.Datum, error) {
					f, err := p.Frame(row)
					if err != nil || len(f) == 0 {
						return types.Null, err
					}
					return p.Arg(f[0].From, 0)
				}
			})},
			Examples: []Example{{`SELECT first_value(g) OVER (ORDER BY g)` + of3, "1"}},
		},
		{
			Name: "last_value", Doc: "The value at the last row of the frame.",
			Overloads: []WindowOverload{window("anyelement", "anyelement", func(p Partition) WindowEval {
				return func(row int) (types.Datum, error) {
					f, err := p.Frame(row)
					if err != nil || len(f) == 0 {
						return types.Null, err
					}
					return p.Arg(f[len(f)-1].To-1, 0)
				}
			})},
			Examples: []Example{{`SELECT last_value(g) OVER (ORDER BY g)` + of3, "3"}},
		},
		{
			Name: "nth_value", Doc: "The value at the nth row of the frame, counted from 1; NULL when there is none.",
			Overloads: []WindowOverload{window("anyelement,int4", "anyelement", nthValue)},
			Examples:  []Example{{`SELECT nth_value(g, 2) OVER (ORDER BY g)` + of3, "2"}},
		},
	}
}

func denseRank(p Partition) WindowEval {
	var n int64
	return func(row int) (types.Datum, error) {
		if p.Peers(row).From == row {
			n++
		}
		return types.Int(n), nil
	}
}

// ntile gives the first rows%buckets buckets one row more than the others.
func ntile(p Partition) WindowEval {
	var buckets, bucket, left, larger int64
	return func(row int) (types.Datum, error) {
		if buckets == 0 { // the argument of the partition's first row counts
			arg, err := p.Arg(row, 0)
			if err != nil || arg.IsNull() {
				return types.Null, err
			}
			if arg.Int() <= 0 {
				return types.Null, pgerr.New(pgerr.InvalidArgumentForNtile, "argument of ntile must be greater than zero")
			}
			buckets = arg.Int()
			left, larger = int64(p.Rows())/buckets, int64(p.Rows())%buckets
			if left == 0 {
				left, larger = 1, 0
			} else if larger > 0 {
				left++
			}
			bucket = 1
		}
		if left == 0 {
			bucket++
			left = int64(p.Rows()) / buckets
			if left == 0 || bucket <= larger {
				left++
			}
		}
		left--
		return types.Int(bucket), nil
	}
}

// neighbour is lag (dir -1) and lead (dir 1).
func neighbour(p Partition, dir int) WindowEval {
	return func(row int) (types.Datum, error) {
		offset := int64(1)
		o, given, err := optionalArg(p, row, 1)
		switch {
		case err != nil:
			return types.Null, err
		case given && o.IsNull():
			return types.Null, nil
		case given:
			offset = o.Int()
		}
		at := int64(row) + int64(dir)*offset
		if at >= 0 && at < int64(p.Rows()) {
			return p.Arg(int(at), 0)
		}
		d, _, err := optionalArg(p, row, 2)
		return d, err
	}
}

// optionalArg is an argument that a call may lack.
func optionalArg(p Partition, row, i int) (types.Datum, bool, error) {
	if i >= p.Args() {
		return types.Null, false, nil
	}
	d, err := p.Arg(row, i)
	return d, true, err
}

func nthValue(p Partition) WindowEval {
	return func(row int) (types.Datum, error) {
		n, err := p.Arg(row, 1)
		if err != nil || n.IsNull() {
			return types.Null, err
		}
		if n.Int() <= 0 {
			return types.Null, pgerr.New(pgerr.InvalidArgumentForNthValue, "argument of nth_value must be greater than zero")
		}
		frame, err := p.Frame(row)
		if err != nil {
			return types.Null, err
		}
		left := n.Int() - 1
		for _, s := range frame {
			if left < int64(s.Len()) {
				return p.Arg(s.From+int(left), 0)
			}
			left -= int64(s.Len())
		}
		return types.Null, nil
	}
}

// WindowsByName returns the overloads of a window function by its lower-case name.
func WindowsByName(name string) []*WindowOverload { return windowByName[name] }

// AllWindows returns every window function that is not an aggregate.
func AllWindows() []*Window { return allWindows }

var (
	allWindows   []*Window
	windowByName = map[string][]*WindowOverload{}
)

func registerWindows(chapter []Window) {
	for i := range chapter {
		w := &chapter[i]
		for j := range w.Overloads {
			o := &w.Overloads[j]
			o.Window = w
			windowByName[w.Name] = append(windowByName[w.Name], o)
		}
		allWindows = append(allWindows, w)
	}
}
