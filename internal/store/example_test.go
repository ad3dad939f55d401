package store_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// writeExample writes a dataset with one ZIP Code.
func writeExample(path, city string) error {
	w, err := sqlite.Create(path)
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := w.SetStates([]store.State{{Country: store.US, Abbr: "CA", Name: "California", FIPS: "06"}}); err != nil {
		return err
	}
	if err := w.AddZIP(store.ZIPRow{
		ZIP: 90210, City: city, State: 1, Class: store.General, Location: geo.MustLatLng(34.1, -118.4),
	}, store.ZIPDetail{AreaCodes: []uint16{310, 424}}); err != nil {
		return err
	}
	if err := w.AddZIP4(store.ZIP4Record{
		ZIP: 90210, Low: 1001, High: 1010, RecordType: 'S', Street: "SAMPLE", Suffix: "DR",
		AddrLow: "0000000100", AddrHigh: "0000000198", OddEven: 'E',
	}); err != nil {
		return err
	}
	return w.Finish(dataset.Manifest{Version: "sample", Sample: true})
}

func ExampleOpen() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "example.db")
	if err := writeExample(path, "Beverly Hills"); err != nil {
		log.Fatal(err)
	}

	d, err := sqlite.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	if row, ok := d.ZIP(90210); ok {
		fmt.Println(row.ZIP, row.City, d.State(row.State).Name, row.Location)
	}
	detail, err := d.ZIPDetail(context.Background(), 90210)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(detail.AreaCodes)
	records, err := d.ZIP4(context.Background(), 90210, 1004)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range records {
		fmt.Println(r.Low, r.High, r.Street, r.Suffix)
	}
	// Output:
	// 90210 Beverly Hills California 34.1,-118.4
	// [310 424]
	// 1001 1010 SAMPLE DR
}

func ExampleDiff() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	var open []*store.Dataset
	for _, city := range []string{"Beverly Hills", "Beverly"} {
		path := filepath.Join(dir, city)
		if err := writeExample(path, city); err != nil {
			log.Fatal(err)
		}
		d, err := sqlite.Open(path)
		if err != nil {
			log.Fatal(err)
		}
		defer d.Close()
		open = append(open, d)
	}

	difference, err := store.Diff(context.Background(), open[0], open[1])
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range difference.Tables {
		for _, c := range t.Examples {
			fmt.Println(c.Table, c.Key, c.Op, c.Fields)
		}
	}
	// Output:
	// zip 90210 changed [{city Beverly Hills Beverly}]
}
