package table

import (
	"bufio"
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/parquet-go/parquet-go"

	"github.com/postgeo/postgeo/enrich"
)

// A chunk is the output of a block of rows.
type chunk struct {
	text    []byte
	columns [][]parquet.Value
	n       int // rows
}

// A writer renders rows. Several goroutines share it.
type writer interface {
	// cells appends the text of added values, which follow a row.
	cells(dst []byte, values []enrich.Value) ([]byte, error)
	row(c *chunk, r *row, a *result) error
}

// A target takes chunks in their order.
type target struct {
	write    func(c *chunk) error
	flush    func() error // lets the reader of a stream see the rows
	finish   func() error
	metadata func(key, value string) // of Parquet, else nil
}

func (c *chunk) reset() {
	for i := range c.columns {
		c.columns[i] = c.columns[i][:0]
	}
	c.text, c.n = c.text[:0], 0
}

// A textWriter renders rows of CSV, NDJSON and XLSX.
type textWriter struct {
	columns             int // of the source
	begin, between, end string
	// cell appends a value of a column: the source's, then the added ones.
	cell func(dst []byte, col int, v enrich.Value) ([]byte, error)
	// keep appends a row of the same format as it stands, without its end, and returns
	// the cells that follow the added ones. It is nil for sources of other formats.
	keep func(dst []byte, r *row) (out []byte, extra [][]byte, err error)
	kept []byte     // the header as it stands; nil for a new one
	csv  *csvWriter // of CSV and TSV
}

func (w *textWriter) cells(dst []byte, values []enrich.Value) (out []byte, err error) {
	for i, v := range values {
		if dst, err = w.cell(append(dst, w.between...), w.columns+i, v); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

func (w *textWriter) row(c *chunk, r *row, a *result) (err error) {
	dst := c.text
	var extra [][]byte
	end, some := w.end, w.columns > 0
	switch {
	case w.keep != nil:
		dst, extra, err = w.keep(dst, r)
		if len(r.eol) > 0 {
			end = string(r.eol)
		}
		if w.begin == "{" {
			some = len(r.keys) > 0 || r.misfit != nil
		}
	case r != nil && r.misfit != nil:
		err = r.misfit
	default:
		dst, err = w.fresh(dst, func(i int) enrich.Value { return r.value(i) })
	}
	if err != nil {
		return err
	}
	cells := a.cells
	if !some && len(cells) > 0 {
		cells = cells[len(w.between):]
	}
	dst = append(dst, cells...)
	for _, cell := range extra {
		dst = append(append(dst, w.between...), cell...)
	}
	dst = append(dst, end...)
	c.text = dst
	c.n++
	return nil
}

// fresh appends the beginning and the columns of a row of another format.
func (w *textWriter) fresh(dst []byte, value func(col int) enrich.Value) (out []byte, err error) {
	dst = append(dst, w.begin...)
	for i := range w.columns {
		if i > 0 {
			dst = append(dst, w.between...)
		}
		if dst, err = w.cell(dst, i, value(i)); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// header returns the header with the names of the added columns.
func (w *textWriter) header(names, added []string) (dst []byte, err error) {
	if dst = bytes.Clone(w.kept); dst == nil {
		if dst, err = w.fresh(nil, func(col int) enrich.Value { return enrich.StringValue(names[col]) }); err != nil {
			return nil, err
		}
	}
	values := make([]enrich.Value, len(added))
	for i, name := range added {
		values[i] = enrich.StringValue(name)
	}
	cells, err := w.cells(nil, values)
	if w.columns == 0 && len(cells) > 0 {
		cells = cells[len(w.between):]
	}
	return append(append(dst, cells...), w.end...), err
}

// textTarget begins a text with its header.
func textTarget(w io.Writer, head []byte, zipped bool) (target, error) {
	end := func() error { return nil }
	if zipped {
		z := gzip.NewWriter(w)
		w, end = z, z.Close
	}
	out := bufio.NewWriterSize(w, 1<<16)
	_, err := out.Write(head)
	return target{
		write: func(c *chunk) error {
			_, err := out.Write(c.text)
			return err
		},
		flush: out.Flush,
		finish: func() error {
			if err := out.Flush(); err != nil {
				return err
			}
			return end()
		},
	}, writeError(err)
}
