package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/postgeo/postgeo/cmd/postgeo-arrow/arrays"
	"github.com/postgeo/postgeo/internal/foreign"
)

// streams writes an Arrow stream for each one that it reads. A batch of results is
// written before the next batch is read.
type streams struct {
	ctx    context.Context
	view   *foreign.View
	result string
	out    *bufio.Writer
}

// evaluate evaluates one stream and returns its number of rows.
func (s *streams) evaluate(in io.Reader) (rows int64, err error) {
	r, err := ipc.NewReader(in, ipc.WithAllocator(&bounded{Allocator: memory.DefaultAllocator}))
	if err != nil {
		return 0, err
	}
	defer r.Release()
	schema := s.schema()
	w := ipc.NewWriter(s.out, ipc.WithSchema(schema))
	for r.Next() {
		if err := s.ctx.Err(); err != nil {
			return rows, err
		}
		rows += r.RecordBatch().NumRows()
		if err := s.batch(r.RecordBatch(), schema, w); err != nil {
			return rows, err
		}
	}
	return rows, errors.Join(r.Err(), w.Close(), s.out.Flush())
}

// schema returns the schema of results: one column, of a struct if there are several
// values.
func (s *streams) schema() *arrow.Schema {
	values := arrays.Schema(s.view.List)
	f := arrow.Field{Name: s.result, Type: arrow.StructOf(values.Fields()...), Nullable: true}
	if values.NumFields() == 1 {
		f.Type = values.Field(0).Type
	}
	return arrow.NewSchema([]arrow.Field{f}, nil)
}

// batch writes the results of a batch.
func (s *streams) batch(in arrow.RecordBatch, schema *arrow.Schema, w *ipc.Writer) error {
	var texts []func(row int) string
	for i, column := range in.Columns() {
		text, err := arrays.Texts(column)
		if err != nil {
			return fmt.Errorf("column %s: %w", in.ColumnName(i), err)
		}
		texts = append(texts, text)
	}
	key, err := s.view.Keys(texts)
	if err != nil {
		return err
	}
	e, err := s.view.Entries(s.ctx, int(in.NumRows()), key)
	if err != nil {
		return err
	}
	rec := arrays.Record(memory.DefaultAllocator, e.Columns, e.Rows())
	defer rec.Release()
	result := rec.Column(0)
	if rec.NumCols() > 1 {
		of := array.RecordToStructArray(rec)
		defer of.Release()
		result = of
	}
	out := array.NewRecordBatch(schema, []arrow.Array{result}, in.NumRows())
	defer out.Release()
	return errors.Join(w.Write(out), s.out.Flush())
}
