package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/postgeo/postgeo/cmd/libpostgeo/internal/arrays"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/foreign"
)

// A stream writes an Arrow stream for each one that it reads. A batch of results is
// written before the next batch is read.
type stream struct {
	ctx    context.Context
	view   *foreign.View
	result string
	chunks bool
	in     *bufio.Reader
	out    *bufio.Writer
}

// serve reads streams until the input ends.
func (s *stream) serve() error {
	for {
		if _, err := s.in.Peek(1); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		want := int64(-1)
		if s.chunks {
			line, err := s.in.ReadString('\n')
			if err != nil {
				return fmt.Errorf("read the number of rows: %w", err)
			}
			if want, err = strconv.ParseInt(strings.TrimSpace(line), 10, 64); err != nil || want < 0 {
				return fmt.Errorf("a chunk begins with %.40q; expected its number of rows", line)
			}
		}
		rows, err := s.one()
		switch {
		case err != nil:
			return err
		case want >= 0 && rows != want:
			return fmt.Errorf("a chunk of %d rows has %d", want, rows)
		}
	}
}

// one evaluates one stream and returns its number of rows.
func (s *stream) one() (rows int64, err error) {
	r, err := ipc.NewReader(&guard{in: s.in}, ipc.WithAllocator(&bounded{Allocator: memory.DefaultAllocator}))
	if err != nil {
		return 0, err
	}
	defer r.Release()
	values := arrays.Schema(s.view.List)
	w := ipc.NewWriter(s.out, ipc.WithSchema(s.schema(values)))
	for r.Next() {
		if err := s.ctx.Err(); err != nil {
			return rows, err
		}
		rows += r.RecordBatch().NumRows()
		if err := s.batch(r.RecordBatch(), values, w); err != nil {
			return rows, err
		}
	}
	return rows, errors.Join(r.Err(), w.Close(), s.out.Flush())
}

// schema returns the schema of results: one column, of a struct if there are several
// values.
func (s *stream) schema(values *arrow.Schema) *arrow.Schema {
	f := arrow.Field{Name: s.result, Type: arrow.StructOf(values.Fields()...), Nullable: true}
	if values.NumFields() == 1 {
		f.Type = values.Field(0).Type
	}
	return arrow.NewSchema([]arrow.Field{f}, nil)
}

func (s *stream) batch(in arrow.RecordBatch, values *arrow.Schema, w *ipc.Writer) error {
	key, err := s.key(in)
	if err != nil {
		return err
	}
	rec, err := arrays.Lookup(memory.DefaultAllocator, values, int(in.NumRows()), key, func(keys []string) ([][]enrich.Value, error) {
		return s.view.Values(s.ctx, keys)
	})
	if err != nil {
		return err
	}
	defer rec.Release()
	result := rec.Column(0)
	if values.NumFields() > 1 {
		of, err := array.NewStructArrayWithFields(rec.Columns(), values.Fields())
		if err != nil {
			return err
		}
		defer of.Release()
		result = of
	}
	out := array.NewRecordBatch(s.schema(values), []arrow.Array{result}, in.NumRows())
	defer out.Release()
	return errors.Join(w.Write(out), s.out.Flush())
}

// key returns the keys of a batch.
func (s *stream) key(in arrow.RecordBatch) (func(row int) string, error) {
	var texts []func(row int) string
	for i, column := range in.Columns() {
		text, err := arrays.Texts(column)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", in.ColumnName(i), err)
		}
		texts = append(texts, text)
	}
	cells := make([]string, len(texts))
	if _, ok := s.view.Key(cells); !ok {
		return nil, fmt.Errorf("%d columns do not fit the kind of the rows", len(cells))
	}
	return func(row int) string {
		for i, text := range texts {
			cells[i] = text(row)
		}
		key, _ := s.view.Key(cells)
		return key
	}, nil
}
