package builder_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder"
)

// TestManifest checks the manifest of a dataset.
func TestManifest(t *testing.T) {
	w := newWorld(t)
	w.zctaElevation = []string{"43901,100"}
	epoch := time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)
	b := w.buildWith(builder.Options{SourceDateEpoch: epoch, Version: "sample-7", Sample: true, Builder: "test 1"})
	m := b.Manifest()
	if m.Version != "sample-7" || !m.Sample || !m.Built.Equal(epoch) || m.Builder != "test 1" || len(m.Layers) != 1 || m.Layers[0] != "identity" {
		t.Errorf("the manifest is %+v", m)
	}
	sources := map[string]dataset.Source{}
	for _, s := range m.Sources {
		sources[s.ID] = s
	}
	if s := sources["elevation-zcta"]; s.Rows != 1 || s.URL != "" {
		t.Errorf("the manifest has of the elevations %+v, want no address", s)
	}
	if len(m.Gaps) == 0 {
		t.Error("the manifest tells no gaps")
	}
	m = newWorld(t).build().Manifest()
	for _, s := range m.Sources {
		if s.ID == "geonames-us" && (s.Rows != 1 || s.License != "CC BY 4.0" || s.URL != "https://download.geonames.org/export/zip/US.zip") {
			t.Errorf("the manifest has of GeoNames %+v", s)
		}
	}
	if m.Built.Format(time.DateOnly) != "2025-01-01" || m.Version != "2025-01-01" {
		t.Errorf("without a build time the manifest says %v, %q, want the newest vintage, 2025", m.Built, m.Version)
	}
}

// TestRefusedRows checks that a row with an impossible value is left out and
// reported with file and line.
func TestRefusedRows(t *testing.T) {
	w := newWorld(t)
	w.geoNames = append(w.geoNames,
		"US\t4390\tShort\tOhio\tOH\tAmber\t901\t\t\t40\t-83\t",
		"US\t43902\t\tOhio\tOH\tAmber\t901\t\t\t40\t-83\t",
		"US\t43903\tBeyond\tOhio\tOH\tAmber\t901\t\t\t94\t-83\t",
		"US\t43904\tLast\tOhio\tOH\tAmber\t901\t\t\t40\t-83\t")
	b := w.build()
	for code, want := range map[string]bool{"43901": true, "43902": false, "43903": false, "43904": true} {
		if b.hasZIP(code) != want {
			t.Errorf("%s in the dataset: %v, want %v", code, !want, want)
		}
	}
	var text bytes.Buffer
	check(t, b.report.WriteText(&text))
	for _, want := range []string{"geonames-us: bad code", "geonames-us: bad place", "geonames-us: bad latitude", "US.zip:US.txt:2", "(3 refused)"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the report does not mention %q:\n%s", want, &text)
		}
	}
	var out bytes.Buffer
	check(t, b.report.WriteJSON(&out))
	var back builder.Report
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || len(back.Refused) != len(b.report.Refused) {
		t.Errorf("the report as JSON does not read back: %v", err)
	}
}

// TestOptions checks which options are refused.
func TestOptions(t *testing.T) {
	w := newWorld(t)
	root, out := w.write(), filepath.Join(t.TempDir(), "out.db")
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	tests := []struct {
		name    string
		ctx     context.Context
		o       builder.Options
		mention string
	}{
		{"no output", context.Background(), builder.Options{Mirror: root}, "output"},
		{"unknown layer", context.Background(), builder.Options{Mirror: root, Output: out, Layers: []string{"moon"}}, "moon"},
		{"points without records", context.Background(), builder.Options{Mirror: root, Output: out, ZIP4Points: "x"}, "ZIP+4"},
		{"missing file", context.Background(), builder.Options{Mirror: root, Output: out, ZIPDatabase: filepath.Join(root, "none.csv")}, "none.csv"},
		{"ended context", ended, builder.Options{Mirror: root, Output: out}, "canceled"},
		{"empty mirror", context.Background(), builder.Options{Mirror: t.TempDir(), Output: out}, "US.zip"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := builder.Build(test.ctx, test.o)
			if err == nil || !strings.Contains(err.Error(), test.mention) {
				t.Errorf("the error is %v, want one that mentions %q", err, test.mention)
			}
		})
	}
	if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a refused build left a file: %v", err)
	}
}

// stopAt cancels a build when a step begins.
type stopAt struct {
	builder.Progress // has no transfers
	step             string
	cancel           func()
}

func (s stopAt) Step(name string) {
	if name == s.step {
		s.cancel()
	}
}

