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
}

// Probe requests one byte of a source's file for its headers: some servers refuse HEAD. A
// file that the server does not have is not an error. Of a server that ignores the range,
// the body is closed unread, so that no file is transferred.
func (c *Client) Probe(ctx context.Context, s Source) (p Probe, err error) {
	const patience = 20 * time.Second // a check of all sources should not wait for one host
	if c.dir != "" {
		f, err := c.get(ctx, s)
		if errors.Is(err, ErrNotFound) {
			return p, nil
		}
		if err == nil {
			p = Probe{Found: true, Size: f.Size, SHA256: f.SHA256}
		}
		return p, err
	}
	rel, err := c.mirrored(s)
	if err != nil {
		return p, err
	}
	u := c.address(rel)
	if c.o.Offline {
		return p, fault(s, u.String(), ErrOffline, "downloads are disabled")
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	req, err := request(ctx, u.String())
	if err != nil {
		return p, fault(s, u.String(), ErrOptions, "the address is malformed")
	}
	req.Header.Set("Range", "bytes=0-0")
	r, err := c.o.HTTP.Do(req)
	if err != nil {
		return p, fault(s, u.String(), ErrTransfer, "%v", err)
	}
	r.Body.Close()
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	ext := path.Ext(r.Request.URL.Path)
	switch r.StatusCode {
	case http.StatusNotFound, http.StatusGone:
		return p, nil
	case http.StatusOK:
		p.Size = max(0, r.ContentLength)
	case http.StatusPartialContent:
		total, _ := contentRange(r.Header.Get("Content-Range"), 0)
		p.Size = max(0, total)
	default:
		return p, fault(s, r.Request.URL.String(), ErrStatus, "the server returns %s", r.Status)
	}
	// Some servers have a page for every address.
	if kind == "text/html" && ext != ".html" && ext != ".htm" {
		return Probe{}, fault(s, r.Request.URL.String(), ErrContent, "the server returns a web page in place of the file")
	}
	p.Found = true
	p.Modified, _ = http.ParseTime(r.Header.Get("Last-Modified"))
	if c.base == nil { // a mirror's headers describe its copy
		p.ETag, p.LastModified = r.Header.Get("ETag"), r.Header.Get("Last-Modified")
	}
	return p, nil
}
