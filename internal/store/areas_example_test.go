package store_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// writeExampleArea writes a dataset whose one ZIP Code has a square area.
func writeExampleArea(path string) error {
	w, err := sqlite.Create(path)
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := w.AddZIP(store.ZIPRow{ZIP: 90210, City: "Beverly Hills", Class: store.General}, store.ZIPDetail{}); err != nil {
		return err
	}
	var b spatial.PolygonIndexBuilder
	square := orb.Ring{{-118.5, 34}, {-118.3, 34}, {-118.3, 34.2}, {-118.5, 34.2}, {-118.5, 34}}
	if err := b.Add(orb.MultiPolygon{{square}}); err != nil {
		return err
	}
	packed, err := b.AppendBinary(nil)
	if err != nil {
		return err
	}
	if err := w.SetZIPAreas(store.AreaLayer[dataset.ZIP]{
		Sources: []string{"sample squares"}, Keys: []dataset.ZIP{90210}, Packed: packed,
	}); err != nil {
		return err
	}
	return w.Finish(dataset.Manifest{Version: "sample", Sample: true})
}

func ExampleAreas() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "example.db")
	if err := writeExampleArea(path); err != nil {
		log.Fatal(err)
	}
	d, err := sqlite.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()

	areas := d.ZIPAreas()
	z, ok := areas.Containing(geo.MustLatLng(34.1, -118.4))
	fmt.Println(z, ok)
	if i, ok := areas.Find(z); ok {
		fmt.Printf("%.1f square miles from %s\n", areas.Index().Area(i).SquareMiles(), areas.SourceOf(z))
	}
	_, ok = areas.Containing(geo.MustLatLng(35, -118.4))
	fmt.Println(ok)
	// Output:
	// 90210 true
	// 158.1 square miles from sample squares
	// false
}
