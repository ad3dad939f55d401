// Command storelocator lists the stores nearest to a customer. The stores are a CSV file
// with a postal code each; the customer gives a ZIP Code, a Canadian postal code or a
// coordinate.
//
// It measures the distance to every store with one call, which is the simplest way for a
// chain of some thousand stores. For many customers and millions of places see
// enrich.Places, which builds an index once.
//
//	go run ./examples/storelocator 98112
//	go run ./examples/storelocator -stores mine.csv 47.6,-122.3
package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/examples/internal/input"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

//go:embed stores.csv
var storesCSV string

// A store is a row of stores.csv.
type store struct{ name, code string }

func main() {
	file := flag.String("stores", "", "CSV `file` with the columns name and code; without one the stores of the example")
	most := flag.Int("most", 3, "how many stores")
	flag.Parse()
	where := cmp.Or(strings.Join(flag.Args(), " "), "98112")
	if err := run(context.Background(), os.Stdout, *file, where, *most); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, file, where string, most int) error {
	db, err := input.Dataset()
	if err != nil {
		return err
	}
	defer db.Close()

	stores, codes, err := readFile(ctx, db, file)
	if err != nil {
		return err
	}
	// One row of a matrix: from the customer to every store. Distances are geodesics, "as the
	// crow flies"; driving takes longer.
	m, err := db.DistanceMatrix(ctx, []string{where}, codes, radius.DistanceOptions{})
	if err != nil {
		return err
	}
	order := make([]int, len(stores))
	for i := range order {
		order[i] = i
	}
	// Stable, so that two stores of one code keep the order of the file.
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(m.Miles[0][a], m.Miles[0][b]) })

	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, i := range order[:max(0, min(most, len(order)))] {
		fmt.Fprintf(t, "%s\t%s %s\t%.1f miles\n", stores[i].name, m.To[i].City, stores[i].code, float64(m.Miles[0][i]))
	}
	return t.Flush()
}

// readFile reads the stores of a file, by default those of the example.
func readFile(ctx context.Context, db *postgeo.DB, file string) (stores []store, codes []string, err error) {
	if file == "" {
		return readStores(ctx, db, "stores.csv", strings.NewReader(storesCSV))
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	return readStores(ctx, db, file, f)
}

func readStores(ctx context.Context, db *postgeo.DB, name string, r io.Reader) (stores []store, codes []string, err error) {
	table, err := input.Read(name, r, "name", "code")
	if err != nil {
		return nil, nil, err
	}
	for {
		row, err := table.Next()
		if errors.Is(err, io.EOF) {
			if len(stores) == 0 {
				return nil, nil, fmt.Errorf("%s has no store; expected a row for each", name)
			}
			return stores, codes, nil
		}
		if err != nil {
			return nil, nil, err
		}
		s := store{name: table.Cell(row, "name"), code: table.Cell(row, "code")}
		// Check each code now: here the error can name the line, in the matrix it could not.
		if _, err := db.QuickLookup(ctx, s.code, lookup.QuickOptions{}); err != nil {
			return nil, nil, table.Errorf("%s: %w", s.name, err)
		}
		stores = append(stores, s)
		codes = append(codes, s.code)
	}
}
