package table

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/postgeo/postgeo/enrich"
)

// Input are the options of reading. The zero value takes the format of the file's name.
type Input struct {
	Format Format // "": by the file's name, else by the first bytes
	// HeaderRow is the number of the row with the names of the columns, from 1. 0 finds
	// it: the first row with text, or one below titles that has usual names.
	HeaderRow int
	NoHeader  bool // the first row is a row; columns are named 1, 2 …
	// Lenient accepts irregular rows: missing or surplus cells, and text after a closing
	// quote.
	Lenient bool
	// Delimiter divides the cells of CSV and TSV: one byte of ASCII. 0 is a tab for TSV.
	// For CSV it is the comma, semicolon, tab or bar that the first row has most of.
	Delimiter byte
	// Encoding is utf-8, utf-16le, utf-16be or windows-1252; see [ParseEncoding]. "" is
	// decided by the first bytes. Output is always in UTF-8.
	Encoding string
	// Sheet is the name of a sheet of an Excel file; "" is the first.
	Sheet string
}

// A stream is read through up to three layers before a format sees it: gzip, the decoder of
// its encoding, and a buffer whose first bytes decide the format. Each layer is
// found in the bytes of one read, never by waiting for a full buffer: a slow stream is opened
// as soon as its header is there. So a decision uses at most the first 64 KiB.
//
// Parquet and Excel files begin at their ends. A stream of one is copied to a temporary file
// first.

// A source reads one format.
type source interface {
	names() []string
	// read fills a block with the next rows. It returns the error after them, io.EOF at
	// the end, and is not called again then. One goroutine calls it.
	read(b *block) error
	// parse splits a row of a block. Several goroutines call it.
	parse(r *row, b *block, i int) error
}

// A Source is a table to be read. It belongs to one goroutine until a [Job] has it.
type Source struct {
	Format    Format
	Encoding  string   // of the text that is read, such as "utf-8"; "" for Parquet and XLSX
	Delimiter byte     // of CSV and TSV, 0 for other formats
	Sheet     string   // that is read of an Excel file, else ""
	Sheets    []string // of the Excel file

	source
	noHead bool
	file   *os.File // nil for a stream
	size   int64    // of the file in bytes, -1 if unknown
	path   string   // "" for a stream
	spool  *os.File // copy of a stream, nil without one
}

// done returns the part of the input that was read, or -1 if its size is unknown.
func (s *Source) done() float64 {
	at, of := int64(0), s.size
	switch x := s.source.(type) {
	case *parquetSource:
		at, of = x.at, x.file.NumRows()
	case *sheetSource:
		at, of = x.Begin(), x.Size()
	default: // the position needs no count of bytes, and is right for gzip and other encodings
		if s.file != nil {
			at, _ = s.file.Seek(0, io.SeekCurrent) // 0 if it cannot
		}
	}
	if of <= 0 {
		return -1
	}
	return min(1, float64(at)/float64(of))
}

// Header returns the names of the columns. They come from the header, the keys of the
// first object, or the columns of a Parquet schema, with dots for groups.
func (s *Source) Header() []string { return s.names() }

// FindKeys finds the key columns: the named ones, else those with usual names, else one
// whose name has a word for codes. Of several keys it takes Prefer, else a code, then
// coordinates, an address, and a city with its state. An address includes the columns of
// unit, city, state and ZIP. "#2" names the second column.
//
// The first values of CSV, TSV and Excel decide too. Of NDJSON it also takes keys that the
// first object does not have, and keys of objects within it with dots ("address.zip").
func (s *Source) FindKeys(n Names) (Keys, error) {
	f := newFinder(s.Header(), nil)
	switch x := s.source.(type) {
	case *jsonSource:
		f.further = true
		k, err := f.find(&n)
		x.further = f.header[len(x.header):]
		return k, err
	case *csvSource:
		f.rows = x.ahead(sampled)
	case *sheetSource:
		for _, row := range x.ahead {
			f.rows = append(f.rows, row.Values)
		}
	}
	return f.find(&n)
}

