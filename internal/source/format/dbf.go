package format

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// dbfReader reads the attribute table of a shapefile (dBASE III).
type dbfReader struct {
	in       *Input
	encoding Encoding
	records  int // that the header announces
	record   int // that was read last
	names    map[string]int
	fields   []dbfField
	row      []byte
}

type dbfField struct {
	name string
	kind byte // C, D, F, L, M or N
	size int  // bytes
}

// newDBF reads the header. Without a charset that of the header counts. It fails if
// the table lacks a required attribute.
func newDBF(in *Input, charset Encoding, required []string) (*dbfReader, error) {
	d := &dbfReader{in: in, names: map[string]int{}, encoding: charset}
	head := make([]byte, 32)
	if _, err := io.ReadFull(in, head); err != nil {
		return nil, readFault(in.name, 0, err)
	}
	if head[0]&0x8f != 3 {
		return nil, d.fault(ErrSyntax, "first byte is 0x%02x, expected a dBASE III table", head[0])
	}
	d.records = int(binary.LittleEndian.Uint32(head[4:]))
	header, width := int(binary.LittleEndian.Uint16(head[8:])), int(binary.LittleEndian.Uint16(head[10:]))
	if charset == "" {
		d.encoding = Latin1
		if head[29] == 0x03 || head[29] == 0x57 { // language drivers of Windows
			d.encoding = Windows1252
		}
	}
	fields := make([]byte, max(header-len(head), 1))
	if _, err := io.ReadFull(in, fields); err != nil {
		return nil, readFault(in.name, 0, err)
	}
	size, columns := 1, []string(nil)
	for ; len(fields) > len(head); fields = fields[len(head):] {
		name, _, _ := strings.Cut(string(fields[:11]), "\x00")
		f := dbfField{strings.TrimSpace(name), fields[11], int(fields[16])}
		if _, twice := d.names[f.name]; twice || f.name == "" {
			return nil, d.fault(ErrColumns, "field %d has the name %q, which is empty or there twice", len(d.fields)+1, f.name)
		}
		if !strings.ContainsRune("CDFLMN", rune(f.kind)) {
			return nil, d.fault(ErrSyntax, "field %s: %d: invalid field type", f.name, f.kind)
		}
		d.names[f.name] = len(d.fields)
		d.fields, columns, size = append(d.fields, f), append(columns, f.name), size+f.size
	}
	if len(fields) != 1 || fields[0] != '\r' || size != width {
		return nil, d.fault(ErrSyntax, "header of %d bytes and rows of %d do not fit %d fields", header, width, len(d.fields))
	}
	for _, name := range required {
		if _, ok := d.names[name]; !ok {
			return nil, &Error{File: in.name, Column: name, Reason: "no such attribute; found " + list(columns), Err: ErrColumns}
		}
	}
	d.row = make([]byte, size)
	return d, nil
}

// next reads a record; deleted ones give no values. io.EOF after the last.
func (d *dbfReader) next() (values []string, deleted bool, err error) {
	if d.record == d.records {
		return nil, false, io.EOF
	}
	d.record++
	if _, err := io.ReadFull(d.in, d.row); err != nil {
		return nil, false, readFault(d.in.name, d.record, err)
	}
	switch d.row[0] {
	case ' ':
	case '*':
		return nil, true, nil
	default:
		return nil, false, d.fault(ErrSyntax, "%d: invalid record flag", d.row[0])
	}
	values = make([]string, len(d.fields))
	row := d.row[1:]
	for i, f := range d.fields {
		text := string(bytes.TrimSpace(bytes.TrimRight(row[:f.size], "\x00")))
		row = row[f.size:]
		v, ok := f.value(text)
		if !ok {
			return nil, false, d.fault(ErrSyntax, "field %s: %q is not a value of the type %c", f.name, text, f.kind)
		}
		v, reason := d.encoding.decode(v)
		if reason != "" || strings.IndexFunc(v, unicode.IsControl) >= 0 {
			return nil, false, &Error{File: d.in.name, Record: d.record, Column: f.name, Reason: fmt.Sprintf("%q is not %v", text, d.encoding), Err: ErrEncoding}
		}
		values[i] = v
	}
	return values, false, nil
}

// value returns the text of a field: numbers without needless digits; "" if it is blank or
// unknown.
func (f *dbfField) value(text string) (string, bool) {
	if f.kind != 'N' && f.kind != 'F' {
		return text, true
	}
	if strings.Trim(text, "*") == "" { // * did not fit
		return "", true
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return strconv.FormatInt(n, 10), true
	}
	v, err := strconv.ParseFloat(text, 64)
	return strconv.FormatFloat(v, 'f', -1, 64), err == nil
}

func (d *dbfReader) fault(cause error, format string, args ...any) error {
	return &Error{File: d.in.name, Record: d.record, Reason: fmt.Sprintf(format, args...), Err: cause}
}

// readFault returns an error of a read as one of this package. An [*Error] keeps its
// cause.
func readFault(file string, record int, err error) error {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return &Error{File: file, Record: record, Reason: "ends early; fetch the file again", Err: ErrTruncated}
	default:
		return &Error{File: file, Record: record, Reason: err.Error(), Err: ErrSyntax}
	}
}
