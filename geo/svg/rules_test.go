package svg_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/geo/svg"
)

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
	if err != nil {
		t.Fatal(err)
	}
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
