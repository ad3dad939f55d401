package geojson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"
	reader "github.com/paulmach/orb/geojson"

	"github.com/postgeo/postgeo/geo/geojson"
)

func TestParsePolygons(t *testing.T) {
	tests := []struct {
		name, text string
		want       orb.MultiPolygon
	}{
		{"polygon", `{"type":"Polygon","coordinates":[[[-79,43],[-78,43],[-78,44.5],[-79,43]]]}`, orb.MultiPolygon{{{{-79, 43}, {-78, 43}, {-78, 44.5}, {-79, 43}}}}},
		{"multipolygon", `{"coordinates":[[[[0,1],[2,3]],[[4,5]]],[[[6,7]]]],"type":"MultiPolygon","bbox":[0,0,1,1]}`, orb.MultiPolygon{{{{0, 1}, {2, 3}}, {{4, 5}}}, {{{6, 7}}}}},
		{"blanks", " {\"type\" : \"Polygon\",\n\t\"coordinates\" : [ [ [ -1.5e1 , 2E0 ] , [ 0.25 , -0 ] ] ] } ", orb.MultiPolygon{{{{-15, 2}, {0.25, 0}}}}},
		{"heights", `{"type":"Polygon","coordinates":[[[1,2,3],[4,5,6,7]]]}`, orb.MultiPolygon{{{{1, 2}, {4, 5}}}}},
		{"out of range", `{"type":"Polygon","coordinates":[[[1e300,-1e300]]]}`, orb.MultiPolygon{{{{1e300, -1e300}}}}},
		{"empty rings", `{"type":"Polygon","coordinates":[[],[]]}`, orb.MultiPolygon{{nil, nil}}},
		{"empty", `{"type":"MultiPolygon","coordinates":[]}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := geojson.ParsePolygons([]byte(tt.text))
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestParsePolygonsRefuses(t *testing.T) {
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	tests := []struct {
		name, text, want string
	}{
		{"nothing", "", "not valid JSON: unexpected end of JSON input"},
		{"text", "north", "not valid JSON: invalid character"},
		{"cut", `{"type":"Polygon","coordinates":[[[0,0]`, "not valid JSON: unexpected end of JSON input"},
		{"number", "7", "a JSON number, expected an object"},
		{"array", "[]", "a JSON array, expected an object"},
		{"no type", "{}", "the geometry has no type"},
		{"numeric type", `{"type":7}`, `the geometry has the type "7", expected a Polygon or MultiPolygon`},
		{"null", "null", "the geometry is null, expected a Polygon or MultiPolygon"},
		{"point", `{"type":"Point","coordinates":[1,2]}`, `the geometry has the type "Point", expected`},
		{"no coordinates", `{"type":"Polygon"}`, "the geometry has no coordinates"},
		{"null coordinates", `{"type":"Polygon","coordinates":null}`, `the coordinates hold "null", expected an array`},
		{"a position too flat", `{"type":"Polygon","coordinates":[[1,2]]}`, `the coordinates hold "1,2]", expected a position`},
		{"a position too deep", `{"type":"Polygon","coordinates":[[[[1,2]]]]}`, `the coordinates hold "[1,2]", expected a number`},
		{"half a position", `{"type":"Polygon","coordinates":[[[0,0],[-125],[1,1]]]}`, `the position "[-125]" has fewer than two numbers, expected longitude and latitude`},
		{"no position", `{"type":"Polygon","coordinates":[[[0,0],[]]]}`, `the position "[]" has fewer than two numbers`},
		{"null in a position", `{"type":"Polygon","coordinates":[[[0,null]]]}`, `the coordinates hold "null]", expected a number`},
		{"text in a position", `{"type":"Polygon","coordinates":[[["1","2"]]]}`, `expected a number`},
		{"object in a position", `{"type":"Polygon","coordinates":[[[{},2]]]}`, `expected a number`},
		{"infinite", `{"type":"Polygon","coordinates":[[[1e400,0]]]}`, `the coordinate "1e400" is out of range`},
		{"long", `{"type":"` + strings.Repeat("é", 1000) + `"}`, "…"},
		{"deep", `{"type":"Polygon","coordinates":` + deep + `}`, "exceeded max depth"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := geojson.ParsePolygons([]byte(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) || len(err.Error()) > 250 || strings.Contains(err.Error(), "Go value") {
				t.Errorf("got %v, %v, want %s", got, err, tt.want)
			}
		})
	}
	for text, want := range map[string]bool{`{"type":"Point","coordinates":[1,2]}`: true, "null": true, "7": false, `{"type":"Polygon"}`: false} {
		if _, err := geojson.ParsePolygons([]byte(text)); errors.Is(err, geojson.ErrNotPolygon) != want {
			t.Errorf("%s: %v, want ErrNotPolygon to match: %t", text, err, want)
		}
	}
}

func TestUnmarshal(t *testing.T) {
	var feature struct {
		Properties map[string]int `json:"properties"`
	}
	for text, want := range map[string]string{
		`{"properties":7}`:         `member "properties" cannot be a JSON number`,
		`[]`:                       "a JSON array, expected an object",
		`{"properties":{"a":1}} x`: "not valid JSON: invalid character 'x' after top-level value",
	} {
		if err := geojson.Unmarshal([]byte(text), &feature); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if err := geojson.Unmarshal([]byte(`{"properties":{"a":1}}`), &feature); err != nil || feature.Properties["a"] != 1 {
		t.Errorf("got %v, %v", feature, err)
	}
}

// FuzzParsePolygons verifies that polygons are read as they are written, and that
// input is otherwise refused.
func FuzzParsePolygons(f *testing.F) {
	for _, text := range []string{
		`{"type":"Polygon","coordinates":[[[-79,43],[-78,43],[-78,44],[-79,43]],[]]}`, `{"type":"MultiPolygon","coordinates":[[[[1e3,-0,5],[0.5,1]]]]}`,
		`{"type":"Polygon","coordinates":[[[-125]]]}`, `{"type":"Polygon","coordinates":[[[1,2],null]]}`, `{"type":"Point","coordinates":[1,2]}`, `{"type":"Polygon","coordinates":[[[1e400,0]]]}`, "null", "",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := geojson.ParsePolygons(data)
		if err != nil {
			if strings.Contains(err.Error(), "Go value") {
				t.Errorf("the error names a Go type: %v", err)
			}
			return
		}
		var again orb.MultiPolygon
		if len(got) > 0 {
			text, err := reader.NewGeometry(got).MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			text = bytes.ReplaceAll(text, []byte("null"), []byte("[]")) // rings without positions
			if again, err = geojson.ParsePolygons(text); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
		if !got.Equal(again) {
			t.Errorf("read %v, written and read again %v", got, again)
		}
	})
}

func ExampleParsePolygons() {
	var feature struct {
		Geometry json.RawMessage `json:"geometry"`
	}
	for _, text := range []string{
		`{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[-79,43],[-78,43],[-78,44],[-79,43]]]}}`,
		`{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[-79,43],[-78],[-78,44],[-79,43]]]}}`,
	} {
		if err := geojson.Unmarshal([]byte(text), &feature); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(geojson.ParsePolygons(feature.Geometry))
	}
	// Output:
	// [[[[-79 43] [-78 43] [-78 44] [-79 43]]]] <nil>
	// [] the position "[-78]" has fewer than two numbers, expected longitude and latitude
}
