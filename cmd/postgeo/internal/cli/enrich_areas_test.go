package cli_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/tables"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/sampletest"
)

// areaFeature is a feature in GeoJSON.
func areaFeature(properties, coordinates string) string {
	return `{"type":"Feature","properties":` + properties + `,"geometry":{"type":"Polygon","coordinates":` + coordinates + `}}`
}

func areaCollection(features ...string) []byte {
	return []byte(`{"type":"FeatureCollection","features":[` + strings.Join(features, ",") + `]}`)
}

func parseAreas(data []byte) (*enrich.Areas, error) {
	list, err := command.ParseFeatures(data)
	if err != nil {
		return nil, err
	}
	return tables.AreasOf(list)
}

const californian = "[[[-125,32],[-114,32],[-114,42],[-125,42],[-125,32]]]"

// TestAreaProperties holds what a property is as a cell.
func TestAreaProperties(t *testing.T) {
	db := sampletest.Open(t)
	for value, want := range map[string]string{
		`12345678901234567890`: "12345678901234567890",
		`9007199254740993`:     "9007199254740993", // no float64 has it
		`-0.50`:                "-0.50",
		`"a \"b\" <c>"`:        `a "b" <c>`,
		`null`:                 "",
		`true`:                 "true",
		`{"b": "<&>", "a": 1}`: `{"b":"<&>","a":1}`,
		`[1, "x"]`:             `[1,"x"]`,
	} {
		areas, err := parseAreas(areaCollection(areaFeature(`{"id":`+value+`}`, californian)))
		if err != nil {
			t.Fatal(err)
		}
		e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Areas: areas, Add: []string{"in_area.id", "in_area.row"}})
		if err != nil {
			t.Fatal(err)
		}
		values, _, err := e.Row(t.Context(), "90210", nil)
		if err != nil || values[0].String() != want || values[1].Int() != 1 {
			t.Errorf("%s: %v, %v, want %q", value, values, err, want)
		}
	}
}

// TestAreasRefused holds which collections are refused, rather than read as
// something else or with all memory.
func TestAreasRefused(t *testing.T) {
	const names = 4500
	tags := make([]string, names) // each feature with a property of its own
	for i := range tags {
		tags[i] = areaFeature(fmt.Sprintf(`{"tag %d":1}`, i), californian)
	}
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"geometry", []byte(`{"type":"Feature"}`), `feature 1: missing geometry`},
		{"cells", areaCollection(tags...), "4500 features have properties of 4500 names, more than 20000000 cells"},
		{"half a position", areaCollection(areaFeature("{}", "[[[-125],[-114],[-114,42],[-125,42],[-125]]]")), `feature 1: the position "[-125]" has fewer than two numbers, expected longitude and latitude`},
		{"no position", areaCollection(areaFeature("{}", "[[null,[-114,32],[-114,42],null]]")), `feature 1: the coordinates hold "null,[-114,32]", expected a position`},
		{"text", areaCollection(areaFeature("{}", `[[["a",1],[2,3]]]`)), `feature 1: the coordinates hold "\"a\",1]", expected a number`},
		{"shape", areaCollection(areaFeature("{}", "[1,2]")), `feature 1: the coordinates hold "1,2]", expected an array`},
		{"no coordinates", areaCollection(`{"geometry":{"type":"MultiPolygon"}}`), "feature 1: the geometry has no coordinates"},
	}
	for _, tt := range tests {
		if _, err := parseAreas(tt.data); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}
