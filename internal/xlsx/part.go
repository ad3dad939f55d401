package xlsx

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Sentinels of reading. Every [*Error] matches one of them.
var (
	ErrSyntax    = errors.New("malformed")
	ErrTruncated = errors.New("truncated or damaged")
	ErrTooLong   = errors.New("too long")
)

// An Error is a fault of an Excel file.
type Error struct {
	Part   string // name in the ZIP archive; "" for the file
	Row    int    // of the sheet, from 1; 0 if it does not apply
	Reason string
	Err    error // a sentinel of this package
}

// Error returns the place and the reason.
func (e *Error) Error() string {
	switch {
	case e.Part == "":
		return e.Reason
	case e.Row == 0:
		return e.Part + ": " + e.Reason
	default:
		return e.Part + ":" + strconv.Itoa(e.Row) + ": " + e.Reason
	}
}

// Unwrap returns the sentinel.
func (e *Error) Unwrap() error { return e.Err }

// An input remembers the error of reading.
type input struct {
	io.ReadCloser
	err error
}

// Read implements [io.Reader].
func (i *input) Read(p []byte) (int, error) {
	n, err := i.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		i.err = err
	}
	return n, err
}

// A part is an open XML part.
type part struct {
	name  string
	in    *input
	raw   *recorder // nil unless rows have their bytes
	dec   *xml.Decoder
	row   int // for errors; 0 outside sheets
	depth int // of elements
}

// maxDepth is the maximum depth of elements, because the decoder has all of them in
// memory.
const maxDepth = 200

func (p *part) token() (xml.Token, error) {
	t, err := p.dec.Token()
	switch t.(type) {
	case xml.StartElement:
		if p.depth++; p.depth > maxDepth {
			return nil, fmt.Errorf("more than %d elements inside each other", maxDepth)
		}
	case xml.EndElement:
		p.depth--
	}
	return t, err
}

// skip reads to the end of an element whose start was read.
func (p *part) skip() error {
	for until := p.depth; p.depth >= until; {
		if _, err := p.token(); err != nil {
			return err
		}
	}
	return nil
}

// failed names the part and the row of an error. Errors of reading are returned
// as they are.
func (p *part) failed(err error) error {
	var e *Error
	var syntax *xml.SyntaxError
	switch {
	case errors.As(err, &e):
		return err
	case p.in.err != nil:
		return p.in.err
	case errors.Is(err, io.EOF) || errors.As(err, &syntax) && syntax.Msg == "unexpected EOF":
		return &Error{Part: p.name, Row: p.row, Reason: "ends early; fetch the file again", Err: ErrTruncated}
	default:
		return &Error{Part: p.name, Row: p.row, Reason: err.Error(), Err: ErrSyntax}
	}
}

// text reads the text of an element whose start was read: the texts of its t
// and v elements without phonetic readings.
func (p *part) text() (string, error) {
	var b strings.Builder
	inText := false
	for until := p.depth; p.depth >= until; {
		token, err := p.token()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "rPh", "f":
				if err := p.skip(); err != nil {
					return "", err
				}
			case "t", "v":
				inText = true
			}
		case xml.EndElement:
			inText = false
		case xml.CharData:
			if inText {
				b.Write(t)
			}
			if b.Len() > 4*MaxCellText { // bytes of UTF-8
				return "", fmt.Errorf("text of more than %d characters", MaxCellText)
			}
		}
	}
	return b.String(), nil
}

// A recorder keeps the bytes of a row as it is read.
type recorder struct {
	in   *bufio.Reader
	buf  []byte
	from int64 // position of buf in the part
	most int
}

func newRecorder(in io.Reader, most int) *recorder {
	return &recorder{in: bufio.NewReaderSize(in, 1<<16), most: most}
}

// ReadByte implements [io.ByteReader], which the decoder prefers to Read.
func (r *recorder) ReadByte() (byte, error) {
	c, err := r.in.ReadByte()
	if err == nil {
		if len(r.buf) >= r.most {
			return 0, fmt.Errorf("more than %d bytes without a row", r.most)
		}
		r.buf = append(r.buf, c)
	}
	return c, err
}

// Read implements [io.Reader].
func (r *recorder) Read(p []byte) (int, error) {
	for i := range p {
		c, err := r.ReadByte()
		if err != nil {
			return i, err
		}
		p[i] = c
	}
	return len(p), nil
}

// forget drops the bytes before a position.
func (r *recorder) forget(before int64) {
	r.buf = r.buf[:copy(r.buf, r.buf[before-r.from:])]
	r.from = before
}

// bytes returns the bytes between two positions.
func (r *recorder) bytes(from, to int64) []byte { return r.buf[from-r.from : to-r.from] }

func excerpt(s string) string {
	const most = 60
	if len(s) > most {
		return strconv.Quote(s[:most]) + "…"
	}
	return strconv.Quote(s)
}
