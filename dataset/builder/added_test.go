package builder_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/mirrortest"
	"github.com/postgeo/postgeo/internal/store"
)

// named writes a file for a test and returns its path.
func named(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	check(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// TestAddedPlan adds a plan of districts to a build, and to a dataset that exists.
func TestAddedPlan(t *testing.T) {
	w := newWorld(t, "districted")
	plan := "ohio28=" + named(t, "new.geojson", boxes(
		"-84 39 -83.1 41 code=1 label=First", "-83.1 39 -81 41 code=2 label=Second", "-70 40 -69 41 code=77 label=Nowhere", "-84 39 -84 39 code=3 label=Nothing",
	)) + ",layer=cd,from=2027-01-03,states=OH,id=code,name=label,evidence=Act 1, 2026"
	whole := w.buildWith(builder.Options{Layers: []string{"districts"}, Plans: []string{plan}})
	base := w.buildWith(builder.Options{Layers: []string{"districts"}})
	extended, err := base.extend(builder.Options{Plans: []string{plan}})
	check(t, err)
	for name, b := range map[string]*built{"build": whole, "extension": extended} {
		t.Run(name, func(t *testing.T) {
			check(t, b.Verify(t.Context()))
			b.expects(`refused 1 outline without an area
				layer congressional_district.3 3901 Name First State OH
				43901 Met:congressional_district.3 "3901 50.0% 300, 3902 50.0% 100" Met:congressional_district "3901 100.0% 400"
				43902 Met:congressional_district.3 "3902 100.0% 70"
				43906 Met:congressional_district.3 "3902 0.0% 0"`)
			id := store.PlanLayer(store.LayerCongressionalDistrict, store.FirstAddedPlan)
			ohio, _ := b.StateByAbbr(store.US, "OH")
			want := store.Plan{ID: "ohio28", Name: "ohio28", From: "2027-01-03", Evidence: "Act 1, 2026", States: []store.StateID{ohio}}
			if diff := cmp.Diff(want, b.Layer(id).Info().Plan); diff != "" {
				t.Errorf("plan of %s (-want +got):\n%s", id, diff)
			}
			for day, want := range map[string]store.LayerID{"2026-11-23": store.LayerCongressionalDistrict, "2027-01-03": id} {
				if f := b.InForce(store.LayerCongressionalDistrict, store.PlanChoice{Day: day}, ohio); f.Areas.ID() != want {
					t.Errorf("%s: %s is in force, want %s", day, f.Areas.ID(), want)
				}
			}
			zips, err := b.CodesIn(t.Context(), id, 0)
			if err != nil || len(zips) != 1 || zips[0].Code.String() != "43901" || math.Abs(zips[0].PercentOfCode-50) > 1e-6 {
				t.Errorf("ZIP Codes of 3901: %+v, %v", zips, err)
			}
			if s := b.Manifest().Sources; !strings.Contains(fmt.Sprint(s), "own-areas") {
				t.Errorf("the manifest lacks the file: %v", s)
			}
		})
	}
}

// TestOwnLayer adds a layer of a shapefile that reaches into both countries, then
// another one.
func TestOwnLayer(t *testing.T) {
	w := newWorld(t, "districted")
	sales := named(t, "sales.zip", string(mirrortest.Shapefile("sales", mirrortest.NAD83, "ID NAME",
		mirrortest.Box(-83.1, 39, -82, 41, "T1", "Midwest"), mirrortest.Box(-78, 43, -77, 45, "T2", "Ontario"))))
	b := w.buildWith(builder.Options{Layers: []string{"boundaries"}, OwnLayers: []string{"sales=" + sales + ",title=Sales territories"}})
	b.expects(`layer layers.sales Len 2 Title "Sales territories"
		43901 Met:layers.sales "T1 50.0% 100"
		K9Q Met:layers.sales "T2 50.0% 0"`)
	id, _ := store.OwnLayer("sales")
	if fsas, err := b.CodesIn(t.Context(), id, 1); err != nil || len(fsas) != 1 || fsas[0].Code.String() != "K9Q" {
		t.Errorf("FSAs of T2: %+v, %v", fsas, err)
	}
	more := "clinics=" + named(t, "clinics.geojson", boxes("-82.8 39 -82.5 41 code=C1", "39 -82.8 41 -82.5 code=C2", "-82.8 39 -82.5 41 code="+strings.Repeat("x", 21)))
	both, err := b.extend(builder.Options{OwnLayers: []string{more}})
	check(t, err)
	check(t, both.Verify(t.Context()))
	both.expects(`refused 1 more than 20 letters
		rule 1 meet no ZIP Code or FSA
		report e.g. C2
		43901 Met:layers.sales "T1 50.0% 100"
		43902 Met:layers.clinics "C1 50.0% 70"
		layer layers.sales T1 Name Midwest`)
	for _, tt := range [][4]string{
		{"", "license of the user", "", "unknown"},
		{",license=Birch license", "Birch license", "", "unknown"},
		{",license=CC BY 4.0,attribution=City of Birch, Maps", "CC BY 4.0", "City of Birch, Maps", dataset.WithAttribution},
	} {
		d, err := b.extend(builder.Options{OwnLayers: []string{more + tt[0]}})
		check(t, err)
		sources := d.Manifest().Sources
		s := sources[slices.IndexFunc(sources, func(s dataset.Source) bool { return strings.HasPrefix(s.Title, "clinics") })]
		if got := [4]string{tt[0], s.License, s.Attribution, s.Redistribution}; got != tt {
			t.Errorf("terms %q, want %q", got, tt)
		}
	}
	if _, err := both.extend(builder.Options{OwnLayers: []string{more}}); err == nil || !strings.Contains(err.Error(), "give another name") {
		t.Errorf("a second layer of one name: %v", err)
	}
}

// TestPointsAndLines refuses each feature without an area, and a file of such
// features with the reason.
func TestPointsAndLines(t *testing.T) {
	const others = `{"type":"Feature","properties":{"code":"P"},"geometry":{"type":"Point","coordinates":[-82.7,40]}},
		{"type":"Feature","properties":{"code":"L"},"geometry":{"type":"LineString","coordinates":[[-82.7,40],[-82.6,40]]}}`
	area := feature([]string{"-82.8", "39", "-82.5", "41", "code=C1"})
	w := newWorld(t, "districted")
	b := w.buildWith(builder.Options{Layers: []string{"boundaries"}, OwnLayers: []string{"shops=" + named(t, "some.geojson", collection([]string{area, others}))}})
	b.expects(`refused 2 bad outline
		layer layers.shops Len 1`)
	none := "towers=" + named(t, "none.geojson", collection([]string{others}))
	for text, want := range map[string]string{none: `record 1: column "outline": the geometry has the type`, none + ",width=500": `option "width"; known options: id, name, title, license, attribution`} {
		if _, err := b.extend(builder.Options{OwnLayers: []string{text}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}

// TestCensusFiles reads areas in the form of the Census Bureau's files that the
// catalog does not have, without options.
func TestCensusFiles(t *testing.T) {
	b := newWorld(t, "districted").build("boundaries", "census")
	for _, test := range []struct{ name, columns, row, geoid, title string }{
		{
			"cb_2020_us_puma20_500k", "STATEFP20 PUMACE20 GEOIDFQ20 GEOID20 NAME20 NAMELSAD20 LSAD20 ALAND20 AWATER20",
			"39|00100|795P200US3900100|3900100|Oak|Oak County PUMA|P0|5|5", "3900100", "Oak County PUMA",
		},
		{
			"cb_2024_us_aiannh_500k", "AIANNHCE AIANNHNS GEOIDFQ GEOID NAME NAMELSAD LSAD ALAND AWATER",
			"2430|00042851|2500000US2430R|2430R|Elm Nation|Elm Nation Reservation|86|5|5", "2430R", "Elm Nation Reservation",
		},
		{
			"cb_2020_us_ua20_corrected_500k", "UACE20 GEOIDFQ20 GEOID20 NAME20 NAMELSAD20 LSAD20 ALAND20 AWATER20",
			"51445|400C200US51445|51445|Los Robles, OH|Los Robles, OH Urban Area|76|5|5", "51445", "Los Robles, OH Urban Area",
		},
		{
			"cb_2020_us_vtd_500k", "STATEFP20 COUNTYFP20 VTDST20 GEOIDFQ20 GEOID20 VTDI20 NAME20 NAMELSAD20 LSAD20 ALAND20 AWATER20",
			"39|901|0A1|7000000US399010A1|399010A1|A|1-A|Precinct 1-A|V1|5|5", "399010A1", "Precinct 1-A",
		},
	} {
		shape := mirrortest.Box(-83.1, 39, -82.5, 41, strings.Split(test.row, "|")...)
		path := named(t, test.name+".zip", string(mirrortest.Shapefile(test.name, mirrortest.NAD83, test.columns, shape)))
		d, err := b.extend(builder.Options{OwnLayers: []string{"areas=" + path}})
		check(t, err)
		d.compare("layer layers.areas "+test.geoid, []string{"Name", test.title})
		id, _ := store.OwnLayer("areas")
		if got := d.met("43901", id); len(got) != 1 || !strings.HasPrefix(got[0], test.geoid+" ") || strings.HasSuffix(got[0], " 0") {
			t.Errorf("%s: 43901 meets %v", test.name, got)
		}
	}
}
