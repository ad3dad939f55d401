package builder_test

import (
	"testing"

	"github.com/postgeo/postgeo/internal/store"
)

// TestOutlinesAreReadOnce checks that a file of outlines that two steps read is
// parsed once. Its faults are reported once, and both steps have its areas.
func TestOutlinesAreReadOnce(t *testing.T) {
	w := bounded(t)
	square := func(west, south, east, north float64, values ...string) outline {
		return outline{west, south, east, north, values}
	}
	places := []outline{
		square(-83, 39.9, -82.9, 40.1, "3990002", "Bigburg", "Bigburg city", "25"),
		square(-82.6, 39.9, -82.5, 40.1, "", "Nameless", "Nameless city", "25"),
	}
	towns := []outline{
		square(-83.5, 39.5, -81, 41, "3990190001", "Township", "Township township", "44"),
		square(-83.5, 39.5, -81, 41, "", "Nowhere", "Nowhere township", "44"),
	}
	counties := []outline{square(-84, 39, -82.5, 41, "39901", "Amber", "Amber County", "06"), square(-82.5, 39, -81, 41, "39903", "Birch", "Birch County", "06")}
	w.outlines(counties, places, towns, []outline{square(-78, 43, -76, 45, "K9Q", "12.5")})
	// The mirror counts all rows, including those without a result.
	w.others["ACTUAL.csv"] = []byte("path,vintage,rows,official_rows,fit_for_shares,note\nwww2.census.gov/geo/tiger/GENZ2024/shp/cb_2024_us_place_500k.zip,2024,3,3,no,\n")
	b := w.build("places", "census")
	for source, id := range map[string]store.LayerID{"cb-places": store.LayerPlace, "cb-cousubs": store.LayerCountySubdivision} {
		if n := b.count(b.report.Refused, source+": bad GEOID"); n != 1 {
			t.Errorf("%s: %d rows without GEOID are told, want 1", source, n)
		}
		if l := b.Layer(id); l.Len() != 1 {
			t.Errorf("%s: %d areas, want 1", id, l.Len())
		}
		for _, s := range b.report.Sources {
			if s.ID == source && s.Rows != 3 {
				t.Errorf("%s: %d rows are told, want 3", source, s.Rows)
			}
		}
	}
	if row, _ := b.zip("43902"); row.Municipality != "" {
		t.Errorf("43902 is in %q, which its point does not lie in", row.Municipality)
	}
}
