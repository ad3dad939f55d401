// Command truth compares package geo with PostGIS and GeographicLib and
// prints tables in Markdown. It is started by run.sh, which starts the
// database; PGHOST and its like say where it is.
//
// It exits with status 1 when a difference is larger than it may be.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A check is one comparison. It prints its table and returns how many
// differences were larger than they may be.
type check struct {
	name string
	run  func(context.Context, *world) (failures int, err error)
}

var checks = []check{
	{"geodesics", compareGeodesics},
	{"lists", compareLists},
	{"contains", compareContains},
	{"shares", compareShares},
}

func main() {
	names := make([]string, len(checks))
	for i, c := range checks {
		names[i] = c.name
	}
	mirror := flag.String("mirror", filepath.Join("..", "shared", "data", "mirror"), "folder with the publishers' `files` under their addresses")
	seed := flag.Uint64("seed", 1, "seed of the random cases")
	parts := flag.String("part", strings.Join(names, ","), "what to compare")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	w := &world{mirror: *mirror, seed: *seed}
	failures := 0
	for _, c := range checks {
		if !slices.Contains(strings.Split(*parts, ","), c.name) {
			continue
		}
		start := time.Now()
		n, err := c.run(ctx, w)
		if err != nil {
			fmt.Fprintf(os.Stderr, "truth: %s: %v\n", c.name, err)
			os.Exit(1)
		}
		fmt.Fprintf(os.Stderr, "%s: %d failures, %.0f s\n", c.name, n, time.Since(start).Seconds())
		failures += n
	}
	if failures > 0 {
		os.Exit(1)
	}
}
