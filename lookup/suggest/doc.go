// Package suggest completes partial names and codes of places.
//
// Matches are ZIP Codes, forward sortation areas, Canadian postal codes,
// municipalities, city names of the United States Postal Service, counties,
// metropolitan areas, states and provinces. School districts and electoral districts
// are included.
//
// # Usage
//
// postgeo.DB.Suggest completes a query:
//
//	r, err := db.Suggest(ctx, "portl", suggest.Options{Proximity: "ME"})
//
// [New] makes its [Engine], which takes a few tens of milliseconds.
//
// # Ranking
//
// Matches are sorted by a score, the sum of three terms. The first is
// the prominence of the place, a logarithmic scale of residents. The second is the
// evidence that the query means its name. A proximity adds at most eight doublings.
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
// An invalid query or option returns a [*envelope.Failure]. An invalid proximity is
// ignored with a notice.
package suggest
