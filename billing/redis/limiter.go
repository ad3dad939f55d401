package redis

import (
	"context"
	_ "embed" // the script
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/postgeo/postgeo/billing"
)

// Options configures a [Limiter]. The zero value of a field has the meaning
// that its comment tells.
type Options struct {
	// Processes is how many processes share the limits. While Redis is away,
	// each allows the limit divided by it. 0: 1.
	Processes int

	// Prefix is put before the names of keys. "": "postgeo:limit:".
	Prefix string

	// Timeout is how long one call may wait for Redis. 0: 250 ms.
	Timeout time.Duration

	// Retry is how long Redis is left alone after a failure. 0: 1 s.
	Retry time.Duration

	// Changed is told why Redis cannot be used, and with nil that it can be
	// again. It must not block. Nil: nobody is told.
	Changed func(error)

	// Now is the clock of the segments. Nil: the server's.
	Now func() time.Time
}

const (
	defaultPrefix  = "postgeo:limit:"
	defaultTimeout = 250 * time.Millisecond
	defaultRetry   = time.Second

	segmentSeconds = 10
)

//go:embed allow.lua
var allowText string

// A Limiter is a billing.Limiter that several processes share.
type Limiter struct {
	o      Options
	client *redis.Client
	script *redis.Script
	local  *billing.MemoryLimiter // while Redis is away

	began time.Time
	again atomic.Int64 // when Redis is tried again, nanoseconds after began; 0: it is there
}

// New returns a limiter on a server: redis://user:password@host:6379/0, the
// same with rediss:// for TLS, or unix:///path?db=0. The server need not be
// there yet.
func New(address string, o Options) (*Limiter, error) {
	if o.Processes < 0 {
		return nil, fmt.Errorf("redis: limits shared by %d processes; expected 1 or more", o.Processes)
	}
	o.Processes = max(o.Processes, 1)
	if o.Prefix == "" {
		o.Prefix = defaultPrefix
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.Retry <= 0 {
		o.Retry = defaultRetry
	}
	if o.Changed == nil {
		o.Changed = func(error) {}
	}
	// The client would write to stderr for every connection that it cannot
	// make. It has one logger for the whole process; Changed is told.
	logging.Disable()
	config, err := redis.ParseURL(address)
	if err != nil {
		return nil, errors.New("redis: the address of the limits is none; expected redis://host:6379/0, rediss://… or unix:///path") // without the password in it
	}
	config.MaxRetries = -1 // a permit is not taken twice
	config.DialerRetries = 1
	config.DialTimeout, config.ReadTimeout, config.WriteTimeout, config.PoolTimeout = o.Timeout, o.Timeout, o.Timeout, o.Timeout
	config.ContextTimeoutEnabled = true
	config.DisableIdentity = true
	config.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return &Limiter{
		o: o, client: redis.NewClient(config), script: redis.NewScript(allowText),
		local: billing.NewMemoryLimiter(billing.MemoryLimiterOptions{Now: o.Now}),
		began: time.Now(),
	}, nil
}

// Close closes the connections.
func (l *Limiter) Close() error { return l.client.Close() }

// Ping asks the server for a sign of life.
func (l *Limiter) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, l.o.Timeout)
	defer cancel()
	if err := l.client.Ping(ctx).Err(); err != nil {
		return fmt.Errorf("redis: %w", err)
	}
	return nil
}

// Allow implements billing.Limiter.
func (l *Limiter) Allow(ctx context.Context, key billing.LimitKey, limit int) (billing.Window, error) {
	if err := ctx.Err(); err != nil {
		return billing.Window{}, err
	}
	was := l.again.Load()
	if was != 0 && !l.mayTry(was) {
		return l.alone(ctx, key, limit)
	}
	w, err := l.ask(ctx, key, limit)
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
	return l.alone(ctx, key, limit)
}

// elapsed returns the nanoseconds since the limiter was made, at least 1.
func (l *Limiter) elapsed() int64 { return int64(max(time.Since(l.began), 1)) }

// mayTry reports whether Redis is to be tried again; it is true for one call
// at a time.
func (l *Limiter) mayTry(again int64) bool {
	now := l.elapsed()
	return now >= again && l.again.CompareAndSwap(again, now+int64(l.o.Retry))
}

// ask takes a permit on the server.
func (l *Limiter) ask(ctx context.Context, key billing.LimitKey, limit int) (w billing.Window, err error) {
	ctx, cancel := context.WithTimeout(ctx, l.o.Timeout)
	defer cancel()
	segment := int64(-1)
	var now time.Time
	if l.o.Now != nil {
		now = l.o.Now()
		segment = now.Unix() / segmentSeconds
	}
	r, err := l.script.Run(ctx, l.client, []string{l.o.Prefix + key.String()}, limit, segment).Int64Slice()
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

// alone takes a permit of this process's share.
func (l *Limiter) alone(ctx context.Context, key billing.LimitKey, limit int) (billing.Window, error) {
	share := limit / l.o.Processes
	if share == 0 && limit > 0 {
		share = 1
	}
	w, err := l.local.Allow(ctx, key, share)
	w.Limit = limit
	return w, err
}

var _ billing.Limiter = (*Limiter)(nil)
