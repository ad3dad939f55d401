// Package radius measures between codes and coordinates.
//
// # Usage
//
//	res, err := radius.Distance(ctx, reader, "90210", "K1A 0B1")
//	fmt.Println(res.Distance.Miles, res.Bearing)
//
// # Data
//
// Distances are geodesics on WGS84 between the points of two codes. A result
// is the contract's item: its JSON is what the server writes.
//
// # Concurrency
//
// Functions may be called from several goroutines; results belong to the
// caller.
//
// # Errors
//
// An end that is no code gives a [*lookup.ParseError] with the end's name, an
// end that is not found an [*EndError].
package radius
