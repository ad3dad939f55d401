package fetch

import (
	"context"
	"errors"
	"net/http"
	"path"
	"strings"
	"time"
)

// A Probe is a server's description of a source's file, without the file.
type Probe struct {
	Found    bool      // the server or the mirror folder has the file
	Changed  bool      // the file differs from the cache's copy; false without a copy
	Copy     string    // SHA-256 of the cache's copy; "" without one
	Modified time.Time // Last-Modified; zero if unknown
	Moved    string    // new address after permanent redirections; "" none
	Vintage  string    // of the mirror's ACTUAL.csv; "" unknown
}

// Bounds of the retries of a probe.
const (
	probeTries = 3
	probeWait  = 30 * time.Second // at most, between two tries
	probeLimit = 20 * time.Second // for one response
)

// Probe requests the headers of a source's file. A file that the server does not
// have is not an error.
func (c *Client) Probe(ctx context.Context, s Source) (p Probe, err error) {
	a, _ := c.actual(s)
	p.Vintage = a.Vintage
	if c.dir != "" {
		rel, err := c.mirrored(s)
		p.Found = err == nil && c.holds(rel)
		return p, err
	}
	u, err := c.address(s)
	if err != nil {
		return p, err
	}
	file, err := c.cachePath(s, u)
	if err != nil {
		return p, err
	}
	if c.o.Offline {
		return p, fault(s, u.String(), ErrOffline, "downloads are disabled")
	}
	kept, _ := readState(file+".meta", u.String())
	p.Copy = kept.SHA256
	method := http.MethodHead
	for try := 1; ; try++ {
		resp, err := c.head(ctx, method, u.String(), kept, &p) //nolint:bodyclose // head closes it
		after, again := time.Second<<try, false
		switch {
		case ctx.Err() != nil:
			return p, ctx.Err()
		case err != nil:
			again = !isLasting(err)
			err = fault(s, u.String(), ErrTransfer, "%v", err)
		case method == http.MethodHead && (resp.StatusCode == http.StatusMethodNotAllowed || resp.StatusCode == http.StatusNotImplemented):
			method, after, again = http.MethodGet, 0, true
		case resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= http.StatusInternalServerError:
			again, after = true, max(after, retryAfter(resp.Header))
			fallthrough
		default:
			err = p.read(s, resp, kept)
		}
		if !again || try == probeTries || after > probeWait {
			return p, err
		}
		if err := c.o.Sleep(ctx, after); err != nil {
			return p, err
		}
	}
}

// head makes one request and records permanent redirections.
func (c *Client) head(ctx context.Context, method, address string, kept state, p *Probe) (*http.Response, error) {
	client, permanent := *c.o.HTTP, true
	client.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		code := r.Response.StatusCode
		permanent = permanent && (code == http.StatusMovedPermanently || code == http.StatusPermanentRedirect)
		if permanent {
			p.Moved = r.URL.String()
		}
		if c.o.HTTP.CheckRedirect != nil {
			return c.o.HTTP.CheckRedirect(r, via)
		}
		if len(via) >= 10 {
			return errors.New("more than ten redirections")
		}
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header = http.Header{"User-Agent": {c.o.UserAgent}, "Accept-Encoding": {"identity"}}
	if method == http.MethodGet {
		req.Header.Set("Range", "bytes=0-0")
	}
	conditions(req.Header, kept)
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	return resp, resp.Body.Close()
}

// read interprets the response.
func (p *Probe) read(s Source, r *http.Response, kept state) error {
	address := r.Request.URL.String()
	switch r.StatusCode {
	case http.StatusNotModified:
		p.Found = true
		return nil
	case http.StatusNotFound, http.StatusGone:
		p.Moved = ""
		return nil
	case http.StatusOK, http.StatusPartialContent:
	default:
		return fault(s, address, ErrStatus, "the server returns %s", r.Status)
	}
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	if ext := path.Ext(r.Request.URL.Path); kind == "text/html" && ext != ".html" && ext != ".htm" {
		return fault(s, address, ErrContent, "the server returns a web page in place of the file")
	}
	p.Found = true
	p.Modified, _ = http.ParseTime(r.Header.Get("Last-Modified"))
	now := state{ETag: r.Header.Get("ETag"), LastModified: r.Header.Get("Last-Modified")}
	p.Changed = kept.SHA256 != "" && (differ(now.ETag, kept.ETag) || kept.ETag == "" && differ(now.LastModified, kept.LastModified))
	return nil
}
