package table

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/plain"
	"github.com/postgeo/postgeo/internal/xlsx"
)

// titleBytes is the most bytes before the header of a sheet, which are copied.
const titleBytes = 4 << 20

// A sheetSource reads a sheet of an Excel file.
type sheetSource struct {
	*xlsx.Sheet
	lenient bool
	above   int // row of the header, from 1; 0 is the first with text
	header  []string
	head    []byte     // the header as it is in the file
	begin   int64      // of the header in the part
	ahead   []sheetRow // read for the names of columns
	failed  error      // met after the delivered rows
}

// A sheetRow is a row of a sheet. Its raw bytes lack the end, see [xlsx.Sheet.Raw].
type sheetRow struct {
	line  int64
	cells []string
	raw   []byte
}

// openSheet opens a sheet of an Excel file, and reads its header and first rows. It returns
// the names of the sheets too.
func openSheet(r io.ReaderAt, size int64, opt Input) (x *sheetSource, sheets []string, err error) {
	book, err := xlsx.Open(r, size)
	if err != nil {
		return nil, nil, err
	}
	x = &sheetSource{lenient: opt.Lenient, above: opt.HeaderRow}
	if x.above == 0 && !opt.NoHeader {
		x.above = headerRow(book, opt.Sheet)
	}
	x.Sheet, err = book.Sheet(opt.Sheet)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, &SheetError{opt.Sheet, book.Sheets()}
	}
	if err != nil {
		return nil, nil, err
	}
	row, err := x.next()
	if err != nil {
		return nil, nil, emptyInput(err)
	}
	if x.begin = x.Begin(); x.begin > titleBytes {
		return nil, nil, fmt.Errorf("the sheet %q has %d bytes before its header; expected at most %d", x.Name, x.begin, titleBytes)
	}
	x.header, x.head = row.cells, row.raw
	if opt.NoHeader {
		x.header = numbers(len(row.cells))
		x.ahead = append(x.ahead, row)
	}
	x.ahead = x.fill(x.ahead)
	return x, book.Sheets(), nil
}

// headerRow returns the number of the row of the header, 0 for the first with text.
func headerRow(book *xlsx.Workbook, name string) int {
	sheet, err := book.Sheet(name)
	if err != nil {
		return 0 // the next reader meets the error
	}
	defer sheet.Close()
	var rows [][]string
	numbers := []int{0}
	for len(rows) < titled {
		values, err := sheet.Next()
		if err != nil {
			break
		}
		rows, numbers = append(rows, values), append(numbers, sheet.Row())
	}
	return numbers[min(len(rows), 1+headerAt(rows))]
}

// next returns the next row with text.
func (x *sheetSource) next() (row sheetRow, err error) {
	for {
		cells, err := x.Next()
		if err != nil {
			return row, err
		}
		for len(cells) > 0 && strings.TrimSpace(cells[len(cells)-1]) == "" {
			cells = cells[:len(cells)-1]
		}
		n, line := len(x.header), int64(x.Row())
		switch {
		case len(cells) == 0 || x.Row() < x.above:
			continue
		case n == 0: // the header
			n = len(cells)
		case len(cells) > n && !x.lenient:
			return row, rowError(line, cellsError{len(cells), n})
		}
		return sheetRow{line, cells[:min(n, len(cells))], x.Raw(nil, n)}, nil
	}
}

// fill appends the rows of a block.
func (x *sheetSource) fill(rows []sheetRow) []sheetRow {
	for size := 0; x.failed == nil && len(rows) < blockRows && size < blockBytes; {
		row, err := x.next()
		if x.failed = err; err == nil {
			rows, size = append(rows, row), size+len(row.raw)
		}
	}
	return rows
}

func (x *sheetSource) names() []string      { return x.header }
func (x *sheetSource) done() (at, of int64) { return x.Begin(), x.Size() }

func (x *sheetSource) read(b *block) error {
	b.reset(0)
	b.sheet = append(b.sheet, x.ahead...)
	if x.ahead = nil; len(b.sheet) == 0 {
		b.sheet = x.fill(b.sheet)
	}
	if b.n = len(b.sheet); b.n > 0 {
		return nil
	}
	if e := (*RowError)(nil); errors.Is(x.failed, io.EOF) || errors.As(x.failed, &e) {
		return x.failed
	}
	return fmt.Errorf("table: read the sheet %q: %w", x.Name, x.failed)
}

func (x *sheetSource) parse(r *row, b *block, i int) error {
	r.raw, r.cells = b.sheet[i].raw, r.cells[:0]
	for _, text := range b.sheet[i].cells {
		r.cells = append(r.cells, cell{raw: []byte(text)})
	}
	return nil
}

// A SheetError reports a sheet that the input does not have.
type SheetError struct {
	Sheet  string   // the requested name
	Sheets []string // of the Excel file; nil if the input is not one
}

// Error lists the sheets.
func (e *SheetError) Error() string {
	if e.Sheets == nil {
		return fmt.Sprintf("table: no sheet %q; expected an Excel file (.xlsx)", e.Sheet)
	}
	return fmt.Sprintf("table: no sheet %q; the file has %q", e.Sheet, e.Sheets[:min(len(e.Sheets), 20)])
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
		prefix, w.head = x.Prefix(), x.head
		w.keep = func(dst []byte, r *row) ([]byte, [][]byte, error) { return append(dst, r.raw...), nil, nil }
	}
	w.end = "</" + prefix + "row>"
	w.cell = func(dst []byte, col int, v enrich.Value) (out []byte, err error) {
		const exact = 1e15 // numbers of more digits than Excel has are text
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
	out := bufio.NewWriterSize(w, 1<<16)
	var rows *xlsx.Writer
	var err error
	if x != nil {
		rows, err = x.Copy(out, x.begin)
	} else {
		rows, err = xlsx.Create(out, "Sheet1")
	}
	if err != nil {
		return target{}, fmt.Errorf("table: write the Excel file: %w", err)
	}
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
	}, rows.Write(head, 1)
}
