package table

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/xlsx"
)

// Limits of Excel files, against small ones that expand to fill the memory. Texts
// that cells share are in memory; sheets are read row by row.
const (
	sheetBytes  = 8 << 30 // uncompressed
	sharedBytes = 256 << 20
	ratioFree   = 64 << 20 // uncompressed bytes that may expand more than maxRatio times
	maxRatio    = 250
	maxMembers  = 10_000
	rowFactor   = 4 // bytes of XML for one of text
	titleBytes  = 4 << 20
)

// sheetComma divides the cells of a sheet that is read as separated values. XML
// does not allow it.
const sheetComma = '\x1f'

// A sheet is a sheet of an Excel file, read as separated values. The last cell of
// a row is the row as it is in the file, see [xlsx.Sheet.Raw].
type sheet struct {
	*xlsx.Sheet
	zip     *zip.Reader
	counted *countingReader
	size    int64 // uncompressed, as the file claims
	names   []string
	lenient bool
	above   int    // row of the header, from 1; 0 is the first with text
	columns int    // of the header, 0 before it
	begin   int64  // of the header in the part
	header  []byte // the row as it is in the file
	lines   int    // rows that were read, and left out ones
	cells   []byte
	buf     []byte // not yet read
	raw     []byte
	failed  error
}

// openSheet opens a sheet of a file, or of a spool of the stream.
func (s *Source) openSheet(stream io.Reader, opt Input) error {
	s.zipped, s.encoding, s.counted = false, "", nil
	r := s.file
	if r == nil {
		var err error
		if r, err = s.spooled(stream); err != nil {
			return err
		}
	}
	name := cmp.Or(s.path, "from the stream")
	if opt.MaxRow <= 0 {
		opt.MaxRow = MaxRow
	}
	z, err := zip.NewReader(r, s.size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return fmt.Errorf("table: read Excel file %s: %w", name, err)
	}
	if len(z.File) > maxMembers {
		return fmt.Errorf("table: read Excel file %s: %d parts; expected at most %d", name, len(z.File), maxMembers)
	}
	x := &sheet{zip: z, lenient: opt.Lenient}
	book, err := xlsx.Open(x.part, xlsx.ReadOptions{MaxTexts: sharedBytes / 64, Shown: true, MaxRow: rowFactor * opt.MaxRow})
	if err != nil {
		return fmt.Errorf("table: read Excel file %s: %w", name, err)
	}
	x.names = book.Sheets()
	if x.above = opt.HeaderRow; x.above == 0 && !opt.NoHeader {
		x.above = headerRow(book, opt.Sheet)
	}
	x.Sheet, err = book.Sheet(opt.Sheet)
	if errors.Is(err, fs.ErrNotExist) {
		return &SheetError{opt.Sheet, x.names}
	}
	if err != nil {
		return fmt.Errorf("table: read Excel file %s: %w", name, err)
	}
	s.counted, s.sheet = x.counted, x
	f := feed{in: x, line: 1, rows: blockRows, bytes: blockBytes, max: 2 * rowFactor * opt.MaxRow}
	opt.Delimiter, opt.HeaderRow = sheetComma, 1+max(0, x.above-1)
	cs, err := openCSV(f, opt)
	if err != nil {
		return err
	}
	cs.header = cs.header[:x.columns]
	s.source, s.noHead, s.format = cs, opt.NoHeader, XLSX
	return nil
}

// headerRow returns the number of the row of the header, 0 for the first with text.
func headerRow(book *xlsx.Workbook, name string) int {
	sheet, err := book.Sheet(name)
	if err != nil {
		return 0 // who opens it again meets the error
	}
	defer sheet.Close()
	var rows [][]string
	var numbers []int
	for len(rows) < titled {
		values, err := sheet.Next()
		if err != nil {
			break
		}
		rows, numbers = append(rows, slices.Clone(values)), append(numbers, sheet.Row())
	}
	if len(rows) == 0 {
		return 0
	}
	return numbers[headerAt(rows)]
}

// part opens a part of the file, within the limits.
func (x *sheet) part(name string) (io.ReadCloser, error) {
	i := slices.IndexFunc(x.zip.File, func(f *zip.File) bool { return f.Name == name })
	if i < 0 {
		return nil, fs.ErrNotExist
	}
	f := x.zip.File[i]
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("table: read %s of the Excel file: %w", name, err)
	}
	most := int64(sheetBytes)
	if !strings.Contains(name, "/worksheets/") {
		most = sharedBytes
	}
	x.counted = &countingReader{in: r}
	x.size = int64(min(f.UncompressedSize64, sheetBytes))
	packed := int64(max(1, min(f.CompressedSize64, sheetBytes)))
	return &boundedPart{x.counted, r, name, packed, most}, nil
}

