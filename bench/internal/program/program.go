// Package program starts benchmarks, runs commands and measures them.
package program

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/postgeo/postgeo/bench/internal/results"
)

// measuring is set for a process that runs its arguments as a command and writes the
// [Usage] to the file descriptor 3. Linux counts the memory of the process that starts
// a command as the command's, too, so that a benchmark cannot start it directly.
const measuring = "POSTGEO_BENCH_MEASURES"

// Main parses the flags and runs a benchmark until it ends or is interrupted, with a
// folder that is removed afterwards. The process exits with 1 after an error.
func Main(name string, run func(ctx context.Context, dir string) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	if os.Getenv(measuring) != "" {
		code := measure(ctx, os.Args[1:])
		stop()
		os.Exit(code)
	}
	flag.Parse()
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

// measure runs a command and returns its exit code.
func measure(ctx context.Context, line []string) (code int) {
	c := exec.CommandContext(ctx, line[0], line[1:]...)
	c.Env = slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, measuring+"=") })
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	began := time.Now()
	if err := c.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	u := Usage{Time: time.Since(began), Processor: c.ProcessState.UserTime() + c.ProcessState.SystemTime()}
	if usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.Memory = usage.Maxrss << 10
	}
	if err := json.NewEncoder(os.NewFile(3, "usage")).Encode(u); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// Usage is the time and the memory of a command.
type Usage struct {
	Time, Processor time.Duration
	Memory          int64 // bytes, the most at a time
}

// Run runs a command with further environment variables, in a process that has called
// [Main]. The error has its output.
func Run(ctx context.Context, env []string, line ...string) (u Usage, err error) {
	self, err := os.Executable()
	if err != nil {
		return u, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return u, err
	}
	defer r.Close()
	c := exec.CommandContext(ctx, self, line...)
	c.Env = append(append(os.Environ(), env...), measuring+"=1")
	c.ExtraFiles = []*os.File{w}
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	out, err := c.CombinedOutput()
	// Our end of the pipe is closed before it is read, or the read would wait for it.
	if err = errors.Join(err, w.Close()); err != nil {
		return u, fmt.Errorf("%s: %w\n%s", strings.Join(line, " "), err, out)
	}
	err = json.NewDecoder(r).Decode(&u)
	return u, err
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
