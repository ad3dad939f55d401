package server_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/server"
)

// twinFile writes the first of the twins to a separate file.
func twinFile(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "twin.db")
	check(t, lookuptest.WriteTwin(path, 0))
	return path
}

// writeAt overwrites a part of a file.
func writeAt(t testing.TB, path string, b []byte, at int64) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteAt(b, at)
		f.Close()
	}
	check(t, err)
}

// TestDamagedDataset damages the file of a server and sends requests of every
// kind. Undamaged data is served as before; the rest is SERVICE_UNAVAILABLE and
// retryable, as a whole or per item.
func TestDamagedDataset(t *testing.T) {
	good := twinFile(t)
	data, err := os.ReadFile(good)
	check(t, err)
	flipped := make([]byte, len(data))
	for i, b := range data {
		flipped[i] = b ^ byte(i%251+1)
	}
	want := map[int]string{}
	damages := map[string]func(t *testing.T, path string){
		"none": func(*testing.T, string) {},
		"emptied": func(t *testing.T, path string) {
			check(t, os.Truncate(path, 0))
		},
		"overwritten":        func(t *testing.T, path string) { writeAt(t, path, flipped, 0) },
		"overwritten behind": func(t *testing.T, path string) { writeAt(t, path, flipped[8192:], 8192) },
	}
	for _, name := range []string{"none", "emptied", "overwritten", "overwritten behind"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.db")
			check(t, os.WriteFile(path, data, 0o600))
			db := sampletest.File(t, path)
			check(t, db.Prepare(t.Context()))
			h := newServer(t, db, realClock)
			damages[name](t, path)
			whole, items := 0, 0
			for i, request := range twinRequests() {
				r := request()
				resp := do(h, r)
				var got struct {
					Error   struct{ Code, Message string }
					Results json.RawMessage
				}
				body := readAll(t, resp)
				check(t, json.Unmarshal([]byte(body), &got))
				failed := strings.Count(body, `"SERVICE_UNAVAILABLE"`)
				switch {
				case name == "none":
					want[i] = string(got.Results)
					fallthrough
				case resp.StatusCode == http.StatusOK && failed == 0:
					if string(got.Results) != want[i] {
						t.Errorf("%s %s: another answer: %s", r.Method, r.URL, body)
					}
				case resp.StatusCode == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") != "":
					whole++
				case resp.StatusCode == http.StatusOK && strings.Contains(r.URL.Path, "batch"):
					items += failed
				default:
					t.Errorf("%s %s: status %d: %.300s", r.Method, r.URL, resp.StatusCode, body)
				}
				if strings.Contains(body, "INTERNAL_ERROR") || resp.StatusCode != http.StatusOK && !strings.Contains(body, `"retryable":true`) {
					t.Errorf("%s %s: %.300s", r.Method, r.URL, body)
				}
			}
			if t.Logf("%d requests and %d items failed", whole, items); (name != "none") != (whole > 1 && items > 1) {
				t.Error("that is not what the damage does")
			}
		})
	}
}

// TestLastingLack checks that missing data is status 503 without a retry, free,
// and not a fault in the log. It covers address records and outlines.
func TestLastingLack(t *testing.T) {
	path := lookuptest.Bare(t)
	bare := sampletest.File(t, path)
	db := openDB(t)
	less := struct{ server.DB }{db} // without other methods of postgeo.DB
	address := func(text string) string { return "/v2/address?address=" + url.QueryEscape(text) }
	for _, tt := range []struct {
		name, target string
		db           server.DB
		want         string
	}{
		{"no records", address("400 N Sample Dr 90210"), bare, "this dataset holds no address records."},
		{"box", address("PO Box 5, Beverly Hills, CA 90210"), db, "this dataset holds no PO Box records of ZIP Code 90210."},
		{"street", address("20 W 34th St, New York, NY 10001"), db, "this dataset holds no street records of ZIP Code 10001."},
		{"city", address("20 W 34th St, New York, NY"), db, "this dataset holds no address records of ZIP Code 10001."},
		{"state", address("1 Main St, Fargo, ND"), db, "this dataset holds no address records of ND."},
		{"quick coordinate", "/v2/quick-zip?code=34.1,-118.4", bare, "this dataset holds no boundaries."},
		{"method", "/v2/zip3?code=902", less, "The dataset has no data of zip3."},
		{"country", "/v2/quick-zip?code=K1A", bare, "The dataset has no FSAs."},
		{"coordinate", "/v2/zip?code=34.1,-118.4", bare, "this dataset holds no boundaries."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var log bytes.Buffer
			b := rich()
			s := newServer(t, tt.db, withAccounts(t, b), func(c *server.Config) { c.Logger = slog.New(slog.NewJSONHandler(&log, nil)) })
			resp := do(s, as("paid", get(tt.target)))
			body := readAll(t, resp)
			if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") != "" ||
				!strings.Contains(body, `"code":"SERVICE_UNAVAILABLE"`) || !strings.Contains(body, `"retryable":false`) ||
				!strings.Contains(body, tt.want) || strings.Contains(body, "build") {
				t.Errorf("status %d, Retry-After %q: %s; want %q", resp.StatusCode, resp.Header.Get("Retry-After"), body, tt.want)
			}
			if b.available() != 1000 || len(b.holds) != 0 {
				t.Errorf("%d credits are left of 1000, held: %v", b.available(), b.holds)
			}
			if strings.Contains(log.String(), `"level":"ERROR"`) {
				t.Errorf("the log has a fault: %s", log.String())
			}
		})
	}
	resp := do(newServer(t, db), get(address("PO Box 5, Beverly Hills, CA 90210")))
	golden(t, "error-lack", dump(t, resp))
	for _, text := range []string{"999 N Sample Dr, Beverly Hills, CA 90210", "1 Main St, Nowhere, CA", "1 Main St 90299"} {
		if body := readAll(t, do(newServer(t, db), get(address(text)))); !strings.Contains(body, `"NOT_FOUND"`) {
			t.Errorf("%s is not denied: %s", text, body)
		}
	}
}

// TestLastingLackInBatch checks that missing data fails only its items, which
// are free.
func TestLastingLackInBatch(t *testing.T) {
	b := rich()
	h := newServer(t, openDB(t), withAccounts(t, b))
	golden(t, "address-batch-lack", dump(t, do(h, as("paid", post("/v2/address/batch",
		`{"addresses":["400 N Sample Dr 90210","PO Box 5, Beverly Hills, CA 90210","999 N Sample Dr 90210"]}`)))))
	if spent := 1000 - b.available(); spent != 2 {
		t.Errorf("%d credits spent; want 2", spent)
	}
}
