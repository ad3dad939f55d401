package server_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/geo/svg"
)

// mapTokens returns the colors of maps from the style sheet of the pages.
func mapTokens(t *testing.T, dark bool) map[string]string {
	t.Helper()
	css, err := os.ReadFile("explorer/map.css")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{"font": "sans-serif"}
	for _, m := range regexp.MustCompile(`--([\w-]+): light-dark\((#\w+), (#\w+)\);`).FindAllStringSubmatch(string(css), -1) {
		out[m[1]] = m[2]
		if dark {
			out[m[1]] = m[3]
		}
	}
	return out
}

// TestMapColors checks that pages and documents of geo/svg have the same colors.
func TestMapColors(t *testing.T) {
	var documents strings.Builder
	data, err := (&svg.Map{Center: geo.MustLatLng(40, -100), Extent: 1000}).Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	documents.Write(data)
	opacity := regexp.MustCompile(`(#\w{6});fill-opacity:([.\d]+)`)
	style := opacity.ReplaceAllStringFunc(documents.String(), func(s string) string {
		m := opacity.FindStringSubmatch(s)
		alpha, _ := strconv.ParseFloat(m[2], 64)
		return fmt.Sprintf("%s%02x", m[1], int(math.Round(alpha*255)))
	})
	found := map[string]bool{}
	for _, c := range regexp.MustCompile(`#\w{6,8}\b`).FindAllString(style, -1) {
		found[c] = true
	}
	colors := map[string]bool{}
	for _, dark := range []bool{false, true} {
		tokens := mapTokens(t, dark)
		delete(tokens, "font")
		delete(tokens, "accent") // of links
		for _, c := range tokens {
			colors[c] = true
		}
	}
	// Opacities are written in hundredths.
	for _, set := range []map[string]bool{found, colors} {
		for c := range set {
			if len(c) == 9 {
				alpha, _ := strconv.ParseUint(c[7:], 16, 8)
				delete(set, c)
				set[fmt.Sprintf("%s at %.0f%%", c[:7], float64(alpha)/2.55)] = true
			}
		}
	}
	if got, want := slices.Sorted(maps.Keys(found)), slices.Sorted(maps.Keys(colors)); !slices.Equal(got, want) || len(want) < 30 {
		t.Errorf("documents have the colors %q; pages have %q", got, want)
	}
}

// TestBrowserExplorerRules runs the cases of the rules that the page shares with geo/svg.
func TestBrowserExplorerRules(t *testing.T) {
	rules, err := os.ReadFile("../geo/svg/testdata/rules.json")
	if err != nil {
		t.Fatal(err)
	}
	b := startBrowser(t)
	page := b.open(t, sampleServer(t).URL+"/", widths[2])
	var wrong []string
	page.eval(`import("/explorer/geometry.js").then((g) => {
		const rules = `+string(rules)+`;
		const wrong = [];
		const view = (center, extent) => new g.View(rules.side, rules.side, center, rules.side / 2 / (extent / 6371007.181));
		const off = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
		let cases = 0;
		const check = (ok, what) => { cases++; if (!ok) wrong.push(JSON.stringify(what)); };
		for (const c of rules.pixels) c.points.forEach((p, i) => {
			check(off(view(c.center, c.extent).pixel(p), c.pixels[i]) < 0.05, [c.center, p]);
			check(off(view(c.center, c.extent).point(c.pixels[i]), p.map((v, k) => k ? v : v - 360 * Math.round((v - c.center[0]) / 360))) < c.extent * 2e-9 || Math.abs(p[0] - c.center[0]) > 180, ["back", c.center, p]);
		});
		for (const c of rules.steps) check(g.step(c.percent) === c.step, c);
		for (const c of rules.bars) check(g.roundBelow(c.longest) === c.bar, c);
		for (const c of rules.shores) check(g.overWater([new g.Ring(c.area)], [new g.Ring(c.land)]) === c.over, c.name);
		for (const c of rules.seats) check(off(view(c.center, 10000).pixel(g.seat(c.rings.map((r) => new g.Ring(r))).at), c.at) < 1.5, c.name);
		if (cases < 60) wrong.push(cases + " cases only");
		return wrong;
	})`, &wrong)
	for _, w := range wrong {
		t.Errorf("the page differs in %s", w)
	}
}

