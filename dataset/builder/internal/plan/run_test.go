package plan_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
)

// TestTogether checks that findings of parts that run at once have the order of the
// recipe.
func TestTogether(t *testing.T) {
	b := plan.New(nil, nil)
	second := make(chan struct{})
	strand := func(name string, wait, done chan struct{}) func(context.Context, *plan.Build) error {
		return func(ctx context.Context, b *plan.Build) error {
			return b.Do(ctx, name, func(e *plan.Env) error {
				if wait != nil {
					<-wait
				}
				e.Applied(name, "x")
				if done != nil {
					close(done)
				}
				return nil
			})
		}
	}
	if err := b.Together(t.Context(), strand("first", second, nil), strand("second", nil, second)); err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, f := range b.Notes().Rules {
		got = append(got, f.Name, b.Timings()[i].Name)
	}
	if diff := cmp.Diff([]string{"first", "first", "second", "second"}, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

// TestFailure checks that a part that fails names itself and ends the other strand.
func TestFailure(t *testing.T) {
	b := plan.New(nil, nil)
	bad := errors.New("bad")
	err := b.Together(t.Context(), func(ctx context.Context, b *plan.Build) error {
		<-ctx.Done()
		return b.Do(ctx, "late", func(*plan.Env) error { t.Error("a part begins after a failure"); return nil })
	}, func(ctx context.Context, b *plan.Build) error {
		return b.Do(ctx, "early", func(*plan.Env) error { return bad })
	})
	if !errors.Is(err, bad) || !strings.HasPrefix(err.Error(), "early: ") {
		t.Errorf("error %v", err)
	}
}
