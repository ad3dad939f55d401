package builder_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/mirrortest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/scoretest"
	"github.com/postgeo/postgeo/internal/store"
)

// countryMirror writes three states and two provinces and returns their folder.
func countryMirror(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	check(t, mirrortest.NewCountry(3, 2).Write(dir))
	return dir
}

// buildMirror builds layers from a mirror.
func buildMirror(t *testing.T, dir string, layers ...string) *built {
	t.Helper()
	b, err := build(t, builder.Options{Mirror: dir, Layers: layers, Sample: true})
	check(t, err)
	return b
}

// layerNames lists the layers of a dataset.
func layerNames(d *store.Dataset) string {
	var names []string
	for _, l := range d.Layers() {
		names = append(names, l.ID().String())
	}
	return strings.Join(names, " ")
}

// remove takes files out of a mirror.
func remove(t *testing.T, dir string, paths ...string) {
	t.Helper()
	for _, p := range paths {
		check(t, os.Remove(filepath.Join(dir, filepath.FromSlash(p))))
	}
}

const (
	shp2024 = "www2.census.gov/geo/tiger/GENZ2024/shp/"
	statCan = "www12.statcan.gc.ca/census-recensement/2021/geo/sip-pis/boundary-limites/files-fichiers/"
)

// TestLayersThatAreAbsent builds without most files: their layers are absent
// from the dataset and its manifest, without an error.
func TestLayersThatAreAbsent(t *testing.T) {
	dir := countryMirror(t)
	b := buildMirror(t, dir, "districts")
	if got, want := layerNames(b.Dataset), "congressional_district state_upper state_lower federal_district congressional_district.2"; got != want {
		t.Errorf("the layers are %q, want %q", got, want)
	}
	remove(t, dir, shp2024+"cb_2024_us_sldl_500k.zip", shp2024+"cb_2024_us_cd119_500k.zip", statCan+"lfed000b21a_e.zip")
	b = buildMirror(t, dir, "districts", "schools")
	if got, want := layerNames(b.Dataset), "state_upper school_district congressional_district.2"; got != want {
		t.Errorf("the layers are %q, want %q", got, want)
	}
	for _, s := range b.Manifest().Sources {
		if s.ID == "cb-congress" || s.ID == "statcan-lfed" {
			t.Errorf("the manifest lists %s, which was not read", s.ID)
		}
	}
	remove(t, dir, shp2024+"cb_2024_us_elsd_500k.zip")
	b = buildMirror(t, dir, "schools")
	l := b.Layer(store.LayerSchoolDistrict)
	for i := range l.Len() {
		if a := l.Area(i); a.Type == "unified" || a.Type == "" && b.count(b.report.Rules, "type of school districts") == 0 {
			t.Errorf("without the file of elementary districts %s is %q", a.GEOID, a.Type)
		}
	}
}

// TestLayersByWorld builds layers of hand-made files: a district that the
// publisher leaves undefined, one in two records, an area of no known state, a
// file that its mirror calls unfit for shares, and empty attributes.
func TestLayersByWorld(t *testing.T) {
	w := bounded(t)
	at := func(west, south, east, north float64, values ...string) outline {
		return outline{west, south, east, north, values}
	}
	w.others[shp2024+"cb_2024_us_sldu_500k.zip"] = zippedShapes(t, "cb_2024_us_sldu_500k", []string{"GEOID", "NAME", "NAMELSAD", "LSAD", "LSY", "ALAND", "AWATER"}, []outline{
		at(-83.2, 39.9, -83.1, 40.1, "39001", "1", "State Senate District 1", "LU", "2024", "5", ""),
		at(-83.5, 39.9, -83.4, 40.1, "39001", "1", "State Senate District 1", "LU", "2024", "6", "1"),
		at(-83.1, 39.9, -83, 40.1, "39002", "2", "State Senate District 2", "LU", "2024", "", ""),
		at(-83.2, 40.1, -83, 40.2, "39ZZZ", "x", "not defined", "LU", "2024", "0", "9"),
		at(-83.2, 40.1, -83, 40.2, "99001", "1", "nowhere", "LU", "2024", "0", "9"),
	})
	w.others["ACTUAL.csv"] = []byte("path,vintage,rows,official_rows,fit_for_shares,note\n" + shp2024 + "cb_2024_us_sldu_500k.zip,drawn by hand in 2022,5,5,no,\n")
	b := w.build("districts")
	l := b.Layer(store.LayerStateUpper)
	if l.Len() != 2 {
		t.Fatalf("%d districts, want 2", l.Len())
	}
	info := l.Info()
	if info.FitForShares || info.Vintage != "drawn by hand in 2022" || info.Year != 2022 || info.Period != "2024" {
		t.Errorf("%+v", info)
	}
	one, two := l.Area(0), l.Area(1)
	if one.GEOID != "39001" || one.Land != 11 || one.Water != store.UnknownArea || two.Land != store.UnknownArea || b.State(one.State).Abbr != "OH" {
		t.Errorf("%+v, %+v", one, two)
	}
	zip, _ := postcode.ParseZIP("43901")
	c, err := b.Overlaps(t.Context(), store.CodeOfZIP(zip))
	check(t, err)
	for _, o := range c.Of(store.LayerStateUpper) {
		if math.Abs(o.PercentOfCode-50) > 1e-6 {
			t.Errorf("%+v, want a half", o)
		}
	}
	if n := b.count(b.report.Refused, "undefined") + b.count(b.report.Refused, "area of an unknown state"); n != 2 {
		t.Errorf("%d areas were refused, want 2", n)
	}
}

