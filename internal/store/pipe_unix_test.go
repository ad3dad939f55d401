//go:build unix

package store_test

import (
	"syscall"
	"testing"
)

// pipe makes a pipe that no process writes to.
func pipe(t *testing.T, path string) { check(t, syscall.Mkfifo(path, 0o600)) }
