package billing

import (
	"context"
	_ "embed" // for allow.lua
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gomodule/redigo/redis"
)

// While Redis does not respond, one request a second (redisRetry) waits for it up to
// redisTimeout. All others are counted in memory at once.
const (
	redisPrefix  = "postgeo:limit:"
	redisTimeout = 250 * time.Millisecond
	redisRetry   = time.Second

	maxIdle     = 16          // connections kept open
	idleTimeout = time.Minute // an unused connection is closed after this time
)

//go:embed allow.lua
var allowText string

// A redisLimiter is a limiter that keeps its counters in Redis or Valkey, so that
// several processes can share them. It decides as a memoryLimiter does: one script on the
// server keeps the same six segments of ten seconds.
//
// Each key and address has one hash, from the number of a segment (Unix
// seconds / 10) to its permits. It expires 70 seconds after its last change.
// Redis needs no persistence: a restart loses the counts of one minute. The script reads
// the clock of Redis, without another round trip: different clocks of processes would
// shift their segments and could exceed a caller's limit.
//
// Only the caller's context fails a call. Without a connection to Redis each
// process counts separately. It allows a key the limit divided by the number of
// processes, at least one permit. In the minute around such a change a caller
// may get up to twice its limit.
type redisLimiter struct {
	processes int
	timeout   time.Duration    // of a call
	retry     time.Duration    // until Redis is tried again after a failure
	changed   func(error)      // called with the error when Redis fails and with nil when it recovers; must not block
	now       func() time.Time // of tests; nil: the clock of the server
	pool      *redis.Pool
	script    *redis.Script
	local     *memoryLimiter // used while Redis is unavailable

	began time.Time
	again atomic.Int64 // next attempt, in nanoseconds since began; 0 while Redis is available
}

// newRedisLimiter returns a limiter for the server at an address. It does not connect, so
// the server may be started later.
func newRedisLimiter(address string, processes int, changed func(error)) (*redisLimiter, error) {
	if processes < 0 {
		return nil, fmt.Errorf("redis: %d processes; must not be negative", processes)
	}
	dial, err := dialer(address, redis.DialConnectTimeout(redisTimeout), redis.DialReadTimeout(redisTimeout), redis.DialWriteTimeout(redisTimeout))
	if err != nil {
		return nil, err
	}
	return &redisLimiter{
		processes: max(processes, 1), timeout: redisTimeout, retry: redisRetry, changed: changed,
		pool:   &redis.Pool{DialContext: dial, MaxIdle: maxIdle, IdleTimeout: idleTimeout, TestOnBorrowContext: probe},
		script: redis.NewScript(1, allowText),
		local:  newMemoryLimiter(time.Now, limitedKeys, limitedKeys),
		began:  time.Now(),
	}, nil
}

// errAddress leaves out the address because it may contain a password.
var errAddress = errors.New("redis: invalid address; expected redis://host:6379/0, rediss://host:6379/0 or unix:///path")

// CheckLimits returns an error for an invalid address of [Options].Limits. The error does
// not contain it.
func CheckLimits(address string) error {
	if address == "" {
		return nil
	}
	_, err := dialer(address)
	return err
}

// dialer returns a function that connects to the server at address.
func dialer(address string, opts ...redis.DialOption) (func(context.Context) (redis.Conn, error), error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errAddress
	}
	switch {
	case u.Scheme == "unix" && u.Path != "":
		db := 0
		if text := u.Query().Get("db"); text != "" {
			if db, err = strconv.Atoi(text); err != nil || db < 0 {
				return nil, errAddress
			}
		}
		password, _ := u.User.Password()
		opts = append(opts, redis.DialDatabase(db), redis.DialUsername(u.User.Username()), redis.DialPassword(password))
		return func(ctx context.Context) (redis.Conn, error) { return redis.DialContext(ctx, "unix", u.Path, opts...) }, nil
	case (u.Scheme == "redis" || u.Scheme == "rediss") && validDatabase(u.Path):
		return func(ctx context.Context) (redis.Conn, error) { return redis.DialURLContext(ctx, address, opts...) }, nil
	}
	return nil, errAddress
}

