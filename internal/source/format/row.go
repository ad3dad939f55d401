package format

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/paulmach/orb"
)

// Options describe the rows of a file.
type Options struct {
	// Columns are the columns that the file must have. Others are available by their
	// names.
	Columns []string
	// Names are the columns of a delimited text without header row.
	Names []string
	// Meanings, if not nil, returns further names of columns: the header of each.
	Meanings func(headers []string) map[string]string
	// Blank are texts, in any letter case, that mean no value: [Row.Get] returns "".
	Blank []string
	// Delimiter separates the fields of a delimited text. Zero means the one of "," ";"
	// "|" and tab that the first line has most often.
	Delimiter byte
	// Quoted means that fields may be quoted by RFC 4180; a quoted field may
	// then contain line ends. Otherwise quotes are plain text.
	Quoted bool
	// LooseQuotes means that fields on one line may be quoted, with quotes inside that
	// are not doubled: a quoted field ends at a quote before a delimiter or line end.
	LooseQuotes bool
	// Encoding of a delimited text; the zero value is UTF-8, which is verified.
	Encoding Encoding
	// ShortRows allows rows with fewer fields than columns; the missing ones
	// are "".
	ShortRows bool
	// Key are columns that no row of a workbook's table leaves blank: the table ends before
	// the first row that does, and what follows are footers.
	Key []string
	// Lines means that the shapes of a shapefile are lines; without it they are polygons.
	Lines bool
	// Width is the number of bytes of a fixed-width record. Zero means other formats.
	Width int
	// MaxRow is the most bytes that a row may have, by which memory is bounded. Zero
	// means 1 MiB, for features of GeoJSON 256 MiB.
	MaxRow int
}

// A Row is a row of a table, or a record of fixed width, of a shapefile or of GeoJSON.
// Its fields are valid until the next one is read. Their strings stay valid, but keep the
// whole line in memory: clone parts of a long line.
type Row struct {
	Number int // line or row, or record or feature, from 1
	// Polygon is in degrees of longitude and latitude, outer rings
	// counter-clockwise, holes clockwise, every ring closed. It is empty if the
	// record has no geometry.
	Polygon orb.MultiPolygon
	// Lines are in degrees too, of a shapefile of lines. A point is a line of one vertex.
	Lines orb.MultiLineString
	// Closed is the number of rings that the file leaves open and the reader closed.
	Closed int

	header *header
	fields []string
}

// A header has the columns of rows. All rows of a file share it. index has the names in
// the file and the meanings of [Options], which may lead to the same column.
type header struct {
	file    string
	records bool // rows are records, not lines
	names   []string
	index   map[string]int
	blank   []string
}

// newHeader finds the columns of the options. A name that the file has several times
// means the first, unless it is expected.
func (o *Options) newHeader(file string, line int, names []string) (*header, error) {
	h := &header{file: file, names: names, index: make(map[string]int, len(names)), blank: o.Blank}
	for i, name := range slices.Backward(names) { // so that the first of equal names stays
		h.index[name] = i
	}
	if o.Meanings != nil {
		for name, column := range o.Meanings(names) {
			if i, ok := h.index[column]; ok {
				h.index[name] = i
			}
		}
	}
	for _, name := range o.Columns {
		i, ok := h.index[name]
		if !ok {
			return h, &Error{File: file, Line: line, Column: name, Reason: "not in the header; found " + list(names), Err: ErrColumns}
		}
		if slices.Contains(names[i+1:], names[i]) {
			return h, &Error{File: file, Line: line, Column: name, Reason: "several columns have this name, expected one", Err: ErrColumns}
		}
	}
	return h, nil
}

// Get returns the field of a column without the spaces around it; "" if it is blank or
// missing.
func (r Row) Get(column string) string {
	i, ok := r.header.index[column]
	if !ok || i >= len(r.fields) {
		return ""
	}
	s := strings.TrimSpace(r.fields[i])
	for _, b := range r.header.blank {
		if strings.EqualFold(s, b) {
			return ""
		}
	}
	return s
}

// Has reports whether the file has a column of the name.
func (r Row) Has(column string) bool {
	_, ok := r.header.index[column]
	return ok
}

// IsRecord reports whether the number is that of a record or feature, not of a line.
func (r Row) IsRecord() bool { return r.header.records }

