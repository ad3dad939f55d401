package fetch

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Options of a [Client]. Only Cache, or a Mirror folder, must be set.
type Options struct {
	// Cache is the folder for downloads. It is created. It is not needed if
	// Mirror is a folder.
	Cache string
	// Mirror is a folder or an http(s) address that stands in for the
	// official hosts: https://host/path is read from <mirror>/host/path. ""
	// takes the official addresses.
	Mirror string
	// Offline uses only the cache or a mirror folder, never a server.
	Offline bool
	// MaxSize is the most bytes that one file may have. Zero means 16 GiB.
	MaxSize int64
	// Retries is the number of retries of a failed transfer. A try that brought
	// a mebibyte or more does not count. Zero means 5; negative none.
	Retries int
	// Idle is the time in which 64 KiB or the rest of the file must come. Zero means
	// 60 s.
	Idle time.Duration
	// Longest is the time for a transfer, with its retries. Zero means 6 hours.
	Longest time.Duration
	// HTTP is the client to use. nil means one like net/http's default, with
	// time limits on connecting and on the response's headers.
	HTTP *http.Client
	// Progress receives the progress of transfers. nil disables it.
	Progress Progress
	// Sleep waits between two tries, or until the context ends. nil waits on the clock.
	Sleep func(context.Context, time.Duration) error
}

// Progress receives the progress of a file's transfer, from the goroutine that
// called Get. A file that is current in the cache, or in a mirror folder, has
// no transfer.
type Progress interface {
	// Start means that the transfer of a source begins, or begins again after
	// Retry. have is the number of present bytes. The parameter total is the
	// size, or -1 if unknown.
	Start(s Source, have, total int64)
	// Advance means that so many more bytes have come.
	Advance(s Source, n int64)
	// Retry means that the transfer failed and is tried again after the wait.
	Retry(s Source, cause error, wait time.Duration)
	// Done means that the transfer ended; err is nil when it succeeded. It is
	// called once for every Get that called Start or Retry.
	Done(s Source, err error)
}

// A Client gets the files of the catalog. It is safe for concurrent use if its
// Progress is.
type Client struct {
	o       Options
	dir     string            // mirror folder; "" none
	base    *url.URL          // mirror address; nil none
	actuals map[string]actual // by path below the mirror
}

// New returns a client. It reads the mirror's ACTUAL.csv, if any, and fails
// when the mirror is neither a folder nor an address.
func New(ctx context.Context, o Options) (*Client, error) {
	c := &Client{o: o.withDefaults()}
	switch {
	case strings.HasPrefix(o.Mirror, "http://"), strings.HasPrefix(o.Mirror, "https://"):
		u, ok := plainURL(o.Mirror)
		if !ok {
			return nil, &Error{Where: o.Mirror, Reason: "the mirror is not a plain http address", Err: ErrOptions}
		}
		c.base = u.JoinPath("/")
	case o.Mirror != "":
		st, err := os.Stat(o.Mirror)
		if err != nil || !st.IsDir() {
			return nil, &Error{Where: o.Mirror, Reason: "the mirror is neither a folder nor an http address", Err: ErrOptions}
		}
		c.dir = o.Mirror
	}
	if c.dir == "" && o.Cache == "" {
		return nil, &Error{Reason: "no cache folder given", Err: ErrOptions}
	}
	if err := c.readActuals(ctx); err != nil {
		return nil, err
	}
	return c, nil
}

// withDefaults fills in the defaults. 16 GiB admit the National Address Database, the
// largest source with about 9 GB, which takes 6 hours at 3.4 Mbit/s.
func (o Options) withDefaults() Options {
	o.MaxSize = cmp.Or(o.MaxSize, 16<<30)
	o.Retries = cmp.Or(o.Retries, 5)
	o.Idle = cmp.Or(o.Idle, time.Minute)
	o.Longest = cmp.Or(o.Longest, 6*time.Hour)
	if o.HTTP == nil {
		o.HTTP = defaultHTTP()
	}
	if o.Progress == nil {
		o.Progress = noProgress{}
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	return o
}

// defaultHTTP is net/http's default client with a time limit on the response's headers.
// It does not follow a redirection from https to http, as anybody on the way could then
// replace the file. There is no limit on the whole request, because large files take
// hours; Options.Idle ends a transfer that stands still.
func defaultHTTP() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = time.Minute
	return &http.Client{
		Transport: transport,
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) >= 10 {
				return errors.New("more than ten redirections")
			}
			if via[len(via)-1].URL.Scheme == "https" && r.URL.Scheme != "https" {
				return errors.New("redirection from https to " + r.URL.Scheme)
			}
			return nil
		},
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// noProgress is the Progress of a client that was given none.
type noProgress struct{}

func (noProgress) Start(Source, int64, int64)         {}
func (noProgress) Advance(Source, int64)              {}
func (noProgress) Retry(Source, error, time.Duration) {}
func (noProgress) Done(Source, error)                 {}

// Get gets a source's file: from the mirror folder, from the cache when it is
// current, or from the mirror's or the publisher's server. If the mirror, the server or the
// cache lacks the file, Get tries the older ones. The catalog's SHA-256 is checked
// for the publisher's file only, since a mirror may hold another file.
func (c *Client) Get(ctx context.Context, s Source) (*File, error) {
	file, err := c.get(ctx, s)
	for i := 0; i < len(s.Older) && (errors.Is(err, ErrNotFound) || errors.Is(err, ErrOffline)); i++ {
		// If none is there, the error is that of the newest file, which people look for.
		if file, failed := c.get(ctx, s.Older[i]); failed == nil {
			return file, nil
		}
	}
	return file, err
}

