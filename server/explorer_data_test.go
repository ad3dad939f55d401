package server_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// slowly delays the requests of a page whose address matches a pattern.
func (tb *tab) slowly(pattern string) {
	tb.eval(`{ window.plain ??= window.fetch; window.fetch = async (url, options) => {
		if (!new RegExp("`+pattern+`").test(url)) return window.plain(url, options);
		await new Promise((done) => setTimeout(done, 400));
		return window.plain(url, options);
	}; }`, nil)
}

// saves keeps the files that a page offers in window.saved, by name.
func (tb *tab) saves() {
	tb.eval(`{ window.saved = {}; const blobs = new Map();
		URL.createObjectURL = (blob) => { const url = "blob:" + blobs.size; blobs.set(url, blob); return url; };
		HTMLAnchorElement.prototype.click = function () { blobs.get(this.href).arrayBuffer().then((bytes) => { window.saved[this.download] = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes); }); };
	}`, nil)
}

// press presses the first button or link whose text begins with a word.
func (tb *tab) pressNamed(word string) {
	tb.await(`[...document.querySelectorAll("button, a")].some((e) => e.textContent.startsWith("` + word + `"))`)
	tb.eval(`[...document.querySelectorAll("button, a")].find((e) => e.textContent.startsWith("`+word+`")).click()`, nil)
}

// TestBrowserExplorerOrder checks that late responses do not replace newer
// ones, and that no view loads forever.
func TestBrowserExplorerOrder(t *testing.T) {
	b := startBrowser(t)
	srv := sampleServer(t)
	page := b.open(t, srv.URL+"/", widths[2])
	page.slowly("code=90210")
	page.eval("document.querySelector('.try a').click()", nil) // 90210
	page.eval("{ history.pushState(null, '', '/?code=10001'); dispatchEvent(new PopStateEvent('popstate')); }", nil)
	page.await("document.querySelector('h1').textContent === '10001'")
	page.eval("new Promise((done) => setTimeout(done, 600))", nil)
	if got := page.text("document.querySelector('h1').textContent + document.title"); got != "1000110001, New York · postgeo" {
		t.Errorf("after a late answer the page shows %s", got)
	}

	page.slowly("radius")
	page.pressNamed("Around")
	page.pressNamed("Facts")
	page.eval("new Promise((done) => setTimeout(done, 600))", nil)
	if got := page.text("String(document.querySelector('.tiles') !== null && document.querySelector('table') === null && document.querySelector('#legend').hidden)"); got != "true" {
		t.Error("a late list replaced the facts")
	}

	// Views of the same area that follow each other at once.
	page.eval("{ history.pushState(null, '', '/?area=county:06037&tab=survey'); dispatchEvent(new PopStateEvent('popstate')); }", nil)
	page.slowly("figures")
	page.await("document.querySelector('h1').textContent.startsWith('Los Angeles')")
	page.pressNamed("Use it")
	page.pressNamed("Codes")
	page.await("document.querySelectorAll('tbody tr').length > 10 && !document.documentElement.hasAttribute('data-busy')")
	page.staysHome(t, srv)
}

// TestBrowserExplorerFiles downloads the codes of a wide circle, whose areas the map
// shows as points.
func TestBrowserExplorerFiles(t *testing.T) {
	b := startBrowser(t)
	srv := sampleServer(t)
	page := b.open(t, srv.URL+"/?code=90210&tab=around&mi=200", widths[2])
	page.await("document.getElementById('legend').innerText.includes('Each code is a point')")
	page.pressNamed("Use it")
	page.saves()
	for _, name := range []string{"CSV", "GeoJSON", "SVG"} {
		page.pressNamed(name)
	}
	page.await("Object.keys(window.saved).length === 3")
	if rows := page.text("window.saved['90210-200-miles.csv'].split('\\r\\n').length - 2"); rows != page.text("JSON.parse(window.saved['90210-200-miles.geojson']).features.length") {
		t.Errorf("%s rows of CSV, other features", rows)
	}
	if got := page.text("window.saved['90210-200-miles.csv']"); !strings.HasPrefix(got, "code,city,state,latitude,longitude,miles,pct_inside\r\n90210,Beverly Hills,CA,") {
		t.Errorf("the table begins with %.100s", got)
	}
	if got := page.text("JSON.parse(window.saved['90210-200-miles.geojson']).features[0].geometry.type"); got != "MultiPolygon" {
		t.Errorf("90210 is a %s", got)
	}
	picture := "new DOMParser().parseFromString(window.saved['90210-200-miles.svg'], 'image/svg+xml')"
	if got := page.text("String(" + picture + ".querySelector('parsererror') === null && " + picture + ".querySelectorAll('circle').length > 50)"); got != "true" {
		t.Error("the picture lacks the codes")
	}
	page.staysHome(t, srv)
}

