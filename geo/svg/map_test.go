package svg_test

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/geo/svg"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/spatial"
)

func TestRefused(t *testing.T) {
	here := geo.MustLatLng(34.1, -118.4)
	vertex := func(lng, lat float64) []svg.Area {
		return []svg.Area{{Polygons: orb.MultiPolygon{{{{0, 0}, {1, 0}, {lng, lat}}}}}}
	}
	tests := map[string]svg.Map{
		"nothing":            {},
		"no center":          {Radius: 1000},
		"no extent":          {Center: here},
		"negative radius":    {Center: here, Radius: -1},
		"radius NaN":         {Center: here, Radius: geo.Meters(math.NaN())},
		"large radius":       {Center: here, Radius: geo.MaxCircleRadius + 1},
		"large inner radius": {Center: here, Radius: 1000, MinRadius: 1e9},
		"negative extent":    {Center: here, Extent: -5},
		"extent NaN":         {Center: here, Extent: geo.Meters(math.NaN())},
		"large extent":       {Center: here, Extent: svg.MaxExtent + 1},
		"narrow":             {Center: here, Radius: 1000, Width: 319},
		"wide":               {Center: here, Radius: 1000, Width: 4097},
		"latitude 91":        {Center: here, Radius: 1000, Areas: vertex(0, 91)},
		"longitude NaN":      {Center: here, Radius: 1000, Areas: vertex(math.NaN(), 1)},
		"longitude infinite": {Center: here, Radius: 1000, Areas: vertex(math.Inf(1), 1)},
		"longitude 541":      {Center: here, Radius: 1000, Areas: vertex(541, 1)},
	}
	for name, m := range tests {
		t.Run(name, func(t *testing.T) {
			data, err := m.Append([]byte("before"))
			if !errors.Is(err, svg.ErrInvalidMap) || string(data) != "before" {
				t.Errorf("%v, %.50q; want ErrInvalidMap and nothing appended", err, data)
			}
		})
	}
}

// Shapes that are empty, tiny, without extent or far beyond the map are valid
// and draw nothing that cannot be seen.
func TestOddShapes(t *testing.T) {
	m := svg.Map{
		Center: geo.MustLatLng(34.1, -118.4), Radius: 1000,
		Areas: []svg.Area{
			{},
			{Polygons: orb.MultiPolygon{{}, {{}}, {{{1, 1}}}, {{{1, 1}, {2, 2}, {1, 1}}}}},
			{Polygons: square(-118.4, 34.1, 1e-9)},
			{Polygons: square(60, -34, 1)},
			{Polygons: orb.MultiPolygon{{{{-118.4, 34.1}, {-118.3, 34.1}, {-118.35, 34.1}, {-118.4, 34.1}}}}},
		},
	}
	data := draw(t, m)
	wellFormed(t, data)
	if n := strings.Count(string(data), `class="area`); n != 0 {
		t.Errorf("%d areas are drawn; want none:\n%s", n, data)
	}
	m.Areas = []svg.Area{{Polygons: square(-118.4, 34.1, 30)}}
	if rings := outlines(t, draw(t, m)); len(rings) != 1 || len(rings[0]) != 4 {
		t.Errorf("an area that is cut off on all sides is %v; want a square", rings)
	}
}

var (
	pathData = regexp.MustCompile(`<path class="area[^"]*" d="M([^l]*)l([^z]*)z"`)
	number   = regexp.MustCompile(`-?(?:[0-9]+(?:\.[0-9])?|\.[0-9])`)
)

// outlines reads the outlines of areas back from the drawing, in pixels.
func outlines(t *testing.T, data []byte) (out []orb.Ring) {
	t.Helper()
	for _, m := range pathData.FindAllSubmatch(data, -1) {
		var at orb.Point
		var ring orb.Ring
		var pair []float64
		for _, text := range number.FindAllString(string(m[1])+" "+string(m[2]), -1) {
			v, err := strconv.ParseFloat(text, 64)
			check(t, err)
			if pair = append(pair, v); len(pair) == 2 {
				at = orb.Point{at[0] + pair[0], at[1] + pair[1]}
				ring = append(ring, at)
				pair = nil
			}
		}
		out = append(out, ring)
	}
	return out
}

