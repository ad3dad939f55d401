package server_test

import (
	"encoding/json"
	"net/http/httptest"
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

// TestBrowserReferenceCost opens the reference within 2 s of processor time.
func TestBrowserReferenceCost(t *testing.T) {
	b := startBrowser(t)
	srv := sampleServer(t)
	page := b.open(t, srv.URL+"/docs", screens[0])
	page.call("Performance.enable", map[string]any{"timeDomain": "threadTicks"})
	page.eval("document.documentElement.dataset.ready = ''", nil)
	page.call("Page.navigate", map[string]any{"url": srv.URL + "/docs"})
	page.await("document.documentElement?.dataset.ready === 'true' && document.querySelectorAll('#swagger-ui .opblock').length >= 13")
	var measured struct {
		Metrics []struct {
			Name  string
			Value float64 // seconds
		}
	}
	if err := json.Unmarshal(page.call("Performance.getMetrics", nil), &measured); err != nil {
		t.Fatal(err)
	}
	for _, m := range measured.Metrics {
		if m.Name == "TaskDuration" && m.Value > 2 {
			t.Errorf("the reference takes %.1f s of a processor", m.Value)
		}
	}
}
