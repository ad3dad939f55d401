package postgeo_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/lookup"
)

// The operations on areas answer as the packages below do, and refuse after
// Close.
func TestAreas(t *testing.T) {
	db := sampletest.Open(t)
	county, ok := lookup.ParseLayer("county")
	if !ok {
		t.Fatal("county is no layer")
	}
	in, err := db.CodesIn(t.Context(), county, "06037", lookup.CodesInOptions{})
	if err != nil || len(in.Codes) < 10 || in.Area.Name != "Los Angeles County" {
		t.Fatalf("codes of 06037: %+v, %v", in, err)
	}
	rows := 0
	for row, err := range db.Crosswalk(t.Context(), "county", "zip", lookup.CrosswalkOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		if row.From == "06037" {
			rows++
		}
	}
	if diff := cmp.Diff(len(in.Codes), rows); diff != "" {
		t.Errorf("codes of 06037 and rows of the crosswalk (-codes +rows):\n%s", diff)
	}
	area, outline, err := db.AreaOutline(t.Context(), county, "06037")
	if err != nil || outline == nil {
		t.Fatalf("outline of 06037: %v", err)
	}
	if size, err := spatial.MultiPolygonArea(outline); err != nil || float64(size.SquareMiles()) < *area.LandAreaSqMi/2 {
		t.Errorf("the outline of 06037 has %v square miles, %v; its land %v", size.SquareMiles(), err, *area.LandAreaSqMi)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for name, ask := range map[string]func() error{
		"CodesIn":     func() error { _, err := db.CodesIn(t.Context(), county, "06037", lookup.CodesInOptions{}); return err },
		"Neighbors":   func() error { _, err := db.Neighbors(t.Context(), "90210", lookup.NeighborOptions{}); return err },
		"AreaOutline": func() error { _, _, err := db.AreaOutline(t.Context(), county, "06037"); return err },
		"FamiliesAt": func() error {
			_, _, err := db.FamiliesAt(t.Context(), geo.MustLatLng(34, -118), lookup.Options{Include: lookup.Include{Census: true}})
			return err
		},
		"Crosswalk": func() error {
			for _, err := range db.Crosswalk(t.Context(), "zip", "county", lookup.CrosswalkOptions{}) {
				return err
			}
			return nil
		},
	} {
		if err := ask(); !errors.Is(err, postgeo.ErrClosed) {
			t.Errorf("%s after Close: %v", name, err)
		}
	}
}

// Areas of many points equal those of FamiliesAt, including districts of plans.
func TestAreaIDsAt(t *testing.T) {
	db := sampletest.Open(t)
	rng := rand.New(rand.NewPCG(1, 2))
	var points []geo.LatLng
	for range 200 {
		points = append(points, geo.MustLatLng(33.6+rng.Float64(), -118.6+rng.Float64()))
	}
	list := func(name string) (ids []string) {
		layer, _ := lookup.ParseLayer(name)
		for id, err := range db.AreaIDsAt(t.Context(), layer, slices.Values(points)) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			ids = append(ids, id)
		}
		return ids
	}
	counties, districts := list("county"), list("cd")
	found := 0
	for i, p := range points {
		fam, _, err := db.FamiliesAt(t.Context(), p, lookup.Options{Include: lookup.Include{Census: true, CongressionalDistrict: true}})
		if err != nil {
			t.Fatal(err)
		}
		county, district := "", ""
		if c := fam.Census; c != nil && c.Current != nil && len(c.Current.County) > 0 {
			county = c.Current.County[0].FIPS
		}
		if c := fam.CongressionalDistrict; c != nil && c.Current != nil {
			district = c.Current.Primary.GEOID
			if district != "" {
				found++
			}
		}
		if counties[i] != county || districts[i] != district {
			t.Errorf("%v: county %q, district %q; FamiliesAt has %q and %q", p, counties[i], districts[i], county, district)
		}
	}
	if found == 0 {
		t.Error("no point has a district")
	}
	for _, err := range db.AreaIDsAt(t.Context(), "", slices.Values(points)) {
		if !errors.Is(err, postgeo.ErrUnavailable) {
			t.Errorf("no layer: %v", err)
		}
	}
}
