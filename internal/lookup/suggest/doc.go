// Package suggest completes partial names and codes of places.
//
// Matches are ZIP Codes, forward sortation areas, Canadian postal codes,
// municipalities, city names of the United States Postal Service, counties,
// metropolitan areas, states, provinces, and school districts.
//
// # Usage
//
// [New] makes an [Engine] from a dataset, which takes a few tens of milliseconds.
//
//	r, err := engine.Suggest(ctx, "portl", suggest.Options{Proximity: "ME"})
//
// # Ranking
//
// Matches are sorted by bucket; see [Reason]. Within a bucket they are sorted by
// prominence, a logarithmic scale of residents. A proximity adds at most eight
// doublings to the prominence of nearby matches.
//
// Ties are sorted by type, then by residents, name, and position in the dataset.
// The order is deterministic, and a smaller limit returns a prefix of the list.
//
// # Data
//
// The builder writes names, their keys and their prominence into the dataset. It
// normalizes them with package namekey, as queries do. Codes are found by their
// digits.
//
// # Concurrency
//
// An Engine is safe for concurrent use.
//
// # Errors
//
// An invalid query or option returns a [*fault.Error]. An invalid proximity is
// ignored with a notice.
package suggest
