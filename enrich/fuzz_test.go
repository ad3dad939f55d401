package enrich_test

import (
	"testing"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/radius"
)

var kinds = []enrich.Kind{enrich.Code, enrich.Coordinates, enrich.Address, enrich.City}

// FuzzPlaces makes lists of places of any keys, and finds the nearest.
func FuzzPlaces(f *testing.F) {
	f.Add("90210", "34,-118", "10001")
	f.Add("90,0", "-90,180", "0,-180")
	f.Add("", "x", "san francisco ca")
	db := sampletest.Open(f)
	f.Fuzz(func(t *testing.T, one, two, key string) {
		for _, kind := range kinds {
			p, err := enrich.NewPlaces(t.Context(), db, []string{"key"}, placeRows([][]string{{one, one}, {two, two}}), enrich.PlaceOptions{Kind: kind})
			if err != nil {
				continue
			}
			if p.Len()+len(p.Unplaced()) != 2 || p.Len() == 0 {
				t.Fatalf("%d of two places, without a point %v", p.Len(), p.Unplaced())
			}
			e, err := enrich.New(db, enrich.Options{Kind: kind, Places: p, Add: []string{"nearest_place.key", "nearest_place.distance.km", "nearest_place.bearing"}})
			check(t, err)
			values, out, err := e.Row(t.Context(), key, nil)
			if err != nil {
				t.Fatalf("Row(%q): %v", key, err)
			}
			km, bearing := values[1].Float(), values[2].Float()
			if out.Status.Answered() && (km < 0 || km > 20_100 || bearing < 0 || bearing >= 360) {
				t.Fatalf("Row(%q) of %q and %q: %v, %v", key, one, two, values, out)
			}
		}
	})
}

// FuzzPath adds fields of any path, and for rows of any key if the path is
// valid.
func FuzzPath(f *testing.F) {
	for _, seed := range []string{"city", "a=census.county.1.name", "acs.2019.economic.income.median_household_income.moe", "radius.matches.code", "timezone.zones", "address.acs.tract.2023.social", "metro.", "nearest.2.code", "nearest_place.2.id", "nearest_place.columns.id", "in_area.name", "in_area.row"} {
		f.Add(seed, "90210")
	}
	db := sampletest.Open(f)
	areas := areasOf(f)
	stores := placesOf(f, db, enrich.Code, []string{"id", "row"}, []string{"90210", "a", "b"}, []string{"10001", "c", ""}, []string{"", "", ""})
	f.Fuzz(func(t *testing.T, path, key string) {
		if enrich.Check(db, []string{path}) != nil { // is refused for every kind
			return
		}
		for _, kind := range kinds {
			e, err := enrich.New(db, enrich.Options{
				Kind: kind, Add: []string{path}, Radius: radius.Options{Max: 1},
				Nearest: radius.NearestOptions{Count: 1 + len(kind)%3}, Places: stores, Areas: areas,
			})
			if err != nil {
				continue
			}
			values, out, err := e.Row(t.Context(), key, nil)
			if err != nil || len(values) != 1 || out.Status == "" {
				t.Fatalf("Row(%q) with %q: %v, %v, %v", key, path, values, out, err)
			}
			if v := values[0]; !v.IsNull() && v.Type() != e.Columns()[0].Type {
				t.Fatalf("%q is a %v, its column is %v", path, v.Type(), e.Columns()[0].Type)
			}
		}
	})
}

// BenchmarkRow answers rows of each kind, and searches around them.
func BenchmarkRow(b *testing.B) {
	db := sampletest.Open(b)
	_, rows := scattered(5000)
	near := enrich.Options{Kind: enrich.Code, Places: placesOf(b, db, enrich.Coordinates, []string{"n"}, rows...), Add: []string{"nearest_place.n", "nearest_place.distance.miles"}}
	kinds := []struct {
		name, key string
		opt       enrich.Options
	}{
		{"quick", "90210", enrich.Options{Kind: enrich.Code, Add: []string{"city", "county_fips"}}},
		{"record", "90210", enrich.Options{Kind: enrich.Code, Add: []string{"metro.msa", "census.county.fips"}}},
		{"survey", "90210", enrich.Options{Kind: enrich.Code, Add: []string{"acs.economic.income.median_household_income"}}},
		{"coordinates", "34.1,-118.415", enrich.Options{Kind: enrich.Coordinates, Add: []string{"code", "county_fips"}}},
		{"address", "350 5th Ave, New York NY 10118", enrich.Options{Kind: enrich.Address, Add: []string{"code", "county_fips"}}},
		{"nearest code", "90210", enrich.Options{Kind: enrich.Code, Add: []string{"nearest.2.code", "nearest.2.distance_miles"}}},
		{"nearest place of a code", "90210", near},
		{"nearest place of a coordinate", "34.1,-118.415", near},
		{"area", "90210", enrich.Options{Kind: enrich.Code, Areas: areasOf(b), Add: []string{"in_area.name"}}},
		{"city", "San Francisco, CA", enrich.Options{Kind: enrich.City, Add: []string{"geocode.city", "geocode.location.lat"}}},
		{"position", "350 5th Ave, New York, NY 10118", enrich.Options{Kind: enrich.Address, Add: []string{"geocode.location.lat", "geocode.location.lon", "geocode.precision", "geocode.radius_m"}}},
	}
	for _, k := range kinds {
		b.Run(k.name, func(b *testing.B) {
			e, err := enrich.New(db, k.opt)
			check(b, err)
			var values []enrich.Value
			b.ReportAllocs()
			for b.Loop() {
				var out enrich.Outcome
				if values, out, err = e.Row(b.Context(), k.key, values[:0]); err != nil || !out.Status.Answered() {
					b.Fatal(out, err)
				}
			}
		})
	}
}
