package fetch

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/postgeo/postgeo/internal/disk"
)

// Download brings the file at the URL of a source to the path, and checks the source's
// SHA-256, if any. Beside the path are a side file (.meta) with the server's headers, a
// lock file (.lock), and the received part (.part) of an incomplete transfer with its own
// side file (.part.meta). The file at the path is requested with a condition and kept if
// it did not change. Download waits for another process that transfers the file. It
// tries until the file is there, the fault is lasting, or the retries are used up. Of the
// options it does not use Cache and Mirror.
func Download(ctx context.Context, s Source, path string, o Options) (f *File, err error) {
	return download(ctx, s, "", path, o)
}

func download(ctx context.Context, s Source, query, path string, o Options) (f *File, err error) {
	t := &transfer{Options: o.withDefaults(), source: s, query: query, path: path}
	if t.Offline {
		return t.offline(ctx)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, t.disk(err)
	}
	unlock, err := Lock(ctx, path+".lock")
	if err != nil {
		return nil, t.fault(err, "lock: %v", err)
	}
	defer unlock()
	t.until = time.Now().Add(t.Longest)
	f, err = t.run(ctx)
	if t.started {
		t.Progress.Done(s, err)
	}
	return f, err
}

// Lock takes the lock file at the path and creates it first; the file stays. It waits
// while another process, or another caller in this one, has the lock. The system releases
// the lock of a process that dies. Removing the file would let two processes lock two
// files of one name: one that was removed but is still open, and a new one.
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	const pause = 100 * time.Millisecond
	l := flock.New(path, flock.SetPermissions(0o644))
	_, err = l.TryLockContext(ctx, pause)
	return func() { _ = l.Close() }, err
}

// A transfer brings one address to one path. The state is on the disk, so that the next
// process can go on where a killed one stopped:
//
//	path            the whole file
//	path.meta       its address, validators and SHA-256; a file without it counts as absent
//	path.part       what has come of a transfer that is not complete
//	path.part.meta  the headers that it came with
//	path.lock       held while any of the others changes
//
// run repeats try until the file is there. A try makes one request, of one of three
// kinds: for the rest of the part if there is one, under a condition if the whole file is
// there, or plain.
//
//  1. receive writes .part.meta, then appends the body to .part and syncs it.
//  2. keep measures .part, refuses a wrong file, and removes .meta.
//  3. It renames .part to the path, and writes .meta.
//
// A crash between any two steps leaves a part with its own headers, or a file without
// .meta, which is fetched again. It never leaves a file beside the description of another
// one. That is why .meta is removed before the rename, and the old part before its
// headers are replaced.
type transfer struct {
	Options
	source  Source
	query   string // of the request; it may hold a key, and stands in no side file or error
	path    string
	until   time.Time // when the transfer ends, also if it is slow
	started bool      // Progress was called for the transfer
}

// Measure returns the size and the SHA-256 of the file at the path.
func Measure(ctx context.Context, path string) (*File, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	h := sha256.New()
	n, err := io.Copy(h, WithContext(ctx, in))
	if err != nil {
		return nil, err
	}
	return &File{Path: path, Size: n, SHA256: hex.EncodeToString(h.Sum(nil))}, nil
}

// WithContext returns a reader that ends with its context.
func WithContext(ctx context.Context, r io.Reader) io.Reader {
	return &body{Reader: r, came: func(int) error { return ctx.Err() }}
}

func (t *transfer) fault(cause error, format string, args ...any) error {
	return fault(t.source, t.source.URL, cause, format, args...)
}

// disk returns an error of the disk or of the context, nil for nil.
func (t *transfer) disk(err error) error {
	if err == nil {
		return nil
	}
	return t.fault(err, "%v", err)
}

func (t *transfer) offline(ctx context.Context) (*File, error) {
	f, err := t.cached(ctx)
	switch {
	case errors.Is(err, ErrChecksum):
		return nil, t.fault(ErrOffline, "the cache's copy %s is damaged; run once without --offline to fetch it again", t.path)
	case errors.Is(err, os.ErrNotExist):
		return nil, t.fault(ErrOffline, "not in the cache as %s; run once without --offline to fetch it", t.path)
	}
	return f, t.disk(err)
}

