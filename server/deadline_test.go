package server_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/postgeo/postgeo/server"
)

func TestDeadline(t *testing.T) {
	t.Run("past, asked", func(t *testing.T) {
		ctx := server.Deadline(t.Context(), -time.Second)
		if err := ctx.Err(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Err = %v", err)
		}
	})
	t.Run("past, waited for", func(t *testing.T) {
		ctx := server.Deadline(t.Context(), time.Millisecond)
		<-ctx.Done()
		if err := ctx.Err(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Err = %v", err)
		}
	})
	t.Run("derived contexts end with it", func(t *testing.T) {
		ctx := server.Deadline(t.Context(), time.Millisecond)
		child, cancel := context.WithCancel(ctx)
		defer cancel()
		<-child.Done()
		if err := child.Err(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Err = %v", err)
		}
	})
	t.Run("ends with its parent", func(t *testing.T) {
		parent, cancel := context.WithCancel(t.Context())
		asked, waited := server.Deadline(parent, time.Hour), server.Deadline(parent, time.Hour)
		done := waited.Done()
		if asked.Err() != nil || waited.Err() != nil {
			t.Error("ended before its parent")
		}
		cancel()
		<-done
		if !errors.Is(asked.Err(), context.Canceled) || !errors.Is(waited.Err(), context.Canceled) {
			t.Errorf("Err = %v, %v", asked.Err(), waited.Err())
		}
	})
	t.Run("keeps the nearer time and the values", func(t *testing.T) {
		type key struct{}
		parent, cancel := context.WithTimeout(context.WithValue(t.Context(), key{}, 7), time.Minute)
		defer cancel()
		ctx := server.Deadline(parent, time.Hour)
		want, _ := parent.Deadline()
		if at, ok := ctx.Deadline(); !ok || !at.Equal(want) {
			t.Errorf("Deadline = %v, %v; want %v", at, ok, want)
		}
		if got := ctx.Value(key{}); got != 7 {
			t.Errorf("Value = %v", got)
		}
	})
}
