// Package metrics counts requests and reports the state of the server to
// Prometheus.
package metrics

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

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/admission"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/server/internal/monitor"
)

// Metrics are the metrics of a server. Callers cannot choose the values of labels:
// unknown routes, methods and statuses are counted as "other" or "unknown".
type Metrics struct {
	registry *prometheus.Registry

	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
	bytes    *prometheus.CounterVec
	errors   *prometheus.CounterVec
	credits  *prometheus.CounterVec
	Returned prometheus.Counter
	Kept     prometheus.Counter
	cut      prometheus.Counter
	Refusals *prometheus.CounterVec
	ledger   *prometheus.HistogramVec
	failed   *prometheus.CounterVec
	Reloads  *prometheus.CounterVec

	statuses [600]string // text of each status, so that no request formats one
}

// Buckets of durations in seconds, from responses from memory to batches of
// addresses.
var (
	requestBuckets = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 120}
	ledgerBuckets  = []float64{.00001, .000025, .00005, .0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .5, 1, 5}
)

// Values of labels: the exceeded limit, and the result of a reload.
const (
	LimitKey   = "key"
	LimitDemo  = "demo"
	LimitFlood = "flood"

	ReloadDone    = "done"
	ReloadRefused = "refused"
)

// Sources are read when the metrics are requested.
type Sources struct {
	Queue   func() admission.Stats
	Dataset func() dataset.Manifest
	Monitor *monitor.Monitor
	Limits  monitor.Store // the server of rate limits; nil if there is none
	Now     func() time.Time
	Timeout time.Duration
}

// New returns the metrics of a server.
func New(s Sources) *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	histogram := func(name, help string, buckets []float64, label string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, []string{label})
	}
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: counter("postgeo_http_requests_total", "Requests answered.", "route", "method", "status"),
		duration: histogram("postgeo_http_request_duration_seconds", "Time from the end of a request's header to the end of its response.", requestBuckets, "route"),
		bytes:    counter("postgeo_http_response_bytes_total", "Bytes of responses as sent, without headers.", "route"),
		errors:   counter("postgeo_http_errors_total", "Requests that failed as a whole, by the code of the error.", "code"),
		credits:  counter("postgeo_credits_total", "Credits of answered requests, by their source.", "source"),
		Returned: prometheus.NewCounter(prometheus.CounterOpts{Name: "postgeo_credits_returned_total", Help: "Requests whose credits were returned."}),
		Kept:     prometheus.NewCounter(prometheus.CounterOpts{Name: "postgeo_credits_kept_total", Help: "Requests whose response was cut by the caller and whose credits stay charged."}),
		cut:      prometheus.NewCounter(prometheus.CounterOpts{Name: "postgeo_http_cut_total", Help: "Responses that did not reach the caller completely."}),
		Refusals: counter("postgeo_rate_limit_refusals_total", "Requests over the limit per minute of a key, of the demo key, or without a key.", "limit"),
		ledger:   histogram("postgeo_ledger_call_duration_seconds", "Duration of calls to the ledger.", ledgerBuckets, "call"),
		failed:   counter("postgeo_ledger_failures_total", "Failed calls to the ledger, except for insufficient credits.", "call"),
		Reloads:  counter("postgeo_dataset_reloads_total", "Reloads of the dataset.", "result"),
	}
	gauge := func(name, help string, value func(admission.Stats) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 { return value(s.Queue()) })
	}
	for i := range m.statuses {
		m.statuses[i] = strconv.Itoa(i)
	}
	// These counters begin at 0. Prometheus sees no increase in a series that begins at 1, so an
	// alert would miss the first event.
	for _, limit := range []string{LimitKey, LimitDemo, LimitFlood} {
		m.Refusals.WithLabelValues(limit)
	}
	for _, result := range []string{ReloadDone, ReloadRefused} {
		m.Reloads.WithLabelValues(result)
	}
	for _, call := range []string{"reserve", "settle", "refund", "cut"} {
		m.failed.WithLabelValues(call)
	}
	m.errors.WithLabelValues(string(envelope.InternalError))
	m.registry.MustRegister(
		m.requests, m.duration, m.bytes, m.errors, m.credits, m.Returned, m.Kept, m.cut, m.Refusals, m.ledger, m.failed, m.Reloads,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), collectors.NewBuildInfoCollector(),
		gauge("postgeo_queue_computing", "Processors used by expensive work.", func(q admission.Stats) float64 { return float64(q.Running) }),
		gauge("postgeo_queue_waiting", "Requests waiting for a processor or memory.", func(q admission.Stats) float64 { return float64(q.Waiting) }),
		gauge("postgeo_queue_reserved_bytes", "Memory reserved by expensive work and its responses.", func(q admission.Stats) float64 { return float64(q.Reserved) }),
		&state{s},
	)
	return m
}

