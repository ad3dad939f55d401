package store_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/diff"
)

func TestDiffSame(t *testing.T) {
	c := small()
	a := open(t, c.file(t))
	b := open(t, c.file(t))
	d, err := diff.Summarize(t.Context(), a, b)
	check(t, err)
	if len(d.Tables) > 0 {
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
	flip := func(id, n int) int { return min(id, 1) * (n + 1 - id) } // none stays none
	state := func(id *store.StateID) { *id = store.StateID(flip(int(*id), 3)) }
	zone := func(id *store.ZoneID) { *id = store.ZoneID(flip(int(*id), 2)) }
	for i := range b.Counties {
		c := &b.Counties[i]
		state(&c.State)
		c.CBSA = store.CBSAID(flip(int(c.CBSA), 2))
	}
	b.Divisions[0].CBSA = 2
	for i := range b.ZIPs {
		z := &b.ZIPs[i]
		state(&z.State)
		zone(&z.Zone)
		z.County = store.CountyID(flip(int(z.County), 3))
	}
	for i := range b.FSAs {
		state(&b.FSAs[i].Province)
		zone(&b.FSAs[i].Zone)
	}
	for i := range b.Postal {
		state(&b.Postal[i].Province)
		zone(&b.Postal[i].Zone)
	}
	for i := range b.Layers {
		for k := range b.Layers[i].Areas {
			state(&b.Layers[i].Areas[k].State)
		}
	}
	for _, c := range [...]*country{a, b} {
		c.StateAreas, c.ZoneAreas = nil, nil // are in the order of the positions
	}
	b.CountyAreas.Keys[0] = 3
	for _, shares := range [][]store.ZoneShare{b.ZIPZones[0].Shares, b.ZIPZones[1].Shares, b.FSAZones[0].Shares} {
		for i := range shares {
			shares[i].Zone = 3 - shares[i].Zone
		}
	}
	d, err := diff.Summarize(t.Context(), open(t, a.file(t)), open(t, b.file(t)))
	check(t, err)
	if len(d.Tables) > 0 {
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

	var got []string
	for c, err := range diff.Changes(t.Context(), da, db) {
		check(t, err)
		line := c.Table + " " + c.Key + " " + c.Op
		for _, f := range c.Fields {
			line += fmt.Sprintf(" %s: %s -> %s", f.Field, f.From, f.To)
		}
		got = append(got, strings.ReplaceAll(line, "\n", `\n`))
	}
	want := strings.Split(strings.TrimSpace(string(bytesOf(t, "testdata/changes.txt"))), "\n")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Changes (-want +got):\n%s", diff)
	}
	for range diff.Changes(t.Context(), da, db) {
		break // ends without a second call of the loop
	}

	sum, err := diff.Summarize(t.Context(), da, db)
	check(t, err)
	if sum.From != "sample-1" || sum.To != "sample-2" {
		t.Errorf("Diff = %+v", sum)
	}
	zips := sum.Tables[slices.IndexFunc(sum.Tables, func(t diff.TableDifference) bool { return t.Table == "zip" })]
	if zips.Removed != 1 || zips.Changed != 2 || len(zips.Examples) != 3 {
		t.Errorf("ZIPs: %+v", zips)
	}
}

// TestDiffDamaged damages one of two files that are open. The error names it.
func TestDiffDamaged(t *testing.T) {
	for i, name := range []string{"old", "new"} {
		var paths [2]string
		var files [2]*store.Dataset
		for k := range paths {
			paths[k] = []*country{small(), changed()}[k].file(t)
			files[k] = open(t, paths[k])
		}
		overwrite(t, paths[i], 20*8192, make([]byte, 40*8192)) // behind the schema
		_, err := diff.Summarize(t.Context(), files[0], files[1])
		if !errors.Is(err, store.ErrDamaged) || !strings.Contains(err.Error(), paths[i]) {
			t.Errorf("the %s file is damaged: %v; want an error that names %s", name, err, paths[i])
		}
	}
}
