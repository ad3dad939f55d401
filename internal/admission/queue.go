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
	// goes before others.
	lead = 10 * time.Millisecond

	// slice is how long a turn lasts before [Turn.Yield] lets others go first.
	slice = time.Millisecond

	pruneEvery = 1024 // entries
)

// A Queue admits work. It is safe for concurrent use.
type Queue struct {
	o     Options
	began time.Time
	light atomic.Int64 // when cheap work last arrived, since began

	mu       sync.Mutex
	accounts map[string]*account
	clock    time.Duration // processor time used by the account that was served last
	waiting  int
	running  int
	reserved int64
	entered  int64 // turns so far
	armed    bool  // a timer will look at the queue again
}

// An account is a caller with work in a Queue.
type account struct {
	used     time.Duration // processor time, at most a lead behind the Queue's clock when the account starts to wait
	turns    []*Turn       // waiting ones: those that were admitted before the others, and older ones first
	queued   int           // of turns: those that wait to be admitted
	open     int           // admitted turns that have not left
	reserved int64
	lastTurn *Turn // the one turn of those that go last that has begun to compute
}

// A Turn is work that a [Queue] admitted. It is not safe for concurrent use. The
// methods of a nil Turn, for cheap work, do nothing.
type Turn struct {
	q      *Queue
	a      *account
	name   string        // of the account
	ready  chan struct{} // receives when the turn may compute
	number int64         // in the order of entering

	// Guarded by the lock of the Queue.
	memory    int64 // reserved bytes
	admitted  bool
	computing bool
	last      bool // after all others
	since     time.Duration
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
	return Stats{q.running, q.waiting, q.reserved}
}

// Enter waits until a piece of work of the account may compute, and reserves
// memory for it, in bytes. The caller must call [Turn.Leave]. It fails with
// [ErrFull], or with the context's error.
func (q *Queue) Enter(ctx context.Context, name string, memory int64) (*Turn, error) {
	q.mu.Lock()
	if q.entered++; q.entered%pruneEvery == 0 {
		for name, a := range q.accounts {
			q.forget(name, a)
		}
	}
	a := q.accounts[name]
	if a == nil {
		a = new(account)
		q.accounts[name] = a
	}
	idle := a.idle()
	if idle { // it starts at most by a lead before the account that was served last
		a.used = max(a.used, q.clock-lead)
	}
	if room := q.o.Waiting - q.waiting; room <= 0 || a.queued > 0 && a.queued >= room {
		q.forget(name, a)
		q.mu.Unlock()
		return nil, ErrFull
	}
	if q.running > 0 && idle && a.used <= q.clock-lead/2 {
		q.Light() // beside the work of others it is
	}
	t := &Turn{q: q, a: a, name: name, number: q.entered, memory: memory, ready: make(chan struct{}, 1)}
	q.line(t)
	q.mu.Unlock()
	if err := t.wait(ctx); err != nil {
		t.Leave()
		return nil, err
	}
	return t, nil
}

func (a *account) idle() bool { return a.open == 0 && a.queued == 0 }

// forget drops an account that has nothing in the queue, unless it has used up its lead
// before others that do.
func (q *Queue) forget(name string, a *account) {
	if a.idle() && (a.used <= q.clock-lead || q.running == 0 && q.waiting == 0) {
		delete(q.accounts, name)
	}
}

// line lets a turn wait for a processor.
func (q *Queue) line(t *Turn) {
	at := slices.IndexFunc(t.a.turns, func(x *Turn) bool {
		return t.admitted && !x.admitted || t.admitted == x.admitted && t.number < x.number
	})
	if at < 0 {
		at = len(t.a.turns)
	}
	t.a.turns = slices.Insert(t.a.turns, at, t)
	q.count(t, 1)
	q.dispatch()
}

// count counts a turn that waits, or no longer waits.
func (q *Queue) count(t *Turn, n int) {
	q.waiting += n
	if !t.admitted {
		t.a.queued += n
	}
}

