package lookup_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup"
)

// TestLikely compares probabilities with the people and areas of records.
func TestLikely(t *testing.T) {
	db := sampletest.Open(t)
	likely := func(input string, flags ...string) *lookup.Record {
		t.Helper()
		opt, unknown := lookup.ParseOptions(append(flags, "likely"))
		rec, err := db.Lookup(t.Context(), input, opt)
		if err != nil || unknown != nil {
			t.Fatalf("%s: %v, unknown flags %v", input, err, unknown)
		}
		return rec
	}
	rec := likely("90210", "cd")
	want := []lookup.LikelyArea{{"0636", "Congressional District 36", 0.59}, {"0632", "Congressional District 32", 0.41}} // of 59.4 and 40.6 % of the people
	if diff := cmp.Diff(want, rec.Likely.CD); diff != "" || rec.Likely.County != nil || !slices.Contains(rec.Delivered(), "likely") {
		t.Errorf("90210 (-want +got):\n%s\n%+v", diff, rec.Likely)
	}
	if rec = likely("34.09,-118.4", "census", "cd"); rec.Likely.CD[0].P != 1 || rec.Likely.Tract[0].P != 1 {
		t.Errorf("a coordinate has %+v, expected what contains it", rec.Likely)
	}
	if rec = likely("M5V", "cd"); rec.Likely.CD[0].GEOID != "35101" {
		t.Errorf("M5V has %+v", rec.Likely)
	}
	if rec = likely("90210", "timezone"); rec.Likely == nil || rec.Likely.County == nil || rec.Likely.Tract == nil || rec.Likely.StateUpper == nil {
		t.Errorf("90210 without a family has %+v, expected the areas of all", rec.Likely)
	}
	if rec = likely("00501", "cd"); rec.Likely != nil || slices.Contains(rec.Delivered(), "likely") { // no outline
		t.Errorf("00501 has %+v, expected none", rec.Likely)
	}
}
