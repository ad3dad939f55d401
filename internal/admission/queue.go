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

	// Now returns the time since any fixed moment. nil: the monotonic clock.
	Now func() time.Duration
}

// LendAfter is how long no cheap work arrives before expensive work may use
// every processor.
const LendAfter = 50 * time.Millisecond

// lead is the processor time by which an account that has computed little lately goes
// before others.
const lead = 10 * time.Millisecond

// slice is how long a turn lasts before [Turn.Yield] lets others go first.
const slice = time.Millisecond

// A Queue admits work. It is safe for concurrent use.
type Queue struct {
	o     Options
	light atomic.Int64 // when cheap work last arrived, from o.Now

	mu       sync.Mutex
	accounts map[string]*account
	pruneAt  int           // size of accounts at which idle ones are dropped
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
	begun    []*Turn       // admitted turns that wait for a processor
	queue    []*Turn       // turns that wait to be admitted
	open     int           // admitted turns that have not left
	reserved int64
	lastTurn *Turn // the one turn of those that go last that has begun to compute
}

// NewQueue returns an empty queue.
func NewQueue(o Options) *Queue {
	o.Processors = max(o.Processors, 1)
	if o.Now == nil {
		began := time.Now()
		o.Now = func() time.Duration { return time.Since(began) }
	}
	q := &Queue{o: o, accounts: map[string]*account{}, pruneAt: 1024}
	q.light.Store(int64(-2 * LendAfter)) // long ago
	return q
}

// Light notes that cheap work has arrived. Work of an account that has computed little
// lately counts, too.
func (q *Queue) Light() { q.light.Store(int64(q.o.Now())) }

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
	a := q.account(name)
	room, mine := q.o.Waiting-q.waiting, len(a.queue)
	if room <= 0 || mine > 0 && mine >= room {
		q.forget(name, a)
		q.mu.Unlock()
		return nil, ErrFull
	}
	if q.running > 0 && a.idle() && a.used <= q.clock-lead/2 {
		q.Light() // beside the work of others it is
	}
	q.entered++
	t := &Turn{q: q, a: a, name: name, number: q.entered, memory: memory, ready: make(chan struct{}, 1)}
	a.queue = append(a.queue, t)
	q.waiting++
	q.dispatch()
	q.mu.Unlock()
	if err := t.wait(ctx); err != nil {
		t.Leave()
		return nil, err
	}
	return t, nil
}

// account returns the account with a name. One that has nothing in the queue
// starts at most by a lead before the account that was served last.
func (q *Queue) account(name string) *account {
	a := q.accounts[name]
	if a == nil {
		if len(q.accounts) >= q.pruneAt {
			q.prune()
		}
		a = new(account)
		q.accounts[name] = a
	}
	if a.idle() {
		a.used = max(a.used, q.clock-lead)
	}
	return a
}

func (a *account) idle() bool { return a.open == 0 && len(a.queue) == 0 }

// forget drops an account that has nothing in the queue, unless it has used up its lead
// before others that do.
func (q *Queue) forget(name string, a *account) {
	if a.idle() && (a.used <= q.clock-lead || q.running == 0 && q.waiting == 0) {
		delete(q.accounts, name)
	}
}

// prune drops accounts that have nothing in the queue.
func (q *Queue) prune() {
	for name, a := range q.accounts {
		q.forget(name, a)
	}
	q.pruneAt = max(1024, 2*len(q.accounts))
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
func (q *Queue) lent() time.Duration {
	return q.o.Now() - time.Duration(q.light.Load()) - LendAfter
}

// dispatch hands out free turns. The Queue is locked.
func (q *Queue) dispatch() {
	for q.waiting > 0 && q.running < q.o.Processors {
		if q.running >= q.processors() {
			q.arm()
			return
		}
		t := q.next()
		if t == nil {
			return
		}
		q.grant(t)
	}
}

// arm looks at the queue again when the last processor is lent.
func (q *Queue) arm() {
	if q.armed {
		return
	}
	q.armed = true
	time.AfterFunc(max(-q.lent(), time.Millisecond), func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.armed = false
		q.dispatch()
	})
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

// head returns the turn of an account that is to go first, or nil if none may
// go now.
func (q *Queue) head(a *account) (last *Turn) {
	for _, t := range a.begun {
		if !t.last {
			return t
		}
		if last == nil && (a.lastTurn == nil || a.lastTurn == t) {
			last = t
		}
	}
	if len(a.queue) > 0 && q.fits(a, a.queue[0].memory) {
		return a.queue[0]
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

// remove takes a turn out of those that wait.
func (q *Queue) remove(t *Turn) {
	list := &t.a.queue
	if t.admitted {
		list = &t.a.begun
	}
	if i := slices.Index(*list, t); i >= 0 {
		*list = slices.Delete(*list, i, i+1)
		q.waiting--
	}
}

func (q *Queue) start(t *Turn) {
	q.running++
	q.clock = max(q.clock, t.a.used)
	t.computing, t.since = true, q.o.Now()
}

// stop ends the computing of a turn and charges its account.
func (q *Queue) stop(t *Turn) {
	if t.computing {
		q.running--
		t.computing = false
		took := q.o.Now() - t.since
		t.used += took
		t.a.used += took
	}
}

func (q *Queue) reserve(t *Turn, n int64) {
	t.a.reserved += n
	q.reserved += n
}

func (q *Queue) leave(t *Turn) {
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
}
