package svg_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
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
	check(t, err)
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
		check(t, os.WriteFile(path, got, 0o644))
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

// A rule set has cases of the rules that this package shares with the map of the
// server's pages, whose tests read the same file.
type ruleSet struct {
	Side   float64 // of the map in pixels
	Pixels []struct {
		Center [2]float64
		Extent geo.Meters
		Points [][2]float64
		Pixels [][2]float64
	}
	Steps []struct {
		Percent float64
		Step    int
	}
	Bars   []struct{ Longest, Bar float64 }
	Shores []struct {
		Name       string
		Area, Land orb.Ring
		Over       bool
	}
	Seats []struct {
		Name       string
		Center, At [2]float64
		Rings      orb.Polygon
	}
}

// TestRules checks projection, colors of shares, scale bars, shores and places of labels.
func TestRules(t *testing.T) {
	data, err := os.ReadFile("testdata/rules.json")
	var rules ruleSet
	if err == nil {
		err = json.Unmarshal(data, &rules)
	}
	check(t, err)
	const margin = 12
	width := int(rules.Side) + 2*margin
	point := func(p [2]float64) geo.LatLng { return geo.MustLatLng(p[1], p[0]) }
	// numbers returns the groups of the matches of a pattern in a drawing.
	numbers := func(m svg.Map, pattern string) (out [][]float64) {
		m.Width = width
		for _, found := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(draw(t, m)), -1) {
			var row []float64
			for _, text := range found[1:] {
				v, _ := strconv.ParseFloat(text, 64)
				row = append(row, v)
			}
			out = append(out, row)
		}
		return out
	}
	for _, c := range rules.Pixels {
		m := svg.Map{Center: point(c.Center), Extent: c.Extent}
		for _, p := range c.Points {
			m.Points = append(m.Points, svg.Point{Class: svg.Found, At: point(p)})
		}
		spots := numbers(m, `<circle class="point" cx="([\d.]+)" cy="([\d.]+)"`)
		if len(spots) != len(c.Pixels) {
			t.Fatalf("%d of %d points are drawn", len(spots), len(c.Pixels))
		}
		for i, p := range spots {
			if away := math.Hypot(p[0]-margin-c.Pixels[i][0], p[1]-margin-c.Pixels[i][1]); away > 0.1 {
				t.Errorf("%v from %v is %.2f pixels off", c.Points[i], c.Center, away)
			}
		}
	}
	for _, c := range rules.Steps {
		m := svg.Map{Center: geo.MustLatLng(40, -100), Extent: 10_000, Areas: []svg.Area{{Class: svg.Found, Percent: &c.Percent, Polygons: square(-100, 40, 0.05)}}}
		if got := numbers(m, `<path class="area s(\d)"`); len(got) != 1 || got[0][0] != float64(c.Step) {
			t.Errorf("%v percent have the step %v; want %d", c.Percent, got, c.Step)
		}
	}
	for _, c := range rules.Bars {
		m := svg.Map{Center: geo.MustLatLng(40, -100), Extent: geo.Miles(2 * c.Longest * (1 + 1e-12)).Meters()}
		if got := numbers(m, `>([\d.]+) mi<`); len(got) != 1 || got[0][0] != c.Bar {
			t.Errorf("at most %v miles: %v; want %v", c.Longest, got, c.Bar)
		}
	}
	for _, c := range rules.Shores {
		m := svg.Map{Center: geo.MustLatLng(49.05, -123.05), Extent: 20_000, Areas: []svg.Area{{Land: true, Polygons: orb.MultiPolygon{{c.Land}}}, {Polygons: orb.MultiPolygon{{c.Area}}}}}
		m.Width = width
		if got := strings.Contains(string(draw(t, m)), `<path class="border"`); got != c.Over {
			t.Errorf("%s: over water %v", c.Name, got)
		}
	}
	for _, c := range rules.Seats {
		m := svg.Map{Center: point(c.Center), Extent: 10_000, Areas: []svg.Area{{Label: "x", Class: svg.Focus}}}
		for i, r := range c.Rings {
			if i == 0 || strings.Contains(c.Name, "island") {
				m.Areas[0].Polygons = append(m.Areas[0].Polygons, orb.Polygon{r})
			} else {
				m.Areas[0].Polygons[0] = append(m.Areas[0].Polygons[0], r)
			}
		}
		got := numbers(m, `<text class="label mark" x="([\d.]+)" y="([\d.]+)"`)
		if want := fmt.Sprintf("%.0f", c.At); len(got) != 1 || math.Abs(got[0][0]-margin-c.At[0]) > 1.5 || math.Abs(got[0][1]-margin-0.35*13-c.At[1]) > 1.5 {
			t.Errorf("%s: the label is at %v; want %s and the margin", c.Name, got, want)
		}
	}
}

// TestShores fills an area that reaches far over water on land only: it lies below the
// sea, its outline above. An area a little beyond a coarse shore is land.
func TestShores(t *testing.T) {
	box := func(west, south, east, north float64) orb.MultiPolygon {
		return orb.MultiPolygon{{{{west, south}, {east, south}, {east, north}, {west, north}, {west, south}}}}
	}
	all := 100.0
	m := svg.Map{
		Center: geo.MustLatLng(49, -123), Extent: 20_000,
		Areas: []svg.Area{
			{Class: svg.Backdrop, Land: true, Polygons: box(-124, 48, -123, 50)},
			{Label: "WET", Class: svg.Focus, Percent: &all, Polygons: box(-123.05, 48.95, -122.9, 49.05)},
			{Label: "DRY", Class: svg.Found, Percent: &all, Polygons: box(-123.1, 49.05, -122.98, 49.1)},
		},
	}
	paths := func() string {
		var list []string
		for _, m := range regexp.MustCompile(`<path class="([^"]*)"`).FindAllStringSubmatch(string(draw(t, m)), -1) {
			list = append(list, m[1])
		}
		return strings.Join(list, ", ")
	}
	const bars = ", bar, bar"
	if got, want := paths(), "shore near, area s4, sea, border, area s4, glow, outline"+bars; got != want {
		t.Errorf("drawn as\n%s, want\n%s", got, want)
	}
	m.Areas = m.Areas[1:] // no shores are known
	if got, want := paths(), "area s4, area s4, glow, outline"+bars; got != want {
		t.Errorf("without land drawn as\n%s, want\n%s", got, want)
	}
}
