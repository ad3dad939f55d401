package format

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/postgeo/postgeo/internal/enum"
)

// dbfReader reads the attribute table of a shapefile (dBASE III).
type dbfReader struct {
	in       *Input
	encoding Encoding
	records  int // that the header announces
	record   int // that was read last
	names    map[string]int
	fields   []string
	kinds    []dbfField
	row      []byte
}

type dbfField struct {
	kind byte // C, D, F, L, M or N
	size int  // bytes
}

const dbfHeaderSize = 32

func newDBF(in *Input, charset *Encoding) (*dbfReader, error) {
	d := &dbfReader{in: in, names: map[string]int{}}
	var head [dbfHeaderSize]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return nil, d.failed(err)
	}
	if head[0]&0x8f != 3 {
		return nil, d.fault(ErrSyntax, "first byte is 0x%02x, expected a dBASE III table", head[0])
	}
	d.records = int(binary.LittleEndian.Uint32(head[4:]))
	switch {
	case charset != nil:
		d.encoding = *charset
	case head[29] == 0x03 || head[29] == 0x57: // language drivers of Windows
		d.encoding = Windows1252
	default:
		d.encoding = Latin1
	}
	if err := d.describe(); err != nil {
		return nil, err
	}
	if got, want := int(binary.LittleEndian.Uint16(head[8:])), dbfHeaderSize+dbfHeaderSize*len(d.fields)+1; got != want {
		return nil, d.fault(ErrSyntax, "header of %d bytes with %d fields, expected %d bytes", got, len(d.fields), want)
	}
	size := 1
	for _, f := range d.kinds {
		size += f.size
	}
	if size != int(binary.LittleEndian.Uint16(head[10:])) {
		return nil, d.fault(ErrSyntax, "invalid total length of fields")
	}
	d.row = make([]byte, size)
	return d, nil
}

func (d *dbfReader) describe() error {
	for i := 0; ; i++ {
		var f [dbfHeaderSize]byte
		if _, err := io.ReadFull(d.in, f[:1]); err != nil {
			return d.failed(err)
		}
		if f[0] == '\r' {
			return nil
		}
		if _, err := io.ReadFull(d.in, f[1:]); err != nil {
			return d.failed(err)
		}
		kind := f[11]
		if !strings.ContainsRune("CDFLMN", rune(kind)) {
			return d.fault(ErrSyntax, "field %d: %d: invalid field type", i, kind)
		}
		name, _, _ := strings.Cut(string(f[:11]), "\x00")
		name = strings.TrimSpace(name)
		if _, twice := d.names[name]; twice || name == "" {
			return d.fault(ErrColumns, "field %d has the name %q, which is empty or there twice", i+1, name)
		}
		d.names[name] = i
		d.fields, d.kinds = append(d.fields, name), append(d.kinds, dbfField{kind, int(f[16])})
	}
}

// require returns an error if the table lacks an attribute.
func (d *dbfReader) require(names []string) error {
	for _, name := range names {
		if _, ok := d.names[name]; !ok {
			return &Error{File: d.in.name, Column: name, Reason: "no such attribute; found " + list(d.fields), Err: ErrColumns}
		}
	}
	return nil
}

// next reads a record; deleted ones give no values. io.EOF after the last.
func (d *dbfReader) next() (values []string, deleted bool, err error) {
	if d.record == d.records {
		return nil, false, io.EOF
	}
	d.record++
	if _, err := io.ReadFull(d.in, d.row); err != nil {
		return nil, false, d.failed(err)
	}
	switch d.row[0] {
	case ' ':
	case '*':
		return nil, true, nil
	default:
		return nil, false, d.fault(ErrSyntax, "%d: invalid record flag", d.row[0])
	}
	values = make([]string, len(d.kinds))
	row := d.row[1:]
	for i, f := range d.kinds {
		text := string(bytes.TrimSpace(bytes.TrimRight(row[:f.size], "\x00")))
		row = row[f.size:]
		if values[i], err = d.value(f.kind, text); err != nil {
			return nil, false, d.fault(ErrSyntax, "field %s: %v", d.fields[i], err)
		}
		if j := strings.IndexFunc(values[i], notText); j >= 0 {
			return nil, false, &Error{File: d.in.name, Record: d.record, Column: d.fields[i], Reason: fmt.Sprintf("%q is not %v", values[i], d.encoding), Err: ErrEncoding}
		}
	}
	return values, false, nil
}

