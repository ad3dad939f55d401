// Package monitor checks the dependencies of the server.
package monitor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// fresh is the time for which the result of a probe is used.
	fresh = time.Second

	// patience is the time in which a check notices its timeout. A read of a hanging disk
	// does not, and must not make every call of health hang with it.
	patience = 100 * time.Millisecond
)

// A Store can be checked with a read.
type Store interface {
	Ping(ctx context.Context) error
}

// A Ledger is a store that can also be written.
type Ledger interface {
	Store
	Probe(ctx context.Context) error
}

// Options configures a [Monitor]. All fields except Ledger are required.
type Options struct {
	Store   Store  // the dataset; it may have the method Moved of [*postgeo.DB]
	Ledger  Ledger // nil in open mode
	Now     func() time.Time
	Logger  *slog.Logger
	Timeout time.Duration // of a check
}

// A Monitor keeps the state of the server's dependencies, its parts. It checks them when
// somebody looks, because the contract has the status of a health call recomputed; an
// outage and its end show at once, and an idle server does nothing. Callers at the same time
// share a check, and the ledger is written at most once a second.
//
// The parts are:
//
//   - The dataset: a read of the first page, which detects a truncated or overwritten
//     file, and of the page that a request found damaged.
//   - The ledger: a read, and a write that waits for the disk. The write may succeed on
//     an almost full disk; failed requests reveal that.
//   - The answers: whether the server failed half of the latest requests.
//
// It is safe for concurrent use.
type Monitor struct {
	o               Options
	dataset, ledger *part // ledger is nil in open mode
	answers         rate
	charges         rate // requests, and those that failed because of the ledger

	mu    sync.Mutex
	moved error // why the path of the dataset names another file or none
}

// New returns a Monitor.
func New(o Options) *Monitor {
	m := &Monitor{o: o}
	m.dataset = &part{m: m, name: "dataset", store: o.Store, probe: func(context.Context) error {
		if db, ok := o.Store.(interface{ Moved() error }); ok {
			m.note(db.Moved())
		}
		return nil
	}}
	if o.Ledger != nil {
		m.ledger = &part{m: m, name: "ledger", store: o.Ledger, probe: o.Ledger.Probe}
	}
	return m
}

// note keeps whether the dataset's path still names its file, and logs changes.
func (m *Monitor) note(moved error) {
	m.mu.Lock()
	before := m.moved
	m.moved = moved
	m.mu.Unlock()
	if moved != nil && before == nil {
		m.o.Logger.Warn("the dataset's file is not in its place; the open file is used until a reload", "reason", moved.Error())
	}
}

// An Outage identifies the part that made a request fail.
type Outage uint8

// The outages.
const (
	NoOutage Outage = iota
	DatasetOutage
	LedgerOutage
)

// Answered counts a response. The argument failed reports an internal error.
func (m *Monitor) Answered(now time.Time, failed bool, outage Outage) {
	m.answers.add(now, failed || outage != NoOutage)
	m.charges.add(now, outage == LedgerOutage)
	if outage == LedgerOutage && m.ledger != nil {
		m.ledger.failed.Store(true)
	}
}

// A State is the state of a part. Err is nil while the part works.
type State struct {
	Name string
	Err  error
}

// A Report is the state of a server.
type Report struct {
	Parts           []State
	Dataset, Ledger error         // of these parts
	Latency         time.Duration // of the slowest read of a part
	Moved           error         // why the dataset's path does not name its file, or nil
	Deleted         bool          // the file has no name anymore: a restart would fail
}

// Up reports whether all parts work.
func (r *Report) Up() bool {
	for _, p := range r.Parts {
		if p.Err != nil {
			return false
		}
	}
	return true
}

