package tools

import (
	"context"
	"fmt"
	"math"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo/internal/admission"
)

// newQueue returns a queue of calls that work at once. Calls that wait have no bound:
// program limits the requests of its transports.
func newQueue(places int) *admission.Queue {
	return admission.NewQueue(admission.Options{Processors: places, Waiting: math.MaxInt})
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
