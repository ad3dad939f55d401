package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/server"
)

// documents are the documentation routes with their content types.
var documents = map[string]string{
	"/v2/openapi.json": "application/json; charset=utf-8",
	"/v2/swagger.json": "application/json; charset=utf-8",
	"/v2/postman.json": "application/json; charset=utf-8",
	"/pricing.json":    "application/json; charset=utf-8",
	"/llms.txt":        "text/plain; charset=utf-8",
}

// TestDocuments checks the documents. JSON has a line per member, so that
// changes are readable.
func TestDocuments(t *testing.T) {
	h := newServer(t, openDB(t))
	for path, contentType := range documents {
		resp := do(h, get(path))
		if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != contentType {
			t.Errorf("%s has status %d and type %q", path, resp.StatusCode, resp.Header.Get("Content-Type"))
			continue
		}
		body := readAll(t, resp)
		switch path {
		case "/v2/swagger.json":
			if body != readAll(t, do(h, get("/v2/openapi.json"))) {
				t.Errorf("%s is not the document of /v2/openapi.json", path)
			}
		case "/v2/openapi.json":
			doc, _, err := server.PlainDocument(newServer(t, openDB(t)))
			check(t, err)
			lines, err := json.MarshalIndent(doc, "", " ")
			check(t, err)
			golden(t, "document-openapi", string(lines)+"\n")
		default:
			if strings.HasSuffix(path, ".json") {
				var lines bytes.Buffer
				check(t, json.Indent(&lines, []byte(body), "", " "))
				body = lines.String()
			}
			golden(t, "document-"+strings.NewReplacer("/v2/", "", "/", "", ".json", "", ".txt", "").Replace(path), body)
		}
	}
}

// TestDocumentationNamesEveryRoute checks that docs/http.md mentions every
// route and every page for people.
func TestDocumentationNamesEveryRoute(t *testing.T) {
	text, err := os.ReadFile("../docs/http.md")
	check(t, err)
	paths := append(server.RoutePaths(newServer(t, openDB(t))), pagesForPeople...)
	for path := range documents {
		paths = append(paths, path)
	}
	for _, path := range paths {
		if !strings.Contains(string(text), "`"+path+"`") {
			t.Errorf("docs/http.md does not name %s", path)
		}
	}
}

// TestPostmanCollection checks that every operation of the document is in the
// collection, with requests that the server answers.
func TestPostmanCollection(t *testing.T) {
	type request struct {
		Method string
		Body   *struct{ Raw string }
		URL    struct{ Raw string }
	}
	var c struct {
		Item []struct {
			Item []struct {
				Name    string
				Request request
			}
		}
	}
	h := newServer(t, openDB(t))
	check(t, json.Unmarshal([]byte(readAll(t, do(h, get("/v2/postman.json")))), &c))
	if !strings.Contains(readAll(t, do(h, get("https://geo.example.com/v2/postman.json"))), `{"key":"baseUrl","value":"https://geo.example.com","type":"string"}`) {
		t.Error("the base address is not that of the server")
	}
	r := get("/v2/postman.json")
	r.Header.Set("X-Forwarded-Proto", "https")
	if resp := do(h, r); resp.Header.Get("Vary") != "Accept-Encoding, X-Forwarded-Proto" || !strings.Contains(readAll(t, resp), `"https://`) {
		t.Errorf("behind a proxy: Vary %q", resp.Header.Get("Vary"))
	}
	n := 0
	for _, folder := range c.Item {
		for _, item := range folder.Item {
			n++
			r := get(strings.TrimPrefix(item.Request.URL.Raw, "{{baseUrl}}"))
			if item.Request.Body != nil {
				r = post(r.URL.String(), item.Request.Body.Raw)
			}
			if r.Method != item.Request.Method {
				t.Errorf("%s: method %s", item.Name, item.Request.Method)
			}
			resp := do(h, r)
			lacks := resp.StatusCode == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") == "" // the address of the example
			if resp.StatusCode != http.StatusOK && !lacks {
				t.Errorf("%s has status %d: %s", item.Name, resp.StatusCode, readAll(t, resp))
			}
		}
	}
	want := 0
	for _, item := range contract(t).Paths.Map() {
		want += len(item.Operations())
	}
	if n != want {
		t.Errorf("%d requests, want one for each of %d operations", n, want)
	}
}

