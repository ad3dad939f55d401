// Package program starts benchmarks, runs commands and measures them.
package program

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/postgeo/postgeo/bench/internal/results"
)

// Main parses the flags and runs a benchmark until it ends or is interrupted, with a
// folder that is removed afterwards. The process exits with 1 after an error.
func Main(name string, run func(ctx context.Context, dir string) error) {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	dir, err := os.MkdirTemp("", "postgeo-"+name+"-")
	if err == nil {
		err = errors.Join(run(ctx, dir), os.RemoveAll(dir))
	}
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// Usage is the time and the memory of a command.
type Usage struct {
	Time, Processor time.Duration
	Memory          int64 // bytes, the most at a time
}

// Run runs a command with further environment variables. The error has its output. The
// command starts as a copy of this process, and Linux counts that memory too. It is an
// error if this process has used more than the command.
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
	var own syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err != nil {
		return u, err
	}
	if usage.Maxrss <= own.Maxrss {
		return u, fmt.Errorf("%s: its memory is unknown, because this process has used %d KB itself", c, own.Maxrss)
	}
	u.Memory = usage.Maxrss << 10
	return u, nil
}

// Build runs a command that writes a dataset. It returns the size of the file, and the
// cells of a table: time, processor time, memory and size.
func Build(ctx context.Context, file string, line ...string) (size int64, cells []any, err error) {
	u, err := Run(ctx, nil, line...)
	if err != nil {
		return 0, nil, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return 0, nil, err
	}
	return info.Size(), append(u.Cells(), results.Megabytes(float64(info.Size()))), nil
}

// Cells returns the cells of a table: time, processor time and memory.
func (u Usage) Cells() []any {
	return []any{results.Duration(float64(u.Time)), results.Duration(float64(u.Processor)), results.Megabytes(float64(u.Memory))}
}
