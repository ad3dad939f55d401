package plan_test

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/internal/source/fetch"
)

// Tables that one step each writes.
type (
	East struct{ n int }
	West struct{ n int }
)

type goEast struct {
	*plan.Env
	East *East `writes:"rows"`
	run  func(context.Context) error
}

type goWest struct {
	*plan.Env
	West *West `writes:"rows"`
	run  func(context.Context) error
}

type sum struct {
	*plan.Env
	East   *East
	West   *West
	Output *Output `reads:"rows" writes:"rows"`
}

func (b *goEast) Run(ctx context.Context) error { b.East.n = 1; return b.run(ctx) }
func (b *goWest) Run(ctx context.Context) error { b.West.n = 2; return b.run(ctx) }
func (b *sum) Run(context.Context) error {
	if b.East.n+b.West.n != 3 {
		return errors.New("ran before the steps that it reads")
	}
	return nil
}

// bothWays runs two independent steps and one that reads the tables of both.
func bothWays(t *testing.T, east, west func(context.Context) error, source ...string) error {
	t.Helper()
	old := runtime.GOMAXPROCS(2)
	defer runtime.GOMAXPROCS(old)
	b := plan.New(nil)
	b.Give(&Output{})
	for _, id := range source {
		b.Add(&fetch.File{Source: fetch.Source{ID: id}})
	}
	return b.Run(t.Context(), []plan.Step{
		{Name: "east", Sources: source, Do: &goEast{run: east}}, {Name: "west", Sources: source, Do: &goWest{run: west}}, {Name: "sum", Do: &sum{}},
	})
}

// TestIndependentSteps lets two steps wait for each other.
func TestIndependentSteps(t *testing.T) {
	e, w := make(chan int), make(chan int)
	err := bothWays(t, func(context.Context) error { e <- 1; <-w; return nil }, func(context.Context) error { <-e; w <- 1; return nil })
	if err != nil {
		t.Error(err)
	}
}

// TestSharedSource checks that steps with a common source do not run at the same
// time.
func TestSharedSource(t *testing.T) {
	var active atomic.Int32
	run := func(context.Context) error {
		defer active.Add(-1)
		if active.Add(1) > 1 {
			return errors.New("two steps use the source")
		}
		for range 1000 {
			runtime.Gosched()
		}
		return nil
	}
	if err := bothWays(t, run, run, "rows"); err != nil {
		t.Error(err)
	}
}

// TestFailedStep checks that a failure cancels the other step, and that Run returns
// its error.
func TestFailedStep(t *testing.T) {
	bad := errors.New("bad rows")
	wait := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	fail := func(context.Context) error { return bad }
	if err := bothWays(t, fail, wait); !errors.Is(err, bad) {
		t.Errorf("error %v, want %v", err, bad)
	}
	if err := bothWays(t, wait, fail); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v and not its effect", err, bad)
	}
}
