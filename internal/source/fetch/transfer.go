package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// A transfer brings one address to one path of the cache.
type transfer struct {
	client *Client
	source Source
	url    string
	path   string    // of the whole file; .meta, .part, .part.meta and .lock are next to it
	quiet  bool      // does not call Progress
	until  time.Time // when the transfer ends, also if it is slow

	started bool // Progress was called for the transfer
}

// get returns the SHA-256 and size of the file once it is at its path.
func (t *transfer) get(ctx context.Context) (sum string, size int64, origin Origin, err error) {
	if t.client.o.Offline {
		return t.offline(ctx)
	}
	if err := os.MkdirAll(filepath.Dir(t.path), 0o755); err != nil {
		return "", 0, 0, t.fault(err, "%v", err)
	}
	unlock, err := t.lock(ctx)
	if err != nil {
		return "", 0, 0, err
	}
	defer unlock()
	t.until = time.Now().Add(t.client.o.Longest)
	sum, size, origin, err = t.retry(ctx)
	if t.started {
		t.client.o.Progress.Done(t.source, err)
	}
	return sum, size, origin, err
}

func (t *transfer) fault(cause error, format string, args ...any) error {
	return fault(t.source, t.url, cause, format, args...)
}

// lock waits until no other transfer works at the path.
func (t *transfer) lock(ctx context.Context) (unlock func(), err error) {
	const pause = 250 * time.Millisecond
	for {
		unlock, ok, err := TryLock(t.path + ".lock")
		if err != nil {
			return nil, t.fault(err, "lock: %v", err)
		}
		if ok {
			return unlock, nil
		}
		if err := t.client.o.Sleep(ctx, pause); err != nil {
			return nil, t.fault(err, "another process is transferring the file: %v", err)
		}
	}
}

// offline returns the file of the cache.
func (t *transfer) offline(ctx context.Context) (sum string, size int64, origin Origin, err error) {
	_, sum, size, err = t.cached(ctx)
	switch {
	case errors.Is(err, ErrChecksum):
		return "", 0, 0, t.fault(ErrOffline, "the cache's copy %s is damaged; run once without --offline to fetch it again", t.path)
	case errors.Is(err, os.ErrNotExist):
		return "", 0, 0, t.fault(ErrOffline, "not in the cache as %s; run once without --offline to fetch it", t.path)
	case err != nil:
		return "", 0, 0, t.fault(err, "%v", err)
	}
	return sum, size, Cached, nil
}

// cached measures the cache's copy and compares it with its side file. A copy
// without side file is as good as none.
func (t *transfer) cached(ctx context.Context) (s state, sum string, size int64, err error) {
	s, ok := readState(t.path+".meta", t.url)
	if !ok {
		return state{}, "", 0, os.ErrNotExist
	}
	sum, size, err = hashFile(ctx, t.path)
	if err == nil && sum != s.SHA256 {
		err = ErrChecksum
	}
	return s, sum, size, err
}

// retry tries until the file is there, the fault is lasting, or the tries are
// used up.
func (t *transfer) retry(ctx context.Context) (sum string, size int64, origin Origin, err error) {
	failures := 0
	for {
		var brought int64
		sum, size, origin, brought, err = t.try(ctx)
		var again *temporary
		if err == nil || !errors.As(err, &again) {
			return sum, size, origin, err
		}
		if err := ctx.Err(); err != nil {
			return "", 0, 0, t.fault(err, "%v", err)
		}
		const much = 1 << 20
		if brought >= much {
			failures = 0
		}
		failures++
		if failures > max(t.client.o.Retries, 0) {
			return "", 0, 0, t.fault(ErrTransfer, "%v; given up after %d failures in a row. What has come is kept; run again to go on", again, failures)
		}
		wait := backoff(failures, again.after)
		if !t.quiet {
			t.started = true
			t.client.o.Progress.Retry(t.source, again, wait)
		}
		if err := t.client.o.Sleep(ctx, wait); err != nil {
			return "", 0, 0, t.fault(err, "%v", err)
		}
	}
}

// A temporary error is worth another try.
type temporary struct {
	reason string
	after  time.Duration // that the server requests; 0 none
}

func (e *temporary) Error() string { return e.reason }

// backoff doubles from one second to thirty. A server may request up to five
// minutes.
func backoff(failure int, requested time.Duration) time.Duration {
	const first, most, longest = time.Second, 30 * time.Second, 5 * time.Minute
	d := most
	if failure <= 5 {
		d = first << (failure - 1)
	}
	return max(d, min(requested, longest))
}

// leastBytes is the least that has to come within Options.Idle.
const leastBytes = 64 << 10

// Causes of canceling a transfer.
var (
	errIdle = errors.New("no data came")
	errLong = errors.New("the transfer took too long")
)

// networkFault separates temporary failures from lasting ones.
func (t *transfer) networkFault(ctx, request context.Context, err error) error {
	var dns *net.DNSError
	switch {
	case ctx.Err() != nil:
		return t.fault(ctx.Err(), "%v", ctx.Err())
	case errors.Is(context.Cause(request), errIdle):
		return &temporary{reason: fmt.Sprintf("fewer than %d kB came in %v", leastBytes>>10, t.client.o.Idle)}
	case errors.Is(context.Cause(request), errLong):
		return t.fault(ErrTransfer, "not complete after %v. What has come is kept; run again to go on", t.client.o.Longest)
	case errors.As(err, &dns) && dns.IsNotFound:
		return t.fault(ErrTransfer, "%v; check the connection, or use --mirror or --offline", err)
	case isLasting(err):
		return t.fault(ErrTransfer, "%v", err)
	default:
		return &temporary{reason: err.Error()}
	}
}

// statusFault does the same for responses without a file.
func (t *transfer) statusFault(r *http.Response) error {
	switch code := r.StatusCode; {
	case code == http.StatusNotFound || code == http.StatusGone:
		return t.fault(ErrNotFound, "the server returns %s; the publisher may have moved the file: check whether a newer release has its address, or use --mirror", r.Status)
	case code == http.StatusTooManyRequests, code == http.StatusRequestTimeout, code >= 500:
		return &temporary{reason: "the server returns " + r.Status, after: retryAfter(r.Header)}
	default:
		return t.fault(ErrStatus, "the server returns %s", r.Status)
	}
}