// TestBrowserExplorerCSV enriches tables as spreadsheets write them, while the server
// refuses a request.
func TestBrowserExplorerCSV(t *testing.T) {
	b := startBrowser(t)
	srv := sampleServer(t)
	for _, c := range []struct {
		name, bytes string // the content as a JavaScript list of parts
		choose      string // column to choose
		want        []string
	}{
		{"semicolons in Windows-1252", `"Ort;PLZ\r\nM", new Uint8Array([0xfc]), "nchen;90210\r\n\"A;B\";601\r\n"`, "", []string{"\ufeffOrt;PLZ;postgeo_code;", "München;90210;90210;Beverly Hills;CA;", `"A;B";601;00601;`}},
		{"UTF-16 with tabs", `new Uint8Array([0xff, 0xfe, 122, 0, 105, 0, 112, 0, 9, 0, 97, 0, 10, 0, 57, 0, 48, 0, 50, 0, 49, 0, 48, 0, 9, 0, 49, 0])`, "", []string{"\ufeffzip\ta\tpostgeo_code\t", "90210\t1\t90210\tBeverly Hills\t"}},
		{"a column of codes without a name", `"a,b\n1,90210\n2,10001\n"`, "", []string{"1,90210,90210,Beverly Hills,CA,"}},
		{"a column to choose", `"a,b\nx,90210\ny,-\nz,\n"`, "1", []string{"x,90210,90210,Beverly Hills,CA,", "y,'-,,,,"}},
		{"formulas", `"zip,note\n90210,=1+1\n10001,-12.5\n"`, "", []string{"90210,'=1+1,90210,", "10001,-12.5,10001,"}},
		{"markup", `"zip,note\n90210,<img src=x onerror=alert(1)>\n<b>1</b>,\n"`, "", []string{"90210,<img src=x onerror=alert(1)>,90210,"}},
		{"100,000 rows", `"zip,n\n", Array.from({ length: 100000 }, (_, i) => "90210," + i + "\n").join("")`, "", []string{"90210,99999,90210,Beverly Hills,"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := b.open(t, srv.URL+"/", widths[0])
			page.await("document.getElementById('file')")
			page.saves()
			page.eval(`(() => {
				let refused = false;
				const plain = window.fetch;
				window.fetch = (url, options) => {
					if (refused || !/batch/.test(url)) return plain(url, options);
					refused = true;
					return Promise.resolve(new Response('{"error":{"code":"RATE_LIMIT_EXCEEDED","message":"Later.","retryable":true}}', { status: 429 }));
				};
				const data = new DataTransfer();
				data.items.add(new File([`+c.bytes+`], "shops.csv"));
				const input = document.getElementById("file");
				input.files = data.files;
				input.dispatchEvent(new Event("change"));
			})()`, nil)
			if c.choose != "" {
				page.await("document.querySelector('#panel select')")
				page.eval("document.querySelector('#panel select').value = '"+c.choose+"'", nil)
				page.pressNamed("Look its codes up")
			}
			page.await("document.querySelector('.scroll')")
			page.fits(t, widths[0])
			page.axe(t)
			page.pressNamed("Download the table")
			page.await("window.saved['shops-enriched.csv']")
			got := page.text("window.saved['shops-enriched.csv']")
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("the table lacks %q: %.300q", want, got)
				}
			}
			if images := page.text("document.images.length"); images != "0" {
				t.Error("a cell became markup")
			}
			page.staysHome(t, srv)
		})
	}
}

// TestBrowserExplorerRefusals shows texts for readers when the server is away or
// refuses.
func TestBrowserExplorerRefusals(t *testing.T) {
	b := startBrowser(t)
	srv := sampleServer(t)
	page := b.open(t, srv.URL+"/", widths[0])
	for _, c := range []struct{ fetch, want string }{
		{"() => Promise.reject(new TypeError('no network'))", "The server did not respond"},
		{`() => Promise.resolve(new Response('{"error":{"code":"RATE_LIMIT_EXCEEDED","message":"Too many requests.","retryable":true}}', { status: 429 }))`, "Too many requests."},
		{"() => Promise.resolve(new Response('<html>', { status: 502 }))", "status 502"},
	} {
		page.eval("{ window.plain ??= window.fetch; window.fetch = "+c.fetch+"; history.pushState(null, '', '/?code=10001'); dispatchEvent(new PopStateEvent('popstate')); }", nil)
		page.await("document.querySelector('[role=alert]')?.textContent.includes('" + c.want + "')")
		page.axe(t)
		page.eval("window.fetch = window.plain", nil)
		page.pressNamed("Try again")
		page.await("document.querySelector('h1.code')?.textContent === '10001'")
		page.eval("{ history.pushState(null, '', '/'); dispatchEvent(new PopStateEvent('popstate')); }", nil)
		page.await("document.querySelector('.try')")
	}
}

// TestBrowserExplorerGo compiles the Go lines that the explorer shows.
func TestBrowserExplorerGo(t *testing.T) {
	b := startBrowser(t)
	srv := sampleServer(t)
	program := "package main\n\nimport (\n\"context\"\n\n\"github.com/postgeo/postgeo\"\n"
	for _, name := range []string{"acs", "address/geocode", "geo/geojson", "lookup", "radius"} {
		program += "\"github.com/postgeo/postgeo/" + name + "\"\n"
	}
	program += ")\n\nvar _ = geojson.ParsePolygons\n\nfunc main() {}\n\nfunc use(ctx context.Context, db *postgeo.DB) {\n"
	for _, query := range []string{
		"code=90210", "code=34.0901,-118.4065&tab=around&mi=3", "code=90210&tab=around&mi=300", "code=90210&tab=survey&mi=5", "area=county:06037", "area=county:06037&tab=survey",
		"poly=-118.5,34;-118.3,34;-118.3,34.2", "poly=-118.5,34;-118.3,34;-118.3,34.2&tab=survey", "address=455+N+Rexford+Dr,+Beverly+Hills,+CA+90210",
	} {
		page := b.open(t, srv.URL+"/?"+query, widths[2])
		page.await("document.querySelector('.segments')")
		page.pressNamed("Go")
		lines := page.text("document.querySelector('pre').textContent")
		program += "{\n" + lines + "\n_ = err\n"
		for _, name := range []string{"result", "found"} {
			if strings.Contains(lines, name+", err := ") {
				program += "_ = " + name + "\n"
			}
		}
		program += "}\n"
	}
	source := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(source, []byte(program+"}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-o", os.DevNull, source).CombinedOutput(); err != nil {
		t.Errorf("the Go lines do not compile: %v\n%s\n%s", err, out, program)
	}
}