func (c *Client) get(ctx context.Context, s Source) (*File, error) {
	rel, err := c.mirrored(s)
	switch {
	case c.dir == "" && c.base == nil && s.UserSupplied:
		return nil, fault(s, s.URL, ErrUserSupplied, "%s is not downloaded; name the file on the command line, or use a mirror that holds it", s.Title)
	case c.dir == "" && c.base == nil && s.MirrorOnly:
		return nil, fault(s, s.URL, ErrNotFound, "%s is not downloaded; use a mirror that holds it", s.Title)
	case err != nil:
		return nil, err
	case c.dir != "":
		return c.local(ctx, s, filepath.Join(c.dir, filepath.FromSlash(rel)), Mirrored)
	}
	return c.download(ctx, s, c.address(rel))
}

// plainURL parses an http address without query.
func plainURL(text string) (*url.URL, bool) {
	u, err := url.Parse(text)
	return u, err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.RawQuery == "" && u.Fragment == "" && u.User == nil
}

// download brings the file at an address to the cache, whose path is that of the address.
// Files of a mirror's server are kept under the mirror's host, so that they never pass
// for those of the publisher. A file name cannot have the colon of a port on
// Windows.
func (c *Client) download(ctx context.Context, s Source, u *url.URL) (*File, error) {
	rel := strings.ReplaceAll(u.Host, ":", "_") + u.Path
	if !filepath.IsLocal(filepath.FromSlash(rel)) {
		return nil, fault(s, u.String(), ErrOptions, "the address makes no file name")
	}
	of := s
	if of.URL = u.String(); c.base != nil { // a mirror may hold another file
		of.SHA256 = ""
	}
	f, err := Download(ctx, of, filepath.Join(c.o.Cache, filepath.FromSlash(rel)), c.o)
	if err != nil {
		return nil, err
	}
	c.describe(f, s)
	if c.base != nil { // a mirror's headers describe its copy
		f.ETag, f.LastModified = "", ""
	}
	return f, nil
}

// Held returns the newest file of a source in the mirror and its size in bytes. Of files of
// a server, the ACTUAL.csv lists no sizes, and the size is 0. Without a file it returns s
// and -1.
func (c *Client) Held(s Source) (held Source, size int64) {
	for _, e := range append([]Source{s}, s.Older...) {
		if rel, err := c.mirrored(e); err == nil && c.size(rel) >= 0 {
			return e, c.size(rel)
		}
	}
	return s, -1
}

// Open takes the user's file at the path for the source.
func (c *Client) Open(ctx context.Context, s Source, path string) (*File, error) {
	return c.local(ctx, s, path, Local)
}

// local measures a file in place. The mirror's values are not about a file of the user.
func (c *Client) local(ctx context.Context, s Source, path string, origin Origin) (*File, error) {
	f, err := Measure(ctx, path)
	switch {
	case errors.Is(err, os.ErrNotExist) && origin == Mirrored:
		return nil, fault(s, path, ErrNotFound, "the mirror does not hold %s; add the file, or build without --mirror", s.Title)
	case errors.Is(err, os.ErrNotExist):
		return nil, fault(s, path, errors.Join(ErrNotFound, err), "%v", err)
	case err != nil:
		return nil, fault(s, path, err, "%v", err)
	case f.Size > c.o.MaxSize:
		return nil, fault(s, path, ErrTooLarge, "%d bytes, at most %d allowed", f.Size, c.o.MaxSize)
	}
	f.Origin = origin
	c.describe(f, s)
	return f, nil
}

// describe sets the source of a file, with what the mirror's ACTUAL.csv has about it.
func (c *Client) describe(f *File, s Source) {
	f.Source, f.Published, f.FitForShares = s, s.Vintage, true
	if f.Origin == Local {
		return
	}
	if rel, err := c.mirrored(s); err == nil {
		if a, ok := c.actuals[rel]; ok {
			a.apply(f)
		}
	}
}

// mirrored returns the name of a source's file below the mirror: host/path of the
// official address. It adds ".gz" if the mirror has only a gzip file of a text that is
// published plain. An address whose path climbs out of the folder ("..") or has
// backslashes, which are separators on Windows, makes no file name.
func (c *Client) mirrored(s Source) (string, error) {
	u, ok := plainURL(s.URL)
	if !ok || u.Scheme != "https" || strings.HasSuffix(u.Path, "/") || u.Path == "" {
		if s.URL == "" && s.UserSupplied {
			return "", fault(s, "", ErrUserSupplied, "%s is not published; name the file on the command line", s.Title)
		}
		return "", fault(s, s.URL, ErrOptions, "not a plain https address of a file")
	}
	rel := u.Host + u.Path
	if !filepath.IsLocal(filepath.FromSlash(rel)) || strings.Contains(rel, `\`) {
		return "", fault(s, s.URL, ErrOptions, "the address makes no file name")
	}
	if c.size(rel) >= 0 || c.size(rel+".gz") < 0 {
		return rel, nil
	}
	return rel + ".gz", nil
}

// size returns the size of a file of the mirror folder, 0 of one that the ACTUAL.csv of
// the mirror's server lists, and -1 without it.
func (c *Client) size(rel string) int64 {
	if c.dir == "" {
		if _, ok := c.actuals[rel]; ok {
			return 0
		}
		return -1
	}
	st, err := os.Stat(filepath.Join(c.dir, filepath.FromSlash(rel)))
	if err != nil || !st.Mode().IsRegular() {
		return -1
	}
	return st.Size()
}

// address returns the address of a download by its name below the mirror.
func (c *Client) address(rel string) *url.URL {
	if c.base != nil {
		return c.base.JoinPath((&url.URL{Path: rel}).EscapedPath())
	}
	host, path, _ := strings.Cut(rel, "/")
	return &url.URL{Scheme: "https", Host: host, Path: "/" + path}
}