// value returns the text of a field: numbers without needless digits, dates as
// YYYY-MM-DD, truth values as true or false; "" if it is blank.
func (d *dbfReader) value(kind byte, text string) (string, error) {
	if text == "" {
		return "", nil
	}
	switch kind {
	case 'N', 'F':
		if strings.Trim(text, "*") == "" { // a number that did not fit is unknown
			return "", nil
		}
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return strconv.FormatInt(n, 10), nil
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return "", fmt.Errorf("%q: invalid numeric", text)
		}
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	case 'D':
		date, err := time.Parse("20060102", text)
		if err != nil {
			return "", fmt.Errorf("%q: invalid date", text)
		}
		return date.Format(time.DateOnly), nil
	case 'L':
		switch text {
		case "T", "t", "Y", "y":
			return "true", nil
		case "F", "f", "N", "n":
			return "false", nil
		case "?":
			return "", nil
		}
		return "", fmt.Errorf("%q: invalid logical", text)
	}
	if d.encoding == UTF8 {
		return strings.ToValidUTF8(text, string(unicode.ReplacementChar)), nil
	}
	text, reason := d.encoding.decode(text)
	if reason != "" {
		return "", errors.New(reason)
	}
	return text, nil
}

// notText reports runes that no text has: control characters, and the
// replacement of bytes that cannot be decoded.
func notText(r rune) bool { return r == unicode.ReplacementChar || unicode.IsControl(r) }

func (d *dbfReader) fault(cause error, format string, args ...any) error {
	return &Error{File: d.in.name, Record: d.record, Reason: fmt.Sprintf(format, args...), Err: cause}
}

func (d *dbfReader) failed(err error) error { return readFault(d.in.name, d.record, err) }

// readFault returns an error of a read, or of a library, as one of this
// package. An [*Error] keeps its cause.
func readFault(file string, record int, err error) error {
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

// Encoding is the character encoding of a text.
type Encoding uint8

// The encodings that the sources use. UTF-8 is verified; the others are
// converted to it.
const (
	UTF8 Encoding = iota
	Latin1
	Windows1252
)

var encodingNames = enum.Names[Encoding]{UTF8: "UTF-8", Latin1: "ISO-8859-1", Windows1252: "windows-1252"}

// String returns the name that the IANA has for the encoding.
func (e Encoding) String() string { return encodingNames.Shown("Encoding", e) }

// ParseEncoding reads the name in a .cpg file: UTF-8, ISO-8859-1 (or 88591,
// LATIN1), windows-1252 (or CP1252, ANSI 1252, 1252), in any letter case.
func ParseEncoding(name string) (Encoding, bool) {
	n := strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToUpper(strings.TrimSpace(name)))
	switch n {
	case "UTF8", "65001", "USASCII", "ASCII":
		return UTF8, true
	case "ISO88591", "88591", "LATIN1":
		return Latin1, true
	case "WINDOWS1252", "CP1252", "ANSI1252", "1252":
		return Windows1252, true
	default:
		return 0, false
	}
}

// decode returns the text in UTF-8, or why it is none.
func (e Encoding) decode(raw string) (s, reason string) {
	if i := strings.IndexByte(raw, 0); i >= 0 {
		return "", fmt.Sprintf("NUL at byte %d, expected text", i+1)
	}
	switch e {
	case UTF8:
		if !utf8.ValidString(raw) {
			i := invalidAt(raw)
			return "", fmt.Sprintf("byte %d (0x%02x) is not UTF-8", i+1, raw[i])
		}
		return raw, ""
	case Latin1:
		return decodeChars(raw, charmap.ISO8859_1), ""
	default:
		s = decodeChars(raw, charmap.Windows1252)
		if i := strings.IndexRune(s, utf8.RuneError); i >= 0 {
			return "", fmt.Sprintf("a byte near %s is not in windows-1252", excerpt(s[max(0, i-10):]))
		}
		return s, ""
	}
}

// decodeChars returns the text itself if it is ASCII.
func decodeChars(raw string, m *charmap.Charmap) string {
	at := strings.IndexFunc(raw, func(r rune) bool { return r >= utf8.RuneSelf })
	if at < 0 {
		return raw
	}
	var s strings.Builder
	s.Grow(len(raw) + len(raw)/8)
	for i := range len(raw) {
		s.WriteRune(m.DecodeByte(raw[i]))
	}
	return s.String()
}

func invalidAt(s string) int {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return 0
}
