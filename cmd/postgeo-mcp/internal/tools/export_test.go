package tools

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/operation/operationtest"
)

// Work runs calls as tools do, n at a time and each for at most timeout.
func Work(db *postgeo.DB, n int, timeout time.Duration) func(context.Context, func(context.Context) ([]byte, error)) ([]byte, error) {
	s := &service{db: db, timeout: timeout}
	places := newQueue(n)
	return func(ctx context.Context, call func(context.Context) ([]byte, error)) ([]byte, error) {
		return s.work(ctx, places, "test", call)
	}
}

// Planted returns a server with an invented operation.
func Planted() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "planted"}, nil)
	s := &service{timeout: time.Minute, most: DefaultMaxResult, light: newQueue(1), tools: []string{AllTools}}
	add(server, s, operationtest.Echo, tool{}, (*operationtest.EchoInput).Run)
	return server
}
