package cli_test

import (
	"testing"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/sampletest"
)

// FuzzAreas reads any text as areas, and asks which of them a code lies in.
func FuzzAreas(f *testing.F) {
	for _, seed := range []string{
		`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"a":1,"b":[true,null]},"geometry":{"type":"Polygon","coordinates":[[[-125,32],[-114,32],[-114,42],[-125,32]]]}}]}`,
		`{"type":"FeatureCollection","features":[{"type":"Feature","properties":null,"geometry":{"type":"MultiPolygon","coordinates":[[[[170,0],[-170,0],[-170,9],[170,0]]],[null],null]}}]}`,
		`{"type":"FeatureCollection","features":[null,{}]}`,
		`{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[]}}]}`,
	} {
		f.Add([]byte(seed))
	}
	db := sampletest.Open(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		areas, err := parseAreas(data)
		if err != nil {
			return
		}
		add := []string{"in_area.row"}
		e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Areas: areas, Add: add})
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"90210", "0,180", "90,0"} {
			values, out, err := e.Row(t.Context(), key, nil)
			if err != nil || !out.Status.Answered() && out.Status != enrich.NoData || len(values) > 0 && values[0].Int() > int64(areas.Len()) {
				t.Fatalf("Row(%q): %v, %v, %v", key, values, out, err)
			}
		}
	})
}