// scenes are maps that the page and geo/svg draw alike.
func scenes() map[string]svg.Map {
	square := func(lng, lat, half float64) orb.MultiPolygon {
		return orb.MultiPolygon{{{{lng - half, lat - half}, {lng + half, lat - half}, {lng + half, lat + half}, {lng - half, lat + half}, {lng - half, lat - half}}}}
	}
	blob := func(lng, lat, radius float64, corners int) (r orb.Ring) {
		for i := range corners + 1 {
			s, c := math.Sincos(2 * math.Pi * float64(i%corners) / float64(corners))
			size := radius * (1 + 0.2*math.Sin(float64(7*(i%corners))))
			r = append(r, orb.Point{lng + 1.3*size*c, lat + size*s})
		}
		return r
	}
	var shares []svg.Area
	for i := range 25 {
		p := float64((i*29)%97) + 0.5
		half := 0.0135 * (1 - 0.01*float64((i*11)%25)) // room orders labels
		a := svg.Area{Label: strconv.Itoa(90200 + i), Class: svg.Found, Percent: &p, Polygons: square(-118.4+0.035*float64(i%5-2), 34.1+0.029*float64(i/5-2), half)}
		switch {
		case i == 12:
			a.Class = svg.Focus
		case i%5 == 4:
			a.Class, a.Percent = svg.Backdrop, nil
		case i == 9:
			a.Percent = nil
		}
		shares = append(shares, a)
	}
	crowd := []svg.Point{ // whose labels would hide each other
		{Label: "90250", Class: svg.Found, At: geo.MustLatLng(34.118, -118.42)},
		{Label: "90251", Class: svg.Found, At: geo.MustLatLng(34.119, -118.421)},
		{Label: "90252", Class: svg.Backdrop, At: geo.MustLatLng(34.117, -118.419)},
		{Label: "90253", Class: svg.Found, At: geo.MustLatLng(34.08, -118.4)},
	}
	all, half := 100.0, 45.0
	shore := []svg.Area{
		{Land: true, Class: svg.Backdrop, Polygons: orb.MultiPolygon{{blob(-123.1, 49.3, 0.06, 60)}}},
		{Land: true, Class: svg.Backdrop, Polygons: orb.MultiPolygon{{{{-123.3, 49.1}, {-122.9, 49.1}, {-122.9, 49.23}, {-123.05, 49.24}, {-123.3, 49.2}, {-123.3, 49.1}}}}},
		{Label: "V6G", Class: svg.Focus, Percent: &all, Polygons: square(-123.15, 49.27, 0.04)},
		{Label: "V7W", Class: svg.Found, Percent: &all, Polygons: square(-123.02, 49.305, 0.035)},
		{Label: "V5K", Class: svg.Found, Percent: &all, Polygons: square(-123.1, 49.205, 0.022)},
		{Label: "V5Z", Class: svg.Backdrop, Polygons: square(-123.02, 49.205, 0.022)},
		{Label: "V9Z", Class: svg.Backdrop, Polygons: square(-123.21, 49.33, 0.015)},
	}
	holed := orb.MultiPolygon{{blob(-100, 45, 0.08, 50), blob(-99.98, 45.01, 0.03, 20)}, {blob(-99.86, 45.06, 0.02, 12)}}
	var points []svg.Point
	for i := range 80 {
		s, c := math.Sincos(float64(i) * 2.4)
		r := 2.2 * math.Sqrt(float64(i)/80)
		points = append(points, svg.Point{Label: map[bool]string{true: fmt.Sprintf("%05d", 501+i)}[i%7 == 0], Class: svg.Found, At: geo.MustLatLng(42+r*s, -90+1.3*r*c)})
	}
	var scattered []svg.Point
	for i := range 600 {
		s, c := math.Sincos(float64(i) * 2.4)
		scattered = append(scattered, svg.Point{Class: svg.Found, At: geo.MustLatLng(42+0.08*math.Sqrt(float64(i))*s, -90+0.1*math.Sqrt(float64(i))*c)})
	}
	flat := orb.MultiPolygon{{{{-100.13, 39.905}, {-100.02, 39.905}, {-100.02, 39.908}, {-100.13, 39.908}, {-100.13, 39.905}}}}
	return map[string]svg.Map{
		"scatter": {Center: geo.MustLatLng(42, -90), Extent: 300_000, Points: scattered},
		"shares":  {Center: geo.MustLatLng(34.1, -118.4), Radius: geo.Miles(5).Meters(), MinRadius: geo.Miles(2).Meters(), Areas: shares, Points: crowd},
		"shore":   {Center: geo.MustLatLng(49.26, -123.1), Radius: geo.Miles(6).Meters(), Areas: shore, Width: 600},
		"alaska":  {Center: geo.MustLatLng(52, 179.9), Extent: 90_000, Areas: []svg.Area{{Land: true, Polygons: orb.MultiPolygon{{blob(180.2, 52.1, 0.7, 80)}}}, {Label: "99546", Class: svg.Found, Percent: &half, Polygons: orb.MultiPolygon{{blob(180.1, 52.1, 0.3, 40)}}}, {Label: "99547", Class: svg.Backdrop, Polygons: square(-179.3, 51.8, 0.2)}}, Points: []svg.Point{{Class: svg.Backdrop, At: geo.MustLatLng(51.6, -179.8)}, {Label: "99591", Class: svg.Found, At: geo.MustLatLng(51.6, 179.2)}}},
		"hole":    {Center: geo.MustLatLng(45, -99.95), Extent: 20_000, Areas: []svg.Area{{Label: "57401", Class: svg.Focus, Polygons: holed}}, Width: 400},
		"points":  {Center: geo.MustLatLng(42, -90), Radius: geo.Miles(200).Meters(), Areas: []svg.Area{{Land: true, Polygons: orb.MultiPolygon{{{{-97, 37}, {-84, 37}, {-84, 41}, {-90, 41}, {-90, 48}, {-97, 48}, {-97, 37}}}}}}, Points: append(points, svg.Point{Label: "here", Class: svg.Focus, At: geo.MustLatLng(42, -90)})},
		"focus":   {Center: geo.MustLatLng(40, -100), Extent: 12_000, Areas: []svg.Area{{Label: "67702", Class: svg.Backdrop, Polygons: square(-100.1, 40.06, 0.03)}, {Label: "67704", Class: svg.Backdrop, Polygons: flat}, {Label: "67703", Class: svg.Backdrop, Polygons: square(-99.9, 39.95, 0.03)}, {Label: "67701", Class: svg.Focus, Polygons: orb.MultiPolygon{{blob(-100, 40, 0.05, 30)}}}}, Points: []svg.Point{{Label: "PO box", Class: svg.Focus, At: geo.MustLatLng(39.93, -100.08)}}},
		"borders": {Center: geo.MustLatLng(49, -100), Extent: 400_000, Areas: []svg.Area{{Land: true, Polygons: orb.MultiPolygon{{{{-110, 49}, {-95, 49}, {-95, 60}, {-110, 60}, {-110, 49}}}}}, {Land: true, Polygons: orb.MultiPolygon{{{{-104, 45.9}, {-96.5, 45.9}, {-97.2, 49}, {-104, 49}, {-104, 45.9}}}}}, {Label: "58701", Class: svg.Found, Percent: &all, Polygons: square(-101.3, 48.2, 0.5)}}},
	}
}

