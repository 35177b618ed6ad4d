package funcs

import "slices"

// shapeFuncs are the chapters of functions that make shapes of shapes.
func shapeFuncs() []Func {
	return slices.Concat(overlayFuncs(), bufferFuncs(), dumpFuncs(), tileFuncs(), tileListFuncs(),
		constructFuncs(), lineFuncs(), affineFuncs(), formatFuncs())
}
