package lookup_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/lookup"
)

func TestQuality(t *testing.T) {
	r := newReader(t)
	ratio, off, year := 1.0412, 10.0312, 2021
	for input, want := range map[string]struct {
		quality *lookup.Quality
		notices []envelope.Notice
	}{
		"90210": {quality: &lookup.Quality{
			PointSource: "block-group centers 2020", OutlineSource: "test areas 2026", OutlineAreaRatio: &ratio,
			CountySources: []lookup.CountySource{
				{Source: "residents", County: "Los Angeles County", CountyFIPS: "06037", Chosen: true},
				{Source: "geonames-us", CountyFIPS: "06999"},
			},
			BusinessYear:        new(2020),
			ClassificationBasis: "inferred",
		}},
		"A1C": {
			quality: &lookup.Quality{OutlineAreaRatio: &off, PopulationYear: &year, Notes: []string{"The outline includes inland water; the stated area is land only."}},
		},
		"10001": {notices: []envelope.Notice{notice.UnavailableEnrichments([]string{"quality"})}},
	} {
		rec, err := r.Full(t.Context(), input, lookup.Options{Include: lookup.Include{Quality: true}})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.quality, rec.Quality); diff != "" {
			t.Errorf("quality of %s (-want +got):\n%s", input, diff)
		}
		if diff := cmp.Diff(want.notices, rec.Notices); diff != "" {
			t.Errorf("notices of %s (-want +got):\n%s", input, diff)
		}
	}
}
