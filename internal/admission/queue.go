package admission

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// ErrFull is returned by [Queue.Enter] when too many requests wait already.
var ErrFull = errors.New("admission: too many requests are waiting")

// Options configures a [Queue].
type Options struct {
	Processors int   // turns at the same time; at least 1
	Memory     int64 // bytes that all turns may reserve together
	Waiting    int   // requests that may wait; an account may have as many waiting as there is room left
}

const (
	// LendAfter is how long no cheap work arrives before expensive work may use
	// every processor.
	LendAfter = 50 * time.Millisecond

	// lead is the processor time by which an account that has computed little lately
	// goes before others. Without it, an account that comes back would start level with
	// those that compute all the time. A larger one would let callers that pause take more
	// at once.
	lead = 10 * time.Millisecond

	// slice is how long a turn lasts before [Turn.Yield] lets others go first. Yield is
	// called more often; each change of turns costs locks and a wakeup.
	slice = time.Millisecond

	pruneEvery = 1024 // entries
)

// A Queue admits work. It is safe for concurrent use.
//
// It is fair queuing by virtual time, as in network schedulers. Each account counts the
// processor time that it has used; the waiting turn of the account with the least goes next.
// The clock is the count of the account served last. An account without work does not count
// on, so on its return it is moved up to the clock minus lead: it cannot claim the hours in
// which it was away.
//
// All fields of accounts and turns are guarded by one lock, which is held for a scan of
// the waiting turns at most (2,048 in the server). Turns are granted by dispatch, which runs
// after each change; the queue has no goroutine of its own.
type Queue struct {
	o     Options
	began time.Time
	light atomic.Int64 // when cheap work last arrived, since began

	mu       sync.Mutex
	accounts map[string]*account
	waiting  []*Turn       // those that were admitted before the others, and older ones first
	clock    time.Duration // processor time used by the account that was served last
	running  int           // turns that compute; may exceed processors for a while, see Turn.Yield
	reserved int64         // bytes
	entered  int64         // turns so far
	looks    int64         // calls of next
	armed    bool          // a timer will look at the queue again
}

// An account is a caller with work in a Queue.
type account struct {
	used     time.Duration // processor time, at most a lead behind the Queue's clock when the account starts to wait
	queued   int           // turns that wait to be admitted
	open     int           // admitted turns that have not left
	reserved int64
	looked   int64 // the look (Queue.looks) that has seen the oldest of queued
	last     *Turn // the one turn of those that go last that has begun to compute
}

func (a *account) idle() bool { return a.open == 0 && a.queued == 0 }

// A Turn is work that a [Queue] admitted. It is not safe for concurrent use. The
// methods of a nil Turn, for cheap work, do nothing.
type Turn struct {
	q      *Queue
	a      *account
	ready  chan struct{} // receives when the turn may compute
	number int64         // in the order of entering

	// Guarded by the lock of the Queue.
	memory    int64         // reserved bytes
	admitted  bool          // its memory is reserved
	computing bool          // counts in Queue.running
	last      bool          // after all others
	since     time.Duration // when it began to compute, since Queue.began
	used      time.Duration // processor time so far
}

// NewQueue returns an empty queue.
func NewQueue(o Options) *Queue {
	o.Processors = max(o.Processors, 1)
	q := &Queue{o: o, began: time.Now(), accounts: map[string]*account{}}
	q.light.Store(int64(-2 * LendAfter)) // long ago
	return q
}

func (q *Queue) now() time.Duration { return time.Since(q.began) }

// Light notes that cheap work has arrived. Work of an account that has computed little
// lately counts, too.
func (q *Queue) Light() { q.light.Store(int64(q.now())) }

// Stats is the state of a [Queue].
type Stats struct {
	Running, Waiting int
	Reserved         int64 // bytes
}

// Stats returns the state of the queue.
func (q *Queue) Stats() Stats {
	q.mu.Lock()
	defer q.mu.Unlock()
	return Stats{q.running, len(q.waiting), q.reserved}
}

