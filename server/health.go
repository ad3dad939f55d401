package server

import (
	"context"
	"net/http"
	"reflect"
	"time"

	"github.com/postgeo/postgeo/envelope"
)

// slowDatabase is the latency beyond which the service is degraded.
const slowDatabase = 500 * time.Millisecond

// A spatialStore is a Store that resolves coordinates. A dataset without
// areas is none, and coordObfuscatorReady is false for it.
type spatialStore interface {
	// SpatialIndexLoaded reports whether coordinates can be resolved.
	SpatialIndexLoaded() bool
}

// health is /v2/health. It takes no parameters, asks for no key and costs
// nothing.
func (s *Server) health() *route {
	return &route{
		path:    "/v2/health",
		summary: "Whether the service can answer.",
		methods: readMethods,
		keyless: true,
		about:   about{result: reflect.TypeFor[envelope.HealthResponse](), price: "Nothing."},
		serve: func(c *call) answer {
			connected, latency := s.ping(c.r.Context())
			status, code := envelope.Healthy, http.StatusOK
			switch {
			case !connected:
				status, code = envelope.Unhealthy, http.StatusServiceUnavailable
			case latency > slowDatabase:
				status = envelope.Degraded
			}
			spatial, ok := s.cfg.Store.(spatialStore)
			resp := &envelope.HealthResponse{
				Success: connected,
				Data: envelope.Health{
					Status:               status,
					Database:             envelope.DatabaseHealth{Connected: connected, LatencyMS: latency.Milliseconds()},
					Version:              envelope.Version,
					CoordObfuscatorReady: ok && spatial.SpatialIndexLoaded(),
				},
				Meta: envelope.Meta{Credits: envelope.Credits{Source: envelope.SourceNone}},
			}
			return answer{status: code, body: resp, meta: &resp.Meta}
		},
	}
}

// ping asks the store, and the ledger where there is one, and says how long
// the slower of them took (decision D40).
func (s *Server) ping(ctx context.Context) (connected bool, latency time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.HealthTimeout)
	defer cancel()
	stores := []Store{s.cfg.Store}
	if s.cfg.Accounts != nil {
		stores = append(stores, s.cfg.Accounts.Ledger)
	}
	connected = true
	for _, store := range stores {
		began := s.cfg.Now()
		err := store.Ping(ctx)
		latency = max(latency, s.cfg.Now().Sub(began))
		connected = connected && err == nil
	}
	return connected, latency
}