// TestNationalLayers checks the number of areas in the layers of the mirror, by
// state and chamber. It compares the parts of codes with the whole.
func TestNationalLayers(t *testing.T) {
	b := openNational(t)
	for id, want := range map[store.LayerID]int{
		store.LayerCounty: 3222, store.LayerCountySubdivision: 169, store.LayerPlace: 29_798, store.LayerTract: 81_984,
		store.LayerBlockGroup: 10_591, store.LayerCBSA: 935, store.LayerMetropolitanDivision: 37, store.LayerCongressionalDistrict: 441,
		store.LayerStateUpper: 1947 - 5, store.LayerStateLower: 4838 - 5, store.LayerSchoolDistrict: 11_207, store.LayerCensusDivision: 293,
		store.LayerCensusSubdivision: 5161, store.LayerMetroArea: 152, store.LayerEconomicRegion: 76, store.LayerFederalDistrict: 338,
	} {
		if got := b.Layer(id).Len(); got != want {
			t.Errorf("%d areas of the layer %s, want %d", got, id, want)
		}
	}
	perState := func(id store.LayerID) map[string]int {
		n := map[string]int{}
		for i := range b.Layer(id).Len() {
			n[b.State(b.Layer(id).Area(i).State).Abbr]++
		}
		return n
	}
	congress, upper, lower, federal := perState(store.LayerCongressionalDistrict), perState(store.LayerStateUpper), perState(store.LayerStateLower), perState(store.LayerFederalDistrict)
	for abbr, want := range map[string][3]int{
		"CA": {52, 40, 80}, "TX": {38, 31, 150}, "NY": {26, 63, 150}, "FL": {28, 40, 120}, "AK": {1, 20, 40}, "WY": {1, 31, 62},
		"NE": {3, 49, 0}, "DC": {1, 0, 0}, "PR": {1, 0, 0}, "MN": {8, 67, 134}, "GA": {14, 56, 180}, "PA": {17, 50, 203},
	} {
		if got := [3]int{congress[abbr], upper[abbr], lower[abbr]}; got != want {
			t.Errorf("%s has %v districts of Congress and of both chambers, want %v", abbr, got, want)
		}
	}
	for abbr, want := range map[string]int{"ON": 121, "QC": 78, "BC": 42, "AB": 34, "MB": 14, "SK": 14, "NS": 11, "NB": 10, "NL": 7, "PE": 4, "YT": 1, "NT": 1, "NU": 1} {
		if federal[abbr] != want {
			t.Errorf("%s has %d federal electoral districts, want %d", abbr, federal[abbr], want)
		}
	}
	atLarge := 0
	for i := range b.Layer(store.LayerCongressionalDistrict).Len() {
		if g := b.Layer(store.LayerCongressionalDistrict).GEOID(i); g[2:] == "00" || g[2:] == "98" {
			atLarge++
		}
	}
	if atLarge != 12 {
		t.Errorf("%d districts are at large, want 6 of states and 6 of delegates", atLarge)
	}
	for _, unfit := range []store.LayerID{store.LayerCensusSubdivision, store.LayerMetroArea, store.LayerBlockGroup, store.LayerSchoolDistrict} {
		if b.Layer(unfit).Info().FitForShares {
			t.Errorf("the layer %s counts as fit for shares", unfit)
		}
	}
	b.coverage()
}

// coverage counts the codes whose parts in a layer are within 0.01, 1 and 5 points of
// the whole. Codes that do not meet the layer are left out.
func (b *built) coverage() {
	type tally struct{ met, near, one, five int }
	tallies := map[store.LayerID]*tally{}
	add := func(c store.CodeOverlaps) {
		for _, l := range c.Layers {
			n := tallies[l.Layer]
			if n == nil {
				n = &tally{}
				tallies[l.Layer] = n
			}
			sum := 0.0
			for _, o := range l.Overlaps {
				sum += o.PercentOfCode
				if o.Intersection < -1 {
					b.t.Errorf("an overlap with the layer %s is %v m²", l.Layer, float64(o.Intersection))
				}
			}
			n.met++
			for _, d := range []struct {
				points float64
				to     *int
			}{{0.01, &n.near}, {1, &n.one}, {5, &n.five}} {
				if math.Abs(sum-100) <= d.points {
					*d.to++
				}
			}
		}
	}
	for _, z := range b.ZIPAreas().Keys() {
		c, err := b.Overlaps(b.t.Context(), store.CodeOfZIP(z))
		if err != nil {
			b.t.Fatal(err)
		}
		add(c)
	}
	for _, f := range b.FSAAreas().Keys() {
		c, err := b.Overlaps(b.t.Context(), store.CodeOfFSA(f))
		if err != nil {
			b.t.Fatal(err)
		}
		add(c)
	}
	share := func(part, all int) string { return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(all)) }
	table := scoretest.Table{Title: "coverage", Columns: []string{"layer", ">codes", ">within 0.01 points", ">within 1", ">within 5"}}
	for _, id := range store.LayerIDs() {
		if n := tallies[id]; n != nil {
			table.Rows = append(table.Rows, []any{"`" + id.String() + "`", n.met, share(n.near, n.met), share(n.one, n.met), share(n.five, n.met)})
		}
	}
	scoretest.Hold(b.t, "national", table)
}
