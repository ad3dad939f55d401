package fetch_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/source/fetch"
)

func wantError(tb testing.TB, err, cause error, text string) {
	tb.Helper()
	if !errors.Is(err, cause) || !strings.Contains(err.Error(), text) {
		tb.Errorf("error %v, want one that matches %q and contains %q", err, cause, text)
	}
	var e *fetch.Error
	if !errors.As(err, &e) {
		tb.Errorf("error %T is no *fetch.Error", err)
	}
}

func TestLastingFaults(t *testing.T) {
	tests := []struct {
		name   string
		source func(*fetch.Source)
		answer func(http.ResponseWriter)
		cause  error
		want   string
	}{
		{"404", nil, func(w http.ResponseWriter) { http.Error(w, "", http.StatusNotFound) }, fetch.ErrNotFound, "404 Not Found; the publisher may have moved the file"},
		{"403", nil, func(w http.ResponseWriter) { http.Error(w, "", http.StatusForbidden) }, fetch.ErrStatus, "403 Forbidden"},
		{"304 unasked", nil, func(w http.ResponseWriter) { w.WriteHeader(http.StatusNotModified) }, fetch.ErrStatus, "without a condition"},
		{"too large, told", nil, func(w http.ResponseWriter) { _, _ = w.Write([]byte(content[:1500])) }, fetch.ErrTooLarge, "1500 bytes, at most 1000 allowed"},
		{"too large, not told", nil, func(w http.ResponseWriter) {
			for range 3 {
				_, _ = w.Write([]byte(content[:500]))
				w.(http.Flusher).Flush()
			}
		}, fetch.ErrTooLarge, "more than the 1000 bytes"},
		{"web page", nil, func(w http.ResponseWriter) { _, _ = w.Write([]byte("\n<!DOCTYPE HTML>")) }, fetch.ErrContent, "a web page"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSite(t, func(w http.ResponseWriter, _ *http.Request, _ int) { tt.answer(w) })
			_, err := s.client(t, func(o *fetch.Options) { o.MaxSize = 1000 }).Get(t.Context(), example)
			wantError(t, err, tt.cause, tt.want)
			if len(s.requests) != 1 {
				t.Errorf("%d requests, want 1", len(s.requests))
			}
			if _, err := os.Stat(s.path(t)); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the cache has a file: %v", err)
			}
		})
	}
}

// official sends the requests of https://www.example.gov to a test server.
type official struct{ to *url.URL }

func (o official) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = o.to.Scheme, o.to.Host
	return http.DefaultTransport.RoundTrip(r)
}

func TestChecksum(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(content)) }))
	defer srv.Close()
	to, err := url.Parse(srv.URL)
	check(t, err)
	cache := t.TempDir()
	c, err := fetch.New(t.Context(), fetch.Options{Cache: cache, HTTP: &http.Client{Transport: official{to}}})
	check(t, err)
	src := example
	src.SHA256 = digest("another")
	_, err = c.Get(t.Context(), src)
	wantError(t, err, fetch.ErrChecksum, "SHA-256 is "+digest(content)+", expected "+digest("another"))
	src.SHA256 = strings.ToUpper(digest(content))
	f, err := c.Get(t.Context(), src)
	check(t, err)
	if want := filepath.Join(cache, "www.example.gov", "data", "a b.txt"); f.Path != want || f.SHA256 != digest(content) {
		t.Errorf("file %s with %s, want %s", f.Path, f.SHA256, want)
	}
	src.URL = "https://www.example.gov/data/a.zip"
	src.SHA256 = ""
	_, err = c.Get(t.Context(), src)
	wantError(t, err, fetch.ErrContent, `begins with "0123456789abcdef0123", expected a .zip file`)
}

// FuzzCache puts anything into the side files of a cache: the file that is
// fetched then is the server's, or there is an error.
func FuzzCache(f *testing.F) {
	const address, sum = "SITE/m/www.example.gov/data/a%20b.txt", "SHA256"
	whole := `{"url":"` + address + `","etag":"\"v1\"","total":1048576,"sha256":"` + sum + `"}`
	part := `{"url":"` + address + `","etag":"\"v1\"","total":1048576}`
	f.Add(whole, part, len(content), 1000)
	f.Add(whole, part, 5, len(content))
	f.Add("{}", `{"url":"`+address+`","total":-1}`, 0, 0)
	f.Add(strings.Replace(whole, "1048576", "-5", 1), strings.Replace(part, "1048576", "7", 1), len(content), 7)
	f.Fuzz(func(t *testing.T, meta, partMeta string, cached, transferred int) {
		s := newSite(t, serve(content, `"v1"`))
		fill := strings.NewReplacer("SITE", s.URL, "SHA256", digest(content))
		path := s.path(t)
		check(t, os.MkdirAll(filepath.Dir(path), 0o755))
		for name, text := range map[string]string{
			path: content[:bound(cached)], path + ".meta": fill.Replace(meta),
			path + ".part": content[:bound(transferred)], path + ".part.meta": fill.Replace(partMeta),
		} {
			check(t, os.WriteFile(name, []byte(text), 0o600))
		}
		got, err := s.client(t, func(o *fetch.Options) { o.MaxSize = 4 << 20 }).Get(t.Context(), example)
		if err != nil {
			return
		}
		b, err := os.ReadFile(got.Path)
		if err != nil || string(b) != content || got.SHA256 != digest(content) {
			t.Errorf("%d bytes, %v, %s; want the server's %d", len(b), err, got.SHA256, len(content))
		}
	})
}

// bound is a number of bytes of the content.
func bound(n int) int { return max(0, min(n, len(content))) }
