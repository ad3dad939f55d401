package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/bench/internal/results"
)

// national builds datasets of a mirror's files and prints what that takes, and how long
// the first use of the largest takes. Its files lie in the cache of the system.
func national(ctx context.Context, program, mirror string, count int) error {
	dir, err := os.MkdirTemp("", "postgeo-operations-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	data := filepath.Join(dir, "national.db")
	builds := results.Table{Title: "builds", Columns: []string{"layers", "time", "processor time", "memory", "file"}}
	for _, layers := range []string{"identity", "all"} {
		fmt.Fprintln(os.Stderr, "build of layers", layers)
		c := exec.CommandContext(ctx, program, "dataset", "build", "--mirror", mirror, "--offline", "--layers", layers, "-o", data)
		began := time.Now()
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", c, err, out)
		}
		took := time.Since(began)
		info, err := os.Stat(data)
		if err != nil {
			return err
		}
		usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage)
		if !ok {
			return errors.New("the system does not report the memory of a process")
		}
		builds.Add(layers, results.Duration(float64(took)), results.Duration(float64(c.ProcessState.UserTime()+c.ProcessState.SystemTime())),
			megabytes(usage.Maxrss<<10), megabytes(info.Size()))
	}
	builds.Print(os.Stdout)

	table := results.Table{Title: "national", Columns: []string{"first use", "median"}}
	var heap int64
	for _, use := range []struct {
		name string
		use  func(*postgeo.DB) error
	}{
		{"opening", func(*postgeo.DB) error { return nil }},
		{"opening, and a quick lookup", func(db *postgeo.DB) error {
			_, err := db.QuickLookup(ctx, "90210", postgeo.QuickLookupOptions{})
			return err
		}},
		{"opening, and a full record", func(db *postgeo.DB) error {
			_, err := db.Lookup(ctx, "90210", postgeo.LookupOptions{})
			return err
		}},
		{"opening, and a search within 25 miles", func(db *postgeo.DB) error {
			_, err := db.Radius(ctx, "90210", postgeo.RadiusOptions{Max: 25})
			return err
		}},
		{"opening, and the same with shares of areas", func(db *postgeo.DB) error {
			_, err := db.Radius(ctx, "90210", postgeo.RadiusOptions{Max: 25, Mode: postgeo.Spatial})
			return err
		}},
		{"opening, and preparing all operations", func(db *postgeo.DB) error { return db.Prepare(ctx) }},
	} {
		var times []float64
		for range 2*count + 1 {
			began := time.Now()
			db, err := postgeo.Open(data)
			if err != nil {
				return err
			}
			if err := use.use(db); err != nil {
				return fmt.Errorf("%s: %w", use.name, errors.Join(err, db.Close()))
			}
			times = append(times, float64(time.Since(began)))
			heap = live()
			runtime.KeepAlive(db)
			if err := db.Close(); err != nil {
				return err
			}
		}
		table.Add(use.name, results.Duration(results.Median(times)))
	}
	table.Add("memory of a prepared dataset", megabytes(heap))
	table.Print(os.Stdout)
	return nil
}

// live returns the bytes of the heap that are in use.
func live() int64 {
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func megabytes(n int64) string { return fmt.Sprintf("%.0f MB", float64(n)/1e6) }
