// Package lookup turns US ZIP and ZIP+4 Codes, Canadian forward sortation
// areas (FSAs) and postal codes into records of the places they are.
//
// # Usage
//
// [ParseCode] reads any kind of code. A [Reader] over an open dataset answers
// in two depths: [Reader.Quick] gives the identity of a code from memory,
// [Reader.Full] everything that identifies it:
//
//	r, err := lookup.NewReader(d)
//	…
//	rec, err := r.Quick(ctx, "k1a0b1", lookup.QuickOptions{Timezone: true})
//
// Most programs use package postgeo, which opens the dataset and can replace
// it while calls are in flight.
//
// # Data
//
// Records are the contract's items: their JSON is what the server writes.
// Values that are not known are left out. A coordinate is the code whose area
// holds it ([Reader.Containing]); a dataset without areas has no answer. Time
// zones come with the rules of
// the twelve months after the dataset was built (of 2026 for an older one),
// read from the machine's tz database, or from the one embedded in the program
// where there is none.
//
// # Concurrency
//
// A Reader is safe for concurrent use. Records belong to the caller.
//
// # Errors
//
// Errors are a [*fault.Error], the context's, or a failure of the dataset.
package lookup
