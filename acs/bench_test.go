package acs_test

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// everything is every profile of every year of the sample.
func everything(tb testing.TB, r *acs.Reader) []acs.Tag {
	tb.Helper()
	var list []acs.Tag
	for _, year := range r.YearsOf(acs.ZCTA) {
		for _, p := range acs.AllProfiles() {
			list = append(list, acs.Tag{Profile: p, Year: uint16(year)})
		}
	}
	return list
}

// BenchmarkReader reads blocks of the embedded sample; "figures" is how many
// metrics one operation gives.
func BenchmarkReader(b *testing.B) {
	d, err := sqlite.OpenFS(sample.FS(), sample.Name)
	check(b, err)
	defer d.Close()
	r := acs.NewReader(d)
	for _, bench := range []struct {
		name string
		tags []acs.Tag
	}{
		{"1x1", []acs.Tag{{Profile: acs.Economic, Year: 2019}}},
		{"4x1", everything(b, r)[:4]},
		{"4x14", everything(b, r)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.ZCTA(b.Context(), "10001", bench.tags, acs.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("json/4x14", func(b *testing.B) {
		res, err := r.ZCTA(b.Context(), "10001", everything(b, r), acs.Options{})
		check(b, err)
		var buf []byte
		b.ReportAllocs()
		for b.Loop() {
			if buf, err = res.Years.AppendJSON(buf[:0]); err != nil {
				b.Fatal(err)
			}
		}
		b.SetBytes(int64(len(buf)))
	})
}

// BenchmarkAggregate sums up 5,000 areas of an invented country: an economic
// profile of one year, of fourteen years, and all four of one year; from columns
// that are in memory, from columns that are read from the file, and row by row.
// "rows/5000x1x1" are the same rows read and left alone.
func BenchmarkAggregate(b *testing.B) {
	const areas = 5000
	path := filepath.Join(b.TempDir(), "acs.db")
	w, err := sqlite.Create(path)
	check(b, err)
	rng := rand.New(rand.NewPCG(6, 6))
	n := func(v int32) store.ACSFigure { return store.ACSFigure{N: v, Mark: store.ACSNumber} }
	for year := acs.FirstYear; year <= acs.LastYear; year++ {
		for _, p := range acs.AllProfiles() {
			if p == acs.Housing && year != acs.LastYear {
				continue
			}
			layout := acs.BuiltIn().Layout(acs.ZCTA, p, year)
			id, err := w.AddACSTable(layout)
			check(b, err)
			cells := make([]store.ACSCell, len(layout.Columns))
			for area := range areas {
				for i, c := range layout.Columns {
					v := n(rng.Int32N(1 << rng.IntN(15)))
					switch c.Class {
					case store.ACSPercentOnly:
						x := store.ACSFigure{Mark: store.ACSNotApplicable}
						cells[i] = store.ACSCell{Estimate: x, MOE: x, Percent: v, PercentMOE: n(12)}
					case store.ACSShare:
						cells[i] = store.ACSCell{Estimate: v, MOE: n(50), Percent: n(5), PercentMOE: n(12)}
					default:
						cells[i] = store.ACSCell{Estimate: v, MOE: n(50)}
					}
				}
				check(b, w.AddACSRow(id, uint64(10000+area), cells))
			}
		}
	}
	check(b, w.Finish(dataset.Manifest{Version: "bench"}))
	d, err := sqlite.Open(path)
	check(b, err)
	defer d.Close()
	r := acs.NewReader(d)
	parts := sampleParts(d, func(int) float64 { return 100 })
	var years, profiles []acs.Tag
	for _, t := range everything(b, r) {
		if t.Profile == acs.Economic {
			years = append(years, t)
		}
		if t.Year == acs.LastYear {
			profiles = append(profiles, t)
		}
	}
	for _, bench := range []struct {
		name string
		tags []acs.Tag
	}{{"5000x1x1", years[:1]}, {"5000x1x14", years}, {"5000x4x1", profiles}} {
		for _, how := range []struct {
			name   string
			before func() // each aggregate
		}{
			{"kept", func() {}},
			{"file", func() { d.SetACSMemory(0); d.SetACSMemory(store.DefaultACSMemory) }},
			{"rows", func() { d.SetACSMemory(0) }},
		} {
			b.Run(bench.name+"/"+how.name, func(b *testing.B) {
				d.SetACSMemory(store.DefaultACSMemory)
				b.ReportAllocs()
				for b.Loop() {
					how.before()
					if _, err := r.Aggregate(b.Context(), acs.ZCTA, parts, bench.tags, acs.InFull, acs.Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
	// The same year's income, people and home values with their margins.
	fields, err := acs.ParseFields("economic.income.median_household_income", "economic.poverty.people", "demographic.sex_and_age.male", "housing.value.median")
	check(b, err)
	for _, how := range []struct {
		name   string
		memory int64
	}{{"kept", store.DefaultACSMemory}, {"rows", 0}} {
		b.Run("figures/5000x4x1/"+how.name, func(b *testing.B) {
			d.SetACSMemory(how.memory)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Figures(b.Context(), acs.ZCTA, parts, fields, []int{acs.LastYear}, acs.FigureOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	// A series also reports the tables that contain each area.
	b.Run("series/5000x1x2", func(b *testing.B) {
		d.SetACSMemory(store.DefaultACSMemory)
		opt := acs.SeriesOptions{Years: []int{2019, 2020}}
		for b.Loop() {
			if _, err := r.SeriesOf(b.Context(), "bench", acs.ZCTA, parts, fields[:1], opt); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("rows/5000x1x1", func(b *testing.B) {
		t := d.ACSTable(acs.ZCTA, acs.LastYear, acs.Economic.Table())
		positions := make([]uint32, areas)
		for i := range positions {
			positions[i] = uint32(i)
		}
		figures := make([]store.ACSFigure, len(t.Columns))
		for b.Loop() {
			check(b, d.ACSRows(b.Context(), t, positions, func(_ int, row *store.ACSRow) error { return row.Figures(figures) }))
		}
	})
}
