package builder_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/source/fetch"
)

// A publisher answers requests with the header of a line of testdata/checks.txt.
type publisher struct {
	mu       sync.Mutex
	files    map[string]string // answers by host/path
	requests map[string]int    // by method and host/path
	now, max int               // requests in flight
}

func (p *publisher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	p.mu.Lock()
	p.requests[r.Method+" "+name]++
	p.now++
	p.max = max(p.max, p.now)
	answer := strings.Fields(p.files[name])
	p.mu.Unlock()
	defer func() { p.mu.Lock(); p.now--; p.mu.Unlock() }()
	status := http.StatusNotFound
	for _, word := range answer {
		switch field, value, _ := strings.Cut(word, "="); field {
		case "tag":
			w.Header().Set("ETag", value)
		case "date":
			w.Header().Set("Last-Modified", httpDates[value])
		case "size":
			w.Header().Set("Content-Length", value)
		case "range":
			w.Header().Set("Content-Range", "bytes "+value)
		case "to":
			w.Header().Set("Location", "https://"+value)
		case "page":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
		case "nohead":
			if r.Method == http.MethodHead {
				w.WriteHeader(http.StatusMethodNotAllowed)
				return
			}
		default:
			status, _ = strconv.Atoi(field)
		}
	}
	w.WriteHeader(status)
}

var httpDates = map[string]string{"": "", "old": "Sun, 01 Mar 2026 00:00:00 GMT", "late": "Fri, 20 Nov 2026 08:00:00 GMT"}

// toHost sends requests to one server, with the host at the beginning of the path.
type toHost struct{ host string }

func (h toHost) RoundTrip(r *http.Request) (*http.Response, error) {
	moved := r.Clone(r.Context())
	if r.URL.Host != h.host {
		moved.URL.Scheme, moved.URL.Host, moved.URL.Path = "http", h.host, "/"+r.URL.Host+r.URL.Path
	}
	resp, err := http.DefaultTransport.RoundTrip(moved)
	if resp != nil {
		resp.Request = r
	}
	return resp, err
}

// TestCheckSources checks the sources of testdata/checks.txt against what their publishers
// answer.
func TestCheckSources(t *testing.T) {
	p := &publisher{requests: map[string]int{}, files: map[string]string{}}
	srv := httptest.NewServer(p)
	defer srv.Close()
	var held []dataset.Source
	want := map[string]string{}
	for line := range strings.Lines(contents(t, "testdata/checks.txt")) {
		list := strings.Split(strings.TrimSpace(line), " | ")
		switch {
		case line[0] == '#' || len(list) < 2:
		case len(list) == 2:
			p.files[list[0]] = list[1]
		default:
			s := dataset.Source{ID: list[0]}
			for _, word := range strings.Fields(list[1]) {
				switch field, value, _ := strings.Cut(word, "="); field {
				case "tag":
					s.ETag = value
				case "date":
					s.LastModified = httpDates[value]
				case "size":
					s.Size, _ = strconv.ParseInt(value, 10, 64)
				case "vintage":
					s.Vintage = value
				case "-":
				default:
					s.URL, s.SHA256 = "https://"+word, "content"
				}
			}
			if held = append(held, s); list[2] != "as the others" {
				want[s.ID] = list[2]
			}
		}
	}
	calls := 0
	o := builder.Options{Cache: t.TempDir()}
	client := &http.Client{Transport: toHost{strings.TrimPrefix(srv.URL, "http://")}}
	list, err := builder.CheckSourcesBy(t.Context(), o, client, held, func(done, total int) {
		if calls++; done != calls || total != len(want) {
			t.Errorf("progress %d of %d, want %d of %d", done, total, calls, len(want))
		}
	})
	check(t, err)
	got := map[string]string{}
	for _, f := range list {
		note := f.Note
		if _, reason, ok := strings.Cut(note, "the server returns "); ok {
			note = reason
		}
		got[f.ID] = strings.Join(strings.Fields(f.State+" "+f.Modified+" "+note), " ")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
	if list[0].State != builder.Changed || list[len(list)-1].State != builder.Unchanged {
		t.Errorf("first %+v, last %+v; want the most urgent first", list[0], list[len(list)-1])
	}
	if n := p.requests["GET github.com/python/tzdata/archive/refs/tags/2026.6.tar.gz"]; n != 1 {
		t.Errorf("%d requests after a 405, want 1", n)
	}
	if p.max > 8 {
		t.Errorf("%d requests at once", p.max)
	}
	srv.Close()
	_, err = builder.CheckSourcesBy(t.Context(), o, client, held[:1], nil)
	if !errors.Is(err, builder.ErrUnreachable) {
		t.Errorf("without a server: %v", err)
	}
}

// TestCheckDownloads builds from a publisher's server and checks the file: the manifest
// has the server's headers.
func TestCheckDownloads(t *testing.T) {
	w := newWorld(t, "small")
	w.do(`metro 39900 "Amber, OH" "Metropolitan Statistical Area" 39 901
		zcta 43901 1000000 0 40 -83
		place OH 3900001 "Amberton city" 1 40 -83
		cousub OH 3990100001 "Amber township" 40 -83
		fsapeople K9Q 100 50 40`)
	dir := w.write()
	tag := `"a"`
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", tag)
		http.FileServer(http.Dir(dir)).ServeHTTP(w, r)
	}))
	defer srv.Close()
	client := &http.Client{Transport: toHost{strings.TrimPrefix(srv.URL, "http://")}}
	o := builder.Options{Cache: t.TempDir(), Output: filepath.Join(t.TempDir(), "out.db")}
	for range 2 { // the second time from the cache
		_, err := builder.BuildBy(t.Context(), o, client, func(s *fetch.Source) { s.Rows = 0 })
		check(t, err)
	}
	d := lookuptest.OpenFile(t, o.Output)
	for want := builder.Unchanged; ; want, tag = builder.Changed, `"b"` {
		list, err := builder.CheckSourcesBy(t.Context(), o, client, d.Manifest().Sources, nil)
		if err != nil || len(list) == 0 {
			t.Fatal(list, err)
		}
		for i, f := range list {
			s := d.Manifest().Sources[i]
			if older := strings.Contains(s.URL, "2025_Gazetteer"); f.State != want || s.ETag != `"a"` || s.LastModified == "" || s.Size == 0 || older && s.Vintage != "2025" {
				t.Errorf("%+v is %+v, want %s", s, f, want)
			}
		}
		if want == builder.Changed {
			break
		}
	}
}
