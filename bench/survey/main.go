// Command survey measures the American Community Survey at its full size. It
// invents the tables, imports their text into a dataset file, and reads them
// back.
//
//	go -C bench run ./survey -zctas 33800 -tracts 85000
//
// It prints sizes, speeds and times of reading. The file is removed at the end
// unless -o names it; -read measures only the reading of a file kept earlier.
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

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/acs"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/format"
	"github.com/postgeo/postgeo/internal/dataset/build/source"
	"github.com/postgeo/postgeo/internal/dataset/synth"
)

func main() {
	zctas := flag.Int("zctas", 33_800, "ZIP Code Tabulation Areas")
	tracts := flag.Int("tracts", 85_000, "census tracts")
	years := flag.Int("years", 14, "years of ZCTAs, the newest ones")
	out := flag.String("o", "", "dataset file to keep")
	kept := flag.String("read", "", "dataset file that was kept: measure its reading only")
	flag.Parse()
	var err error
	if *kept != "" {
		err = read(*kept)
	} else {
		err = run(*zctas, *tracts, *years, *out)
	}
	if err != nil {
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
func areas(level acs.Level, n int) []synth.SurveyArea {
	rng := rand.New(rand.NewPCG(1, uint64(level)))
	list := make([]synth.SurveyArea, n)
	for i := range list {
		a := &list[i]
		if level == acs.Tract {
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
	zips := areas(acs.ZCTA, zctas)
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
		level acs.Level
		areas []synth.SurveyArea
		years int
	}{{acs.ZCTA, zips, years}, {acs.Tract, areas(acs.Tract, tracts), min(years, 3)}} {
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
		fmt.Printf("%s: %d rows, %.0f MB of text in %.0f s with its invention; %.0f MB imported in a second of processor time\n",
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

// pipe writes one table as text and imports it, in pieces, so that the
// processor time of importing is measured separately.
func pipe(w *dataset.Writer, l acs.Level, p acs.Profile, year int, all []synth.SurveyArea) (rows, text int64, importing time.Duration, err error) {
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
		start := processor()
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
		importing += processor() - start
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
