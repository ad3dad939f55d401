package admission

import (
	"math/bits"
	"runtime"
	"sync/atomic"
	"time"
)

// A Meter estimates the cost of one kind of work by the order of magnitude of
// its size. Its zero value has no estimates. It is safe for concurrent use.
//
// Estimates are measured, because costs depend on the machine and the dataset, and no
// table of them would stay right. Orders of magnitude need no model of how the time grows
// with the size: 33 pairs of numbers, one for each length of a 32-bit size.
type Meter struct {
	sizes [33]struct{ time, bytes atomic.Int64 } // nanoseconds and bytes; time 0: unknown
}

// A Cost is the time and memory that a piece of work takes.
type Cost struct {
	Time  time.Duration // of a processor
	Bytes int64         // of its response
}

// Expect returns the recent cost of work of a size, and whether it is known.
func (m *Meter) Expect(size int) (Cost, bool) {
	s := &m.sizes[bucket(size)]
	t := s.time.Load()
	return Cost{time.Duration(t), s.bytes.Load()}, t > 0
}

// Observe records the cost of work of a size. The expected time follows the
// mean: were it to follow the smaller ones faster, a caller could make expensive work look
// cheap by cheap requests of its size. The expected bytes rise fast and fall slowly, since
// memory that was not reserved may be missing.
func (m *Meter) Observe(size int, c Cost) {
	s := &m.sizes[bucket(size)]
	follow(&s.time, max(int64(c.Time), 1), 8, 8)
	follow(&s.bytes, c.Bytes, 2, 16)
}

// follow moves an estimate toward a measurement, by 1/up of the distance if the
// measurement is larger, else by 1/down. One of two concurrent calls may be lost.
func follow(estimate *atomic.Int64, seen, up, down int64) {
	old := estimate.Load()
	part := up
	switch {
	case old == 0:
		part = 1
	case seen < old:
		part = down
	}
	if step := (seen - old) / part; step != 0 {
		estimate.CompareAndSwap(old, old+step)
	}
}

// bucket is the order of magnitude of a size to the base 2.
func bucket(size int) int { return bits.Len32(uint32(max(size, 0))) }

// A Stint measures a stretch of work that does not wait for anything. The clock would also
// count the time in which the goroutine waited for a processor, so that all work would look
// expensive on a busy server, and go to the queue.
type Stint struct {
	thread bool // by the processor time of the thread, else by the clock
	began  time.Duration
}

var start = time.Now()

// BeginStint starts to measure. If the system supports it, the goroutine is locked to its
// thread and the thread's processor time counts, else elapsed time. The same goroutine
// must call End.
func BeginStint() Stint {
	runtime.LockOSThread()
	if t, ok := threadTime(); ok {
		return Stint{true, t}
	}
	runtime.UnlockOSThread()
	return Stint{false, time.Since(start)}
}

// End returns how long the work took.
func (s Stint) End() time.Duration {
	if !s.thread {
		return time.Since(start) - s.began
	}
	t, _ := threadTime()
	runtime.UnlockOSThread()
	return t - s.began
}
