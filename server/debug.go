package server

import (
	"slices"
	"time"

	"github.com/postgeo/postgeo/internal/billing"
	"github.com/postgeo/postgeo/internal/envelope"
)

// A stopwatch measures the stages of a call for keys with the debug scope.
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
	if c.caller != nil && c.caller.Scopes.Has(billing.ScopeDebug) {
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
func (in *input) wantsDebug() bool {
	if v, ok := in.query.get("debug"); ok && !slices.Contains([]string{"", "0", "false"}, v) {
		return true
	}
	for _, name := range []string{"debug", "debug_key"} {
		if raw, ok := in.body.get(name); ok && !slices.Contains([]string{"false", "0", `""`, `"0"`, `"false"`}, string(raw)) {
			return true
		}
	}
	return false
}
