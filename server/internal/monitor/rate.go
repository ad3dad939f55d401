package monitor

import (
	"fmt"
	"sync/atomic"
	"time"
)

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
	return fmt.Errorf("%d of the %d answers of the last %d seconds failed", failed, all, rateSeconds)
}
