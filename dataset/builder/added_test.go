package builder_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// blockGroups are centers of population in the outlines of bounded.
const blockGroups = "www2.census.gov/geo/docs/reference/cenpop2020/blkgrp/CenPop2020_Mean_BG.txt"

// boxes returns a feature collection of boxes, each "west south east north id name".
func boxes(list ...string) string {
	var features []string
	for _, text := range list {
		var w, s, e, n float64
		var id, name string
		if _, err := fmt.Sscan(text, &w, &s, &e, &n, &id, &name); err != nil {
			panic(err)
		}
		features = append(features, fmt.Sprintf(`{"type":"Feature","properties":{"code":%q,"label":%q},"geometry":{"type":"Polygon","coordinates":[[[%v,%v],[%v,%v],[%v,%v],[%v,%v],[%v,%v]]]}}`,
			id, name, w, s, e, s, e, n, w, n, w, s))
	}
	return `{"type":"FeatureCollection","features":[` + strings.Join(features, ",\n") + `]}`
}

// named writes a file for a test and returns its path.
func named(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	check(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// districted is a world with two districts of Ohio and people.
func districted(t *testing.T) *world {
	w := bounded(t)
	w.other(blockGroups, "", "STATEFP,COUNTYFP,TRACTCE,BLKGRPCE,POPULATION,LATITUDE,LONGITUDE",
		"39,901,000100,1,300,+40.000000,-083.150000", "39,901,000100,2,100,+40.000000,-083.050000", "39,903,000100,1,70,+40.000000,-082.700000")
	w.others[shp2024+"cb_2024_us_cd119_500k.zip"] = zippedShapes(t, "cb_2024_us_cd119_500k", []string{"GEOID", "NAMELSAD", "LSAD", "CDSESSN", "ALAND", "AWATER"}, []outline{
		{-84, 39, -82, 41, []string{"3901", "Congressional District 1", "C2", "119", "5", "5"}},
		{-82, 39, -81, 41, []string{"3902", "Congressional District 2", "C2", "119", "5", "5"}},
	})
	return w
}

// met are the parts of a code in the areas of a layer: the code of the area, the
// percentage and the people.
func (b *built) met(code string, id store.LayerID) []string {
	b.t.Helper()
	zip, _ := postcode.ParseZIP(code)
	c, err := b.Overlaps(b.t.Context(), store.CodeOfZIP(zip))
	if err != nil {
		b.t.Fatal(err)
	}
	var list []string
	for _, o := range c.Of(id) {
		list = append(list, fmt.Sprintf("%s %.1f%% %d", b.Layer(id).GEOID(o.Area), o.PercentOfCode, o.People))
	}
	return list
}

// TestAddedPlan adds a plan of districts to a build, and to a dataset that exists.
func TestAddedPlan(t *testing.T) {
	w := districted(t)
	plan := "ohio28=" + named(t, "new.geojson", boxes(
		"-84 39 -83.1 41 1 First", "-83.1 39 -81 41 2 Second", "-70 40 -69 41 77 Nowhere", "-84 39 -84 39 3 Nothing",
	)) + ",layer=cd,from=2027-01-03,states=OH,id=code,name=label,evidence=Act 1, 2026"
	whole := w.buildWith(builder.Options{Layers: []string{"districts"}, Plans: []string{plan}})
	base := w.buildWith(builder.Options{Layers: []string{"districts"}})
	out := filepath.Join(t.TempDir(), "extended.db")
	report, err := builder.Extend(t.Context(), base.path, builder.Options{Output: out, Cache: t.TempDir(), Plans: []string{plan}})
	check(t, err)
	d := lookuptest.OpenFile(t, out)
	for name, b := range map[string]*built{"build": whole, "extension": {Dataset: d, t: t, report: report, path: out}} {
		t.Run(name, func(t *testing.T) {
			check(t, b.Verify(t.Context()))
			if n := b.count(b.report.Refused, "outline without an area"); n != 1 {
				t.Errorf("%d areas without an outline were refused, want 1", n)
			}
			id := store.PlanLayer(store.LayerCongressionalDistrict, store.FirstAddedPlan)
			info := b.Layer(id).Info()
			ohio, _ := b.StateByAbbr(store.US, "OH")
			want := store.Plan{ID: "ohio28", Name: "ohio28", From: "2027-01-03", Evidence: "Act 1, 2026", States: []store.StateID{ohio}}
			if diff := cmp.Diff(want, info.Plan); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
			if a := b.Layer(id).Area(0); a.GEOID != "3901" || a.Name != "First" || a.State != ohio {
				t.Errorf("district %+v", a)
			}
			for code, want := range map[string][]string{
				"43901": {"3901 50.0% 300", "3902 50.0% 100"}, "43902": {"3902 100.0% 70"}, "43906": {"3902 0.0% 0"},
			} {
				if diff := cmp.Diff(want, b.met(code, id)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", code, diff)
				}
			}
			if got := b.met("43901", store.LayerCongressionalDistrict); len(got) != 1 {
				t.Errorf("the first plan has %v", got)
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
			if s := b.Manifest().Sources; s[len(s)-1].ID != "own-areas" && !strings.Contains(fmt.Sprint(s), "own-areas") {
				t.Errorf("the manifest lacks the file: %v", s)
			}
		})
	}
}

// TestOwnLayer adds a layer of a shapefile that reaches into both countries, then
// another one.
func TestOwnLayer(t *testing.T) {
	w := districted(t)
	sales := filepath.Join(t.TempDir(), "sales.zip")
	if err := os.WriteFile(sales, zippedShapes(t, "sales", []string{"ID", "NAME"}, []outline{
		{-83.1, 39, -82, 41, []string{"T1", "Midwest"}}, {-78, 43, -77, 45, []string{"T2", "Ontario"}},
	}), 0o644); err != nil {
		t.Fatal(err)
	}
	b := w.buildWith(builder.Options{Layers: []string{"boundaries"}, OwnLayers: []string{"sales=" + sales + ",title=Sales territories"}})
	id, _ := store.OwnLayer("sales")
	if got := id.String(); got != "layers.sales" || b.Layer(id).Len() != 2 || b.Layer(id).Info().Title != "Sales territories" {
		t.Fatalf("layer %s: %+v", got, b.Layer(id).Info())
	}
	if diff := cmp.Diff([]string{"T1 50.0% 100"}, b.met("43901", id)); diff != "" {
		t.Errorf("43901 (-want +got):\n%s", diff)
	}
	fsa, _ := postcode.ParseFSA("K9Q")
	c, err := b.Overlaps(t.Context(), store.CodeOfFSA(fsa))
	if err != nil || len(c.Of(id)) != 1 || math.Abs(c.Of(id)[0].PercentOfCode-50) > 1e-6 {
		t.Errorf("K9Q: %+v, %v", c.Of(id), err)
	}
	fsas, err := b.CodesIn(t.Context(), id, 1)
	if err != nil || len(fsas) != 1 || fsas[0].Code != store.CodeOfFSA(fsa) {
		t.Errorf("FSAs of T2: %+v, %v", fsas, err)
	}
	out := filepath.Join(t.TempDir(), "more.db")
	more := "clinics=" + named(t, "clinics.geojson", boxes("-82.8 39 -82.5 41 C1 Clinic", "39 -82.8 41 -82.5 C2 Turned", "-82.8 39 -82.5 41 "+strings.Repeat("x", 21)+" Long"))
	report, err := builder.Extend(t.Context(), b.path, builder.Options{Output: out, Cache: t.TempDir(), OwnLayers: []string{more}})
	if err != nil || (&built{report: report}).count(report.Refused, "more than 20 letters") != 1 || !strings.Contains(fmt.Sprint(report.Rules), "meet no ZIP Code or FSA 1 [C2]") {
		t.Fatalf("%+v, %v", report, err)
	}
	d := lookuptest.OpenFile(t, out)
	check(t, d.Verify(t.Context()))
	both := &built{Dataset: d, t: t, path: out}
	clinics, _ := store.OwnLayer("clinics")
	if diff := cmp.Diff([]string{"T1 50.0% 100"}, both.met("43901", id)); diff != "" {
		t.Errorf("43901 with both layers (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"C1 50.0% 70"}, both.met("43902", clinics)); diff != "" {
		t.Errorf("43902 (-want +got):\n%s", diff)
	}
	if a := d.Layer(id).Area(0); a.Name != "Midwest" {
		t.Errorf("the kept layer has the area %+v", a)
	}
	if _, err := builder.Extend(t.Context(), out, builder.Options{Output: out + "2", Cache: t.TempDir(), OwnLayers: []string{more}}); err == nil || !strings.Contains(err.Error(), "give another name") {
		t.Errorf("a second layer of one name: %v", err)
	}
}

// TestPointsAndLines refuses each feature without an area, and a file of such
// features with the reason.
func TestPointsAndLines(t *testing.T) {
	w := districted(t)
	features := func(area string) string {
		text := strings.TrimSuffix(area, "]}")
		for kind, coordinates := range map[string]string{"Point": "[-82.7,40]", "LineString": "[[-82.7,40],[-82.6,40]]"} {
			if !strings.HasSuffix(text, "[") {
				text += ","
			}
			text += `{"type":"Feature","properties":{"code":"` + kind + `"},"geometry":{"type":"` + kind + `","coordinates":` + coordinates + `}}`
		}
		return text + "]}"
	}
	b := w.buildWith(builder.Options{Layers: []string{"boundaries"}, OwnLayers: []string{"shops=" + named(t, "some.geojson", features(boxes("-82.8 39 -82.5 41 C1 Area")))}})
	id, _ := store.OwnLayer("shops")
	if n := b.count(b.report.Refused, "bad outline"); n != 2 || b.Layer(id).Len() != 1 {
		t.Errorf("%d features were refused and %d accepted, want 2 and 1: %+v", n, b.Layer(id).Len(), b.report.Refused)
	}
	none := "towers=" + named(t, "none.geojson", features(boxes()))
	for text, want := range map[string]string{none: `record 1: column "outline": the geometry has the type`, none + ",width=500": `option "width"; known options: id, name, title, license`} {
		_, err := builder.Extend(t.Context(), b.path, builder.Options{Output: filepath.Join(t.TempDir(), "none.db"), Cache: t.TempDir(), OwnLayers: []string{text}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
}

// TestCensusFiles reads areas in the form of the Census Bureau's files that the
// catalog does not have, without options.
func TestCensusFiles(t *testing.T) {
	w := districted(t)
	b := w.buildWith(builder.Options{Layers: []string{"boundaries", "census"}})
	for name, test := range map[string]struct {
		columns, row []string
		geoid, title string
	}{
		"cb_2020_us_puma20_500k": {
			[]string{"STATEFP20", "PUMACE20", "GEOIDFQ20", "GEOID20", "NAME20", "NAMELSAD20", "LSAD20", "ALAND20", "AWATER20"},
			[]string{"39", "00100", "795P200US3900100", "3900100", "Oak", "Oak County PUMA", "P0", "5", "5"},
			"3900100", "Oak County PUMA",
		},
		"cb_2024_us_aiannh_500k": {
			[]string{"AIANNHCE", "AIANNHNS", "GEOIDFQ", "GEOID", "NAME", "NAMELSAD", "LSAD", "ALAND", "AWATER"},
			[]string{"2430", "00042851", "2500000US2430R", "2430R", "Elm Nation", "Elm Nation Reservation", "86", "5", "5"},
			"2430R", "Elm Nation Reservation",
		},
		"cb_2020_us_ua20_corrected_500k": {
			[]string{"UACE20", "GEOIDFQ20", "GEOID20", "NAME20", "NAMELSAD20", "LSAD20", "ALAND20", "AWATER20"},
			[]string{"51445", "400C200US51445", "51445", "Los Robles, OH", "Los Robles, OH Urban Area", "76", "5", "5"},
			"51445", "Los Robles, OH Urban Area",
		},
		"cb_2020_us_vtd_500k": {
			[]string{"STATEFP20", "COUNTYFP20", "VTDST20", "GEOIDFQ20", "GEOID20", "VTDI20", "NAME20", "NAMELSAD20", "LSAD20", "ALAND20", "AWATER20"},
			[]string{"39", "901", "0A1", "7000000US399010A1", "399010A1", "A", "1-A", "Precinct 1-A", "V1", "5", "5"},
			"399010A1", "Precinct 1-A",
		},
	} {
		path := named(t, name+".zip", string(zippedShapes(t, name, test.columns, []outline{{-83.1, 39, -82.5, 41, test.row}})))
		out := filepath.Join(t.TempDir(), "out.db")
		if _, err := builder.Extend(t.Context(), b.path, builder.Options{Output: out, Cache: t.TempDir(), OwnLayers: []string{"areas=" + path}}); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		d := lookuptest.OpenFile(t, out)
		id, _ := store.OwnLayer("areas")
		if a := d.Layer(id).Area(0); a.GEOID != test.geoid || a.Name != test.title {
			t.Errorf("%s: area %+v", name, a)
		}
		if got := (&built{Dataset: d, t: t}).met("43901", id); len(got) != 1 || !strings.HasPrefix(got[0], test.geoid+" ") || strings.HasSuffix(got[0], " 0") {
			t.Errorf("%s: 43901 meets %v", name, got)
		}
	}
}
