package cache_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo/internal/cache"
)

// made returns a function that makes a value of 300 units.
func made(v int) func() (int, int64, error) {
	return func() (int, int64, error) { return v, 300, nil }
}

// held counts the values of the first n keys that are kept.
func held(t *testing.T, r *cache.Recent[int, int], n int) (count int) {
	t.Helper()
	for key := range n {
		if v, err := r.Get(t.Context(), key, nil); err != nil {
			t.Fatal(err)
		} else if v != 0 {
			count++
		}
	}
	return count
}

// TestRecentLimit passes values through a small cache: they never exceed the limit,
// and what is used most stays.
func TestRecentLimit(t *testing.T) {
	const limit, often = 3_100, 1000
	r := cache.NewRecent[int, int](limit)
	get := func(key int, create func() (int, int64, error)) int {
		t.Helper()
		v, err := r.Get(t.Context(), key, create)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	get(often, made(9))
	for key := 1; key < 50; key++ {
		if v := get(key, made(key)); v != key {
			t.Fatalf("key %d has the value %d", key, v)
		}
		if get(often, nil) != 9 {
			t.Fatalf("the value that is used most was dropped after %d others", key)
		}
		if _, used := r.Size(); used > limit {
			t.Fatalf("the values have a size of %d, want at most %d", used, limit)
		}
	}
	if get(1, nil) != 0 || get(49, nil) != 49 {
		t.Error("it is not the oldest that was dropped")
	}
	if _, used := r.Size(); used != 10*300 || held(t, r, 1001) != 10 {
		t.Errorf("%d values have a size of %d, want 10 of 300", held(t, r, 1001), used)
	}
	r.SetLimit(600)
	if limit, used := r.Size(); limit != 600 || used != 600 || held(t, r, 1001) != 2 {
		t.Errorf("a lower limit keeps %d values of a size of %d", held(t, r, 1001), used)
	}
	r.SetLimit(-1)
	if v := get(7, made(7)); v != 7 || held(t, r, 1001) != 0 {
		t.Errorf("without a limit above 0, a value is %d, and %d are kept", v, held(t, r, 1001))
	}
}

// TestRecentHerd requests one value in many goroutines: one makes it.
func TestRecentHerd(t *testing.T) {
	r := cache.NewRecent[int, int](1 << 20)
	var makes atomic.Int32
	begun, finish := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			v, err := r.Get(t.Context(), 5, func() (int, int64, error) {
				if makes.Add(1) == 1 {
					close(begun)
				}
				<-finish
				return 5, 1, nil
			})
			if err != nil || v != 5 {
				t.Errorf("a goroutine got %v, %v", v, err)
			}
		})
	}
	<-begun
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := r.Get(ctx, 5, made(5)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the call that cannot wait got %v", err)
	}
	close(finish)
	wg.Wait()
	if n := makes.Load(); n != 1 {
		t.Errorf("the value was made %d times", n)
	}
}

// TestRecentFail verifies that a caller that gives up does not fail the others. All
// that wait get another error, which is not kept.
func TestRecentFail(t *testing.T) {
	for name, fault := range map[string]error{"given up": context.Canceled, "broken": errors.New("broken")} {
		t.Run(name, func(t *testing.T) {
			r := cache.NewRecent[int, int](1 << 20)
			begun, finish := make(chan struct{}), make(chan struct{})
			var wg sync.WaitGroup
			wg.Go(func() {
				_, err := r.Get(t.Context(), 1, func() (int, int64, error) {
					close(begun)
					<-finish
					return 0, 0, fault
				})
				if !errors.Is(err, fault) {
					t.Errorf("the call that makes it got %v", err)
				}
			})
			<-begun
			wg.Go(func() {
				v, err := r.Get(t.Context(), 1, made(1))
				if errors.Is(fault, context.Canceled) && (err != nil || v != 1) || err != nil && !errors.Is(err, fault) {
					t.Errorf("the call that waits got %v, %v", v, err)
				}
			})
			close(finish)
			wg.Wait()
			if v, err := r.Get(t.Context(), 1, made(1)); err != nil || v != 1 {
				t.Errorf("later: %v, %v", v, err)
			}
		})
	}
}

// TestRecentPanic verifies that a panic leaves no goroutine waiting.
func TestRecentPanic(t *testing.T) {
	r := cache.NewRecent[int, int](1 << 20)
	func() {
		defer func() {
			if p := recover(); p != "x" {
				t.Errorf("recovered %v", p)
			}
		}()
		_, err := r.Get(t.Context(), 1, func() (int, int64, error) { panic("x") })
		t.Errorf("no panic, %v", err)
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if v, err := r.Get(ctx, 1, made(1)); err != nil || v != 1 {
		t.Errorf("later: %v, %v", v, err)
	}
}

// TestRecentConcurrent has goroutines request more than fits.
func TestRecentConcurrent(t *testing.T) {
	const limit, keys = 3_000, 40
	r := cache.NewRecent[int, int](limit)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 3))
			for range 500 {
				key := 1 + rng.IntN(keys)
				if v, err := r.Get(t.Context(), key, made(key)); err != nil || v != key {
					t.Errorf("key %d has the value %d, %v", key, v, err)
					return
				}
			}
		})
	}
	wg.Wait()
	if _, used := r.Size(); used > limit || used == 0 || int64(held(t, r, keys+1))*300 != used {
		t.Errorf("%d values have a size of %d", held(t, r, keys+1), used)
	}
}