// A scene is a map of geo/svg for the page.
type scene struct {
	Center    [2]float64        `json:"center"`
	Scale     float64           `json:"scale"` // pixels per radian
	Side      float64           `json:"side"`
	Areas     []sceneArea       `json:"areas"`
	Points    []scenePoint      `json:"points"`
	Miles     geo.Miles         `json:"miles"`
	Inner     geo.Miles         `json:"inner"`
	Colors    map[string]string `json:"colors"`
	Tolerance float64           `json:"tolerance"`
}

type sceneArea struct {
	Code  string      `json:"code"`
	Land  bool        `json:"land"`
	Focus bool        `json:"focus"`
	Found bool        `json:"found"`
	Share *float64    `json:"share"`
	Rings [][]float64 `json:"rings"` // as /v2/outlines sends them
}

type scenePoint struct {
	Name  string     `json:"name"`
	Class svg.Class  `json:"class"`
	At    [2]float64 `json:"at"`
}

const sceneMargin = 12 // of documents of geo/svg

func sceneOf(m svg.Map, colors map[string]string) scene {
	width := float64(m.Width)
	if width == 0 {
		width = svg.DefaultWidth
	}
	extent := m.Extent
	if extent == 0 {
		extent = 1.06 * max(m.Radius, m.MinRadius)
	}
	s := scene{Center: [2]float64{m.Center.Lng(), m.Center.Lat()}, Side: width - 2*sceneMargin, Miles: m.Radius.Miles(), Inner: m.MinRadius.Miles(), Colors: colors, Tolerance: 1e-6, Areas: []sceneArea{}}
	s.Scale = s.Side / 2 / float64(extent) * 6371007.1809
	for _, a := range m.Areas {
		out := sceneArea{Code: a.Label, Land: a.Land, Focus: a.Class == svg.Focus, Found: a.Class == svg.Found, Share: a.Percent}
		for _, p := range a.Polygons {
			for _, r := range p {
				var flat []float64
				x, y := 0.0, 0.0
				for _, v := range r[:len(r)-1] {
					u, w := math.Round(v[0]/s.Tolerance), math.Round(v[1]/s.Tolerance)
					flat = append(flat, u-x, w-y)
					x, y = u, w
				}
				out.Rings = append(out.Rings, append(flat, math.Round(r[0][0]/s.Tolerance)-x, math.Round(r[0][1]/s.Tolerance)-y))
			}
		}
		s.Areas = append(s.Areas, out)
	}
	for _, p := range m.Points {
		s.Points = append(s.Points, scenePoint{p.Label, p.Class, [2]float64{p.At.Lng(), p.At.Lat()}})
	}
	return s
}

