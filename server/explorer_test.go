package server_test

import (
	"fmt"
	"net/url"
	"os"
	"testing"
)

// widths are the screens of the explorer: a phone, a tablet and a desk.
var widths = []screen{{"360", 360, 780, true, false}, {"768", 768, 1024, false, false}, {"1440", 1440, 900, false, false}}

// explorerStates are the states of the explorer, with an expression that is true once
// they are shown.
var explorerStates = []struct{ name, query, shown string }{
	{"home", "", "document.querySelector('.try a')"},
	{"place", "?code=90210", "document.querySelector('.tiles dd')"},
	{"canada", "?code=K1A", "document.querySelector('.tiles dd')"},
	{"coordinate", "?code=34.0901,-118.4065", "document.querySelector('.tiles dd')"},
	{"around", "?code=90210&tab=around&mi=5", "document.querySelector('tbody tr')"},
	{"survey", "?code=90210&tab=survey&mi=5", "document.querySelector('tbody tr')"},
	{"use", "?code=90210&tab=use", "document.querySelector('pre')"},
	{"area", "?area=county:06037", "document.querySelector('tbody tr')"},
	{"polygon", "?poly=-118.5,34;-118.3,34;-118.3,34.2", "document.querySelector('tbody tr')"},
	{"state", "?state=CA", "document.querySelector('h1').textContent === 'California'"},
	{"address", "?address=455+N+Rexford+Dr,+Beverly+Hills,+CA+90210", "document.querySelector('.tiles dd')"},
	{"military", "?code=09012", "document.querySelector('.quiet.gap')"},
	{"wide", "?code=90210&tab=around&mi=300", "document.querySelector('tbody tr')"},
	{"missing", "?code=99999", "document.querySelector('.bad')"},
}

// TestBrowserExplorer shows every state on every screen in both themes.
func TestBrowserExplorer(t *testing.T) {
	b := startBrowser(t)
	srv := sampleServer(t)
	for _, s := range widths {
		for _, dark := range []bool{false, true} {
			s.dark = dark
			for _, state := range explorerStates {
				if testing.Short() && (dark || s.width == 768) {
					continue
				}
				t.Run(fmt.Sprintf("%s %s dark %v", state.name, s.name, dark), func(t *testing.T) {
					page := b.open(t, srv.URL+"/"+state.query, s)
					page.await(state.shown)
					page.fits(t, s)
					page.staysHome(t, srv)
					page.axe(t)
				})
			}
		}
	}
}

// axe reports the violations of accessibility that axe-core finds. The variable
// POSTGEO_AXE names its file axe.min.js; without it nothing is checked.
func (tb *tab) axe(t *testing.T) {
	t.Helper()
	source, err := os.ReadFile(os.Getenv("POSTGEO_AXE"))
	if err != nil {
		t.Log("not checked with axe-core: POSTGEO_AXE does not name its axe.min.js")
		return
	}
	tb.eval(string(source)+"; true", nil)
	var found []string
	if passes := tb.text("await axe.run().then((r) => String(r.passes.length > 10))"); passes != "true" {
		t.Error("axe checked almost nothing")
	}
	tb.eval(`axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations.map((v) => v.id + ": " + v.nodes.map((n) => n.target.join(" ")).slice(0, 5).join(", ")))`, &found)
	for _, v := range found {
		t.Errorf("axe: %s", v)
	}
}

