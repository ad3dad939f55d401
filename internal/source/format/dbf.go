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

// A dbf reads an attribute table (dBASE III). The header has 32 bytes, 32 for each field,
// and a carriage return. Records have a fixed width: a flag (blank, or * if deleted) and
// the fields as text. The width in the header must be the sum of the fields, or every
// later field would be cut in the wrong place. Other bytes behind the fields are refused.
type dbf struct {
	*Input
	encoding Encoding
	records  int // that the header announces
	header   *header
	fields   []dbfField
	row      []byte
}

type dbfField struct {
	kind byte // C, D, F, L, M or N
	size int  // bytes
}

const dBASE3 = 3 // version in the first byte

// newDBF reads the header. Without a charset that of the header counts.
func newDBF(in *Input, charset Encoding, o *Options) (*dbf, error) {
	d := &dbf{Input: in, encoding: charset}
	head := make([]byte, 32)
	if _, err := io.ReadFull(in, head); err != nil {
		return nil, readFault(in.Name, 0, err)
	}
	if head[0]&0x8f != dBASE3 {
		return nil, d.fault(ErrSyntax, "first byte is 0x%02x, expected a dBASE III table", head[0])
	}
	d.records = int(binary.LittleEndian.Uint32(head[4:]))
	length, width := int(binary.LittleEndian.Uint16(head[8:])), int(binary.LittleEndian.Uint16(head[10:]))
	if charset == "" {
		d.encoding = Latin1
		if head[29] == 0x03 || head[29] == 0x57 { // language drivers of Windows
			d.encoding = Windows1252
		}
	}
	fields := make([]byte, max(length-len(head), 1)) // at most 64 KiB, as the length has 16 bits
	if _, err := io.ReadFull(in, fields); err != nil {
		return nil, readFault(in.Name, 0, err)
	}
	size, names := 1, []string(nil)
	for ; len(fields) > len(head); fields = fields[len(head):] {
		name, _, _ := strings.Cut(string(fields[:11]), "\x00")
		f := dbfField{fields[11], int(fields[16])}
		if !strings.ContainsRune("CDFLMN", rune(f.kind)) {
			return nil, d.fault(ErrSyntax, "field %s: %d: invalid field type", name, f.kind)
		}
		d.fields, names, size = append(d.fields, f), append(names, strings.TrimSpace(name)), size+f.size
	}
	if len(fields) != 1 || fields[0] != '\r' || size != width {
		return nil, d.fault(ErrSyntax, "header of %d bytes and rows of %d do not fit %d fields", length, width, len(d.fields))
	}
	d.row = make([]byte, size)
	var err error
	if d.header, err = o.newHeader(in.Name, 0, names); err == nil {
		d.header.records = true
	}
	return d, err
}

// next leaves out deleted records.
func (d *dbf) next() (Row, error) {
	for {
		row, deleted, err := d.nextRecord()
		if err != nil || !deleted {
			return row, err
		}
	}
}

// nextRecord reads a record; deleted ones give no values.
func (d *dbf) nextRecord() (r Row, deleted bool, err error) {
	// The count in the header ends the table, not the mark 0x1a behind it, which may be
	// missing.
	if d.record == d.records {
		if _, err := io.Copy(io.Discard, d); err != nil { // verifies a checksum
			return r, false, err
		}
		return r, false, io.EOF
	}
	d.record++
	if _, err := io.ReadFull(d, d.row); err != nil {
		return r, false, readFault(d.Name, d.record, err)
	}
	switch d.row[0] {
	case ' ':
	case '*':
		return r, true, nil
	default:
		return r, false, d.fault(ErrSyntax, "%d: invalid record flag", d.row[0])
	}
	r = Row{header: d.header, fields: make([]string, len(d.fields)), Number: d.record}
	row := d.row[1:]
	for i, f := range d.fields {
		text := string(bytes.TrimSpace(bytes.TrimRight(row[:f.size], "\x00")))
		row = row[f.size:]
		v, ok := f.value(text)
		if !ok {
			return r, false, d.fault(ErrSyntax, "field %s: %q is not a value of the type %c", d.header.names[i], text, f.kind)
		}
		v, reason := d.encoding.decode(v)
		if reason != "" || strings.IndexFunc(v, unicode.IsControl) >= 0 {
			return r, false, &Error{File: d.Name, Record: d.record, Column: d.header.names[i], Reason: fmt.Sprintf("%q is not %v", text, d.encoding), Err: ErrEncoding}
		}
		r.fields[i] = v
	}
	return r, false, nil
}

// value returns the text of a field: numbers without needless digits; "" if it is blank
// or unknown. Writers give whole numbers as "41.00000000000" or "4.1e+01", and readers
// of rows expect 41. Integers are tried first, because a float would change those beyond
// 2^53.
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
