package admission_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/admission"
)

// enter has work of an account enter the queue in the background, and returns
// where its turn arrives.
func enter(ctx context.Context, q *admission.Queue, account string, memory int64) <-chan *admission.Turn {
	got := make(chan *admission.Turn, 1)
	go func() {
		if t, err := q.Enter(ctx, account, memory); err == nil {
			got <- t
		}
	}()
	synctest.Wait()
	return got
}

// has reports whether a turn has arrived.
func has(got <-chan *admission.Turn) bool {
	synctest.Wait()
	return len(got) > 0
}

// TestTurns checks that a caller with many requests delays itself, not others:
// turns alternate between accounts that wait, whatever the order and number of
// their requests.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := admission.NewQueue(admission.Options{Processors: 1, Memory: 1 << 20, Waiting: 100})
		first := <-enter(t.Context(), q, "greedy", 1)
		var order []string
		var done sync.WaitGroup
		work := func(account string) {
			done.Go(func() {
				turn, err := q.Enter(t.Context(), account, 1)
				if err != nil {
					t.Error(err)
					return
				}
				order = append(order, account)
				time.Sleep(10 * time.Millisecond)
				turn.Leave()
			})
			synctest.Wait()
		}
		for range 6 {
			work("greedy")
		}
		work("a")
		work("b")
		work("a")
		time.Sleep(10 * time.Millisecond)
		first.Leave()
		done.Wait()
		if len(order) != 9 || order[0] == "greedy" || order[1] == "greedy" || order[0] == order[1] {
			t.Errorf("order %v; want a and b first", order)
		}
		for i, account := range order {
			if account == "a" && i > 4 {
				t.Errorf("order %v; a waits for its second turn behind more than two of greedy", order)
			}
		}
		if got := q.Stats(); got != (admission.Stats{}) {
			t.Errorf("%+v afterwards", got)
		}
	})
}

// TestCheapWork checks that expensive work leaves a processor to cheap work,
// and gets it when there has been none for a while.
func TestCheapWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := admission.NewQueue(admission.Options{Processors: 2, Memory: 1 << 20, Waiting: 10})
		q.Light()
		one := <-enter(t.Context(), q, "a", 1)
		two := enter(t.Context(), q, "b", 1)
		if has(two) {
			t.Fatal("two turns right after cheap work")
		}
		time.Sleep(admission.LendAfter / 2)
		q.Light()
		time.Sleep(admission.LendAfter * 3 / 4)
		if has(two) {
			t.Fatal("the last processor is lent too early")
		}
		time.Sleep(admission.LendAfter)
		if !has(two) {
			t.Fatal("the last processor is not lent")
		}
		// Cheap work gets it back at the next step of either.
		borrowed := <-two
		for _, light := range []bool{false, true} {
			if light {
				q.Light()
			}
			yielded := make(chan error, 1)
			go func() { yielded <- borrowed.Yield(t.Context()) }()
			synctest.Wait()
			if gives := len(yielded) == 0; gives != light {
				t.Errorf("cheap work %t: the second turn gives way: %t", light, gives)
			}
		}
		if q.Stats().Running != 1 {
			t.Errorf("%+v; want the first turn to go on alone", q.Stats())
		}
		one.Leave()
		synctest.Wait()
		if q.Stats().Running != 1 {
			t.Error("the second turn does not go on")
		}
		borrowed.Leave()
	})
}

// TestMemory checks how much each of several accounts may reserve.
func TestMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := admission.NewQueue(admission.Options{Processors: 100, Memory: 1000, Waiting: 100})
		count := func(account string, each int64) (n int, last <-chan *admission.Turn) {
			for {
				last = enter(t.Context(), q, account, each)
				if !has(last) {
					return n, last
				}
				n++
			}
		}
		a, next := count("a", 100)
		if a != 5 {
			t.Errorf("the first account has %d of 10; want half", a)
		}
		b, _ := count("b", 100)
		if b != 2 {
			t.Errorf("the second account has %d of 5 that are left; want 2", b)
		}
		if c, _ := count("c", 100); c != 1 {
			t.Errorf("the third account has %d; want one", c)
		}
		if has(next) {
			t.Error("the first account got more meanwhile")
		}
	})
	synctest.Test(t, func(t *testing.T) {
		q := admission.NewQueue(admission.Options{Processors: 2, Memory: 1000, Waiting: 100})
		large := <-enter(t.Context(), q, "a", 5000)
		small := enter(t.Context(), q, "b", 1)
		if has(small) {
			t.Error("work beside what takes more than the whole memory")
		}
		large.Reserve(10)
		if !has(small) {
			t.Error("no work although the memory was given back")
		}
		if got := q.Stats().Reserved; got != 11 {
			t.Errorf("%d bytes are reserved; want 11", got)
		}
		large.Leave()
		(<-small).Leave()
	})
}

