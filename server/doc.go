// Package server serves postal lookups over HTTP: /v2/quick-zip, /v2/zip,
// /v2/radius, /v2/distance, /v2/suggest, /v2/address, /v2/geocode, /v2/reverse,
// /v2/outlines, /v2/area, /v2/inside, /v2/figures and their batches, and
// the state of the server at /v2/health.
// It also serves documents about them, a reference at "/docs" and a map at "/".
//
// # Usage
//
//	srv, err := server.New(db, server.Config{Logger: logger})
//	…
//	err = srv.Run(ctx, publicListener, privateListener) // until ctx is done
//
// The private handler belongs on an address that callers cannot reach. It has
// /live, /ready, /metrics for Prometheus, and POST /reload, which reloads the
// dataset.
//
// # Requests
//
// Every route is an operation with terms: its limits and prices. All routes share the rest,
// in this order:
//
//   - Version, path and method.
//   - The gate: key, address, origin and requests per minute.
//   - The plan, for batches.
//   - Query, body and parameters.
//   - A turn in the queue, for expensive work.
//   - The limits of demo, test and free keys.
//   - The reservation of credits, and the Idempotency-Key. Cheap requests of accounts with
//     far more credits reserve nothing: both are checked after their work.
//   - The work, and the settlement of its price.
//   - The response.
//
// # Fair shares
//
// The server measures the cost of requests. Cheap ones run at once. Expensive ones
// wait for a processor and for memory, which accounts share fairly; see package
// admission. A request uses its processor only while it computes. A caller that
// receives a long response more slowly than [Config].MinRate is cut off.
//
// # Documents
//
// The OpenAPI document at /v2/openapi.json, the Postman collection, the price list
// and the text for language models follow from the routes; see package document.
// The pages for people load nothing from other servers.
//
// # Keys and credits
//
// Without [Config].Accounts the server is open, without keys and charges. With
// them, every route except health requires a key. Credits are spent before the
// response is written. They are returned if the request fails or times out and,
// within limits, if its response is interrupted. An interrupted
// connection is reset. If the caller closes its half of the connection, the work
// continues for two seconds and a finished response is sent.
//
// # Batches
//
// A batch runs the operation of a single route for a list of items in a POST, one after the
// other. A failure of one item fails only that item, at no cost. A list or an item of
// the wrong type fails the request.
//
// # Limits
//
// A query is limited to 8 KiB, a body to 256 KiB (1 MiB in batches), 64 levels and 1,000
// fields an object, and headers to 32 KiB. Bodies must be uncompressed JSON; their content
// type is ignored. Repeated lists in a query are joined. Other parameters, and names of a
// JSON object, must not be repeated. A body above 16 KiB that is refused takes two
// requests of the rate limit.
//
// # Errors
//
// In addition to the statuses of the contract, the server uses these:
//
//   - 404 and 405 (BAD_REQUEST) for unknown paths and methods.
//   - 431 (BAD_REQUEST) for headers that are too large.
//   - 413 and 415 (VALIDATION_INVALID_REQUEST) for large or compressed bodies.
//   - 504 (SERVICE_UNAVAILABLE, retryable) if the work exceeds
//     [Config].RequestTimeout.
//
// Details that callers must not see are logged to [Config].Logger.
//
// # Embedding
//
// A Server is an [http.Handler] that a program can serve by its own [http.Server] and
// behind its own middleware:
//
//	mux.Handle("/geo/", http.StripPrefix("/geo", srv))
//
// The routes work behind such a prefix. The pages do not, because their addresses begin at
// the root of the host, like empty [Config].Links. ReadHeaderTimeout, ReadTimeout,
// IdleTimeout, MaxHeaderBytes and Grace of [Config] apply to [Server.Run] only. Middleware
// that wraps the [http.ResponseWriter] needs a method Unwrap, as [http.ResponseController]
// describes. Without it slow callers are not cut off.
//
// # Concurrency
//
// A Server is safe for concurrent use. A [*postgeo.DB] can replace its file
// without failing calls.
package server

// The documents show the comments of the results' types.
//
//go:generate go run ../internal/openapi/gen -o ../internal/shapes/comments.json ../acs ../address ../enrich ../envelope ../address/geocode ../lookup ../lookup/suggest ../internal/operation ../internal/draw ../radius ../geo
