// Package keys holds every key layout of the store, the values next to them, and the order that Pebble
// is given for them. It builds and takes apart bytes; it reads nothing.
package keys
