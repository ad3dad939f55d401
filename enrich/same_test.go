package enrich_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/sampletest"
)

// TestEachPlace compares the rows of coordinates that have the same areas around them:
// random ones, vertices of outlines, and points near these.
func TestEachPlace(t *testing.T) {
	db := sampletest.Open(t)
	random := rand.New(rand.NewPCG(5, 6))
	_, points := selectionKeys(t, db, random)
	for _, p := range points {
		if at, err := geo.ParseLatLng(p); err == nil {
			for range 3 {
				points = append(points, fmt.Sprintf("%.7f,%.7f", at.Lat()+random.NormFloat64()/1e6, at.Lng()+random.NormFloat64()/100))
			}
		}
	}
	for _, add := range [][]string{
		{"city", "county_fips"},
		{"county_fips"},
		{"county", "state_name", "timezone.iana_name"},
		{"multi_county", "county", "census.tract.geoid"},
		{"timezone.name"},
		{"census.tract.geoid"},
		{"census.metro_micro_cbsa_statistical_area.cbsa_code", "timezone.zones"},
		{"census", "state_legislative", "school_district", "elevation.ft"},
		{"congressional_district", "elevation.ft"},
		{"congressional_district.next", "demographics"},
	} {
		e, err := enrich.New(db, enrich.Options{Kind: enrich.Coordinates, Add: add})
		check(t, err)
		first, shared := map[string]string{}, 0
		found := make([]bool, len(points))
		at := make([]geo.LatLng, len(points))
		for i, p := range points {
			at[i], _ = geo.ParseLatLng(p) // else not valid
		}
		err = e.EachPlace(t.Context(), at, func(i int, areas []byte) error {
			p := points[i]
			values, out, err := e.Row(t.Context(), p, nil)
			if found[i] || err != nil {
				t.Fatalf("%s is found twice, %v", p, err)
			}
			found[i] = true
			if areas == nil || !out.Status.Answered() {
				return nil
			}
			row := fmt.Sprint(out)
			for _, v := range values {
				row += "\n" + v.String()
			}
			if want, ok := first[string(areas)]; !ok {
				first[string(areas)] = row
			} else if shared++; row != want {
				t.Fatalf("%v: %s (-another point in the areas +point):\n%s", add, p, cmp.Diff(want, row))
			}
			return nil
		})
		if err != nil || slices.Contains(found, false) {
			t.Fatal(slices.Index(found, false), err)
		}
		if shared < 1000 || len(first) < 40 {
			t.Errorf("%v: %d rows share their areas with another; %d areas", add, shared, len(first))
		}
	}
}

// TestEachPlaceDepends lists rows whose values depend on more than areas.
func TestEachPlaceDepends(t *testing.T) {
	db := sampletest.Open(t)
	for _, c := range []struct {
		opt  enrich.Options
		key  string
		want bool
	}{
		{enrich.Options{Kind: enrich.Coordinates, Add: []string{"city"}}, "34.09,-118.41", true},
		{enrich.Options{Kind: enrich.Coordinates, Add: []string{"city"}}, "0,0", false},
		{enrich.Options{Kind: enrich.Coordinates, Add: []string{"city"}}, "x", false},
		{enrich.Options{Kind: enrich.Code, Add: []string{"city"}}, "34.09,-118.41", false},
		{enrich.Options{Kind: enrich.Coordinates, Add: []string{"nearest.code"}}, "34.09,-118.41", false},
	} {
		e, err := enrich.New(db, c.opt)
		check(t, err)
		at, _ := geo.ParseLatLng(c.key) // else not valid
		err = e.EachPlace(t.Context(), []geo.LatLng{at}, func(_ int, areas []byte) error {
			if (areas != nil) != c.want {
				t.Errorf("%v of %s: areas %q", c.opt.Add, c.key, areas)
			}
			return io.EOF
		})
		if !errors.Is(err, io.EOF) {
			t.Errorf("%v of %s: error %v of find", c.opt.Add, c.key, err)
		}
	}
}
