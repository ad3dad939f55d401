package geojson_test

import (
	"fmt"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/geo/geojson"
)

func ExampleAppendPoint() {
	fmt.Println(string(geojson.AppendPoint(nil, geo.MustLatLng(34.1, -118.415))))
	// Output: {"type":"Point","coordinates":[-118.415,34.1]}
}

// RFC 7946 wants areas cut where they cross longitude 180.
func ExampleCut() {
	across := orb.MultiPolygon{{{{179, 51}, {181, 51}, {181, 52}, {179, 52}, {179, 51}}}}
	for _, p := range geojson.Cut(across) {
		fmt.Println(p.Bound().Min, p.Bound().Max)
	}
	// Output:
	// [179 51] [180 52]
	// [-180 51] [-179 52]
}
