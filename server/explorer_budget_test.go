package server_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/server"
)

// viewBudget is how many bytes a first view of the explorer may transfer.
const viewBudget = 150_000

// TestBrowserExplorerBudget measures the first views of the national dataset. It adds
// invented figures if the dataset has none.
func TestBrowserExplorerBudget(t *testing.T) {
	path := os.Getenv("POSTGEO_NATIONAL")
	if path == "" {
		t.Skip("set POSTGEO_NATIONAL to a national dataset to run this")
	}
	b := startBrowser(t)
	db, err := postgeo.Open(withFigures(t, path))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s, err := server.New(db, server.Config{})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	page := b.open(t, srv.URL+"/", widths[2])
	page.call("Network.setCacheDisabled", map[string]any{"cacheDisabled": true})
	for _, view := range []struct{ query, shown string }{
		{"", "document.querySelector('.facts dd')"},
		{"?code=10001", "document.querySelector('.tiles dd')"},
		{"?code=10001&tab=around&mi=5", "document.querySelector('tbody tr')"},
		{"?code=10001&tab=around&mi=50", "document.querySelector('tbody tr')"},
		{"?code=10001&tab=around&mi=60", "document.querySelector('tbody tr')"},
		{"?code=90012&tab=around&mi=60", "document.querySelector('tbody tr')"},
		{"?code=10001&tab=around&mi=100", "document.querySelector('tbody tr')"},
		{"?code=10001&tab=around&mi=200", "document.querySelector('tbody tr')"},
		{"?code=67202&tab=around&mi=500", "document.querySelector('tbody tr')"},
		{"?code=10001&tab=survey&mi=50", "document.querySelector('tbody .chip')"},
		{"?code=10001&tab=survey&mi=100", "document.querySelector('tbody .chip')"},
		{"?code=10001&tab=survey&mi=250", "document.querySelector('tbody .chip')"},
	} {
		page.mu.Lock()
		page.transferred = nil
		page.mu.Unlock()
		page.call("Page.navigate", map[string]any{"url": srv.URL + "/" + view.query})
		page.await("document.documentElement?.dataset.ready === 'true' && location.search === '" + view.query + "' && " + view.shown)
		for still := 0; still < 15; { // the map waits for the end of a movement
			time.Sleep(20 * time.Millisecond)
			if still++; page.text("document.documentElement.hasAttribute('data-busy')") == "true" {
				still = 0
			}
		}
		page.mu.Lock()
		total := 0
		var most []string
		for url, n := range page.transferred {
			total += n
			if n > 10_000 {
				most = append(most, fmt.Sprintf("%6d %s", n, strings.TrimPrefix(url, srv.URL)))
			}
		}
		page.mu.Unlock()
		slices.Sort(most)
		if total > viewBudget || total < 50_000 {
			t.Errorf("/%s transfers %d bytes, with\n%s", view.query, total, strings.Join(most, "\n"))
		}
		t.Logf("%4d kB /%s", total/1000, view.query)
	}
	page.staysHome(t, srv)
}

// withFigures returns a dataset with figures for every ZIP Code: the one at a path, or
// one with real rows of New York for all.
func withFigures(t *testing.T, path string) string {
	t.Helper()
	db, err := postgeo.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	years, err := db.ACSYears(t.Context(), acs.ZCTA)
	if err != nil {
		t.Fatal(err)
	}
	if len(years) > 0 {
		return path
	}
	const table = "../../shared/data/acs/values/zcta/2015_NY_DP03.aff.csv.gz"
	in, err := source.OpenACSTable(table)
	if err != nil {
		t.Skip("the dataset has no figures, and no file to copy some from: ", err)
	}
	defer in.Close()
	profile, err := source.OpenACSProfile(in, source.ACSProfileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]store.ACSCell
	for row, err := range profile.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, slices.Clone(row.Cells))
	}
	d, err := sqlite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	made := filepath.Join(t.TempDir(), "survey.db")
	w, err := store.Extend(made, d)
	if err != nil {
		t.Fatal(err)
	}
	id, err := w.AddACSTable(profile.Table())
	rng := rand.New(rand.NewPCG(1, 2))
	for z := range d.ZIPs() {
		err = errors.Join(err, w.AddACSRow(id, uint64(z.ZIP), rows[rng.IntN(len(rows))]))
	}
	if err := errors.Join(err, w.Finish(d.Manifest())); err != nil {
		t.Fatal(err)
	}
	return made
}