// remove takes a turn out of those that wait.
func (q *Queue) remove(t *Turn) {
	if i := slices.Index(t.a.turns, t); i >= 0 {
		t.a.turns = slices.Delete(t.a.turns, i, i+1)
		q.count(t, -1)
	}
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
	for q.waiting > 0 && q.running < q.processors() {
		t := q.next()
		if t == nil {
			return
		}
		q.grant(t)
	}
	if q.waiting > 0 && q.running < q.o.Processors && !q.armed {
		q.armed = true
		time.AfterFunc(max(-q.lent(), time.Millisecond), func() {
			q.mu.Lock()
			defer q.mu.Unlock()
			q.armed = false
			q.dispatch()
		})
	}
}

// next returns the turn of the account with the least processor time. Turns that go
// last follow all others.
func (q *Queue) next() (due *Turn) {
	for _, a := range q.accounts {
		t := q.head(a)
		if t == nil {
			continue
		}
		if due == nil || t.last != due.last && due.last || t.last == due.last && a.used < due.a.used {
			due = t
		}
	}
	return due
}

// head returns the turn of an account that is to go first, or nil if none may go now.
// New work goes before turns that go last. Of these, one computes at a time.
func (q *Queue) head(a *account) (last *Turn) {
	for _, t := range a.turns {
		switch {
		case !t.admitted && q.fits(a, t.memory), t.admitted && !t.last:
			return t
		case !t.admitted:
			return last
		case last == nil && (a.lastTurn == nil || a.lastTurn == t):
			last = t
		}
	}
	return last
}

// fits reports whether an account may reserve n more bytes. An account without
// reservations may take all free memory, any other as much as it leaves free.
// A request larger than the whole memory runs alone.
func (q *Queue) fits(a *account, n int64) bool {
	free := q.o.Memory - q.reserved
	if a.reserved == 0 {
		return n <= free || q.reserved == 0
	}
	return a.reserved+n <= free-n
}

// grant lets a waiting turn compute.
func (q *Queue) grant(t *Turn) {
	q.remove(t)
	if !t.admitted {
		t.admitted = true
		t.a.open++
		q.reserve(t, t.memory)
	}
	if t.last {
		t.a.lastTurn = t
	}
	q.start(t)
	t.ready <- struct{}{}
}

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
		q.remove(t)
		select {
		case <-t.ready: // granted at the same time
			q.stop(t)
		default:
		}
	})
	return ctx.Err()
}

// Pause gives the processor to others and keeps the memory.
func (t *Turn) Pause() { t.change(func(q *Queue) { q.stop(t) }) }

// Resume waits until a paused turn may compute again.
func (t *Turn) Resume(ctx context.Context) error {
	waits := false
	t.change(func(q *Queue) {
		if waits = t.admitted && !t.computing; waits {
			q.line(t)
		}
	})
	if !waits {
		return nil
	}
	return t.wait(ctx)
}

// Yield lets waiting work of accounts with less processor time go first if the turn has
// computed for a while, and cheap work if that needs the processor. Call it between the
// parts of long work.
func (t *Turn) Yield(ctx context.Context) error {
	waits := false
	t.change(func(q *Queue) {
		needed := q.running > q.processors()
		if !t.computing || !needed && q.now()-t.since < slice {
			return
		}
		q.stop(t) // charge the time used so far
		if waits = q.waiting > 0 || needed; waits {
			q.line(t)
		} else {
			q.start(t)
		}
	})
	if !waits {
		return nil
	}
	return t.wait(ctx)
}

// GoLast gives a paused turn the lowest priority. Of these turns, an account runs one
// at a time.
func (t *Turn) GoLast() { t.change(func(*Queue) { t.last = true }) }

// Reserve changes the reserved memory without waiting.
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
		if t.a.lastTurn == t {
			t.a.lastTurn = nil
		}
		q.forget(t.name, t.a)
	})
}
