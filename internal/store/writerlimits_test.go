package store_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// TestWriterLimits gives the writer the first and the last value of every range,
// which it accepts, and the next one, which it refuses.
func TestWriterLimits(t *testing.T) {
	layer := func(id store.LayerID, areas ...store.LayerArea) store.LayerData {
		return store.LayerData{Info: store.LayerInfo{ID: id, Source: "test"}, Areas: areas}
	}
	area := func(geoid string) store.LayerArea { return store.LayerArea{GEOID: geoid} }
	setLayer := func(change func(*store.LayerData)) func(*store.Writer) error {
		return func(w *store.Writer) error {
			l := layer(store.LayerTract, area("01"), area("02"))
			change(&l)
			return w.SetLayer(l)
		}
	}
	year := func(y int) func(*store.Writer) error {
		return setLayer(func(l *store.LayerData) { l.Info.Year = y })
	}
	first := func(change func(*store.LayerArea)) func(*store.Writer) error {
		return setLayer(func(l *store.LayerData) { change(&l.Areas[0]) })
	}
	geoid := func(s string) func(*store.Writer) error { return first(func(a *store.LayerArea) { a.GEOID = s }) }
	outline := func(v float64) func(*store.Writer) error {
		return first(func(a *store.LayerArea) { a.Outline = geo.SquareMeters(v) })
	}
	overlaps := func(of store.LayerID, whole float64, o store.Overlap) func(*store.Writer) error {
		return func(w *store.Writer) error {
			return errors.Join(
				w.AddZIP(store.ZIPRow{ZIP: 5, Class: store.General}, store.ZIPDetail{}), w.SetLayer(layer(store.LayerTract, area("01"), area("02"))), w.SetLayer(layer(store.LayerCensusDivision, area("01"))),
				w.AddZIPOverlaps(5, store.CodeOverlaps{Outline: geo.SquareMeters(whole), Layers: []store.LayerOverlaps{{Layer: of, Overlaps: []store.Overlap{o}}}}),
			)
		}
	}
	shares := func(whole, v float64) func(*store.Writer) error {
		return overlaps(store.LayerTract, whole, store.Overlap{Intersection: geo.SquareMeters(v)})
	}
	postal := func(p dataset.PostalCode, layers ...store.LayerID) func(*store.Writer) error {
		return func(w *store.Writer) error {
			var list []store.PostalArea
			for _, id := range layers {
				list = append(list, store.PostalArea{Layer: id, GEOID: "01"})
			}
			return errors.Join(
				w.SetLayer(layer(store.LayerTract, area("01"))), w.SetLayer(layer(store.LayerCensusDivision, area("01"))),
				w.SetLayer(layer(store.LayerCensusSubdivision, area("01"))), w.AddPostalAreas(p, list),
			)
		}
	}
	detail := func(d store.ZIPDetail) func(*store.Writer) error {
		return func(w *store.Writer) error {
			return w.AddZIP(store.ZIPRow{ZIP: 5, Class: store.General}, d)
		}
	}
	centers := func(list ...store.Center) func(*store.Writer) error {
		return func(w *store.Writer) error { return w.SetCenters(list) }
	}
	center := func(group uint64, people int, others ...store.CenterShare) store.Center {
		return store.Center{BlockGroup: group, At: geo.MustLatLng(34, -118), People: people, ZIP: 5, Others: others}
	}
	number := func(v int32) *int32 { return &v }
	for _, tt := range []struct {
		name string
		add  func(*store.Writer) error
		ok   bool
	}{
		{"year 0", year(0), true},
		{"year -1", year(-1), false},
		{"year 10000", year(10_000), false},
		{"code of 20 bytes", geoid("0" + strings.Repeat("1", 19)), true},
		{"code of 21 bytes", geoid("0" + strings.Repeat("1", 20)), false},
		{"empty code", geoid(""), false},
		{"code of the next area", geoid("02"), false},
		{"code after that of the next area", geoid("03"), false},
		{"unknown land", first(func(a *store.LayerArea) { a.Land = store.UnknownArea }), true},
		{"less land than unknown", first(func(a *store.LayerArea) { a.Land = store.UnknownArea - 1 }), false},
		{"unknown water", first(func(a *store.LayerArea) { a.Water = store.UnknownArea }), true},
		{"less water than unknown", first(func(a *store.LayerArea) { a.Water = store.UnknownArea - 1 }), false},
		{"outline of nothing", outline(0), true},
		{"negative outline", outline(-1), false},
		{"no areas", setLayer(func(l *store.LayerData) { l.Areas = nil }), false},

		{"first area", overlaps(store.LayerTract, 9, store.Overlap{Area: 0, Intersection: 1}), true},
		{"last area", overlaps(store.LayerTract, 9, store.Overlap{Area: 1, Intersection: 1}), true},
		{"area before the first", overlaps(store.LayerTract, 9, store.Overlap{Area: -1, Intersection: 1}), false},
		{"area after the last", overlaps(store.LayerTract, 9, store.Overlap{Area: 2, Intersection: 1}), false},
		{"area of Canada", overlaps(store.LayerCensusDivision, 9, store.Overlap{Intersection: 1}), false},
		{"layer without areas", overlaps(store.LayerPlace, 9, store.Overlap{Intersection: 1}), false},
		{"no layer", overlaps(store.LayerFederalDistrict+1, 9, store.Overlap{Intersection: 1}), false},
		{"point in an area", shares(0, 0), true},
		{"share of a point", shares(0, 1), false},
		{"share below nothing", shares(9, -1e-4), true},
		{"negative outline of a ZIP", shares(-1, 0), false},

		{"areas of the last postal code", postal(dataset.NumPostalCodes-1, store.LayerCensusDivision), true},
		{"two areas", postal(7, store.LayerCensusDivision, store.LayerCensusSubdivision), true},
		{"area of the United States", postal(7, store.LayerTract), false},

		{"centers", centers(center(60370001001, 9, store.CenterShare{ZIP: 7, People: 9}), center(60370001002, 0)), true},
		{"center twice", centers(center(60370001001, 9), center(60370001001, 9)), false},
		{"centers in descending order", centers(center(60370001002, 9), center(60370001001, 9)), false},

		{"nobody", detail(store.ZIPDetail{Population: number(0)}), true},
		{"less than nobody", detail(store.ZIPDetail{Population: number(-1)}), false},
	} {
		w := create(t, filepath.Join(t.TempDir(), "x.db"))
		err := tt.add(w)
		if err == nil { // the schema refuses rows
			err = w.Finish(dataset.Manifest{})
		}
		if (err == nil) != tt.ok || !tt.ok && !errors.Is(err, store.ErrInvalidRow) {
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
	check(t, w.AddZIP(store.ZIPRow{ZIP: 5, Class: store.General, Location: geo.MustLatLng(40, -100)}, store.ZIPDetail{}))
	layers := []store.LayerID{store.LayerStateLower, store.LayerTract, store.LayerPlace, store.LayerCounty}
	c := store.CodeOverlaps{Outline: 100}
	for i, id := range layers {
		check(t, w.SetLayer(store.LayerData{Info: store.LayerInfo{ID: id, Source: "test"}, Areas: []store.LayerArea{{GEOID: "01", Outline: 1000}}}))
		c.Layers = append(c.Layers, store.LayerOverlaps{Layer: id, Overlaps: []store.Overlap{{Intersection: geo.SquareMeters(i + 1)}}})
	}
	check(t, w.AddZIPOverlaps(5, c))
	check(t, w.Finish(dataset.Manifest{Version: "x"}))
	d := open(t, path)
	got, err := d.ZIPOverlaps(t.Context(), 5)
	check(t, err)
	var read []store.LayerID
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
		if got := (&store.Quality{OutlineAreaRatio: ratio}).OutlineDiffers(); got != want {
			t.Errorf("%v: %v", ratio, got)
		}
	}
}
