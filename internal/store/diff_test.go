package store_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

func TestDiffSame(t *testing.T) {
	c := generate(8, 40, 20, 400, 30).generateCover(8, 50)
	a := open(t, c.file(t))
	b := open(t, c.file(t))
	d, err := store.Diff(t.Context(), a, b)
	check(t, err)
	if !d.Same() {
		t.Errorf("equal files differ: %+v", d)
	}
}

// TestDiffPositions moves every row of the small tables: references then have
// other numbers, and nothing has changed.
func TestDiffPositions(t *testing.T) {
	a, b := small(), small()
	slices.Reverse(b.States)
	slices.Reverse(b.Counties)
	slices.Reverse(b.CBSAs)
	slices.Reverse(b.Zones)
	flip := func(id, n int) int {
		if id == 0 {
			return 0
		}
		return n + 1 - id
	}
	for i := range b.Counties {
		c := &b.Counties[i]
		c.State, c.CBSA = store.StateID(flip(int(c.State), 3)), store.CBSAID(flip(int(c.CBSA), 2))
	}
	b.Divisions[0].CBSA = 2
	for i := range b.ZIPs {
		z := &b.ZIPs[i]
		z.State, z.County, z.Zone = store.StateID(flip(int(z.State), 3)), store.CountyID(flip(int(z.County), 3)), store.ZoneID(flip(int(z.Zone), 2))
	}
	for i := range b.FSAs {
		b.FSAs[i].Province, b.FSAs[i].Zone = store.StateID(flip(int(b.FSAs[i].Province), 3)), store.ZoneID(flip(int(b.FSAs[i].Zone), 2))
	}
	for i := range b.Postal {
		b.Postal[i].Province, b.Postal[i].Zone = store.StateID(flip(int(b.Postal[i].Province), 3)), store.ZoneID(flip(int(b.Postal[i].Zone), 2))
	}
	for i := range b.Layers {
		for k := range b.Layers[i].Areas {
			a := &b.Layers[i].Areas[k]
			a.State = store.StateID(flip(int(a.State), 3))
		}
	}
	slices.Reverse(b.StateAreas.Outlines)
	slices.Reverse(b.ZoneAreas.Outlines)
	b.CountyAreas.Keys[0] = 3
	for _, shares := range [][]store.ZoneShare{b.ZIPZones[0].Shares, b.ZIPZones[1].Shares, b.FSAZones[0].Shares} {
		for i := range shares {
			shares[i].Zone = 3 - shares[i].Zone
		}
	}
	d, err := store.Diff(t.Context(), open(t, a.file(t)), open(t, b.file(t)))
	check(t, err)
	if !d.Same() {
		t.Errorf("moved tables differ: %+v", d)
	}
}

