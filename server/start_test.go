package server_test

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
)

func testLinksWith(docs string) envelope.Links {
	l := testLinks
	l.Docs = docs
	return l
}

var (
	hrefs     = regexp.MustCompile(`href="(/v2/[^"]*)" data-go="([^"]+)"`)
	resources = regexp.MustCompile(`(?:src|href)="([^"]*)"`)
)

// TestStartPage holds that the page needs nothing from elsewhere, allows
// nothing else, and that every example on it has a result.
func TestStartPage(t *testing.T) {
	h := newServer(t, openDB(t)).Handler()
	resp := do(h, get("/"))
	page := readAll(t, resp)
	csp := resp.Header.Get("Content-Security-Policy")
	if !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") {
		t.Errorf("Content-Security-Policy: %s", csp)
	}
	if got := resp.Header.Get("X-Content-Type-Options"); got != "nosniff" {
		t.Errorf("X-Content-Type-Options: %s", got)
	}
	if strings.Contains(page, "<style") || strings.Contains(page, " style=") || regexp.MustCompile(`<script>|\son[a-z]+=`).MatchString(page) {
		t.Error("the page has style or script inside, which its policy forbids")
	}
	for _, m := range resources.FindAllStringSubmatch(page, -1) {
		target := html.UnescapeString(m[1])
		if strings.HasPrefix(target, "#") || target == "data:," {
			continue
		}
		if !strings.HasPrefix(target, "/") || strings.HasPrefix(target, "//") {
			t.Errorf("the page points elsewhere: %s", target)
			continue
		}
		if resp := do(h, get(target)); resp.StatusCode != http.StatusOK {
			t.Errorf("%s has status %d", target, resp.StatusCode)
		}
	}
	examples := hrefs.FindAllStringSubmatch(page, -1)
	if len(examples) < 8 {
		t.Errorf("the page has %d examples", len(examples))
	}
	for _, m := range examples {
		body := readAll(t, do(h, get(html.UnescapeString(m[1]))))
		if strings.Contains(body, `"success":false`) {
			t.Errorf("the example %s fails: %s", m[1], body)
		}
		if !strings.HasPrefix(m[2], "db.") {
			t.Errorf("the example %s has the Go line %q", m[1], m[2])
		}
	}
	if strings.Contains(page, "Sample data") {
		t.Error("the page calls a dataset sample that is none")
	}
}

func TestStartPageSaysSample(t *testing.T) {
	db, err := postgeo.OpenSample()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if page := readAll(t, do(newServer(t, db).Handler(), get("/"))); !strings.Contains(page, "Sample data") {
		t.Error("the page does not say that the data is a sample")
	}
}

// TestStartPageIsExact holds that only the page and its files are outside the
// versions.
func TestStartPageIsExact(t *testing.T) {
	h := newServer(t, openDB(t)).Handler()
	for target, want := range map[string]int{
		"/": 200, "/start.css": 200, "/start.js": 200,
		"/index.html": 400, "/start": 400, "/start.css/": 400, "/favicon.ico": 400, "/start.go": 400,
	} {
		if resp := do(h, get(target)); resp.StatusCode != want {
			t.Errorf("%s has status %d, want %d", target, resp.StatusCode, want)
		}
	}
	if resp := do(h, post("/", "")); resp.StatusCode != http.StatusMethodNotAllowed || resp.Header.Get("Allow") != "GET, HEAD, OPTIONS" {
		t.Errorf("POST / has status %d, Allow %q", resp.StatusCode, resp.Header.Get("Allow"))
	}
}

// TestStartPageAsksForKeys holds that the page has a field for the key exactly
// where one is needed.
func TestStartPageAsksForKeys(t *testing.T) {
	db := openDB(t)
	const field = `id="key"`
	if page := readAll(t, do(newServer(t, db).Handler(), get("/"))); strings.Contains(page, field) {
		t.Error("the page asks for a key that nobody needs")
	}
	if page := readAll(t, do(newServer(t, db, withAccounts(t, rich())).Handler(), get("/"))); !strings.Contains(page, field) {
		t.Error("the page has no field for the key")
	}
}
