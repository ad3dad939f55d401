package table

import (
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/enrich"
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

// A sheetSource reads a sheet of an Excel file.
type sheetSource struct {
	*xlsx.Sheet
	zip     *zip.Reader
	size    int64 // of the part of the sheet
	sheets  []string
	lenient bool
	above   int // row of the header, from 1; 0 is the first with text
	header  []string
	head    []byte // the header as it is in the file
	begin   int64  // of the header in the part
	first   *block // read ahead
	failed  error  // met after the delivered rows
}

// A sheetRow is a row of a sheet. Its raw bytes lack the end, see [xlsx.Sheet.Raw].
type sheetRow struct {
	line  int64
	cells []string
	raw   []byte
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
	x := &sheetSource{lenient: opt.Lenient, above: opt.HeaderRow}
	s.source, s.sheet, s.noHead, s.format = x, x, opt.NoHeader, XLSX
	err := x.open(r, s.size, opt)
	if e := (*SheetError)(nil); err == nil || errors.As(err, &e) {
		return err
	}
	return fmt.Errorf("table: read Excel file %s: %w", cmp.Or(s.path, "from the stream"), err)
}

// open opens the sheet, and reads its header and first rows.
func (x *sheetSource) open(r io.ReaderAt, size int64, opt Input) (err error) {
	x.zip, err = zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return err
	}
	if n := len(x.zip.File); n > maxMembers {
		return fmt.Errorf("%d parts; expected at most %d", n, maxMembers)
	}
	book, err := xlsx.Open(x.part)
	if err != nil {
		return err
	}
	x.sheets = book.Sheets()
	if x.above == 0 && !opt.NoHeader {
		x.above = headerRow(book, opt.Sheet)
	}
	if opt.MaxRow <= 0 {
		opt.MaxRow = MaxRow
	}
	x.Sheet, err = book.Sheet(opt.Sheet, rowFactor*opt.MaxRow)
	if errors.Is(err, fs.ErrNotExist) {
		return &SheetError{opt.Sheet, x.sheets}
	}
	if err != nil {
		return err
	}
	for _, f := range x.zip.File {
		if f.Name == x.Part() {
			x.size = int64(f.UncompressedSize64)
		}
	}
	row, err := x.next()
	if err != nil {
		return emptyInput(err)
	}
	if x.begin = x.At(); x.begin > titleBytes {
		return fmt.Errorf("the sheet %q has %d bytes before its header; expected at most %d", x.Name, x.begin, titleBytes)
	}
	x.header, x.head = row.cells, row.raw
	x.first = new(block)
	if opt.NoHeader {
		for i := range x.header {
			x.header[i] = strconv.Itoa(i + 1)
		}
		x.first.sheet = append(x.first.sheet, row)
	}
	x.fill(x.first)
	return nil
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
		if len(cells) == 0 || x.Row() < x.above {
			continue
		}
		n := len(x.header)
		switch {
		case n == 0: // the header
			n = len(cells)
		case len(cells) > n && !x.lenient:
			return row, rowError(int64(x.Row()), cellsError{len(cells), n})
		}
		return sheetRow{int64(x.Row()), cells[:min(n, len(cells))], x.Raw(nil, n)}, nil
	}
}

// fill adds rows to a block.
func (x *sheetSource) fill(b *block) {
	for size := 0; x.failed == nil && len(b.sheet) < blockRows && size < blockBytes; {
		row, err := x.next()
		if err != nil {
			x.failed = err
			break
		}
		b.sheet = append(b.sheet, row)
		size += len(row.raw)
	}
}

func (x *sheetSource) names() []string { return x.header }

func (x *sheetSource) read(b *block) error {
	b.reset()
	if x.first != nil {
		b.sheet, x.first = append(b.sheet, x.first.sheet...), nil
	} else {
		x.fill(b)
	}
	if len(b.sheet) > 0 {
		return nil
	}
	if e := (*RowError)(nil); errors.Is(x.failed, io.EOF) || errors.As(x.failed, &e) {
		return x.failed
	}
	return fmt.Errorf("table: read the sheet %q: %w", x.Name, x.failed)
}

// sample returns the first values of a column.
func (x *sheetSource) sample(column int) (values []string) {
	for _, row := range x.first.sheet {
		if column < len(row.cells) {
			values = append(values, row.cells[column])
		}
	}
	return values
}

func (x *sheetSource) decoder() decoder { return &sheetDecoder{} }

// sheetDecoder reads rows of a sheet.
type sheetDecoder struct{ sheetRow }

func (d *sheetDecoder) row(b *block, i int) error {
	d.sheetRow = b.sheet[i]
	return nil
}

func (d *sheetDecoder) appendText(dst []byte, col int) []byte {
	if col < len(d.cells) {
		dst = append(dst, d.cells[col]...)
	}
	return dst
}

func (d *sheetDecoder) value(col int) enrich.Value {
	return enrich.StringValue(strings.ToValidUTF8(string(d.appendText(nil, col)), "\ufffd"))
}

// headerRow returns the number of the row of the header, 0 for the first with text.
func headerRow(book *xlsx.Workbook, name string) int {
	sheet, err := book.Sheet(name, rowFactor*MaxRow)
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
func (x *sheetSource) part(name string) (io.ReadCloser, error) {
	i := slices.IndexFunc(x.zip.File, func(f *zip.File) bool { return f.Name == name })
	if i < 0 {
		return nil, fs.ErrNotExist
	}
	f, most := x.zip.File[i], uint64(sheetBytes)
	if !strings.Contains(name, "/worksheets/") {
		most = sharedBytes
	}
	if n := f.UncompressedSize64; n > most || n > ratioFree && n/max(1, f.CompressedSize64) > maxRatio { // the ZIP reader allows no more
		return nil, fmt.Errorf("%s expands to %d bytes; expected at most %d, and %d times its size", name, n, most, maxRatio)
	}
	return f.Open()
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
	return s.sheet.Name, slices.Clone(s.sheet.sheets)
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
