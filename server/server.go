package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/admission"
	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/server/internal/conn"
	"github.com/postgeo/postgeo/server/internal/metrics"
	"github.com/postgeo/postgeo/server/internal/monitor"
)

// A Server serves the API over HTTP. It is safe for concurrent use.
type Server struct {
	db        DB
	cfg       Config
	live      atomic.Pointer[Config] // settings that Change replaces
	links     envelope.Links
	ids       *idSource
	routes    map[string]*route           // by path
	list      []*route                    // in the order of the documents
	pages     map[string]*page            // documentation, by path
	mapGround versioned                   // of the map page
	setupPage versioned                   // of the map page
	queue     *admission.Queue            // of expensive work
	bodies    *admission.Queue            // of large request bodies
	meters    map[string]*admission.Meter // costs by kind of work
	cheap     atomic.Uint64               // requests of cheap work
	stopping  atomic.Bool

	ledgerCost  admission.Meter // of reservations
	proxyWarned atomic.Int64    // time of the last warning about an undeclared proxy, Unix nanoseconds

	monitor   *monitor.Monitor
	metrics   *metrics.Metrics
	reloading sync.Mutex // held while the dataset is replaced
}

// New returns a server for a dataset. It returns an error if a limit is negative or
// a link is not a valid URL.
func New(db DB, cfg Config) (*Server, error) {
	if db == nil {
		return nil, errors.New("server: no dataset given; open one with postgeo.Open or postgeo.OpenSample")
	}
	if err := cfg.check(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	s := &Server{db: db, cfg: cfg, links: cfg.Links, ids: newIDSource(cfg.Entropy)}
	s.live.Store(&cfg)
	s.queue, s.bodies = cfg.queues()
	watched := monitor.Options{Store: db, Now: cfg.Now, Logger: cfg.Logger, Timeout: cfg.HealthTimeout}
	measured := metrics.Sources{Queue: s.queue.Stats, Dataset: db.Info, Now: cfg.Now, Timeout: cfg.HealthTimeout}
	if a := cfg.Accounts; a != nil {
		watched.Ledger, measured.Limits = a, a.Limits()
	}
	s.monitor = monitor.New(watched)
	measured.Monitor = s.monitor
	s.metrics = metrics.New(measured)
	s.list = s.routeList()
	s.routes = make(map[string]*route, len(s.list))
	s.pages = s.pageTable()
	for _, r := range s.list {
		s.routes[r.Path] = r
	}
	return s, nil
}

// Change replaces the settings that may change while the server runs: RequestTimeout,
// AddressBatchTimeout, MinRate and TrustedProxies. Other fields of cfg have no effect. It
// returns an error, and changes nothing, if a field is not valid. Requests in progress may
// see either.
func (s *Server) Change(cfg Config) error {
	if err := cfg.check(); err != nil {
		return err
	}
	cfg = cfg.withDefaults()
	s.live.Store(&cfg)
	return nil
}

// trustedProxies returns the proxies that may set X-Forwarded-For.
func (s *Server) trustedProxies() billing.AddrList { return s.live.Load().TrustedProxies }

// ServeHTTP serves the routes, documents and pages.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.serve(w, r) }

// Run serves requests on the listeners until ctx is done; private may be nil. Then
// /ready fails at once and requests in flight have Config.Grace to finish. Run
// closes the listeners. It returns nil if ctx was done and every request
// finished.
func (s *Server) Run(ctx context.Context, public, private net.Listener) error {
	errorLog := slog.NewLogLogger(s.cfg.Logger.Handler(), slog.LevelWarn)
	newServer := func(h http.Handler) *http.Server {
		return &http.Server{
			Handler:           h,
			ReadHeaderTimeout: min(s.cfg.ReadHeaderTimeout, s.cfg.ReadTimeout),
			ReadTimeout:       s.cfg.ReadTimeout,
			WriteTimeout:      s.cfg.WriteTimeout,
			IdleTimeout:       s.cfg.IdleTimeout,
			MaxHeaderBytes:    s.cfg.MaxHeaderBytes,
			ErrorLog:          errorLog,

			ConnContext: conn.Context,

			DisableGeneralOptionsHandler: true, // OPTIONS * also has our headers
		}
	}
	servers := []*http.Server{newServer(s)}
	listeners := []net.Listener{&conn.Listener{Listener: public, Plain: s.unreadable}}
	if private != nil {
		servers = append(servers, newServer(s.PrivateHandler()))
		listeners = append(listeners, private)
	}

	ended := make(chan error, len(servers))
	for i, srv := range servers {
		go func() {
			if err := srv.Serve(listeners[i]); !errors.Is(err, http.ErrServerClosed) {
				ended <- fmt.Errorf("server: listening on %s: %w", listeners[i].Addr(), err)
				return
			}
			ended <- nil
		}()
	}
	var err error
	running := len(servers) // goroutines that have not sent to ended
	select {
	case <-ctx.Done():
	case err = <-ended: // one listener failed: the other one is closed, too
		running--
	}
	errs := []error{err, s.stop(servers)}
	for range running {
		errs = append(errs, <-ended)
	}
	return errors.Join(errs...)
}

// stop closes the servers. The private one is last, so that /ready can report the stop
// while the public one finishes its requests: a load balancer then sends no new ones.
func (s *Server) stop(servers []*http.Server) error {
	s.stopping.Store(true)
	ctx, cancel := context.WithTimeout(context.Background(), s.cfg.Grace)
	defer cancel()
	var errs []error
	for _, srv := range servers {
		if err := srv.Shutdown(ctx); err != nil {
			errs = append(errs, fmt.Errorf("server: requests in flight were cut off after %v: %w", s.cfg.Grace, err), srv.Close())
		}
	}
	return errors.Join(errs...)
}

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
		body = append(encode.AppendString(body, f.name), ':')
		body = encode.AppendString(body, f.value)
	}
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '}'))
}
