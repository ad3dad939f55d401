package svg_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/geo/svg"
)

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
