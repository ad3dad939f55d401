package fetch_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/source/fetch"
)

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
