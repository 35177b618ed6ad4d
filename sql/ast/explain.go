package ast

// ExplainFormat is the output format of EXPLAIN.
type ExplainFormat uint8

// The formats of EXPLAIN.
const (
	FormatText ExplainFormat = iota
	FormatJSON
	FormatYAML
	FormatXML
)

// Explain is EXPLAIN with every option resolved to its value: Costs is on unless
// switched off, Timing and Summary follow Analyze unless given.
type Explain struct {
	At
	Analyze, Verbose, Costs, Settings, Buffers, WAL, Timing, Summary bool
	Format                                                           ExplainFormat
	Stmt                                                             Stmt
}

func (*Explain) stmt() {}
