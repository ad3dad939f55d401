package server_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/sampletest"
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
			for i, line := range twinRequests() {
				r := request(line)
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
