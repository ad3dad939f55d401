package server_test

import (
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/server"
)

// screens are what the pages are looked at with.
var screens = []screen{
	{"desktop-light", 1280, 900, false, false},
	{"desktop-dark", 1280, 900, false, true},
	{"phone-light", 390, 844, true, false},
	{"phone-dark", 390, 844, true, true},
}

// sampleServer serves the sample on its own socket.
func sampleServer(t *testing.T, set ...func(*server.Config)) *httptest.Server {
	t.Helper()
	db, err := postgeo.OpenSample()
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(db, func() (c server.Config) {
		for _, f := range set {
			f(&c)
		}
		return c
	}())
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(s)
	t.Cleanup(func() {
		srv.Close()
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return srv
}

// staysHome checks that a page sent requests only to its server, and that
// neither console nor policy complained.
func (tb *tab) staysHome(t *testing.T, srv *httptest.Server) {
	t.Helper()
	tb.mu.Lock()
	defer tb.mu.Unlock()
	if len(tb.requests) < 3 {
		t.Errorf("only %d requests were seen: %q", len(tb.requests), tb.requests)
	}
	for _, r := range tb.requests {
		if !strings.HasPrefix(r, srv.URL+"/") && !strings.HasPrefix(r, "data:") {
			t.Errorf("the page asked for %s", r)
		}
	}
	for _, c := range tb.complains {
		t.Errorf("the page complains: %s", c)
	}
}

// fits holds that nothing makes the page wider than its screen, that what is
// pressed with a finger is large enough for one, and that texts can be read.
func (tb *tab) fits(t *testing.T, s screen) {
	t.Helper()
	var wide int
	tb.eval("document.documentElement.scrollWidth", &wide)
	if wide > s.width {
		t.Errorf("the page is %d pixels wide on a screen of %d", wide, s.width)
	}
	var small, faint []string
	tb.eval(`[...document.querySelectorAll("button, select, textarea, input:not([type=checkbox]), .flags label, .links a")]
		.filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 24)
		.map((e) => e.tagName + "#" + e.id + " " + e.textContent)`, &small)
	for _, e := range small {
		t.Errorf("%s is less than 24 pixels high", e)
	}
	tb.eval(contrasts, &faint)
	for _, e := range faint {
		t.Errorf("too little contrast: %s", e)
	}
}

// contrasts lists the texts that stand out from what is behind them by less
// than 4.5 to 1 (Web Content Accessibility Guidelines 2.2, criterion 1.4.3).
const contrasts = `(() => {
	const channels = (color) => color.match(/[\d.]+/g).map(Number);
	const luminance = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
		.reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
	const behind = (e) => {
		for (; e; e = e.parentElement) {
			const c = channels(getComputedStyle(e).backgroundColor);
			if (c.length < 4 || c[3] > 0) return c;
		}
		return [255, 255, 255];
	};
	const out = new Set();
	for (const e of document.querySelectorAll("body *")) {
		if (e.closest("svg, .unseen, .skip, option") || !e.checkVisibility() || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
		const a = luminance(channels(getComputedStyle(e).color));
		const b = luminance(behind(e));
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (ratio < 4.5) out.add(e.tagName + "." + e.className + " " + ratio.toFixed(2) + " " + e.textContent.slice(0, 40));
	}
	return [...out];
})()`

// TestBrowserPlayground runs an operation with the keyboard alone, on every
// screen.
func TestBrowserPlayground(t *testing.T) {
	b := startBrowser(t)
	srv := sampleServer(t)
	for _, s := range screens {
		t.Run(s.name, func(t *testing.T) {
			page := b.open(t, srv.URL+"/console", s)
			page.await("document.getElementById('status').textContent.includes('Status 200')")

			page.focus("operation")
			page.write("") // the focus is real, nothing is typed
			for range 20 {
				if page.text("document.getElementById('operation').value") == "/v2/distance" {
					break
				}
				page.down()
			}
			page.focus("field-from")
			page.write("90210")
			page.focus("field-to")
			page.call("Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": "a", "code": "KeyA", "windowsVirtualKeyCode": 65, "modifiers": 2, "commands": []string{"selectAll"}})
			page.write("K1A 0B1")
			page.eval("document.getElementById('field-from').value = '98101'", nil)
			page.enter()
			page.await("document.getElementById('curl').textContent.includes('/v2/distance')")
			page.await("document.getElementById('body').textContent.includes('\"bearing\"')")

			if got := page.text("document.getElementById('status').textContent"); !strings.Contains(got, "Status 200") {
				t.Errorf("status %q", got)
			}
			if got := page.text("document.getElementById('credits').innerText"); !strings.Contains(got, "1 base = 1") {
				t.Errorf("credits %q", got)
			}
			if got, want := page.text("document.getElementById('curl').textContent"), "curl '"+srv.URL+"/v2/distance?from=98101&to=K1A%200B1'"; got != want {
				t.Errorf("curl line %q, want %q", got, want)
			}
			if got, want := page.text("document.getElementById('go').textContent"), `result, err := db.Distance(ctx, "98101", "K1A 0B1", postgeo.DistanceOptions{})`; got != want {
				t.Errorf("Go line %q, want %q", got, want)
			}
			if got := page.text("document.querySelector('#map svg').getAttribute('aria-label')"); !strings.Contains(got, "2 points, the line between them") {
				t.Errorf("map %q", got)
			}
			if got := page.text("location.pathname + location.search"); got != "/console?op=%2Fv2%2Fdistance&from=98101&to=K1A+0B1" {
				t.Errorf("address %q", got)
			}
			if got := page.text("(() => { const r = document.getElementById('send').getBoundingClientRect(); return String(r.top >= 0 && r.bottom <= innerHeight); })()"); got != "true" && !s.phone {
				t.Error("Send is out of sight")
			}
			page.axe(t)
			page.eval("document.getElementById('answer-title').scrollIntoView()", nil)
			page.picture("playground-" + s.name)
			page.fits(t, s)
			page.staysHome(t, srv)
		})
	}
}

// TestBrowserOperations sends every operation of the document as the form
// has it, and holds that each is answered.
func TestBrowserOperations(t *testing.T) {
	b := startBrowser(t)
	srv := sampleServer(t)
	page := b.open(t, srv.URL+"/console", screens[0])
	var paths []string
	page.eval("[...document.querySelectorAll('#operation option')].map((o) => o.value)", &paths)
	if len(paths) < 9 {
		t.Fatalf("operations %q", paths)
	}
	program := "package main\n\nimport (\n\"context\"\n\"net/http\"\n\"strings\"\n\n" +
		"\"github.com/postgeo/postgeo\"\n\"github.com/postgeo/postgeo/server/client\"\n)\n\n" +
		"func main() {}\n\nfunc use(ctx context.Context, db *postgeo.DB, c *client.Client) {\n_, _ = http.NoBody, strings.NewReader\n"
	for _, path := range paths {
		page.eval(`{const s = document.getElementById("operation"); s.value = "`+path+`"; s.dispatchEvent(new Event("change")); for (const box of document.querySelectorAll("#fields input[type=checkbox]")) box.checked = true; document.getElementById("body").textContent = ""; document.getElementById("send").click();}`, nil)
		page.await("document.getElementById('body').textContent.length > 0")
		if got := page.text("document.getElementById('status').textContent"); !strings.HasPrefix(got, "Status 200") || strings.Contains(got, "_") {
			t.Errorf("%s: %s", path, got)
		}
		program += "{\n" + page.text("document.getElementById('go').textContent") + "\n_ = err\n"
		for _, name := range []string{"result", "resp"} {
			if strings.Contains(page.text("document.getElementById('go').textContent"), name+", err := ") {
				program += "_ = " + name + "\n"
			}
		}
		program += "}\n"
		if unlabelled := page.text(`[...document.querySelectorAll("input, select, textarea")].filter((e) => !e.labels?.length && !e.getAttribute("aria-label")).map((e) => e.id).join()`); unlabelled != "" {
			t.Errorf("%s: fields without a label: %s", path, unlabelled)
		}
	}
	page.staysHome(t, srv)

	// The Go lines are Go.
	source := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(source, []byte(program+"}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-o", os.DevNull, source).CombinedOutput(); err != nil {
		t.Errorf("the Go lines do not compile: %v\n%s\n%s", err, out, program)
	}
}

// TestBrowserPin shows the position of an address, and the address of a point, in the
// middle of a map with the radius around it.
func TestBrowserPin(t *testing.T) {
	b := startBrowser(t)
	srv := sampleServer(t)
	for _, c := range []struct {
		query url.Values
		label string
	}{
		{url.Values{"op": {"/v2/geocode"}, "address": {"350 5th Ave, New York, NY 10118"}}, "Map with the point of 350 5TH AVE, New York, NY 10118, a circle of 15 m."},
		{url.Values{"op": {"/v2/reverse"}, "point": {"34.0731,-118.4004"}}, "Map with the point of 455 N REXFORD DR, Beverly Hills, CA 90210, a circle of 15 m."},
	} {
		page := b.open(t, srv.URL+"/console?"+c.query.Encode(), screens[0])
		page.focus("send")
		page.enter()
		page.await("document.querySelector('#map svg circle')")
		if got := page.text("document.querySelector('#map svg').getAttribute('aria-label')"); got != c.label {
			t.Errorf("map %q, want %q", got, c.label)
		}
		var off []float64 // of the pin and of the circle from the middle of the map
		page.eval(`(() => {
			const middle = (e) => { const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; };
			const [x, y] = middle(document.querySelector("#map svg"));
			return ["circle[stroke='var(--focus)']", "path[stroke='var(--ink)'][stroke-width='1.8']"].flatMap((s) => [...document.querySelectorAll("#map svg " + s)]).map((e) => { const [u, v] = middle(e); return Math.hypot(u - x, v - y); });
		})()`, &off)
		if len(off) != 2 || off[0] > 2 || off[1] > 2 {
			t.Errorf("%s: the pin and its circle are %v pixels from the middle", c.label, off)
		}
		page.picture("playground-pin" + strings.ReplaceAll(c.query.Get("op"), "/", "-"))
		page.staysHome(t, srv)
	}
}

// TestBrowserConsoleMap shows a search with its shares and both circles, and names the
// omitted part of the response.
func TestBrowserConsoleMap(t *testing.T) {
	b := startBrowser(t)
	srv := sampleServer(t)
	page := b.open(t, srv.URL+"/console?"+url.Values{"op": {"/v2/radius"}, "code": {"90210"}, "max": {"5"}, "min": {"2"}, "mode": {"spatial"}}.Encode(), screens[0])
	page.await("document.querySelector('#map svg')?.getAttribute('aria-label').includes('outlines')")
	if got := page.text("document.querySelector('#map svg').getAttribute('aria-label')"); !regexp.MustCompile(`^Map with \d+ points, a circle of 5 miles, without 2 miles, \d+ outlines\.$`).MatchString(got) {
		t.Errorf("map %q", got)
	}
	for selector, least := range map[string]int{
		"path[fill='var(--s4)']": 1, "path[fill='var(--s1)']": 1, "path[stroke-dasharray='5 4']": 1, "path[fill='var(--veil)']": 1, "circle[stroke='var(--focus)'] title": 1, "text[fill='var(--on-s4)']": 3,
	} {
		var n int
		page.eval("document.querySelectorAll(`#map svg "+selector+"`).length", &n)
		if n < least {
			t.Errorf("%d of %s; expected at least %d", n, selector, least)
		}
	}
	page.picture("playground-radius")

	// A response with more than the map can show.
	page.eval(`{ const plain = window.fetch; window.fetch = (url, options) => /radius/.test(url) ? Promise.resolve(new Response(JSON.stringify({ results: [{ success: true, matches: Array.from({ length: 4100 }, (_, i) => ({ code: 'x' + i, country: "US", location: { lat: 30 + i / 500, lon: -90 } })) }] }))) : plain(url, options); }`, nil)
	page.focus("send")
	page.enter()
	page.await("document.querySelector('#map .hint')")
	if got := page.text("[...document.querySelectorAll('#map .hint')].map((e) => e.textContent).join(' ')"); got != "The map shows the first 4,000 points. The map outlines the first 60 of 4,000 areas." {
		t.Errorf("the page says %q", got)
	}
	if got := page.text("document.querySelectorAll('#map svg circle').length + ' ' + document.querySelectorAll('#map svg text').length"); !strings.HasPrefix(got, "4000 ") {
		t.Errorf("%s points and labels are drawn", got)
	}
	page.fits(t, screens[0])
	page.staysHome(t, srv)
}

// TestBrowserPolicy checks that the other tests would detect violations: the
// policy blocks requests to other servers, and an attempt is reported.
func TestBrowserPolicy(t *testing.T) {
	b := startBrowser(t)
	srv := sampleServer(t)
	elsewhere := sampleServer(t)
	for _, path := range pagesForPeople {
		page := b.open(t, srv.URL+path, screens[0])
		for _, attempt := range []string{
			`fetch("` + elsewhere.URL + `/v2/health").then(() => "asked", () => "refused")`,
			`new Promise((done) => { const i = new Image(); i.onload = () => done("asked"); i.onerror = () => done("refused"); i.src = "` + elsewhere.URL + `/x.png"; })`,
			`new Promise((done) => { const s = document.createElement("script"); s.onload = () => done("asked"); s.onerror = () => done("refused"); s.src = "` + elsewhere.URL + `/playground/map.js"; document.head.append(s); })`,
		} {
			page.mu.Lock()
			page.complains = nil
			page.mu.Unlock()
			if got := page.text("await " + attempt); got != "refused" {
				t.Errorf("%s: %s: %s", path, attempt, got)
			}
			page.awaitComplaint()
		}
	}
}

// TestBrowserDemoKey tries the interface with the shared key.
func TestBrowserDemoKey(t *testing.T) {
	b := startBrowser(t)
	srv := sampleServer(t, withAccounts(t, rich()), func(c *server.Config) { c.Accounts.DemoKey = key("demo") })
	page := b.open(t, srv.URL+"/console?"+url.Values{"op": {"/v2/zip"}, "code": {"90210"}, "include": {"timezone"}}.Encode(), screens[0])
	page.focus("send")
	page.enter()
	page.await("document.getElementById('body').textContent.length > 0")
	status, credits := page.text("document.getElementById('status').textContent"), page.text("document.getElementById('credits').innerText")
	if !strings.HasPrefix(status, "Status 200") || !strings.Contains(credits, "from demo") || !strings.Contains(credits, "of 5 requests left") {
		t.Errorf("status %q, credits %q", status, credits)
	}
	if got := page.text("document.getElementById('curl').textContent"); !strings.HasPrefix(got, `curl -H "X-Api-Key: $KEY" `) || strings.Contains(got, key("demo")) {
		t.Errorf("curl line %q", got)
	}
	if got := page.text("location.href"); strings.Contains(got, key("demo")) {
		t.Errorf("the key is in the address %s", got)
	}
	page.picture("playground-demo-key")
	page.staysHome(t, srv)
}

// TestBrowserReference shows the reference and tries an operation in it.
func TestBrowserReference(t *testing.T) {
	b := startBrowser(t)
	srv := sampleServer(t)
	for _, s := range screens {
		t.Run(s.name, func(t *testing.T) {
			page := b.open(t, srv.URL+"/docs", s)
			page.await("document.querySelectorAll('#swagger-ui .opblock').length >= 13")
			page.axe(t)
			if got := page.text("String(document.querySelector('#routes').compareDocumentPosition(document.querySelector('#authentication')) === 4 && [...document.querySelectorAll('#routes a')].every((a) => document.getElementById(a.hash.slice(1))))"); got != "true" {
				t.Error("the contents do not lead to every route, before the rest")
			}
			if rows := page.text("document.querySelectorAll('#codes tr').length"); len(rows) < 2 {
				t.Errorf("%s rows of errors", rows)
			}
			if dark := page.text("document.documentElement.classList.contains('dark-mode')"); (dark == "true") != s.dark {
				t.Errorf("dark is %s", dark)
			}
			page.eval("document.querySelector('#operations-distance-getDistance .opblock-summary-control').click()", nil)
			page.await("document.querySelector('#operations-distance-getDistance .try-out__btn')")
			page.eval("document.querySelector('#operations-distance-getDistance .try-out__btn').click()", nil)
			page.await("document.querySelector('#operations-distance-getDistance .execute')")
			page.eval("document.querySelector('#operations-distance-getDistance .execute').click()", nil)
			page.await("document.querySelector('#operations-distance-getDistance .live-responses-table')")
			page.eval("document.querySelector('#operations-distance-getDistance').scrollIntoView()", nil)
			page.picture("reference-" + s.name)
			page.axe(t)
			var wide int
			page.eval("document.documentElement.scrollWidth", &wide)
			if wide > s.width {
				t.Errorf("the page is %d pixels wide on a screen of %d", wide, s.width)
			}
			page.staysHome(t, srv)
		})
	}
}

// TestBrowserCombobox selects places with the keyboard, by the pattern for
// comboboxes, and checks the announcements for screen readers.
func TestBrowserCombobox(t *testing.T) {
	b := startBrowser(t)
	srv := sampleServer(t)
	page := b.open(t, srv.URL+"/console?op=%2Fv2%2Fzip", screens[0])
	attribute := func(name string) string {
		return page.text("document.getElementById('place').getAttribute('" + name + "')")
	}
	// suggested waits for a list that begins with a name.
	suggested := func(name string) {
		t.Helper()
		page.await("document.getElementById('place').getAttribute('aria-expanded') === 'true' && document.querySelector('#place-option-0 span').textContent.startsWith('" + name + "')")
	}

	page.focus("place")
	if got := attribute("aria-expanded"); got != "false" {
		t.Errorf("aria-expanded is %s before anything is typed", got)
	}
	page.write("90210")
	suggested("90210")
	if got := attribute("aria-expanded") + attribute("aria-controls"); got != "trueplace-options" {
		t.Errorf("the list is open as %s", got)
	}
	if got := page.text("document.querySelector('#finder [role=status]').textContent"); !strings.HasSuffix(got, "place") && !strings.HasSuffix(got, "places") {
		t.Errorf("told %q", got)
	}
	page.down()
	page.await("document.getElementById('place').getAttribute('aria-activedescendant') === 'place-option-0'")
	if got := page.text("document.getElementById('place-option-0').getAttribute('aria-selected')"); got != "true" {
		t.Errorf("aria-selected is %s", got)
	}
	page.picture("playground-combobox")
	page.enter()
	page.await("document.getElementById('field-code').value === '90210'")
	if got := attribute("aria-expanded") + page.text("document.activeElement.id"); got != "falseplace" {
		t.Errorf("after the choice: %s", got)
	}

	// A place that is not a code is selected by its coordinate; Escape closes.
	page.eval("document.getElementById('place').value = ''", nil)
	page.write("beverly h")
	suggested("Beverly Hills")
	page.press("Escape", 27)
	if got := attribute("aria-expanded") + page.text("document.getElementById('place').value"); got != "falsebeverly h" {
		t.Errorf("after Escape: %s", got)
	}
	page.down()
	suggested("Beverly Hills")
	page.press("ArrowUp", 38) // from the field to the last
	page.await("document.querySelector('#place-options li:last-child').getAttribute('aria-selected') === 'true'")
	page.down() // and back to the field, which stands beyond the ends
	if got := attribute("aria-activedescendant"); got != "null" {
		t.Errorf("in the field the option %s is active", got)
	}
	page.down()
	page.enter()
	page.await("document.getElementById('field-code').value === '34.1,-118.415'")

	// Two ends are filled one after the other.
	page.eval(`{const s = document.getElementById("operation"); s.value = "/v2/distance"; s.dispatchEvent(new Event("change"));}`, nil)
	for _, pick := range []struct{ text, field, want string }{{"90210", "from", "90210"}, {"k1a", "to", "K1A"}} {
		page.eval("{const p = document.getElementById('place'); p.value = ''; p.focus();}", nil)
		page.write(pick.text)
		suggested(pick.want)
		page.down()
		page.enter()
		page.await("document.getElementById('field-" + pick.field + "').value === '" + pick.want + "'")
	}
	// From the key to the list, in the page's own time.
	ms := 0.0
	page.eval(`new Promise((done) => {
		const p = document.getElementById("place");
		p.value = "b";
		const list = document.getElementById("place-options");
		const began = performance.now();
		new MutationObserver(() => done(performance.now() - began)).observe(list, { childList: true });
		p.dispatchEvent(new Event("input"));
	})`, &ms)
	t.Logf("%.0f ms from the key to the list", ms)
	page.staysHome(t, srv)
}
