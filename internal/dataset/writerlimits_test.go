package dataset_test

import (
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
)

// TestWriterLimits gives the writer the first and the last value of every range,
// which it accepts, and the next one, which it refuses.
func TestWriterLimits(t *testing.T) {
	layer := func(id dataset.LayerID, areas ...dataset.LayerArea) dataset.LayerData {
		return dataset.LayerData{Info: dataset.LayerInfo{ID: id, Source: "test"}, Areas: areas}
	}
	area := func(geoid string) dataset.LayerArea { return dataset.LayerArea{GEOID: geoid} }
	setLayer := func(change func(*dataset.LayerData)) func(*dataset.Writer) error {
		return func(w *dataset.Writer) error {
			l := layer(dataset.LayerTract, area("01"), area("02"))
			change(&l)
			return w.SetLayer(l)
		}
	}
	year := func(y int) func(*dataset.Writer) error {
		return setLayer(func(l *dataset.LayerData) { l.Info.Year = y })
	}
	first := func(change func(*dataset.LayerArea)) func(*dataset.Writer) error {
		return setLayer(func(l *dataset.LayerData) { change(&l.Areas[0]) })
	}
	geoid := func(s string) func(*dataset.Writer) error { return first(func(a *dataset.LayerArea) { a.GEOID = s }) }
	outline := func(v float64) func(*dataset.Writer) error {
		return first(func(a *dataset.LayerArea) { a.Outline = geo.SquareMeters(v) })
	}
	cities := func(z dataset.ZIP, n int, facility byte) func(*dataset.Writer) error {
		return func(w *dataset.Writer) error {
			return w.AddCityNames(z, "", slices.Repeat([]dataset.CityName{{Name: "Town", Facility: facility}}, n))
		}
	}
	aliases := func(z dataset.ZIP, n int) func(*dataset.Writer) error {
		return func(w *dataset.Writer) error {
			return w.AddStreetAliases(z, slices.Repeat([]dataset.StreetAlias{{Street: "MAIN"}}, n))
		}
	}
	overlaps := func(of dataset.LayerID, whole float64, o dataset.Overlap) func(*dataset.Writer) error {
		return func(w *dataset.Writer) error {
			return errors.Join(
				w.SetLayer(layer(dataset.LayerTract, area("01"), area("02"))), w.SetLayer(layer(dataset.LayerCensusDivision, area("01"))),
				w.AddZIPOverlaps(5, dataset.CodeOverlaps{Outline: geo.SquareMeters(whole), Layers: []dataset.LayerOverlaps{{Layer: of, Overlaps: []dataset.Overlap{o}}}}),
			)
		}
	}
	shares := func(whole, v float64) func(*dataset.Writer) error {
		return overlaps(dataset.LayerTract, whole, dataset.Overlap{Intersection: geo.SquareMeters(v)})
	}
	postal := func(p dataset.PostalCode, layers ...dataset.LayerID) func(*dataset.Writer) error {
		return func(w *dataset.Writer) error {
			var list []dataset.PostalArea
			for _, id := range layers {
				list = append(list, dataset.PostalArea{Layer: id, GEOID: "01"})
			}
			return errors.Join(
				w.SetLayer(layer(dataset.LayerTract, area("01"))), w.SetLayer(layer(dataset.LayerCensusDivision, area("01"))),
				w.SetLayer(layer(dataset.LayerCensusSubdivision, area("01"))), w.AddPostalAreas(p, list),
			)
		}
	}
	detail := func(d dataset.ZIPDetail) func(*dataset.Writer) error {
		return func(w *dataset.Writer) error {
			return w.AddZIP(dataset.ZIPRow{ZIP: 5, Class: dataset.General}, d)
		}
	}
	number := func(v int32) *int32 { return &v }
	for _, tt := range []struct {
		name string
		add  func(*dataset.Writer) error
		ok   bool
	}{
		{"year 0", year(0), true},
		{"year 9999", year(9999), true},
		{"year -1", year(-1), false},
		{"year 10000", year(10_000), false},
		{"code of one byte", geoid("0"), true},
		{"code of 20 bytes", geoid("0" + strings.Repeat("1", 19)), true},
		{"code of 21 bytes", geoid("0" + strings.Repeat("1", 20)), false},
		{"empty code", geoid(""), false},
		{"code with a zero byte", geoid("0\x00"), false},
		{"code of the next area", geoid("02"), false},
		{"code after that of the next area", geoid("03"), false},
		{"unknown land", first(func(a *dataset.LayerArea) { a.Land = dataset.UnknownArea }), true},
		{"less land than unknown", first(func(a *dataset.LayerArea) { a.Land = dataset.UnknownArea - 1 }), false},
		{"unknown water", first(func(a *dataset.LayerArea) { a.Water = dataset.UnknownArea }), true},
		{"less water than unknown", first(func(a *dataset.LayerArea) { a.Water = dataset.UnknownArea - 1 }), false},
		{"outline of nothing", outline(0), true},
		{"negative outline", outline(-1), false},
		{"huge outline", outline(math.Nextafter(1e15, 0)), true},
		{"larger outline", outline(1e15), false},
		{"outline that is not a number", outline(math.NaN()), false},
		{"no areas", setLayer(func(l *dataset.LayerData) { l.Areas = nil }), false},

		{"a city name", cities(99_999, 1, 'P'), true},
		{"1,000 city names", cities(5, 1000, 0x7f), true},
		{"1,001 city names", cities(5, 1001, 0), false},
		{"no city names", cities(5, 0, 0), false},
		{"city name of no ZIP", cities(100_000, 1, 0), false},
		{"facility that is not ASCII", cities(5, 1, 0x80), false},
		{"an alias", aliases(99_999, 1), true},
		{"10,000 aliases", aliases(5, 10_000), true},
		{"10,001 aliases", aliases(5, 10_001), false},
		{"no aliases", aliases(5, 0), false},
		{"alias of no ZIP", aliases(100_000, 1), false},

		{"first area", overlaps(dataset.LayerTract, 9, dataset.Overlap{Area: 0, Intersection: 1}), true},
		{"last area", overlaps(dataset.LayerTract, 9, dataset.Overlap{Area: 1, Intersection: 1}), true},
		{"area before the first", overlaps(dataset.LayerTract, 9, dataset.Overlap{Area: -1, Intersection: 1}), false},
		{"area after the last", overlaps(dataset.LayerTract, 9, dataset.Overlap{Area: 2, Intersection: 1}), false},
		{"area of Canada", overlaps(dataset.LayerCensusDivision, 9, dataset.Overlap{Intersection: 1}), false},
		{"layer without areas", overlaps(dataset.LayerPlace, 9, dataset.Overlap{Intersection: 1}), false},
		{"no layer", overlaps(dataset.LayerFederalDistrict+1, 9, dataset.Overlap{Intersection: 1}), false},
		{"point in an area", shares(0, 0), true},
		{"share of a point", shares(0, 1), false},
		{"huge share", shares(1e14, math.Nextafter(1e15, 0)), true},
		{"larger share", shares(1e14, 1e15), false},
		{"share below nothing", shares(9, -1e-4), true},
		{"negative outline of a ZIP", shares(-1, 0), false},

		{"areas of the last postal code", postal(dataset.NumPostalCodes-1, dataset.LayerCensusDivision), true},
		{"areas of no postal code", postal(dataset.NumPostalCodes, dataset.LayerCensusDivision), false},
		{"two areas", postal(7, dataset.LayerCensusDivision, dataset.LayerCensusSubdivision), true},
		{"areas out of order", postal(7, dataset.LayerCensusSubdivision, dataset.LayerCensusDivision), false},
		{"area twice", postal(7, dataset.LayerCensusDivision, dataset.LayerCensusDivision), false},
		{"area of the United States", postal(7, dataset.LayerTract), false},

		{"nobody", detail(dataset.ZIPDetail{Population: number(0)}), true},
		{"less than nobody", detail(dataset.ZIPDetail{Population: number(-1)}), false},
		{"greatest population", detail(dataset.ZIPDetail{Population: number(math.MaxInt32)}), true},
		{"area code 999", detail(dataset.ZIPDetail{AreaCodes: []uint16{998, 999}}), true},
		{"area code 1000", detail(dataset.ZIPDetail{AreaCodes: []uint16{1000}}), false},
	} {
		w := create(t, filepath.Join(t.TempDir(), "x.db"))
		if err := tt.add(w); (err == nil) != tt.ok || !tt.ok && !errors.Is(err, dataset.ErrInvalidRow) {
			t.Errorf("%s: %v", tt.name, err)
		}
		check(t, w.Abort())
	}
}