// Enter waits until a piece of work of the account may compute, and reserves
// memory for it, in bytes. The caller must call [Turn.Leave]. It fails with
// [ErrFull], or with the context's error.
func (q *Queue) Enter(ctx context.Context, name string, memory int64) (*Turn, error) {
	q.mu.Lock()
	a := q.accounts[name]
	if a == nil {
		a = new(account)
	}
	if room := q.o.Waiting - len(q.waiting); room <= 0 || a.queued > 0 && a.queued >= room {
		q.mu.Unlock()
		return nil, ErrFull
	}
	if a.idle() {
		a.used = max(a.used, q.clock-lead)
		if q.running > 0 && a.used <= q.clock-lead/2 {
			q.Light() // a processor is kept free for it as for cheap work
		}
	}
	if q.entered++; q.entered%pruneEvery == 0 {
		for name, a := range q.accounts { // forget those without work, unless they have used up their lead
			if a.idle() && (a.used <= q.clock-lead || q.running == 0) {
				delete(q.accounts, name)
			}
		}
	}
	q.accounts[name] = a
	t := &Turn{q: q, a: a, number: q.entered, memory: memory, ready: make(chan struct{}, 1)}
	a.queued++
	q.line(t)
	q.dispatch()
	q.mu.Unlock()
	if err := t.wait(ctx); err != nil {
		t.Leave()
		return nil, err
	}
	return t, nil
}

// line lets a turn wait for a processor.
func (q *Queue) line(t *Turn) {
	at, _ := slices.BinarySearchFunc(q.waiting, t, func(x, t *Turn) int {
		switch {
		case x.admitted == t.admitted:
			return int(x.number - t.number)
		case x.admitted:
			return -1
		}
		return 1
	})
	q.waiting = slices.Insert(q.waiting, at, t)
}

// processors returns the current number of turns.
func (q *Queue) processors() int {
	if q.o.Processors > 1 && q.lent() <= 0 {
		return q.o.Processors - 1
	}
	return q.o.Processors
}

// lent returns for how long the last processor has been lent, or with its sign
// turned, how long that takes from now.
func (q *Queue) lent() time.Duration { return q.now() - time.Duration(q.light.Load()) - LendAfter }

// dispatch hands out free turns. If the last processor may be lent soon, a timer looks at
// the queue again.
func (q *Queue) dispatch() {
	for len(q.waiting) > 0 && q.running < q.processors() {
		at := q.next()
		if at < 0 {
			return
		}
		t := q.waiting[at]
		q.waiting = slices.Delete(q.waiting, at, at+1)
		if !t.admitted {
			t.admitted = true
			t.a.queued--
			t.a.open++
			q.reserve(t, t.memory)
		}
		if t.last {
			t.a.last = t
		}
		q.start(t)
		t.ready <- struct{}{} // has room for one, and a turn waits once at a time
	}
	// Nothing else would call dispatch: the last processor gets free by time alone.
	if len(q.waiting) > 0 && q.running < q.o.Processors && !q.armed {
		q.armed = true
		time.AfterFunc(max(-q.lent(), time.Millisecond), func() {
			q.mu.Lock()
			defer q.mu.Unlock()
			q.armed = false
			q.dispatch()
		})
	}
}

// next returns the place of the turn that goes first: that of the account with the least
// processor time, or -1 if none may go now. Turns that go last follow all others; of these
// an account computes one at a time.
func (q *Queue) next() int {
	due := -1
	q.looks++
	for i, t := range q.waiting {
		a := t.a
		if !t.admitted {
			if a.looked == q.looks || !q.fits(a, t.memory) { // newer work does not overtake older of the account
				a.looked = q.looks
				continue
			}
			a.looked = q.looks
		}
		if t.last && a.last != nil && a.last != t {
			continue
		}
		if due < 0 || t.last != q.waiting[due].last && !t.last || t.last == q.waiting[due].last && a.used < q.waiting[due].a.used {
			due = i
		}
	}
	return due
}

