package geojson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	reader "github.com/paulmach/orb/geojson"

	"github.com/postgeo/postgeo/geo/geojson"
	"github.com/postgeo/postgeo/internal/lookuptest"
)

// TestParsePolygons runs the sections of testdata/polygons.txt, and refuses long and deep texts
// with short errors.
func TestParsePolygons(t *testing.T) {
	sections := append(lookuptest.Sections(t, "polygons.txt"),
		[2]string{"long", `{"type":"` + strings.Repeat("é", 1000) + `"}` + "\n-> error …"},
		[2]string{"deep", `{"type":"Polygon","coordinates":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + "}\n-> error exceeded max depth"})
	for _, section := range sections {
		text, want, _ := strings.Cut(section[1], "\n-> ")
		t.Run(section[0], func(t *testing.T) {
			got, err := geojson.ParsePolygons([]byte(text))
			failure, fails := strings.CutPrefix(strings.TrimSpace(want), "error ")
			switch {
			case !fails && (err != nil || fmt.Sprint(got) != strings.TrimSpace(want)):
				t.Errorf("got %v, %v, want %s", got, err, want)
			case fails && (err == nil || !strings.Contains(err.Error(), failure) || len(err.Error()) > 250 || strings.Contains(err.Error(), "Go value")):
				t.Errorf("got %v, %v, want %s", got, err, want)
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
