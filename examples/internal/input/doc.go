// Package input reads the input of the examples: a dataset, and user-supplied
// tables.
package input