// chromium returns the program, or skips the test if it is not installed.
func chromium(t *testing.T) string {
	t.Helper()
	if os.Getenv("POSTGEO_BROWSER") == "" {
		t.Skip("POSTGEO_BROWSER is not set; `make browser` runs the tests that need Chromium")
	}
	for _, name := range []string{os.Getenv("POSTGEO_BROWSER"), "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no Chromium here: install the package chromium")
	return ""
}

// A sight is a page as a browser shows it.
type sight struct {
	dom, log string
	bytes    int64 // of the responses that the browser read, compressed
}

// look opens an address of a server in a headless browser with a window of a size.
func look(t *testing.T, h http.Handler, address, size string) sight {
	t.Helper()
	program := chromium(t)
	var read atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(&countingWriter{w, &read}, r)
	}))
	defer srv.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir="+t.TempDir(),
		"--window-size="+size, "--virtual-time-budget=20000", "--enable-logging=stderr", "--dump-dom", srv.URL+address)
	var log bytes.Buffer
	cmd.Stderr = &log
	dom, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v: %s", address, err, log.String())
	}
	return sight{string(dom), log.String(), read.Load()}
}

type countingWriter struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (w *countingWriter) Write(b []byte) (int, error) {
	w.n.Add(int64(len(b)))
	return w.ResponseWriter.Write(b)
}

// TestBrowser opens the pages in every state: they show what they should, and neither
// console nor policy complains.
func TestBrowser(t *testing.T) {
	s, err := server.New(sampletest.Open(t), server.Config{})
	check(t, err)
	hostile := "<img src=x onerror=alert(1)>"
	for address, shown := range map[string][]string{
		"/":                                      {"<h1>ZIP Codes", "<dd"},
		"/?code=90210":                           {"Beverly Hills", "<dd"},
		"/?code=K1A":                             {"<h1", "Ottawa", "<dd"},
		"/?code=34.0901,-118.4065":               {"90210", "<dd"},
		"/?code=90210&tab=around&mi=5":           {"<tbody", "90212"},
		"/?code=90210&tab=around&mi=300":         {"<tbody"},
		"/?code=90210&tab=survey&mi=5":           {"<tbody"},
		"/?code=90210&tab=use":                   {"<pre"},
		"/?area=county:06037":                    {"Los Angeles", "<tbody"},
		"/?poly=-118.5,34;-118.3,34;-118.3,34.2": {"Polygon", "<tbody"},
		"/?state=CA":                             {">California</h1>"},
		"/?address=455+N+Rexford+Dr,+Beverly+Hills,+CA+90210": {"<dd"},
		"/?code=09012":                       {"<h1"},
		"/?code=99999":                       {"<h1>99999"},
		"/?code=" + url.QueryEscape(hostile): {"&lt;img src=x onerror=alert(1)&gt;</h1>"},
		"/docs":                              {"opblock-summary-control", `id="operations-distance-getDistance"`, `id="codes"`, "AUTH_MISSING_KEY"},
	} {
		seen := look(t, s, address, "1280,900")
		for _, text := range shown {
			if !strings.Contains(seen.dom, text) {
				t.Errorf("%s does not show %s:\n%.3000s", address, text, seen.dom)
			}
		}
		if strings.Contains(seen.dom, hostile) {
			t.Errorf("%s takes text for markup", address)
		}
		for line := range strings.Lines(seen.log) {
			if strings.Contains(line, ":CONSOLE") {
				t.Errorf("%s: %s", address, line)
			}
		}
		if address == "/docs" && seen.bytes > 600_000 { // more takes seconds of a processor
			t.Errorf("the reference loads %d bytes", seen.bytes)
		}
	}
}

// TestBrowserBudget measures views of up to 50 miles of the national dataset.
func TestBrowserBudget(t *testing.T) {
	path := lookuptest.NationalPath(t)
	db := sampletest.File(t, path)
	defer func() {
		if err := errors.Join(db.Close()); err != nil {
			t.Error(err)
		}
	}()
	s, err := server.New(db, server.Config{})
	check(t, err)
	for _, query := range []string{"", "?code=10001", "?code=10001&tab=around&mi=5", "?code=10001&tab=around&mi=50", "?code=90012&tab=around&mi=50", "?code=10001&tab=survey&mi=50"} {
		if n := look(t, s, "/"+query, "1280,900").bytes; n > 150_000 || n < 50_000 {
			t.Errorf("/%s transfers %d bytes", query, n)
		}
	}
}

