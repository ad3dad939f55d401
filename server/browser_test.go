package server_test

import (
	"bytes"
	"context"
	"errors"
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

// look opens an address of a server over a dataset in a headless browser.
func look(t *testing.T, db server.DB, address string) sight {
	t.Helper()
	program := chromium(t)
	s, err := server.New(db, server.Config{})
	if err != nil {
		t.Fatal(err)
	}
	var read atomic.Int64
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.ServeHTTP(&countingWriter{w, &read}, r)
	}))
	defer srv.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir="+t.TempDir(),
		"--window-size=1280,900", "--virtual-time-budget=20000", "--enable-logging=stderr", "--dump-dom", srv.URL+address)
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
	db := sampletest.Open(t)
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
		seen := look(t, db, address)
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
	for _, query := range []string{"", "?code=10001", "?code=10001&tab=around&mi=5", "?code=10001&tab=around&mi=50", "?code=90012&tab=around&mi=50", "?code=10001&tab=survey&mi=50"} {
		if n := look(t, db, "/"+query).bytes; n > 150<<10 || n < 50<<10 {
			t.Errorf("/%s transfers %d bytes", query, n)
		}
	}
}
