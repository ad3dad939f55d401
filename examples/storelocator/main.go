// Command storelocator answers the question of every shop's website: which of
// our stores are nearest to me? The stores are a CSV file with a postal code
// each; the customer gives a ZIP Code, a Canadian postal code or a coordinate.
//
//	go run ./examples/storelocator 98112
package main

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/postgeo/postgeo"
)

//go:embed stores.csv
var storesCSV string

// A store is a row of stores.csv.
type store struct{ name, code string }

func main() {
	where := "98112"
	if len(os.Args) > 1 {
		where = os.Args[1]
	}
	if err := run(context.Background(), os.Stdout, where, 3); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, where string, most int) error {
	db, err := postgeo.OpenSample()
	if err != nil {
		return err
	}
	defer db.Close()

	stores, codes, err := readStores(strings.NewReader(storesCSV))
	if err != nil {
		return err
	}
	// One row of a matrix: from the customer to every store.
	m, err := db.Distances(ctx, []string{where}, codes)
	if err != nil {
		return err
	}
	order := make([]int, len(stores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(m.Miles[0][a], m.Miles[0][b]) })

	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, i := range order[:min(most, len(order))] {
		fmt.Fprintf(t, "%s\t%s %s\t%.1f miles\n", stores[i].name, m.To[i].City, stores[i].code, float64(m.Miles[0][i]))
	}
	return t.Flush()
}

func readStores(r io.Reader) (stores []store, codes []string, err error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, nil, err
	}
	for _, row := range rows[1:] {
		stores = append(stores, store{name: row[0], code: row[1]})
		codes = append(codes, row[1])
	}
	return stores, codes, nil
}
