package builder_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder"
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

// file serves a file with an entity tag and a date.
func file(tag, modified string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", tag)
		w.Header().Set("Last-Modified", modified)
		w.Header().Set("Content-Type", "application/zip")
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
		}
	}
}

func status(code int, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
	}
}

func TestCheckSources(t *testing.T) {
	const (
		gazetteer = "www2.census.gov/geo/docs/maps-data/data/gazetteer/"
		old, late = "Sun, 01 Mar 2026 00:00:00 GMT", "Fri, 20 Nov 2026 08:00:00 GMT"
		zips      = "download.geonames.org/export/zip/"
	)
	slow := file(`"a"`, old)
	p := &publisher{requests: map[string]int{}, files: map[string]http.HandlerFunc{
		gazetteer + "2026_Gazetteer/2026_Gaz_zcta_national.zip": slow,
		gazetteer + "2027_Gazetteer/2027_Gaz_zcta_national.zip": slow,
		gazetteer + "2025_Gazetteer/2025_Gaz_counties_national.zip": func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(20 * time.Millisecond)
			slow(w, r)
		},
		gazetteer + "2026_Gazetteer/2026_Gaz_place_national.zip": status(200, "Content-Type", "text/html; charset=utf-8"),
		gazetteer + "2025_Gazetteer/2025_Gaz_place_national.zip": slow,
		zips + "US.zip": file(`"new"`, late),
		zips + "CA.zip": file(`"same"`, late),
		zips + "PR.zip": file(`"x"`, late),
		zips + "GU.zip": file(`"x"`, old),
		zips + "AS.zip": status(200, "Content-Type", "text/html"),
		zips + "VI.zip": status(http.StatusTooManyRequests, "Retry-After", "3600"),
		zips + "MP.zip": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere/MP.zip", http.StatusMovedPermanently)
		},
		"elsewhere/MP.zip": slow,
		"github.com/python/tzdata/archive/refs/tags/2026.6.tar.gz": func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodHead {
				w.WriteHeader(http.StatusMethodNotAllowed)
				return
			}
			http.Redirect(w, r, "/storage/1.tar.gz", http.StatusFound)
		},
		"storage/1.tar.gz": status(http.StatusPartialContent, "Content-Type", "application/gzip"),
	}}
	var tries int
	p.files["www2.census.gov/geo/tiger/GENZ2024/shp/cb_2024_us_state_500k.zip"] = func(w http.ResponseWriter, _ *http.Request) {
		if tries++; tries == 1 {
			status(http.StatusTooManyRequests, "Retry-After", "0")(w, nil)
		}
	}
	srv := httptest.NewServer(p)
	defer srv.Close()
	cache := t.TempDir()
	for name, tag := range map[string]string{"US.zip": `"old"`, "CA.zip": `"same"`} {
		path := filepath.Join(cache, strings.ReplaceAll(strings.TrimPrefix(srv.URL, "http://"), ":", "_"), zips, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		meta := fmt.Sprintf(`{"url": %q, "etag": %q, "total": 1, "sha256": "copy"}`, srv.URL+"/"+zips+name, tag)
		if err := os.WriteFile(path+".meta", []byte(meta), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	official := "https://"
	var held []dataset.Source
	for _, s := range [][4]string{
		{"gazetteer-zcta", gazetteer + "2026_Gazetteer/2026_Gaz_zcta_national.zip", "2026"},
		{"gazetteer-counties", gazetteer + "2025_Gazetteer/2025_Gaz_counties_national.zip", "2025"},
		{"gazetteer-places", gazetteer + "2025_Gazetteer/2025_Gaz_place_national.zip", "2025"},
		{"gazetteer-cousubs", gazetteer + "2026_Gazetteer/2026_Gaz_cousubs_national.zip", "2026"},
		{"geonames-us", zips + "US.zip", "2026-03-01", "copy"},
		{"geonames-ca", zips + "CA.zip", "2026-03-01", "copy"},
		{"geonames-pr", zips + "PR.zip", "2026-03-01", "x"},
		{"geonames-gu", zips + "GU.zip", "2026-03-01", "x"},
		{"geonames-as", zips + "AS.zip", "2026-03-01", "x"},
		{"geonames-vi", zips + "VI.zip", "2026-03-01", "x"},
		{"geonames-mp", zips + "MP.zip", "2026-03-01", "x"},
		{"tz-database", "github.com/python/tzdata/archive/refs/tags/2026.6.tar.gz", "2026f"},
		{"cb-states", "www2.census.gov/geo/tiger/GENZ2024/shp/cb_2024_us_state_500k.zip", "2024"},
		{"acs-14", "", "mine"},
	} {
		held = append(held, dataset.Source{ID: s[0], URL: official + s[1], Vintage: s[2], SHA256: s[3]})
	}
	calls := 0
	list, err := builder.CheckSources(t.Context(), builder.Options{Mirror: srv.URL, Cache: cache}, held, func(done, total int) {
		if calls++; done != calls || total != len(held)-1 {
			t.Errorf("progress %d of %d, want %d of %d", done, total, calls, len(held)-1)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range list {
		note := f.Note
		if _, reason, ok := strings.Cut(note, "the server "); ok {
			note = reason
		}
		got[f.ID] = strings.TrimSpace(strings.Join([]string{f.Have, f.State, f.Newest, note}, " "))
	}
	want := map[string]string{
		"gazetteer-zcta":     "2026 newer edition 2027",
		"gazetteer-counties": "2025 current",
		"gazetteer-places":   "2025 current",
		"gazetteer-cousubs":  "2026 missing",
		"geonames-us":        "2026-03-01 renewed 2026-11-20",
		"geonames-ca":        "2026-03-01 current",
		"geonames-pr":        "2026-03-01 renewed 2026-11-20",
		"geonames-gu":        "2026-03-01 current",
		"geonames-as":        "2026-03-01 unreachable  returns a web page in place of the file",
		"geonames-vi":        "2026-03-01 unreachable  returns 429 Too Many Requests",
		"geonames-mp":        "2026-03-01 moved  redirects for good",
		"tz-database":        "2026f current",
		"cb-states":          "2024 pinned  the answers are promised with the boundaries of 2024",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
	if list[0].State != builder.NewerEdition || list[len(list)-1].State != builder.Current {
		t.Errorf("first %+v, last %+v; want the most urgent first", list[0], list[len(list)-1])
	}
	if n := p.requests["HEAD "+zips+"VI.zip"]; n != 1 {
		t.Errorf("%d requests to a server that asks for an hour, want 1", n)
	}
	if tries != 2 {
		t.Errorf("%d requests after a 429 without a wait, want 2", tries)
	}
	if p.max > 8 {
		t.Errorf("%d requests at once", p.max)
	}
	all, err := builder.CheckSources(t.Context(), builder.Options{Mirror: srv.URL, Cache: cache}, nil, nil)
	if err != nil || len(all) < 60 {
		t.Errorf("%d sources of the catalog, %v", len(all), err)
	}
}
