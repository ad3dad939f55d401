package fetch

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path"
	"path/filepath"
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
}

// Probe requests the headers of a source's file: by HEAD, or by a GET of one byte from
// servers that refuse HEAD. A file that the server does not have is not an error.
func (c *Client) Probe(ctx context.Context, s Source) (p Probe, err error) {
	const patience = 20 * time.Second
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
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for _, method := range []string{http.MethodHead, http.MethodGet} {
		req, err := c.request(ctx, method, u.String())
		if err != nil {
			return p, fault(s, u.String(), ErrOptions, "the address is malformed")
		}
		if method == http.MethodGet {
			req.Header.Set("Range", "bytes=0-0")
		}
		resp, err := c.o.HTTP.Do(req)
		if err != nil {
			return p, fault(s, u.String(), ErrTransfer, "%v", err)
		}
		resp.Body.Close()
		switch resp.StatusCode {
		case http.StatusMethodNotAllowed, http.StatusNotImplemented, http.StatusForbidden:
			if method == http.MethodHead {
				continue
			}
		}
		err = p.read(s, resp, c.base == nil)
		return p, err
	}
	return p, nil
}

// read interprets the response. Only the publisher's entity tag and date are kept.
func (p *Probe) read(s Source, r *http.Response, official bool) error {
	address := r.Request.URL.String()
	switch r.StatusCode {
	case http.StatusNotFound, http.StatusGone:
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

// Size returns the size in bytes of a source's file in the mirror folder, 0 without
// it.
func (c *Client) Size(s Source) int64 {
	rel, err := c.mirrored(s)
	if err != nil || c.dir == "" {
		return 0
	}
	st, err := os.Stat(filepath.Join(c.dir, filepath.FromSlash(rel)))
	if err != nil || !st.Mode().IsRegular() {
		return 0
	}
	return st.Size()
}
