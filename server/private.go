package server

import (
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/server/internal/document"
)

// PrivateHandler returns the handler for operators:
//
//   - /live returns 200.
//   - /ready returns 200 if the dataset and the accounts work and the server is not
//     stopping, else 503 with reasons, and the age, layers and editions of the dataset.
//   - /metrics returns metrics for Prometheus.
//   - POST /reload reloads the dataset.
//
// Its requests are not logged. Web pages of other origins cannot post to it.
func (s *Server) PrivateHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /live", func(w http.ResponseWriter, _ *http.Request) {
		writePrivate(w, http.StatusOK, field{"status", "live"})
	})
	mux.HandleFunc("GET /ready", func(w http.ResponseWriter, _ *http.Request) {
		if s.stopping.Load() {
			writePrivate(w, http.StatusServiceUnavailable, field{"status", "stopping"})
			return
		}
		s.serveReady(w)
	})
	mux.Handle("GET /metrics", s.metrics.Handler(s.cfg.Logger))
	mux.HandleFunc("POST /reload", s.serveReload)
	// The address is often that of a developer's machine, where any web page can send a POST.
	return http.NewCrossOriginProtection().Handler(mux)
}

func (s *Server) serveReady(w http.ResponseWriter) {
	seen := s.monitor.Look(s.cfg.Now())
	status, fields := http.StatusOK, []field{{"status", "ready"}}
	for _, p := range seen.Parts {
		state := "up"
		if p.Err != nil {
			state = p.Err.Error()
			status, fields[0].value = http.StatusServiceUnavailable, "not ready"
		}
		fields = append(fields, field{p.Name, state})
	}
	info := s.db.Info()
	fields = append(fields,
		field{"dataset_version", info.Version},
		field{"dataset_age_days", strconv.Itoa(int(s.cfg.Now().Sub(info.Built) / (24 * time.Hour)))},
		field{"layers", strings.Join(info.Layers, ", ")}, field{"editions", editions(&info)})
	if seen.Moved != nil {
		fields = append(fields, field{"warning", seen.Moved.Error()})
	}
	writePrivate(w, status, fields...)
}

// editions returns the sources of a dataset with their vintages.
func editions(info *dataset.Manifest) string {
	var list []string
	for i := range info.Sources {
		if s := &info.Sources[i]; s.Vintage != "" {
			list = append(list, s.ID+" "+s.Vintage)
		}
	}
	return strings.Join(list, ", ")
}

// A stopwatch measures the stages of a call for keys with the debug scope. Other calls have
// none, and read the clock five times less.
type stopwatch struct {
	now       func() time.Time
	last      time.Time
	requested bool // by the debug option
	stages    envelope.Stages
}

// The stages of a call in meta.debug.
const (
	stageAuthenticate = "authenticate"
	stageParse        = "parse"
	stageReserve      = "reserve"
	stageWork         = "work"
	stageSettle       = "settle"
)

// watch starts the stopwatch if the key has the debug scope (decision D24).
func (c *call) watch() {
	if c.caller != nil && c.caller.Debug {
		c.watched = &stopwatch{now: c.s.cfg.Now, last: c.began}
		c.watched.stage(stageAuthenticate)
	}
}

// stage ends a stage. A nil stopwatch does nothing.
func (w *stopwatch) stage(name string) {
	if w == nil {
		return
	}
	now := w.now()
	ms := float64(now.Sub(w.last).Microseconds()) / 1000
	w.stages = append(w.stages, envelope.Stage{Name: name, MS: ms})
	w.last = now
}

// debug returns meta.debug, or nil if it was not requested.
func (c *call) debug(candidates int) *envelope.Debug {
	if c.watched == nil || !c.watched.requested {
		return nil
	}
	return &envelope.Debug{StagesMS: c.watched.stages, Candidates: candidates, Dataset: c.db.Info().Version}
}

// wantsDebug reports whether a request has the debug option: debug in the query, or
// debug or debug_key in the body, unless its value is false.
func wantsDebug(q query, in *input) bool {
	if v, ok := q.get("debug"); ok && !slices.Contains([]string{"", "0", "false"}, v) {
		return true
	}
	for _, name := range []string{"debug", "debug_key"} {
		if raw, ok := in.Member(name); ok && !slices.Contains([]string{"false", "0", `""`, `"0"`, `"false"`}, string(raw)) {
			return true
		}
	}
	return false
}

// slowDatabase is the latency beyond which the service is degraded.
const slowDatabase = 500 * time.Millisecond

// health is /v2/health, which needs no key. The latency is the slower one of a read
// of the dataset and a read of the ledger (decision D40).
func (s *Server) health() *route {
	return &route{
		Route: document.Route{
			Path: "/v2/health", Summary: "Whether the service works.", Methods: readMethods, Keyless: true,
			Result: reflect.TypeFor[envelope.HealthResponse](), Price: "Nothing.",
		},
		serve: func(c *call) answer {
			seen := s.monitor.Look(c.began)
			status, code := envelope.Healthy, http.StatusOK
			switch {
			case !seen.Up():
				status, code = envelope.Unhealthy, http.StatusServiceUnavailable
			case seen.Latency > slowDatabase, seen.Deleted:
				status = envelope.Degraded
			}
			ready, _ := s.db.HasAreas(c.r.Context()) // a failure shows in the states
			resp := &envelope.HealthResponse{
				Success: code == http.StatusOK,
				Data: envelope.Health{
					Status:               status,
					Database:             envelope.DatabaseHealth{Connected: seen.Dataset == nil && seen.Ledger == nil, LatencyMS: seen.Latency.Milliseconds()},
					Version:              envelope.Version,
					CoordObfuscatorReady: ready,
				},
				Meta: envelope.Meta{Credits: envelope.Credits{Source: envelope.SourceNone}},
			}
			return answer{status: code, body: resp, meta: &resp.Meta}
		},
	}
}
