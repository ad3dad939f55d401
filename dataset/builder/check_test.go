package builder_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/source/fetch"
)

// publisher is a server of files with the faults of real ones.
type publisher struct {
	mu       sync.Mutex
	files    map[string]http.HandlerFunc // by host/path
	requests map[string]int              // by method and host/path
	now, max int                         // requests in flight
}

func (p *publisher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	p.mu.Lock()
	p.requests[r.Method+" "+name]++
	p.now++
	p.max = max(p.max, p.now)
	handler := p.files[name]
	p.mu.Unlock()
	defer func() { p.mu.Lock(); p.now--; p.mu.Unlock() }()
	if handler == nil {
		http.NotFound(w, r)
		return
	}
	handler(w, r)
}

// file serves a file of 1000 bytes with an entity tag and a date.
func file(tag, modified string) http.HandlerFunc {
	return status(http.StatusOK, "ETag", tag, "Last-Modified", modified, "Content-Type", "application/zip", "Content-Length", "1000")
}

func status(code int, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
	}
}

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

const (
	oldDate, lateDate = "Sun, 01 Mar 2026 00:00:00 GMT", "Fri, 20 Nov 2026 08:00:00 GMT"
	gazetteer         = "www2.census.gov/geo/docs/maps-data/data/gazetteer/"
	geonames          = "download.geonames.org/export/zip/"
	tzdata            = "github.com/python/tzdata/archive/refs/tags/2026.6.tar.gz"
	states            = "www2.census.gov/geo/tiger/GENZ2024/shp/cb_2024_us_state_500k.zip"
)

// checkedStates returns state, date and note of each source.
func checkedStates(list []builder.Freshness) map[string]string {
	got := map[string]string{}
	for _, f := range list {
		note := f.Note
		if _, reason, ok := strings.Cut(note, "the server returns "); ok {
			note = reason
		}
		got[f.ID] = strings.TrimSpace(strings.Join([]string{f.State, f.Modified, note}, " "))
	}
	return got
}

