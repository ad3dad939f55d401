package store_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"testing/fstest"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// addedLayers writes the sample with a plan, whose outlines are rough in
// California, and a layer of a user.
func addedLayers(t *testing.T) (path string, plan, own store.LayerID) {
	t.Helper()
	base, err := sqlite.OpenFS(sample.FS(), sample.Name)
	check(t, err)
	defer base.Close()
	check(t, base.Load(t.Context(), store.SectionZIPAreas))
	beverly := rowOf(base, 90210)
	own, _ = store.OwnLayer("sales")
	plan = store.PlanLayer(store.LayerCongressionalDistrict, store.FirstAddedPlan)
	path = filepath.Join(t.TempDir(), "added.db")
	e, err := store.Extend(path, base)
	check(t, err)
	for id, p := range map[store.LayerID]store.Plan{
		own: {}, plan: {ID: "rough", Name: "Rough", From: "2027-06-01", States: []store.StateID{beverly.State}, Rough: []store.StateID{beverly.State}},
	} {
		at, size := beverly.Location, 0.5/float64(1+len(p.ID)) // no bytes of both layers are equal
		square := orb.Bound{Min: orb.Point{at.Lng() - size, at.Lat() - size}, Max: orb.Point{at.Lng() + size, at.Lat() + size}}
		l := heldLayer{
			Info:     store.LayerInfo{ID: id, Source: "test", Plan: p},
			Areas:    []store.LayerArea{{GEOID: "0601", Name: "First", State: beverly.State, Land: int64(1e9 * size), Water: int64(1e8 * size)}},
			Outlines: []orb.MultiPolygon{{square.ToPolygon()}},
		}
		data := l.layerData(t)
		for _, z := range base.ZIPAreas().Keys() {
			data.Shared = append(data.Shared, store.SharedPart{Code: store.NumberOfCode(z), Intersection: geo.SquareMeters(1e6 * size), People: len(data.Shared)})
		}
		check(t, e.SetLayer(data))
	}
	check(t, e.Finish(base.Manifest()))
	return path, plan, own
}

// TestDamagedLayers reads plans, layers of users and centers of population with
// damaged bytes. Methods return ErrDamaged; those without an error panic with it,
// as documented. Plans, InForce and NextDay need the list of layers only.
func TestDamagedLayers(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	path, plan, own := addedLayers(t)
	good := bytesOf(t, path)
	row := func(d *store.Dataset) store.ZIPRow { return rowOf(d, 90210) }
	uses := map[string]func(context.Context, *store.Dataset) error{
		"Plans": func(_ context.Context, d *store.Dataset) error {
			congress := store.LayerCongressionalDistrict
			var days []string
			for day := ""; len(days) == 0 || day != ""; day = d.NextDay(congress, day, row(d).State) {
				days = append(days, day)
			}
			f := d.InForce(congress, store.PlanChoice{Plan: "rough"}, row(d).State)
			if len(d.Plans(congress)) != 3 || len(d.Plans(own)) != 1 || f.Areas.ID() != plan || !slices.Equal(days, []string{"", "2025-01-03", "2027-01-03", "2027-06-01"}) {
				return fmt.Errorf("plans %v, in force %v, days %q", d.Plans(congress), f.Areas.ID(), days)
			}
			return nil
		},
		"Around": func(ctx context.Context, d *store.Dataset) error {
			_, err := d.Layer(plan).Around(ctx, row(d).Location, row(d).State, nil)
			return err
		},
		"StateOf": func(_ context.Context, d *store.Dataset) error { d.Layer(plan).StateOf(0); return nil },
		"Area":    func(_ context.Context, d *store.Dataset) error { d.Layer(own).Area(0); return nil },
		"Containing": func(ctx context.Context, d *store.Dataset) error {
			_, err := d.Layer(own).Containing(ctx, row(d).Location, nil)
			return err
		},
		"Polygons": func(ctx context.Context, d *store.Dataset) error {
			_, err := d.Layer(own).Polygons(ctx, 0)
			return err
		},
		"ZIPsIn": func(ctx context.Context, d *store.Dataset) error {
			_, err := d.ZIPsIn(ctx, own, 0)
			return err
		},
		"ZIPOverlaps": func(ctx context.Context, d *store.Dataset) error {
			_, err := d.ZIPOverlaps(ctx, row(d).ZIP)
			return err
		},
		"Centers": func(_ context.Context, d *store.Dataset) error {
			for range d.Centers() {
			}
			return nil
		},
	}
	panicking := []string{"Area", "Centers", "StateOf"}
	cell := func(table string, id store.LayerID) int {
		db := openSQL(t, path)
		defer db.Close()
		var data []byte
		check(t, db.QueryRow("SELECT data FROM "+table+" WHERE id = "+strconv.FormatUint(uint64(id), 10)).Scan(&data))
		return placeOf(t, good, data)
	}
	for _, c := range []struct {
		name string
		at   int
		want []string // methods that fail
	}{
		{"nothing", -1, nil},
		{"rows of the own layer", placeOfColumn(t, good, "added.layers.sales.areas"), []string{"Area", "Around", "Containing", "Polygons", "StateOf", "ZIPOverlaps", "ZIPsIn"}},
		{"outlines of the own layer", cell("layer_outlines", own), []string{"Containing", "Polygons"}},
		{"codes of the own layer", cell("layer_codes", own), []string{"ZIPOverlaps", "ZIPsIn"}},
		{"outlines of the plan", cell("layer_outlines", plan), []string{"Around"}},
		{"codes of the plan", cell("layer_codes", plan), []string{"ZIPOverlaps", "ZIPsIn"}},
		{"centers", placeOfColumn(t, good, "centers.points"), []string{"Centers"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := slices.Clone(good)
			if c.at >= 0 {
				bad[c.at] ^= 0xff
			}
			for name, use := range uses {
				d, err := sqlite.OpenFS(fstest.MapFS{"x.db": {Data: bad}}, "x.db")
				check(t, err)
				failed := func() (err error) {
					if slices.Contains(panicking, name) {
						defer func() {
							if p := recover(); p != nil {
								err = p.(error)
							}
						}()
					}
					return use(t.Context(), d)
				}()
				if slices.Contains(c.want, name) {
					wantError(t, failed, store.ErrDamaged)
				} else if failed != nil && !errors.Is(failed, store.ErrDamaged) { // what shares the page may fail too
					t.Errorf("%s: %v", name, failed)
				}
				check(t, d.Close())
			}
		})
	}
}
