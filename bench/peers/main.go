// Command peers measures searches by package geo and by its peers, and prints a
// table in Markdown. It is started by run.sh, which starts PostGIS and installs
// the npm package zipcodes.
//
// All subjects search the same points, those of the npm package, and the same
// polygons, around the same 64 centers. A measurement is the fastest of several
// passes over the centers, which reduces the effect of other work on the
// machine. Each round measures every subject once. The table shows medians of
// times and ratios over the rounds.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/postgeo/postgeo/bench/internal/program"
	"github.com/postgeo/postgeo/bench/internal/results"
)

func main() {
	mirror := flag.String("mirror", filepath.Join("..", "shared", "data", "mirror"), "folder with the publishers' `files` under their addresses")
	work := flag.String("work", ".", "folder with the npm package and room for temporary files")
	rounds := flag.Int("rounds", 5, "how often to measure everything")
	program.Main("peers", func(ctx context.Context, _ string) error { return run(ctx, *mirror, *work, *rounds) })
}

func run(ctx context.Context, mirror, work string, rounds int) error {
	w, err := newWorld(ctx, mirror, work)
	if err != nil {
		return err
	}
	tasks, finish, err := w.tasks(ctx)
	if err != nil {
		return err
	}
	defer finish()
	for round := range rounds {
		for _, q := range tasks {
			for _, s := range q.subjects {
				if s.once && round > 0 {
					continue
				}
				f, err := s.measure(ctx)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", q.name, s.name, err)
				}
				s.figures = append(s.figures, f)
			}
		}
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, rounds)
	}
	fmt.Printf("\n%d points, %d polygons, %d centers, %d rounds\n", len(w.points), len(w.areas), len(w.centers), rounds)
	searches := results.Table{Title: "searches", Columns: []string{"search", columns[0], columns[1], columns[2], columns[3]}}
	subjects := results.Table{Title: "subjects", Columns: []string{"task", "subject", "runs", "found", "time", "times postgeo's", "shares off by at most"}}
	for _, q := range tasks {
		row := make([]any, len(searches.Columns))
		for i := range row {
			row[i] = ""
		}
		row[0] = q.name
		ours := q.subjects[0].figures
		for i, s := range q.subjects {
			times, ratios := make([]float64, len(s.figures)), make([]float64, len(s.figures))
			for k, f := range s.figures {
				times[k], ratios[k] = f.ns, f.ns/ours[k].ns
			}
			ratio := ""
			if i > 0 {
				ratio = fmt.Sprintf("%.0f", results.Median(ratios))
			}
			off := ""
			if s.off != nil {
				v, err := s.off(ctx)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", q.name, s.name, err)
				}
				off = fmt.Sprintf("%.2g points", v)
			}
			took := results.Duration(results.Median(times))
			if row[1+s.column] == "" {
				row[1+s.column] = took
			}
			subjects.Add(q.name, s.name, columns[s.column], fmt.Sprintf("%.1f", s.figures[0].found), took, ratio, off)
		}
		searches.Add(row...)
	}
	searches.Print(os.Stdout)
	subjects.Print(os.Stdout)
	return nil
}

// columns names the engines and their processes.
var columns = [...]string{"postgeo", `SQLite R\*Tree, in process`, "PostGIS, Unix socket", "npm zipcodes, in process"}

// Numbers of columns.
const (
	postgeo = iota
	sqlite
	postGIS
	npm
)

// A task is a search that several subjects perform, ours first.
type task struct {
	name     string
	subjects []*subject
}

// A subject is one implementation of a task. The first of an engine is in the table of
// searches.
type subject struct {
	name    string
	column  int  // in columns
	once    bool // it is too slow to be measured in every round
	measure func(context.Context) (figure, error)
	off     func(context.Context) (float64, error) // nil, or how far its shares are from ours
	figures []figure
}

// A figure is nanoseconds per search, and how many codes a search finds.
type figure struct{ ns, found float64 }

// inProcess measures a search in this process. It returns the fastest of at
// least three passes over all centers; passes are repeated for a fifth of a
// second.
func (w *world) inProcess(search func(i int) (found int, err error)) func(context.Context) (figure, error) {
	return func(ctx context.Context) (figure, error) {
		best := figure{ns: math.Inf(1)}
		start := time.Now()
		for passes := 0; passes < 3 || time.Since(start) < time.Second/5; passes++ {
			found := 0
			from := time.Now()
			for i := range w.centers {
				n, err := search(i)
				if err == nil {
					err = ctx.Err()
				}
				if err != nil {
					return figure{}, err
				}
				found += n
			}
			best.ns = min(best.ns, float64(time.Since(from).Nanoseconds())/float64(len(w.centers)))
			best.found = float64(found) / float64(len(w.centers))
		}
		return best, nil
	}
}
