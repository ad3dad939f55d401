package server

import (
	"net/http"

	"github.com/postgeo/postgeo/envelope"
)

// PrivateHandler returns what the operator's tools ask: /live answers 200
// while the process answers at all, /ready 200 while the data can be read and
// the server is not stopping, else 503. Its requests are not logged.
func (s *Server) PrivateHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /live", func(w http.ResponseWriter, _ *http.Request) {
		writeProbe(w, http.StatusOK, "live")
	})
	mux.HandleFunc("GET /ready", func(w http.ResponseWriter, r *http.Request) {
		if s.stopping.Load() {
			writeProbe(w, http.StatusServiceUnavailable, "stopping")
			return
		}
		if connected, _ := s.ping(r.Context()); !connected {
			writeProbe(w, http.StatusServiceUnavailable, "database unreachable")
			return
		}
		writeProbe(w, http.StatusOK, "ready")
	})
	return mux
}

func writeProbe(w http.ResponseWriter, status int, text string) {
	h := w.Header()
	h["Cache-Control"] = headerNoStore
	h["Content-Type"] = headerJSON
	w.WriteHeader(status)
	body := envelope.AppendString([]byte(`{"status":`), text)
	_, _ = w.Write(append(body, '}'))
}