// TestBrowserExplorerKeys finds a place, widens a circle, sorts its table, and draws a
// polygon with the keyboard alone.
func TestBrowserExplorerKeys(t *testing.T) {
	b := startBrowser(t)
	srv := sampleServer(t)
	page := b.open(t, srv.URL+"/", widths[2])
	page.focus("q")
	page.write("902")
	page.await("document.querySelectorAll('#found [role=option]').length > 1")
	page.down()
	page.enter()
	page.await("/^\\?code=902/.test(location.search)")
	page.eval("document.getElementById('q').focus()", nil)
	page.eval("document.getElementById('q').value = ''", nil)
	page.write("90210")
	page.enter()
	page.await("location.search === '?code=90210' && document.querySelector('h1')?.textContent === '90210'")
	focus := func(expression string) {
		t.Helper()
		for range 80 {
			if page.text("String(Boolean("+expression+"))") == "true" {
				return
			}
			page.tabKey()
		}
		t.Fatalf("the Tab key does not lead to %s", expression)
	}
	focus("document.activeElement.textContent === 'Around'")
	page.enter()
	page.await("document.querySelector('tbody tr') && new URLSearchParams(location.search).get('tab') === 'around'")
	page.eval("document.querySelector('.handle').focus()", nil)
	page.press("ArrowRight", 39)
	page.await("new URLSearchParams(location.search).get('mi') === '6' && document.querySelector('.handle').getAttribute('aria-valuenow') === '6'")
	focus("document.activeElement.dataset.sort === 'place'")
	page.enter()
	page.await("document.querySelector('[aria-sort=ascending] button').dataset.sort === 'place' && new URLSearchParams(location.search).get('sort') === 'place'")
	page.eval("history.back()", nil)
	page.await("document.querySelector('.tabs [aria-current]')?.textContent === 'Facts'")

	page.eval("document.querySelector('[aria-label=\"Draw a polygon\"]').focus()", nil)
	page.enter()
	page.eval("document.querySelector('canvas').focus()", nil)
	page.await("document.querySelector('.map.drawing') !== null")
	page.enter()
	for _, key := range []struct {
		name string
		code int
	}{{"ArrowRight", 39}, {"ArrowDown", 40}} {
		page.press(key.name, key.code)
		page.press(key.name, key.code)
		page.enter()
	}
	page.eval("document.querySelector('[aria-label=\"Draw a polygon\"]').click()", nil)
	page.await("location.search.startsWith('?poly=') && document.querySelector('.kicker').textContent === 'Polygon'")
	page.staysHome(t, srv)
}

// TestBrowserExplorerCredits opens places with a key, and counts the credits that the page
// says it used.
func TestBrowserExplorerCredits(t *testing.T) {
	b := startBrowser(t)
	srv := sampleServer(t, withAccounts(t, rich()))
	page := b.open(t, srv.URL+"/", widths[2])
	page.await("document.querySelector('input[type=password]')")
	page.eval("sessionStorage.setItem('postgeo-key', "+fmt.Sprintf("%q", key("paid"))+")", nil)
	for _, query := range []string{"code=90210", "code=34.0901,-118.4065", "code=M5V", "address=455+N+Rexford+Dr,+Beverly+Hills,+CA+90210"} {
		page.call("Page.navigate", map[string]any{"url": srv.URL + "/?" + query})
		page.await("location.search === '?" + query + "' && document.querySelector('.copy') && performance.getEntriesByName('map').length && !document.documentElement.hasAttribute('data-busy')")
		page.await("/^[123] credits? used$/.test(document.getElementById('spent').textContent)")
	}
	page.eval("[...document.querySelectorAll('button')].find((b) => /^Show all areas/.test(b.textContent)).click()", nil)
	page.await("Number.parseInt(document.getElementById('spent').textContent) > 3 && document.querySelector('.shares') && ![...document.querySelectorAll('button')].some((b) => /^Show all areas/.test(b.textContent))")
	page.staysHome(t, srv)
}

// TestBrowserExplorerLinks checks that text from the address is never markup.
func TestBrowserExplorerLinks(t *testing.T) {
	b := startBrowser(t)
	srv := sampleServer(t)
	page := b.open(t, srv.URL+"/?code="+url.QueryEscape("<img src=x onerror=alert(1)>"), widths[2])
	page.await("document.querySelector('.bad')")
	if got := page.text("document.querySelectorAll('img').length + document.querySelector('h1').textContent"); got != "0<img src=x onerror=alert(1)>" {
		t.Errorf("the page shows %s", got)
	}
}
