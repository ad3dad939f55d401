package server

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"time"

	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/server/internal/document"
	"github.com/postgeo/postgeo/server/internal/monitor"
)

// slowDatabase is the latency beyond which the service is degraded.
const slowDatabase = 500 * time.Millisecond

// A spatialStore is a Store that may resolve coordinates. A dataset without areas
// does not.
type spatialStore interface {
	// HasAreas reports whether coordinates can be resolved.
	HasAreas(ctx context.Context) (bool, error)
}

// health is /v2/health, which needs no key. The latency is the slower one of a read
// of the dataset and a read of the ledger (decision D40).
func (s *Server) health() *route {
	return &route{
		Route: document.Route{
			Path: "/v2/health", Summary: "Whether the service works.", Methods: readMethods, Keyless: true,
			Result: reflect.TypeFor[envelope.HealthResponse](), Price: "Nothing.",
		},
		serve: func(c *call) answer {
			latency := s.monitor.Look(c.r.Context(), c.began)
			down := slices.ContainsFunc(s.monitor.States(), func(p monitor.State) bool { return p.Err != nil })
			dataset, ledger := s.monitor.Stores()
			status, code := envelope.Healthy, http.StatusOK
			switch {
			case down:
				status, code = envelope.Unhealthy, http.StatusServiceUnavailable
			case latency > slowDatabase, s.monitor.Deleted():
				status = envelope.Degraded
			}
			ready := false
			if store, ok := s.cfg.Store.(spatialStore); ok {
				ready, _ = store.HasAreas(c.r.Context()) // a failure shows in the states
			}
			resp := &envelope.HealthResponse{
				Success: !down,
				Data: envelope.Health{
					Status:               status,
					Database:             envelope.DatabaseHealth{Connected: dataset == nil && ledger == nil, LatencyMS: latency.Milliseconds()},
					Version:              envelope.Version,
					CoordObfuscatorReady: ready,
				},
				Meta: envelope.Meta{Credits: envelope.Credits{Source: envelope.SourceNone}},
			}
			return answer{status: code, body: resp, meta: &resp.Meta}
		},
	}
}
