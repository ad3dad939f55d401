package enrich_test

import (
	"fmt"
	"testing"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/sampletest"
)

// BenchmarkRow answers rows of each kind, and searches around them.
func BenchmarkRow(b *testing.B) {
	db := sampletest.Open(b)
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
		{"area", "90210", enrich.Options{Kind: enrich.Code, Areas: areasOf(b), Add: []string{"in_area.name"}}},
		{"city", "San Francisco, CA", enrich.Options{Kind: enrich.City, Add: []string{"geocode.city", "geocode.location.lat"}}},
		{"position", "350 5th Ave, New York, NY 10118", enrich.Options{Kind: enrich.Address, Add: []string{"geocode.location.lat", "geocode.location.lon", "geocode.precision", "geocode.radius_m"}}},
	}
	for _, k := range kinds {
		b.Run(k.name, func(b *testing.B) {
			e, err := enrich.New(db, k.opt)
			check(b, err)
			benchmarkRow(b, e, k.key)
		})
	}
}

func benchmarkRow(b *testing.B, e *enrich.Enricher, key string) {
	b.Helper()
	var values []enrich.Value
	b.ReportAllocs()
	for b.Loop() {
		var out enrich.Outcome
		var err error
		if values, out, err = e.Row(b.Context(), key, values[:0]); err != nil || !out.Status.Answered() {
			b.Fatal(out, err)
		}
	}
}

// BenchmarkNearestPlace finds the nearest of 5,000 places.
func BenchmarkNearestPlace(b *testing.B) {
	const n = 5000
	var rows [][]string
	for i := range n {
		p := geo.MustLatLng(25+float64(i*7919%24000)/1000, -124+float64(i*104729%57000)/1000)
		rows = append(rows, []string{p.String(), fmt.Sprint(i)})
	}
	db := sampletest.Open(b)
	places := placesOf(b, db, enrich.Coordinates, []string{"n"}, rows...)
	for _, from := range []struct{ name, key string }{{"code", "90210"}, {"coordinate", "34.1,-118.415"}} {
		b.Run("row by "+from.name, func(b *testing.B) {
			e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Places: places, Add: []string{"nearest_place.n", "nearest_place.distance.miles"}})
			check(b, err)
			benchmarkRow(b, e, from.key)
		})
	}
}