// TestCanceled cancels builds at their last steps. Nothing is left.
func TestCanceled(t *testing.T) {
	root := newWorld(t).write()
	for _, step := range []string{"write: codes", "write: finish", "verify"} {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		_, err := builder.Build(ctx, builder.Options{Mirror: root, Output: filepath.Join(dir, "out.db"), Progress: stopAt{step: step, cancel: cancel}})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", step, err)
		}
		if left := names(t, dir); len(left) > 0 {
			t.Errorf("%s: a canceled build left %v", step, left)
		}
	}
}

// TestMirrorServer checks that a mirror's server gives the same bytes as its
// folder, including files that only a user can supply. The cache then does
// without the server.
func TestMirrorServer(t *testing.T) {
	w := newWorld(t)
	w.supplied("43955", "STANDARD", "0", "Elm", "", "OH", "Amber County", "614", 40, -83)
	w.zctaElevation = []string{"43901,100"}
	root, dir := w.write(), t.TempDir()
	server := httptest.NewServer(http.FileServer(http.Dir(root)))
	defer server.Close()
	run := func(name string, o builder.Options) []byte {
		t.Helper()
		o.Output = filepath.Join(dir, name)
		if _, err := builder.Build(context.Background(), o); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(o.Output)
		check(t, err)
		return data
	}
	folder := run("folder.db", builder.Options{Mirror: root})
	remote := builder.Options{Mirror: server.URL, Cache: filepath.Join(dir, "cache")}
	if !bytes.Equal(folder, run("server.db", remote)) {
		t.Error("the server's dataset differs from the folder's")
	}
	plan, err := builder.Plan(context.Background(), remote)
	check(t, err)
	for _, p := range plan.Files {
		if p.Local {
			t.Errorf("the plan says that %s is at hand, it is on a server", p.Source.ID)
		}
	}
	server.Close()
	remote.Offline = true
	if !bytes.Equal(folder, run("offline.db", remote)) {
		t.Error("the cache's dataset differs from the folder's")
	}
}

// TestPlan checks that sizes are known before anything is fetched.
func TestPlan(t *testing.T) {
	w := newWorld(t)
	w.supplied("43901", "STANDARD", "0", "Elm", "", "OH", "Amber County", "", 40, -83)
	f, err := builder.Plan(context.Background(), builder.Options{Mirror: w.write(), Output: "x"})
	check(t, err)
	atHand := map[string]bool{}
	for _, p := range f.Files {
		atHand[p.Source.ID] = p.Local
	}
	if !atHand["geonames-us"] || !atHand["zip-database"] {
		t.Errorf("the plan says at hand: %v", atHand)
	}
	official, err := builder.Plan(context.Background(), builder.Options{Cache: t.TempDir(), Output: "x"})
	check(t, err)
	const few = 50_000_000
	if official.Download == 0 || official.Download > few {
		t.Errorf("a first run downloads %d bytes, want some and at most %d", official.Download, few)
	}
	all, err := builder.Plan(context.Background(), builder.Options{Cache: t.TempDir(), Output: "x", Layers: []string{"all"}})
	check(t, err)
	if all.Download <= official.Download {
		t.Errorf("all layers download %d bytes, no more than identity alone, %d", all.Download, official.Download)
	}
}

// TestEnoughRows checks that a file that is empty or cut short fails the build
// and names itself, unless the mirror declares it so.
func TestEnoughRows(t *testing.T) {
	const counties, places = gazetteerPath + "2025_Gaz_counties_national.zip", gazetteerPath + "2025_Gaz_place_national.zip"
	actual := func(path, rows string) []byte {
		return []byte("path,vintage,rows,official_rows,fit_for_shares,note\n" + path + ",," + rows + ",,,\n")
	}
	tests := []struct {
		name   string
		change func(*world)
		want   string // in the error; "" none
	}{
		{"as the mirror says", func(*world) {}, ""},
		{"a fifth less than the mirror says", func(w *world) {
			w.county("OH", "39905", "Cedar County", 41, -83)
			w.county("OH", "39907", "Dogwood County", 41, -82)
			w.others["ACTUAL.csv"] = actual(counties, "5")
		}, ""},
		{
			"more than a fifth less", func(w *world) { w.others["ACTUAL.csv"] = actual(counties, "3") },
			"gazetteer-counties: *" + counties + ": 2 rows, expected about 3;",
		},
		{
			"the mirror is silent", func(w *world) { w.silent = map[string]bool{counties: true} },
			"gazetteer-counties: *" + counties + ": 2 rows, expected about 3222;",
		},
		{
			"empty, and the mirror is silent", func(w *world) { w.silent = map[string]bool{places: true} },
			"gazetteer-places: *" + places + ": 0 rows, expected about 32350;",
		},
		{
			"empty, and the mirror says otherwise", func(w *world) { w.others["ACTUAL.csv"] = actual(places, "1") },
			"gazetteer-places: *" + places + ": 0 rows, expected about 1;",
		},
		{"optional and cut short", func(w *world) {
			w.zctaElevation = []string{"43901,200"}
			w.silent = map[string]bool{"aux.local/elevation/zip_code_elevations.csv": true}
		}, "elevation-zcta: *aux.local/elevation/zip_code_elevations.csv: 1 rows, expected about 33791;"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			test.change(w)
			if test.want == "" {
				w.build()
				return
			}
			before, after, _ := strings.Cut(test.want, "*")
			err := w.fails().Error()
			if !strings.Contains(err, before) || !strings.Contains(filepath.ToSlash(err), after) || !strings.Contains(err, "ACTUAL.csv") {
				t.Errorf("error %q, want it to say %q and %q and to name ACTUAL.csv", err, before, after)
			}
		})
	}
}