// drawScene is a function of a page that paints a scene as SVG.
const drawScene = `async (scene) => {
	const [{ Ring, View, overWater, seat, step, unpack }, { dotRadius, paint }, { Sheet }] = await Promise.all(["geometry", "paint", "sheet"].map((m) => import("/explorer/" + m + ".js")));
	const list = scene.areas.map((a) => ({ ...a, rings: unpack(a.rings, scene.tolerance) }));
	const land = list.filter((a) => a.land);
	const shores = land.flatMap((a) => a.rings);
	const areas = list.filter((a) => !a.land).map((a) => ({ ...a, seat: seat(a.rings), wet: /^[A-Z]/.test(a.code) && overWater(a.rings, shores) }));
	const sheet = new Sheet(scene.side, scene.side);
	const circle = (miles) => miles ? { at: scene.center, miles } : null;
	const map = {
		context: sheet, dense: 1, view: new View(scene.side, scene.side, scene.center, scene.scale), colors: scene.colors, bare: land.length === 0, near: areas.length > 0,
		land, shores: land, areas, layers: [], byCode: new Map(areas.map((a) => [a.code, a])),
		shades: new Map(areas.filter((a) => a.share !== null || a.found).map((a) => [a.code, a.share === null ? 3 : step(a.share)])), weak: new Set(),
		chosen: areas.find((a) => a.focus)?.code, hovered: "", circle: circle(scene.miles), inner: circle(scene.inner), polygon: null, spot: null, taken: () => [],
		dots() { return (scene.points ?? []).map((p) => ({ at: this.view.pixel(p.at), name: p.name, step: p.class === 1 ? 3 : undefined, focus: p.class === 2, radius: p.class === 2 ? 5 : dotRadius(this, scene.points.length) })).filter((d) => d.at.every((v) => v >= 0 && v <= scene.side)); },
	};
	paint(map);
	return "<svg xmlns='http://www.w3.org/2000/svg'><svg>" + sheet + "</svg></svg>";
}`

// TestBrowserExplorerScenes checks that the page and geo/svg draw the same scenes: the
// same outlines, colors, circles, points and labels in the same order.
func TestBrowserExplorerScenes(t *testing.T) {
	b := startBrowser(t)
	page := b.open(t, sampleServer(t).URL+"/", widths[2])
	for name, m := range scenes() {
		for _, dark := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s dark %v", name, dark), func(t *testing.T) {
				b.t = t
				document, err := m.Append(nil)
				if err != nil {
					t.Fatal(err)
				}
				onPage := sceneOf(m, mapTokens(t, dark))
				text, err := json.Marshal(onPage)
				if err != nil {
					t.Fatal(err)
				}
				painted := page.text("await (" + drawScene + ")(" + string(text) + ")")
				if dir := os.Getenv("POSTGEO_SCREENSHOTS"); dir != "" && !dark {
					os.WriteFile(dir+"/scene-"+name+"-go.svg", document, 0o644)
					os.WriteFile(dir+"/scene-"+name+"-page.svg", []byte(painted), 0o644)
				}
				compareDrawings(t, readDrawing(t, string(document), sceneMargin, dark), readDrawing(t, painted, 0, dark), onPage.Side)
			})
		}
	}
}

