package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/server"
)

// A memory takes a configured time on the clock that it shares with the server.
type memory struct {
	*postgeo.DB
	now     time.Time
	takes   time.Duration
	err     error
	spatial bool
}

func (s *memory) Now() time.Time { return s.now }

func (s *memory) Ping(context.Context) error {
	s.now = s.now.Add(s.takes)
	return s.err
}

func (s *memory) HasAreas(context.Context) (bool, error) { return s.spatial, nil }

func TestHealth(t *testing.T) {
	db := openDB(t)
	tests := []struct {
		name   string
		store  memory
		status int
		want   envelope.Health
	}{
		{
			"healthy",
			memory{takes: 12 * time.Millisecond},
			http.StatusOK,
			envelope.Health{Status: envelope.Healthy, Database: envelope.DatabaseHealth{Connected: true, LatencyMS: 12}},
		},
		{
			"on the limit",
			memory{takes: 500 * time.Millisecond, spatial: true},
			http.StatusOK,
			envelope.Health{Status: envelope.Healthy, Database: envelope.DatabaseHealth{Connected: true, LatencyMS: 500}, CoordObfuscatorReady: true},
		},
		{
			"degraded",
			memory{takes: 500*time.Millisecond + 1},
			http.StatusOK,
			envelope.Health{Status: envelope.Degraded, Database: envelope.DatabaseHealth{Connected: true, LatencyMS: 500}},
		},
		{
			"unhealthy",
			memory{takes: time.Millisecond, err: errors.New("gone")},
			http.StatusServiceUnavailable,
			envelope.Health{Status: envelope.Unhealthy, Database: envelope.DatabaseHealth{LatencyMS: 1}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.store.DB, tt.store.now = db, ticking(0)()
			s := newServer(t, &tt.store, func(c *server.Config) {
				c.Now = tt.store.Now
			})
			resp := do(s, get("/v2/health"))
			var got envelope.HealthResponse
			check(t, json.Unmarshal([]byte(readAll(t, resp)), &got))
			tt.want.Version = "2.0.0"
			if diff := cmp.Diff(tt.want, got.Data); diff != "" {
				t.Errorf("data (-want +got):\n%s", diff)
			}
			if resp.StatusCode != tt.status || got.Success != (tt.status == http.StatusOK) {
				t.Errorf("status %d, success %v; want status %d", resp.StatusCode, got.Success, tt.status)
			}
			ready := do(s.PrivateHandler(), get("/ready"))
			if ready.StatusCode != tt.status {
				t.Errorf("/ready has status %d, want %d", ready.StatusCode, tt.status)
			}
		})
	}
}

// TestHealthGivesUp checks that a dataset that never responds is unreachable.
func TestHealthGivesUp(t *testing.T) {
	hangs := func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}
	s := newServer(t, brokenDB{DB: openDB(t), ping: hangs}, func(c *server.Config) { c.HealthTimeout = time.Millisecond })
	if resp := do(s, get("/v2/health")); resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("status %d, want 503", resp.StatusCode)
	}
}

func TestPrivateHandler(t *testing.T) {
	h := newServer(t, openDB(t)).PrivateHandler()
	for _, tt := range []struct {
		path   string
		status int
	}{
		{"/live", http.StatusOK},
		{"/ready", http.StatusOK},
		{"/v2/quick-zip?code=90210", http.StatusNotFound},
		{"/", http.StatusNotFound},
	} {
		if resp := do(h, get(tt.path)); resp.StatusCode != tt.status {
			t.Errorf("%s has status %d, want %d", tt.path, resp.StatusCode, tt.status)
		}
	}
}
