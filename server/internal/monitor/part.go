package monitor

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// A part is a dependency of the server.
type part struct {
	m     *Monitor
	name  string
	store Store                                          // nil if there is nothing to ping
	probe func(ctx context.Context, now time.Time) error // deeper than a ping
	kick  chan struct{}

	checking sync.Mutex // held during a check
	probed   time.Time  // on the server's clock; of the last probe
	result   error      // of that probe

	mu        sync.Mutex // guards the fields below
	began     time.Time  // of the check under way, or zero
	latency   time.Duration
	down      bool
	reason    error
	good, bad int // results in a row
}

// again starts the next check at once.
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
		p.check(ctx, p.m.o.Now(), downAfter, upAfter)
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
	if p.bad > 0 && !p.down {
		return againPeriod
	}
	return period
}

// check pings and probes the part. Without Run, probes are at least a second
// apart.
func (p *part) check(ctx context.Context, now time.Time, downAfter, upAfter int) {
	p.checking.Lock()
	defer p.checking.Unlock()
	p.begin(time.Now())
	defer p.begin(time.Time{})
	own, cancel := context.WithTimeout(ctx, p.m.o.Timeout)
	defer cancel()
	var err error
	if p.store != nil {
		began := p.m.o.Now()
		err = p.store.Ping(own)
		now = p.m.o.Now()
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

func (p *part) record(err error, downAfter, upAfter int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	log := p.m.o.Logger
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

// failure returns the reason why the part is down, or nil. A check that hangs is
// a failure.
func (p *part) failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if waited := time.Since(p.began); !p.began.IsZero() && waited > p.m.o.Timeout {
		return fmt.Errorf("no response for %v", waited.Round(100*time.Millisecond))
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

// A rate counts responses of the last seconds. It is safe for concurrent use. When
// the second changes it may miss one.
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
	return fmt.Errorf("%d of the %d responses of the last %d seconds failed", failed, all, rateSeconds)
}