// comparePixels is a function of a page that draws its map, with hatching on
// request, on a canvas and as SVG. It returns which shares of pixels differ, in percent,
// without and with texts, and the numbers of elements and hatchings.
const comparePixels = `async (hatched) => {
	const [{ PlaceMap }, { paint }, { Sheet }] = await Promise.all(["map", "paint", "sheet"].map((m) => import("/explorer/" + m + ".js")));
	const map = await new Promise((done) => {
		const plain = PlaceMap.prototype.paint;
		PlaceMap.prototype.paint = function () { PlaceMap.prototype.paint = plain; plain.call(this); done(this); };
		for (let i = 0; i < 3; i++) document.getElementById("theme").click(); // to the same theme
	});
	if (hatched) map.weak = new Set([...map.shades.keys()].slice(0, 9));
	const { width, height } = map.view;
	const blank = () => Object.assign(document.createElement("canvas"), { width, height }).getContext("2d");
	const pixels = (context) => context.getImageData(0, 0, width, height).data;
	let sheet;
	const compare = async (texts) => {
		const canvas = blank();
		sheet = new Sheet(width, height);
		if (!texts) for (const c of [canvas, sheet]) c.fillText = c.strokeText = () => {};
		for (const context of [canvas, sheet]) paint(Object.create(map, { context: { value: context }, dense: { value: 1 } }));
		const picture = new Image();
		picture.src = "data:image/svg+xml," + encodeURIComponent("<svg xmlns='http://www.w3.org/2000/svg' width='" + width + "' height='" + height + "' font-family='" + map.colors.font.replaceAll('"', "") + "'>" + sheet + "</svg>");
		await picture.decode();
		const drawn = blank();
		drawn.drawImage(picture, 0, 0);
		const [a, b] = [pixels(canvas), pixels(drawn)];
		let off = 0;
		for (let i = 0; i < a.length; i += 4) if (Math.max(...[0, 1, 2].map((k) => Math.abs(a[i + k] - b[i + k]))) > 40) off++;
		return (100 * off) / (width * height);
	};
	return [await compare(false), await compare(true), sheet.marks.length, sheet.patterns.size];
}`

// TestBrowserExplorerSheet checks that the SVG of a view equals its canvas.
func TestBrowserExplorerSheet(t *testing.T) {
	b := startBrowser(t)
	srv := sampleServer(t)
	for _, c := range []struct {
		name, query string
		least       float64 // elements
	}{
		{"place", "?code=90210", 5},
		{"shares", "?code=90210&tab=around&mi=5", 30},
		{"hatching", "?code=90210&tab=survey&mi=5", 30},
		{"shore", "?code=M5V&tab=around&mi=3", 10},
		{"dots", "?code=90210&tab=around&mi=300", 60},
		{"polygon", "?poly=-118.5,34;-118.3,34;-118.3,34.2", 20},
	} {
		for _, dark := range []bool{false, true} {
			s := widths[2]
			s.dark = dark
			page := b.open(t, srv.URL+"/"+c.query, s)
			page.await("document.querySelector('.tiles dd, tbody tr') && !document.documentElement.hasAttribute('data-busy')")
			if c.name != "dots" {
				page.await("performance.getEntriesByName('map').length")
			}
			hatched := c.name == "hatching"
			var got []float64
			page.eval(fmt.Sprintf("(%s)(%v)", comparePixels, hatched), &got)
			t.Logf("%s dark %v: %.3f, with texts %.3f percent of pixels differ; %.0f elements", c.name, dark, got[0], got[1], got[2])
			if got[0] > 0.05 || got[1] > 1.5 || got[2] < c.least || (got[3] == 1) != hatched {
				t.Errorf("%s dark %v: %.3f, with texts %.3f percent of pixels differ; %.0f elements, %.0f hatchings", c.name, dark, got[0], got[1], got[2], got[3])
			}
		}
	}
}

// TestBrowserExplorerLegend checks that a single figure has the color of its legend.
func TestBrowserExplorerLegend(t *testing.T) {
	page := startBrowser(t).open(t, sampleServer(t).URL+"/?code=90210&tab=survey&mi=5&field=demographic.sex_and_age.median_age", widths[2])
	page.await("document.querySelector('tbody .chip')")
	if got := page.text("document.querySelector('tbody .chip').classList[1] + ' ' + [...document.querySelectorAll('#legend .ramp i')].map((i) => i.className)"); got != "s4 s4" {
		t.Errorf("colors of the table and the legend: %s", got)
	}
}
