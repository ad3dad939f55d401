package builder_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/lookup"
)

// crossed returns the figures of all pairs by From and To.
func crossed(t *testing.T, db *postgeo.DB, from, to lookup.Layer, opt lookup.CrosswalkOptions) map[[2]string]lookup.CrosswalkRow {
	t.Helper()
	rows := map[[2]string]lookup.CrosswalkRow{}
	for row, err := range db.Crosswalk(t.Context(), from, to, opt) {
		if err != nil {
			t.Fatalf("%s to %s: %v", from, to, err)
		}
		rows[[2]string{row.From, row.To}] = row
	}
	return rows
}

// db opens the file with the library.
func (b *built) db() *postgeo.DB {
	b.t.Helper()
	db, err := postgeo.Open(b.path)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { db.Close() })
	return db
}

// TestCensusBlocks supplies invented blocks of one county in two formats. Every
// weight of every pair is the sum over the blocks inside, to the person, and other
// counties keep their block groups.
func TestCensusBlocks(t *testing.T) {
	o := builder.Options{Mirror: countryMirror(t), Layers: []string{"census", "districts"}, Sample: true}
	base, err := build(t, o)
	check(t, err)
	plain := base.db()
	county, most := "", map[string]int{} // the county with most ZIP Codes
	for z := range base.ZIPs() {
		if fips := base.county(z.County); z.Location.IsValid() {
			if most[fips]++; most[fips] > most[county] {
				county = fips
			}
		}
	}
	type figures struct{ people, housing, land int }
	want, whole := map[string]figures{}, figures{}
	var text strings.Builder
	var features []string
	text.WriteString("GEOID20,POP20,HOUSING20,ALAND20,INTPTLAT20,INTPTLON20\n")
	n := 0
	for code, err := range plain.Codes(t.Context(), lookup.ZIP) {
		check(t, err)
		r, err := plain.QuickLookup(t.Context(), code, lookup.QuickOptions{})
		check(t, err)
		if r.CountyFIPS != county || !r.Location.IsValid() {
			continue
		}
		n++
		f := figures{7*n + 1, 3 * n, 1000 * n}
		at, err := plain.QuickLookup(t.Context(), postgeo.At(r.Location), lookup.QuickOptions{})
		if err != nil || at.Code == "" {
			at = &lookup.QuickRecord{}
		}
		sum := want[at.Code]
		want[at.Code] = figures{sum.people + f.people, sum.housing + f.housing, sum.land + f.land}
		whole = figures{whole.people + f.people, whole.housing + f.housing, whole.land + f.land}
		geoid, lat, lng := fmt.Sprintf("%s%06d1%03d", county, n, n), r.Location.Lat(), r.Location.Lng()
		if n%2 == 1 {
			fmt.Fprintf(&text, "%s,%d,%d,%d,%+.6f,%+.6f\n", geoid, f.people, f.housing, f.land, lat, lng)
		} else {
			const side = 1e-5
			features = append(features, fmt.Sprintf(`{"type":"Feature","properties":{"GEOID20":"%s","POP20":%d,"HOUSING20":%d,"ALAND20":%d,"INTPTLAT20":"%+f","INTPTLON20":"%+f"},"geometry":{"type":"Polygon","coordinates":[[[%f,%f],[%f,%f],[%f,%f],[%f,%f]]]}}`,
				geoid, f.people, f.housing, f.land, lat, lng, lng-side, lat-side, lng+side, lat-side, lng, lat+side, lng-side, lat-side))
		}
	}
	if n < 4 {
		t.Fatalf("%d blocks", n)
	}
	o.Blocks = []string{
		named(t, "blocks.csv", text.String()),
		named(t, "tabblock20.geojson", `{"type":"FeatureCollection","features":[`+strings.Join(features, ",")+`]}`),
	}
	with, err := build(t, o)
	check(t, err)
	db := with.db()
	for _, weight := range []lookup.Weight{lookup.WeightPeople, lookup.WeightHousing, lookup.WeightArea} {
		t.Run(string(weight), func(t *testing.T) {
			// Area relates codes to layers by outlines, and two layers by land.
			from, to := lookup.Layer("zip"), lookup.LayerCounty
			if weight == lookup.WeightArea {
				from, to = "county", "cd"
			}
			got, total := crossed(t, db, from, to, lookup.CrosswalkOptions{Weight: weight, Remainder: true}), 0.0
			for pair, row := range got {
				if weight == lookup.WeightArea {
					if pair[0] == county {
						total += *row.IntersectionSqMi
					}
					continue
				}
				if pair[1] != county {
					if weight == lookup.WeightHousing || row.Basis != "block_groups" && row.Basis != "contains_point" {
						t.Errorf("%v: %+v", pair, row)
					}
					continue
				}
				figure, hand := *row.People, want[pair[0]].people
				if weight == lookup.WeightHousing {
					figure, hand = int(*row.HousingUnits), want[pair[0]].housing
				}
				if total += float64(figure); figure != hand || row.Basis != "blocks" && hand > 0 {
					t.Errorf("%v: %d by %s, by hand %d", pair, figure, row.Basis, hand)
				}
			}
			sum := map[lookup.Weight]float64{lookup.WeightPeople: float64(whole.people), lookup.WeightHousing: float64(whole.housing), lookup.WeightArea: float64(whole.land) / 2589988.110336}[weight]
			if math.Abs(total-sum) > 0.001 {
				t.Errorf("%v in all, want %v", total, sum)
			}
		})
	}
	for pair, row := range crossed(t, plain, "zip", "county", lookup.CrosswalkOptions{Weight: lookup.WeightPeople, Remainder: true}) {
		if pair[1] == county && row.Basis != "block_groups" && *row.People > 0 {
			t.Errorf("the sample: %+v", row)
		}
	}
	bad := []string{
		"0603700000110,5,,,,", "060370000011000,3000000000,,,,", "060370000011000,5.5,,,,", "060370000011000,5,,1000000000001,,",
		"060370000011000,5,,,95,1", "060370000011000,5,-1,,,", "060370000011000,,,,34,-118", "060370000011000,5,,,,",
		"060370000011002,5,x,,34,-118", "060370000011002,5,,..,34,-118",
	}
	rows := append([]string{"GEOID20,POP20,HOUSING20,ALAND20,LAT,LON", "060370000011001,5,2,7,34,-118"}, bad...)
	report := newWorld(t, "small").buildWith(builder.Options{Blocks: []string{named(t, "bad.csv", strings.Join(rows, "\n")+"\n")}}).report
	if !slices.ContainsFunc(report.Sources, func(s builder.SourceReport) bool { return s.ID == "own-blocks" && s.Refused == int64(len(bad)) }) {
		t.Errorf("bad rows were accepted: %+v", report.Sources)
	}
}
