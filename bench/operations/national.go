package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/bench/internal/program"
	"github.com/postgeo/postgeo/bench/internal/results"
)

// national builds datasets of a mirror's files and prints what that takes, and how long
// the first use of the largest takes. Its files lie in the cache of the system.
func national(ctx context.Context, data, command, mirror string, count int) error {
	builds := results.Table{Title: "builds", Columns: []string{"layers", "time", "processor time", "memory", "file"}}
	for _, layers := range []string{"identity", "all"} {
		fmt.Fprintln(os.Stderr, "build of layers", layers)
		_, cells, err := program.Build(ctx, data, command, "dataset", "build", "--mirror", mirror, "--offline", "--layers", layers, "-o", data)
		if err != nil {
			return err
		}
		builds.Add(append([]any{layers}, cells...)...)
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
	table.Add("memory of a prepared dataset", results.Megabytes(float64(heap)))
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
