package fetch

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path"
	"strconv"
	"strings"
	"time"
)

// try makes one request and, if the response is a file or the rest of one,
// reads it. brought is the number of bytes received.
func (t *transfer) try(parent context.Context) (sum string, size int64, origin Origin, brought int64, err error) {
	header := http.Header{
		"User-Agent":      {t.client.o.UserAgent},
		"Accept-Encoding": {"identity"}, // sizes and checksums are of the file itself
	}
	part, have := t.partial()
	var cachedSum string
	if have > 0 {
		header.Set("Range", fmt.Sprintf("bytes=%d-", have))
		header.Set("If-Range", part.validator())
	} else if kept, sum, n, err := t.cached(parent); err == nil {
		cachedSum, size = sum, n
		conditions(header, kept)
	}
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	stop := time.AfterFunc(time.Until(t.until), func() { cancel(errLong) })
	defer stop.Stop()
	idle := time.AfterFunc(t.client.o.Idle, func() { cancel(errIdle) })
	defer idle.Stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.url, nil)
	if err != nil {
		return "", 0, 0, 0, t.fault(ErrOptions, "%v", err)
	}
	req.Header = header
	resp, err := t.client.o.HTTP.Do(req)
	if err != nil {
		return "", 0, 0, 0, t.networkFault(parent, ctx, err)
	}
	defer resp.Body.Close()

	switch resp.StatusCode {
	case http.StatusNotModified:
		if cachedSum == "" {
			return "", 0, 0, 0, t.fault(ErrStatus, "the server returns %s to a request without a condition", resp.Status)
		}
		return cachedSum, size, Cached, 0, nil
	case http.StatusOK:
		have, part = 0, t.describe(resp, resp.ContentLength)
	case http.StatusPartialContent:
		if part, err = t.continues(resp, part, have); err != nil {
			return "", 0, 0, 0, err
		}
	case http.StatusRequestedRangeNotSatisfiable:
		t.discard()
		return "", 0, 0, 0, &temporary{reason: "the part that had come does not fit the file; starting again"}
	default:
		return "", 0, 0, 0, t.statusFault(resp)
	}
	brought, err = t.receive(parent, ctx, resp.Body, part, have, idle)
	if err != nil {
		return "", 0, 0, brought, err
	}
	sum, size, err = t.keep(parent, part)
	return sum, size, Downloaded, brought, err
}

// conditions requests only a file that changed.
func conditions(h http.Header, kept state) {
	if kept.ETag != "" {
		h.Set("If-None-Match", kept.ETag)
	}
	if kept.LastModified != "" {
		h.Set("If-Modified-Since", kept.LastModified)
	}
}

// partial returns the part of the file from an earlier try or run. A part
// without a validator is discarded.
func (t *transfer) partial() (state, int64) {
	st, err := os.Stat(t.path + ".part")
	if err != nil {
		return state{}, 0
	}
	s, ok := readState(t.path+".part.meta", t.url)
	if !ok || s.validator() == "" || s.Total >= 0 && st.Size() > s.Total {
		t.discard()
		return state{}, 0
	}
	return s, st.Size()
}

func (t *transfer) discard() {
	_ = os.Remove(t.path + ".part")
	_ = os.Remove(t.path + ".part.meta")
}

func (t *transfer) describe(r *http.Response, total int64) state {
	return state{URL: t.url, ETag: r.Header.Get("ETag"), LastModified: r.Header.Get("Last-Modified"), Total: total}
}

// continues checks that a partial response begins at the end of the part.
func (t *transfer) continues(r *http.Response, part state, have int64) (state, error) {
	from, total, ok := contentRange(r.Header.Get("Content-Range"))
	now := t.describe(r, total)
	changed := differ(now.ETag, part.ETag) || differ(now.LastModified, part.LastModified)
	if !ok || have == 0 || from != have || changed || part.Total >= 0 && total >= 0 && total != part.Total {
		t.discard()
		return state{}, &temporary{reason: fmt.Sprintf("the server continues with %q after %d bytes; starting again", r.Header.Get("Content-Range"), have)}
	}
	if total >= 0 {
		part.Total = total
	}
	return part, nil
}

// differ reports whether both are known and different.
func differ(a, b string) bool { return a != "" && b != "" && a != b }

// contentRange reads "bytes 5-9/10"; total is -1 for "bytes 5-9/*".
func contentRange(s string) (from, total int64, ok bool) {
	s, ok = strings.CutPrefix(s, "bytes ")
	if !ok {
		return 0, 0, false
	}
	span, size, ok := strings.Cut(s, "/")
	if !ok {
		return 0, 0, false
	}
	first, _, ok := strings.Cut(span, "-")
	if !ok {
		return 0, 0, false
	}
	from, err := strconv.ParseInt(first, 10, 64)
	if err != nil || from < 0 {
		return 0, 0, false
	}
	if size == "*" {
		return from, -1, true
	}
	total, err = strconv.ParseInt(size, 10, 64)
	return from, total, err == nil && total >= from
}

