package builder_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/store"
)

// TestEvidence reads back which sources decided the county and the class of a
// ZIP.
func TestEvidence(t *testing.T) {
	w := bounded(t)
	w.zip("43907", "Outvoted", "OH", "901", 40.2, -82.0)
	w.zip("43909", "Agreed", "OH", "903", 40.4, -82.0)
	w.zip("20599", "Federal", "OH", "901", 40.0, -83.5)
	w.supplied("43907", "PO BOX", "0", "Outvoted", "", "OH", "Birch County", "614", 40.2, -82.0)
	w.supplied("43909", "STANDARD", "0", "Agreed", "", "OH", "Birch County", "614", 40.4, -82.0)
	w.other("www2.census.gov/geo/docs/reference/cenpop2020/blkgrp/CenPop2020_Mean_BG.txt", "", "STATEFP,COUNTYFP,TRACTCE,BLKGRPCE,POPULATION,LATITUDE,LONGITUDE",
		"39,903,000100,1,300,+40.000000,-082.700000", // in the outline of 43902, which GeoNames has in 39901
	)
	b := w.buildWith(builder.Options{Layers: []string{"boundaries"}})
	votes := func(list ...store.CountySource) []store.CountySource { return list }
	tests := []struct {
		code, county string
		class        store.Class
		basis        string
		votes        []store.CountySource
	}{
		{"43907", "39903", store.POBox, "zip-database", votes( // without a majority the table decides
			store.CountySource{Source: "zip-database", FIPS: "39903", Chosen: true},
			store.CountySource{Source: "geonames-us", FIPS: "39901"},
		)},
		{"43909", "39903", store.General, "zip-database", nil},
		{"43902", "39903", store.General, store.ClassInferred, votes(
			store.CountySource{Source: "geonames-us", FIPS: "39901"},
			store.CountySource{Source: "residents", FIPS: "39903", Chosen: true},
		)},
		{"20599", "39901", store.Unique, "prefix", nil},
	}
	for _, tt := range tests {
		t.Run(tt.code, func(t *testing.T) {
			row, detail := b.zip(tt.code)
			type evidence struct {
				County string
				Class  store.Class
				Basis  string
				Votes  []store.CountySource
			}
			want := evidence{tt.county, tt.class, tt.basis, tt.votes}
			got := evidence{b.County(row.County).FIPS, row.Class, detail.Quality.ClassBasis, detail.Quality.Counties}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("evidence (-want +got):\n%s", diff)
			}
		})
	}
}
