package table

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/enrich"
)

// Input are the options of reading. The zero value takes the format of the
// file's name.
type Input struct {
	Format Format // 0: by the file's name, else CSV
	Gzip   bool   // the stream is compressed, regardless of its name
	// HeaderRow is the number of the row with the names of the columns, from 1. 0 finds
	// it: the first row with text, or one below titles that has usual names.
	HeaderRow int
	NoHeader  bool // CSV and TSV: the first row is a row; columns are named 1, 2 …
	// Lenient accepts irregular rows: missing or surplus cells, text after a
	// closing quote, and lines without a JSON object.
	Lenient bool
	MaxRow  int // longest row of text in bytes; 0 is [MaxRow]
	// Delimiter divides the cells of CSV and TSV: one byte of ASCII. 0 is a tab
	// for TSV. For CSV it is the comma, semicolon, tab or bar that the first row
	// has most of.
	Delimiter byte
	// Encoding is utf-8, utf-16le, utf-16be or windows-1252; see [ParseEncoding].
	// "" is decided by the first bytes. Output is always in UTF-8.
	Encoding string
	// Sheet is the name of a sheet of an Excel file; "" is the first. Its first row
	// with text is the header.
	Sheet string
}

// A source reads one format.
type source interface {
	names() []string
	// read fills a block with the next rows; io.EOF at the end.
	read(b *block) error
	decoder() decoder
}

// A decoder reads the rows of blocks, for one goroutine.
type decoder interface {
	row(b *block, i int) error
	appendText(dst []byte, col int) []byte // a cell, nothing if missing
	value(col int) enrich.Value
}

// A Source is a table to be read. It belongs to one goroutine until [Run] has
// it.
type Source struct {
	source
	format   Format
	noHead   bool
	zipped   bool
	encoding string   // of the text, see [ParseEncoding]
	file     *os.File // nil for a stream
	size     int64    // of the file in bytes, -1 unknown
	path     string
	counted  *countingReader
	spool    *os.File
	removed  bool         // the spool has no name any more
	sheet    *sheetSource // of an Excel file, else nil
}

// Header returns the names of the columns. They come from the header, the keys
// of the first object, or the columns of a Parquet schema, with dots for
// groups.
func (s *Source) Header() []string { return s.names() }

// FindKeys is [FindKeys] for the source's columns. Of NDJSON it also takes keys
// that the first object does not have, and keys of objects within it with dots
// ("address.zip").
func (s *Source) FindKeys(n Names) (Keys, error) {
	js, ok := s.source.(*jsonSource)
	if !ok {
		if x, ok := s.source.(interface{ sample(column int) []string }); ok {
			return findKeysOf(s.Header(), n, x.sample)
		}
		return FindKeys(s.Header(), n)
	}
	js.further = nil
	names := slices.Concat([]string{n.Code, n.Lat, n.Lon, n.Country}, n.Address, n.To)
	for _, key := range n.Keys {
		names = append(names, keyColumns(key)...)
	}
	for _, name := range names {
		_, name = fieldOf(name)
		if _, err := columnOf(js.header, name); err != nil && name != "" {
			js.further = append(js.further, name)
		}
	}
	return FindKeys(slices.Concat(js.header, js.further), n)
}

// Format returns the source's format.
func (s *Source) Format() Format { return s.format }

// Encoding returns the encoding of the text that is read, such as "utf-8"; "" for
// Parquet.
func (s *Source) Encoding() string { return s.encoding }

// Delimiter returns what divides the cells of CSV and TSV, 0 for other formats.
func (s *Source) Delimiter() byte {
	if c, ok := s.source.(*csvSource); ok {
		return c.shape.comma
	}
	return 0
}

// Open opens the table in a file. If neither the options nor the name define
// the format, its first bytes do. The caller closes the Source.
func Open(path string, opt Input) (*Source, error) {
	if err := CheckName(path); err != nil {
		return nil, err
	}
	f, zipped, _ := FormatOf(path)
	opt.Format = cmp.Or(opt.Format, f)
	opt.Gzip = opt.Gzip || zipped
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	s, err := openFile(file, path, opt)
	if err != nil {
		file.Close()
		return nil, err
	}
	return s, nil
}

func openFile(file *os.File, path string, opt Input) (*Source, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("table: %w", &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR})
	}
	s := &Source{file: file, size: info.Size(), path: path}
	if !info.Mode().IsRegular() {
		s.file, s.size = nil, -1
	}
	err = s.open(file, opt)
	return s, err
}

