// Package source turns the files of agencies into typed rows. Its files are families of
// sources.
//
// # Usage
//
// Each reader takes an open [format.Input], or a path for files that span several
// members. It returns a sequence of rows in the order of the file:
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
// A reader only reads. Package build has the rules for possible but wrong values,
// such as a point far from its ZIP or an abolished county.
//
// # Errors
//
// A row that holds an impossible value is yielded as an error that matches
// [format.ErrValue] and names file, line and column. The sequence continues
// after it. Any other error means an unexpected file and ends the sequence.
package source
