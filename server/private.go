package server

import (
	"net/http"
)

// PrivateHandler returns the handler for operators:
//
//   - /live returns 200.
//   - /ready returns 200 if the dataset and the accounts work and the server is not
//     stopping, else 503 with reasons.
//   - /metrics returns metrics for Prometheus.
//   - POST /reload reloads the dataset.
//
// Its requests are not logged. Web pages of other origins cannot post to it.
func (s *Server) PrivateHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /live", func(w http.ResponseWriter, _ *http.Request) {
		writePrivate(w, http.StatusOK, field{"status", "live"})
	})
	mux.HandleFunc("GET /ready", func(w http.ResponseWriter, r *http.Request) {
		if s.stopping.Load() {
			writePrivate(w, http.StatusServiceUnavailable, field{"status", "stopping"})
			return
		}
		s.serveReady(w, r)
	})
	mux.Handle("GET /metrics", s.metrics.Handler(s.cfg.Logger))
	mux.HandleFunc("POST /reload", s.serveReload)
	return http.NewCrossOriginProtection().Handler(mux)
}

// serveReady serves /ready.
func (s *Server) serveReady(w http.ResponseWriter, r *http.Request) {
	s.monitor.Look(r.Context(), s.cfg.Now())
	status, fields := http.StatusOK, []field{{"status", "ready"}}
	for _, p := range s.monitor.States() {
		state := "up"
		if p.Err != nil {
			state = p.Err.Error()
			status, fields[0].value = http.StatusServiceUnavailable, "not ready"
		}
		fields = append(fields, field{p.Name, state})
	}
	if err := s.monitor.Displaced(); err != nil {
		fields = append(fields, field{"warning", err.Error()})
	}
	writePrivate(w, status, fields...)
}
