// Package builder makes a dataset file out of the files that agencies publish.
//
// # Usage
//
//	plan, err := builder.Plan(ctx, options) // the files to fetch and their size
//	report, err := builder.Build(ctx, options)
//	report.WriteText(os.Stdout)
//
// # Folder
//
//	recipe.go           the parts of a build in their order
//	internal/catalog    the sources and the layers of a build
//	internal/plan       the sources that were fetched, and what parts report
//	internal/draft      the tables, and the parts that fill and write them: states,
//	                    counties, ZIP Codes, FSAs, postal codes, time zones, survey,
//	                    names for suggestions, streets
//	internal/layers     outlines, and areas that codes are compared with
//	internal/shape      sets of polygons, repair, joining, nearest points
//
// This package chooses the sources, follows the recipe, counts gaps and writes
// manifest and report. A new source is a reader in internal/source, an entry in the
// catalog, and a part of the recipe that reads it.
//
// # Data
//
// If sources contradict each other or common sense, a rule decides, never a
// patched row, except for a few reviewed tables that name their reason. The
// [Report] counts every value that a rule changed, with examples, every row that
// was refused and every remaining gap.
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
// A file in another format than expected stops the build with a format.Error
// that names file and line. A single row with an impossible value is refused
// and reported.
package builder
