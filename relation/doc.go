// Package relation gives the bytes of the store their meaning: how a row of a
// catalog relation is written and read, which unique keys and spatial entries follow
// from a row, what the spatial index of this node holds, and how to rebuild and to
// verify it. It promises that the entries of a commit are those its rows call for.
// It knows no statements and no plans.
package relation
