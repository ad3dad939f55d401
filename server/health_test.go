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

func TestHealth(t *testing.T) {
	spatial := map[bool]*postgeo.DB{true: openDB(t), false: openStreetless(t)} // by HasAreas
	tests := []struct {
		name   string
		takes  time.Duration // of a ping
		err    error
		status int
		want   envelope.Health
	}{
		{"healthy", 12 * time.Millisecond, nil, 200, envelope.Health{Status: envelope.Healthy, Database: envelope.DatabaseHealth{Connected: true, LatencyMS: 12}}},
		{
			"on the limit", 500 * time.Millisecond, nil, 200,
			envelope.Health{Status: envelope.Healthy, Database: envelope.DatabaseHealth{Connected: true, LatencyMS: 500}, CoordObfuscatorReady: true},
		},
		{"degraded", 500*time.Millisecond + 1, nil, 200, envelope.Health{Status: envelope.Degraded, Database: envelope.DatabaseHealth{Connected: true, LatencyMS: 500}}},
		{"unhealthy", time.Millisecond, errors.New("gone"), 503, envelope.Health{Status: envelope.Unhealthy, Database: envelope.DatabaseHealth{LatencyMS: 1}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			now := ticking(0)()
			ping := func(context.Context) error {
				now = now.Add(tt.takes)
				return tt.err
			}
			s := newServer(t, brokenDB{DB: spatial[tt.want.CoordObfuscatorReady], ping: ping}, func(c *server.Config) { c.Now = func() time.Time { return now } })
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