// fits reports whether an account may reserve n more bytes. An account without
// reservations may take all free memory, any other as much as it leaves free.
// A request larger than the whole memory runs alone: refusing it would fail it every time.
func (q *Queue) fits(a *account, n int64) bool {
	free := q.o.Memory - q.reserved
	if a.reserved == 0 {
		return n <= free || q.reserved == 0
	}
	return a.reserved+n <= free-n
}

// start begins the computing of a turn. The clock never goes back: accounts with a lead are
// behind it.
func (q *Queue) start(t *Turn) {
	q.running++
	q.clock = max(q.clock, t.a.used)
	t.computing, t.since = true, q.now()
}

// stop ends the computing of a turn and charges its account.
func (q *Queue) stop(t *Turn) {
	if t.computing {
		q.running--
		t.computing = false
		took := q.now() - t.since
		t.used += took
		t.a.used += took
	}
}

func (q *Queue) reserve(t *Turn, n int64) {
	t.a.reserved += n
	q.reserved += n
}

// change calls f with the lock of the queue, and hands out the turns that are free then.
func (t *Turn) change(f func(q *Queue)) {
	if t != nil {
		t.q.mu.Lock()
		defer t.q.mu.Unlock()
		f(t.q)
		t.q.dispatch()
	}
}

// wait waits until the turn may compute. If that fails, the turn does not
// wait any longer and does not compute.
func (t *Turn) wait(ctx context.Context) error {
	select {
	case <-t.ready:
		return nil
	case <-ctx.Done():
	}
	t.change(func(q *Queue) {
		if i := slices.Index(q.waiting, t); i >= 0 {
			q.waiting = slices.Delete(q.waiting, i, i+1)
			if !t.admitted {
				t.a.queued--
			}
			return
		}
		<-t.ready // granted at the same time; a grant left there would end a later wait at once
		q.stop(t)
	})
	return ctx.Err()
}

// Pause gives the processor to others and keeps the memory.
func (t *Turn) Pause() { t.change(func(q *Queue) { q.stop(t) }) }

// Resume waits until a paused turn may compute again.
func (t *Turn) Resume(ctx context.Context) error {
	return t.waitIf(ctx, func(*Queue) bool { return t.admitted && !t.computing })
}

// waitIf waits until the turn may compute if a condition holds.
func (t *Turn) waitIf(ctx context.Context, condition func(q *Queue) bool) error {
	waits := false
	t.change(func(q *Queue) {
		if waits = condition(q); waits {
			q.line(t)
		}
	})
	if waits {
		return t.wait(ctx)
	}
	return nil
}

// Yield lets waiting work of accounts with less processor time go first if the turn has
// computed for a while, and cheap work if that needs the processor. Call it between the
// parts of long work.
func (t *Turn) Yield(ctx context.Context) error {
	return t.waitIf(ctx, func(q *Queue) bool {
		needed := q.running > q.processors()
		if !t.computing || !needed && q.now()-t.since < slice {
			return false
		}
		q.stop(t) // charge the time used so far
		if needed || len(q.waiting) > 0 {
			return true
		}
		q.start(t)
		return false
	})
}

// GoLast gives a paused turn the lowest priority. Of these turns, an account runs one
// at a time.
func (t *Turn) GoLast() { t.change(func(*Queue) { t.last = true }) }

// Reserve changes the reserved memory without waiting. The size of a response is known
// only when it is encoded; waiting for memory with it in memory would gain nothing.
func (t *Turn) Reserve(memory int64) {
	t.change(func(q *Queue) {
		if t.admitted {
			q.reserve(t, memory-t.memory)
			t.memory = memory
		}
	})
}

// Used returns the processor time so far.
func (t *Turn) Used() (used time.Duration) {
	t.change(func(q *Queue) {
		if used = t.used; t.computing {
			used += q.now() - t.since
		}
	})
	return used
}

// Leave ends the work. It may be called again.
func (t *Turn) Leave() {
	t.change(func(q *Queue) {
		if t.admitted {
			q.stop(t)
			q.reserve(t, -t.memory)
			t.admitted, t.memory = false, 0
			t.a.open--
		}
		if t.a.last == t {
			t.a.last = nil
		}
	})
}