func TestDiff(t *testing.T) {
	a, b := small(), small()
	b.Manifest.Version = "sample-2"
	b.Manifest.Sources[0].Vintage = "2026"
	b.Manifest.Sources[1].ID = "three"
	b.States[0].Name = "Kalifornia"
	b.Counties[1].FIPS = "06999"
	b.Counties[0].Division = 0
	b.CBSAs[1].Metropolitan = true
	b.Divisions = nil
	b.ZIPs = slices.Delete(b.ZIPs, 1, 2)
	b.ZIPDetails = slices.Delete(b.ZIPDetails, 1, 2)
	b.ZIPs[1].City, b.ZIPs[1].County = "Beverly", 3
	b.ZIPDetails[1].Elevation = nil
	b.ZIPs[2].Zone = 2
	b.FSAs[1].Location = geo.MustLatLng(45, -75)
	b.FSADetails[1].Population = ptr(int32(1))
	b.FSADetails[2].Quality.PointSource = "other places" // in place of "places": the same bytes
	b.Postal[2].Code++
	b.Postal[1].Municipality = ""
	b.ZIP4[0].Street = "OTHER"
	b.ZIP4[3].High = 1011
	b.ZIP4 = append(b.ZIP4, b.ZIP4[2], store.ZIP4Record{ZIP: 1, Low: 1, High: 1})

	b.ZIPAreas.Outlines[1][0][0][1][1] = 33.999999
	b.ZIPAreas.Sources[0] = "other sample"
	b.FSAAreas = nil
	b.StateAreas.Keys[1] = 2
	b.CountyAreas.Outlines[0] = nil
	b.ZIPZones[1].Shares[0].Percent = 99.6
	b.FSAZones = nil

	old, current := filepath.Join(t.TempDir(), "a.db"), filepath.Join(t.TempDir(), "b.db")
	a.write(t, old)
	b.write(t, current)
	da, db := open(t, old), open(t, current)

	added, removed := store.Added, store.Removed
	want := []store.Change{
		{Kind: store.KindState, Code: "US-CA", Op: store.Changed, Fields: []string{"Name"}},
		{Kind: store.KindCounty, Code: "06023", Op: removed},
		{Kind: store.KindCounty, Code: "06037", Op: store.Changed, Fields: []string{"Division"}},
		{Kind: store.KindCounty, Code: "06999", Op: added},
		{Kind: store.KindCBSA, Code: "21700", Op: store.Changed, Fields: []string{"Metropolitan"}},
		{Kind: store.KindDivision, Code: "31084", Op: removed},
		{Kind: store.KindZIP, Code: "09012", Op: removed},
		{Kind: store.KindZIP, Code: "90210", Op: store.Changed, Fields: []string{"City", "County", "Zones", "Elevation"}},
		{Kind: store.KindZIP, Code: "95501", Op: store.Changed, Fields: []string{"County", "Zone"}},
		{Kind: store.KindFSA, Code: "K1A", Op: store.Changed, Fields: []string{"Location", "Zones", "Population"}},
		{Kind: store.KindFSA, Code: "Z9Z", Op: store.Changed, Fields: []string{"Quality"}},
		{Kind: store.KindPostal, Code: "K1A 0B1", Op: store.Changed, Fields: []string{"Municipality"}},
		{Kind: store.KindPostal, Code: "K1A 0B2", Op: removed},
		{Kind: store.KindPostal, Code: "K1A 0B3", Op: added},
		{Kind: store.KindZIP4, Code: "00001-0001", Op: added},
		{Kind: store.KindZIP4, Code: "90210-0002", Op: store.Changed, Fields: []string{"Records"}},
		{Kind: store.KindZIP4, Code: "90210-1000..1010", Op: removed},
		{Kind: store.KindZIP4, Code: "90210-1000..1011", Op: added},
		{Kind: store.KindZIP4, Code: "90210-1001", Op: store.Changed, Fields: []string{"Street"}},
		{Kind: store.KindStateArea, Code: "CA-ON", Op: removed},
		{Kind: store.KindStateArea, Code: "US-AE", Op: added},
		{Kind: store.KindCountyArea, Code: "06037", Op: store.Changed, Fields: []string{"Outline"}},
		{Kind: store.KindZIPArea, Code: "90210", Op: store.Changed, Fields: []string{"Outline"}},
		{Kind: store.KindFSAArea, Code: "K1A", Op: removed},
		{Kind: store.KindFSAArea, Code: dataset.FSA(dataset.NumFSAs - 1).String(), Op: removed},
		{Kind: store.KindLayer(store.LayerCounty), Code: "06037", Op: store.Changed, Fields: []string{"Outline"}},
	}
	var got []store.Change
	for c, err := range store.Changes(t.Context(), da, db) {
		check(t, err)
		got = append(got, c)
	}
	if diff := cmp.Diff(want, got, equal); diff != "" {
		t.Errorf("Changes (-want +got):\n%s", diff)
	}
	for range store.Changes(t.Context(), da, db) {
		break // ends without a second call of the loop
	}

	sum, err := store.Diff(t.Context(), da, db)
	check(t, err)
	if sum.Same() || sum.From != "sample-1" || sum.To != "sample-2" {
		t.Errorf("Diff = %+v", sum)
	}
	zips := sum.Kinds[slices.IndexFunc(sum.Kinds, func(k store.KindDifference) bool { return k.Kind == store.KindZIP })]
	wantZIPs := store.KindDifference{
		Kind: store.KindZIP, Removed: 1, Changed: 2,
		Fields:   []store.FieldCount{{Field: "City", Count: 1}, {Field: "County", Count: 2}, {Field: "Elevation", Count: 1}, {Field: "Zone", Count: 1}, {Field: "Zones", Count: 1}},
		Examples: want[6:9],
	}
	if diff := cmp.Diff(wantZIPs, zips); diff != "" {
		t.Errorf("ZIPs (-want +got):\n%s", diff)
	}
	wantSources := []store.SourceChange{
		{ID: "one", From: "2025", To: "2026", FromSHA256: "ab", ToSHA256: "ab"},
		{ID: "two", From: "2026-03-30"},
		{ID: "three", To: "2026-03-30"},
	}
	if diff := cmp.Diff(wantSources, sum.Sources); diff != "" {
		t.Errorf("sources (-want +got):\n%s", diff)
	}
}