// Read opens a table in a stream. Unless the options define the format, its
// first bytes do. Parquet and Excel files are read from their ends and copied to a
// temporary file.
func Read(r io.Reader, opt Input) (*Source, error) {
	s := &Source{size: -1}
	if err := s.open(r, opt); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// open looks at the beginning and reads the header.
func (s *Source) open(in io.Reader, opt Input) error {
	if err := opt.check(); err != nil {
		return err
	}
	s.counted = &countingReader{in: in}
	const piece = 1 << 16
	raw := bufio.NewReaderSize(s.counted, piece)
	if opt.Format == Parquet && opt.Sheet == "" {
		return s.openParquet(raw)
	}
	if opt.Format == XLSX {
		return s.openSheet(raw, opt)
	}
	head, _ := raw.Peek(len(gzipMagic)) // who reads on meets the error
	if opt.Gzip = opt.Gzip || string(head) == gzipMagic; opt.Gzip {
		z, err := gzip.NewReader(raw)
		if err != nil {
			return fmt.Errorf("table: read gzip: %w", err)
		}
		s.zipped = true
		raw = bufio.NewReaderSize(z, piece)
	}
	if s.encoding = opt.Encoding; s.encoding == "" {
		s.encoding = encodingOf(raw)
	}
	if e := encodings[s.encoding]; e != nil {
		raw = bufio.NewReaderSize(e.NewDecoder().Reader(raw), piece)
	}
	var err error
	if opt.Format, err = recognize(raw, opt); err != nil {
		return err
	}
	switch {
	case !opt.Format.Binary():
		return s.openText(raw, opt)
	case s.zipped:
		return fmt.Errorf("table: a file of %s in gzip; unpack it, %[1]s is compressed inside", opt.Format)
	case opt.Format == XLSX:
		return s.openSheet(raw, opt)
	default:
		return s.openParquet(raw)
	}
}

// spooled returns a temporary file of a stream, which is removed at the latest
// by Close.
func (s *Source) spooled(r io.Reader) (*os.File, error) {
	spool, err := os.CreateTemp("", "postgeo-*.table")
	if err != nil {
		return nil, fmt.Errorf("table: copy the stream to a temporary file: %w", err)
	}
	s.spool = spool
	s.removed = os.Remove(spool.Name()) == nil // ends with the process, if the system allows it
	if s.size, err = io.Copy(spool, r); err != nil {
		return nil, fmt.Errorf("table: copy the stream to a temporary file: %w", err)
	}
	return spool, nil
}

// Close closes the file and removes a spool.
func (s *Source) Close() error {
	var err error
	if s.file != nil {
		err = s.file.Close()
	}
	if s.spool != nil {
		err = errors.Join(err, s.spool.Close())
		if !s.removed {
			err = errors.Join(err, os.Remove(s.spool.Name()))
		}
		s.spool = nil
	}
	return err
}

// Names are the names of key columns. Empty ones are looked for.
type Names struct {
	Code     string
	Lat, Lon string   // both or none
	Address  []string // several are joined, unless fields are named: street=COL, unit=, city=, state=, zip=, country=
	To       []string // code, or latitude and longitude, of the target place; empty without one
	Country  string   // of the row; "" is found by its name. See [enrich.OtherCountry]
	Prefer   enrich.Kind
	// Keys names the key in place of the fields above but To: "zip", "lat,lon",
	// "address=street,city,state". A kind may precede the columns. It is required
	// unless the columns have usual names, or there is one of codes. A kind alone
	// finds its columns by their names. Several keys, in order of preference, require
	// TryNext.
	Keys []string
	// TryNext looks up a row by the next of Keys if it lacks one or has no match.
	TryNext bool
	// Exact refuses columns of codes whose names only have a word for codes, such as
	// "Billing Zip/Postal Code". Without it, names and the first 1,000 values of CSV,
	// TSV and Excel decide.
	Exact bool
}

// Keys are the columns that rows are looked up by.
type Keys struct {
	Kind    enrich.Kind
	Columns []int    // of the header
	Names   []string // of the columns
	To      []int    // of the header, of the places that rows measure to
	Country []int    // of the header, of the row's country; empty without one

	// Next holds further keys, in order of preference. A row uses the first that is
	// answered.
	Next []Keys

	fields []string // of an address, one for each column; nil if the columns are joined
	lead   int      // first columns of an address that a street is divided into
}

// append appends the cells that decide the result of a row, each with its length.
func (k *Keys) append(dst []byte, d decoder) []byte {
	for i := range k.len() {
		dst = appendCells(dst, d, k.at(i).Columns)
	}
	return appendCells(dst, d, k.To)
}

func appendCells(dst []byte, d decoder, columns []int) []byte {
	for _, c := range columns {
		from := len(dst)
		dst = d.appendText(dst, c)
		dst = binary.AppendUvarint(dst, uint64(len(dst)-from))
	}
	return dst
}

// text returns the key that a row is looked up by.
func (k *Keys) text(d decoder) string {
	cell := func(c int) string { return string(d.appendText(nil, c)) }
	switch k.Kind {
	case enrich.Coordinates:
		return enrich.JoinCoordinates(cell(k.Columns[0]), cell(k.Columns[1]))
	case enrich.Address, enrich.City:
		if k.fields != nil {
			var f address.Fields
			for i, c := range k.Columns {
				f.Set(k.fields[i], cell(c))
			}
			return f.Key()
		}
		parts := make([]string, 0, len(k.Columns))
		for i, c := range k.Columns {
			if 0 < i && i < k.lead {
				parts[0] = enrich.JoinStreet(parts[0], cell(c))
			} else {
				parts = append(parts, cell(c))
			}
		}
		return enrich.JoinAddress(parts...)
	default:
		return strings.TrimSpace(cell(k.Columns[0]))
	}
}

// appendPoint appends the key of a row with a latitude and a longitude, as text
// returns it.
func (k *Keys) appendPoint(dst []byte, d decoder) []byte {
	from := len(dst)
	dst = d.appendText(dst, k.Columns[0])
	comma := len(dst)
	dst = d.appendText(append(dst, ','), k.Columns[1])
	if isDecimal(dst[from:comma]) && isDecimal(dst[comma+1:]) {
		return dst
	}
	return append(dst[:from], k.text(d)...)
}

// isDecimal reports whether a text has only digits, signs and points.
func isDecimal(text []byte) bool {
	for _, c := range text {
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' {
			return false
		}
	}
	return len(text) > 0
}

// to returns the place that a row measures to; "" without one.
func (k *Keys) to(d decoder) string {
	cell := func(c int) string { return string(d.appendText(nil, c)) }
	switch len(k.To) {
	case 0:
		return ""
	case 1:
		return cell(k.To[0])
	default:
		return enrich.JoinCoordinates(cell(k.To[0]), cell(k.To[1]))
	}
}