// Areas on the map are areas on the ellipsoid, wherever they lie, and points
// are in the true direction from the center.
func TestProjection(t *testing.T) {
	for _, center := range []geo.LatLng{
		geo.MustLatLng(0, 0), geo.MustLatLng(34.1, -118.4), geo.MustLatLng(70, -150), geo.MustLatLng(52, 179.99), geo.MustLatLng(-89.99, 10), geo.MustLatLng(90, 0),
	} {
		t.Run(center.String(), func(t *testing.T) {
			const extent, width = 300_000, 4096
			circle, err := spatial.NewCircle(center, 200_000)
			check(t, err)
			corners, err := circle.Ring(8)
			check(t, err)
			m := svg.Map{Center: center, Extent: extent, Width: width}
			for i, v := range corners[:8] {
				around, err := geo.LatLngFromDegrees(v[1], math.Remainder(v[0], 360))
				check(t, err)
				small, err := spatial.NewCircle(around, 30_000)
				check(t, err)
				ring, err := small.Ring(720)
				check(t, err)
				m.Areas = append(m.Areas, svg.Area{Label: strconv.Itoa(i), Polygons: orb.MultiPolygon{{ring}}})
			}
			rings := outlines(t, draw(t, m))
			if len(rings) != 8 {
				t.Fatalf("%d outlines; want 8", len(rings))
			}
			scale := (width - 24) / 2. / extent
			middle := orb.Point{width / 2, 12 + (width-24)/2.}
			for i, ring := range rings {
				area, x, y := 0.0, 0.0, 0.0
				for k, p := range ring {
					q := ring[(k+1)%len(ring)]
					cross := (p[0]-middle[0])*(q[1]-middle[1]) - (q[0]-middle[0])*(p[1]-middle[1])
					area += cross / 2
					x += (p[0] + q[0] - 2*middle[0]) * cross / 6
					y += (p[1] + q[1] - 2*middle[1]) * cross / 6
				}
				want := math.Pi * 30_000 * 30_000 * scale * scale
				if got := math.Abs(area); math.Abs(got/want-1) > 2e-3 {
					t.Errorf("area %d has %.1f square pixels; want %.1f", i, got, want)
				}
				x, y = x/area, y/area
				direction := math.Mod(math.Atan2(x, -y)*180/math.Pi+360, 360)
				if wanted := 360 - float64(i)*45; math.Abs(math.Remainder(direction-wanted, 360)) > 0.1 {
					t.Errorf("area %d lies in direction %.2f; want %.2f", i, direction, wanted)
				}
				if distance := math.Hypot(x, y) / scale; math.Abs(distance/200_000-1) > 1e-3 {
					t.Errorf("area %d is %.0f m away; want 200,000", i, distance)
				}
			}
		})
	}
}

// Steps of the ramp, and texts, can be distinguished by lightness alone, on
// light and on dark screens.
func TestColours(t *testing.T) {
	style := string(draw(t, svg.Map{Center: geo.MustLatLng(0, 0), Radius: 1000}))
	light, dark, ok := strings.Cut(style, "@media (prefers-color-scheme:dark)")
	if !ok {
		t.Fatal("no colours for dark screens")
	}
	for name, sheet := range map[string]string{"light": light, "dark": dark} {
		t.Run(name, func(t *testing.T) {
			of := func(selector string) float64 { return luminance(t, sheet, selector) }
			ground := of(".ground")
			var ramp []float64
			for i := range 5 {
				ramp = append(ramp, contrast(ground, of(".s"+strconv.Itoa(i))))
			}
			if !slices.IsSorted(ramp) {
				t.Errorf("the ramp does not move away from the ground: %.2f", ramp)
			}
			for i := 1; i < len(ramp); i++ {
				if ramp[i]/ramp[i-1] < 1.3 {
					t.Errorf("steps %d and %d are hard to tell apart: %.2f", i-1, i, ramp)
				}
			}
			const text, land, label = ".small,.faint", ".bare,.shore,.backdrop", ".strong"
			for _, c := range []struct {
				of, on string
				least  float64
			}{
				{"text", ".ground", 7},
				{text, ".ground", 4.5},
				{".circle,.bar", ".ground", 4.5},
				{".outline,.cross", ".ground", 4.5},
				{label, ".s4", 4.5},
				{text, land, 4.5},
				{land, ".sea", 1.1},
				{".s3", land, 1.5},
			} {
				if got := contrast(of(c.of), of(c.on)); got < c.least {
					t.Errorf("%s on %s has a contrast of %.2f; want %v", c.of, c.on, got, c.least)
				}
			}
		})
	}
}

