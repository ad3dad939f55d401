package cli_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/lookuptest"
)

// What is answered about areas and enrichments, on a dataset of boxes.
func TestGoldenAreas(t *testing.T) {
	path, err := lookuptest.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		world world
		args  string
	}{
		{"families-terminal-one", world{terminal: true}, "lookup 90210 --include census,cd"},
		{"families-terminal-several", world{terminal: true}, "lookup 90210 10001 90209 --include census,cd,state_leg,school_district,medicare,demographics"},
		{"families-csv", world{}, "lookup 90210 10001 --include cd,medicare --format csv --columns code,congressional_district.current.primary.geoid,congressional_district.current.districts,medicare.rating_area_id"},
		{"families-json", world{}, "lookup 34.09,-118.41 --include cd,school_district --format json"},
		{"codes-in-terminal", world{terminal: true}, "codes-in county 06037"},
		{"codes-in-csv", world{}, "codes-in census-division 3506 --format csv"},
		{"codes-in-json", world{}, "codes-in cd 0636 --format json"},
		{"codes-in-geojson", world{}, "codes-in county 06037 --format geojson"},
		{"codes-in-missing", world{}, "codes-in county 99999"},
		{"codes-in-no-layer", world{}, "codes-in popctr 1"},
		{"codes-in-absent-layer", world{}, "codes-in population-centre 1"},
		{"boundary-areas", world{}, "boundary county 06037 36061"},
		{"crosswalk-csv", world{}, "crosswalk zip county --format csv"},
		{"crosswalk-by-area", world{terminal: true}, "crosswalk cd zip"},
		{"crosswalk-canada", world{}, "crosswalk fsa census-division"},
		{"crosswalk-people", world{}, "crosswalk county place --weight people --remainder"},
		{"crosswalk-wrong-kinds", world{}, "crosswalk county place --weight area"},
		{"crosswalk-unknown", world{}, "crosswalk county plaice"},
		{"crosswalk-wrong-country", world{}, "crosswalk zip csd"},
		{"crosswalk-without-population", world{}, "crosswalk zip county --weight people"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.world.run(append(strings.Fields(tt.args), "--data", path)...).String()
			golden(t, tt.name, strings.ReplaceAll(got, path, "FILE"))
		})
	}
}
