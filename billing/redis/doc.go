// Package redis limits rates over several processes with Redis or Valkey.
//
// # Usage
//
//	limiter, err := redis.New("redis://host:6379/0", redis.Options{Processes: 3})
//	defer limiter.Close()
//
// A [Limiter] is a billing.Limiter and decides as a billing.MemoryLimiter does:
// one script on the server keeps the same six segments of ten seconds.
//
// # Data
//
// Each key and address has one hash, from the number of a segment (Unix
// seconds / 10) to its permits. It expires 70 seconds after its last change.
// Redis needs no persistence: a restart loses the counts of one minute.
//
// The script reads the clock of Redis, without another round trip. Different
// clocks of processes would shift their segments and could exceed a caller's
// limit. [Options].Now replaces the clock in tests.
//
// # Concurrency
//
// A Limiter is safe for concurrent use.
//
// # Errors
//
// Only the caller's context fails a call. Without a connection to Redis each
// process counts separately. It allows a key the limit divided by the number of
// processes, at least one permit. In the minute around such a change a caller
// may get up to twice its limit.
package redis
