// Package client calls a postgeo server. It returns the result types of the library,
// such as [lookup.Record].
//
// # Usage
//
//	c, err := client.New("https://postgeo.example.com", client.Options{Key: key})
//	…
//	rec, reply, err := c.Lookup(ctx, "90210", lookup.Options{Include: lookup.Include{Timezone: true}})
//	…
//	fmt.Println(rec.City, reply.Meta.Credits.Used)
//
// The [Reply] has the id, credits and rate limit of the request. It is also returned
// with an error if the server responded.
//
// Batches have any number of items. They are sent in consecutive requests of at most
// 100 items:
//
//	places, err := c.QuickLookupBatch(ctx, codes, lookup.QuickOptions{})
//	for i, place := range places.Items {
//		if place.Err != nil {
//			fmt.Println(codes[i], place.Err)
//		}
//	}
//
// # Retries
//
// Responses with status 429, 503 and 504 are retried up to [Options].MaxRetries
// times, unless they deny it, after the time in Retry-After. The server has returned
// their credits. Requests whose connection failed or timed out are retried, too. All
// attempts have the same Idempotency-Key, so that a call is charged once. If you
// repeat a call yourself, such as after a timeout of its context, choose the key:
//
//	ctx = client.WithIdempotencyKey(ctx, "order 17")
//
// Other statuses are not retried. [Client.Health] never retries.
//
// # Errors
//
// A refused request or item returns an [*Error], which is an [envelope.Fault]. It
// matches these sentinels: [envelope.ErrNotFound], [envelope.ErrInvalidCode],
// [envelope.ErrInvalidParam], [ErrKey], [ErrCredits], [ErrRateLimited] and
// [ErrUnavailable]. A response outside the contract matches [ErrResponse]. Errors of
// the network and of the context are wrapped.
//
// The key is only sent in the header X-Api-Key. URLs, errors and printed Clients do
// not contain it. Redirects are not followed, because they could leak it.
//
// # Options
//
// A few options of the library have no parameter over HTTP, such as the ACS of
// [lookup.Options] and [radius.Options]. A call with one of them returns a
// [*envelope.Failure] that matches [envelope.ErrInvalidParam], without a request.
//
// # Imports
//
// The result types import the packages of the library, but not SQLite, which only
// programs that open datasets link.
//
// # Concurrency
//
// A Client is safe for concurrent use. Results belong to the caller.
package client
