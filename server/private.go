package server

import (
	"net/http"
)

// PrivateHandler returns what the operator's tools ask: /live answers 200
// while the process answers at all, /ready 200 while the data can be read and
// the server is not stopping, else 503; /metrics tells the numbers of the
// server to Prometheus; POST /reload reloads the dataset. Its requests are not
// logged, and web pages of other origins cannot post to it.
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
		if connected, _ := s.ping(r.Context()); !connected {
			writePrivate(w, http.StatusServiceUnavailable, field{"status", "database unreachable"})
			return
		}
		writePrivate(w, http.StatusOK, field{"status", "ready"})
	})
	mux.Handle("GET /metrics", s.metrics.handler(s.cfg.Logger))
	mux.HandleFunc("POST /reload", s.serveReload)
	return http.NewCrossOriginProtection().Handler(mux)
}
