package billing

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo/internal/storetest"
	"github.com/postgeo/postgeo/internal/storetest/redisserver"
)

var someKey = limitKey{scope: byKey, id: "k"}

func openRedis(t testing.TB, address string, processes int, changed func(error), now func() time.Time) *redisLimiter {
	t.Helper()
	l, err := newRedisLimiter(address, processes, changed)
	check(t, err)
	l.timeout = time.Minute // a slow machine is no difference between the limiters
	if l.now = now; now != nil {
		l.local.now = now
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// unchanged fails the test when a limiter leaves its server.
func unchanged(t testing.TB) func(error) {
	return func(err error) { t.Errorf("the server was left: %v", err) }
}

// The script answers as the oracle does, to which package billing holds its
// limiter in memory.
func TestRedisOracle(t *testing.T) {
	server := redisserver.Start(t)
	arrivals := storetest.Times("POSTGEO_TEST_ARRIVALS", 30_000)
	clock := storetest.NewClock()
	checkArrivals(t, openRedis(t, server.URL(), 1, unchanged(t), clock.Now), clock, arrivals)
}

// Several limiters on one server are one limit.
func TestRedisShared(t *testing.T) {
	server := redisserver.Start(t)
	clock := storetest.NewClock()
	var limiters []limiter
	for range 3 {
		limiters = append(limiters, openRedis(t, server.URL(), 3, unchanged(t), clock.Now))
	}
	checkShared(t, limiters...)
}

// Without another clock the server's is used, which is this machine's here.
func TestRedisTime(t *testing.T) {
	l := openRedis(t, redisserver.Start(t).URL(), 1, unchanged(t), nil)
	before := time.Now().Truncate(time.Microsecond)
	w, err := l.Allow(t.Context(), someKey, 5)
	after := time.Now()
	if err != nil || !w.Allowed || w.Limit != 5 || w.Remaining != 4 {
		t.Errorf("%+v, %v", w, err)
	}
	if at := w.Reset.Add(-time.Minute); at.Before(before) || at.After(after) {
		t.Errorf("the minute began at %s; want %s to %s", at, before, after)
	}
	check(t, l.Ping(t.Context()))
}

// allowances counts the permits of calls.
func allowances(t *testing.T, l *redisLimiter, limit, calls int) (allowed int) {
	t.Helper()
	for range calls {
		w, err := l.Allow(t.Context(), someKey, limit)
		check(t, err)
		if w.Limit != limit {
			t.Fatalf("limit %d; want %d", w.Limit, limit)
		}
		if w.Allowed {
			allowed++
		}
	}
	return allowed
}

// Without its server a process allows its share, and no more; when the server
// is back the whole limit is shared again.
func TestRedisAway(t *testing.T) {
	server := redisserver.Start(t)
	clock := storetest.NewClock()
	changes := make(chan error, 100)
	l := openRedis(t, server.URL(), 3, func(err error) { changes <- err }, clock.Now)
	l.retry = time.Nanosecond
	if n := allowances(t, l, 60, 100); n != 60 {
		t.Errorf("%d permits; want 60", n)
	}
	server.Kill()
	if err := l.Ping(t.Context()); err == nil {
		t.Error("a dead server answered")
	}
	if n := allowances(t, l, 60, 100); n != 20 {
		t.Errorf("%d permits without the server; want 20", n)
	}
	if w, err := l.Allow(t.Context(), limitKey{scope: byKey, id: "small"}, 2); err != nil || !w.Allowed {
		t.Errorf("a share of less than one: %+v, %v; want one permit", w, err)
	}
	if err := <-changes; err == nil {
		t.Error("it was not told why the server was left")
	}
	server.Run()
	for back := false; !back; {
		_, err := l.Allow(t.Context(), limitKey{scope: byKey, id: "probe"}, 1)
		check(t, err)
		select {
		case err := <-changes:
			if back = true; err != nil {
				t.Errorf("it was told %v; want that the server is back", err)
			}
		case <-time.After(time.Millisecond):
		}
	}
	if n := allowances(t, l, 60, 100); n != 60 {
		t.Errorf("%d permits with the server back; want 60", n)
	}
	if len(changes) > 0 {
		t.Errorf("it was told %d times more", len(changes))
	}
}

// A server that accepts and says nothing holds a call up once, not every call.
func TestRedisSilent(t *testing.T) {
	folder, err := os.MkdirTemp("", "rd") // the path of a socket must be short
	check(t, err)
	defer os.RemoveAll(folder)
	var lc net.ListenConfig
	silent, err := lc.Listen(t.Context(), "unix", filepath.Join(folder, "socket"))
	check(t, err)
	defer silent.Close()
	var told atomic.Int64
	l := openRedis(t, "unix://"+silent.Addr().String(), 1, func(error) { told.Add(1) }, nil)
	l.timeout, l.retry = 20*time.Millisecond, time.Hour
	if n := allowances(t, l, 7, 1000); n != 7 {
		t.Errorf("%d permits; want 7", n)
	}
	if n := told.Load(); n != 1 {
		t.Errorf("it was told %d times; want once", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if w, err := l.Allow(ctx, someKey, 7); !errors.Is(err, context.Canceled) || w != (Window{}) {
		t.Errorf("a caller who left: %+v, %v", w, err)
	}
}

func TestRedisRefuses(t *testing.T) {
	for _, address := range []string{"", "host:6379", "http://secret@host", "redis://secret@host/x", "redis://:secret@host:port/"} {
		l, err := newRedisLimiter(address, 1, nil)
		if err == nil {
			l.Close()
			t.Errorf("New(%q) succeeded", address)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("New(%q) says %v", address, err)
		}
	}
	if _, err := newRedisLimiter("redis://host", -1, nil); err == nil {
		t.Error("-1 processes were accepted")
	}
}