// validDatabase reports whether the path of an address is a database or empty.
func validDatabase(path string) bool {
	path = strings.Trim(path, "/")
	n, err := strconv.Atoi(path)
	return path == "" || err == nil && n >= 0
}

// probe checks a connection that was idle for some seconds, because the server
// may have closed it.
func probe(ctx context.Context, c redis.Conn, lastUsed time.Time) error {
	const trusted = 5 * time.Second
	if time.Since(lastUsed) < trusted {
		return nil
	}
	_, err := redis.DoContext(c, ctx, "PING")
	return err
}

// Close closes the connections to Redis.
func (l *redisLimiter) Close() error { return l.pool.Close() }

// Ping checks that Redis responds within the timeout.
func (l *redisLimiter) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, l.timeout)
	defer cancel()
	_, err := l.do(ctx, func(c redis.Conn) (any, error) { return redis.DoContext(c, ctx, "PING") })
	if err != nil {
		return fmt.Errorf("redis: %w", err)
	}
	return nil
}

// do runs a command on a connection of the pool.
func (l *redisLimiter) do(ctx context.Context, run func(redis.Conn) (any, error)) (any, error) {
	c, err := l.pool.GetContext(ctx)
	if err != nil {
		return nil, err
	}
	reply, err := run(c)
	return reply, errors.Join(err, c.Close())
}

// Allow implements limiter. If Redis fails, Allow applies this
// process's share of the limit instead of returning an error. The counts in memory begin at
// zero then, since those of Redis cannot be read.
func (l *redisLimiter) Allow(ctx context.Context, key limitKey, limit int) (Window, error) {
	if err := ctx.Err(); err != nil {
		return Window{}, err
	}
	was := l.again.Load()
	if was != 0 && !l.mayTry(was) {
		return l.own(ctx, key, limit)
	}
	w, err := l.shared(ctx, key, limit)
	switch {
	case err == nil:
		if was != 0 && l.again.Swap(0) != 0 { // one of several calls reports it
			l.changed(nil)
		}
		return w, nil
	case ctx.Err() != nil:
		return Window{}, ctx.Err()
	}
	if l.again.Swap(l.elapsed()+int64(l.retry)) == 0 {
		l.changed(fmt.Errorf("redis: %w", err))
	}
	return l.own(ctx, key, limit)
}

// elapsed returns the nanoseconds since the limiter was created, at least 1.
func (l *redisLimiter) elapsed() int64 { return int64(max(time.Since(l.began), 1)) }

// mayTry reports whether this call should try Redis again. After each retry
// delay it returns true for a single call.
func (l *redisLimiter) mayTry(again int64) bool {
	now := l.elapsed()
	return now >= again && l.again.CompareAndSwap(again, now+int64(l.retry))
}

func (l *redisLimiter) shared(ctx context.Context, key limitKey, limit int) (w Window, err error) {
	ctx, cancel := context.WithTimeout(ctx, l.timeout)
	defer cancel()
	segment := int64(-1)
	var now time.Time
	if l.now != nil {
		now = l.now()
		segment = now.Unix() / segmentLength
	}
	r, err := redis.Int64s(l.do(ctx, func(c redis.Conn) (any, error) {
		return l.script.DoContext(ctx, c, redisPrefix+key.String(), limit, segment)
	}))
	if err != nil {
		return w, err
	}
	if len(r) != 4 {
		return w, fmt.Errorf("the script returned %d numbers; expected 4", len(r))
	}
	if l.now == nil {
		now = time.Unix(r[2], r[3]*int64(time.Microsecond))
	}
	return Window{Allowed: r[0] == 1, Limit: limit, Remaining: int(r[1]), Reset: now.Add(windowLength)}, nil
}

// own takes a permit from this process's share of the limit.
func (l *redisLimiter) own(ctx context.Context, key limitKey, limit int) (Window, error) {
	share := limit / l.processes
	if share == 0 && limit > 0 {
		share = 1 // the demo key's 5 a minute on 8 servers: rather 8 than none
	}
	w, err := l.local.Allow(ctx, key, share)
	w.Limit = limit
	return w, err
}
