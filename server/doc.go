// Package server answers the postal interface over HTTP: /v2/quick-zip,
// /v2/zip, /v2/radius, /v2/distance, their batches, /v2/health, the documents
// that describe them, a reference at "/docs" and a playground at "/". It adds to
// the library only what HTTP needs.
//
// # Usage
//
//	srv, err := server.New(db, server.Config{Logger: logger})
//	…
//	err = srv.Run(ctx, publicListener, privateListener) // until ctx is done
//
// The private handler has /live (the process answers), /ready (the data can be
// read and the server is not stopping), /metrics (for Prometheus) and /reload
// (the dataset, by POST); it belongs on an address that callers do not reach.
//
// # One request
//
// A route is one value, an operation: it declares its parameters, reads them
// into a parsed request, and says what the request may cost, how it is worked
// and what the result cost. Everything else happens in one place for all
// routes, in this order: version, path and method; key, address, origin and
// requests per minute, which are the [Gate]'s; the plan, for batches; query
// and body; parameters; a turn in the queue, for expensive work; the limits of
// demo, test and free keys; the credits held; work; price; the credits
// settled; answer. Handlers return values, and the function call.write alone
// writes JSON.
//
// # Fair shares
//
// The server measures what requests cost. Cheap ones run at once. Expensive
// ones wait for a processor, which accounts get in turn, and for memory, of
// which no account gets all; see package admission. A request holds its
// processor only while it computes. Long answers are sent in pieces, and a
// caller who takes them slower than [Config].MinRate is cut off.
//
// # Documents
//
// What a route declares is also what the OpenAPI document at /v2/openapi.json
// says of it; schemas are made of the results' Go types by package openapi.
// Postman collection, prices and texts come from the same table. A page is a
// value, too; the pages for people load nothing from elsewhere.
//
// # Keys and credits
//
// Without [Config].Accounts the server is open: nobody is asked for a key and
// nothing is charged. With them every route but health asks for one. What a
// request cost is spent before its answer is written. It is given back if the
// request fails or takes too long, and within the ledger's bound if its answer
// breaks off (decision D52). Such a connection is reset. The end of the
// caller's half of the connection ends nothing at once: the work has two more
// seconds, and a finished answer is sent.
//
// # Batches
//
// A batch is a value too: it takes a list of 1 to 100 items in a POST and does
// the task of a single route for each, on further processors while nobody else
// needs them. What is wrong with
// one item, or goes wrong in it, fails that item and costs nothing; a list or
// an item of the wrong type fails the request. Results become JSON one by one,
// and what a long answer has beyond 1 MiB is kept compressed until it is sent.
//
// # Limits
//
// A query may have 8 KiB, a body 256 KiB (of a batch 1 MiB) and 64 levels,
// headers 32 KiB. Bodies are read as JSON whatever their content type says,
// and must not be compressed. The values of a list that a query has several
// times are joined; every other parameter, and a name of a JSON object, may be
// given once.
//
// # Errors
//
// Beside the statuses of the contract's table the server uses 404 and 405
// (BAD_REQUEST) for unknown paths and methods, 431 (BAD_REQUEST) for headers
// that are too large, 413 and 415
// (VALIDATION_INVALID_REQUEST) for bodies that are too large or compressed,
// and 504 (SERVICE_UNAVAILABLE, retryable) for work that takes longer than
// [Config].RequestTimeout. What a caller is not shown goes to [Config].Logger.
//
// # Concurrency
//
// A Server is safe for concurrent use. Replacing the dataset under it is the
// dataset's affair: [*postgeo.DB] swaps its file without failing a call.
package server

// The documents show the comments of the results' types.
//
//go:generate go run ../internal/openapi/gen -o ../internal/comments/comments.json ../acs ../address ../enrich ../envelope ../lookup ../lookup/suggest ../radius ../geo