// TestBrowserExplorerGround checks that the ground is loaded by the views that show it.
func TestBrowserExplorerGround(t *testing.T) {
	b := startBrowser(t)
	srv := sampleServer(t)
	asked := func(page *tab) bool {
		page.mu.Lock()
		defer page.mu.Unlock()
		return slices.Contains(page.requests, srv.URL+"/explorer/ground.json")
	}
	for _, query := range []string{"?code=90210", "?code=90210&tab=around&mi=5", "?code=90210&tab=around&mi=50", "?code=90210&tab=around&mi=200", "?area=county:06037"} {
		page := b.open(t, srv.URL+"/"+query, widths[2])
		page.await("document.querySelector('.tabs')")
		page.eval("new Promise((done) => setTimeout(done, 300))", nil)
		page.await("!document.documentElement.hasAttribute('data-busy')")
		if asked(page) {
			t.Errorf("%s loads the ground", query)
		}
		for range 12 { // to the whole country
			page.eval("document.querySelector('[aria-label=\"Zoom out\"]').click()", nil)
		}
		page.eval("new Promise((done) => setTimeout(done, 300))", nil)
		page.await("!document.documentElement.hasAttribute('data-busy')")
		if !asked(page) {
			t.Errorf("%s: the whole country has no ground", query)
		}
		page.staysHome(t, srv)
	}
	page := b.open(t, srv.URL+"/", widths[2])
	page.eval("new Promise((done) => setTimeout(done, 300))", nil)
	if !asked(page) {
		t.Error("home has no ground")
	}
}

// A wideCircle is a circle on the page.
type wideCircle struct {
	Sum  string
	Rows int
	More string
}

// hoverDots is a function of a page. It moves the pointer to a dot beyond the table and
// returns its tip.
const hoverDots = `async () => {
	const canvas = document.querySelector("canvas");
	const tip = document.querySelector(".tip");
	const box = canvas.getBoundingClientRect();
	const listed = new Set([...document.querySelectorAll("tbody tr")].map((tr) => tr.dataset.code));
	for (let y = 4; y < box.height; y += 4) {
		for (let x = 4; x < box.width - 80; x += 4) {
			canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.x + x, clientY: box.y + y }));
			if (!tip.hidden && (listed.size < 100 || !listed.has(tip.firstChild.textContent))) return [...tip.children].map((e) => e.textContent).join("|");
		}
	}
	return "none";
}`

// TestBrowserExplorerGrowing checks that one search is in flight while a circle grows.
func TestBrowserExplorerGrowing(t *testing.T) {
	b := startBrowser(t)
	srv := sampleServer(t)
	page := b.open(t, srv.URL+"/?code=90210&tab=around&mi=30", widths[2])
	page.await("document.querySelector('tbody tr') && performance.getEntriesByName('map').length")
	page.eval(`{ window.most = window.flying = 0; const plain = window.fetch; window.fetch = async (url, options) => {
		if (!/radius/.test(url)) return plain(url, options);
		window.most = Math.max(window.most, ++window.flying);
		try { await new Promise((done) => setTimeout(done, 50)); return await plain(url, options); } finally { window.flying--; }
	}; }`, nil)
	var at []float64
	page.eval("(() => { const r = document.querySelector('.handle').getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()", &at)
	mouse := func(kind string, x float64) {
		page.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": at[1], "button": "left", "buttons": 1, "clickCount": 1})
	}
	mouse("mousePressed", at[0])
	for i := range 30 {
		mouse("mouseMoved", at[0]+float64(i))
		time.Sleep(10 * time.Millisecond)
	}
	if got := page.text("window.most"); got != "1" {
		t.Errorf("%s searches were in flight", got)
	}
	mouse("mouseReleased", at[0]+29)
	page.await("Number(new URLSearchParams(location.search).get('mi')) > 31")
	page.eval("new Promise((done) => setTimeout(done, 300))", nil)
	page.await("!document.documentElement.hasAttribute('data-busy')")
}

