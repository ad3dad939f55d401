package server_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/google/go-cmp/cmp"
)

// longRequest has an answer that is worth compressing.
func longRequest() *http.Request {
	flags := make([]string, 50)
	for i := range flags {
		flags[i] = `"sample_flag_` + strconv.Itoa(i) + `"`
	}
	return post("/v2/zip", `{"code":"90210","include":[`+strings.Join(flags, ",")+`]}`)
}

func TestCompression(t *testing.T) {
	db := openDB(t)
	plain := readAll(t, do(newServer(t, db), longRequest()))
	tests := []struct {
		accept []string
		want   string
	}{
		{nil, ""},
		{[]string{""}, ""},
		{[]string{"gzip"}, "gzip"},
		{[]string{"br"}, "br"},
		{[]string{"GZIP, deflate, BR"}, "br"},
		{[]string{"gzip;q=1.0, br;q=0.5"}, "br"},
		{[]string{"gzip ; q=0.2", "br; q=0.3"}, "br"},
		{[]string{"br;q=0, gzip"}, "gzip"},
		{[]string{"br;q=0,gzip;q=0"}, ""},
		{[]string{"*"}, "br"},
		{[]string{"*;q=0"}, ""},
		{[]string{"br;q=0,*;q=0.1"}, "gzip"},
		{[]string{"identity, gzip;q=0.5"}, "gzip"},
		{[]string{"identity;q=0, *;q=0"}, ""},
		{[]string{"deflate, zstd"}, ""},
		{[]string{"br;q=2"}, ""},
		{[]string{"br;q=x, gzip;q=NaN"}, ""},
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.accept, "|"), func(t *testing.T) {
			r := longRequest()
			r.Header["Accept-Encoding"] = tt.accept
			resp := do(newServer(t, db), r)
			if got := resp.Header.Get("Content-Encoding"); got != tt.want {
				t.Fatalf("Content-Encoding %q, want %q", got, tt.want)
			}
			if got := resp.Header.Get("Vary"); got != "Accept-Encoding" {
				t.Errorf("Vary %q", got)
			}
			packed := readAll(t, resp)
			if got := unpack(t, tt.want, packed); got != plain {
				t.Errorf("unpacked body differs (-want +got):\n%s", cmp.Diff(plain, got))
			}
		})
	}
	// Repeats take encoders from the pool.
	for range 3 {
		r := longRequest()
		r.Header.Set("Accept-Encoding", "br")
		if got := unpack(t, "br", readAll(t, do(newServer(t, db), r))); got != plain {
			t.Errorf("unpacked body differs (-want +got):\n%s", cmp.Diff(plain, got))
		}
	}
}

func unpack(t *testing.T, encoding, body string) string {
	t.Helper()
	var r io.Reader = strings.NewReader(body)
	var err error
	switch encoding {
	case "gzip":
		r, err = gzip.NewReader(r)
	case "br":
		r = brotli.NewReader(r)
	}
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestSmallAnswersAreNotCompressed(t *testing.T) {
	r := get("/v2/quick-zip?code=90210")
	r.Header.Set("Accept-Encoding", "br, gzip")
	if got := do(newServer(t, openDB(t)), r).Header.Get("Content-Encoding"); got != "" {
		t.Errorf("Content-Encoding %q", got)
	}
}

// TestHEAD checks that HEAD has the headers of GET and no body.
func TestHEAD(t *testing.T) {
	db := openDB(t)
	for _, target := range []string{"/v2/quick-zip?code=90210", "/v2/zip", "/v2/health", "/", "/explorer/app.js", "/v2/openapi.json", "/nothing"} {
		want := do(newServer(t, db), get(target))
		r := get(target)
		r.Method = http.MethodHead
		got := do(newServer(t, db), r)
		if body := readAll(t, got); body != "" {
			t.Errorf("HEAD %s has the body %q", target, body)
		}
		if got.Header.Get("Content-Length") == "" {
			t.Errorf("HEAD %s does not tell the length", target)
		}
		want.Header.Del("Content-Length") // set by net/http where it is missing here
		got.Header.Del("Content-Length")
		if diff := cmp.Diff(want.Header, got.Header); diff != "" || got.StatusCode != want.StatusCode {
			t.Errorf("HEAD %s: status %d, want %d; headers (-GET +HEAD):\n%s", target, got.StatusCode, want.StatusCode, diff)
		}
	}
}

// TestHEADPrice checks that HEAD costs what GET does.
func TestHEADPrice(t *testing.T) {
	for _, target := range []string{"/v2/quick-zip?code=90210", "/v2/zip?code=90210&include=timezone", "/v2/radius?code=90210&max=150", "/v2/suggest?q=bev&limit=40"} {
		spent := map[string]int{}
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			b := rich()
			r := as("paid", get(target))
			r.Method = method
			if resp := do(newServer(t, openDB(t), withAccounts(t, b)), r); resp.StatusCode != http.StatusOK {
				t.Errorf("%s %s: status %d", method, target, resp.StatusCode)
			}
			spent[method] = 1000 - b.available()
		}
		if spent["GET"] == 0 || spent["HEAD"] != spent["GET"] {
			t.Errorf("%s costs %d with GET and %d with HEAD", target, spent["GET"], spent["HEAD"])
		}
	}
}

// TestAllocations checks that the server allocates little for a quick lookup:
// 10 allocations at the time of writing, including the lookup.
func TestAllocations(t *testing.T) {
	h := newServer(t, openDB(t), realClock)
	r := get("/v2/quick-zip?code=90210")
	w := &discard{header: http.Header{}}
	got := testing.AllocsPerRun(200, func() {
		clear(w.header)
		h.ServeHTTP(w, r)
	})
	if got > 12 {
		t.Errorf("%v allocations", got)
	}
}
