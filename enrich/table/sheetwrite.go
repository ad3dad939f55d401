package table

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/plain"
	"github.com/postgeo/postgeo/internal/xlsx"
)

// sheetEncoder writes the rows of a sheet as XML.
type sheetEncoder struct {
	prefix  string // of the names of elements
	columns int
}

func newSheetEncoder(src *Source) *sheetEncoder {
	e := &sheetEncoder{columns: len(src.names())}
	if src.sheet != nil {
		e.prefix = src.sheet.Prefix()
	}
	return e
}

// render implements encoder.
func (e *sheetEncoder) render(dst []byte, values []enrich.Value) []byte {
	for _, v := range values {
		dst = e.added(dst, v)
	}
	return dst
}

// added appends a value that was added. A text that is too long for Excel is cut.
func (e *sheetEncoder) added(dst []byte, v enrich.Value) []byte {
	if t := v.Type(); t != enrich.Int && t != enrich.Float && t != enrich.Bool {
		v = enrich.StringValue(plain.Clean(v.String()))
	}
	out, err := e.cell(dst, v)
	if err != nil {
		text := []rune(v.String())
		out, _ = xlsx.AppendText(dst, e.prefix, string(text[:xlsx.MaxCellText-1])+"…") // short enough now
	}
	return out
}

// cell appends a cell. Numbers of more digits than Excel has are text.
func (e *sheetEncoder) cell(dst []byte, v enrich.Value) ([]byte, error) {
	const exact = 1e15
	switch v.Type() {
	case enrich.Int, enrich.Float:
		if f := v.Float(); math.Abs(f) < exact {
			return xlsx.AppendNumber(dst, e.prefix, "", v.AppendText(nil)), nil
		}
	case enrich.Bool:
		number := "0"
		if v.Bool() {
			number = "1"
		}
		return xlsx.AppendNumber(dst, e.prefix, "b", []byte(number)), nil
	default:
	}
	return xlsx.AppendText(dst, e.prefix, v.String())
}

// row implements encoder.
func (e *sheetEncoder) row(out *chunk, d decoder, a *result) (err error) {
	dst := out.text
	if x, ok := d.(*sheetDecoder); ok {
		dst = append(dst, x.raw...) // keep the cells
	} else {
		if err := fits(d); err != nil {
			return err
		}
		dst = append(dst, "<row>"...)
		for i := range e.columns {
			if dst, err = e.cell(dst, d.value(i)); err != nil {
				return err
			}
		}
	}
	dst = append(dst, a.cells...)
	out.text = e.end(dst)
	out.n++
	return nil
}

func (e *sheetEncoder) end(dst []byte) []byte {
	return append(append(append(dst, "</"...), e.prefix...), "row>"...)
}

// head returns the header with the names of the new columns.
func (e *sheetEncoder) head(src *Source, added []string) (dst []byte, err error) {
	if src.sheet != nil {
		dst = bytes.Clone(src.sheet.head)
	} else {
		dst = []byte("<row>")
		for _, name := range src.names() {
			if dst, err = xlsx.AppendText(dst, e.prefix, name); err != nil {
				return nil, err
			}
		}
	}
	for _, name := range added {
		if dst, err = xlsx.AppendText(dst, e.prefix, plain.Clean(name)); err != nil {
			return nil, err
		}
	}
	return e.end(dst), nil
}

// sheetTarget writes an Excel file.
type sheetTarget struct {
	out *bufio.Writer
	w   *xlsx.Writer
	n   int // rows
}

func newSheetTarget(w io.Writer, src *Source, head []byte) (target, error) {
	out := bufio.NewWriterSize(w, 1<<16)
	rows, err := src.newSheet(out)
	if err != nil {
		return nil, err
	}
	_, err = rows.Write(head)
	return &sheetTarget{out: out, w: rows}, err
}

func (s *sheetTarget) write(c *chunk) error {
	if s.n += c.n; s.n >= xlsx.MaxRows {
		return fmt.Errorf("table: %w", xlsx.ErrRows)
	}
	_, err := s.w.Write(c.text)
	return err
}

func (s *sheetTarget) flush() error { return nil }
func (s *sheetTarget) abandon()     {}

func (s *sheetTarget) finish() error {
	if err := s.w.Close(); err != nil {
		return err
	}
	return s.out.Flush()
}
