// Command survey measures the American Community Survey at its full size: it
// invents the tables, pipes their text through the importer into a dataset
// file, and reads them back.
//
//	go run ./bench/survey -zctas 33800 -tracts 85000
//
// It prints sizes, speeds and times of reading. The file is removed at the end
// unless -o names it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/format"
	"github.com/postgeo/postgeo/dataset/build/source"
	"github.com/postgeo/postgeo/dataset/synth"
	"github.com/postgeo/postgeo/geo"
)

func main() {
	zctas := flag.Int("zctas", 33_800, "ZIP Code Tabulation Areas")
	tracts := flag.Int("tracts", 85_000, "census tracts")
	years := flag.Int("years", 14, "years of ZCTAs, the newest ones")
	out := flag.String("o", "", "dataset file to keep")
	flag.Parse()
	if err := run(*zctas, *tracts, *years, *out); err != nil {
		fmt.Fprintln(os.Stderr, "survey:", err)
		os.Exit(1)
	}
}

func run(zctas, tracts, years int, path string) error {
	if path == "" {
		dir, err := os.MkdirTemp("", "survey-*")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		path = filepath.Join(dir, "survey.db")
	}
	if err := write(path, zctas, tracts, years); err != nil {
		return err
	}
	return read(path)
}

// areas returns so many areas with people as real ones have them: half of them
// fewer than three thousand, a tenth more than thirty thousand.
func areas(level dataset.ACSLevel, n int) []synth.SurveyArea {
	rng := rand.New(rand.NewPCG(1, uint64(level)))
	list := make([]synth.SurveyArea, n)
	for i := range list {
		a := &list[i]
		if level == dataset.ACSTract {
			a.GEOID = 1_001_000_000 + uint64(i)*600_000
			a.Name = fmt.Sprintf("Census Tract %d", i)
			a.Population = 1500 + rng.Int32N(6000)
			continue
		}
		a.GEOID = 501 + uint64(i)*(99_000/uint64(n))
		u := rng.Float64()
		a.Population = int32(120_000 * u * u * u * u)
	}
	return list
}

// write pipes the tables into the file.
func write(path string, zctas, tracts, years int) error {
	w, err := dataset.Create(path)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(2, 2))
	zips := areas(dataset.ACSZCTA, zctas)
	if err := w.SetStates([]dataset.State{{Country: dataset.US, Abbr: "XX", Name: "Invented", FIPS: "99"}}); err != nil {
		return err
	}
	for _, a := range zips {
		p := geo.MustLatLng(25+rng.Float64()*24, -124+rng.Float64()*57)
		if err := w.AddZIP(dataset.ZIPRow{ZIP: dataset.ZIP(a.GEOID), State: 1, Class: dataset.General, Location: p}, dataset.ZIPDetail{}); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		level dataset.ACSLevel
		areas []synth.SurveyArea
		years int
	}{{dataset.ACSZCTA, zips, years}, {dataset.ACSTract, areas(dataset.ACSTract, tracts), min(years, 3)}} {
		if len(part.areas) == 0 {
			continue
		}
		start := time.Now()
		var text, rows int64
		var importing time.Duration
		for year := acs.LastYear - part.years + 1; year <= acs.LastYear; year++ {
			for _, p := range acs.AllProfiles() {
				n, t, took, err := pipe(w, part.level, p, year, part.areas)
				if err != nil {
					return errors.Join(err, w.Abort())
				}
				rows, text, importing = rows+n, text+t, importing+took
			}
		}
		fmt.Printf("%s: %d rows, %.0f MB of text in %.0f s with its invention; %.0f MB/s imported\n",
			part.level, rows, float64(text)/1e6, time.Since(start).Seconds(), float64(text)/1e6/importing.Seconds())
	}
	start := time.Now()
	if err := w.Finish(dataset.Manifest{Version: "invented", Sample: true}); err != nil {
		return err
	}
	st, err := os.Stat(path)
	if err != nil {
		return err
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Printf("file: %.1f MB, written in %.0f s, %.0f MB of memory from the system\n", float64(st.Size())/1e6, time.Since(start).Seconds(), float64(m.Sys)/1e6)
	return nil
}

// pipe brings one table through its text, in pieces, so that the time of
// importing is told apart from that of inventing.
func pipe(w *dataset.Writer, l dataset.ACSLevel, p acs.Profile, year int, all []synth.SurveyArea) (rows, text int64, importing time.Duration, err error) {
	const piece = 2000
	table := synth.NewSurvey(1, nil).Table(l, p, year)
	layout := synth.LayoutOf(year)
	id, err := w.AddACSTable(table.Layout())
	if err != nil {
		return 0, 0, 0, err
	}
	for areas := range slices.Chunk(all, piece) {
		var b countingBuffer
		if err := table.Write(context.Background(), &b, layout, areas); err != nil {
			return 0, 0, 0, err
		}
		text += int64(len(b.b))
		start := time.Now()
		t, err := source.OpenACSProfile(format.NewInput(table.FileName(layout), &b), source.ACSProfileOptions{})
		if err != nil {
			return 0, 0, 0, err
		}
		for row, err := range t.Rows() {
			if err != nil {
				return 0, 0, 0, err
			}
			if err := w.AddACSRow(id, row.GEOID, row.Cells); err != nil {
				return 0, 0, 0, err
			}
			rows++
		}
		importing += time.Since(start)
	}
	return rows, text, importing, nil
}

