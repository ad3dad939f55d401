package svg_test

import (
	"fmt"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/geo/svg"
)

func ExampleMap_Append() {
	outline := orb.MultiPolygon{{{{-118.45, 34.05}, {-118.35, 34.05}, {-118.35, 34.15}, {-118.45, 34.15}, {-118.45, 34.05}}}}
	m := svg.Map{
		Title:  "5 miles around 90210",
		Center: geo.MustLatLng(34.1, -118.4),
		Radius: geo.Miles(5).Meters(),
		Areas:  []svg.Area{{Label: "90210", Class: svg.Focus, Polygons: outline}},
	}
	data, err := m.Append(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "<path class=\"outline") || strings.HasPrefix(line, "<text class=\"label") {
			fmt.Print(line)
		}
	}
	// Output:
	// <path class="outline marked" d="M171.6 616.2l376.8 0 -0.3 -452.5 -376.2 0z"/>
	// <text class="label mark" x="360" y="394.5">90210</text>
}
