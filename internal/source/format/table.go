package format

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// A table reads the rows of a delimited text or of JSON arrays. CR LF line ends and empty
// lines are accepted.
//
// Every way of reading bounds the memory of one row by Options.MaxRow, or a file without
// a line end would be read whole. encoding/csv and encoding/json have no such limit. They
// read through left, whose budget is set again before each row; if it is used up, the row
// was too long. bufio.Scanner has a limit of its own.
type table struct {
	*Input
	o      *Options
	header *header
	fields []string
	read   func() error // the fields of the next row

	left  *io.LimitedReader // of the next row
	csv   *csv.Reader       // of quoted text
	plain *bufio.Scanner    // of other text
	json  *json.Decoder     // of arrays
}

// csvBuffer is the size of the buffer in which encoding/csv reads ahead. So many bytes of
// the next rows may be read with a row, and do not count against its limit.
const csvBuffer = 4096

func newTable(in *Input, o *Options) *table {
	o.MaxRow = cmp.Or(o.MaxRow, 1<<20)
	return &table{Input: in, o: o, left: &io.LimitedReader{R: in}}
}

// newText reads the header row, if any, and checks its columns. The text is the beginning
// of the file.
func newText(in *Input, o *Options, text string) (*table, error) {
	t := newTable(in, o)
	if o.Delimiter == 0 {
		first, _, _ := strings.Cut(text, "\n")
		o.Delimiter = ','
		for _, d := range []byte{';', '|', '\t'} {
			if strings.Count(first, string(d)) > strings.Count(first, string(o.Delimiter)) {
				o.Delimiter = d
			}
		}
	}
	if o.Encoding == Detected {
		// The last bytes of the beginning may be a part of a character.
		if o.Encoding = UTF8; !utf8.ValidString(text[:max(len(text)-utf8.UTFMax, 0)]) {
			o.Encoding = Windows1252
		}
	}
	if o.Quoted {
		t.read = t.readQuoted
		t.csv = csv.NewReader(t.left)
		// Lengths of rows are compared in next, where ShortRows counts.
		t.csv.Comma, t.csv.FieldsPerRecord, t.csv.ReuseRecord = rune(o.Delimiter), -1, true
	} else {
		t.read = t.readPlain
		t.plain = bufio.NewScanner(in)
		t.plain.Buffer(nil, o.MaxRow+len("\r\n"))
	}
	err := t.setHeader()
	return t, err
}

// newArrays begins an array of arrays of texts, numbers and nulls, as the Census Bureau's
// interface gives tables. The first array has the names of the columns.
func newArrays(in *Input, o *Options) (*table, error) {
	t := newTable(in, o)
	t.read = t.readArray
	t.json = json.NewDecoder(t.left)
	t.json.UseNumber()
	t.left.N = int64(o.MaxRow)
	if _, err := t.json.Token(); err != nil { // the bracket around the rows
		return nil, t.failed(err)
	}
	err := t.setHeader()
	return t, err
}

// setHeader takes the columns from the options or the first row. The names are cloned,
// because fields are reused for the next row.
func (t *table) setHeader() (err error) {
	names := t.o.Names
	if names == nil {
		row, err := t.next()
		if errors.Is(err, io.EOF) {
			return &Error{File: t.Name, Line: 1, Reason: "empty file, expected a header row", Err: ErrColumns}
		}
		if err != nil {
			return err
		}
		for _, f := range row.fields {
			names = append(names, strings.Clone(strings.TrimSpace(f)))
		}
	}
	t.header, err = t.o.newHeader(t.Name, t.line, names)
	return err
}

// next reads a row, decodes its text, and compares its length with the header. Fields are
// decoded after they were cut: the delimiters are ASCII in all supported encodings.
func (t *table) next() (Row, error) {
	if err := t.read(); err != nil {
		return Row{}, err
	}
	for i, f := range t.fields {
		var reason string
		if t.fields[i], reason = t.o.Encoding.decode(f); reason != "" {
			return Row{}, t.fault(ErrEncoding, "field %d: %s", i+1, reason)
		}
	}
	if t.header != nil {
		if n, width := len(t.fields), len(t.header.names); n != width && !(t.o.ShortRows && n < width) {
			return Row{}, t.fault(ErrRagged, "%d fields, expected %d", n, width)
		}
	}
	return Row{header: t.header, fields: t.fields, Number: t.line}, nil
}

