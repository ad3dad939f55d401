package lookup_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/lookup"
)

// TestTractAt reads the tract around a point: the same one for every year that
// its tables have.
func TestTractAt(t *testing.T) {
	r := surveyedReader(t)
	lookuptest.Table(t, "tracts.txt", *update, func(text string) string {
		at, flags, _ := strings.Cut(text, " ")
		var tags []acs.Tag
		for flag := range strings.SplitSeq(flags, ",") {
			tag, err := acs.ParseTag(flag, acs.Tract)
			check(t, err)
			tags = append(tags, tag)
		}
		survey, delivered, missing, err := r.TractAt(t.Context(), lookup.MustParseCode(at).LatLng(), tags, acs.Options{})
		check(t, err)
		out := "no tract"
		if survey != nil {
			b := &survey.Tract[0]
			if b.Level != acs.Tract.String() || b.Published != nil || !b.Current {
				t.Errorf("%+v", b)
			}
			out = fmt.Sprint(b.GeoID, " with ", b.Metric(acs.MustField("demographic.sex_and_age.total_population")).Estimate)
		}
		for i, list := range [][]acs.Tag{delivered, missing} {
			out += []string{"; delivered", "; missing"}[i]
			for _, tag := range list {
				out += " " + tag.Flag(acs.Tract)
			}
		}
		return out
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, _, err := r.TractAt(ctx, geo.MustLatLng(34.15, -118.42), []acs.Tag{{Profile: acs.Demographic}}, acs.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
}
