package transform

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/postgeo/postgeo/enrich"
)

func init() { //nolint:gochecknoinits // Beam requires it
	register.DoFn3x1[context.Context, fileio.ReadableFile, func(Row), error](&readFn{})
	register.Function1x2[Row, string, Row](byFile)
	register.DoFn3x1[context.Context, string, func(*Row) bool, error](&writeFn{})
	register.Emitter1[Row]()
	register.Iter1[Row]()
}

// Read reads the CSV files that match a pattern. Each has a header that names
// the columns of the options. The rows of one file are spread over the workers.
func Read(s beam.Scope, pattern string, o Options) beam.PCollection {
	s = s.Scope("postgeo.Read")
	files := fileio.ReadMatches(s, fileio.MatchFiles(s, pattern, fileio.MatchEmptyDisallow()))
	return beam.Reshuffle(s, beam.ParDo(s, &readFn{Options: o}, files))
}

// A readFn reads the rows of a file.
type readFn struct{ Options Options }

// ProcessElement emits the rows of a file.
func (f *readFn) ProcessElement(ctx context.Context, file fileio.ReadableFile, emit func(Row)) (err error) {
	in, err := file.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	name := file.Metadata.Path
	r := csv.NewReader(in)
	header, err := r.Read()
	if err != nil {
		return fmt.Errorf("%s: header: %w", name, err)
	}
	columns := f.Options.Address
	if f.Options.Code != "" {
		columns = []string{f.Options.Code}
	}
	places := make([]int, len(columns))
	for i, column := range columns {
		if places[i] = slices.Index(header, column); places[i] < 0 {
			return fmt.Errorf("%s has no column %q; it has %q", name, column, header)
		}
	}
	emit(Row{File: name, Cells: header})
	for n := int64(1); ; n++ {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		parts := make([]string, len(places))
		for i, place := range places {
			parts[i] = cells[place]
		}
		row := Row{File: name, N: n, Cells: cells}
		if f.Options.Code != "" {
			row.Key = parts[0]
		} else {
			row.Key = enrich.JoinAddress(parts...)
		}
		emit(row)
	}
}

// Write writes the rows of each file under its name into a folder, in their
// order. Two files of the same name from different folders fail the pipeline,
// because one of them would be lost. All rows of one file are in the memory of
// one worker: divide a table into files of a few hundred megabytes.
func Write(s beam.Scope, folder string, rows beam.PCollection) {
	s = s.Scope("postgeo.Write")
	beam.ParDo0(s, &writeFn{Folder: folder}, beam.GroupByKey(s, beam.ParDo(s, byFile, rows)))
}

func byFile(row Row) (string, Row) { return filepath.Base(row.File), row }

// A writeFn writes a file.
type writeFn struct{ Folder string }

// ProcessElement writes the rows of a file.
func (f *writeFn) ProcessElement(ctx context.Context, name string, next func(*Row) bool) (err error) {
	var rows []Row
	for row := (Row{}); next(&row); row = (Row{}) {
		rows = append(rows, row)
		if row.File != rows[0].File {
			return fmt.Errorf("%s and %s would both be written to %s; name them differently, or enrich them one after the other", rows[0].File, row.File, name)
		}
	}
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Compare(a.N, b.N) })
	fs, err := filesystem.New(ctx, f.Folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, fs.Close()) }()
	out, err := fs.OpenWrite(ctx, path.Join(f.Folder, name))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	w := csv.NewWriter(out)
	for _, row := range rows {
		if err := w.Write(row.Cells); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}
