// Package build makes a dataset file out of the files that agencies publish.
//
// # Usage
//
//	plan, err := build.Plan(ctx, options) // what would be fetched, and how much
//	report, err := build.Build(ctx, options)
//	report.WriteText(os.Stdout)
//
// # Data
//
// [Catalogue] lists the sources. A source has one file in package source, which
// reads it; a derived table has one file here, which says by what rule its
// values come about. A layer is added by a file in each and a line in the lists
// of layers.go, catalogue.go and steps.go.
//
// Where sources contradict each other or common sense, a rule decides, never a
// patched row, except for a few reviewed tables that name their reason. Every
// rule that changed a value is counted in the [Report] with examples, and so is
// every row that was refused and every gap that remains.
//
// The same source files give the same bytes.
//
// # Concurrency
//
// Functions of this package may be called concurrently, for different output
// files.
//
// # Errors
//
// A file that is not what it should be stops the build with a format.Error
// that names file and line. A single row with an impossible value is refused
// and reported.
package build
