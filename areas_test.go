package postgeo_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/geo"
)

// The operations on areas answer as the packages below do, and refuse after
// Close.
func TestAreas(t *testing.T) {
	db, err := postgeo.OpenSample()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	county, ok := postgeo.ParseLayer("county")
	if !ok {
		t.Fatal("county is no layer")
	}
	in, err := db.CodesIn(t.Context(), county, "06037", postgeo.CodesInOptions{})
	if err != nil || len(in.Codes) < 10 || in.Area.Name != "Los Angeles County" {
		t.Fatalf("codes of 06037: %+v, %v", in, err)
	}
	rows := 0
	for row, err := range db.Crosswalk(t.Context(), "county", "zip", postgeo.CrosswalkOptions{}) {
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
	if size, err := geo.MultiPolygonArea(outline); err != nil || float64(size.SquareMiles()) < *area.LandAreaSqMi/2 {
		t.Errorf("the outline of 06037 has %v square miles, %v; its land %v", size.SquareMiles(), err, *area.LandAreaSqMi)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for name, ask := range map[string]func() error{
		"CodesIn":     func() error { _, err := db.CodesIn(t.Context(), county, "06037", postgeo.CodesInOptions{}); return err },
		"Neighbors":   func() error { _, err := db.Neighbors(t.Context(), "90210", postgeo.NeighborOptions{}); return err },
		"AreaOutline": func() error { _, _, err := db.AreaOutline(t.Context(), county, "06037"); return err },
		"FamiliesAt": func() error {
			_, _, err := db.FamiliesAt(t.Context(), geo.MustLatLng(34, -118), postgeo.Include{Census: true})
			return err
		},
		"Crosswalk": func() error {
			for _, err := range db.Crosswalk(t.Context(), "zip", "county", postgeo.CrosswalkOptions{}) {
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
