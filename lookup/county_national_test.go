package lookup_test

import (
	"slices"
	"testing"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/lookup"
)

// TestNationalPostalCounty checks that every ZIP Code with counties lists its county
// of record. Its file is a national dataset.
func TestNationalPostalCounty(t *testing.T) {
	path := lookuptest.NationalPath(t)
	d := lookuptest.OpenFile(t, path)
	r := lookuptest.Reader(t, d)
	var omitted []string
	zips := 0
	for row := range d.ZIPs() {
		rec := full(t, r, row.ZIP.String(), lookup.Include{Census: true})
		if row.County == 0 || rec.Census == nil || rec.Census.Current == nil {
			continue
		}
		zips++
		if !slices.ContainsFunc(rec.Census.Current.County, func(a lookup.CensusArea) bool { return a.IsUSPSPrimary == lookup.True }) {
			omitted = append(omitted, row.ZIP.String())
		}
	}
	t.Logf("%d ZIP Codes", zips)
	if zips < 40_000 || len(omitted) > 0 {
		t.Errorf("%d of %d ZIP Codes omit their county of record: %v", len(omitted), zips, omitted[:min(len(omitted), 20)])
	}
}
