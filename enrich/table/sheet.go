package table

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"

	"github.com/klauspost/compress/flate"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/plain"
	"github.com/postgeo/postgeo/internal/xlsx"
)

// An Excel file that becomes another one is copied part by part, so that formulas, formats,
// widths and other sheets stay. Only the rows of the one sheet are written anew: the XML of
// each row without its end, then the added cells, then the end. The sheet before its header
// is copied too, and so is all that follows the last row.
//
// The library excelize was tried. Its iterator over rows drops types, styles and formulas of
// cells and ends at malformed XML without an error. To keep them it loads the sheet: 3 GB and
// 90 s for 300,000 rows of ten columns.

// titleBytes is the most bytes before the header of a sheet, which are copied. They are in
// memory at once.
const titleBytes = 4 << 20

// A sheetSource reads a sheet of an Excel file.
type sheetSource struct {
	*xlsx.Sheet
	lenient bool
	above   int // rows before this number are passed; 0 for none
	header  []string
	first   xlsx.Row   // the header, or without one the first row
	ahead   []xlsx.Row // read for the names of columns
	failed  error      // met after them
}

// openSheet opens a sheet of an Excel file, and reads its header and first rows. It returns
// the names of the sheets too.
func openSheet(r io.ReaderAt, size int64, opt Input) (x *sheetSource, sheets []string, err error) {
	book, err := xlsx.Open(r, size)
	if err != nil {
		return nil, nil, err
	}
	x = &sheetSource{lenient: opt.Lenient, above: opt.HeaderRow}
	x.Sheet, err = book.Sheet(opt.Sheet)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, sheetError(opt.Sheet, book.Sheets())
	}
	if err != nil {
		return nil, nil, err
	}
	rows := x.fill(nil)
	at := 0
	if opt.HeaderRow == 0 && !opt.NoHeader {
		var top [][]string
		for _, row := range rows[:min(len(rows), titled)] {
			top = append(top, row.Values)
		}
		at = headerAt(top)
	}
	if len(rows) == 0 {
		return nil, nil, emptyInput(x.failed, opt.HeaderRow)
	}
	x.first, x.ahead = rows[at], rows[at+1:]
	if x.header = x.first.Values; opt.NoHeader {
		x.header, x.ahead = numbers(len(x.header)), rows
	}
	if x.first.Begin > titleBytes {
		return nil, nil, fmt.Errorf("the sheet %q has %d bytes before its header; expected at most %d", x.Name, x.first.Begin, titleBytes)
	}
	return x, book.Sheets(), nil
}

// blockCells bounds the memory of a block: 32 rows of the most columns. A row whose only cell is
// the last of 16,384 takes 50 bytes of the sheet, and 256 KiB as values.
const blockCells = 1 << 19

// fill appends rows with text, at least one, until a block is full or reading fails.
func (x *sheetSource) fill(rows []xlsx.Row) []xlsx.Row {
	cells := 0
	for from := x.Begin(); x.failed == nil && (len(rows) == 0 || len(rows) < blockRows && x.Begin()-from < blockBytes && cells < blockCells); {
		row, err := x.Next()
		cells += len(row.Values)
		// Formatted rows and cells without text are common below and beside a table.
		for n := len(row.Values); n > 0 && strings.TrimSpace(row.Values[n-1]) == ""; n = len(row.Values) {
			row.Values = row.Values[:n-1]
		}
		if x.failed = err; err == nil && len(row.Values) > 0 && row.Number >= x.above {
			rows = append(rows, row)
		}
	}
	return rows
}

func (x *sheetSource) names() []string { return x.header }

func (x *sheetSource) read(b *block) error {
	b.sheet, x.ahead = append(b.sheet[:0], x.ahead...), nil
	if len(b.sheet) == 0 {
		b.sheet = x.fill(b.sheet)
	}
	b.n = len(b.sheet)
	if x.failed == nil || errors.Is(x.failed, io.EOF) {
		return x.failed
	}
	return fmt.Errorf("table: read the sheet %q: %w", x.Name, x.failed)
}

