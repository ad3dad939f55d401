// Package redis limits rates over several processes with Redis or Valkey.
//
// # Usage
//
//	limiter, err := redis.New("redis://host:6379/0", redis.Options{Processes: 3})
//	defer limiter.Close()
//
// A [Limiter] is a billing.Limiter and answers as a billing.MemoryLimiter
// does: one script on the server keeps the same six segments of ten seconds.
//
// # Data
//
// Each key and address has one hash, from the number of a segment (Unix
// seconds / 10) to its permits, which ends 70 seconds after its last change.
// Nothing has to be kept when Redis starts anew: a minute's counts are lost.
//
// The clock is that of Redis. Processes whose own clocks differ would begin
// their segments at different times and could give a caller more than its
// limit; one clock for all cannot, and it is read in the script, which costs
// no round trip. [Options].Now puts another clock in its place for tests.
//
// # Concurrency
//
// A Limiter is safe for concurrent use.
//
// # Errors
//
// There are none but those of the caller's context. While Redis cannot be
// reached each process counts by itself and allows a key the limit divided by
// the number of processes, at least one permit. In the minute around such a
// change a caller may get up to twice its limit.
package redis