// TestBrowserExplorerLarge sorts and downloads the codes of a large circle, whose table
// begins with the nearest ones, and names the dot under the pointer.
func TestBrowserExplorerLarge(t *testing.T) {
	b := startBrowser(t)
	srv := sampleServer(t)
	for _, mi := range []int{30, 250, 400} {
		mode := "spatial"
		if mi > 250 {
			mode = "centroid"
		}
		page := b.open(t, fmt.Sprintf("%s/?code=90210&tab=around&mi=%d", srv.URL, mi), widths[2])
		page.await("document.querySelector('tbody tr')")
		type match struct {
			Code string   `json:"code"`
			Pct  *float64 `json:"pct_inside"`
		}
		var want struct {
			Results []struct {
				Matches []match `json:"matches"`
			} `json:"results"`
		}
		response, err := srv.Client().Get(fmt.Sprintf("%s/v2/radius?code=90210&max=%d&mode=%s", srv.URL, mi, mode))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err == nil {
			err = json.Unmarshal(body, &want)
		}
		if err != nil {
			t.Fatal(err)
		}
		matches := want.Results[0].Matches
		areas := 0
		for _, m := range matches {
			if m.Pct != nil {
				areas++
			}
		}
		sum := fmt.Sprintf("%d areas touch the circle", areas)
		if mode == "centroid" {
			sum = fmt.Sprintf("%d codes have their point in the circle", len(matches))
		}
		show := func() (got wideCircle) {
			page.eval("({ Sum: document.querySelector('.sum').textContent, Rows: document.querySelectorAll('tbody tr').length, More: document.querySelector('.plain.wide')?.textContent ?? '' })", &got)
			return got
		}
		got := show()
		if !strings.HasPrefix(got.Sum, sum) || strings.Contains(got.Sum, "Showing") || got.Rows != min(100, len(matches)) || (len(matches) > 100) != (got.More == fmt.Sprintf("Show all %d", len(matches))) {
			t.Errorf("%d miles, %d codes: %+v", mi, len(matches), got)
		}
		if mi > 60 { // at this scale codes are dots
			tip := page.text("await (" + hoverDots + ")()")
			if code, rest, _ := strings.Cut(tip, "|"); !slices.ContainsFunc(matches, func(m match) bool { return m.Code == code }) || !strings.HasSuffix(rest, " miles away") {
				t.Errorf("%d miles: the tip of a dot is %q", mi, tip)
			}
		}
		page.saves()
		page.eval("document.querySelector('[data-sort=code]').click()", nil)
		page.await("document.querySelector('[aria-sort=ascending] button').dataset.sort === 'code'")
		codes := make([]string, len(matches))
		for i, m := range matches {
			codes[i] = m.Code
		}
		slices.Sort(codes)
		if first := page.text("document.querySelector('tbody tr').dataset.code"); first != codes[0] {
			t.Errorf("%d miles: by code the table begins with %s, want %s", mi, first, codes[0])
		}
		if after := show(); after.Sum != got.Sum {
			t.Errorf("%d miles: %q, with all rows %q", mi, got.Sum, after.Sum)
		}
		page.eval(fmt.Sprintf("{ history.pushState(null, '', '/?code=90210&tab=use&mi=%d'); dispatchEvent(new PopStateEvent('popstate')); }", mi), nil)
		page.pressNamed("CSV")
		page.await("Object.keys(window.saved).length === 1")
		lines := strings.Split(strings.TrimSpace(page.text("Object.values(window.saved)[0]")), "\r\n")[1:]
		if len(lines) != len(matches) {
			t.Fatalf("%d miles: %d rows of CSV, want %d", mi, len(lines), len(matches))
		}
		for i, m := range matches {
			if !strings.HasPrefix(lines[i], m.Code+",") {
				t.Fatalf("%d miles: row %d is %s, want %s", mi, i, lines[i], m.Code)
			}
		}
		page.staysHome(t, srv)
	}
}
