// Package client asks a postgeo server from Go. Its answers are the types of
// the library: a program that holds a [lookup.Record] need not know whether
// the dataset was in its own process.
//
// # Usage
//
//	c, err := client.New("https://postgeo.example.com", client.Options{Key: key})
//	…
//	rec, reply, err := c.Lookup(ctx, "90210", lookup.Options{Include: lookup.Include{Timezone: true}})
//	…
//	fmt.Println(rec.City, reply.Meta.Credits.Used)
//
// The second value of every call tells what the server said about the request:
// its id, its credits, its rate limit. It is there for failures too, when the
// server answered at all.
//
// Batches take any number of items and send as many requests as they need, of
// at most 100 items each, one after the other:
//
//	places, err := c.QuickLookups(ctx, codes, lookup.QuickOptions{})
//	for i, place := range places.Items {
//		if place.Err != nil {
//			fmt.Println(codes[i], place.Err)
//		}
//	}
//
// # Retries
//
// Answers with status 429, 503 and 504 that do not deny a retry, and whose
// credits the server has given back, are asked for again up to [Options].MaxRetries times, after the time
// that their Retry-After header names. Nothing else is: neither other statuses
// nor connections that fail. Single calls are GET requests, which net/http
// sends again by itself when the idle connection that it chose turns out to be
// closed; a batch is a POST and fails then unless nothing of it was sent.
// [Client.Health] never asks twice.
//
// # Errors
//
// What the server refuses, as a whole or of one item, is an [*Error]. It is an
// envelope.Failure, so that it knows its contract code, and it matches the
// sentinels of the library and of this package: [fault.ErrNotFound],
// [fault.ErrInvalidCode], [fault.ErrInvalidParam], [ErrKey], [ErrCredits],
// [ErrRateLimited] and [ErrUnavailable]. An answer that is not the contract's
// matches [ErrAnswer]. What the network or the context end is wrapped.
//
// The key travels in the header X-Api-Key alone. It is in no URL, error or
// printed Client, and redirects are not followed, as they could carry it
// elsewhere.
//
// # Imports
//
// The types of results live in lookup and radius, which import the reader of
// datasets, and that imports modernc.org/sqlite: a program with this package
// links SQLite although the client never opens a file.
//
// # Concurrency
//
// A Client is safe for concurrent use. Results belong to the caller.
package client
