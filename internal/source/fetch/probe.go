package fetch

import (
	"context"
	"errors"
	"net/http"
	"path"
	"strings"
	"time"
)

// A Probe is a server's description of a source's file, without the file. Zero
// fields are unknown.
type Probe struct {
	Found        bool      // the server or the mirror folder has the file
	Size         int64     // bytes
	SHA256       string    // of a file in a mirror folder
	ETag         string    // of the publisher's server
	LastModified string    // of the publisher's server
	Modified     time.Time // of the publisher's or a mirror's server
	Moved        string    // new address after permanent redirections
}

// Bounds of the retries of a probe.
const (
	probeTries = 3
	probeWait  = 30 * time.Second // at most, between two tries
	probeLimit = 20 * time.Second // for one response
)

// Probe requests the headers of a source's file: by HEAD, or by a GET of one byte from
// servers that refuse HEAD. A file that the server does not have is not an error.
func (c *Client) Probe(ctx context.Context, s Source) (p Probe, err error) {
	if c.dir != "" {
		f, err := c.get(ctx, s)
		if errors.Is(err, ErrNotFound) {
			return p, nil
		}
		if err != nil {
			return p, err
		}
		return Probe{Found: true, Size: f.Size, SHA256: f.SHA256}, nil
	}
	u, err := c.address(s)
	if err != nil {
		return p, err
	}
	if c.o.Offline {
		return p, fault(s, u.String(), ErrOffline, "downloads are disabled")
	}
	method := http.MethodHead
	for try := 1; ; try++ {
		resp, err := c.head(ctx, method, u.String(), &p) //nolint:bodyclose // head closes it
		after, again := time.Second<<try, false
		switch {
		case ctx.Err() != nil:
			return p, ctx.Err()
		case err != nil:
			again = !isLasting(err)
			err = fault(s, u.String(), ErrTransfer, "%v", err)
		case method == http.MethodHead && refusesHead(resp.StatusCode):
			method, after, again = http.MethodGet, 0, true
		case resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= http.StatusInternalServerError:
			again, after = true, max(after, retryAfter(resp.Header))
			fallthrough
		default:
			err = p.read(s, resp, c.base == nil)
		}
		if !again || try == probeTries || after > probeWait {
			return p, err
		}
		if err := c.o.Sleep(ctx, after); err != nil {
			return p, err
		}
	}
}

func refusesHead(status int) bool {
	return status == http.StatusMethodNotAllowed || status == http.StatusNotImplemented || status == http.StatusForbidden
}

// head makes one request and records permanent redirections.
func (c *Client) head(ctx context.Context, method, address string, p *Probe) (*http.Response, error) {
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
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	return resp, resp.Body.Close()
}

// read interprets the response. Only the publisher's entity tag and date are kept.
func (p *Probe) read(s Source, r *http.Response, official bool) error {
	address := r.Request.URL.String()
	switch r.StatusCode {
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
	p.Found, p.Size = true, max(0, r.ContentLength)
	if r.StatusCode == http.StatusPartialContent {
		_, total, _ := contentRange(r.Header.Get("Content-Range"))
		p.Size = max(0, total)
	}
	p.Modified, _ = http.ParseTime(r.Header.Get("Last-Modified"))
	if official {
		p.ETag, p.LastModified = r.Header.Get("ETag"), r.Header.Get("Last-Modified")
	}
	return nil
}