// Handler returns the handler of /metrics.
func (m *Metrics) Handler(log *slog.Logger) http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn), MaxRequestsInFlight: 4,
	})
}

// A Request is a finished request.
type Request struct {
	Route, Method string
	Status        int
	Took          time.Duration
	Bytes         int
	Cut           bool          // the response did not arrive completely
	Code          envelope.Code // of a request that failed as a whole
	Credits       int
	Source        envelope.CreditSource
}

// Count counts a finished request.
func (m *Metrics) Count(r Request) {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions:
	default:
		r.Method = "other"
	}
	status := "other"
	if r.Status > 0 && r.Status < len(m.statuses) {
		status = m.statuses[r.Status]
	}
	m.requests.WithLabelValues(r.Route, r.Method, status).Inc()
	m.duration.WithLabelValues(r.Route).Observe(r.Took.Seconds())
	m.bytes.WithLabelValues(r.Route).Add(float64(r.Bytes))
	if r.Cut {
		m.cut.Inc()
	}
	if r.Code != "" {
		m.errors.WithLabelValues(string(r.Code)).Inc()
	}
	if r.Credits > 0 {
		m.credits.WithLabelValues(string(r.Source)).Add(float64(r.Credits))
	}
}

// CountUnreadable counts a request that net/http could not read.
func (m *Metrics) CountUnreadable(status int, code envelope.Code) {
	m.requests.WithLabelValues("unknown", "other", strconv.Itoa(status)).Inc()
	m.errors.WithLabelValues(string(code)).Inc()
}

// CountLedger counts a call of the ledger.
func (m *Metrics) CountLedger(call string, began time.Time, failed bool) {
	m.ledger.WithLabelValues(call).Observe(time.Since(began).Seconds())
	if failed {
		m.failed.WithLabelValues(call).Inc()
	}
}

// state collects the sources when the metrics are read, so that gauges need no goroutine
// that updates them.
type state struct{ s Sources }

var (
	descUp = prometheus.NewDesc("postgeo_up", "Whether a part of the service works: the dataset, the ledger of accounts, the server of limits, and at least half of the latest responses.", []string{"part"}, nil)

	descDamaged = prometheus.NewDesc("postgeo_dataset_damaged", "Whether the open file is damaged.", nil, nil)

	descDataset = prometheus.NewDesc("postgeo_dataset_info", "The open dataset.", []string{"version", "built"}, nil)
	descAge     = prometheus.NewDesc("postgeo_dataset_age_seconds", "Time since the newest date among the sources of the dataset.", nil, nil)

	descLayers  = prometheus.NewDesc("postgeo_dataset_layer_info", "The layers of the dataset.", []string{"layer"}, nil)
	descSources = prometheus.NewDesc("postgeo_dataset_source_info", "The sources of the dataset and their editions.", []string{"source", "vintage"}, nil)
)

// Describe implements prometheus.Collector.
func (c *state) Describe(ch chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{descUp, descDamaged, descDataset, descAge, descLayers, descSources} {
		ch <- desc
	}
}

// Collect implements prometheus.Collector.
func (c *state) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), c.s.Timeout)
	defer cancel()
	gauge := func(desc *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, v, labels...)
	}
	number := func(yes bool) float64 {
		if yes {
			return 1
		}
		return 0
	}
	seen := c.s.Monitor.Look(c.s.Now())
	for _, part := range seen.Parts {
		gauge(descUp, number(part.Err == nil), part.Name)
	}
	if c.s.Limits != nil {
		gauge(descUp, number(c.s.Limits.Ping(ctx) == nil), "limits")
	}
	gauge(descDamaged, number(errors.Is(seen.Dataset, store.ErrDamaged)))
	m := c.s.Dataset()
	gauge(descDataset, 1, strings.ToValidUTF8(m.Version, "?"), m.Built.UTC().Format(time.RFC3339))
	gauge(descAge, c.s.Now().Sub(m.Built).Seconds())
	for _, layer := range m.Layers {
		gauge(descLayers, 1, strings.ToValidUTF8(layer, "?"))
	}
	for i := range m.Sources {
		gauge(descSources, 1, strings.ToValidUTF8(m.Sources[i].ID, "?"), strings.ToValidUTF8(m.Sources[i].Vintage, "?"))
	}
}
