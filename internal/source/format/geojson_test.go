package format_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/source/format"
)

const twoZones = `{
	"type": "FeatureCollection", "name": {"any": ["thing", 1]},
	"crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}},
	"features": [
		{"type": "Feature", "id": 1, "properties": {"tzid": " America/Adak ", "n": 12, "ok": true, "none": null, "list": [1]},
		 "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [0, 10], [10, 10, 99], [10, 0], [0, 0]], [[2, 2], [2, 4], [4, 4], [2, 2]]]}},
		{"type": "Feature", "properties": {"tzid": "America/Nome"},
		 "geometry": {"type": "MultiPolygon", "coordinates": [[[[-1.5e1,0],[-14,0],[-14,1]]],[[[20,0],[21,0],[21,1],[20,0]]]]}},
		{"type": "Feature", "properties": {"tzid": "Etc/UTC"}, "geometry": null}
	]
}
`

func readGeoJSON(in format.File, o format.Options) ([]format.Row, error) {
	return collect(in.Rows(o), func(s format.Row) format.Row { return s })
}

func TestGeoJSON(t *testing.T) {
	shapes, err := readGeoJSON(input("z", twoZones), format.Options{Columns: []string{"tzid"}})
	check(t, err)
	var polygons []orb.MultiPolygon
	var texts []string
	for _, s := range shapes {
		polygons = append(polygons, s.Polygon)
		texts = append(texts, fmt.Sprintf("%d %q %q %q %q %q %v", s.Number, s.Get("tzid"), s.Get("n"), s.Get("ok"), s.Get("none"), s.Get("list"), s.Has("none")))
	}
	wantPolygons := []orb.MultiPolygon{
		{{{{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0}}, {{2, 2}, {2, 4}, {4, 4}, {2, 2}}}},
		{{{{-15, 0}, {-14, 0}, {-14, 1}, {-15, 0}}}, {{{20, 0}, {21, 0}, {21, 1}, {20, 0}}}},
		nil,
	}
	if diff := cmp.Diff(wantPolygons, polygons); diff != "" {
		t.Errorf("polygons (-want +got):\n%s", diff)
	}
	if shapes[0].Closed != 0 || shapes[1].Closed != 1 {
		t.Errorf("%d and %d rings closed, want 0 and 1", shapes[0].Closed, shapes[1].Closed)
	}
	wantTexts := []string{`1 "America/Adak" "12" "true" "" "[1]" true`, `2 "America/Nome" "" "" "" "" false`, `3 "Etc/UTC" "" "" "" "" false`}
	if diff := cmp.Diff(wantTexts, texts); diff != "" {
		t.Errorf("properties (-want +got):\n%s", diff)
	}
}

// A collection that is larger than the limit of one feature is read.
func TestGeoJSONLongCollection(t *testing.T) {
	one := `{"type":"Feature","properties":{"tzid":"x"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}`
	text := `{"features":[` + strings.Repeat(one+",", 9_999) + one + `],"type":"FeatureCollection"}`
	shapes, err := readGeoJSON(input("z", text), format.Options{MaxRow: 100_000})
	if err != nil || len(shapes) != 10_000 {
		t.Errorf("%d features, %v; want 10000", len(shapes), err)
	}
}

// Blanks between features do not take time that grows with their square.
func TestGeoJSONBlanks(t *testing.T) {
	path := writeFile(t, "z", gzipBytes(t, `{"features":[`+strings.Repeat(" ", 2<<20)+`]}`))
	_, err := readGeoJSON(format.File{Path: path}, format.Options{})
	wantError(t, err, format.ErrTooLong, "blanks in a row")
	mustBeNamed(t, err, path)
}

// TestGeoJSONPoints reads features with points one after the other, to the end of the file.
func TestGeoJSONPoints(t *testing.T) {
	const text = `{"type":"Feature","properties":{"a":"x"},"geometry":{"type":"Point","coordinates":[-118,34]}}
{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[-118,134]}}
{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[0,0],[1,1]]}}
`
	var o format.Options
	var faults int
	var at []orb.Point
	for s, err := range input("z", text).Rows(o) {
		switch {
		case errors.Is(err, format.ErrValue):
			faults++
		case err != nil:
			t.Fatal(err)
		default:
			at = append(at, s.Lines[0][0])
		}
	}
	if diff := cmp.Diff([]orb.Point{{-118, 34}}, at); diff != "" || faults != 2 {
		t.Errorf("%d faults, points (-want +got):\n%s", faults, diff)
	}
	first, _, _ := strings.Cut(text, "\n")
	_, err := readGeoJSON(input("z", first+"]"), o)
	wantError(t, err, format.ErrSyntax, "at byte")
	damaged := gzipBytes(t, first)
	damaged[len(damaged)-8] ^= 1
	_, err = readGeoJSON(format.File{Path: writeFile(t, "z", damaged)}, o)
	wantError(t, err, format.ErrTruncated, "checksum")
}

// Accepted input is JSON, and its rings are closed.
func FuzzGeoJSON(f *testing.F) {
	f.Add(twoZones)
	f.Add(`{"features":[{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}]}`)
	f.Add(`{"features":[{"type":"Feature","geometry":{"type":"MultiPolygon","coordinates":[]}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		shapes, err := readGeoJSON(input("z", text), format.Options{MaxRow: 1 << 20})
		if err != nil {
			mustBeNamed(t, err, "z")
			return
		}
		if strings.HasPrefix(text, "{") && !json.Valid([]byte(text)) { // others are tables
			t.Fatal("accepted what is no JSON")
		}
		for _, s := range shapes {
			for _, p := range s.Polygon {
				for _, r := range p {
					if !r.Closed() || len(r) < 4 {
						t.Fatalf("feature %d has a bad ring of %d points", s.Number, len(r))
					}
				}
			}
		}
	})
}