// receive appends the body to the part.
func (t *transfer) receive(parent, request context.Context, body io.Reader, part state, have int64, idle *time.Timer) (int64, error) {
	limit := t.client.o.MaxSize
	if part.Total > limit {
		return 0, t.fault(ErrTooLarge, "%d bytes, at most %d allowed", part.Total, limit)
	}
	flags := os.O_CREATE | os.O_WRONLY | os.O_APPEND
	if have == 0 {
		t.discard()
		flags |= os.O_TRUNC
	}
	if err := writeState(t.path+".part.meta", part); err != nil {
		return 0, t.fault(err, "%v", err)
	}
	f, err := os.OpenFile(t.path+".part", flags, 0o644)
	if err != nil {
		return 0, t.fault(err, "%v", err)
	}
	if !t.quiet {
		t.started = true
		t.client.o.Progress.Start(t.source, have, part.Total)
	}
	n, err := t.copy(parent, request, f, body, limit-have, idle)
	if serr := f.Sync(); err == nil && serr != nil {
		err = t.fault(serr, "%v", serr)
	}
	if cerr := f.Close(); err == nil && cerr != nil {
		err = t.fault(cerr, "%v", cerr)
	}
	if err == nil && part.Total >= 0 && have+n != part.Total {
		if have+n > part.Total {
			t.discard()
		}
		err = &temporary{reason: fmt.Sprintf("the transfer ended after %d of %d bytes", have+n, part.Total)}
	}
	if errors.Is(err, ErrTooLarge) {
		t.discard()
	}
	return n, err
}

// copy writes at most limit bytes of the body to the file.
func (t *transfer) copy(parent, request context.Context, f *os.File, body io.Reader, limit int64, idle *time.Timer) (n int64, err error) {
	buf := make([]byte, 1<<17)
	fresh := int64(0) // bytes since idle was reset
	for {
		got, rerr := body.Read(buf)
		if got > 0 {
			if fresh += int64(got); fresh >= leastBytes {
				idle.Reset(t.client.o.Idle)
				fresh = 0
			}
			if n+int64(got) > limit {
				return n, t.fault(ErrTooLarge, "more than the %d bytes allowed", t.client.o.MaxSize)
			}
			if _, err := f.Write(buf[:got]); err != nil {
				return n, t.fault(err, "%v", err)
			}
			n += int64(got)
			if !t.quiet {
				t.client.o.Progress.Advance(t.source, int64(got))
			}
		}
		if errors.Is(rerr, io.EOF) {
			return n, nil
		}
		if rerr != nil {
			return n, t.networkFault(parent, request, rerr)
		}
	}
}

// keep checks the complete part and puts it in its place.
func (t *transfer) keep(ctx context.Context, part state) (sum string, size int64, err error) {
	sum, size, err = hashFile(ctx, t.path+".part")
	if err != nil {
		return "", 0, t.fault(err, "%v", err)
	}
	if reason := t.foreign(); reason != "" {
		t.discard()
		return "", 0, t.fault(ErrContent, "%s", reason)
	}
	if want := t.source.SHA256; want != "" && t.client.base == nil && !strings.EqualFold(want, sum) {
		t.discard()
		return "", 0, t.fault(ErrChecksum, "SHA-256 is %s, the catalog has %s; the publisher changed the file, or the transfer was tampered with", sum, want)
	}
	part.SHA256, part.Total = sum, size
	_ = os.Remove(t.path + ".meta")
	if err := os.Rename(t.path+".part", t.path); err != nil {
		return "", 0, t.fault(err, "%v", err)
	}
	_ = os.Remove(t.path + ".part.meta")
	if err := writeState(t.path+".meta", part); err != nil {
		return "", 0, t.fault(err, "%v", err)
	}
	return sum, size, nil
}

// foreign returns why the part cannot be the file that its name promises, as
// when a server shows a web page in its place.
func (t *transfer) foreign() string {
	f, err := os.Open(t.path + ".part")
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	head := make([]byte, 512)
	n, _ := io.ReadFull(f, head)
	head = head[:n]
	want := ""
	switch path.Ext(t.path) {
	case ".zip", ".xlsx":
		want = "PK"
	case ".gz":
		want = "\x1f\x8b"
	}
	text := bytes.ToLower(bytes.TrimSpace(head))
	page := bytes.HasPrefix(text, []byte("<!doctype html")) || bytes.HasPrefix(text, []byte("<html"))
	switch {
	case page:
		return "the server sent a web page in place of the file"
	case !bytes.HasPrefix(head, []byte(want)):
		return fmt.Sprintf("the file begins with %q, expected a %s file", head[:min(n, 20)], path.Ext(t.path))
	}
	return ""
}

// isLasting reports whether a network error will be the same next time.
func isLasting(err error) bool {
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	text := err.Error()
	return errors.As(err, &certificate) || errors.As(err, &authority) ||
		strings.Contains(text, "unsupported protocol scheme") || strings.Contains(text, "redirection")
}

// retryAfter reads the seconds of a Retry-After header; dates are ignored.
func retryAfter(h http.Header) time.Duration {
	n, err := strconv.Atoi(strings.TrimSpace(h.Get("Retry-After")))
	if err != nil || n < 0 {
		return 0
	}
	return time.Second * time.Duration(min(n, 3600))
}
