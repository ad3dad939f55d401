package tools_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/cmd/postgeo-mcp/internal/tools"
)

// Callers take turns, whatever one of them has waiting, and calls whose context
// ends leave the queue.
func TestQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := tools.NewQueue(1)
		if err := q.Enter(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		var order []string
		note := func(name string) {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, name)
		}
		var wg sync.WaitGroup
		wait := func(ctx context.Context, caller, name string) {
			wg.Go(func() {
				if err := q.Enter(ctx, caller); err != nil {
					note(name + " left")
					return
				}
				note(name)
				q.Leave()
			})
			synctest.Wait() // it waits before the next one comes
		}
		gone, cancel := context.WithCancel(t.Context())
		wait(t.Context(), "a", "a1")
		wait(gone, "a", "a2")
		wait(t.Context(), "a", "a3")
		wait(t.Context(), "a", "a4")
		wait(gone, "c", "c1")
		wait(t.Context(), "b", "b1")
		wait(t.Context(), "b", "b2")
		cancel()
		synctest.Wait()
		if n := q.Waiting(); n != 5 {
			t.Errorf("%d calls wait, want 5", n)
		}
		mu.Lock()
		left := len(order)
		mu.Unlock()
		q.Leave()
		wg.Wait()
		if diff := cmp.Diff([]string{"a1", "b1", "a3", "b2", "a4"}, order[left:]); diff != "" || left != 2 {
			t.Errorf("%d calls left; the order is (-want +got):\n%s", left, diff)
		}
		if err := q.Enter(gone, "a"); !errors.Is(err, context.Canceled) {
			t.Errorf("with a canceled context: %v", err)
		}
		if err := q.Enter(t.Context(), "d"); err != nil {
			t.Errorf("the place is lost: %v", err)
		}
	})
}

// Places are neither lost nor made when contexts end while turns come.
func TestQueueUnderLoad(t *testing.T) {
	q := tools.NewQueue(2)
	var mu sync.Mutex
	working, most := 0, 0
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%20)*100*time.Microsecond)
			defer cancel()
			if q.Enter(ctx, string(rune('a'+i%5))) != nil {
				return
			}
			defer q.Leave()
			mu.Lock()
			working++
			most = max(most, working)
			mu.Unlock()
			time.Sleep(100 * time.Microsecond)
			mu.Lock()
			working--
			mu.Unlock()
		})
	}
	wg.Wait()
	if most > 2 || q.Waiting() != 0 {
		t.Errorf("%d calls worked at once, %d wait", most, q.Waiting())
	}
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		if err := q.Enter(ctx, "z"); err != nil {
			t.Fatal("a place is lost")
		}
		cancel()
	}
}