// helpers of the scripts of TestBrowserUse. Their requests of /pause take real time, of
// which the browser has less than it counts.
const helpers = `
const until = async (test) => { for (let i = 0; i < 1000; i++) { const got = test(); if (got) return got; await fetch("/pause"); } throw new Error("waited in vain for " + test); };
const ready = () => until(() => document.documentElement.dataset.ready && !document.documentElement.hasAttribute("data-busy") && document.querySelector("#panel h1"));
const find = (selector, text) => until(() => [...document.querySelectorAll(selector)].find((e) => e.textContent.includes(text)));
const press = async (selector, text) => { (await find(selector, text)).click(); await new Promise((done) => setTimeout(done, 400)); await ready(); };
const type = (input, text) => { input.focus(); input.value = text; input.dispatchEvent(new Event("input")); input.dispatchEvent(new Event("change")); };
const shown = (selector) => document.querySelector(selector)?.textContent ?? "nothing";
await ready();
await new Promise((done) => setTimeout(done, 400));
await ready();
`

// TestBrowserUse uses the page as people do. A script returns what it saw.
func TestBrowserUse(t *testing.T) {
	const desk, phone = "1280,900", "500,883"
	const withKey = `sessionStorage.setItem("postgeo-key", "KEY");`
	open, keyed := newServer(t, sampletest.Open(t)), newServer(t, sampletest.Open(t), withAccounts(t, rich()))
	var away atomic.Bool
	for _, tt := range []struct {
		name, address, size string
		server              http.Handler
		before, script      string // before the page's own scripts and after them
		want                string
	}{
		{"radius", "/?code=90210&tab=around&mi=3", desk, open, "", `
			const seen = [], exact = () => document.getElementById("exact");
			for (const text of ["", "0", "600", "7.26", "7.3"]) { type(exact(), text); seen.push(exact().value); }
			for (const tab of ["Survey", "Use it", "Facts", "Around"]) { await press(".tabs a", tab); seen.push(exact()?.value ?? location.search); }
			return seen.join(" ");`, "3 3 500 7.3 7.3 7.3 7.3 ?code=90210&mi=7.3 7.3"},
		{"shares", "/?code=90210&tab=around&mi=5.5", desk, open, "", `
			const cells = [...document.querySelectorAll("td.share")].map((td) => td.textContent);
			return shown(".sum") + " " + cells.filter((c) => c === "100%").length + " " + cells.filter((c) => c === "99.7%").length;`, "38 areas touch the circle, 14 lie wholly inside; 2 codes have a point and no area. 14 2"},
		{"focus", "/", desk, open, "", `
			type(document.getElementById("q"), "90210");
			await find("[role=option]", "90210");
			document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
			await find(".tabs a", "Around");
			const seen = [document.activeElement.id];
			const around = await find(".tabs a", "Around");
			around.focus();
			await press(".tabs a", "Around");
			return [...seen, document.activeElement.textContent].join();`, "panel,Around"},
		{"history", "/?code=90210", desk, open, "", `
			const before = history.length;
			for (let i = 0; i < 2; i++) (await find(".tabs a", "Around")).click();
			await ready();
			return history.length - before;`, "1"},
		{"no match", "/", desk, open, "", `
			type(document.getElementById("q"), "zzzz");
			return (await find("[role=option]", "zzzz")).textContent;`, "No match for “zzzz”. Try a ZIP Code, a city with its state, or latitude, longitude. This server has only the sample of a few hundred codes; run postgeo dataset build to get all."},
		{"slow setup", "/", desk, open, `
			const at = fetch;
			fetch = async (...all) => { if (all[0].includes("setup")) await new Promise((done) => setTimeout(done, 500)); return at(...all); };`, `
			await find("#panel dt", "Survey");
			return shown("#panel h1").slice(0, 9);`, "ZIP Codes"},
		{"no survey", "/?code=90210&tab=survey", desk, newServer(t, openDB(t)), "", `return [...document.querySelectorAll(".tabs a")].map((a) => a.textContent + (a.ariaCurrent ?? "")).join();`, "Factspage,Around,Use it"},
		{"half a phone", "/?code=90210&tab=around", phone, open, "", `
			const { top } = document.getElementById("panel").getBoundingClientRect();
			return top <= innerHeight / 2 || top + " of " + innerHeight;`, "true"},
		{"server away", "/?code=90210", desk, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/v2/") && away.Load() {
				panic(http.ErrAbortHandler)
			}
			if r.URL.Path == "/away" || r.URL.Path == "/back" {
				away.Store(r.URL.Path == "/away")
				return
			}
			open.ServeHTTP(w, r)
		}), "", `
			await fetch("/away");
			await press(".tabs a", "Around");
			const seen = [shown("#body [role=alert]"), shown(".map-note")];
			await fetch("/back");
			await press("#body button", "Try again");
			return [...seen, shown("#body caption"), shown(".map-note")].join(" / ");`, "The server did not respond. Check that it is running, then try again. / Areas could not be loaded. The server did not respond. Check that it is running, then try again. / Codes of the circle / "},
		{"key", "/?code=90210", desk, keyed, "", `
			const seen = [shown("#panel [role=alert]")];
			const input = document.querySelector("input[type=password]");
			type(input, "KEY");
			input.form.requestSubmit();
			await find("h1", "90210");
			await find(".tabs a", "Around");
			await ready();
			return [...seen, shown("#price")].join(" / ");`, "This server requires an API key. Enter it here or on the start page. / Codes cost 1 credit, figures 2 credits, a move of the map up to 1."},
		{"price of a place", "/?code=90210", phone, keyed, withKey, `return shown("#spent") + " / " + shown(".tiles").includes("not in this dataset");`, "3 credits used / false"},
		{"price of codes", "/?code=90210&tab=around", desk, keyed, withKey, `
			const seen = [shown("#spent")];
			const handle = document.querySelector("input[type=range]");
			for (const mi of [8, 12, 20, 30, 50]) { handle.value = mi; handle.dispatchEvent(new Event("input")); await ready(); }
			seen.push(shown("#spent"));
			type(document.getElementById("exact"), "120");
			return [...seen, shown("#price")].join(" / ");`, "3 credits used / 3 credits used / Codes cost 3 credits, figures 4 credits, a move of the map up to 1."},
		{"price of figures", "/?code=98101&tab=survey", desk, keyed, withKey, `
			const seen = [shown("#spent"), shown("#body")];
			await press("#body button", "Show");
			return [...seen, shown("#spent"), shown("#body caption")].join(" / ");`, "2 credits used / Show the figures for 2 credits / 4 credits used / Median household income"},
		{"price of a point", "/?code=34.0901,-118.4065&tab=around", desk, keyed, withKey, `return shown("#spent") + " / " + shown("#body");`, "3 credits used / Show the codes for 1 credit"},
		{"no header", "/", desk, open, "", `
			const drop = new DataTransfer();
			drop.items.add(new File(["90210\n10001\n"], "codes.csv"));
			document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: drop, bubbles: true }));
			return (await find("[role=alert]", "csv")).textContent;`, "codes.csv begins with the code 90210. Its first row must have the names of the columns."},
		{"price of a table", "/", desk, keyed, withKey, `
			const drop = new DataTransfer();
			drop.items.add(new File(["zip,n\n90210,1\n90210-1234,2\n90210,3\n"], "shops.csv"));
			document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: drop, bubbles: true }));
			return (await find("#panel button", "Look")).textContent + " / " + shown("#spent");`, "Look its codes up for up to 6 credits / "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			script := func(text string) string { return strings.ReplaceAll(text, "KEY", key("paid")) }
			seen := look(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/": // the page with two scripts more
					resp := do(tt.server, get("/"))
					page := readAll(t, resp)
					w.Header().Set("Content-Security-Policy", resp.Header.Get("Content-Security-Policy"))
					_, _ = w.Write([]byte(strings.Replace(page, "</head>", `<script src="/before.js"></script><script type="module" src="/use.js"></script></head>`, 1)))
				case "/pause":
					time.Sleep(20 * time.Millisecond)
				case "/before.js":
					_, _ = fmt.Fprint(w, script(tt.before))
				case "/use.js":
					w.Header().Set("Content-Type", "text/javascript")
					_, _ = fmt.Fprintf(w, "%s\nconst use = async () => {%s};\ndocument.title = JSON.stringify(String(await use().catch((error) => error)));", helpers, script(tt.script))
				default:
					tt.server.ServeHTTP(w, r)
				}
			}), tt.address, tt.size)
			_, title, _ := strings.Cut(seen.dom, "<title>")
			title, _, _ = strings.Cut(title, "</title>")
			var got string
			if err := json.Unmarshal([]byte(html.UnescapeString(title)), &got); err != nil || got != tt.want {
				t.Errorf("saw %s\nwant %q (%v)\n%s", title, tt.want, err, seen.log)
			}
		})
	}
}