// Look checks all parts. Calls at the same time share a check. It takes the timeout of a
// check at most.
func (m *Monitor) Look(now time.Time) (r Report) {
	datasetDone, last := m.dataset.start()
	if m.ledger != nil {
		ledgerDone, last := m.ledger.start()
		r.Ledger = m.ledger.wait(ledgerDone, last, &r.Latency)
		if r.Ledger == nil {
			r.Ledger = m.charges.failing(now)
		}
	}
	r.Dataset = m.dataset.wait(datasetDone, last, &r.Latency)
	r.Parts = append(r.Parts, State{m.dataset.name, r.Dataset})
	if m.ledger != nil {
		r.Parts = append(r.Parts, State{m.ledger.name, r.Ledger})
	}
	r.Parts = append(r.Parts, State{"answers", m.answers.failing(now)})
	m.mu.Lock()
	defer m.mu.Unlock()
	r.Moved, r.Deleted = m.moved, errors.Is(m.moved, fs.ErrNotExist)
	return r
}

// A part is a dependency of the server.
type part struct {
	m     *Monitor
	name  string
	store Store
	probe func(ctx context.Context) error // deeper than a ping

	mu      sync.Mutex    // guards the next four fields
	running chan struct{} // closed at the end of the check under way; nil: none
	began   time.Time     // of that check, by the monotonic clock
	latency time.Duration // of the ping
	err     error

	// Used by check alone, which runs once at a time.
	probed time.Time // on the server's clock; of the last probe
	result error     // of that probe

	failed atomic.Bool // a request failed because of the part after it
}

// start starts a check unless one is under way. It returns the channel that is closed
// when the check ends, and when that is overdue.
func (p *part) start() (done <-chan struct{}, overdue time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running == nil {
		p.running, p.began = make(chan struct{}), time.Now()
		go p.check(p.running)
	}
	return p.running, p.began.Add(p.m.o.Timeout + patience)
}

func (p *part) check(done chan<- struct{}) {
	ctx, cancel := context.WithTimeout(context.Background(), p.m.o.Timeout)
	defer cancel()
	before := p.m.o.Now()
	err := p.store.Ping(ctx)
	after := p.m.o.Now()
	if err == nil {
		if age := after.Sub(p.probed); age < 0 || age >= fresh || p.failed.Swap(false) {
			p.result, p.probed = p.probe(ctx), after
		}
		err = p.result
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case err != nil && p.err == nil:
		p.m.o.Logger.Error("a part of the service fails", "part", p.name, "error", err.Error())
	case err == nil && p.err != nil:
		p.m.o.Logger.Info("a part of the service works again", "part", p.name)
	}
	p.latency, p.err, p.running = after.Sub(before), err, nil
	close(done)
}

// wait waits for a check and returns why the part fails, or nil. A check that hangs is a
// failure.
func (p *part) wait(done <-chan struct{}, overdue time.Time, latency *time.Duration) error {
	select {
	case <-done:
	case <-time.After(time.Until(overdue)):
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	*latency = max(*latency, p.latency)
	if waited := time.Since(p.began); p.running != nil && waited > p.m.o.Timeout {
		return fmt.Errorf("no response for %v", waited.Round(patience))
	}
	return p.err
}

// A rate counts responses of the last seconds, in a ring of seconds without a lock, since
// every request is counted. It is safe for concurrent use. When the second changes it may
// miss a response, or for an instant read the counts of eight seconds before. The eight
// entries are the first power of two above rateSeconds.
type rate [8]struct {
	second      atomic.Int64
	all, failed atomic.Int64
}

// A rate fails if half of its responses, and at least rateLeast, failed in the
// last rateSeconds.
const (
	rateSeconds = 4
	rateLeast   = 5
)

func (r *rate) add(now time.Time, failed bool) {
	second := now.Unix()
	b := &r[second&int64(len(r)-1)]
	if old := b.second.Load(); old != second && b.second.CompareAndSwap(old, second) {
		b.all.Store(0)
		b.failed.Store(0)
	}
	b.all.Add(1)
	if failed {
		b.failed.Add(1)
	}
}

func (r *rate) failing(now time.Time) error {
	var all, failed int64
	for i := range r {
		if age := now.Unix() - r[i].second.Load(); age >= 0 && age < rateSeconds {
			all += r[i].all.Load()
			failed += r[i].failed.Load()
		}
	}
	if failed < rateLeast || 2*failed < all {
		return nil
	}
	return fmt.Errorf("%d of the %d responses of the last %d seconds failed", failed, all, rateSeconds)
}
