package lookup_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/geo"
)

// TestTractAt reads the tract around a point: the same one for every year that
// its tables have.
func TestTractAt(t *testing.T) {
	r := surveyedReader(t)
	for _, tt := range []struct {
		name               string
		at                 geo.LatLng
		flags              string
		geoid              string
		people             int64
		delivered, missing string
	}{
		{"newest", geo.MustLatLng(34.15, -118.42), "acs_tract_demographic", "1400000US06037700600", 3000, "acs_tract_demographic", ""},
		{"newest by its year", geo.MustLatLng(34.15, -118.42), "acs_tract_demographic_2023", "1400000US06037700600", 3000, "acs_tract_demographic", ""},
		{"its neighbour", geo.MustLatLng(34.05, -118.42), "acs_tract_demographic", "1400000US06037700700", 1000, "acs_tract_demographic", ""},
		{"a part of it", geo.MustLatLng(34.15, -118.42), "acs_tract_housing_2022,acs_tract_demographic,acs_tract_social", "1400000US06037700600", 3000, "acs_tract_demographic", "acs_tract_social acs_tract_housing_2022"},
		{"no table", geo.MustLatLng(34.15, -118.42), "acs_tract_housing", "", 0, "", "acs_tract_housing"},
		{"no tract", geo.MustLatLng(0, 0), "acs_tract_demographic,acs_tract_housing_2022", "", 0, "", "acs_tract_demographic acs_tract_housing_2022"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var tags []acs.Tag
			for flag := range strings.SplitSeq(tt.flags, ",") {
				tag, err := acs.ParseTag(flag, acs.Tract)
				check(t, err)
				tags = append(tags, tag)
			}
			survey, delivered, missing, err := r.TractAt(t.Context(), tt.at, tags, acs.Options{})
			check(t, err)
			names := func(tags []acs.Tag) string {
				var list []string
				for _, tag := range tags {
					list = append(list, tag.Flag(acs.Tract))
				}
				return strings.Join(list, " ")
			}
			if diff := cmp.Diff([]string{tt.delivered, tt.missing}, []string{names(delivered), names(missing)}); diff != "" {
				t.Errorf("delivered and missing (-want +got):\n%s", diff)
			}
			if survey == nil {
				if tt.geoid != "" {
					t.Errorf("nothing, want %s", tt.geoid)
				}
				return
			}
			b := &survey.Tract[0]
			if b.GeoID != tt.geoid || b.Level != acs.Tract.String() || b.Published != nil || !b.Current {
				t.Errorf("%+v", b)
			}
			if n, _ := b.Metric(acs.MustField("demographic.sex_and_age.total_population")).Estimate.Float64(); int64(n) != tt.people {
				t.Errorf("%v people, want %d", n, tt.people)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, _, err := r.TractAt(ctx, geo.MustLatLng(34.15, -118.42), []acs.Tag{{Profile: acs.Demographic}}, acs.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
}