// TestPause checks that paused work releases its processor, and resumes before
// work that has not begun.
func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := admission.NewQueue(admission.Options{Processors: 1, Memory: 1000, Waiting: 100})
		one := <-enter(t.Context(), q, "a", 1)
		two, three := enter(t.Context(), q, "a", 1), enter(t.Context(), q, "a", 1)
		one.Pause()
		if !has(two) || has(three) {
			t.Fatal("not the next one goes on")
		}
		resumed := make(chan error)
		go func() { resumed <- one.Resume(t.Context()) }()
		synctest.Wait()
		(<-two).Leave()
		if err := <-resumed; err != nil || has(three) {
			t.Fatalf("%v; work that has begun waits for new work", err)
		}
		time.Sleep(time.Millisecond)
		one.Pause()
		time.Sleep(time.Second) // it waits for something else
		if one.Used() != time.Millisecond {
			t.Errorf("%v used; want the time of computing alone", one.Used())
		}
		one.Leave()
		one.Leave() // again, without effect
		(<-three).Leave()
		if got := q.Stats(); got != (admission.Stats{}) {
			t.Errorf("%+v afterwards", got)
		}
	})
}

// TestYield checks that long work of many parts lets others go first, and does
// not stop when nobody waits.
func TestYield(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := admission.NewQueue(admission.Options{Processors: 1, Memory: 1000, Waiting: 100})
		long := <-enter(t.Context(), q, "long", 1)
		var parts atomic.Int32
		go func() {
			for range 100 {
				time.Sleep(time.Millisecond)
				parts.Add(1)
				if err := long.Yield(t.Context()); err != nil {
					t.Error(err)
				}
			}
			long.Leave()
		}()
		time.Sleep(20*time.Millisecond + time.Microsecond)
		if parts.Load() != 20 {
			t.Errorf("%d parts in 20 ms alone", parts.Load())
		}
		short := enter(t.Context(), q, "short", 1)
		time.Sleep(2 * time.Millisecond)
		if !has(short) {
			t.Fatal("long work does not let others go first")
		}
		time.Sleep(10 * time.Millisecond)
		if n := parts.Load(); n > 23 {
			t.Errorf("%d parts; long work goes on beside the other", n)
		}
		(<-short).Leave()
		time.Sleep(time.Second)
		if parts.Load() != 100 {
			t.Errorf("%d parts of 100", parts.Load())
		}
	})
}

// TestYieldToLess checks that a turn gives way to accounts with less processor time
// only, so that a short piece of work does not wait for those that compute all the time.
func TestYieldToLess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := admission.NewQueue(admission.Options{Processors: 1, Memory: 1000, Waiting: 100})
		heavy := <-enter(t.Context(), q, "heavy", 1)
		var rounds atomic.Int64
		go func() {
			defer heavy.Leave()
			for range 100 {
				time.Sleep(2 * time.Millisecond)
				rounds.Add(1)
				_ = heavy.Yield(t.Context())
			}
		}()
		time.Sleep(21 * time.Millisecond)
		short := <-enter(t.Context(), q, "short", 1)
		before := rounds.Load()
		for range 4 {
			time.Sleep(2 * time.Millisecond)
			if err := short.Yield(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if n := rounds.Load(); n > before+1 {
			t.Errorf("%d rounds of heavy work during the short one", n-before)
		}
		short.Leave()
		time.Sleep(time.Second)
		if n := rounds.Load(); n != 100 {
			t.Errorf("%d rounds of heavy work; want all", n)
		}
	})
}

// TestLast checks that turns that go last wait for everybody else's, and for
// each other.
func TestLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := admission.NewQueue(admission.Options{Processors: 2, Memory: 1000, Waiting: 100})
		resume := func(turn *admission.Turn) <-chan *admission.Turn {
			got := make(chan *admission.Turn, 1)
			go func() {
				if turn.Resume(t.Context()) == nil {
					got <- turn
				}
			}()
			synctest.Wait()
			return got
		}
		var late []*admission.Turn
		for range 2 {
			turn := <-enter(t.Context(), q, "late", 1)
			turn.Pause()
			turn.GoLast()
			late = append(late, turn)
		}
		one, two := resume(late[0]), resume(late[1])
		if !has(one) || has(two) {
			t.Fatal("not one of the turns that go last goes on")
		}
		other, third := enter(t.Context(), q, "x", 1), enter(t.Context(), q, "late", 1)
		if !has(other) || has(third) {
			t.Fatal("another account waits for one that goes last")
		}
		late[0].Leave()
		if !has(third) || has(two) {
			t.Error("a single request waits for a batch that goes last")
		}
		(<-third).Leave()
		if !has(two) {
			t.Error("the second turn that goes last does not go on")
		}
		late[1].Leave()
		(<-other).Leave()
	})
}