// A countingBuffer is written once and read once.
type countingBuffer struct {
	b  []byte
	at int
}

func (c *countingBuffer) Write(p []byte) (int, error) {
	c.b = append(c.b, p...)
	return len(p), nil
}

func (c *countingBuffer) Read(p []byte) (int, error) {
	if c.at == len(c.b) {
		return 0, io.EOF
	}
	n := copy(p, c.b[c.at:])
	c.at += n
	return n, nil
}

// read measures the questions of the performance table.
func read(path string) error {
	ctx := context.Background()
	start := time.Now()
	d, err := dataset.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	fmt.Printf("open: %.1f ms\n", ms(time.Since(start)))
	sizes := map[string][2]int{}
	for i := range d.ACSTables() {
		t := &d.ACSTables()[i]
		k := t.Level.String() + " " + t.Name
		sizes[k] = [2]int{sizes[k][0] + t.Rows, sizes[k][1] + 1}
	}
	for _, k := range slices.Sorted(mapKeys(sizes)) {
		fmt.Printf("%s: %d rows in %d tables\n", k, sizes[k][0], sizes[k][1])
	}
	r := acs.NewReader(d)
	geoids := d.ACSGEOIDs(dataset.ACSZCTA)
	rng := rand.New(rand.NewPCG(3, 3))
	one := []acs.Tag{{Profile: acs.Economic}}
	var all []acs.Tag
	for _, y := range r.YearsOf(dataset.ACSZCTA) {
		for _, p := range acs.AllProfiles() {
			all = append(all, acs.Tag{Profile: p, Year: uint16(y)})
		}
	}
	askOf := func(at int, tags []acs.Tag) error {
		_, err := r.ZCTA(ctx, fmt.Sprintf("%05d", geoids[at%len(geoids)]), tags, acs.Options{})
		return err
	}
	ask := func(tags []acs.Tag) error { return askOf(rng.IntN(len(geoids)), tags) }
	for _, q := range []struct {
		name  string
		times int
		do    func() error
	}{
		{"one ZCTA, one profile, one year", 5000, func() error { return ask(one) }},
		{fmt.Sprintf("one ZCTA, %d profile-years", len(all)), 200, func() error { return ask(all) }},
		{fmt.Sprintf("100 ZCTAs, %d profile-years", len(all)), 5, func() error {
			for range 100 {
				if err := ask(all); err != nil {
					return err
				}
			}
			return nil
		}},
		{fmt.Sprintf("100 neighbouring ZCTAs, %d profile-years", len(all)), 5, func() error {
			first := rng.IntN(len(geoids))
			for i := range 100 {
				if err := askOf(first+i, all); err != nil {
					return err
				}
			}
			return nil
		}},
		{"estimates of 5,000 neighbouring ZCTAs, one profile, one year", 20, func() error { return estimates(ctx, d, all[:1], 5000) }},
		{"estimates of 5,000 neighbouring ZCTAs, one profile, all years", 5, func() error {
			var of []acs.Tag
			for i := 0; i < len(all); i += 4 {
				of = append(of, all[i])
			}
			return estimates(ctx, d, of, 5000)
		}},
	} {
		times := make([]time.Duration, q.times)
		for i := range times {
			start := time.Now()
			if err := q.do(); err != nil {
				return err
			}
			times[i] = time.Since(start)
		}
		slices.Sort(times)
		fmt.Printf("%s: median %.3f ms, 99 %% %.3f ms\n", q.name, ms(times[len(times)/2]), ms(times[len(times)*99/100]))
	}
	return nil
}

// estimates reads the estimates of areas that follow one another.
func estimates(ctx context.Context, d *dataset.Dataset, tags []acs.Tag, n int) error {
	n = min(n, d.ACSAreas(dataset.ACSZCTA))
	positions := make([]uint32, n)
	for i := range positions {
		positions[i] = uint32(i)
	}
	for _, tag := range tags {
		year := int(tag.Year)
		t := d.ACSTable(dataset.ACSZCTA, year, tag.Profile.Table())
		cells := make([]dataset.ACSCell, len(t.Columns))
		if err := d.ACSRows(ctx, t, positions, func(_ int, row *dataset.ACSRow) error { return row.Estimates(cells) }); err != nil {
			return err
		}
	}
	return nil
}

func ms(d time.Duration) float64 { return d.Seconds() * 1000 }

func mapKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}
