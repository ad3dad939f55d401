package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/server/internal/admission"
)

// Metrics are what /metrics tells on the private address. No label has a value
// that a caller can choose: routes, methods and statuses are those of the
// interface, and everything else is "other".
type metrics struct {
	registry *prometheus.Registry

	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	bytes    *prometheus.CounterVec
	errors   *prometheus.CounterVec
	credits  *prometheus.CounterVec
	returned prometheus.Counter
	kept     prometheus.Counter
	cut      prometheus.Counter
	refusals *prometheus.CounterVec
	ledger   *prometheus.HistogramVec
	failed   *prometheus.CounterVec
	reloads  *prometheus.CounterVec

	statuses [600]string // texts of statuses
}

// Buckets of durations in seconds: answers come from memory in some ten
// microseconds, and nothing takes longer than a batch of addresses.
var (
	requestBuckets = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 120}
	ledgerBuckets  = []float64{.00001, .000025, .00005, .0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .5, 1, 5}
)

const (
	refusedKey   = "key"
	refusedDemo  = "demo"
	refusedFlood = "flood"

	reloadDone    = "done"
	reloadRefused = "refused"
)

func newMetrics(s *Server) *metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	histogram := func(name, help string, buckets []float64, label string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, []string{label})
	}
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: counter("postgeo_http_requests_total", "Requests answered.", "route", "method", "status"),
		duration: histogram("postgeo_http_request_duration_seconds", "Time from the end of a request's header to the end of its answer.", requestBuckets, "route"),
		bytes:    counter("postgeo_http_response_bytes_total", "Bytes of answers as sent, without headers.", "route"),
		errors:   counter("postgeo_http_errors_total", "Requests that failed as a whole, by the code of the error.", "code"),
		credits:  counter("postgeo_credits_total", "Credits of answered requests, by who paid.", "source"),
		returned: prometheus.NewCounter(prometheus.CounterOpts{Name: "postgeo_credits_returned_total", Help: "Requests whose credits were given back."}),
		kept:     prometheus.NewCounter(prometheus.CounterOpts{Name: "postgeo_credits_kept_total", Help: "Requests whose answer was cut by the caller and whose credits stay charged."}),
		cut:      prometheus.NewCounter(prometheus.CounterOpts{Name: "postgeo_http_cut_total", Help: "Answers that did not reach the caller whole."}),
		refusals: counter("postgeo_rate_limit_refusals_total", "Requests over their limit of a minute: of a key, of the demo key, or without a key.", "limit"),
		ledger:   histogram("postgeo_ledger_call_duration_seconds", "Time of calls to the ledger.", ledgerBuckets, "call"),
		failed:   counter("postgeo_ledger_failures_total", "Calls to the ledger that failed, other than for want of credits.", "call"),
		reloads:  counter("postgeo_dataset_reloads_total", "Reloads of the dataset.", "result"),
	}
	gauge := func(name, help string, value func(admission.Stats) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 { return value(s.queue.Stats()) })
	}
	for i := range m.statuses {
		m.statuses[i] = strconv.Itoa(i)
	}
	for _, limit := range []string{refusedKey, refusedDemo, refusedFlood} {
		m.refusals.WithLabelValues(limit)
	}
	for _, result := range []string{reloadDone, reloadRefused} {
		m.reloads.WithLabelValues(result)
	}
	m.registry.MustRegister(
		m.requests, m.duration, m.bytes, m.errors, m.credits, m.returned, m.kept, m.cut, m.refusals, m.ledger, m.failed, m.reloads,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), collectors.NewBuildInfoCollector(),
		gauge("postgeo_queue_computing", "Processors that expensive work uses.", func(q admission.Stats) float64 { return float64(q.Running) }),
		gauge("postgeo_queue_waiting", "Requests that wait for a processor or for memory.", func(q admission.Stats) float64 { return float64(q.Waiting) }),
		gauge("postgeo_queue_reserved_bytes", "Memory that expensive work and its answers reserve.", func(q admission.Stats) float64 { return float64(q.Reserved) }),
		&health{s: s},
	)
	return m
}

// handler answers with the metrics.
func (m *metrics) handler(log *slog.Logger) http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn), MaxRequestsInFlight: 4,
	})
}

