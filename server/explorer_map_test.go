package server_test

import (
	"fmt"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

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

// of documents of geo/svg
