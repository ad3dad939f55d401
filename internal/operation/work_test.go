package operation_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/operation"
)

// TestWork checks that requests for more have more work, by at least one order of
// magnitude to the base 2 each.
func TestWork(t *testing.T) {
	box := func(text string, tolerance float64) int {
		var b operation.Box
		if err := b.UnmarshalText([]byte(text)); err != nil {
			t.Fatal(err)
		}
		return (&operation.OutlinesInput{Box: b, Tolerance: tolerance}).Work()
	}
	square := func(size string) []byte {
		return []byte(`{"type":"Polygon","coordinates":[[[0,0],[` + size + `,0],[` + size + `,` + size + `],[0,` + size + `],[0,0]]]}`)
	}
	miles := func(m operation.Miles) int { return (&operation.FiguresInput{Code: "90210", Max: &m}).Work() }
	for name, sizes := range map[string][]int{
		"outlines":           {box("-118.5,34,-118.4,34.1", 0.001), box("-119,34,-118,35", 0.001), box("-100,30,-80,50", 0.001)},
		"codes":              {(&operation.OutlinesInput{Codes: "90210", Tolerance: 0.001}).Work(), (&operation.OutlinesInput{Codes: "90210,90211,90212", Tolerance: 0.001}).Work()},
		"detail":             {box("-119,34,-118,35", 1), box("-119,34,-118,35", 0.01), box("-119,34,-118,35", 0.00001)},
		"across 180":         {box("179.9,50,-179.9,50.1", 0.001), box("170,50,-170,60", 0.001)},
		"inside":             {(&operation.InsideInput{Polygon: square("0.1")}).Work(), (&operation.InsideInput{Polygon: square("10")}).Work(), (&operation.InsideInput{Polygon: []byte(strings.Repeat(" ", 1<<17))}).Work()},
		"figures":            {miles(5), miles(50), miles(250), (&operation.FiguresInput{Layer: "county", GEOID: "06037"}).Work()},
		"polygon of figures": {(&operation.FiguresInput{Polygon: square("1")}).Work(), (&operation.FiguresInput{Polygon: square("50")}).Work()},
	} {
		for i := 1; i < len(sizes); i++ {
			if sizes[i] < 2*sizes[i-1] || sizes[i-1] <= 0 {
				t.Errorf("%s: work %v; want each at least twice the one before", name, sizes)
			}
		}
	}
}
