package redis

import (
	"cmp"
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

	"github.com/postgeo/postgeo/billing"
)

// Options configures a [Limiter]. The zero value of each field selects its
// default.
type Options struct {
	// Processes is the number of processes that share the limits. While Redis is
	// unavailable, each process allows limit/Processes requests, but at least
	// one. Zero means 1.
	Processes int

	// Prefix is prepended to every key. Empty means "postgeo:limit:".
	Prefix string

	// Timeout is the maximum duration of one call to Redis. Zero or negative
	// means 250 ms.
	Timeout time.Duration

	// Retry is the delay before Redis is tried again after a failure. Zero or
	// negative means 1 s.
	Retry time.Duration

	// Changed is called with the error when Redis fails and with nil when it
	// recovers. It must not block. A nil Changed disables these calls.
	Changed func(error)

	// Now returns the current time. If nil, the clock of the Redis server is
	// used.
	Now func() time.Time
}

const (
	defaultPrefix  = "postgeo:limit:"
	defaultTimeout = 250 * time.Millisecond
	defaultRetry   = time.Second

	segmentSeconds = 10

	maxIdle     = 16          // connections kept open
	idleTimeout = time.Minute // an unused connection is closed after this time
)

//go:embed allow.lua
var allowText string

// A Limiter is a [billing.Limiter] that keeps its counters in Redis, so that
// several processes can share them.
type Limiter struct {
	o      Options
	pool   *redis.Pool
	script *redis.Script
	local  *billing.MemoryLimiter // used while Redis is unavailable

	began time.Time
	again atomic.Int64 // next attempt, in nanoseconds since began; 0 while Redis is available
}

// New returns a Limiter for the Redis server at address, in one of these forms:
//
//	redis://user:password@host:6379/0
//	rediss://user:password@host:6379/0 (TLS)
//	unix:///path?db=0
//
// New does not connect, so the server may be started later.
func New(address string, o Options) (*Limiter, error) {
	if o.Processes < 0 {
		return nil, fmt.Errorf("redis: Processes is %d; it must not be negative", o.Processes)
	}
	o.Processes = max(o.Processes, 1)
	o.Prefix = cmp.Or(o.Prefix, defaultPrefix)
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.Retry <= 0 {
		o.Retry = defaultRetry
	}
	if o.Changed == nil {
		o.Changed = func(error) {}
	}
	dial, err := dialer(address, redis.DialConnectTimeout(o.Timeout), redis.DialReadTimeout(o.Timeout), redis.DialWriteTimeout(o.Timeout))
	if err != nil {
		return nil, err
	}
	return &Limiter{
		o: o, pool: &redis.Pool{DialContext: dial, MaxIdle: maxIdle, IdleTimeout: idleTimeout, TestOnBorrowContext: probe},
		script: redis.NewScript(1, allowText),
		local:  billing.NewMemoryLimiter(billing.MemoryLimiterOptions{Now: o.Now}),
		began:  time.Now(),
	}, nil
}

// errAddress leaves out the address because it may contain a password.
var errAddress = errors.New("redis: invalid address; expected redis://host:6379/0, rediss://host:6379/0 or unix:///path")

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
func (l *Limiter) Close() error { return l.pool.Close() }

// Ping checks that Redis responds within the timeout.
func (l *Limiter) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, l.o.Timeout)
	defer cancel()
	_, err := l.do(ctx, func(c redis.Conn) (any, error) { return redis.DoContext(c, ctx, "PING") })
	if err != nil {
		return fmt.Errorf("redis: %w", err)
	}
	return nil
}

// do runs a command on a connection of the pool.
func (l *Limiter) do(ctx context.Context, run func(redis.Conn) (any, error)) (any, error) {
	c, err := l.pool.GetContext(ctx)
	if err != nil {
		return nil, err
	}
	reply, err := run(c)
	return reply, errors.Join(err, c.Close())
}

// Allow implements [billing.Limiter]. If Redis fails, Allow applies this
// process's share of the limit instead of returning an error.
func (l *Limiter) Allow(ctx context.Context, key billing.LimitKey, limit int) (billing.Window, error) {
	if err := ctx.Err(); err != nil {
		return billing.Window{}, err
	}
	was := l.again.Load()
	if was != 0 && !l.mayTry(was) {
		return l.own(ctx, key, limit)
	}
	w, err := l.shared(ctx, key, limit)
	switch {
	case err == nil:
		if was != 0 && l.again.Swap(0) != 0 {
			l.o.Changed(nil)
		}
		return w, nil
	case ctx.Err() != nil:
		return billing.Window{}, ctx.Err()
	}
	if l.again.Swap(l.elapsed()+int64(l.o.Retry)) == 0 {
		l.o.Changed(fmt.Errorf("redis: %w", err))
	}
	return l.own(ctx, key, limit)
}

// elapsed returns the nanoseconds since the limiter was created, at least 1.
func (l *Limiter) elapsed() int64 { return int64(max(time.Since(l.began), 1)) }

// mayTry reports whether this call should try Redis again. After each retry
// delay it returns true for a single call.
func (l *Limiter) mayTry(again int64) bool {
	now := l.elapsed()
	return now >= again && l.again.CompareAndSwap(again, now+int64(l.o.Retry))
}

func (l *Limiter) shared(ctx context.Context, key billing.LimitKey, limit int) (w billing.Window, err error) {
	ctx, cancel := context.WithTimeout(ctx, l.o.Timeout)
	defer cancel()
	segment := int64(-1)
	var now time.Time
	if l.o.Now != nil {
		now = l.o.Now()
		segment = now.Unix() / segmentSeconds
	}
	r, err := redis.Int64s(l.do(ctx, func(c redis.Conn) (any, error) {
		return l.script.DoContext(ctx, c, l.o.Prefix+key.String(), limit, segment)
	}))
	if err != nil {
		return w, err
	}
	if len(r) != 4 {
		return w, fmt.Errorf("the script returned %d numbers; expected 4", len(r))
	}
	if l.o.Now == nil {
		now = time.Unix(r[2], r[3]*int64(time.Microsecond))
	}
	return billing.Window{Allowed: r[0] == 1, Limit: limit, Remaining: int(r[1]), Reset: now.Add(billing.WindowLength)}, nil
}

// own takes a permit from this process's share of the limit.
func (l *Limiter) own(ctx context.Context, key billing.LimitKey, limit int) (billing.Window, error) {
	share := limit / l.o.Processes
	if share == 0 && limit > 0 {
		share = 1
	}
	w, err := l.local.Allow(ctx, key, share)
	w.Limit = limit
	return w, err
}

var _ billing.Limiter = (*Limiter)(nil)
