// Package storetest holds a billing.Store to its contract. Every home of
// accounts runs the same tests:
//
//	storetest.Run(t, func(t *testing.T, now func() time.Time) billing.Store { … })
//
// [Model] and [Steps] compare a store with a plain model over a random
// schedule; they are exported for tests that cut a schedule short.
package storetest