func (x *sheetSource) parse(r *row, b *block, i int) error {
	r.sheet, r.cells = &b.sheet[i], r.cells[:0]
	if n := len(r.sheet.Values); n > len(x.header) && !x.lenient {
		return rowError(b.lineOf(i), cellsError{n, len(x.header)})
	}
	for _, text := range r.sheet.Values {
		r.cells = append(r.cells, cell{raw: []byte(text)})
	}
	return nil
}

// sheetError is the error of a sheet that is not one of the Excel file's, which are nil if
// the input is not such a file.
func sheetError(sheet string, sheets []string) *Error {
	e := &Error{Reason: fmt.Sprintf("no sheet %q; expected an Excel file (.xlsx)", sheet), Options: []string{"Sheet"}}
	if sheets != nil {
		names := strings.Trim(fmt.Sprintf("%q", sheets[:min(len(sheets), 20)]), "[]")
		e.Reason = fmt.Sprintf("no sheet %q; the file has %s", sheet, strings.ReplaceAll(names, `" "`, `", "`))
	}
	return e
}

// sheetWriter returns the writer of XLSX: the rows of a sheet as XML.
func sheetWriter(src *Source, added int) (*textWriter, error) {
	prefix := "" // of the names of elements
	x, same := src.source.(*sheetSource)
	w := &textWriter{columns: len(src.Header()), open: "<row>"}
	if n := w.columns + added; n > xlsx.MaxColumns {
		return nil, fmt.Errorf("table: %d columns; a sheet of an Excel file has at most %d", n, xlsx.MaxColumns)
	}
	if same {
		prefix, w.named = x.first.Prefix(), &row{sheet: &x.first}
		w.keep = func(dst []byte, r *row) ([]byte, error) { return r.sheet.Raw(dst, w.columns), nil }
	}
	w.end = "</" + prefix + "row>"
	w.cell = func(dst []byte, col int, v enrich.Value) (out []byte, err error) {
		const exact = 1e15 // Excel keeps 15 digits, so larger numbers are text
		switch t := v.Type(); {
		case (t == enrich.Int || t == enrich.Float) && math.Abs(v.Float()) < exact:
			return xlsx.AppendNumber(dst, prefix, "", v.AppendText(nil)), nil
		case t == enrich.Bool && v.Bool():
			return xlsx.AppendNumber(dst, prefix, "b", []byte("1")), nil
		case t == enrich.Bool:
			return xlsx.AppendNumber(dst, prefix, "b", []byte("0")), nil
		case col < w.columns:
			return xlsx.AppendText(dst, prefix, v.String())
		}
		// An added text is cut, because one long list of codes must not end the run. Cells of
		// the source are an error above: they came from a file that can hold them.
		text := plain.Clean(v.String())
		if runes := []rune(text); len(runes) > xlsx.MaxCellText {
			text = string(runes[:xlsx.MaxCellText-1]) + "…"
		}
		return xlsx.AppendText(dst, prefix, text)
	}
	w.to = func(out io.Writer) (target, error) { return sheetTarget(out, x, w.head) }
	return w, nil
}

// sheetTarget begins an Excel file: a copy of the source's file, or a new one.
func sheetTarget(w io.Writer, x *sheetSource, head []byte) (target, error) {
	const fast = 4 // a level of flate that compresses as fast as rows come
	out := bufio.NewWriterSize(w, 1<<16)
	file := zip.NewWriter(out)
	file.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, fast) })
	var rows *xlsx.Writer
	var err error
	if x != nil {
		rows, err = x.Copy(file, x.first.Begin)
	} else {
		rows, err = xlsx.Create(file)
	}
	if err != nil {
		return target{}, fmt.Errorf("table: write the Excel file: %w", err)
	}
	// The head is not part of the copy: Create has none, and Copy ends before the header.
	return target{
		write: func(c *chunk) error {
			if err := rows.Write(c.text, c.n); err != nil {
				return fmt.Errorf("table: %w", err)
			}
			return nil
		},
		finish: func() error {
			if err := rows.Close(); err != nil {
				return err
			}
			return out.Flush()
		},
	}, rows.Write(head, min(len(head), 1)) // the header is one row
}
