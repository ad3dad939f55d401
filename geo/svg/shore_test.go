package svg_test

import (
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
			{Label: "WET", Note: "wet", Class: svg.Focus, Percent: &all, Polygons: box(-123.05, 48.95, -122.9, 49.05)},
			{Label: "DRY", Note: "dry", Class: svg.Found, Percent: &all, Polygons: box(-123.1, 49.05, -122.98, 49.1)},
		},
	}
	paths := func() (list []string) {
		for _, line := range strings.Split(string(draw(t, m)), "\n") {
			for _, name := range []string{`class="sea"`, ">wet<", ">dry<", "shore"} {
				if strings.HasPrefix(line, "<path") && strings.Contains(line, name) {
					class, _, _ := strings.Cut(strings.TrimPrefix(line, `<path class="`), `"`)
					list = append(list, class+" "+strings.Trim(name, "<>"))
				}
			}
		}
		return list
	}
	const want = "shore near shore, area s4 wet, sea class=\"sea\", border wet, area s4 dry, outline wet"
	if got := strings.Join(paths(), ", "); got != want {
		t.Errorf("drawn as\n%s, want\n%s", got, want)
	}

	m.Areas = m.Areas[1:] // no shores are known
	const plain = "area s4 wet, area s4 dry, outline wet"
	if got := strings.Join(paths(), ", "); got != plain {
		t.Errorf("without land drawn as\n%s, want\n%s", got, plain)
	}
}
