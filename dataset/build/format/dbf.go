package format

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/twpayne/go-shapefile"
)

// dbfReader reads the attribute table of a shapefile (dBASE III) and checks
// what its library takes on trust.
type dbfReader struct {
	in       *Input
	encoding Encoding
	scanner  *shapefile.ScannerDBF
	records  int // that the header announces
	record   int // that was read last
	names    map[string]int
	fields   []string
}

const dbfHeaderSize = 32

func newDBF(in *Input, charset *Encoding) (*dbfReader, error) {
	d := &dbfReader{in: in, names: map[string]int{}}
	head, err := in.r.Peek(dbfHeaderSize)
	if err != nil {
		return nil, d.failed(err)
	}
	if head[0]&7 != 3 {
		return nil, d.fault(ErrSyntax, "first byte is 0x%02x, expected a dBASE III table", head[0])
	}
	header, err := shapefile.ParseDBFHeader(head, nil)
	if err != nil {
		return nil, d.failed(err)
	}
	d.records = header.Records
	switch {
	case charset != nil:
		d.encoding = *charset
	case head[29] == 0x03 || head[29] == 0x57: // language drivers of Windows
		d.encoding = Windows1252
	}
	options := &shapefile.ReadDBFOptions{}
	if d.encoding != Latin1 { // the library's own choice, which its table of names lacks
		options.Charset = d.encoding.String()
	}
	err = guard(func() (err error) {
		d.scanner, err = shapefile.NewScannerDBF(unclosed{in}, options)
		return err
	})
	if err != nil {
		return nil, d.failed(err)
	}
	for i, f := range d.scanner.FieldDescriptors() {
		name, _, _ := strings.Cut(f.Name, "\x00")
		name = strings.TrimSpace(name)
		if _, twice := d.names[name]; twice || name == "" {
			return nil, d.fault(ErrColumns, "field %d has the name %q, which is empty or there twice", i+1, name)
		}
		d.names[name] = i
		d.fields = append(d.fields, name)
	}
	if want := dbfHeaderSize + dbfHeaderSize*len(d.fields) + 1; header.HeaderSize != want {
		return nil, d.fault(ErrSyntax, "header of %d bytes with %d fields, expected %d bytes", header.HeaderSize, len(d.fields), want)
	}
	return d, nil
}

// next reads a record; deleted ones give no values. io.EOF after the last.
func (d *dbfReader) next() (values []string, deleted bool, err error) {
	if d.record == d.records {
		return nil, false, io.EOF
	}
	d.record++
	var row shapefile.DBFRecord
	err = guard(func() (err error) {
		row, err = d.scanner.Scan()
		return err
	})
	if err != nil {
		return nil, false, d.failed(err)
	}
	if row == nil {
		return nil, true, nil
	}
	values = make([]string, len(row))
	for i, v := range row {
		s := attributeText(v)
		if j := strings.IndexFunc(s, notText); j >= 0 {
			return nil, false, &Error{File: d.in.name, Record: d.record, Column: d.fields[i], Reason: fmt.Sprintf("%q is not %v", s, d.encoding), Err: ErrEncoding}
		}
		values[i] = s
	}
	return values, false, nil
}

// attributeText returns the text of a value of the library's: text, a number,
// a date, a truth value, or nil for a blank.
func attributeText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int:
		return strconv.Itoa(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	case time.Time:
		return v.Format(time.DateOnly)
	case nil:
		return ""
	default:
		return strings.TrimSpace(fmt.Sprint(v))
	}
}

// notText reports what comes out of bytes that are no text: control
// characters, and the mark that stands for what cannot be decoded.
func notText(r rune) bool { return r == unicode.ReplacementChar || unicode.IsControl(r) }

func (d *dbfReader) fault(cause error, format string, args ...any) error {
	return &Error{File: d.in.name, Record: d.record, Reason: fmt.Sprintf(format, args...), Err: cause}
}

// failed says where and why the library gave up.
func (d *dbfReader) failed(err error) error { return libraryError(d.in.name, d.record, err) }

// unclosed is an input that a library reads and does not close.
type unclosed struct{ io.Reader }

// Close does nothing.
func (unclosed) Close() error { return nil }

// guard runs a library's function and returns its panic as an error, as
// libraries trust what they read more than one should.
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("content that makes no sense: %v", p)
		}
	}()
	return f()
}

// libraryError returns a library's error as one of this package. An error of
// the input below it keeps its cause.
func libraryError(file string, record int, err error) error {
	var e *Error
	switch {
	case errors.As(err, &e):
		at := *e
		if at.Record == 0 {
			at.Record = record
		}
		return &at
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return &Error{File: file, Record: record, Reason: "ends early; fetch the file again", Err: ErrTruncated}
	default:
		return &Error{File: file, Record: record, Reason: err.Error(), Err: ErrSyntax}
	}
}