// TestSuppliedFileMayBeAPart checks that the user's table may hold a part of
// the published rows, but that an empty one is an error.
func TestSuppliedFileMayBeAPart(t *testing.T) {
	const header = "zip,type,decommissioned,primary_city,acceptable_cities,unacceptable_cities,state,county,timezone,area_codes,world_region,country,latitude,longitude,irs_estimated_population\n"
	path := filepath.Join(t.TempDir(), "table.csv")
	write := func(text string) {
		check(t, os.WriteFile(path, []byte(text), 0o600))
	}
	write(header + "43901,STANDARD,0,Amberton,,,OH,Amber County,,,NA,US,40.01,-83.01,\n")
	newWorld(t).buildWith(builder.Options{ZIPDatabase: path})

	write(header)
	out := filepath.Join(t.TempDir(), "out.db")
	_, err := builder.Build(context.Background(), builder.Options{Mirror: newWorld(t).write(), Output: out, ZIPDatabase: path})
	if err == nil || !strings.Contains(err.Error(), path+": 0 rows") {
		t.Errorf("error %v, want that %s has 0 rows", err, path)
	}
}

// TestProcessors builds all layers of an invented country with one processor and
// with several: the bytes are the same.
func TestProcessors(t *testing.T) {
	dir := countryMirror(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want := contents(t, buildMirror(t, dir, "all").path)
	runtime.GOMAXPROCS(4)
	if contents(t, buildMirror(t, dir, "all").path) != want {
		t.Error("the file of four processors differs from that of one")
	}
}

// TestTerms checks the terms of files of the user.
func TestTerms(t *testing.T) {
	type terms struct{ License, Attribution, Redistribution string }
	for _, tt := range []struct {
		named string
		want  terms
	}{
		{"", terms{"license of each source, not stated in the file", "", "unknown"}},
		{",attribution=City of Birch, Maps,license=Birch license", terms{"Birch license", "City of Birch, Maps", "unknown"}},
		{",license=CC0,redistribution=restricted", terms{"CC0", "", dataset.Restricted}},
		{",license=CC BY 4.0; ODbL 1.0", terms{"CC BY 4.0; ODbL 1.0", "", dataset.ShareAlike}},
	} {
		w := newWorld(t)
		w.supplied("43901", "STANDARD", "0", "Other Name", "", "OH", "Birch County", "", 40.01, -83.01)
		path := w.file("city.csv", record("lon,lat,st_num,housenumber,street,zip\n-83.02,40.02,1,8,Elm Ave,43901\n"))
		b := w.buildWith(builder.Options{AddressPoints: []string{path + tt.named}})
		for _, s := range b.Manifest().Sources {
			if s.ID != "address-points" {
				continue
			}
			if diff := cmp.Diff(tt.want, terms{s.License, s.Attribution, s.Redistribution}); diff != "" {
				t.Errorf("%q (-want +got):\n%s", tt.named, diff)
			}
		}
	}
	_, err := builder.Build(t.Context(), builder.Options{Output: filepath.Join(t.TempDir(), "x.db"), Mirror: t.TempDir(), AddressPoints: []string{"x.csv,redistribution=maybe"}})
	if err == nil || !strings.Contains(err.Error(), `x.csv: redistribution "maybe", expected one of public-domain, attribution`) {
		t.Errorf("an unknown condition: %v", err)
	}
}
