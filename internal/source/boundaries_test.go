package source_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
)

func TestZIPPolygonsOfGeoJSON(t *testing.T) {
	feature := func(properties string) string {
		return `{"type":"Feature","properties":{` + properties + `},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1]]]}}`
	}
	path := filepath.Join(t.TempDir(), "zips.json")
	text := `{"type":"FeatureCollection","features":[` + strings.Join([]string{
		feature(`"GEOID":"x","ZIP":"90210"`), feature(`"zcta5ce10":"10001"`), feature(`"zip":"1001"`), feature(`"name":"10001"`), feature(`"POSTCODE":"00601"`),
	}, ",") + `]}`
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var got []string
	for r, err := range source.ZIPPolygons(path) {
		switch {
		case errors.Is(err, format.ErrValue):
			got = append(got, "refused")
		case err != nil:
			t.Fatal(err)
		default:
			got = append(got, r.ID)
			if r.Closed != 1 || len(r.Polygon) != 1 {
				t.Errorf("%s: %d rings closed of %d polygons, want 1 of 1", r.ID, r.Closed, len(r.Polygon))
			}
		}
	}
	if diff := cmp.Diff([]string{"90210", "10001", "refused", "refused", "00601"}, got); diff != "" {
		t.Errorf("codes (-want +got):\n%s", diff)
	}
	for _, err := range source.ZIPPolygons(filepath.Join(t.TempDir(), "absent")) {
		if !errors.Is(err, os.ErrNotExist) {
			t.Errorf("error %v, want that there is no file", err)
		}
	}
}

func TestACSPopulation(t *testing.T) {
	in := format.NewInput("p.csv", strings.NewReader("zcta,pop_2015,pop_2023,pop_pct,pop_99999\n00601,1,2,x,9\n00602,3,,x,9\n602,3,4,x,9\n00603,3,-4,x,9\n"))
	year, rows, err := source.ACSPopulation(in)
	if err != nil || year != 2023 {
		t.Fatalf("year %d, %v; want 2023", year, err)
	}
	var got []string
	for r, err := range rows {
		switch {
		case errors.Is(err, format.ErrValue):
			got = append(got, "refused")
		case err != nil:
			t.Fatal(err)
		case r.Population == nil:
			got = append(got, r.ZCTA+" unknown")
		default:
			got = append(got, r.ZCTA)
			if *r.Population != 2 {
				t.Errorf("%s has %d people, want 2", r.ZCTA, *r.Population)
			}
		}
	}
	if diff := cmp.Diff([]string{"00601", "00602 unknown", "refused", "refused"}, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	for _, text := range []string{"GEO_ID,NAME\n", "zcta,population\n"} {
		if _, _, err := source.ACSPopulation(format.NewInput("p.csv", strings.NewReader(text))); !errors.Is(err, format.ErrColumns) {
			t.Errorf("%q: error %v, want ErrColumns", text, err)
		}
	}
}
