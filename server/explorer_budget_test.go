package server_test

import (
	"fmt"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/server"
)

// viewBudget is how many bytes a first view of the explorer may transfer.
const viewBudget = 150_000

// TestBrowserExplorerBudget measures the first views of the national dataset.
func TestBrowserExplorerBudget(t *testing.T) {
	path := os.Getenv("POSTGEO_NATIONAL")
	if path == "" {
		t.Skip("set POSTGEO_NATIONAL to a national dataset to run this")
	}
	b := startBrowser(t)
	db, err := postgeo.Open(path)
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
