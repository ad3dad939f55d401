// Package source turns the files of agencies into typed rows, one file of the
// package per source.
//
// # Usage
//
// Each reader takes an open [format.Input] (or, for files that span several
// members, a path) and returns a sequence of rows in the order of the file:
//
//	in, err := format.Open(path, format.OpenOptions{})
//	for row, err := range source.GeoNames(in) {
//		if errors.Is(err, format.ErrValue) {
//			continue // this row is refused, the next may be good
//		}
//		...
//	}
//
// Rows stream: memory does not grow with the file.
//
// # Data
//
// A reader only reads. What to do about a value that is possible and yet wrong
// (a point far from its ZIP, an abolished county) is a rule of package build.
//
// # Errors
//
// A row that holds an impossible value is yielded as an error that matches
// [format.ErrValue] and names file, line and column; the sequence goes on
// after it. Any other error says that the file is not what it should be, and
// ends the sequence.
package source
