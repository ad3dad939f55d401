package format

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// dbfReader reads the attribute table of a shapefile (dBASE III).
type dbfReader struct {
	in       *Input
	encoding Encoding
	records  int // that the header announces
	record   int // that was read last
	fields   []dbfField
	names    map[string]int
	buf      []byte
}

type dbfField struct {
	name       string
	start, end int
}

func newDBF(in *Input, charset *Encoding) (*dbfReader, error) {
	fault := func(cause error, format string, args ...any) (*dbfReader, error) {
		return nil, &Error{File: in.name, Reason: fmt.Sprintf(format, args...), Err: cause}
	}
	var h [32]byte
	if err := readFull(in, h[:]); err != nil {
		return nil, err
	}
	if h[0]&7 != 3 {
		return fault(ErrSyntax, "first byte is 0x%02x, expected a dBASE III table", h[0])
	}
	d := &dbfReader{in: in, records: int(binary.LittleEndian.Uint32(h[4:])), names: map[string]int{}}
	switch {
	case charset != nil:
		d.encoding = *charset
	case h[29] == 0x03 || h[29] == 0x57: // language drivers of Windows
		d.encoding = Windows1252
	}
	size, width := int(binary.LittleEndian.Uint16(h[8:])), int(binary.LittleEndian.Uint16(h[10:]))
	if size < 33 {
		return fault(ErrSyntax, "header of %d bytes, expected at least 33", size)
	}
	rest := make([]byte, size-32)
	if err := readFull(in, rest); err != nil {
		return nil, err
	}
	at := 1
	for len(rest) >= 32 && rest[0] != 0x0d {
		name, _, _ := strings.Cut(string(rest[:11]), "\x00")
		name = strings.TrimSpace(name)
		if _, twice := d.names[name]; twice || name == "" {
			return fault(ErrColumns, "field %d has the name %q, which is empty or there twice", len(d.fields)+1, name)
		}
		d.names[name] = len(d.fields)
		d.fields = append(d.fields, dbfField{name: name, start: at, end: at + int(rest[16])})
		at += int(rest[16])
		rest = rest[32:]
	}
	if at != width || len(rest) == 0 || rest[0] != 0x0d {
		return fault(ErrSyntax, "fields of %d bytes in records of %d bytes", at, width)
	}
	d.buf = make([]byte, width)
	return d, nil
}

// next reads a record; deleted ones give no values. io.EOF after the last.
func (d *dbfReader) next() (values []string, deleted bool, err error) {
	if d.record == d.records {
		return nil, false, io.EOF
	}
	d.record++
	if err := readFull(d.in, d.buf); err != nil {
		var e *Error
		if errors.As(err, &e) && e.Record == 0 {
			at := *e
			at.Record = d.record
			err = &at
		}
		return nil, false, err
	}
	switch d.buf[0] {
	case ' ':
	case '*':
		return nil, true, nil
	default:
		return nil, false, &Error{File: d.in.name, Record: d.record, Reason: fmt.Sprintf("begins with 0x%02x, expected a blank or *", d.buf[0]), Err: ErrSyntax}
	}
	values = make([]string, len(d.fields))
	for i, f := range d.fields {
		b := bytes.Trim(d.buf[f.start:f.end], "\x00 ")
		if len(b) > 0 && len(bytes.Trim(b, "*")) == 0 {
			continue // a number that did not fit its field
		}
		s, reason := d.encoding.decode(b)
		if reason != "" {
			return nil, false, &Error{File: d.in.name, Record: d.record, Column: f.name, Reason: reason, Err: ErrEncoding}
		}
		values[i] = s
	}
	return values, false, nil
}

// readFull fills b; the end of the file is an error that says so.
func readFull(in *Input, b []byte) error {
	n, err := io.ReadFull(in, b)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &Error{File: in.name, Reason: fmt.Sprintf("ends after %d of %d bytes; fetch the file again", n, len(b)), Err: ErrTruncated}
	}
	return err
}
