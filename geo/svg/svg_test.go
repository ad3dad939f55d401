package svg_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/geo/svg"
)

var update = flag.Bool("update", false, "rewrite golden files")

// square returns a square about a point, all in degrees.
func square(lng, lat, half float64) orb.MultiPolygon {
	return orb.MultiPolygon{{{
		{lng - half, lat - half}, {lng + half, lat - half}, {lng + half, lat + half}, {lng - half, lat + half}, {lng - half, lat - half},
	}}}
}

func percent(v float64) *float64 { return &v }

// checkerboard returns areas around a point, side by side, of rising values.
func checkerboard(lng, lat, half float64) []svg.Area {
	var out []svg.Area
	for row := range 5 {
		for column := range 5 {
			n := row*5 + column
			out = append(out, svg.Area{
				Label: fmt.Sprint(90200 + n), Class: svg.Found, Percent: percent(float64(n * 4)),
				Polygons: square(lng+2*half*float64(column-2), lat+2*half*float64(row-2), half),
			})
		}
	}
	return out
}

// maps are one map for each thing that a map can show.
func maps() map[string]svg.Map {
	holed := square(-118.4, 34.1, 0.1)
	holed[0] = append(holed[0], square(-118.42, 34.1, 0.03)[0][0])
	coast := orb.Ring{}
	for i := range 400 {
		s, c := math.Sincos(float64(i) * math.Pi / 200)
		r := 0.08 + 0.01*math.Sin(float64(i)/3)
		coast = append(coast, orb.Point{-118.4 + 1.2*r*c, 34.1 + r*s})
	}
	return map[string]svg.Map{
		"shares": {
			Title: `Shares of "areas" & <things>`, Attribution: strings.Repeat("Areas by nobody, for tests. ", 8), Legend: "Share inside",
			Center: geo.MustLatLng(34.1, -118.4), Radius: geo.Miles(10).Meters(), MinRadius: geo.Miles(3).Meters(),
			Areas: append(checkerboard(-118.4, 34.1, 0.035), svg.Area{Label: "around", Class: svg.Backdrop, Polygons: square(-118.4, 34.1, 3)}),
			Points: []svg.Point{
				{Label: "90299", Class: svg.Found, At: geo.MustLatLng(34.15, -118.45)},
				{Label: "here", Class: svg.Focus, At: geo.MustLatLng(34.05, -118.35)},
				{Class: svg.Backdrop, At: geo.MustLatLng(34.2, -118.3)},
				{Label: "far away", At: geo.MustLatLng(40, -100)},
				{Label: "nowhere"},
			},
		},
		"one": {
			Center: geo.MustLatLng(34.1, -118.4), Extent: 15_000, Width: 320,
			Areas: []svg.Area{{Label: "holed", Class: svg.Focus, Polygons: holed}},
		},
		"coast": {
			Center: geo.MustLatLng(34.1, -118.4), Extent: 14_000, Width: 400,
			Areas: []svg.Area{{Label: "island", Class: svg.Found, Polygons: orb.MultiPolygon{{coast}}}},
		},
		"antimeridian": {
			Title: "Across longitude 180", Center: geo.MustLatLng(52, 179.9), Radius: geo.Miles(40).Meters(), Width: 320,
			Areas: checkerboard(180, 52, 0.15),
		},
		"pole": {
			Title: "Around the north pole", Center: geo.MustLatLng(89.8, 30), Radius: geo.Miles(100).Meters(), Width: 320,
			Areas: []svg.Area{
				{Label: "cap", Class: svg.Found, Polygons: orb.MultiPolygon{{{{-180, 89.3}, {-60, 89.3}, {60, 89.3}, {180, 89.3}, {180, 90}, {-180, 90}, {-180, 89.3}}}}},
				{Label: "sector", Class: svg.Focus, Polygons: orb.MultiPolygon{{{{-20, 88.8}, {50, 88.8}, {50, 89.6}, {-20, 89.6}, {-20, 88.8}}}}},
			},
		},
		"wide": {
			Title: "A parallel is no straight line", Center: geo.MustLatLng(49, -100), Extent: 1_500_000, Width: 400,
			Areas: []svg.Area{{Class: svg.Found, Polygons: orb.MultiPolygon{{{{-123, 45}, {-95, 45}, {-95, 49}, {-123, 49}}}}}},
		},
	}
}

func draw(t *testing.T, m svg.Map) []byte {
	t.Helper()
	data, err := m.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestGolden(t *testing.T) {
	for name, m := range maps() {
		t.Run(name, func(t *testing.T) { golden(t, name, draw(t, m), draw(t, m)) })
	}
}

// golden compares a drawing, and a second one of the same, with a file of
// testdata, or rewrites the file.
func golden(t *testing.T, name string, got, again []byte) {
	t.Helper()
	wellFormed(t, got)
	path := filepath.Join("testdata", name+".svg")
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with -update", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
	if !bytes.Equal(got, again) {
		t.Error("a second drawing differs")
	}
}

// wellFormed reads a document as XML and returns its texts.
func wellFormed(t *testing.T, data []byte) (texts []string) {
	t.Helper()
	dec := xml.NewDecoder(bytes.NewReader(data))
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return texts
		}
		if err != nil {
			t.Fatalf("%v:\n%.2000s", err, data)
		}
		if c, ok := tok.(xml.CharData); ok {
			if s := strings.TrimSpace(string(c)); s != "" {
				texts = append(texts, s)
			}
		}
	}
}