// run tries until the file is there, a fault is lasting, or the retries are used up. A
// server that drops every connection after some megabytes gets any number of tries, since
// each one brings the end nearer. Options.Longest bounds all of them.
func (t *transfer) run(ctx context.Context) (*File, error) {
	const much = 1 << 20 // bytes after which failures do not count
	for failures := 1; ; failures++ {
		f, brought, err := t.try(ctx)
		var again *temporary
		if err == nil || !errors.As(err, &again) {
			return f, err
		}
		if err := ctx.Err(); err != nil {
			return nil, t.disk(err)
		}
		if brought >= much {
			failures = 1
		}
		if failures > max(t.Retries, 0) {
			return nil, t.fault(ErrTransfer, "%v; given up after %d failures in a row. What has come is kept; run again to go on", again, failures)
		}
		// It doubles from one second to thirty. A server may request up to five minutes.
		wait := max(min(time.Second<<min(failures-1, 5), 30*time.Second), min(again.after, 5*time.Minute))
		t.started = true
		t.Progress.Retry(t.source, again, wait)
		if err := t.Sleep(ctx, wait); err != nil {
			return nil, t.disk(err)
		}
	}
}

// A temporary error is worth another try.
type temporary struct {
	reason string
	after  time.Duration // that the server requests; 0 none
}

func (e *temporary) Error() string { return e.reason }

// leastBytes is the least that has to come within Options.Idle. A limit on the time
// between two reads would not end a transfer that drips a byte a minute.
const leastBytes = 64 << 10

// Causes of canceling a transfer.
var (
	errIdle = errors.New("no data came")
	errLong = errors.New("the transfer took too long")
)

// request returns a request for an uncompressed file, which sizes and checksums describe.
// Without the header, net/http would request gzip by itself and hide the length. Ranges
// of a compressed response do not fit those of the file.
func request(ctx context.Context, address string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err == nil {
		req.Header = http.Header{"User-Agent": {"postgeo"}, "Accept-Encoding": {"identity"}}
	}
	return req, err
}