// luminance reads a color from a style sheet (WCAG 2.2, relative luminance).
func luminance(t *testing.T, sheet, selector string) float64 {
	t.Helper()
	m := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(selector) + `\{(?:fill|stroke):#([0-9a-f]{6})`).FindStringSubmatch(sheet)
	if m == nil {
		t.Fatalf("no colour of %s", selector)
	}
	var rgb [3]uint8
	_, err := fmt.Sscanf(m[1], "%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2])
	check(t, err)
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v := float64(rgb[i]) / 255
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}

func contrast(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }

// Whatever a text is, the map is well formed and shows it, or what XML can
// hold of it.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "90210", `<script>alert("x")</script>`, "]]>", "&amp;&#0;", "a\x00b\x1b[31m", "\xff\xfe", "\ufffe\uffff\u0085", "a\r\n\tb", strings.Repeat("é", 3000), "--><!--", "' onload='x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m := svg.Map{
			Title: s, Attribution: s, Legend: s, Center: geo.MustLatLng(34.1, -118.4), Radius: 1000,
			Areas:  []svg.Area{{Label: s, Percent: percent(50), Class: svg.Focus, Polygons: square(-118.4, 34.1, 0.01)}},
			Points: []svg.Point{{Label: s, At: geo.MustLatLng(34.105, -118.4)}},
		}
		data := draw(t, m)
		if len(data) > 60_000 || !utf8.Valid(data) {
			t.Errorf("%d bytes, valid %v", len(data), utf8.Valid(data))
		}
		texts := wellFormed(t, data)
		var want strings.Builder
		for _, r := range strings.Join(strings.Fields(s), " ") {
			if r < 0x20 || r == 0xfffe || r == 0xffff {
				r = utf8.RuneError
			}
			want.WriteRune(r)
		}
		if w := want.String(); w != "" && utf8.RuneCountInString(w) <= 200 && !slices.Contains(texts, strings.TrimSpace(w)) {
			t.Errorf("the title %q is not there: %q", w, texts)
		}
	})
}

// Whatever a shape is, drawing it ends, and the map is well formed.
func FuzzShape(f *testing.F) {
	f.Add(34.1, -118.4, 1000.0, -118.5, 34.0, -118.3, 34.2, 10.0)
	f.Add(90.0, 0.0, 800_000.0, -180.0, 89.0, 180.0, 90.0, 180.0)
	f.Add(0.0, 180.0, 1.0, 540.0, -90.0, -540.0, 90.0, 0.0)
	f.Fuzz(func(t *testing.T, lat, lng, radius, x1, y1, x2, y2, x3 float64) {
		center, err := geo.LatLngFromDegrees(lat, lng)
		if err != nil {
			t.Skip()
		}
		m := svg.Map{
			Center: center, Radius: geo.Meters(radius),
			Areas: []svg.Area{{Label: "x", Polygons: orb.MultiPolygon{{{{x1, y1}, {x2, y2}, {x3, y1}, {x1, y2}}}}}},
		}
		data, err := m.Append(nil)
		if err != nil {
			if !errors.Is(err, svg.ErrInvalidMap) {
				t.Error(err)
			}
			return
		}
		wellFormed(t, data)
		if s := string(data); strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
			t.Errorf("no number: %s", s)
		}
	})
}

var check = checktest.Check