// Open opens the table in a file. If neither the options nor the name define the format,
// its first bytes do. The caller closes the Source.
func Open(path string, opt Input) (*Source, error) {
	f, _, err := FormatOf(path)
	if err != nil {
		return nil, err
	}
	opt.Format = cmp.Or(opt.Format, f)
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	s := &Source{file: file, size: -1, path: path}
	info, err := file.Stat()
	switch {
	case err != nil:
		err = fmt.Errorf("table: %w", err)
	case info.IsDir():
		err = fmt.Errorf("table: %w", &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR})
	default:
		if info.Mode().IsRegular() {
			s.size = info.Size()
		}
		err = s.open(file, opt)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Read opens a table in a stream. Unless the options define the format, its first bytes
// do. Parquet and Excel files are read from their ends and copied to a temporary file.
func Read(r io.Reader, opt Input) (*Source, error) {
	s := &Source{size: -1}
	if err := s.open(r, opt); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// open reads the beginning and the header.
func (s *Source) open(in io.Reader, opt Input) (err error) {
	if d := opt.Delimiter; d >= utf8.RuneSelf || d == quote || d == '\n' || d == '\r' {
		return fmt.Errorf("table: the delimiter is %q; expected one byte of ASCII other than a quote or line end", d)
	}
	if opt.Encoding != "" {
		if opt.Encoding, err = ParseEncoding(opt.Encoding); err != nil {
			return err
		}
	}
	raw := bufio.NewReaderSize(in, piece)
	zipped := false
	// Files that are named as Parquet or Excel are opened at their ends below. Parquet with
	// the option Sheet comes here for the error of recognize.
	if !opt.Format.Binary() || opt.Format == Parquet && opt.Sheet != "" {
		head, _ := raw.Peek(len(gzipMagic)) // the next read meets the error
		if zipped = string(head) == gzipMagic; zipped {
			z, err := gzip.NewReader(raw)
			if err != nil {
				return fmt.Errorf("table: read gzip: %w", err)
			}
			raw = bufio.NewReaderSize(z, piece)
		}
		if s.Encoding = cmp.Or(opt.Encoding, encodingOf(raw)); encodings[s.Encoding] != nil {
			raw = bufio.NewReaderSize(encodings[s.Encoding].NewDecoder().Reader(raw), piece)
		}
		if opt.Format, err = recognize(raw, opt); err != nil {
			return err
		}
	}
	s.noHead, s.Format = opt.NoHeader, opt.Format
	if !s.Format.Binary() {
		f := newFeed(raw)
		if s.Format == NDJSON {
			s.source, err = openJSON(f)
			return err
		}
		c, err := openCSV(f, opt)
		if err == nil {
			s.source, s.Delimiter = c, c.comma
		}
		return err
	}
	if s.Encoding = ""; zipped {
		return fmt.Errorf("table: a file of %s in gzip; unpack it, %[1]s is compressed inside", opt.Format)
	}
	file := s.file
	if file == nil || s.size < 0 {
		if file, err = s.spooled(raw); err != nil {
			return fmt.Errorf("table: copy the stream to a temporary file: %w", err)
		}
	}
	name := cmp.Or(s.path, "from the stream")
	if opt.Format == Parquet {
		s.noHead = false
		s.source, err = openParquet(file, s.size, name)
		return err
	}
	x, sheets, err := openSheet(file, s.size, opt)
	if e := (*Error)(nil); errors.As(err, &e) && slices.Contains(e.Options, "Sheet") {
		return err
	}
	if err != nil {
		return fmt.Errorf("table: read Excel file %s: %w", name, err)
	}
	s.source, s.Sheet, s.Sheets = x, x.Name, sheets
	return nil
}

// spooled returns a temporary file of a stream. If the system allows it, it has no name
// and ends with the process, also with one that is killed.
func (s *Source) spooled(r io.Reader) (spool *os.File, err error) {
	if s.spool, err = os.CreateTemp("", "postgeo-*.table"); err == nil {
		_ = os.Remove(s.spool.Name())
		s.size, err = io.Copy(s.spool, r)
	}
	return s.spool, err
}

// Close closes the file and removes a spool.
func (s *Source) Close() (err error) {
	if s.file != nil {
		err = s.file.Close()
	}
	if s.spool != nil {
		err = errors.Join(err, s.spool.Close())
		_ = os.Remove(s.spool.Name()) // Windows can't remove an open file
		s.spool = nil
	}
	return err
}

// Places reads the rows with their first keys and all columns as cells, as
// [enrich.NewPlaces] takes them. It ends with an error at the first row that the format
// does not allow, a [*Error]. A Source is read once, by this or by a [Job].
func (s *Source) Places(k Keys) iter.Seq2[enrich.Place, error] {
	return func(yield func(enrich.Place, error) bool) {
		var b block
		var r row
		width := len(s.Header())
		for ended := error(nil); ended == nil; {
			ended = s.read(&b)
			for i := range b.n {
				if err := s.parse(&r, &b, i); err != nil {
					yield(enrich.Place{}, err)
					return
				}
				p := enrich.Place{Key: k.text(&r), Cells: make([]string, width)}
				for c := range p.Cells {
					p.Cells[c] = valid(r.text(c))
				}
				if !yield(p, nil) {
					return
				}
			}
			if ended != nil && !errors.Is(ended, io.EOF) {
				yield(enrich.Place{}, ended)
			}
		}
	}
}

// The names of encodings.
const (
	utf8Name    = "utf-8"
	utf16LE     = "utf-16le"
	utf16BE     = "utf-16be"
	windows1252 = "windows-1252"
)

// encodings are the readable encodings except UTF-8.
var encodings = map[string]encoding.Encoding{
	utf16LE:     unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
	utf16BE:     unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
	windows1252: charmap.Windows1252,
}

// ParseEncoding returns the name of an encoding in the form of [Input]. A byte order mark
// decides about "utf-16", which is utf-16le without one. "latin1" is windows-1252, as in
// browsers (the WHATWG Encoding Standard has them as labels of it).
func ParseEncoding(name string) (string, error) {
	switch name = strings.ToLower(name); name {
	case utf8Name, "utf8":
		return utf8Name, nil
	case "utf-16", "utf16":
		return utf16LE, nil
	case "cp1252", "latin1", "iso-8859-1":
		return windows1252, nil
	}
	if encodings[name] == nil {
		return "", fmt.Errorf("table: unknown encoding %q; expected utf-8, utf-16le, utf-16be or windows-1252", name)
	}
	return name, nil
}

// encodingOf returns the encoding of a text by its first bytes, as many as one read of the
// stream brings. Text with bytes that are not UTF-8 is in Windows-1252 if it has no
// character of several bytes in UTF-8: such characters hardly occur by chance, so a text with
// both is UTF-8 with damaged bytes, which are kept. UTF-16 without a byte order mark has a
// zero in every other byte, because a header begins with ASCII.
func encodingOf(r *bufio.Reader) string {
	if _, err := r.Peek(1); err != nil {
		return utf8Name
	}
	head, _ := r.Peek(max(r.Buffered(), len(byteBOM)))
	zeros := func(at int) bool {
		return len(head) > 3 && head[at] == 0 && head[at+2] == 0 && head[1-at] != 0 && head[3-at] != 0
	}
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")), zeros(1):
		return utf16LE
	case bytes.HasPrefix(head, []byte("\xfe\xff")), zeros(0):
		return utf16BE
	// Zeros mean binary data, which recognize names: decoding would hide its magic number.
	case bytes.IndexByte(head, 0) >= 0, bytes.HasPrefix(head, []byte(byteBOM)), slices.ContainsFunc(foreign, func(f struct{ magic, what string }) bool { return bytes.HasPrefix(head, []byte(f.magic)) }):
		return utf8Name
	}
	name := utf8Name
	for len(head) > 0 && utf8.FullRune(head) { // the read may end within a character
		c, n := utf8.DecodeRune(head)
		switch {
		case n > 1, c == utf8.RuneError && charmap.Windows1252.DecodeByte(head[0]) == utf8.RuneError:
			return utf8Name
		case c == utf8.RuneError:
			name = windows1252
		}
		head = head[n:]
	}
	return name
}
