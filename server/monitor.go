package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"
)

// How often the parts are checked, and how many results in a row change the
// reported state of one. The first failure is checked again at once; a part
// that is down must succeed for some seconds.
const (
	datasetPeriod = time.Second
	ledgerPeriod  = time.Second
	writtenPeriod = 1500 * time.Millisecond // after a write to the ledger none is tried
	answersPeriod = time.Second
	againPeriod   = 300 * time.Millisecond // after the first failure
	downAfter     = 2
	upAfter       = 3
)

// A monitor keeps the state of the server's dependencies. While Run is active
// it checks each part in the background, and /v2/health, /ready and the metrics
// only read the results. Without Run, a request for them runs the checks.
//
//   - The dataset: a read through SQLite, as requests make it, and the canary
//     of [dataset.Dataset.Probe], which detects a truncated or overwritten file at
//     its next call and other damage when it reaches it. The verification in
//     the background adds its findings.
//   - The ledger: a read, and every other time a write that waits for the disk.
//     The write is skipped while requests are charged without a failure. It
//     succeeds if the disk has room for it alone; failed requests show that.
//   - The answers: whether half of the last ones failed because of the server.
//     This needs requests, unlike the others.
type monitor struct {
	s       *Server
	parts   []*part
	dataset *part
	ledger  *part // nil in open mode
	answers rate
	charges rate // answers, and of them those that failed because of the ledger

	running atomic.Bool
	written atomic.Int64 // when the ledger last settled for a request or a probe, Unix nanoseconds
	verify  verifying

	mu    sync.Mutex
	moved error // why the path of the dataset names another file, or none
}

// Methods that a store may have beside Ping. [*postgeo.DB] and the stores of
// accounts have Probe.
type (
	prober interface {
		Probe(ctx context.Context) error
	}
	mover interface{ Moved() error }
)

func newMonitor(s *Server) *monitor {
	m := &monitor{s: s}
	m.verify.m = m
	m.dataset = m.newPart("dataset", datasetPeriod, s.cfg.Store, m.probeDataset)
	if a := s.cfg.Accounts; a != nil {
		m.ledger = m.newPart("ledger", ledgerPeriod, a.Ledger, m.probeLedger)
	}
	m.newPart("answers", answersPeriod, nil, func(_ context.Context, now time.Time) error { return m.answers.failing(now) })
	return m
}

func (m *monitor) newPart(name string, period time.Duration, store Store, probe func(context.Context, time.Time) error) *part {
	p := &part{m: m, name: name, period: period, store: store, probe: probe, kick: make(chan struct{}, 1)}
	m.parts = append(m.parts, p)
	return p
}

func (m *monitor) probeDataset(ctx context.Context, _ time.Time) error {
	if db, ok := m.s.cfg.Store.(mover); ok {
		m.note(db.Moved())
	}
	if db, ok := m.s.cfg.Store.(prober); ok {
		if err := db.Probe(ctx); err != nil {
			return err
		}
	}
	return m.verify.damage()
}

// note keeps whether the dataset's path still names its file, and logs changes.
func (m *monitor) note(moved error) {
	m.mu.Lock()
	before := m.moved
	m.moved = moved
	m.mu.Unlock()
	if moved != nil && before == nil {
		m.s.cfg.Logger.Warn("the dataset's file is not in its place; the open one keeps answering until a reload", "reason", moved.Error())
	}
}

// displaced returns why the dataset's path does not name its file.
func (m *monitor) displaced() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.moved
}

func (m *monitor) probeLedger(ctx context.Context, now time.Time) error {
	if err := m.charges.failing(now); err != nil {
		return err
	}
	if since := now.UnixNano() - m.written.Load(); m.running.Load() && since >= 0 && since < int64(writtenPeriod) && m.charges.failures(now) == 0 {
		return nil
	}
	ledger, ok := m.s.cfg.Accounts.Ledger.(prober)
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

// answered counts the answer of a route. outage names the part that made it
// fail, if one did.
func (m *monitor) answered(now time.Time, c *call) {
	if c.db == nil && c.outage == noOutage && c.status != 500 || c.status == statusClientGone {
		return // no route, or refused before any work
	}
	m.answers.add(now, c.status == 500 || c.outage != noOutage)
	if m.ledger == nil {
		return
	}
	m.charges.add(now, c.outage == ledgerOutage)
	if c.hold == settled && c.outage == noOutage {
		m.written.Store(now.UnixNano())
	}
	if c.outage == ledgerOutage && m.ledger.failure() == nil {
		m.ledger.again()
	}
}

// An outage names the parts that made a request fail.
type outage uint8

const (
	noOutage outage = iota
	datasetOutage
	ledgerOutage
)

// start checks all parts once, and then in the background until stop is called.
// Neither start nor stop waits for checks for long: a disk may never answer.
func (m *monitor) start() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	m.running.Store(true)
	var first, all sync.WaitGroup
	for _, p := range m.parts {
		first.Add(1)
		all.Go(func() {
			p.check(ctx, m.s.cfg.Now(), 1, upAfter)
			first.Done()
			p.run(ctx)
		})
	}
	all.Go(func() { m.verify.run(ctx) })
	m.await(&first)
	return func() {
		m.running.Store(false)
		cancel()
		m.await(&all)
	}
}

