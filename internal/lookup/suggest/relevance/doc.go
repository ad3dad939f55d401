// Package relevance scores suggestions for places with a set of queries and
// expected results.
//
// # Usage
//
// [Load] returns the cases. [Score] runs an engine on them and returns figures by
// category. The cases are divided into two halves by the name of the place. Use
// [Dev] to develop a ranking and [Test] to evaluate it.
//
// # Data
//
// The file testdata/cases.tsv has the columns category, query, parameters
// (key=value, separated by spaces), expected (alternatives separated by a bar) and
// note. The note explains why a case was corrected. Cases are never deleted.
//
// # Concurrency
//
// All functions are safe for concurrent use.
package relevance
