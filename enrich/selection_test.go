package enrich_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup"
)

// selectionKeys returns codes, and coordinates near them, on borders of areas, at
// sea, abroad and out of range.
func selectionKeys(t *testing.T, db *postgeo.DB, random *rand.Rand) (codes, points []string) {
	t.Helper()
	points = []string{
		"0,0", "90,180", "91,0", "34.1,x", "41.99995,-82.08433", "45.42,-75.69", "45.4215296,-75.6971931", "43.65,-79.38", "21.3,-157.85",
		"34.090100000000000001,-118.4065", "+34.1,-.1184e3", "49,-95.15", "25.76,-80.13", " 34.0901 , -118.4065 ",
	}
	for _, kind := range []lookup.CodeType{lookup.ZIP, lookup.FSA, lookup.Postal} {
		for code, err := range db.Codes(t.Context(), kind) {
			check(t, err)
			codes = append(codes, code)
			rec, err := db.QuickLookup(t.Context(), code, lookup.QuickOptions{})
			check(t, err)
			if at := rec.Location; at.IsValid() {
				points = append(points, at.String(), fmt.Sprintf("%f,%f", at.Lat()+random.NormFloat64()/5, at.Lng()+random.NormFloat64()/5))
			}
		}
	}
	for _, id := range []lookup.Layer{lookup.LayerCounty, lookup.LayerTract, lookup.LayerPlace, lookup.LayerCensusSubdivision} {
		n := 0
		for geoid, err := range db.AreaIDs(t.Context(), id) {
			check(t, err)
			_, outline, err := db.AreaOutline(t.Context(), id, geoid)
			check(t, err)
			for _, polygon := range outline {
				corner := polygon[0][random.IntN(len(polygon[0]))]
				points = append(points, fmt.Sprintf("%.6f,%.6f", corner.Lat(), corner.Lon()))
			}
			if n++; n == 40 {
				break
			}
		}
	}
	return codes, points
}

// TestSelection compares lookups that compute a few fields with those that compute
// all values.
func TestSelection(t *testing.T) {
	db := sampletest.Open(t)
	random := rand.New(rand.NewPCG(1, 2))
	codes, points := selectionKeys(t, db, random)
	fields := []string{
		"census", "census.current.tract.geoid", "census.tract.1.geoid", "census.tract", "census.year", "census.basis", "metro", "zip_info", "timezone",
		"congressional_district", "school_district.districts", "quality", "demographics", "medicare", "city", "location",
	}
	for _, f := range enrich.Catalog() {
		if strings.HasPrefix(f.Operation, "lookup") && !strings.HasPrefix(f.Path, "acs.") {
			fields = append(fields, f.Path)
		}
	}
	rows := 60
	if testing.Short() {
		rows = 10
	}
	for i, field := range fields {
		if testing.Short() && i%4 > 0 {
			continue
		}
		for _, run := range []struct {
			kind enrich.Kind
			keys []string
		}{{enrich.Coordinates, points}, {enrich.Code, codes}} {
			opt := enrich.Options{Kind: run.kind, Add: []string{field}}
			if i%8 == 0 { // and another one
				if second := fields[random.IntN(len(fields))]; second != field {
					opt.Add = append(opt.Add, second)
				}
			}
			few, err := enrich.New(db, opt)
			check(t, err)
			all, err := enrich.New(db, opt)
			check(t, err)
			all.SelectAll()
			for range rows {
				key := run.keys[random.IntN(len(run.keys))]
				if diff := cmp.Diff(answer(t, all, key), answer(t, few, key)); diff != "" {
					t.Errorf("%v of %q (-all +few):\n%s", opt.Add, key, diff)
				}
			}
		}
	}
}

var check = checktest.Check

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
		kind       enrich.Kind
		field, key string
		want       bool
	}{
		{enrich.Coordinates, "city", "34.09,-118.41", true},
		{enrich.Coordinates, "city", "0,0", false},
		{enrich.Coordinates, "city", "x", false},
		{enrich.Code, "city", "34.09,-118.41", false},
		{enrich.Coordinates, "nearest.code", "34.09,-118.41", false},
	} {
		e, err := enrich.New(db, enrich.Options{Kind: c.kind, Add: []string{c.field}})
		check(t, err)
		at, _ := geo.ParseLatLng(c.key) // else not valid
		err = e.EachPlace(t.Context(), []geo.LatLng{at}, func(_ int, areas []byte) error {
			if (areas != nil) != c.want {
				t.Errorf("%s of %s: areas %q", c.field, c.key, areas)
			}
			return io.EOF
		})
		if !errors.Is(err, io.EOF) {
			t.Errorf("%s of %s: error %v of find", c.field, c.key, err)
		}
	}
}
