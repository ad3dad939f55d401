// Command postgeo-sql runs SQL of DuckDB with the functions of postgeo over CSV and
// Parquet files. "postgeo sql" starts it; see docs/udf.md.
package main

import (
	"context"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo-sql/internal/functions"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/foreign"
)

func main() { foreign.Main("postgeo-sql", run) }

const usage = `Usage: postgeo-sql [flags] [STATEMENTS]

Runs SQL of DuckDB with the functions of postgeo, and prints the rows of the last
statement. Without statements it reads them from standard input.

`

// run runs the program.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	f := foreign.Flags("postgeo-sql", usage, stderr)
	data := f.String("data", "", "dataset `FILE`; default: $POSTGEO_DATA, else the user's dataset, else the embedded sample")
	store := f.String("db", "", "database `FILE` of DuckDB; default: in memory")
	csvs := f.Bool("csv", false, "print results as CSV")
	if err := foreign.Parse(f, args); err != nil {
		return err
	}
	statements := strings.Join(f.Args(), " ")
	if f.NArg() == 0 || statements == "-" {
		all, err := io.ReadAll(stdin)
		if err != nil {
			return fmt.Errorf("read standard input: %w", err)
		}
		statements = string(all)
	}
	db, err := open(*data, stderr)
	if err != nil {
		return err
	}
	defer db.Close()
	return query(ctx, db, *store, statements, func(rows *sql.Rows) error { return show(rows, *csvs, stdout) })
}

// open opens the named dataset, else the user's, else the sample.
func open(named string, stderr io.Writer) (*postgeo.DB, error) {
	path, err := dataset.Choose(named, os.Getenv, dataset.OwnDir())
	switch {
	case err != nil:
		return nil, err
	case path == "":
		fmt.Fprintln(stderr, "postgeo-sql: using the embedded sample (real codes, invented figures); name a dataset with --data")
		return postgeo.OpenSample()
	default:
		return postgeo.Open(path)
	}
}

// query runs statements and shows the rows of the last one.
func query(ctx context.Context, db *postgeo.DB, store, statements string, show func(*sql.Rows) error) error {
	connector, err := duckdb.NewConnector(store, nil)
	if err != nil {
		return err
	}
	defer connector.Close()
	pool := sql.OpenDB(connector)
	defer pool.Close()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := functions.Register(ctx, conn, db); err != nil {
		return err
	}
	rows, err := conn.QueryContext(ctx, statements)
	if err != nil {
		return err
	}
	defer rows.Close()
	return show(rows)
}

// writer returns a function that writes a row as CSV or as a line of a table, and one
// that ends the output.
func writer(csvs bool, out io.Writer) (write func([]string) error, end func() error) {
	if csvs {
		w := csv.NewWriter(out)
		return w.Write, func() error {
			w.Flush()
			return w.Error()
		}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0) // columns are two spaces apart
	return func(cells []string) error {
		_, err := fmt.Fprintln(w, strings.Join(cells, "\t"))
		return err
	}, w.Flush
}

// show prints the names of the columns and the rows.
func show(rows *sql.Rows, csvs bool, out io.Writer) error {
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	write, end := writer(csvs, out)
	if err := write(names); err != nil {
		return err
	}
	cells, values, targets := make([]string, len(names)), make([]any, len(names)), make([]any, len(names))
	for i := range values {
		targets[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		for i, v := range values {
			cells[i] = text(v, csvs)
		}
		if err := write(cells); err != nil {
			return err
		}
	}
	return errors.Join(rows.Err(), end())
}

// text returns a value as text. Structs and lists are JSON.
func text(v any, csvs bool) string {
	switch v := v.(type) {
	case nil:
		if csvs {
			return ""
		}
		return "NULL"
	case []byte:
		return string(v)
	case map[string]any, []any:
		if object, err := json.Marshal(v); err == nil {
			return string(object)
		}
	}
	return fmt.Sprint(v)
}
