package synth_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// TestBuilderNeedsNoPrivateTable builds from the open files alone: GeoNames
// has no classes and no ZIPs that were given up.
func TestBuilderNeedsNoPrivateTable(t *testing.T) {
	if testing.Short() {
		t.Skip("with -short the country is built once")
	}
	w := newWorld(t)
	dir := filepath.Join(t.TempDir(), "mirror")
	if err := os.CopyFS(dir, os.DirFS(w.dir)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "www.unitedstateszipcodes.org", "zip_code_database.csv")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "invented.db")
	if _, err := builder.Build(context.Background(), builder.Options{
		Output: path, Mirror: dir, Offline: true, Cache: t.TempDir(), Layers: []string{"all"}, Version: "invented", Sample: true,
	}); err != nil {
		t.Fatal(err)
	}
	d, err := sqlite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	zips, boxes := 0, 0
	for _, z := range w.ZIPs {
		row, ok := d.ZIP(z.Code)
		if ok == z.Decommissioned {
			t.Errorf("ZIP %v: found %v, given up %v", z.Code, ok, z.Decommissioned)
		}
		if !ok {
			continue
		}
		zips++
		county, zone := "", ""
		if z.County != -1 {
			county, zone = w.Counties[z.County].FIPS, w.Zones[z.Zone]
		}
		if plain(row.City) != plain(z.City) || d.County(row.County).FIPS != county || d.Zone(row.Zone).Name != zone {
			t.Errorf("ZIP %v is %s, %q, %q; want %s, %q, %q", z.Code, row.City, d.County(row.County).FIPS, d.Zone(row.Zone).Name, z.City, county, zone)
		}
		if (row.Class == store.Military) != (z.Class == store.Military) {
			t.Errorf("ZIP %v is of class %c, want %c", z.Code, row.Class, z.Class)
		}
		if row.Class == store.POBox || row.Class == store.Unique {
			boxes++
		}
	}
	if d.NumZIPs() != zips || boxes == 0 {
		t.Errorf("%d ZIPs, want %d; %d of them PO Box or unique", d.NumZIPs(), zips, boxes)
	}
}
