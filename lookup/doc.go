// Package lookup turns US ZIP and ZIP+4 Codes, Canadian forward sortation
// areas (FSAs) and postal codes into records of their places.
//
// # Usage
//
// postgeo.DB.QuickLookup returns the identity of a code from memory, postgeo.DB.Lookup
// everything that identifies it, with the parts that [ParseOptions] reads:
//
//	rec, err := db.QuickLookup(ctx, "k1a0b1", lookup.QuickOptions{Timezone: true})
//
// [ParseCode] reads any kind of code without a dataset. A [Reader] is the engine of
// these calls.
//
// # Data
//
// Records have the JSON of the contract. Unknown values are left out. A
// coordinate means the code whose area contains it; this
// needs a dataset with areas. Time zones follow the clock rules in the dataset
// for the twelve months from the time of the request.
//
// # Concurrency
//
// A Reader is safe for concurrent use. Records belong to the caller.
//
// # Errors
//
// Errors are a [*envelope.Failure], the context's, or a failure of the dataset.
package lookup
