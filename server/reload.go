package server

import (
	"context"
	"errors"
	"net/http"

	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/server/internal/metrics"
)

// ErrNoReload is returned by [Server.Reload] without Config.Reload.
var ErrNoReload = errors.New("server: this server cannot reload its dataset")

// Reload replaces the dataset by means of Config.Reload. If it fails, the old
// dataset remains in use. Calls in progress finish with their dataset. Reloads do
// not overlap.
func (s *Server) Reload(ctx context.Context) error {
	if s.cfg.Reload == nil {
		return ErrNoReload
	}
	s.reloading.Lock()
	defer s.reloading.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	before := s.db.Info().Version
	if err := s.cfg.Reload(ctx); err != nil {
		s.metrics.Reloads.WithLabelValues(metrics.ReloadRefused).Inc()
		s.cfg.Logger.Error("dataset not reloaded, the old one stays in use", "version", before, "error", err.Error())
		return err
	}
	s.metrics.Reloads.WithLabelValues(metrics.ReloadDone).Inc()
	s.monitor.Recheck()
	s.cfg.Logger.Info("dataset reloaded", "from", before, "version", s.db.Info().Version)
	return nil
}

// serveReload serves POST /reload. The operator may see reasons of failures.
func (s *Server) serveReload(w http.ResponseWriter, r *http.Request) {
	before := s.db.Info().Version
	if err := s.Reload(context.WithoutCancel(r.Context())); err != nil {
		status := http.StatusInternalServerError
		if errors.Is(err, ErrNoReload) {
			status = http.StatusNotImplemented
		}
		writePrivate(w, status, field{"status", "refused"}, field{"version", before}, field{"error", err.Error()})
		return
	}
	writePrivate(w, http.StatusOK, field{"status", "reloaded"}, field{"from", before}, field{"version", s.db.Info().Version})
}

// A field is a field of a private response.
type field struct{ name, value string }

func writePrivate(w http.ResponseWriter, status int, fields ...field) {
	h := w.Header()
	h["Cache-Control"] = headerNoStore
	h["Content-Type"] = headerJSON
	body := []byte{'{'}
	for i, f := range fields {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(envelope.AppendString(body, f.name), ':')
		body = envelope.AppendString(body, f.value)
	}
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '}'))
}
