// Package monitor checks the dependencies of the server.
package monitor

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// period is the time between two checks of a part. The number of equal results
// in a row that change the reported state are downAfter and upAfter.
const (
	period        = time.Second
	writtenPeriod = 1500 * time.Millisecond // after a write to the ledger none is tried
	againPeriod   = 300 * time.Millisecond  // after the first failure
	downAfter     = 2
	upAfter       = 3
)

// A Store can be checked with a read.
type Store interface {
	Ping(ctx context.Context) error
}

// Options configures a [Monitor]. All fields except Ledger are required.
type Options struct {
	Store   Store // the dataset; see below for its optional methods
	Ledger  Store // nil in open mode
	Now     func() time.Time
	Logger  *slog.Logger
	Timeout time.Duration // of a check
}

// Optional methods of stores. [*postgeo.DB] has Moved, and the stores of accounts
// have Probe.
type (
	prober interface {
		Probe(ctx context.Context) error
	}
	mover interface{ Moved() error }
)

// A Monitor keeps the state of the server's dependencies. After Start it checks
// them in the background, and the other methods return the latest results.
// Without Start, Look runs the checks. The parts are:
//
//   - The dataset: a read of the first page, which detects a truncated or overwritten
//     file, and of the page that a request found damaged.
//   - The ledger: a read, and every other time a write that waits for the disk.
//     Successful charges replace the write. The write may succeed on an almost
//     full disk; failed requests reveal that.
//   - The requests: whether the server failed half of the latest ones.
type Monitor struct {
	o       Options
	parts   []*part
	dataset *part
	ledger  *part // nil in open mode
	answers rate
	charges rate // requests, and those that failed because of the ledger

	running atomic.Bool
	written atomic.Int64 // time of the last write to the ledger, Unix nanoseconds

	mu    sync.Mutex
	moved error // why the path of the dataset names another file or none
}

// New returns a Monitor.
func New(o Options) *Monitor {
	m := &Monitor{o: o}
	m.dataset = m.newPart("dataset", o.Store, m.probeDataset)
	if o.Ledger != nil {
		m.ledger = m.newPart("ledger", o.Ledger, m.probeLedger)
	}
	m.newPart("answers", nil, func(_ context.Context, now time.Time) error { return m.answers.failing(now) })
	return m
}

func (m *Monitor) newPart(name string, store Store, probe func(context.Context, time.Time) error) *part {
	p := &part{m: m, name: name, store: store, probe: probe, kick: make(chan struct{}, 1)}
	m.parts = append(m.parts, p)
	return p
}

func (m *Monitor) probeDataset(context.Context, time.Time) error {
	if db, ok := m.o.Store.(mover); ok {
		m.note(db.Moved())
	}
	return nil
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

// Displaced returns the reason why the dataset's path does not name its file, or
// nil.
func (m *Monitor) Displaced() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.moved
}

func (m *Monitor) probeLedger(ctx context.Context, now time.Time) error {
	if err := m.charges.failing(now); err != nil {
		return err
	}
	if since := now.UnixNano() - m.written.Load(); m.running.Load() && since >= 0 && since < int64(writtenPeriod) && m.charges.failures(now) == 0 {
		return nil
	}
	ledger, ok := m.o.Ledger.(prober)
	if !ok {
		return nil
	}
	m.written.Store(0)
	err := ledger.Probe(ctx)
	if err == nil {
		m.written.Store(now.UnixNano())
	}
	return err
}

// An Outage identifies the part that made a request fail.
type Outage uint8

// The outages.
const (
	NoOutage Outage = iota
	DatasetOutage
	LedgerOutage
)

// Answered counts a response. The argument failed reports an internal error, and
// charged a settled charge.
func (m *Monitor) Answered(now time.Time, failed, charged bool, outage Outage) {
	m.answers.add(now, failed || outage != NoOutage)
	if outage == DatasetOutage && m.dataset.failure() == nil {
		m.dataset.again()
	}
	if m.ledger == nil {
		return
	}
	m.charges.add(now, outage == LedgerOutage)
	if charged && outage == NoOutage {
		m.written.Store(now.UnixNano())
	}
	if outage == LedgerOutage && m.ledger.failure() == nil {
		m.ledger.again()
	}
}

// Start checks all parts once, and then in the background until stop is called.
// Start and stop wait at most for the timeout of a check.
func (m *Monitor) Start() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	m.running.Store(true)
	var first, all sync.WaitGroup
	for _, p := range m.parts {
		first.Add(1)
		all.Go(func() {
			p.check(ctx, m.o.Now(), 1, upAfter)
			first.Done()
			p.run(ctx)
		})
	}
	m.await(&first)
	return func() {
		m.running.Store(false)
		cancel()
		m.await(&all)
	}
}

// await waits for the timeout of a check at most.
func (m *Monitor) await(wg *sync.WaitGroup) {
	done := make(chan struct{})
	go func() {
		wg.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(m.o.Timeout):
	}
}

// Look updates the parts and returns the duration of the slowest read.
func (m *Monitor) Look(ctx context.Context, now time.Time) (latency time.Duration) {
	running := m.running.Load()
	for _, p := range m.parts {
		if !running {
			p.check(ctx, now, 1, 1)
		}
		latency = max(latency, p.slowness())
	}
	return latency
}

// Deleted reports whether the open file has no name anymore, so that a restart
// would fail.
func (m *Monitor) Deleted() bool { return errors.Is(m.Displaced(), fs.ErrNotExist) }

// Recheck checks the dataset at once.
func (m *Monitor) Recheck() { m.dataset.again() }

// A State is the state of a part. Err is nil while the part works.
type State struct {
	Name string
	Err  error
}

// States returns the state of all parts.
func (m *Monitor) States() []State {
	states := make([]State, len(m.parts))
	for i, p := range m.parts {
		states[i] = State{p.name, p.failure()}
	}
	return states
}

// Stores returns the errors of the dataset and of the ledger.
func (m *Monitor) Stores() (dataset, ledger error) {
	if m.ledger != nil {
		ledger = m.ledger.failure()
	}
	return m.dataset.failure(), ledger
}
