package server_test

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server"
)

// TestPaths checks the failures of unknown paths (decision D9).
func TestPaths(t *testing.T) {
	s := newServer(t, openDB(t))
	tests := []struct {
		path   string
		status int
		code   envelope.Code
	}{
		{"/quick-zip", 400, envelope.MissingVersion},
		{"/v", 400, envelope.MissingVersion},
		{"/vv2/zip", 400, envelope.MissingVersion},
		{"/v2x/zip", 400, envelope.MissingVersion},
		{"/v2./zip", 400, envelope.MissingVersion},
		{"//v2/zip", 400, envelope.MissingVersion},
		{"/version/2", 400, envelope.MissingVersion},
		{"/v" + strings.Repeat("9", 100), 400, envelope.MissingVersion},
		{"/v1", 400, envelope.UnknownVersion},
		{"/V2/zip", 400, envelope.UnknownVersion},
		{"/v02/zip", 400, envelope.UnknownVersion},
		{"/v2.0/zip", 400, envelope.UnknownVersion},
		{"/v10/zip", 400, envelope.UnknownVersion},
		{"/v2", 404, envelope.BadRequest},
		{"/v2/", 404, envelope.BadRequest},
		{"/v2/ZIP", 404, envelope.BadRequest},
		{"/v2/health/batch", 404, envelope.BadRequest},
		{"/v2/quick-zip/", 404, envelope.BadRequest},
		{"/v2/../v2/zip", 404, envelope.BadRequest},
		{"/v2/quick%2Dzip", 404, envelope.BadRequest},
		{"/v2%2Fzip", 400, envelope.MissingVersion},
		{"/%762/zip", 400, envelope.MissingVersion},
	}
	for _, tt := range tests {
		t.Run(tt.path, func(t *testing.T) {
			status, a := ask(t, s, get("http://example.com"+tt.path))
			if status != tt.status || a.Error == nil || a.Error.Code != tt.code {
				t.Errorf("status %d, error %+v; want %d %s", status, a.Error, tt.status, tt.code)
			}
		})
	}
}

// TestUnwritableAnswer checks that a result that JSON cannot express becomes a
// free error.
func TestUnwritableAnswer(t *testing.T) {
	nan := math.NaN()
	full := func(context.Context) (*lookup.Record, error) {
		return &lookup.Record{ZIPInfo: &lookup.ZIPInfo{LandAreaSqMi: &nan}}, nil
	}
	status, a := ask(t, newServer(t, brokenDB{DB: openDB(t), full: full}), get("/v2/zip?code=90210"))
	if status != http.StatusInternalServerError || a.Error == nil || a.Error.Code != envelope.InternalError || a.Meta.Credits.Used != 0 {
		t.Errorf("status %d, error %+v, credits %+v", status, a.Error, a.Meta.Credits)
	}
}

// brink is entropy that begins with the largest random part there is.
type brink struct{ begun bool }

func (b *brink) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 1
		if !b.begun && i < 10 {
			p[i] = 0xFF
		}
	}
	b.begun = true
	return len(p), nil
}

// broken is entropy that fails.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("no entropy") }

// TestEntropy checks that ids remain valid when the random bits of a
// millisecond overflow, and that a broken source fails without a panic.
func TestEntropy(t *testing.T) {
	db := openDB(t)
	full := newServer(t, db, func(c *server.Config) { c.Entropy, c.Now = &brink{}, ticking(0) })
	for range 3 {
		if status, a := ask(t, full, get("/v2/quick-zip?code=90210")); status != http.StatusOK || len(a.Meta.RequestID) != 26 {
			t.Errorf("status %d, id %q", status, a.Meta.RequestID)
		}
	}
	failing := newServer(t, db, func(c *server.Config) { c.Entropy = broken{} })
	status, a := ask(t, failing, get("/v2/quick-zip?code=90210"))
	if status != http.StatusInternalServerError || a.Error == nil || a.Error.Code != envelope.InternalError {
		t.Errorf("status %d, error %+v", status, a.Error)
	}
}
