package pace_test

import (
	"context"
	"errors"
	"testing"

	"github.com/postgeo/postgeo/internal/pace"
)

// Step, and Err of a checked context, return the error of the context before it gives way, and of giving way.
func TestStep(t *testing.T) {
	if err := pace.Step(t.Context()); err != nil {
		t.Error(err)
	}
	steps, away := 0, errors.New("away")
	ctx, cancel := context.WithCancel(pace.With(t.Context(), func(context.Context) error {
		if steps++; steps > 2 {
			return away
		}
		return nil
	}))
	for i, want := range []error{nil, nil, away} {
		if err := pace.Checked(ctx).Err(); !errors.Is(err, want) {
			t.Errorf("step %d: %v; want %v", i+1, err, want)
		}
	}
	cancel()
	if err := errors.Join(pace.Step(ctx), pace.Checked(ctx).Err()); !errors.Is(err, context.Canceled) || steps != 3 {
		t.Errorf("%v after %d steps; want no step after the end", err, steps)
	}
}
