package tools

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A queue limits how many calls work at once. Waiting callers take turns: each
// free place goes to the next caller, whose oldest call gets it.
type queue struct {
	mu      sync.Mutex
	free    int
	callers []*waiting // with calls that wait, in the order of their turns
}

// waiting are the calls of a caller that wait, oldest first.
type waiting struct {
	caller string
	calls  []chan struct{}
}

func newQueue(places int) *queue { return &queue{free: places} }

// enter waits for a place. It fails with the context's error.
func (q *queue) enter(ctx context.Context, caller string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	q.mu.Lock()
	if q.free > 0 {
		q.free--
		q.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	at := slices.IndexFunc(q.callers, func(w *waiting) bool { return w.caller == caller })
	if at < 0 {
		at = len(q.callers)
		q.callers = append(q.callers, &waiting{caller: caller})
	}
	q.callers[at].calls = append(q.callers[at].calls, turn)
	q.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, w := range q.callers {
		if k := slices.Index(w.calls, turn); k >= 0 {
			if w.calls = slices.Delete(w.calls, k, k+1); len(w.calls) == 0 {
				q.callers = slices.Delete(q.callers, i, i+1)
			}
			return ctx.Err()
		}
	}
	q.pass() // the turn came together with the end of the context
	return ctx.Err()
}

func (q *queue) leave() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pass()
}

// pass gives a place to the next caller, who then waits behind the others.
func (q *queue) pass() {
	if len(q.callers) == 0 {
		q.free++
		return
	}
	w := q.callers[0]
	q.callers = append(q.callers[:0], q.callers[1:]...)
	turn := w.calls[0]
	if w.calls = w.calls[1:]; len(w.calls) > 0 {
		q.callers = append(q.callers, w)
	}
	close(turn)
}

type callerKey struct{}

// WithCaller returns a context whose calls belong to a caller. Calls without a
// caller belong to their session.
func WithCaller(ctx context.Context, caller string) context.Context {
	return context.WithValue(ctx, callerKey{}, caller)
}

// Caller returns the caller of a context, or "".
func Caller(ctx context.Context) string {
	caller, _ := ctx.Value(callerKey{}).(string)
	return caller
}

func callerOf(ctx context.Context, session *mcp.ServerSession) string {
	if caller := Caller(ctx); caller != "" {
		return caller
	}
	return fmt.Sprintf("session %p", session)
}
