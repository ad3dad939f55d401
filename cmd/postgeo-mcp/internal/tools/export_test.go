package tools

import (
	"context"
	"time"

	"github.com/postgeo/postgeo"
)

// Work runs calls as tools do, n at a time and each for at most timeout.
func Work(db *postgeo.DB, n int, timeout time.Duration) func(context.Context, func(context.Context) ([]byte, error)) ([]byte, error) {
	s := &service{db: db, timeout: timeout, slots: make(chan struct{}, n)}
	return s.work
}
