package builder_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/internal/mirrortest"
)

// A dataset is built from a mirror of the official hosts, here one with two
// states of a test.
func ExampleBuild() {
	dir, err := os.MkdirTemp("", "build")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := mirrortest.NewCountry(2, 1).Write(dir); err != nil {
		log.Fatal(err)
	}
	report, err := builder.Build(context.Background(), builder.Options{
		Mirror: dir, Output: filepath.Join(dir, "small.db"), Layers: []string{"timezones"}, Version: "sample", Sample: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Version, report.Layers)
	// Output: sample [identity timezones]
}

// The sizes of a first run are known before it downloads anything.
func ExamplePlan() {
	plan, err := builder.Plan(context.Background(), builder.Options{Cache: os.TempDir(), Output: "postgeo.db"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(plan.Files[0].Source.URL)
	fmt.Println(plan.Download < 50_000_000)
	// Output:
	// https://download.geonames.org/export/zip/US.zip
	// true
}

func ExampleLayers() {
	for _, l := range builder.Layers()[:3] {
		fmt.Printf("%s: %s\n", l.Name, l.About)
	}
	// Output:
	// identity: ZIP Codes and FSAs with city, state, county, metro, point and population
	// timezones: time zones of ZIP Codes and FSAs
	// places: municipalities, doubtful counties and misplaced FSA points by outline
}

func ExampleCatalog() {
	for _, s := range builder.Catalog() {
		if s.ID == "timezones" {
			fmt.Println(s.License, s.Vintage)
		}
	}
	// Output: ODbL 1.0 2026d
}
