package server

import (
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

// health is /v2/health. It takes no parameters, needs no key and costs nothing.
// Its latency is that of the slower of a read of the dataset and one of the
// ledger (decision D40).
func (s *Server) health() *route {
	return &route{
		path:    "/v2/health",
		summary: "Whether the service can answer.",
		methods: readMethods,
		keyless: true,
		about:   about{result: reflect.TypeFor[envelope.HealthResponse](), price: "Nothing."},
		serve: func(c *call) answer {
			latency := s.monitor.look(c.r.Context(), c.began)
			failed := s.monitor.failures()
			connected := failed[s.monitor.dataset] == nil && failed[s.monitor.ledger] == nil
			status, code := envelope.Healthy, http.StatusOK
			switch {
			case len(failed) > 0:
				status, code = envelope.Unhealthy, http.StatusServiceUnavailable
			case latency > slowDatabase, s.monitor.deleted():
				status = envelope.Degraded
			}
			spatial, ok := s.cfg.Store.(spatialStore)
			resp := &envelope.HealthResponse{
				Success: len(failed) == 0,
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
