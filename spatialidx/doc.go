// Package spatialidx is the arithmetic of the spatial index: places to geohash
// cells, circles and boxes to covers of cells, shapes to the cells they are stored
// under, and the value of an index entry. It reads nothing and knows no key.
//
// Which way it may err is part of every function: a cover may name a cell the shape
// misses, never miss one it touches, so an index answer that is rechecked against
// exact geometry is the answer of a row scan.
package spatialidx
