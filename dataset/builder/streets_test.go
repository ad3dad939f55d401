package builder_test

import (
	"os"
	"testing"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// TestAddressFeatures builds with a county of TIGER/Line, to whose ZIP Code the
// test's own state is given.
func TestAddressFeatures(t *testing.T) {
	path := "../../../shared/data/address/tl_2021_30059_addrfeat.zip"
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not there; the test needs the shared data beside the repository", path)
	}
	w := newWorld(t)
	w.supplied("59645", "STANDARD", "0", "Other Name", "", "OH", "Birch County", "", 40.01, -83.01)
	b := w.buildWith(builder.Options{AddrFeat: []string{path}})
	zip, _ := postcode.ParseZIP("59645")
	records, err := b.Streets(t.Context(), zip, "CENTRAL", nil)
	if err != nil || len(records) == 0 || b.HasZIP4(zip) {
		t.Fatalf("%d records of Central Ave, %v; want some, without add-ons", len(records), err)
	}
	for _, r := range records {
		if !r.NoPlus4 || r.Street != "CENTRAL" || !r.Location.IsValid() || r.State != "OH" {
			t.Errorf("%+v", r)
		}
	}
	all := 0
	for _, err := range b.StreetRecords(t.Context(), zip) {
		if all++; err != nil {
			t.Fatal(err)
		}
	}
	if b.count(b.report.Refused, "tiger-addrfeat: unknown ZIP Code") == 0 || b.RoadCoverage(store.CodeOfZIP(zip)).Ranges != all {
		t.Error("ranges of the county's other ZIP Codes are not refused")
	}
}
