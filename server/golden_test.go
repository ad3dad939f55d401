package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
)

// TestGolden compares the complete responses, headers included, to the requests of
// testdata/requests.txt: every route, and every error. No request that is not authorized
// reaches the ledger, and failures are free.
func TestGolden(t *testing.T) {
	eachLine(t, "requests.txt", func(t *testing.T, s *server.Server, b *book, line string) {
		name, asked, _ := strings.Cut(line, " ")
		before := b.available()
		golden(t, name, dump(t, do(s, request(asked))))
		if strings.HasPrefix(name, "error") && b.available() != before || strings.HasPrefix(name, "error-auth") && b.calls() != "" {
			t.Errorf("%s: %d of %d credits are left; the ledger is asked: %s", name, b.available(), before, b.calls())
		}
	})
}

// TestGoldenFailures checks the responses to internal errors, which only the log shows, with the
// request id.
func TestGoldenFailures(t *testing.T) {
	db := openDB(t)
	tests := map[string]struct {
		quick func(context.Context) (*lookup.QuickRecord, error)
		set   func(*server.Config)
		hides bool // the answer hides the text of the error
	}{
		"error-ledger-away": {hides: true, set: func(c *server.Config) {
			b := rich()
			b.err["reserve"] = errors.Join(billing.ErrUnavailable, errors.New("secret internals"))
			withAccounts(t, b)(c)
		}},
		"error-internal": {hides: true, quick: func(context.Context) (*lookup.QuickRecord, error) {
			return nil, errors.New("secret internals")
		}},
		"error-damaged": {quick: func(context.Context) (*lookup.QuickRecord, error) {
			return nil, store.ErrDamaged
		}},
		"error-panic": {hides: true, quick: func(context.Context) (*lookup.QuickRecord, error) { panic("secret internals") }},
		"error-closed": {quick: func(context.Context) (*lookup.QuickRecord, error) {
			return nil, store.ErrClosed
		}},
		"error-timeout": {
			quick: func(ctx context.Context) (*lookup.QuickRecord, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			},
			set: func(c *server.Config) { c.RequestTimeout = time.Millisecond },
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			s := newServer(t, brokenDB{DB: db, quick: tt.quick}, func(c *server.Config) {
				c.Logger = slog.New(slog.NewJSONHandler(&log, nil))
				if tt.set != nil {
					tt.set(c)
				}
			})
			resp := do(s, as("paid", get("/v2/quick-zip?code=90210")))
			got := dump(t, resp)
			if strings.Contains(got, "secret") {
				t.Errorf("the answer shows internals: %s", got)
			}
			record := fmt.Sprintf(`"level":"ERROR","msg":"request","request_id":%q,"method":"GET","route":"/v2/quick-zip","status":%d`, resp.Header.Get("X-Request-Id"), resp.StatusCode)
			if !strings.Contains(log.String(), record) || strings.Contains(log.String(), "secret") != tt.hides {
				t.Errorf("the log has no %s, or not what is hidden: %s", record, log.String())
			}
			golden(t, name, got)
		})
	}
}

// openRoads opens a dataset with boundary families and the streets of the test dataset.
func openRoads(t testing.TB) *postgeo.DB {
	t.Helper()
	d := lookuptest.OpenFile(t, lookuptest.Path(t))
	path := filepath.Join(t.TempDir(), "roads.db")
	w, err := storewrite.Extend(path, d)
	check(t, err)
	check(t, errors.Join(addRoads(w), w.Finish(d.Manifest()), d.Close()))
	return sampletest.File(t, path)
}

// TestErrorTable checks that every row of testdata/errors.txt has a golden response, and that
// every golden error is a row and free.
func TestErrorTable(t *testing.T) {
	pages := map[string]string{
		testLinks.Account: "account", testLinks.AuthDocs: "account", // with a key in the Bearer header
		testLinks.Site: "site", testLinks.Pricing: "pricing", testLinks.Docs: "docs",
	}
	table, err := os.ReadFile("testdata/errors.txt")
	check(t, err)
	missing, known := map[string]bool{}, map[string]bool{}
	for row := range strings.Lines(string(table)) {
		if row = strings.TrimSpace(row); row[0] != '#' {
			missing[row], known[row] = true, true
		}
	}
	for _, g := range goldenAnswers(t) {
		var a struct {
			Success bool            `json:"success"`
			Error   *envelope.Error `json:"error"`
			Results json.RawMessage `json:"results"`
			Meta    envelope.Meta   `json:"meta"`
		}
		if check(t, json.Unmarshal(g.body, &a)); a.Error == nil {
			continue
		}
		r := fmt.Sprint(g.status, " ", a.Error.Code, " ", pages[a.Error.URL])
		if isRetryable(a.Error) {
			r += " retryable"
		}
		if !known[r] {
			t.Errorf("%s is no row of the table: %s", g.name, r)
		}
		delete(missing, r)
		if a.Success || a.Results != nil || a.Meta.Credits.Used != 0 || a.Error.Message == "" || a.Meta.RequestID == "" {
			t.Errorf("%s: not the shape of a failure: %s", g.name, g.body)
		}
	}
	for r := range missing {
		t.Errorf("no golden answer for %s", r)
	}
}
