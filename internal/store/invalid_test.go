package store_test

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

// A refusal panics with the error that fails a test.
type refusal struct{ testing.TB }

func (refusal) Fatal(args ...any) { panic(args[0]) }

// TestInvalid gives a writer what no file can hold: values and texts that the schema refuses,
// rows twice, and references to nothing. The file under the name stays, and nothing is left.
func TestInvalid(t *testing.T) {
	type give func(w *storewrite.Writer) error
	zip := func(r store.ZIPRow, d store.ZIPDetail) give {
		return func(w *storewrite.Writer) error {
			r.Class = cmp.Or(r.Class, store.General)
			return w.AddZIP(r, d)
		}
	}
	twice := func(add give) give { return func(w *storewrite.Writer) error { return errors.Join(add(w), add(w)) } }
	outlines := packed(t, &layer[postcode.ZIP]{Keys: []postcode.ZIP{90210}, Outlines: []orb.MultiPolygon{{box(0, 0)}}})
	areas := func(change func(l *storewrite.AreaLayer[postcode.ZIP])) give {
		l := outlines
		change(&l)
		return func(w *storewrite.Writer) error { return w.SetZIPAreas(l) }
	}
	zones := func(shares ...store.ZoneShare) give {
		return func(w *storewrite.Writer) error { return w.AddZones(store.CodeOfZIP(90210), shares) }
	}
	place := storewrite.LayerData{Info: store.LayerInfo{ID: store.LayerPlace}, Areas: []store.LayerArea{{GEOID: "06", Land: 1, Water: 1}}}
	layered := func(change func(*storewrite.LayerData), next ...give) give {
		l := place
		l.Areas = slices.Clone(l.Areas)
		change(&l)
		return func(w *storewrite.Writer) error {
			err := w.SetLayer(l)
			for _, f := range next {
				err = cmp.Or(err, f(w))
			}
			return err
		}
	}
	same := func(*storewrite.LayerData) {}
	meets := func(area int, v geo.SquareMeters) store.CodeOverlaps {
		return store.CodeOverlaps{Outline: 1, Layers: []store.LayerOverlaps{{Layer: store.LayerPlace, Overlaps: []store.Overlap{{Area: area, Intersection: v}}}}}
	}
	spoiled := func(spoil func(c *country)) give {
		return func(w *storewrite.Writer) (err error) {
			defer func() {
				if r := recover(); r != nil {
					err = r.(error)
				}
			}()
			c := small()
			spoil(c)
			c.tables(refusal{t}, w)
			c.addZIPs(refusal{t}, w)
			c.addCanada(refusal{t}, w)
			c.addCover(refusal{t}, w)
			return w.Finish(c.Manifest)
		}
	}
	nan := float32(0)
	nan /= nan
	for name, f := range map[string]give{
		"ZIP twice":      twice(zip(store.ZIPRow{}, store.ZIPDetail{})),
		"ZIP class":      zip(store.ZIPRow{Class: 'X'}, store.ZIPDetail{}),
		"ZIP city":       zip(store.ZIPRow{City: "\xff"}, store.ZIPDetail{}),
		"ZIP counties":   zip(store.ZIPRow{MultiCounty: store.Yes + 1}, store.ZIPDetail{}),
		"alias":          zip(store.ZIPRow{}, store.ZIPDetail{Aliases: []store.CityAlias{{City: "\xff"}}}),
		"quality text":   zip(store.ZIPRow{}, store.ZIPDetail{Quality: store.Quality{Notes: []string{"\xff"}}}),
		"quality county": zip(store.ZIPRow{}, store.ZIPDetail{Quality: store.Quality{Counties: []store.CountySource{{FIPS: "6037"}}}}),
		"population":     zip(store.ZIPRow{}, store.ZIPDetail{Population: ptr(int32(-1))}),
		"SSA code":       zip(store.ZIPRow{}, store.ZIPDetail{Medicare: &store.Medicare{SSA: "1234"}}),
		"size class":     zip(store.ZIPRow{}, store.ZIPDetail{Business: &store.Business{EmploymentFlag: "N"}}),
		"FSA twice":      twice(func(w *storewrite.Writer) error { return w.AddFSA(store.FSARow{}, store.FSADetail{}) }),
		"FSA land": func(w *storewrite.Writer) error {
			return w.AddFSA(store.FSARow{}, store.FSADetail{LandArea: ptr(int64(-1))})
		},
		"postal twice": twice(func(w *storewrite.Writer) error { return w.AddPostalCode(store.PostalRow{}) }),
		"postal town":  func(w *storewrite.Writer) error { return w.AddPostalCode(store.PostalRow{Municipality: "\xff"}) },
		"states twice": twice(func(w *storewrite.Writer) error { return w.SetStates([]store.State{{}}) }),
		"county name":  func(w *storewrite.Writer) error { return w.SetCounties([]store.County{{Name: "\xff"}}) },
		"zone rules":   func(w *storewrite.Writer) error { return w.SetZones([]store.Zone{{Name: "America/Chicago"}}) },
		"city twice":   twice(func(w *storewrite.Writer) error { return w.AddCityNames(1, "", []store.CityName{{Name: "A"}}) }),

		"state":             spoiled(func(c *country) { c.ZIPs[2].State = 4 }),
		"county":            spoiled(func(c *country) { c.ZIPs[2].County = 4 }),
		"zone":              spoiled(func(c *country) { c.ZIPs[2].Zone = 3 }),
		"province":          spoiled(func(c *country) { c.FSAs[1].Province = 4 }),
		"FSA zone":          spoiled(func(c *country) { c.FSAs[1].Zone = 3 }),
		"postal province":   spoiled(func(c *country) { c.Postal[1].Province = 4 }),
		"postal zone":       spoiled(func(c *country) { c.Postal[1].Zone = 3 }),
		"county's state":    spoiled(func(c *country) { c.Counties[0].State = 4 }),
		"county's CBSA":     spoiled(func(c *country) { c.Counties[0].CBSA = 3 }),
		"county's division": spoiled(func(c *country) { c.Counties[0].Division = 2 }),
		"division's CBSA":   spoiled(func(c *country) { c.Divisions[0].CBSA = 3 }),
		"country":           spoiled(func(c *country) { c.States[0].Country = 0 }),
		"state twice":       spoiled(func(c *country) { c.States[1] = store.State{Country: store.US, Abbr: "CA"} }),
		"county twice":      spoiled(func(c *country) { c.Counties[1].FIPS = c.Counties[0].FIPS }),
		"states":            spoiled(func(c *country) { c.States = make([]store.State, 256) }),
		"zones":             spoiled(func(c *country) { c.Zones = slices.Repeat(c.Zones[:1], 256) }),
		"manifest text":     spoiled(func(c *country) { c.Manifest.Sources[0].Note = "a\x00b" }),
		"manifest layer":    spoiled(func(c *country) { c.Manifest.Layers = []string{"\xff"} }),
		"outline of no ZIP": spoiled(func(c *country) { c.ZIPAreas.Keys[1] = 90211 }),
		"of no FSA":         spoiled(func(c *country) { c.FSAAreas.Keys[0] = fsa("K1B") }),
		"of state 0":        spoiled(func(c *country) { c.StateAreas.Keys[0] = 0 }),
		"of no state":       spoiled(func(c *country) { c.StateAreas.Keys[1] = 4 }),
		"of no county":      spoiled(func(c *country) { c.CountyAreas.Keys[0] = 9 }),
		"of no zone":        spoiled(func(c *country) { c.ZoneAreas.Keys[1] = 200 }),
		"share of no zone":  spoiled(func(c *country) { c.FSAZones[0].Shares[0].Zone = 17 }),
		"area's state":      spoiled(func(c *country) { c.Layers[0].Areas[0].State = 200 }),
		"overlaps' ZIP":     spoiled(func(c *country) { c.ZIPOverlaps[1].Code = 99998 }),
		"overlaps' FSA":     spoiled(func(c *country) { c.FSAOverlaps[0].Code = fsa("K1B") }),

		"outlines twice":  twice(areas(func(*storewrite.AreaLayer[postcode.ZIP]) {})),
		"no index":        areas(func(l *storewrite.AreaLayer[postcode.ZIP]) { l.Packed = nil }),
		"cut index":       areas(func(l *storewrite.AreaLayer[postcode.ZIP]) { l.Packed = l.Packed[:len(l.Packed)-1] }),
		"fewer outlines":  areas(func(l *storewrite.AreaLayer[postcode.ZIP]) { l.Keys = []postcode.ZIP{1, 2} }),
		"share NaN":       zones(store.ZoneShare{Zone: 1, Percent: nan}),
		"share 0":         zones(store.ZoneShare{Zone: 1}),
		"share above 100": zones(store.ZoneShare{Zone: 1, Percent: 100.1}),
		"share twice":     zones(store.ZoneShare{Zone: 1, Percent: 8}, store.ZoneShare{Zone: 1, Percent: 7}),

		"no areas":           layered(func(l *storewrite.LayerData) { l.Areas = nil }),
		"layer's text":       layered(func(l *storewrite.LayerData) { l.Info.Period = "\xff" }),
		"layer's year":       layered(func(l *storewrite.LayerData) { l.Info.Year = 10000 }),
		"no GEOID":           layered(func(l *storewrite.LayerData) { l.Areas[0].GEOID = "" }),
		"area's water":       layered(func(l *storewrite.LayerData) { l.Areas[0].Water = -2 }),
		"area's extent":      layered(func(l *storewrite.LayerData) { l.Areas[0].Outline = -1 }),
		"area twice":         layered(func(l *storewrite.LayerData) { l.Areas = append(l.Areas, l.Areas[0]) }),
		"layer twice":        layered(same, func(w *storewrite.Writer) error { return w.SetLayer(place) }),
		"overlap of no area": layered(same, func(w *storewrite.Writer) error { return w.AddOverlaps(store.CodeOfZIP(1), meets(1, 1)) }),
		"overlap too large":  layered(same, func(w *storewrite.Writer) error { return w.AddOverlaps(store.CodeOfZIP(1), meets(0, 1e16)) }),
		"outline below 0": layered(same, func(w *storewrite.Writer) error {
			return w.AddOverlaps(store.CodeOfZIP(1), store.CodeOverlaps{Outline: -1})
		}),
		"postal code in no area": layered(same, func(w *storewrite.Writer) error {
			return w.AddPostalAreas(1, []store.PostalArea{{Layer: store.LayerPlace, GEOID: "07"}})
		}),
		"dissemination area": func(w *storewrite.Writer) error {
			return w.AddPostalAreas(1, []store.PostalArea{{Layer: store.LayerDisseminationArea, GEOID: "3506"}})
		},

		"survey twice": twice(func(w *storewrite.Writer) error { _, err := w.AddACSTable(smallSurveys()[0].Table); return err }),
		"survey's area twice": func(w *storewrite.Writer) error {
			s := smallSurveys()[0]
			id, err := w.AddACSTable(s.Table)
			return errors.Join(err, w.AddACSRow(id, 7, s.Rows[0].Cells), w.AddACSRow(id, 7, s.Rows[0].Cells))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, "x.db")
			check(t, os.WriteFile(path, []byte("before"), 0o600))
			w := create(t, path)
			err := f(w)
			if err == nil { // the schema refuses the row
				err = w.Finish(dataset.Manifest{})
			}
			wantError(t, err, store.ErrInvalidRow)
			check(t, w.Abort())
			wantError(t, w.Finish(dataset.Manifest{}), store.ErrClosed)
			if got, kept := files(t, dir), string(bytesOf(t, path)); got != "x.db" || kept != "before" {
				t.Errorf("files %q, want only x.db with %.20q", got, kept)
			}
		})
	}
}
