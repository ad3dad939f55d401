package operation_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// TestFormerCounty checks that a county that ended is reported with its successors, by
// its code and by its name.
func TestFormerCounty(t *testing.T) {
	db := sampletest.Open(t)
	const want = "Hartford County, CT (09003) ended in 2022; its area is now in 09110 (Capitol Planning Region)"
	for _, text := range []string{"09003", "hartford county", "Hartford County, CT"} {
		var in operation.CodesInArea
		in.Layer, in.GEOID = "county", text
		if _, err := in.Find(t.Context(), db); !errors.Is(err, postgeo.ErrNotFound) || !strings.Contains(err.Error(), want) {
			t.Errorf("codes in %q: %v; want %q", text, err, want)
		}
	}
	for query, ended := range map[string]bool{"hartford county": true, "Hartford County, CT": true, "hartford county, ma": false, "hartford cou": false, "capitol region": false} {
		r, err := db.Suggest(t.Context(), query, suggest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(r.Notices) == 1 && strings.HasPrefix(r.Notices[0].Message, want); got != ended {
			t.Errorf("suggest %q: notices %v; want the end of the county: %t", query, r.Notices, ended)
		}
		if ended && (len(r.Matches) == 0 || r.Matches[0].GEOID != "09110") {
			t.Errorf("suggest %q: %v; want the planning region", query, r.Matches)
		}
	}
}
