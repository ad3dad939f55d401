// Command postgeo-sql runs SQL of DuckDB with the functions of postgeo over CSV and
// Parquet files. "postgeo sql" starts it; see docs/udf.md.
package main

import (
	"context"
	"database/sql"
	"errors"
	"io"

	_ "github.com/duckdb/duckdb-go/v2" // the driver

	"github.com/postgeo/postgeo/cmd/postgeo-sql/internal/functions"
	"github.com/postgeo/postgeo/internal/foreign"
)

func main() { foreign.Main("postgeo-sql", run) }

const usage = `Usage: postgeo-sql [flags] [STATEMENTS]

Runs SQL of DuckDB with the functions of postgeo, and prints the rows of the last
statement. Without statements it reads them from standard input.

`

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (err error) {
	f := foreign.NewFlags("postgeo-sql", usage, stderr)
	store := f.String("db", "", "database `FILE` of DuckDB; default: in memory")
	csvs := f.Bool("csv", false, "print results as CSV")
	db, err := f.Open(args, 0)
	if err != nil {
		return err
	}
	defer db.Close()
	statements, err := foreign.Statements(f.Args(), stdin)
	if err != nil {
		return err
	}
	statements, remove, err := foreign.KeepStdin(statements, stdin)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	pool, err := sql.Open("duckdb", *store)
	if err != nil {
		return err
	}
	defer pool.Close()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := functions.Register(ctx, conn, db); err != nil {
		return err
	}
	return foreign.Run(func(s string) (foreign.Rows, error) { return conn.QueryContext(ctx, s) }, statements, *csvs, stdout)
}
