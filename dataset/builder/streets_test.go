package builder_test

import (
	"os"
	"testing"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/store"
)

// TestAddressRanges checks the source of a ZIP's streets: the ZIP+4 product,
// else range files.
func TestAddressRanges(t *testing.T) {
	w := newWorld(t)
	w.supplied("43901", "STANDARD", "0", "Other Name", "Alias", "OH", "Birch County", "", 40.01, -83.01)
	w.supplied("43902", "STANDARD", "0", "Other Name", "", "OH", "Birch County", "", 40.01, -83.01)
	w.supplied("43903", "STANDARD", "0", "Other Name", "", "OH", "Birch County", "", 40.01, -83.01)
	b := w.buildWith(builder.Options{
		USPSZIP4: w.file("zip4.txt", header(182), zip4("43901", "1001", "1001", "MAIN", "B")),
		AddressRanges: []string{
			w.file("a.csv", record("low,high,street,zip,plus4\n1,99,Main St,43901,1001\n2,98,N Oak Ave,43902,2001\n1,99,N Oak Ave,43903,\n")),
			w.file("b.csv", record("low,high,street,zip\n1,99,Elm St,43902\n1,99,Elm St,43999\n")),
		},
	})
	zip := func(text string) dataset.ZIP { z, _ := dataset.ParseZIP(text); return z }
	for z, want := range map[string]int{"43901": 1, "43902": 2, "43903": 1} {
		n := 0
		for r, err := range b.StreetRecords(t.Context(), zip(z)) {
			if err != nil {
				t.Fatal(err)
			}
			if r.State != "OH" && z != "43901" {
				t.Errorf("%s: %+v, want the ZIP's state", z, r)
			}
			n++
		}
		if n != want {
			t.Errorf("%s has %d records, want %d", z, n, want)
		}
	}
	if b.HasZIP4(zip("43903")) || !b.HasZIP4(zip("43902")) {
		t.Error("add-ons of 43903, want only those of 43902")
	}
	for reason, want := range map[string]int64{
		"address-ranges: another source has the streets": 1, "address-ranges-2: unknown ZIP Code": 1,
	} {
		if got := b.count(b.report.Refused, reason); got != want {
			t.Errorf("refused as %q: %d, want %d", reason, got, want)
		}
	}
}

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
	zip, _ := dataset.ParseZIP("59645")
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
	if b.count(b.report.Refused, "tiger-addrfeat: unknown ZIP Code") == 0 || b.RoadCoverage(store.RoadAreaOfZIP(zip)).Ranges != all {
		t.Error("ranges of the county's other ZIP Codes are not refused")
	}
}
