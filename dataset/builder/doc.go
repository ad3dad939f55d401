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
//	internal/catalog    the sources of a build
//	internal/draft      the recipe: the parts of a build in their order, which fill one
//	                    struct and write it
//	internal/shape      repair, joining and comparing of polygons
//
// This package chooses and fetches the sources, follows the recipe, and writes manifest
// and report. A new source is a reader in internal/source, an entry in the catalog, and a
// part of the recipe that reads it. A further file of outlines, or a plan of districts, is
// an entry in the catalog alone.
//
// # Data
//
// If sources contradict each other or common sense, a rule decides, never a
// patched row, except for a few reviewed tables that name their reason, in
// internal/draft/reviewed. The [Report] counts every value that a rule changed, with
// examples, every row that was refused and every remaining gap.
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
