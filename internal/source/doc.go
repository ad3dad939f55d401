// Package source turns the files of agencies into typed rows. Its files are families of
// sources.
//
// # Usage
//
// Each reader takes a file and returns a sequence of rows in its order. Tags of the fields
// of most rows name the columns and what they may hold:
//
//	for row, err := range source.GeoNames(format.File{Path: path}) {
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
// A reader only reads. Package builder has the rules for possible but wrong values,
// such as a point far from its ZIP or an abolished county.
//
// A file must have the columns that its reader needs, or it is refused: a column that a
// publisher renames would otherwise be read as blank. (A file of places without LSAD once
// made every census designated place a municipality.) Columns that some editions lack are
// marked with miss:"file". Strings of a row may be parts of its line, which they keep in
// memory; codes are clones.
//
// # Errors
//
// A row that holds an impossible value is yielded as an error that matches
// [format.ErrValue] and names file, line and column. The sequence continues
// after it. Any other error means an unexpected file and ends the sequence.
package source
