package builder_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/mirrortest"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/internal/scoretest"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
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

// TestNationalLayers counts districts at large, and compares the parts of codes with the whole.
func TestNationalLayers(t *testing.T) {
	b := openNational(t)
	atLarge := 0
	for i := range b.Layer(store.LayerCongressionalDistrict).Len() {
		if g := b.Layer(store.LayerCongressionalDistrict).GEOID(i); g[2:] == "00" || g[2:] == "98" {
			atLarge++
		}
	}
	if atLarge != 12 {
		t.Errorf("%d districts are at large, want 6 of states and 6 of delegates", atLarge)
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

// namedLayers are the layers that a build has by their names only, by these names.
var namedLayers = map[string]store.LayerID{
	"puma": store.LayerPUMA, "urban": store.LayerUrbanArea, "tribal": store.LayerTribalArea, "vtd": store.LayerVotingDistrict,
}

// TestNamedLayers builds the layers from invented files in the formats of TIGER/Line. The
// file of one state is missing.
func TestNamedLayers(t *testing.T) {
	dir := countryMirror(t)
	const absent = "36" // New York
	remove(t, dir, "www2.census.gov/geo/tiger/TIGER2024/PUMA20/tl_2024_"+absent+"_puma20.zip")
	if without := buildMirror(t, dir, "all"); strings.Contains(layerNames(without.Dataset), "puma") {
		t.Errorf("all has the layers %s", layerNames(without.Dataset))
	}
	b := buildMirror(t, dir, "puma", "urban", "tribal", "vtd")
	if got, want := layerNames(b.Dataset), "puma urban_area tribal_area voting_district"; got != want {
		t.Fatalf("the layers are %q, want %q", got, want)
	}
	if n := b.count(b.report.Rules, "an optional source is not available"); n < 1 {
		t.Error("the missing file is not reported")
	}
	names := map[store.LayerID]string{store.LayerPUMA: "PUMA", store.LayerUrbanArea: "Urban Area", store.LayerTribalArea: "Reservation", store.LayerVotingDistrict: "Voting District"}
	for _, id := range namedLayers {
		l := b.Layer(id)
		check(t, l.Load(t.Context()))
		for i := range l.Len() {
			a := l.Area(i)
			inState := id == store.LayerPUMA || id == store.LayerVotingDistrict
			if !strings.HasSuffix(a.Name, names[id]) && !strings.HasPrefix(a.Name, names[id]) || a.Land <= 0 || (a.State != 0) != inState {
				t.Errorf("%s %s is %+v", id, a.GEOID, a)
			}
			if inState && b.State(a.State).FIPS != a.GEOID[:2] || id == store.LayerPUMA && a.GEOID[:2] == absent {
				t.Errorf("%s %s is in %s", id, a.GEOID, b.State(a.State).Abbr)
			}
		}
		if l.Len() == 0 {
			t.Errorf("no areas of %s", id)
		}
		if info := l.Info(); !info.FitForShares || !strings.HasPrefix(info.Source, "U.S. Census Bureau, tl_20") {
			t.Errorf("%s: %+v", id, info)
		}
	}
	if s := b.Layer(store.LayerPUMA).Info().Source; s != "U.S. Census Bureau, tl_2024_SS_puma20" {
		t.Errorf("the source of the layer is %q", s)
	}
	db := sampletest.File(t, b.path)
	if err := db.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	t.Run("records", func(t *testing.T) { checkRecords(t, db, absent) })
}

// checkRecords includes the layers in records. In the state without a file nothing is
// known; elsewhere an empty list means that no area is there.
func checkRecords(t *testing.T, db *postgeo.DB, absent string) {
	opt, unknown := lookup.ParseOptions([]string{"layers.puma,urban,tribal_area,vtd"})
	if want := []string{"puma", "urban_area", "tribal_area", "voting_district"}; len(unknown) > 0 || !slices.Equal(opt.Include.Layers, want) {
		t.Fatalf("the flags are %v and %v", opt.Include.Layers, unknown)
	}
	found := map[string]int{}
	for code, err := range db.Codes(t.Context(), lookup.ZIP) {
		check(t, err)
		r, err := db.Lookup(t.Context(), code, opt)
		check(t, err)
		if !r.Location.IsValid() {
			continue
		}
		_, known := r.Layers["puma"]
		if known != (r.StateFIPS != absent) {
			t.Errorf("%s in %s: %+v", code, r.State, r.Layers)
		}
		if _, known := r.Layers["voting_district"]; known == (r.State == "CA" || r.State == "OR") {
			t.Errorf("%s in %s has voting districts %+v", code, r.State, r.Layers)
		}
		for _, name := range []string{"urban_area", "tribal_area"} {
			l, known := r.Layers[name]
			if !known {
				t.Errorf("%s: %s is unavailable", code, name)
			}
			found[name] += len(l.Areas)
		}
		for _, a := range r.Layers["puma"].Areas {
			in, err := db.CodesIn(t.Context(), lookup.LayerPUMA, a.ID, lookup.CodesInOptions{})
			if err != nil || !slices.ContainsFunc(in.Codes, func(s lookup.CodeShare) bool { return s.Code == code }) {
				t.Errorf("%s is not among the codes of its area %s: %v", code, a.ID, err)
			}
		}
	}
	if found["urban_area"] == 0 || found["tribal_area"] == 0 {
		t.Errorf("areas of records: %v", found)
	}
	r, err := db.Lookup(t.Context(), "K1A", opt)
	if err != nil || len(r.Layers) > 0 || len(r.Notices) != 1 {
		t.Errorf("a Canadian code has %+v: %v", r, err)
	}
}

// TestOwnLayerHidesNamed adds a layer of the user with the name of one of the catalog.
// Records have the user's; other calls have each by its name.
func TestOwnLayerHidesNamed(t *testing.T) {
	b := buildMirror(t, countryMirror(t), "puma")
	p := b.Layer(store.LayerPUMA).Area(0).Point
	const side = 0.01
	square := fmt.Sprintf(`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"id":"mine"},"geometry":{"type":"Polygon","coordinates":[[[%f,%f],[%f,%f],[%f,%f],[%f,%f]]]}}]}`,
		p.Lng()-side, p.Lat()-side, p.Lng()+side, p.Lat()-side, p.Lng(), p.Lat()+side, p.Lng()-side, p.Lat()-side)
	out := filepath.Join(t.TempDir(), "out.db")
	if _, err := builder.Extend(t.Context(), b.path, builder.Options{Output: out, Cache: t.TempDir(), OwnLayers: []string{"puma=" + named(t, "mine.geojson", square) + ",id=id"}}); err != nil {
		t.Fatal(err)
	}
	own := sampletest.File(t, out)
	opt, _ := lookup.ParseOptions([]string{"puma"})
	fam, _, err := own.FamiliesAt(t.Context(), p, opt)
	if err != nil || len(fam.Layers["puma"].Areas) != 1 || fam.Layers["puma"].Areas[0].ID != "mine" {
		t.Errorf("the layers are %+v: %v", fam.Layers, err)
	}
	id, _ := lookup.ParseLayer("puma")
	if _, err := own.CodesIn(t.Context(), id, b.Layer(store.LayerPUMA).GEOID(0), lookup.CodesInOptions{}); err != nil {
		t.Error(err)
	}
}