// await waits, but at most for the time that a check may take.
func (m *monitor) await(wg *sync.WaitGroup) {
	done := make(chan struct{})
	go func() {
		wg.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(m.s.cfg.HealthTimeout):
	}
}

// look brings the parts up to date and returns the time of the slowest read.
func (m *monitor) look(ctx context.Context, now time.Time) (latency time.Duration) {
	running := m.running.Load()
	for _, p := range m.parts {
		if !running {
			p.check(ctx, now, 1, 1)
		}
		latency = max(latency, p.slowness())
	}
	return latency
}

// A part is a dependency of the server.
type part struct {
	m      *monitor
	name   string
	period time.Duration
	store  Store                                          // is pinged; nil: nothing is
	probe  func(ctx context.Context, now time.Time) error // deeper than a ping
	kick   chan struct{}

	checking sync.Mutex // held during a check
	probed   time.Time  // on the server's clock; of the last probe
	result   error      // of that probe

	mu        sync.Mutex // guards the fields below
	began     time.Time  // of the check under way; zero: there is none
	latency   time.Duration
	down      bool
	reason    error
	good, bad int // results in a row
}

// again lets the next check begin at once.
func (p *part) again() {
	select {
	case p.kick <- struct{}{}:
	default:
	}
}

func (p *part) run(ctx context.Context) {
	timer := time.NewTimer(p.pause())
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-p.kick:
		}
		p.check(ctx, p.m.s.cfg.Now(), downAfter, upAfter)
		if ctx.Err() != nil {
			return
		}
		timer.Reset(p.pause())
	}
}

// pause returns the time until the next check.
func (p *part) pause() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.down:
		return min(p.period, time.Second)
	case p.bad > 0:
		return againPeriod
	}
	return p.period
}

// check pings and probes the part. Without Run, probes are at least a second
// apart.
func (p *part) check(ctx context.Context, now time.Time, downAfter, upAfter int) {
	p.checking.Lock()
	defer p.checking.Unlock()
	p.begin(time.Now())
	defer p.begin(time.Time{})
	own, cancel := context.WithTimeout(ctx, p.m.s.cfg.HealthTimeout)
	defer cancel()
	var err error
	if p.store != nil {
		began := p.m.s.cfg.Now()
		err = p.store.Ping(own)
		now = p.m.s.cfg.Now()
		p.mu.Lock()
		p.latency = now.Sub(began)
		p.mu.Unlock()
		if age := now.Sub(p.probed); err == nil && (p.m.running.Load() || age < 0 || age >= time.Second) {
			p.result, p.probed = p.probe(own, now), now
		}
	} else {
		p.result = p.probe(own, now)
	}
	if err == nil {
		err = p.result
	}
	if ctx.Err() == nil {
		p.record(err, downAfter, upAfter)
	}
}

func (p *part) begin(t time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.began = t
}

// record enters the result of a check.
func (p *part) record(err error, downAfter, upAfter int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	log := p.m.s.cfg.Logger
	if err == nil {
		p.good, p.bad = p.good+1, 0
		if p.down && p.good >= upAfter {
			p.down, p.reason = false, nil
			log.Info("a part of the service works again", "part", p.name)
		}
		return
	}
	p.good, p.bad = 0, p.bad+1
	p.reason = err
	if !p.down && p.bad >= downAfter {
		p.down = true
		log.Error("a part of the service fails", "part", p.name, "error", err.Error())
	}
}

// failure returns why the part is down, and nil while it works. A check that
// hangs is a failure too.
func (p *part) failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if waited := time.Since(p.began); !p.began.IsZero() && waited > p.m.s.cfg.HealthTimeout {
		return fmt.Errorf("no answer for %v", waited.Round(100*time.Millisecond))
	}
	if p.down {
		return p.reason
	}
	return nil
}

func (p *part) slowness() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.latency
}

// deleted reports whether the file that answers has no name any more: a restart
// would fail.
func (m *monitor) deleted() bool { return errors.Is(m.displaced(), fs.ErrNotExist) }

// failures returns the parts that are down.
func (m *monitor) failures() map[*part]error {
	failed := map[*part]error{}
	for _, p := range m.parts {
		if err := p.failure(); err != nil {
			failed[p] = err
		}
	}
	return failed
}

// A rate counts answers of the last seconds. It is safe for concurrent use; at
// the turn of a second it may miss one.
type rate [8]struct {
	second      atomic.Int64
	all, failed atomic.Int64
}

// A rate fails if at least half of its answers failed, and there were at least
// this many in the last seconds.
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

func (r *rate) sum(now time.Time) (all, failed int64) {
	for i := range r {
		if age := now.Unix() - r[i].second.Load(); age >= 0 && age < rateSeconds {
			all += r[i].all.Load()
			failed += r[i].failed.Load()
		}
	}
	return all, failed
}

func (r *rate) failures(now time.Time) int64 {
	_, failed := r.sum(now)
	return failed
}

func (r *rate) failing(now time.Time) error {
	all, failed := r.sum(now)
	if failed < rateLeast || 2*failed < all {
		return nil
	}
	return fmt.Errorf("%d of the %d answers of the last %d seconds failed", failed, all, rateSeconds)
}
