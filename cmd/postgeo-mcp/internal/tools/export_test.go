package tools

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
)

// Work runs calls as tools do, n at a time and each for at most timeout.
func Work(db *postgeo.DB, n int, timeout time.Duration) func(context.Context, func(context.Context) ([]byte, error)) ([]byte, error) {
	s := &service{db: db, timeout: timeout, slots: make(chan struct{}, n)}
	return s.work
}

// Opaque are the types in the answers of all tools whose shape no schema tells.
func Opaque(db *postgeo.DB) (types []string) {
	s := &service{db: db}
	s.addTools(mcp.NewServer(&mcp.Implementation{Name: "test"}, nil))
	for _, out := range s.outputs {
		types = append(types, out.schemas.Opaque()...)
	}
	return types
}
