package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// execute runs SQL statements.
func execute(ctx context.Context, sql string) error {
	_, err := pipe(ctx, nil, "psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-c", sql)
	return err
}

// load copies rows, which write prints separated by tabs, into a table.
func load(ctx context.Context, table string, write func(w *bufio.Writer) error) error {
	r, pw := io.Pipe()
	go func() {
		w := bufio.NewWriter(pw)
		err := write(w)
		if err == nil {
			err = w.Flush()
		}
		pw.CloseWithError(err)
	}()
	_, err := pipe(ctx, r, "psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-c", "COPY "+table+" FROM STDIN")
	r.Close()
	return err
}

// query returns the rows of a SELECT statement, split into columns.
func query(ctx context.Context, sql string) ([][]string, error) {
	out, err := pipe(ctx, nil, "psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-c", "COPY ("+sql+") TO STDOUT")
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for line := range strings.Lines(string(out)) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return rows, nil
}

// pipe runs a program and returns what it printed.
func pipe(ctx context.Context, in io.Reader, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var out, problems bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &out, &problems
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(problems.String()))
	}
	return out.Bytes(), nil
}