// TestOverlapsInAnyOrder gives the layers of a ZIP in descending order. They are
// read in ascending order.
func TestOverlapsInAnyOrder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	w := create(t, path)
	check(t, w.AddZIP(dataset.ZIPRow{ZIP: 5, Class: dataset.General, Location: geo.MustLatLng(40, -100)}, dataset.ZIPDetail{}))
	layers := []dataset.LayerID{dataset.LayerStateLower, dataset.LayerTract, dataset.LayerPlace, dataset.LayerCounty}
	c := dataset.CodeOverlaps{Outline: 100}
	for i, id := range layers {
		check(t, w.SetLayer(dataset.LayerData{Info: dataset.LayerInfo{ID: id, Source: "test"}, Areas: []dataset.LayerArea{{GEOID: "01", Outline: 1000}}}))
		c.Layers = append(c.Layers, dataset.LayerOverlaps{Layer: id, Overlaps: []dataset.Overlap{{Intersection: geo.SquareMeters(i + 1)}}})
	}
	check(t, w.AddZIPOverlaps(5, c))
	check(t, w.Finish(dataset.Manifest{Version: "x"}))
	d := open(t, path)
	got, err := d.ZIPOverlaps(t.Context(), 5)
	check(t, err)
	var read []dataset.LayerID
	for _, l := range got.Layers {
		read = append(read, l.Layer)
		if i := slices.Index(layers, l.Layer); len(l.Overlaps) != 1 || l.Overlaps[0].Intersection != geo.SquareMeters(i+1) {
			t.Errorf("%s: %+v", l.Layer, l.Overlaps)
		}
	}
	want := slices.Clone(layers)
	slices.Sort(want)
	if !slices.Equal(read, want) {
		t.Errorf("layers %v, want %v", read, want)
	}
}

// TestOutlineDiffers compares ratios of areas: more than a tenth is too much.
func TestOutlineDiffers(t *testing.T) {
	for ratio, want := range map[float64]bool{0: false, 1: false, 1.0625: false, 0.9375: false, 1.09: false, 0.91: false, 1.125: true, 0.875: true, 3: true} {
		if got := (&dataset.Quality{OutlineAreaRatio: ratio}).OutlineDiffers(); got != want {
			t.Errorf("%v: %v", ratio, got)
		}
	}
}
