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
	rows, err := os.ReadFile("testdata/sights.txt")
	check(t, err)
	for _, row := range strings.Split(strings.TrimSpace(string(rows)), "\n")[1:] {
		address, shown, _ := strings.Cut(row, " => ")
		seen := look(t, s, address, "1280,900")
		for text := range strings.SplitSeq(shown, " | ") {
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

// TestBrowserUse uses the page as people do. Each section of testdata/uses.txt has a script that
// returns what it saw, between one that runs before the page's own scripts and what is wanted.
func TestBrowserUse(t *testing.T) {
	open, keyed := newServer(t, sampletest.Open(t)), newServer(t, sampletest.Open(t), withAccounts(t, rich()))
	var away atomic.Bool
	servers := map[string]http.Handler{
		"open": open, "keyed": keyed, "bare": newServer(t, openDB(t)),
		"away": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/v2/") && away.Load() {
				panic(http.ErrAbortHandler)
			}
			if r.URL.Path == "/away" || r.URL.Path == "/back" {
				away.Store(r.URL.Path == "/away")
				return
			}
			open.ServeHTTP(w, r)
		}),
	}
	sections := lookuptest.Sections(t, "uses.txt")
	helpers := sections[0][1]
	for _, section := range sections[1:] {
		name, options, _ := strings.Cut(section[0], ": ")
		option := strings.Fields(options) // server, size of the window and address
		before, text, _ := strings.Cut("\n"+strings.ReplaceAll(section[1], "KEY", key("paid")), "\n->\n")
		use, want, _ := strings.Cut(text, "\n->\n")
		want = strings.TrimRight(want, "\n")
		s := servers[option[0]]
		t.Run(name, func(t *testing.T) {
			seen := look(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/": // the page with two scripts more
					resp := do(s, get("/"))
					page := readAll(t, resp)
					w.Header().Set("Content-Security-Policy", resp.Header.Get("Content-Security-Policy"))
					_, _ = w.Write([]byte(strings.Replace(page, "</head>", `<script src="/before.js"></script><script type="module" src="/use.js"></script></head>`, 1)))
				case "/pause":
					time.Sleep(20 * time.Millisecond)
				case "/before.js":
					_, _ = fmt.Fprint(w, before)
				case "/use.js":
					w.Header().Set("Content-Type", "text/javascript")
					_, _ = fmt.Fprintf(w, "%s\nconst use = async () => {%s};\ndocument.title = JSON.stringify(String(await use().catch((error) => error)));", helpers, use)
				default:
					s.ServeHTTP(w, r)
				}
			}), option[2], option[1])
			_, title, _ := strings.Cut(seen.dom, "<title>")
			title, _, _ = strings.Cut(title, "</title>")
			var got string
			if err := json.Unmarshal([]byte(html.UnescapeString(title)), &got); err != nil || got != want {
				t.Errorf("saw %s\nwant %q (%v)\n%s", title, want, err, seen.log)
			}
		})
	}
}
