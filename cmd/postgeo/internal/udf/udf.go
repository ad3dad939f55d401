// Package udf evaluates rows of a stream for the user-defined functions of other
// programs, such as executable functions of ClickHouse and pipe of Spark. Each row of
// the input has one row of the output, also if it cannot be read.
package udf

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"sync"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/cache"
)

// A Format is a format of rows.
type Format uint8

// The formats.
const (
	TSV  Format = iota + 1 // cells divided by tabs, \N for null, with the escapes of ClickHouse and PostgreSQL
	JSON                   // an object or a list per line: JSONEachRow or JSONCompactEachRow
)

// ParseFormat returns the format with the name.
func ParseFormat(name string) (Format, bool) {
	f, ok := map[string]Format{"tsv": TSV, "json": JSON}[name]
	return f, ok
}

// A Function returns the result of each row.
type Function struct {
	Enricher *enrich.Enricher
	Kind     enrich.Kind                                    // of the keys
	Split    func(cells []string) (key []string, to string) // separates the place to measure to; nil if there is none
	Format   Format
	Chunks   bool   // a line with the number of rows precedes each chunk of them
	Result   string // member of the results in JSON
	Status   bool   // adds status and reason to the results
	MaxRow   int    // maximum length of a row in bytes
	Workers  int    // goroutines; 0 is one for each processor
}

// Counts are the numbers of rows.
type Counts struct {
	Rows   int64
	Broken int64 // that could not be read
}

// Serve evaluates rows until the input ends. It writes results as soon as no further row
// has arrived. An error is one of the input, the output, the context or the dataset.
func (f *Function) Serve(ctx context.Context, in io.Reader, out io.Writer) (Counts, error) {
	n := f.Workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	s := &service{Function: f, in: bufio.NewReaderSize(in, f.MaxRow), workers: make([]worker, n)}
	results := cache.New[bool](maxCache)
	for i := range s.workers {
		s.workers[i] = worker{Function: f, cache: results}
	}
	for {
		text, err := s.arrived()
		if err == nil {
			err = s.evaluate(ctx, text, out)
		}
		if err != nil {
			var total Counts
			for i := range s.workers {
				total.Rows += s.workers[i].Rows
				total.Broken += s.workers[i].Broken
			}
			if errors.Is(err, io.EOF) {
				err = s.complete()
			}
			return total, err
		}
	}
}

type service struct {
	*Function
	in      *bufio.Reader
	text    []byte   // the rows that have arrived
	rows    [][]byte // of them those of a chunk
	left    int      // rows of the chunk
	workers []worker
}

// arrived returns the whole rows that have arrived, at least one.
func (s *service) arrived() ([]byte, error) {
	for {
		have, _ := s.in.Peek(s.in.Buffered())
		if end := bytes.LastIndexByte(have, '\n') + 1; end > 0 {
			s.text = append(s.text[:0], have[:end]...)
			_, err := s.in.Discard(end)
			return s.text, err
		}
		if len(have) >= s.MaxRow {
			return nil, fmt.Errorf("a row is longer than %d bytes; use --max-row for longer ones", s.MaxRow)
		}
		_, err := s.in.Peek(len(have) + 1)
		switch {
		case err == nil:
		case errors.Is(err, io.EOF) && len(have) > 0: // a last row without line end
			s.text = append(append(s.text[:0], have...), '\n')
			_, err = s.in.Discard(len(have))
			return s.text, err
		default:
			return nil, err
		}
	}
}

// complete returns an error if the input ends within a chunk.
func (s *service) complete() error {
	if s.left > 0 {
		return fmt.Errorf("the input ends %d rows before the end of a chunk", s.left)
	}
	return nil
}

// maxChunk is the maximum number of rows of a chunk.
const maxChunk = 1 << 30

// evaluate writes the results of the rows in a text.
func (s *service) evaluate(ctx context.Context, text []byte, out io.Writer) error {
	for len(text) > 0 {
		s.rows = s.rows[:0]
		for len(text) > 0 {
			var row []byte
			row, text, _ = bytes.Cut(text, []byte{'\n'})
			row = bytes.TrimSuffix(row, []byte{'\r'})
			if s.Chunks && s.left == 0 {
				n, err := strconv.Atoi(string(row))
				if err != nil || n < 0 || n > maxChunk {
					return fmt.Errorf("a chunk begins with %.40q; expected its number of rows", row)
				}
				s.left = n
				continue
			}
			s.rows = append(s.rows, row)
			if s.left--; s.Chunks && s.left == 0 {
				break
			}
		}
		if err := s.work(ctx, out); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// work writes the results of the rows of s. All workers share many rows.
func (s *service) work(ctx context.Context, out io.Writer) error {
	const few = 256
	n := min(len(s.workers), 1+len(s.rows)/few)
	var all sync.WaitGroup
	for i := range n {
		part := s.rows[len(s.rows)*i/n : len(s.rows)*(i+1)/n]
		if i == n-1 {
			s.workers[i].evaluate(ctx, part)
			break
		}
		all.Go(func() { s.workers[i].evaluate(ctx, part) })
	}
	all.Wait()
	for i := range n {
		w := &s.workers[i]
		if _, err := out.Write(w.out); err != nil {
			return err
		}
		if w.err != nil {
			return w.err
		}
	}
	return nil
}

// A worker evaluates rows on one goroutine.
type worker struct {
	*Function
	Counts
	cache  *cache.Cache[bool] // of the text of a row: its result, and whether the row can be read
	out    []byte
	values []enrich.Value
	cells  []string
	err    error
}

// maxCache is the maximum size of the cache in bytes.
const maxCache = 64 << 20

func (w *worker) evaluate(ctx context.Context, rows [][]byte) {
	w.out = w.out[:0]
	for _, row := range rows {
		w.Rows++
		result, readable, ok := w.cache.Get(row)
		if ok {
			w.out = append(w.out, result...)
		} else {
			from := len(w.out)
			if readable, w.err = w.row(ctx, row); w.err != nil {
				w.out = w.out[:from]
				return
			}
			w.cache.Put(row, w.out[from:], readable, 0)
		}
		if !readable {
			w.Broken++
		}
	}
}

// row appends the result of a row and reports whether the row can be read.
func (w *worker) row(ctx context.Context, row []byte) (ok bool, err error) {
	key, to, ok := w.key(row)
	values, out, err := w.Enricher.RowTo(ctx, key, to, w.values[:0])
	if err != nil {
		return ok, err
	}
	if !ok {
		out = enrich.Outcome{Status: enrich.Invalid, Reason: "the row cannot be read"}
	}
	if w.Status {
		values = append(values, enrich.StringValue(out.Status.String()), enrich.StringValue(out.Reason))
	}
	w.values = values
	if w.Format == JSON {
		w.appendJSON(values, len(row) > 0 && row[0] == '[')
	} else {
		w.appendTSV(values)
	}
	return ok, nil
}
