// Package program runs commands and measures them.
package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// Usage is the time and the memory of a command.
type Usage struct {
	Time, Processor time.Duration
	Memory          int64 // bytes, the most at a time
}

// Run runs a command with further environment variables. The error has its output.
func Run(ctx context.Context, env []string, line ...string) (u Usage, err error) {
	c := exec.CommandContext(ctx, line[0], line[1:]...)
	c.Env = append(os.Environ(), env...)
	began := time.Now()
	if out, err := c.CombinedOutput(); err != nil {
		return u, fmt.Errorf("%s: %w\n%s", c, err, out)
	}
	u.Time, u.Processor = time.Since(began), c.ProcessState.UserTime()+c.ProcessState.SystemTime()
	usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return u, errors.New("the system does not report the memory of a process")
	}
	u.Memory = usage.Maxrss << 10
	return u, nil
}