// readQuoted reads a row with quotes (RFC 4180).
func (t *table) readQuoted() (err error) {
	t.left.N = int64(t.o.MaxRow) + csvBuffer
	last := t.line
	t.fields, err = t.csv.Read()
	var syntax *csv.ParseError
	switch {
	case t.left.N == 0: // the budget ended within the row, whatever the decoder made of it
		t.line = last + 1
		return t.fault(ErrTooLong, "row of more than %d bytes; a quoted field may lack its closing quote", t.o.MaxRow)
	case errors.Is(err, io.EOF):
		return io.EOF
	case errors.As(err, &syntax):
		t.line = syntax.StartLine
		return t.fault(ErrSyntax, "%v", syntax.Err)
	case err != nil:
		return atLine(err, last+1)
	}
	t.line, _ = t.csv.FieldPos(0)
	return nil
}

// readPlain cuts the next line that is not empty. Quotes are plain text, unless they are
// loose.
func (t *table) readPlain() error {
	text := ""
	for text == "" {
		t.line++
		if t.plain.Scan() {
			text = t.plain.Text()
			continue
		}
		err := t.plain.Err()
		switch {
		case err == nil:
			return io.EOF
		case errors.Is(err, bufio.ErrTooLong):
			return t.fault(ErrTooLong, "line of more than %d bytes", t.o.MaxRow)
		}
		return atLine(err, t.line)
	}
	t.fields = t.fields[:0]
	for {
		end := strings.IndexByte(text, t.o.Delimiter)
		loose := t.o.LooseQuotes && strings.HasPrefix(text, `"`)
		if loose {
			if end = strings.Index(text[1:], `"`+string(rune(t.o.Delimiter))); end >= 0 {
				end += len(`""`)
			}
		}
		field := text
		if end >= 0 {
			field = text[:end]
		}
		if inside, ok := strings.CutSuffix(field, `"`); ok && loose && inside != "" {
			field = strings.ReplaceAll(inside[1:], `""`, `"`)
		}
		if t.fields = append(t.fields, field); end < 0 {
			return nil
		}
		text = text[end+1:]
	}
}

// readArray reads the next inner array, nulls as "". The end of the outer one is also that
// of the file.
func (t *table) readArray() error {
	t.left.N = int64(t.o.MaxRow)
	if !t.json.More() {
		if _, err := t.json.Token(); err != nil {
			return t.failed(err)
		}
		token, err := t.json.Token()
		if err == nil {
			return t.fault(ErrSyntax, "%v behind the end of the array", token)
		}
		return t.failed(err)
	}
	t.line++
	var values []any
	if err := t.json.Decode(&values); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return t.failed(err)
	}
	t.fields = t.fields[:0]
	for _, v := range values {
		switch v := v.(type) {
		case nil:
			t.fields = append(t.fields, "")
		case string:
			t.fields = append(t.fields, v)
		case json.Number:
			t.fields = append(t.fields, v.String())
		default:
			return t.fault(ErrSyntax, "%v; expected a text, a number or null", v)
		}
	}
	return nil
}

// failed adds the place and the reason to a decoding error of JSON. The end of the file is
// io.EOF.
func (t *table) failed(err error) error {
	var e *Error
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &e):
		return err
	case errors.As(err, &kind):
		return t.fault(ErrSyntax, "%s; expected the array of a row", kind.Value)
	case t.left.N == 0:
		return t.fault(ErrTooLong, "a row of more than %d bytes", t.o.MaxRow)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return t.fault(ErrTruncated, "the array has no end")
	case errors.Is(err, io.EOF):
		return io.EOF
	default:
		return t.fault(ErrSyntax, "%v", err)
	}
}

// atLine adds the line to an error of the content.
func atLine(err error, line int) error {
	var e *Error
	if errors.As(err, &e) && e.Line == 0 {
		at := *e
		at.Line = line
		return &at
	}
	return err
}
