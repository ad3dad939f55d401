// Package relevance holds a set of questions to a typeahead for places, each
// with the answers that a person would expect, and scores an engine on it.
//
// # Usage
//
// [Load] returns the cases, [Score] runs an engine over them and returns its
// figures by category. The cases are divided into two halves by the name of
// the place that they are about: on [Dev] a ranking may be worked out, on
// [Test] it is judged.
//
// # Data
//
// The cases stand in testdata/cases.tsv with the columns category, query,
// parameters (key=value, divided by blanks), expected (alternatives divided by
// a bar) and note. A case that turns out to be wrong is corrected, with the
// reason in its note; none is deleted.
//
// # Concurrency
//
// All functions may be called from any number of goroutines.
package relevance