// count enters a finished request.
func (m *metrics) count(c *call, took time.Duration) {
	method := c.r.Method
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions:
	default:
		method = "other"
	}
	status := "other"
	if c.status > 0 && c.status < len(m.statuses) {
		status = m.statuses[c.status]
	}
	m.requests.WithLabelValues(c.route, method, status).Inc()
	m.duration.WithLabelValues(c.route).Observe(took.Seconds())
	m.bytes.WithLabelValues(c.route).Add(float64(c.bytes))
	if c.cut {
		m.cut.Inc()
	}
	if c.code != "" {
		m.errors.WithLabelValues(string(c.code)).Inc()
	}
	if c.credits > 0 {
		m.credits.WithLabelValues(string(c.source)).Add(float64(c.credits))
	}
}

// called enters a call to the ledger.
func (m *metrics) called(call string, began time.Time, failed bool) {
	m.ledger.WithLabelValues(call).Observe(time.Since(began).Seconds())
	if failed {
		m.failed.WithLabelValues(call).Inc()
	}
}

// refusedAs names the limit that a request is over.
func refusedAs(err *billing.RateLimitError, id *billing.Identity) string {
	switch {
	case err.Flood:
		return refusedFlood
	case id.Kind == billing.Demo:
		return refusedDemo
	}
	return refusedKey
}

// A health tells what the server depends on, asked when the metrics are.
type health struct{ s *Server }

var (
	descUp = prometheus.NewDesc("postgeo_up", "Whether a dependency of the server works: the dataset, the ledger of accounts, the server of limits, and half of the last answers.", []string{"part"}, nil)

	descVerifying = prometheus.NewDesc("postgeo_dataset_verification_progress", "How much of the dataset's file the verification under way has read, from 0 to 1.", nil, nil)
	descVerified  = prometheus.NewDesc("postgeo_dataset_verified_timestamp_seconds", "When the last verification of the whole file that found no damage ended; 0: none has.", nil, nil)
	descDamaged   = prometheus.NewDesc("postgeo_dataset_damaged", "Whether the file that answers is known to be damaged.", nil, nil)

	descDataset = prometheus.NewDesc("postgeo_dataset_info", "The dataset that answers.", []string{"version", "built"}, nil)
	descLayers  = prometheus.NewDesc("postgeo_dataset_layer_info", "The layers that the dataset has.", []string{"layer"}, nil)
)

// Describe implements prometheus.Collector.
func (h *health) Describe(ch chan<- *prometheus.Desc) {
	ch <- descUp
	ch <- descVerifying
	ch <- descVerified
	ch <- descDamaged
	ch <- descDataset
	ch <- descLayers
}

// Collect implements prometheus.Collector.
func (h *health) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), h.s.cfg.HealthTimeout)
	defer cancel()
	gauge := func(desc *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, v, labels...)
	}
	up := func(part string, err error) {
		v := 1.0
		if err != nil {
			v = 0
		}
		gauge(descUp, v, part)
	}
	h.s.monitor.look(ctx, h.s.cfg.Now())
	failed := h.s.monitor.failures()
	for _, p := range h.s.monitor.parts {
		up(p.name, failed[p])
	}
	if a := h.s.cfg.Accounts; a != nil && a.Limits != nil {
		up("limits", a.Limits.Ping(ctx))
	}
	done, complete := h.s.monitor.verify.progress()
	gauge(descVerifying, done)
	if complete.IsZero() {
		gauge(descVerified, 0)
	} else {
		gauge(descVerified, float64(complete.Unix()))
	}
	damage := 0.0
	if h.s.monitor.verify.damage() != nil || errors.Is(failed[h.s.monitor.dataset], dataset.ErrDamaged) {
		damage = 1
	}
	gauge(descDamaged, damage)
	m := h.s.db.Info()
	ch <- prometheus.MustNewConstMetric(descDataset, prometheus.GaugeValue, 1, strings.ToValidUTF8(m.Version, "?"), m.Built.UTC().Format(time.RFC3339))
	for _, layer := range m.Layers {
		ch <- prometheus.MustNewConstMetric(descLayers, prometheus.GaugeValue, 1, strings.ToValidUTF8(layer, "?"))
	}
}
