package server_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
)

// TestRateOfFailures checks when failures make a server with working parts
// unhealthy: five in four seconds, and half of all.
func TestRateOfFailures(t *testing.T) {
	tests := []struct {
		name       string
		good, bad  int
		err        error
		wait       time.Duration
		status     int
		wantReason string
	}{
		{"none", 20, 0, nil, 0, 200, ""},
		{"few", 0, 4, store.ErrDamaged, 0, 200, ""},
		{"all", 0, 5, store.ErrDamaged, 0, 503, "5 of the 5 responses"},
		{"half", 6, 6, store.ErrUnreadable, 0, 503, "6 of the 12 responses"},
		{"less than half", 7, 6, store.ErrDamaged, 0, 200, ""},
		{"defects", 0, 6, errors.New("a defect"), 0, 503, "6 of the 6 responses"},
		{"ledger", 0, 6, away(false), 0, 503, "6 of the 6 responses"},
		{"not found", 0, 20, postgeo.ErrNotFound, 0, 503, ""}, // not a contract's error here: a defect
		{"busy", 0, 20, &envelope.Fault{Code: envelope.ServiceUnavailable, Message: wording.Busy}, 0, 200, ""},
		{"callers' mistakes", 0, 20, &envelope.Fault{Code: envelope.ValidationInvalidParam, Message: "no"}, 0, 200, ""},
		{"still", 0, 20, store.ErrDamaged, 3 * time.Second, 503, "20 of the 20 responses"},
		{"over", 0, 20, store.ErrDamaged, 5 * time.Second, 200, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			now := time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)
			var fail error
			db := brokenDB{DB: openDB(t), full: func(context.Context) (*lookup.Record, error) { return nil, fail }}
			s := newServer(t, db, func(c *server.Config) { c.Now = func() time.Time { return now } })
			for range tt.good {
				do(s, get("/v2/quick-zip?code=90210"))
			}
			fail = tt.err
			for range tt.bad {
				do(s, get("/v2/zip?code=90210"))
			}
			now = now.Add(tt.wait)
			resp := do(s.PrivateHandler(), get("/ready"))
			if body := readPlain(t, resp); resp.StatusCode != tt.status || !strings.Contains(body, tt.wantReason) {
				t.Errorf("/ready: %d %s, want %d and %q", resp.StatusCode, body, tt.status, tt.wantReason)
			}
			if resp := do(s, get("/v2/health")); resp.StatusCode != tt.status {
				t.Errorf("/v2/health: %d, want %d", resp.StatusCode, tt.status)
			}
			now = now.Add(time.Minute)
			if resp := do(s.PrivateHandler(), get("/ready")); resp.StatusCode != http.StatusOK {
				t.Errorf("a minute later: %d", resp.StatusCode)
			}
		})
	}
}

func readPlain(t *testing.T, resp *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