// Header returns the names of the columns as the file has them.
func (r Row) Header() []string { return r.header.names }

// Fields returns all fields as they are.
func (r Row) Fields() []string { return r.fields }

// Errorf returns an [*Error] about a column of the row that matches [ErrValue]. The
// format should have the found and the expected value.
func (r Row) Errorf(column, format string, args ...any) error {
	e := &Error{File: r.header.file, Column: column, Reason: fmt.Sprintf(format, args...), Err: ErrValue}
	if e.Line = r.Number; r.header.records {
		e.Line, e.Record = 0, r.Number
	}
	return e
}

// A reader reads the rows of a format.
type reader interface {
	next() (Row, error) // io.EOF after the last
	io.Closer
}

// Rows reads the rows of the file: of delimited text, JSON arrays, GeoJSON, a dBASE
// table, fixed-width records, a workbook or a shapefile. Unless a member is named, the
// name .shp or the content of a zip shows the last two. The other content shows itself.
//
// A malformed geometry of a feature is an error that matches [ErrValue], and the sequence
// continues. Any other error is the last pair. The sequence can be run once.
func (f File) Rows(o Options) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		r, err := f.reader(&o)
		if err != nil {
			yield(Row{}, err)
			return
		}
		defer r.Close()
		for {
			row, err := r.next()
			if errors.Is(err, io.EOF) || !yield(row, err) || err != nil && !errors.Is(err, ErrValue) {
				return
			}
		}
	}
}

// reader opens the file and finds its format: by the options and the name, then
// by the members of a zip, then by the first bytes. A name with an extension alone is not
// trusted, since publishers name text .txt, .csv and .dat, and users rename files.
func (f File) reader(o *Options) (reader, error) {
	if f.Content == nil && f.Member == "" {
		if strings.EqualFold(filepath.Ext(f.Path), ".shp") {
			return newShapefile(beside(f.Path), o)
		}
		a, err := f.archive()
		if err != nil {
			return nil, err
		}
		names := a.names()
		switch {
		case slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(filepath.Ext(n), ".shp") }):
			s, err := newShapefile(a.withExtension, o)
			return closing(s, a, err)
		case slices.Contains(names, "_rels/.rels"): // every Office Open XML package has it
			s, err := newSheet(a, o)
			return closing(s, a, err)
		}
		a.Close()
	}
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	r, err := in.reader(o)
	if err != nil {
		in.Close()
		return nil, err
	}
	return r, nil
}

// withFile is a reader with the file below it.
type withFile struct {
	reader
	file io.Closer
}

func (r withFile) Close() error { return errors.Join(r.reader.Close(), r.file.Close()) }

func closing(r reader, file io.Closer, err error) (reader, error) {
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return withFile{r, file}, nil
}

// reader finds the format of a stream by its beginning. A dBASE table has its version in
// a control character, with which no text begins.
func (in *Input) reader(o *Options) (reader, error) {
	const byteOrderMark = "\ufeff"
	if o.Width > 0 {
		return newBlocks(in, o.Width), nil
	}
	head, _ := in.Peek(inputBuffer) // the rows report an error
	if strings.HasPrefix(string(head), byteOrderMark) {
		_, _ = in.Discard(len(byteOrderMark))
		head = head[len(byteOrderMark):]
	}
	switch text := strings.TrimLeft(string(head), " \r\n\t"); {
	case strings.HasPrefix(text, "{"):
		return newGeoJSON(in, o, text), nil
	case strings.HasPrefix(text, "["):
		return newArrays(in, o)
	case len(head) > 0 && head[0] < ' ' && head[0]&0x8f == dBASE3:
		return newDBF(in, UTF8, o)
	default:
		return newText(in, o, text)
	}
}

// Begins returns the beginning of the file's text.
func (f File) Begins() (string, error) {
	in, err := f.Open()
	if err != nil {
		return "", err
	}
	defer in.Close()
	head, err := in.Peek(64)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return strings.TrimLeft(strings.TrimPrefix(string(head), "\ufeff"), " \r\n\t"), err
}

func list(header []string) string {
	const most = 12
	var q []string
	for _, h := range header[:min(len(header), most)] {
		q = append(q, excerpt(h))
	}
	if len(header) > most {
		q = append(q, fmt.Sprintf("%d more", len(header)-most))
	}
	return strings.Join(q, ", ")
}