// try makes one request and, if the response is a file or the rest of one,
// reads it. brought is the number of bytes received.
func (t *transfer) try(parent context.Context) (f *File, brought int64, err error) {
	part, have := t.partial()
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	defer time.AfterFunc(time.Until(t.until), func() { cancel(errLong) }).Stop()
	req, err := request(ctx, t.source.URL+t.query)
	if err != nil {
		return nil, 0, t.fault(ErrOptions, "the address is malformed")
	}
	if have > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
		req.Header.Set("If-Range", part.validator())
	} else if f, err = t.cached(parent); err == nil {
		for name, value := range map[string]string{"If-None-Match": f.ETag, "If-Modified-Since": f.LastModified} {
			if value != "" {
				req.Header.Set(name, value)
			}
		}
	}
	// It starts only now: hashing a cached file of many gigabytes above takes longer than
	// Idle.
	idle := time.AfterFunc(t.Idle, func() { cancel(errIdle) })
	defer idle.Stop()
	resp, err := t.HTTP.Do(req)
	if err != nil {
		return nil, 0, t.networkFault(parent, ctx, err)
	}
	defer resp.Body.Close()

	now := state{URL: t.source.URL, ETag: resp.Header.Get("ETag"), LastModified: resp.Header.Get("Last-Modified"), Total: resp.ContentLength}
	switch code := resp.StatusCode; {
	case code == http.StatusNotModified && f != nil:
		return f, 0, nil
	case code == http.StatusNotModified:
		return nil, 0, t.fault(ErrStatus, "the server returns %s to a request without a condition", resp.Status)
	case code == http.StatusOK || code == http.StatusNoContent:
		// The whole file: the first request, a changed file, or a server without ranges.
		// The Census Bureau's interface answers 204 for a state without areas, an empty
		// file.
		have, part = 0, now
	case code == http.StatusPartialContent:
		// It must begin at the end of the part and be of the same file. A server may
		// ignore If-Range, so that the validators are compared here, too.
		span := resp.Header.Get("Content-Range")
		total, ok := contentRange(span, have)
		differ := func(a, b string) bool { return a != "" && b != "" && a != b }
		if !ok || have == 0 || differ(now.ETag, part.ETag) || differ(now.LastModified, part.LastModified) || part.Total >= 0 && total >= 0 && total != part.Total {
			t.discard()
			return nil, 0, &temporary{reason: fmt.Sprintf("the server continues with %q after %d bytes; starting again", span, have)}
		}
		part.Total = max(part.Total, total)
	case code == http.StatusRequestedRangeNotSatisfiable:
		t.discard()
		return nil, 0, &temporary{reason: "the part that had come does not fit the file; starting again"}
	case code == http.StatusNotFound || code == http.StatusGone:
		return nil, 0, t.fault(ErrNotFound, "the server returns %s; the publisher may have moved the file: check whether a newer release has its address, or use --mirror", resp.Status)
	case code == http.StatusTooManyRequests || code == http.StatusRequestTimeout || code >= 500:
		// Retry-After may be a date, which is ignored: the doubling waits suffice.
		after, _ := strconv.Atoi(strings.TrimSpace(resp.Header.Get("Retry-After")))
		return nil, 0, &temporary{reason: "the server returns " + resp.Status, after: time.Second * time.Duration(max(0, min(after, 3600)))}
	default:
		return nil, 0, t.fault(ErrStatus, "the server returns %s", resp.Status)
	}
	fresh := 0 // bytes since the idle time began
	in := &body{Reader: resp.Body, came: func(n int) error {
		if fresh += n; fresh >= leastBytes {
			fresh = 0
			idle.Reset(t.Idle)
		}
		t.Progress.Advance(t.source, int64(n))
		return nil
	}}
	brought, err = t.receive(in, part, have)
	if in.err != nil && !errors.Is(err, ErrTooLarge) {
		err = t.networkFault(parent, ctx, in.err)
	}
	if err != nil {
		return nil, brought, err
	}
	f, err = t.keep(parent, part)
	return f, brought, err
}

// contentRange reads "bytes 5-9/10" if it begins at a byte; total is -1 for "bytes 5-9/*".
func contentRange(s string, from int64) (total int64, ok bool) {
	span, size, whole := strings.Cut(s, "/")
	if !whole || !strings.HasPrefix(span, fmt.Sprintf("bytes %d-", from)) {
		return 0, false
	}
	if size == "*" {
		return -1, true
	}
	total, err := strconv.ParseInt(size, 10, 64)
	return total, err == nil && total >= from
}

// A body calls a function with the number of bytes that came, whose error ends it, and
// keeps an error of the reader. io.Copy returns errors of both sides alike. Only a failure of
// the network is worth another try, not one of the disk.
type body struct {
	io.Reader
	came func(n int) error
	err  error
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		b.err = err
	}
	return n, cmp.Or(b.came(n), err)
}

// receive appends the body to the part. It reads one byte more than is allowed, to see
// that a file is too large without its length being announced. The part is synced before
// it counts as complete, since keep only renames it.
func (t *transfer) receive(in io.Reader, part state, have int64) (n int64, err error) {
	if part.Total > t.MaxSize {
		return 0, t.fault(ErrTooLarge, "%d bytes, at most %d allowed", part.Total, t.MaxSize)
	}
	if have == 0 {
		t.discard()
	}
	if err := t.write(".part.meta", part); err != nil {
		return 0, err
	}
	f, err := os.OpenFile(t.path+".part", os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return 0, t.disk(err)
	}
	t.started = true
	t.Progress.Start(t.source, have, part.Total)
	n, err = io.Copy(f, io.LimitReader(in, t.MaxSize-have+1))
	err = t.disk(cmp.Or(err, f.Sync(), f.Close()))
	switch all := have + n; {
	case all > t.MaxSize:
		t.discard()
		return n, t.fault(ErrTooLarge, "more than the %d bytes allowed", t.MaxSize)
	case err == nil && part.Total >= 0 && all != part.Total:
		if all > part.Total { // it can't be continued
			t.discard()
		}
		err = &temporary{reason: fmt.Sprintf("the transfer ended after %d of %d bytes", all, part.Total)}
	}
	return n, err
}

