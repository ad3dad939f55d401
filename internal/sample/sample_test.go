package sample_test

import (
	"context"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store"
)

func open(t *testing.T) *store.Dataset {
	t.Helper()
	d := lookuptest.Sample(t)
	return d
}

func TestSize(t *testing.T) {
	const largest = 6_000_000
	f, err := fs.ReadFile(sample.FS(), sample.Name)
	if err != nil || len(f) > largest {
		t.Errorf("the embedded file has %d bytes, at most %d: %v", len(f), largest, err)
	}
	d := open(t)
	if err := d.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	if d.NumZIPs() < 400 || d.NumFSAs() < 65 || d.NumPostalCodes() < 1000 {
		t.Errorf("%d ZIPs, %d FSAs and %d postal codes", d.NumZIPs(), d.NumFSAs(), d.NumPostalCodes())
	}
}

// TestManifest checks that every source is either invented and marked so, or named with
// a license that lets it be passed on.
func TestManifest(t *testing.T) {
	m := open(t).Manifest()
	if !m.Sample || !strings.HasPrefix(m.Version, "sample") {
		t.Errorf("version %q, sample %v", m.Version, m.Sample)
	}
	invented := regexp.MustCompile(`^(usps-.*|zip4-points|address-points|acs(-\d+)?)$`)
	for _, s := range m.Sources {
		marked := s.Vintage == "sample" && strings.HasPrefix(s.Title, "Sample: ")
		want := invented.MatchString(s.ID)
		if marked != want {
			t.Errorf("%s: %q, %q; invented is %v", s.ID, s.Title, s.Vintage, want)
		}
		if s.License == "" || s.Redistribution == "unknown" || s.Redistribution == "restricted" || !marked && s.Attribution == "" {
			t.Errorf("%s: license %q, redistribution %q, attribution %q", s.ID, s.License, s.Redistribution, s.Attribution)
		}
		if strings.Contains(s.URL+s.Title+s.Attribution, "unitedstateszipcodes") {
			t.Errorf("%s is from a publisher that forbids it", s.ID)
		}
	}
}

func TestDemoCodes(t *testing.T) {
	d := open(t)
	for _, code := range []string{"90210", "10001", "10118", "32504", "00601", "96950", "33139", "60601", "98101", "30301"} {
		z, _ := postcode.ParseZIP(code)
		if _, ok := d.ZIP(z); !ok {
			t.Errorf("no ZIP Code %s", code)
		}
		if !d.HasZIP4(z) {
			t.Errorf("ZIP Code %s has no ZIP+4 records", code)
		}
	}
	for _, code := range []string{"K1A", "M5V"} {
		f, _ := postcode.ParseFSA(code)
		if _, ok := d.FSA(f); !ok {
			t.Errorf("no FSA %s", code)
		}
	}
	p, _ := postcode.ParsePostalCode("K1A 0B1")
	if row, ok := d.PostalCode(p); !ok || row.City != "Ottawa" {
		t.Errorf("K1A 0B1: %v, %+v", ok, row)
	}
}

func TestZIP4RecordsOfEveryType(t *testing.T) {
	ctx := context.Background()
	d := open(t)
	kinds := map[byte]int{}
	var records, located, alternates int
	for z := range d.ZIPs() {
		if !d.HasZIP4(z.ZIP) {
			continue
		}
		for p := range postcode.Plus4(10_000) {
			if p > 1500 && p < 9999 {
				continue // the sample has none there
			}
			found, err := d.ZIP4(ctx, z.ZIP, p)
			check(t, err)
			for _, r := range found {
				if r.Low != p {
					continue
				}
				records++
				kinds[r.RecordType]++
				if r.Location.IsValid() {
					located++
				}
				if r.Alternate {
					alternates++
				}
			}
		}
	}
	for _, k := range []byte("SHFPGR") {
		if kinds[k] == 0 {
			t.Errorf("no record of type %c", k)
		}
	}
	if records < 3000 || located < 2000 || alternates == 0 {
		t.Errorf("%d ZIP+4 records, %d with a point, %d alternates", records, located, alternates)
	}
	t.Logf("%d ZIP+4 records, %d with a point: %d street, %d high-rise, %d firm, %d PO box, %d general delivery, %d rural route",
		records, located, kinds['S'], kinds['H'], kinds['F'], kinds['P'], kinds['G'], kinds['R'])
}
