package builder_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/internal/synth"
	"github.com/postgeo/postgeo/radius"
)

// surveyAreas returns n areas. Half of the ZCTAs have fewer than 8,000 people, a
// tenth of them more than 75,000.
func surveyAreas(level acs.Level, n int) []synth.SurveyArea {
	rng := rand.New(rand.NewPCG(1, uint64(level)))
	list := make([]synth.SurveyArea, n)
	for i := range list {
		u := rng.Float64()
		list[i] = synth.SurveyArea{GEOID: 501 + uint64(i)*(99_000/uint64(n)), Population: int32(120_000 * u * u * u * u)}
		if level == acs.Tract {
			list[i] = synth.SurveyArea{GEOID: 1_001_000_000 + uint64(i)*600_000, Name: fmt.Sprint("Census Tract ", i), Population: 1500 + rng.Int32N(6000)}
		}
	}
	return list
}

// addSurvey writes the text of a table in pieces and adds its rows. It returns
// the size of the text and the time of reading it.
func addSurvey(b *testing.B, w *store.Writer, level acs.Level, p acs.Profile, year int, areas []synth.SurveyArea) (size int, took time.Duration) {
	table, layout := synth.NewSurvey(1, nil).Table(level, p, year), synth.LayoutOf(year)
	id, err := w.AddACSTable(table.Layout())
	check := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	check(err)
	for piece := range slices.Chunk(areas, 2000) {
		var text bytes.Buffer
		check(table.Write(b.Context(), &text, layout, piece))
		size += text.Len()
		start := time.Now()
		t, err := source.OpenACSProfile(format.NewInput(table.FileName(layout), &text), source.ACSProfileOptions{})
		check(err)
		for row, err := range t.Rows() {
			check(err)
			check(w.AddACSRow(id, row.GEOID, row.Cells))
		}
		took += time.Since(start)
	}
	return size, took
}

// BenchmarkSurveySize imports invented tables of the American Community Survey
// and reads them. With POSTGEO_BENCH_SURVEY=full they have the real size, which
// takes ten minutes and 3 GB of disk.
func BenchmarkSurveySize(b *testing.B) {
	zctas, tracts, years := 1_000, 1_000, 2
	if os.Getenv("POSTGEO_BENCH_SURVEY") == "full" {
		zctas, tracts, years = 33_800, 85_000, 14
	}
	path := b.TempDir() + "/survey.db"
	b.Run("import", func(b *testing.B) {
		for b.Loop() {
			writeSurvey(b, path, zctas, tracts, years)
		}
	})
	db, err := postgeo.Open(path)
	if err != nil {
		b.Skip("the import was not selected")
	}
	defer db.Close()
	d, err := sqlite.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	r := acs.NewReader(d)
	var all, economic []acs.Tag
	for _, y := range r.YearsOf(acs.ZCTA) {
		for _, p := range acs.AllProfiles() {
			all = append(all, acs.Tag{Profile: p, Year: uint16(y)})
		}
		economic = append(economic, acs.Tag{Profile: acs.Economic, Year: uint16(y)})
	}
	run := func(name string, do func() error) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := do(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	geoids, rng := d.ACSGEOIDs(acs.ZCTA), rand.New(rand.NewPCG(3, 3))
	read := func(at int, tags []acs.Tag) error {
		_, err := r.ZCTA(b.Context(), fmt.Sprintf("%05d", geoids[at%len(geoids)]), tags, acs.Options{})
		return err
	}
	hundred := func(next func(at int) int) func() error {
		return func() (err error) {
			at := rng.IntN(len(geoids))
			for i := 0; i < 100 && err == nil; i++ {
				err, at = read(at, all), next(at)
			}
			return err
		}
	}
	run("area/one", func() error { return read(rng.IntN(len(geoids)), economic[:1]) })
	run("area/all", func() error { return read(rng.IntN(len(geoids)), all) })
	run("areas=100/region", hundred(func(at int) int { return at + 1 }))
	run("areas=100/everywhere", hundred(func(int) int { return rng.IntN(len(geoids)) }))
	n := min(5000, len(geoids))
	parts := make([]acs.Part, n)
	for i := range parts {
		parts[i] = acs.Part{GEOID: geoids[(len(geoids)-n)/2+i], Percent: float64(1000-i%7) / 10}
	}
	reach := milesOf(b, db, n)
	for _, tags := range [][]acs.Tag{economic[:1], economic} {
		aggregate := func() error {
			_, err := r.Aggregate(b.Context(), acs.ZCTA, parts, tags, acs.ByShare, acs.Options{})
			return err
		}
		name := fmt.Sprintf("/areas=%d/years=%d", n, len(tags))
		run("aggregate/memory"+name, aggregate)
		run("aggregate/file"+name, func() error {
			d.SetACSMemory(0)
			d.SetACSMemory(store.DefaultACSMemory)
			return aggregate()
		})
		run("aggregate/rows"+name, func() error {
			d.SetACSMemory(0)
			defer d.SetACSMemory(store.DefaultACSMemory)
			return aggregate()
		})
		run("radius"+name, func() error {
			_, err := db.Radius(b.Context(), "38,-96", radius.Options{Max: reach, Limit: 1, Include: radius.Include{ACS: tags}})
			return err
		})
	}
}

// writeSurvey writes the tables of all profiles to a new dataset.
func writeSurvey(b *testing.B, path string, zctas, tracts, years int) {
	w, err := sqlite.Create(path)
	if err == nil {
		err = w.SetStates([]store.State{{Country: store.US, Abbr: "XX", Name: "Invented", FIPS: "99"}})
	}
	areas, rng := surveyAreas(acs.ZCTA, zctas), rand.New(rand.NewPCG(2, 2))
	for i := 0; i < len(areas) && err == nil; i++ {
		p := geo.MustLatLng(25+rng.Float64()*24, -124+rng.Float64()*57)
		err = w.AddZIP(store.ZIPRow{ZIP: dataset.ZIP(areas[i].GEOID), State: 1, Class: store.General, Location: p}, store.ZIPDetail{})
	}
	if err != nil {
		b.Fatal(err)
	}
	var text int
	var reading time.Duration
	add := func(level acs.Level, areas []synth.SurveyArea, years int) {
		for year := acs.LastYear - years + 1; year <= acs.LastYear; year++ {
			for _, p := range acs.AllProfiles() {
				size, took := addSurvey(b, w, level, p, year, areas)
				text, reading = text+size, reading+took
			}
		}
	}
	add(acs.ZCTA, areas, years)
	add(acs.Tract, surveyAreas(acs.Tract, tracts), min(years, 3))
	if err := w.Finish(dataset.Manifest{Version: "invented", Sample: true}); err != nil {
		b.Fatal(err)
	}
	if info, err := os.Stat(path); err == nil {
		b.ReportMetric(float64(info.Size())/1e6, "file-MB")
	}
	b.ReportMetric(float64(text)/1e6/reading.Seconds(), "text-MB/s")
}

// milesOf returns the radius around the middle of the country with n ZIP Codes.
func milesOf(b *testing.B, db *postgeo.DB, n int) geo.Miles {
	low, high := geo.Miles(1), geo.Miles(500)
	for high-low > 0.5 {
		half := (low + high) / 2
		res, err := db.Radius(b.Context(), "38,-96", radius.Options{Max: half, Limit: 1})
		if err != nil {
			b.Fatal(err)
		}
		if res.Summary.Available != nil && *res.Summary.Available >= n {
			high = half
		} else {
			low = half
		}
	}
	return high
}
