// Package postgis runs statements on the PostgreSQL server that postgis.sh
// starts. It calls psql, which reads the environment variables PGHOST, PGUSER
// and PGDATABASE.
package postgis

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"
)

// Execute runs SQL statements.
func Execute(ctx context.Context, sql string) error {
	_, err := Run(ctx, nil, "psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-c", sql)
	return err
}

// Load copies rows, which write prints with tabs between columns, into a table.
func Load(ctx context.Context, table string, write func(w *bufio.Writer) error) error {
	r, pw := io.Pipe()
	go func() {
		w := bufio.NewWriter(pw)
		err := write(w)
		if err == nil {
			err = w.Flush()
		}
		pw.CloseWithError(err)
	}()
	_, err := Run(ctx, r, "psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-c", "COPY "+table+" FROM STDIN")
	r.Close()
	return err
}

// Query returns the rows of a SELECT statement, split into columns.
func Query(ctx context.Context, sql string) ([][]string, error) {
	out, err := Run(ctx, nil, "psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-c", "COPY ("+sql+") TO STDOUT")
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for line := range strings.Lines(string(out)) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return rows, nil
}

// Run runs a program and returns its standard output. An error contains its
// standard error.
func Run(ctx context.Context, in io.Reader, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var out, problems bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &out, &problems
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(problems.String()))
	}
	return out.Bytes(), nil
}

// WriteShape prints a row of a number and a geometry.
func WriteShape(out *bufio.Writer, id int, g orb.Geometry) error {
	data, err := wkb.Marshal(g)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%d\t%s\n", id, hex.EncodeToString(data))
	return err
}