// keep checks the complete part and puts it in its place.
func (t *transfer) keep(ctx context.Context, part state) (*File, error) {
	f, err := Measure(ctx, t.path+".part")
	if err != nil {
		return nil, t.disk(err)
	}
	if reason := t.foreign(f.Size); reason != "" {
		t.discard()
		return nil, t.fault(ErrContent, "%s", reason)
	}
	if want := t.source.SHA256; want != "" && !strings.EqualFold(want, f.SHA256) {
		t.discard()
		return nil, t.fault(ErrChecksum, "SHA-256 is %s, expected %s; the publisher changed the file, or the transfer was tampered with", f.SHA256, want)
	}
	part.SHA256, part.Total = f.SHA256, f.Size
	_ = os.Remove(t.path + ".meta")
	if err := disk.Settle(f.Path, t.path); err != nil {
		return nil, t.disk(err)
	}
	f.Path, f.Origin, f.ETag, f.LastModified = t.path, Downloaded, part.ETag, part.LastModified
	_ = os.Remove(t.path + ".part.meta")
	return f, t.write(".meta", part)
}

// foreign returns why the part cannot be the file that its name promises, as when a
// server shows a web page in its place. Logins of networks, proxies and moved sites do
// that with status 200. The page would stay in the cache under the name of the file. Only
// the beginning is looked at, and for rows of the Census Bureau the end, because a
// response without a length may be cut.
func (t *transfer) foreign(size int64) string {
	f, err := os.Open(t.path + ".part")
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	head, tail := make([]byte, min(size, 512)), make([]byte, min(size, 16))
	_, err = f.ReadAt(head, 0)
	if _, more := f.ReadAt(tail, size-int64(len(tail))); err != nil || more != nil {
		return cmp.Or(err, more).Error()
	}
	begin, end := map[string]string{".zip": "PK", ".xlsx": "PK", ".gz": "\x1f\x8b"}[path.Ext(t.path)], ""
	if t.query != "" && size > 0 { // rows of the Census Bureau's interface
		begin, end = "[[", "]]"
	}
	text := bytes.ToLower(bytes.TrimSpace(head))
	switch {
	case bytes.HasPrefix(text, []byte("<!doctype html")) || bytes.HasPrefix(text, []byte("<html")):
		return "the server sent a web page in place of the file"
	case !bytes.HasPrefix(head, []byte(begin)) || !bytes.HasSuffix(bytes.TrimSpace(tail), []byte(end)):
		return fmt.Sprintf("the file begins with %q, expected a %s file", head[:min(len(head), 20)], path.Ext(t.path))
	}
	return ""
}

// networkFault separates temporary failures from those that will be the same next time.
func (t *transfer) networkFault(ctx, request context.Context, err error) error {
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var of *url.Error
	if errors.As(err, &of) { // it has the whole address, and so the key in the query
		err = of.Err
	}
	switch {
	case ctx.Err() != nil:
		return t.disk(ctx.Err())
	case errors.Is(context.Cause(request), errIdle):
		return &temporary{reason: fmt.Sprintf("fewer than %d kB came in %v", leastBytes>>10, t.Idle)}
	case errors.Is(context.Cause(request), errLong):
		return t.fault(ErrTransfer, "not complete after %v. What has come is kept; run again to go on", t.Longest)
	case errors.As(err, &dns) && dns.IsNotFound:
		return t.fault(ErrTransfer, "%v; check the connection, or use --mirror or --offline", err)
	case errors.As(err, &certificate), strings.Contains(err.Error(), "redirection"):
		return t.fault(ErrTransfer, "%v", err)
	default:
		return &temporary{reason: err.Error()}
	}
}
