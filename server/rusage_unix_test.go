//go:build unix

package server_test

import (
	"syscall"
	"time"
)

// cpuTime returns the time that this process has spent on processors. Unlike
// the time that passes it does not depend on what else a machine does.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
