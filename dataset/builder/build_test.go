package builder_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder"
)

// TestManifest checks the manifest of a dataset.
func TestManifest(t *testing.T) {
	w := newWorld(t, "small")
	w.do("elevation 43901 100")
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
	m = newWorld(t, "small").build().Manifest()
	for _, s := range m.Sources {
		if s.ID == "geonames-us" && (s.Rows != 1 || s.License != "CC BY 4.0" || s.URL != "https://download.geonames.org/export/zip/US.zip") {
			t.Errorf("the manifest has of GeoNames %+v", s)
		}
	}
	if m.Built.Format(time.DateOnly) != "2025-01-01" || m.Version != "2025-01-01" {
		t.Errorf("without a build time the manifest says %v, %q, want the newest vintage, 2025", m.Built, m.Version)
	}
}

// TestNewest finds the build times of vintages.
func TestNewest(t *testing.T) {
	for vintage, want := range map[string]string{
		"2025": "2025-01-01", "2023-07": "2023-07-01", "2026-06-26": "2026-06-26", "2026f": "2026-01-01", "2023 representation order": "2023-01-01",
		"2020-2024": "2024-01-01", "2012-2020": "2020-01-01", "2020-2024 and 2023-07-05": "2024-01-01", "2023-24": "2024-01-01", "school year 2023-24": "2024-01-01",
		"school year 2009-10": "2010-01-01", "2009-10": "2009-10-01", "school year 2011-12, 2012-03": "2012-03-01", "2099-00": "2100-01-01", "2024-30": "2000-01-01",
		"2024-25-01": "2000-01-01", "120th Congress": "2000-01-01", "": "2000-01-01",
	} {
		if got := builder.Newest([]string{"1999", vintage}).Format(time.DateOnly); got != want {
			t.Errorf("%q: %s, want %s", vintage, got, want)
		}
	}
}

// TestReport reads a report as JSON.
func TestReport(t *testing.T) {
	w := newWorld(t, "small")
	w.do("zip 4390 Short OH 901 40 -83\nbuild")
	var out bytes.Buffer
	check(t, w.report.WriteJSON(&out))
	var back builder.Report
	if err := json.Unmarshal(out.Bytes(), &back); err != nil || len(back.Refused) != 1 || len(w.report.Refused) != 1 {
		t.Errorf("the report as JSON is %+v: %v", back, err)
	}
}

// TestReportOrder builds outlines of many FSAs that the dataset does not have. The report has
// the first ones as examples, always the same.
func TestReportOrder(t *testing.T) {
	w := newWorld(t, "bounded")
	for i, c := range "ZYXWVTSRPNMLKJHGECBA" {
		w.do(fmt.Sprintf("fsaarea %d 50 %d.5 51 H9%c 1", -70-i, -70-i, c))
	}
	w.do("build boundaries")
	for _, f := range w.report.Refused {
		if strings.Contains(f.Name, "not an FSA of the dataset") {
			if want := []string{"G9Q", "H9A", "H9B"}; f.Count != 21 || !slices.Equal(f.Examples, want) {
				t.Errorf("%d outlines were refused, such as %v; want 21 and %v", f.Count, f.Examples, want)
			}
			return
		}
	}
	t.Error("no outline of an FSA was refused")
}

// TestOptions checks which options are refused.
func TestOptions(t *testing.T) {
	w := newWorld(t, "small")
	w.fails("moon", builder.Options{Layers: []string{"moon"}})
	w.fails("ZIP+4", builder.Options{ZIP4Points: "x"}) // points without records
	w.fails("none.csv", builder.Options{ZIPDatabase: filepath.Join(t.TempDir(), "none.csv")})
	for mention, o := range map[string]builder.Options{
		"output": {Mirror: w.write()},
		"US.zip": {Mirror: t.TempDir(), Output: filepath.Join(t.TempDir(), "out.db")},
	} {
		if _, err := builder.Build(t.Context(), o); err == nil || !strings.Contains(err.Error(), mention) {
			t.Errorf("error %v, want one that mentions %q", err, mention)
		}
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

// TestCanceled cancels builds before they begin, and at their last steps. Nothing is left.
func TestCanceled(t *testing.T) {
	root := newWorld(t, "small").write()
	for _, step := range []string{"", "write: codes", "write: finish", "verify"} {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		if step == "" {
			cancel()
		}
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
	w := newWorld(t, "small")
	w.do(`supplied 43955 STANDARD 0 Elm "" OH "Amber County" 614 40 -83
		elevation 43901 100`)
	root, dir := w.write(), t.TempDir()
	server := serveFolder(t, root)
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
	w := newWorld(t, "small")
	w.do(other)
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

// TestSuppliedFileMayBeAPart checks that the user's table may hold a part of
// the published rows, but that an empty one is an error.
func TestSuppliedFileMayBeAPart(t *testing.T) {
	const header = "zip,type,decommissioned,primary_city,acceptable_cities,unacceptable_cities,state,county,timezone,area_codes,world_region,country,latitude,longitude,irs_estimated_population\n"
	w := newWorld(t, "small")
	part := named(t, "part.csv", header+"43901,STANDARD,0,Amberton,,,OH,Amber County,,,NA,US,40.01,-83.01,\n")
	w.buildWith(builder.Options{ZIPDatabase: part})
	w.fails("empty.csv: 0 rows", builder.Options{ZIPDatabase: named(t, "empty.csv", header)})
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
		w := newWorld(t, "small")
		w.do(other)
		path := named(t, "city.csv", "lon,lat,st_num,housenumber,street,zip\n-83.02,40.02,1,8,Elm Ave,43901\n")
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
	newWorld(t, "small").fails(`x.csv: redistribution "maybe", expected one of public-domain, attribution`, builder.Options{AddressPoints: []string{"x.csv,redistribution=maybe"}})
}