// TestGiveUp checks that a context ends the waiting, whatever else happens at
// the same time, and that nothing stays behind.
func TestGiveUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := admission.NewQueue(admission.Options{Processors: 1, Memory: 1000, Waiting: 2})
		one := <-enter(t.Context(), q, "a", 1)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		failed := make(chan error, 2)
		go func() {
			_, err := q.Enter(ctx, "b", 1)
			failed <- err
		}()
		synctest.Wait()
		waits := enter(t.Context(), q, "c", 1)
		if _, err := q.Enter(ctx, "d", 1); !errors.Is(err, admission.ErrFull) {
			t.Errorf("Enter = %v in a full queue; want ErrFull", err)
		}
		if err := <-failed; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Enter = %v after its time", err)
		}
		one.Pause()
		if !has(waits) {
			t.Fatal("the next one does not go on")
		}
		done, cancelNow := context.WithCancel(t.Context())
		cancelNow()
		if err := one.Resume(done); !errors.Is(err, context.Canceled) {
			t.Errorf("Resume = %v", err)
		}
		one.Leave()
		(<-waits).Leave()
		if got := q.Stats(); got != (admission.Stats{}) {
			t.Errorf("%+v afterwards", got)
		}
	})
}

// TestAccountsWait checks that an account alone may fill half of the queue, and
// that there is room for others then.
func TestAccountsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := admission.NewQueue(admission.Options{Processors: 1, Memory: 1000, Waiting: 10})
		ctx, cancel := context.WithCancel(t.Context())
		turn := <-enter(ctx, q, "a", 1)
		full := func(account string) (n int) {
			for {
				refused := make(chan bool, 1)
				go func() {
					_, err := q.Enter(ctx, account, 1)
					refused <- errors.Is(err, admission.ErrFull)
				}()
				synctest.Wait()
				if len(refused) > 0 {
					return n
				}
				n++
			}
		}
		got := []int{full("a"), full("b"), full("c"), full("d"), full("e")}
		if diff := cmp.Diff([]int{5, 3, 1, 1, 0}, got); diff != "" {
			t.Errorf("requests that may wait (-want +got):\n%s", diff)
		}
		cancel()
		turn.Leave()
	})
}

// TestNothingLeaks has many callers do everything at random times, at real
// speed, and checks that the queue is empty and idle afterwards.
func TestNothingLeaks(t *testing.T) {
	q := admission.NewQueue(admission.Options{Processors: 3, Memory: 100, Waiting: 1000})
	var computing atomic.Int32
	var callers sync.WaitGroup
	for i := range 40 {
		callers.Go(func() {
			for j := range 200 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+(i*j)%7)*100*time.Microsecond)
				turn, err := q.Enter(ctx, fmt.Sprint("account ", i%5), int64(1+j%30))
				if err == nil {
					if n := computing.Add(1); n > 3 {
						t.Errorf("%d turns compute", n)
					}
					computing.Add(-1)
					turn.Pause()
					turn.Reserve(int64(j % 50))
					if j%3 == 0 {
						turn.GoLast()
					}
					if turn.Resume(ctx) == nil {
						_ = turn.Yield(ctx)
					}
					turn.Leave()
				}
				if j%10 == 0 {
					q.Light()
				}
				cancel()
			}
		})
	}
	callers.Wait()
	if got := q.Stats(); got != (admission.Stats{}) {
		t.Errorf("%+v afterwards", got)
	}
	if n := q.Accounts(); n > 5 {
		t.Errorf("%d accounts are remembered; want at most those there were", n)
	}
}

// TestManyAccounts checks that accounts that have nothing in the queue are
// forgotten.
func TestManyAccounts(t *testing.T) {
	q := admission.NewQueue(admission.Options{Processors: 1, Memory: 100, Waiting: 10})
	for i := range 100_000 {
		turn, err := q.Enter(t.Context(), fmt.Sprint(i), 1)
		if err != nil {
			t.Fatal(err)
		}
		turn.Leave()
	}
	if n := q.Accounts(); n > 2048 {
		t.Errorf("%d accounts are remembered", n)
	}
}

// TestNoTurn checks that cheap work can do all that a turn can, without one.
func TestNoTurn(t *testing.T) {
	var turn *admission.Turn
	turn.Pause()
	turn.Reserve(1)
	turn.GoLast()
	if err := errors.Join(turn.Resume(t.Context()), turn.Yield(t.Context())); err != nil {
		t.Error(err)
	}
	turn.Leave()
}
