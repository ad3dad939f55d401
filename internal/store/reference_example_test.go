package store_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

func ExampleParseZIP() {
	zip, ok := dataset.ParseZIP("00601")
	fmt.Println(zip, ok)
	plus4, ok := dataset.ParsePlus4("0001")
	fmt.Println(plus4, ok)
	fsa, ok := dataset.ParseFSA("K1A")
	fmt.Println(fsa, ok)
	postal, ok := dataset.ParsePostalCode("K1A 0B1")
	fmt.Println(postal, postal.FSA(), ok)
	layer, ok := store.ParseLayerID("county")
	fmt.Println(layer, ok, len(store.LayerIDs()) > 10)
	// Output:
	// 00601 true
	// 0001 true
	// K1A true
	// K1A 0B1 K1A true
	// county true true
}

// Which file a program reads that was told of none.
func ExampleChoose() {
	env := func(vars map[string]string) func(string) string {
		return func(name string) string { return vars[name] }
	}
	path, err := store.Choose("", env(map[string]string{"POSTGEO_DATA": "/srv/postgeo.db"}), "")
	fmt.Println(path, err)
	path, err = store.Choose("", env(nil), store.UserDir("linux", "/no/such/home", env(nil)))
	fmt.Printf("%q %v\n", path, err) // none: the sample
	// Output:
	// /srv/postgeo.db <nil>
	// "" <nil>
}

func ExampleDataset_Manifest() {
	d, err := sqlite.OpenFS(sample.FS(), sample.Name)
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	m := d.Manifest()
	fmt.Println(m.Sample, len(m.Sources) > 10, len(m.Attributions()))
	fmt.Println(d.NumZIPs() > 100, d.NumFSAs() > 0, d.NumPostalCodes() > 0, len(d.Layers()) > 10)
	fmt.Println(d.Verify(context.Background()))
	// Output:
	// true true 15
	// true true true true
	// <nil>
}

func ExampleDataset_Layer() {
	d, err := sqlite.OpenFS(sample.FS(), sample.Name)
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	county := d.Layer(store.LayerCounty)
	fmt.Println(county.Len() > 0, county.HasOutlines(), county.Info().Vintage)
	overlaps, err := d.ZIPOverlaps(context.Background(), 90210)
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range overlaps.Of(store.LayerCounty) {
		fmt.Printf("%s %.0f %%\n", county.GEOID(o.Area), o.PercentOfCode)
	}
	fmt.Println(overlaps.AtPoint()) // an outline was measured
	// Output:
	// true true 2024
	// 06037 100 %
	// false
}

// What a newer dataset changed, one change at a time.
func ExampleChanges() {
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
	for c, err := range store.Changes(context.Background(), open[0], open[1]) {
		fmt.Println(c.Table, c.Key, c.Op, err)
	}
	same, err := store.Diff(context.Background(), open[0], open[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(same.Tables))
	// Output:
	// zip 90210 changed <nil>
	// 0
}

// A dataset with something more: here with nothing, under another version.
func ExampleExtend() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	old, longer := filepath.Join(dir, "old.db"), filepath.Join(dir, "new.db")
	if err := writeExample(old, "Beverly Hills"); err != nil {
		log.Fatal(err)
	}
	base, err := sqlite.Open(old)
	if err != nil {
		log.Fatal(err)
	}
	defer base.Close()
	e, err := store.Extend(longer, base)
	if err != nil {
		log.Fatal(err)
	}
	defer e.Abort()
	m := base.Manifest()
	m.Version = "sample-2"
	if err := e.Finish(m); err != nil {
		log.Fatal(err)
	}
	d, err := sqlite.Open(longer)
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	fmt.Println(d.Manifest().Version, d.NumZIPs())
	// Output: sample-2 1
}

func ExampleDataset_Examine() {
	d, err := sqlite.OpenFS(sample.FS(), sample.Name)
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	findings, err := d.Examine(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	worst := findings[0]
	fmt.Println(worst.Problem, worst.Detail != "", worst.People >= findings[1].People)
	q := store.Quality{OutlineAreaRatio: 10.03}
	fmt.Println(q.OutlineDiffers())
	// Output:
	// no postal codes true true
	// true
}

func ExampleTri_Known() {
	var unknown store.Tri
	fmt.Println(store.Yes.Known(), unknown.Known())
	// Output: true false
}

func ExampleDataset_Load() {
	d, err := sqlite.OpenFS(sample.FS(), sample.Name)
	if err != nil {
		log.Fatal(err)
	}
	defer d.Close()
	// Read the outlines of ZIP Codes and the areas of census tracts now.
	if err := d.Load(context.Background(), store.SectionZIPAreas|store.LayerTract.Section()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(d.ZIPAreas().Len() > 0, d.Layer(store.LayerTract).Len() > 0)
	// Output: true true
}
