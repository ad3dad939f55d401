package synth_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/internal/synth"
)

// TestStreets builds a dataset with invented streets. It checks that points are
// near the segment with their number.
func TestStreets(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	c, err := synth.New(synth.Options{Seed: 7, ZIPs: 300})
	if err != nil {
		t.Fatal(err)
	}
	ctx, dir := t.Context(), t.TempDir()
	if err := c.WriteMirror(ctx, dir); err != nil {
		t.Fatal(err)
	}
	segments, points, err := c.WriteStreets(ctx, dir, synth.StreetOptions{Segments: 3_000, Points: 12_000})
	if err != nil {
		t.Fatal(err)
	}
	if segments != 3_000 || points < 10_000 || points > 14_000 {
		t.Errorf("%d segments and %d points", segments, points)
	}
	database := filepath.Join(dir, "data.transportation.gov/download/fc2s-wawr/application/x-zip-compressed")
	if err := os.Rename(database, filepath.Join(dir, "points.zip")); err != nil { // its catalog entry expects a whole country
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "streets.db")
	if _, err := builder.Build(ctx, builder.Options{Output: path, Mirror: dir, Offline: true, Cache: t.TempDir(), Layers: []string{"streets", "boundaries"}, Sample: true}); err != nil {
		t.Fatal(err)
	}
	d, err := sqlite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	read, near := int64(0), int64(0)
	for p, err := range source.ReadAddressPoints(filepath.Join(dir, "points.zip")) {
		if err != nil {
			t.Fatal(err)
		}
		if p.Placement != store.PlacementStructure || len(p.Numbers) != 1 || !p.HasZIP {
			t.Fatalf("a point reads as %+v", p)
		}
		if read++; nearSegment(t, d, &p) {
			near++
		}
	}
	if read != points || near < points*9/10 {
		t.Errorf("%d of %d points are read, %d are near their segment", read, points, near)
	}
	for _, f := range c.FSAs {
		roads, inside := 0, false
		for r, err := range d.AllRoads(ctx, store.RoadAreaOfFSA(f.Code)) {
			if err != nil {
				t.Fatal(err)
			}
			s := r.Segments[0]
			inside = s.Origin == store.RoadOrigin{Source: "statcan-streets", Placement: store.PlacementBlock, Code: store.CodeOfOutline}
			if roads++; !s.Left.Has(store.HouseNumber{Value: 102}) || !s.Right.Has(store.HouseNumber{Value: 103}) {
				t.Errorf("%s in %s has the ranges %+v and %+v", r.RoadName, f.Code, s.Left, s.Right)
			}
		}
		if f.HasArea && (roads == 0 || !inside) {
			t.Errorf("%s has %d roads, placed by its outline: %v", f.Code, roads, inside)
		}
	}
	network := []string{filepath.Join(dir, "www12.statcan.gc.ca/census-recensement/2011/geo/RNF-FRR/files-fichiers/lrnf000r24a_e.zip")} // named by the user
	more := filepath.Join(t.TempDir(), "more.db")
	if _, err := builder.Extend(ctx, path, builder.Options{Output: more, Mirror: dir, Offline: true, Cache: t.TempDir(), AddrFeat: network}); err != nil {
		t.Fatal(err)
	}
	extended, err := sqlite.Open(more)
	if err != nil {
		t.Fatal(err)
	}
	defer extended.Close()
	for _, s := range extended.Manifest().Sources {
		if s.ID == "tiger-addrfeat" && (s.License != "Statistics Canada Open Licence" || s.Redistribution != dataset.WithAttribution) {
			t.Errorf("the road network file of the user is %+v", s)
		}
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, _, err := c.WriteStreets(stopped, dir, synth.StreetOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the cancellation: %v", err)
	}
}

// nearSegment reports whether a segment with the number of a point is near it.
func nearSegment(t *testing.T, d *store.Dataset, p *source.AddressPoint) bool {
	const longest = 220 // meters: a segment and its setback
	for r, err := range d.AllRoads(t.Context(), store.RoadAreaOfZIP(p.ZIP)) {
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range r.Segments {
			if r.RoadName == p.Name && (s.Left.Has(p.Numbers[0]) || s.Right.Has(p.Numbers[0])) && geo.Distance(s.Line[0], p.Location) < longest {
				return true
			}
		}
	}
	return false
}