// A boundedPart is a part whose expansion is bounded.
type boundedPart struct {
	*countingReader
	io.Closer
	name         string
	packed, most int64
}

// Read implements [io.Reader].
func (b *boundedPart) Read(p []byte) (int, error) {
	n, err := b.countingReader.Read(p)
	if b.n > b.most || b.n > ratioFree && b.n/b.packed > maxRatio {
		return 0, fmt.Errorf("table: %s of the Excel file expands to more than %d bytes; expected at most %d, and %d times its size", b.name, b.n, b.most, maxRatio)
	}
	return n, err
}

// Read implements [io.Reader]: the rows as separated values.
func (x *sheet) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(x.buf) == 0 {
			if x.failed == nil {
				x.failed = x.next()
			}
			if x.failed != nil {
				break
			}
		}
		m := copy(p[n:], x.buf)
		n, x.buf = n+m, x.buf[m:]
	}
	if n > 0 {
		return n, nil
	}
	return 0, x.failed
}

// next puts a row into buf. Rows without text are blank lines.
func (x *sheet) next() error {
	values, err := x.Next()
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	if err != nil {
		return fmt.Errorf("table: read the sheet %q: %w", x.Name, err)
	}
	x.cells = x.cells[:0]
	for x.lines++; x.lines < x.Row(); x.lines++ {
		x.cells = append(x.cells, '\n')
	}
	if x.Row() < x.above { // a title
		values = nil
	}
	filled := len(values)
	for filled > 0 && strings.TrimSpace(values[filled-1]) == "" {
		filled--
	}
	if x.columns == 0 && x.Row() >= x.above {
		x.columns, x.begin = filled, x.At()
	}
	switch {
	case x.begin > titleBytes:
		return fmt.Errorf("table: the sheet %q has %d bytes before its header; expected at most %d", x.Name, x.begin, titleBytes)
	case filled > x.columns && !x.lenient:
		return &RowError{int64(x.Row()), fmt.Sprintf("%d cells, the header has %d; a lenient reading leaves such cells out", filled, x.columns)}
	case filled > 0:
		for i := range x.columns {
			if i < len(values) {
				x.cells = appendCell(x.cells, values[i])
			}
			x.cells = append(x.cells, sheetComma)
		}
		x.raw = x.Raw(x.raw[:0], x.columns)
		if x.header == nil {
			x.header = bytes.Clone(x.raw)
		}
		x.cells = appendCell(x.cells, string(x.raw))
	}
	x.cells = append(x.cells, '\n')
	x.buf = x.cells
	return nil
}

func appendCell(dst []byte, text string) []byte {
	if !strings.HasPrefix(text, `"`) && !strings.ContainsAny(text, "\r\n\x1f") {
		return append(dst, text...)
	}
	dst = append(dst, quote)
	dst = append(dst, strings.ReplaceAll(text, `"`, `""`)...)
	return append(dst, quote)
}

// newSheet begins an Excel file for the rows of the source: a copy of its file, or
// a new one.
func (s *Source) newSheet(w io.Writer) (*xlsx.Writer, error) {
	var out *xlsx.Writer
	var err error
	if x := s.sheet; x != nil {
		out, err = xlsx.Copy(w, x.zip, x.part, x.Part(), x.begin, x.At)
	} else {
		out, err = xlsx.Create(w, "Sheet1")
	}
	if err != nil {
		return nil, fmt.Errorf("table: write the Excel file: %w", err)
	}
	return out, nil
}

// Sheets returns the name of the sheet that is read and the names of all sheets of
// the Excel file; "" and nil for other formats.
func (s *Source) Sheets() (name string, all []string) {
	if s.sheet == nil {
		return "", nil
	}
	return s.sheet.Name, slices.Clone(s.sheet.names)
}

// A SheetError reports a sheet that the input does not have.
type SheetError struct {
	Sheet  string
	Sheets []string // of the Excel file; nil if the input is not one
}

// Error lists the sheets.
func (e *SheetError) Error() string {
	if e.Sheets == nil {
		return fmt.Sprintf("table: no sheet %q; expected an Excel file (.xlsx)", e.Sheet)
	}
	return fmt.Sprintf("table: no sheet %q; the file has %q", e.Sheet, e.Sheets[:min(len(e.Sheets), 20)])
}

// sheetWidth refuses more columns than a sheet can have.
func sheetWidth(n int) error {
	if n > xlsx.MaxColumns {
		return fmt.Errorf("table: %d columns; a sheet of an Excel file has at most %d", n, xlsx.MaxColumns)
	}
	return nil
}