func TestCheckSources(t *testing.T) {
	tagged := file(`"a"`, oldDate)
	p := &publisher{requests: map[string]int{}, files: map[string]http.HandlerFunc{
		gazetteer + "2026_Gazetteer/2026_Gaz_zcta_national.zip":     tagged,
		gazetteer + "2025_Gazetteer/2025_Gaz_zcta_national.zip":     tagged,
		gazetteer + "2025_Gazetteer/2025_Gaz_counties_national.zip": tagged,
		gazetteer + "2026_Gazetteer/2026_Gaz_place_national.zip":    status(200, "Content-Type", "text/html; charset=utf-8"),
		gazetteer + "2025_Gazetteer/2025_Gaz_place_national.zip":    tagged,
		geonames + "US.zip":          file(`"new"`, lateDate),
		geonames + "CA.zip":          file(`W/"a"`, lateDate),
		geonames + "PR.zip":          status(200, "Last-Modified", lateDate),
		geonames + "GU.zip":          status(200, "Last-Modified", oldDate),
		geonames + "AS.zip":          status(200, "Content-Type", "text/html"),
		geonames + "VI.zip":          status(http.StatusTooManyRequests, "Retry-After", "3600"),
		geonames + "CA_full.csv.zip": status(200),
		geonames + "MP.zip": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://elsewhere.example.org/MP.zip", http.StatusMovedPermanently)
		},
		"elsewhere.example.org/MP.zip": tagged,
		tzdata: func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodHead {
				w.WriteHeader(http.StatusMethodNotAllowed)
				return
			}
			http.Redirect(w, r, "https://storage.example.org/1.tar.gz", http.StatusFound)
		},
		"storage.example.org/1.tar.gz": status(http.StatusPartialContent, "Content-Type", "application/gzip", "Content-Range", "bytes 0-0/1000"),
		states:                         tagged,
		"www2.census.gov/geo/tiger/TIGER2024/PUMA20/tl_2024_01_puma20.zip": tagged,
	}}
	srv := httptest.NewServer(p)
	defer srv.Close()
	var held []dataset.Source
	for _, s := range []dataset.Source{
		{ID: "gazetteer-zcta", URL: gazetteer + "2025_Gazetteer/2025_Gaz_zcta_national.zip", ETag: `"a"`},
		{ID: "gazetteer-counties", URL: gazetteer + "2025_Gazetteer/2025_Gaz_counties_national.zip", ETag: `"a"`},
		{ID: "gazetteer-places", URL: gazetteer + "2025_Gazetteer/2025_Gaz_place_national.zip", ETag: `"b"`, LastModified: oldDate},
		{ID: "gazetteer-cousubs", URL: gazetteer + "2026_Gazetteer/2026_Gaz_cousubs_national.zip", ETag: `"a"`},
		{ID: "geonames-us", URL: geonames + "US.zip", ETag: `"old"`, Size: 1000},
		{ID: "geonames-ca", URL: geonames + "CA.zip", ETag: `"a"`, LastModified: oldDate},
		{ID: "geonames-pr", URL: geonames + "PR.zip", LastModified: oldDate},
		{ID: "geonames-gu", URL: geonames + "GU.zip", LastModified: oldDate},
		{ID: "geonames-as", URL: geonames + "AS.zip", ETag: `"a"`},
		{ID: "geonames-vi", URL: geonames + "VI.zip", ETag: `"a"`},
		{ID: "geonames-mp", URL: geonames + "MP.zip", ETag: `"a"`},
		{ID: "geonames-ca-full", URL: geonames + "CA_full.csv.zip", ETag: `"a"`},
		{ID: "tz-database", URL: tzdata, Vintage: "2026f", Size: 1000},
		{ID: "cb-states", URL: states, Vintage: "2024", Size: 999},
		{ID: "tiger-puma-01", URL: "www2.census.gov/geo/tiger/TIGER2024/PUMA20/tl_2024_01_puma20.zip", ETag: `"a"`},
		{ID: "tiger-puma-02", URL: "www2.census.gov/geo/tiger/TIGER2024/PUMA20/tl_2024_02_puma20.zip", ETag: `"a"`},
		{ID: "acs-14"},
		{ID: "own-areas"},
		{ID: "rating-areas"},
		{ID: "cb-counties"},
	} {
		if s.URL != "" {
			s.URL, s.SHA256 = "https://"+s.URL, "content"
		}
		held = append(held, s)
	}
	calls := 0
	o := builder.Options{Cache: t.TempDir()}
	client := &http.Client{Transport: toHost{strings.TrimPrefix(srv.URL, "http://")}}
	list, err := builder.CheckSourcesBy(t.Context(), o, client, held, func(done, total int) {
		if calls++; done != calls || total != len(held)-1 {
			t.Errorf("progress %d of %d, want %d of %d", done, total, calls, len(held)-1)
		}
	})
	check(t, err)
	want := map[string]string{
		"gazetteer-zcta":     "changed 2026-03-01 the catalog has a newer file: 2026",
		"gazetteer-counties": "unchanged 2026-03-01",
		"gazetteer-places":   "changed 2026-03-01",
		"gazetteer-cousubs":  "gone",
		"geonames-us":        "changed 2026-11-20",
		"geonames-ca":        "unchanged 2026-11-20",
		"geonames-pr":        "changed 2026-11-20",
		"geonames-gu":        "unchanged 2026-03-01",
		"geonames-as":        "unknown  a web page in place of the file",
		"geonames-vi":        "unknown  429 Too Many Requests",
		"geonames-mp":        "unchanged 2026-03-01",
		"geonames-ca-full":   "unknown  the server and the dataset have no entity tag, date or size to compare",
		"tz-database":        "unchanged  the same size",
		"cb-states":          "changed 2026-03-01 1000 bytes, not 999",
		"tiger-puma-01":      "unchanged 2026-03-01",
		"acs-14":             "unknown  the catalog does not have the source",
		"own-areas":          "unknown  the file is supplied by the user",
		"rating-areas":       "unknown  only a mirror has the file",
		"cb-counties":        "unknown  the dataset does not name the file that it was built from",
	}
	if diff := cmp.Diff(want, checkedStates(list)); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
	if list[0].State != builder.Changed || list[len(list)-1].State != builder.Unchanged {
		t.Errorf("first %+v, last %+v; want the most urgent first", list[0], list[len(list)-1])
	}
	if n := p.requests["GET "+tzdata]; n != 1 {
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
		if _, err := builder.BuildBy(t.Context(), o, client, func(s *fetch.Source) { s.Rows = 0 }); err != nil {
			t.Fatal(err)
		}
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
