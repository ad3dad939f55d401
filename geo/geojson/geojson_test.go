package geojson_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"
	reader "github.com/paulmach/orb/geojson"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/geo/geojson"
)

func TestAppendPolygons(t *testing.T) {
	box := func(west, south, east, north float64) orb.Ring {
		return orb.Ring{{west, south}, {east, south}, {east, north}, {west, north}, {west, south}}
	}
	tests := []struct {
		name string
		m    orb.MultiPolygon
		want string
	}{
		{"none", nil, `null`},
		{"empty", orb.MultiPolygon{{}, {{}}, {{{1, 1}, {2, 2}, {1, 1}}}}, `null`},
		{"one", orb.MultiPolygon{{box(0, 0, 1, 2)}}, `{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,2],[0,2],[0,0]]]}`},
		{"not closed", orb.MultiPolygon{{{{0, 0}, {1, 0}, {1, 1}}}}, `{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}`},
		{"hole", orb.MultiPolygon{{box(0, 0, 9, 9), {{1, 1}, {1, 2}, {2, 2}, {1, 1}}, {{3, 3}}}}, `{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]],[[1,1],[1,2],[2,2],[1,1]]]}`},
		{
			"two",
			orb.MultiPolygon{{box(0, 0, 1, 1)}, {box(-2.12345678, 0, -1, 1e-9)}},
			`{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,1],[0,0]]],[[[-2.123457,0],[-1,0],[-1,0],[-2.123457,0],[-2.123457,0]]]]}`,
		},
		{
			"across 180",
			orb.MultiPolygon{{box(179, 50, 182, 51)}},
			`{"type":"MultiPolygon","coordinates":[[[[179,50],[180,50],[180,51],[179,51],[179,50]]],[[[-180,50],[-178,50],[-178,51],[-180,51],[-180,50]]]]}`,
		},
		{"up to 180", orb.MultiPolygon{{box(179, 50, 180, 51)}}, `{"type":"Polygon","coordinates":[[[179,50],[180,50],[180,51],[179,51],[179,50]]]}`},
		{"beyond 180", orb.MultiPolygon{{box(181, 50, 182, 51)}}, `{"type":"Polygon","coordinates":[[[-179,50],[-178,50],[-178,51],[-179,51],[-179,50]]]}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := tt.m.Clone()
			if diff := cmp.Diff(tt.want, string(geojson.AppendPolygons(nil, tt.m))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if !before.Equal(tt.m) {
				t.Error("the polygons were changed")
			}
		})
	}
}

func TestAppendPoint(t *testing.T) {
	if got := string(geojson.AppendPoint(nil, geo.MustLatLng(34.12345678, -118))); got != `{"type":"Point","coordinates":[-118,34.123457]}` {
		t.Error(got)
	}
	if got := string(geojson.AppendPoint(nil, geo.LatLng{})); got != "null" {
		t.Error(got)
	}
}

// Another program reads what is written, whatever the coordinates.
func FuzzAppendPolygons(f *testing.F) {
	f.Add(0.0, 0.0, 1.0, 0.0, 1.0, 1.0)
	f.Add(179.0, 50.0, 190.0, 50.0, 185.0, 60.0)
	f.Add(-540.0, -90.0, 540.0, 90.0, 0.0, math.Inf(1))
	f.Add(math.NaN(), 0.0, 1e308, 0.0, -1e308, 1e-320)
	f.Fuzz(func(t *testing.T, x1, y1, x2, y2, x3, y3 float64) {
		data := geojson.AppendPolygons(nil, orb.MultiPolygon{{{{x1, y1}, {x2, y2}, {x3, y3}}}})
		if !json.Valid(data) {
			t.Fatalf("no JSON: %s", data)
		}
		if string(data) == "null" {
			return
		}
		g, err := reader.UnmarshalGeometry(data)
		if err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		if b := g.Geometry().Bound(); math.Abs(x1) <= 540 && math.Abs(x2) <= 540 && math.Abs(x3) <= 540 && (b.Min[0] < -180 || b.Max[0] > 180) {
			t.Errorf("longitudes %v to %v", b.Min[0], b.Max[0])
		}
	})
}

func ExampleAppendPolygons() {
	outline := orb.MultiPolygon{{{{179.5, 51}, {180.5, 51}, {180.5, 52}, {179.5, 51}}}}
	fmt.Println(string(geojson.AppendPolygons(nil, outline)))
	// Output:
	// {"type":"MultiPolygon","coordinates":[[[[179.5,51],[180,51],[180,51.5],[179.5,51]]],[[[-180,51],[-179.5,51],[-179.5,52],[-180,51.5],[-180,51]]]]}
}

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
