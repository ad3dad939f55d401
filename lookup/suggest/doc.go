// Package suggest completes what a person types into places: ZIP Codes,
// forward sortation areas and Canadian postal codes, municipalities, city
// names of the United States Postal Service, counties, metropolitan areas,
// states and provinces, and school districts.
//
// # Usage
//
// [New] makes an [Engine] of a dataset, which takes a few tens of
// milliseconds; [Engine.Suggest] answers.
//
//	r, err := engine.Suggest(ctx, "portl", suggest.Options{Proximity: "ME"})
//
// # Ranking
//
// Matches stand in strict buckets by how they match, see [Reason]. Inside a
// bucket those come first that are better known, on a logarithmic scale of
// residents. With a proximity what is near gains at most eight doublings on
// that scale. Equals come in the order of the types, then with more residents
// first, then by name, then in the order of the dataset, so that the same
// question gives the same answer and a smaller limit the beginning of it.
//
// # Data
//
// Names, their keys and how well known they are stand in the dataset, made by
// its builder with package namekey, which reads the query, too. Codes are
// found by their digits.
//
// # Concurrency
//
// An Engine may be used from any number of goroutines at once.
//
// # Errors
//
// A query or an option out of range results in a [*fault.Error]. An unusable
// proximity does not: it is ignored with a notice.
package suggest
