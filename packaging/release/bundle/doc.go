// Package bundle makes the files of a release: what the command release does.
//
// # Errors
//
// [Run] stops at the first thing that cannot be built, read or written, and at
// a linked module whose license it does not know.
package bundle
