package xlsx

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"html"
	"io"
	"slices"
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

// A scanner reads the tags of an XML part and keeps their bytes.
type scanner struct {
	file io.ReadCloser
	in   *bufio.Reader
	name string // of the part
	max  int    // of buf
	row  int    // for errors; 0 outside sheets
	buf  []byte // since the caller emptied it
	at   int64  // position in the part behind buf
	open []string
}

// A tag is a tag of an element, or other markup if it is neither a start nor an end.
type tag struct {
	text       []byte // with < and >
	name       string // without the prefix
	start, end bool   // both for an empty element
}

// names are the elements that are looked for. Others have the name "".
var names = []string{"c", "f", "is", "r", "rPh", "row", "sheetData", "si", "sst", "t", "v"}

// maxDepth is the maximum depth of elements.
const maxDepth = 200

func (s *scanner) fault(format string, args ...any) error {
	return &Error{Part: s.name, Row: s.row, Reason: fmt.Sprintf(format, args...), Err: ErrSyntax}
}

// next reads the next tag and what precedes it.
func (s *scanner) next() (t tag, err error) {
	if err := s.until('<'); err != nil {
		return t, err
	}
	from := len(s.buf) - 1
	if t.text, err = s.markup(from); err != nil || t.text[1] == '!' || t.text[1] == '?' {
		return t, err
	}
	t.end = t.text[1] == '/' || t.text[len(t.text)-2] == '/'
	t.start = t.text[1] != '/'
	name := bytes.TrimLeft(t.text, "</")
	name = name[:bytes.IndexAny(name, " \t\r\n/>")]
	name = name[bytes.IndexByte(name, ':')+1:]
	if i := slices.IndexFunc(names, func(n string) bool { return n == string(name) }); i >= 0 {
		t.name = names[i]
	}
	switch n := len(s.open); {
	case !t.start && (n == 0 || s.open[n-1] != t.name):
		return t, s.fault("%.60q does not end the element before", t.text)
	case !t.start:
		s.open = s.open[:n-1]
	case !t.end && n == maxDepth:
		return t, s.fault("more than %d elements inside each other", maxDepth)
	case !t.end:
		s.open = append(s.open, t.name)
	}
	return t, nil
}

// until reads to the next c.
func (s *scanner) until(c byte) error {
	for {
		piece, err := s.in.ReadSlice(c)
		s.at += int64(len(piece))
		s.buf = append(s.buf, piece...)
		switch {
		case len(s.buf) > s.max:
			return s.fault("more than %d bytes without a row or text", s.max)
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			return &Error{Part: s.name, Row: s.row, Reason: "ends early; fetch the file again", Err: ErrTruncated}
		default:
			return err
		}
	}
}

// markup reads to the end of the markup that begins at from.
func (s *scanner) markup(from int) ([]byte, error) {
	for {
		if err := s.until('>'); err != nil {
			return nil, err
		}
		text, end := s.buf[from:], ">"
		switch {
		case bytes.HasPrefix(text, []byte("<!--")):
			end = "-->"
		case bytes.HasPrefix(text, []byte(cdata)):
			end = "]]>"
		case bytes.Count(text, []byte{'"'})%2 == 1: // within a value
			continue
		}
		if bytes.HasSuffix(text, []byte(end)) {
			return text, nil
		}
	}
}

// cdata begins text without entities.
const cdata = "<![CDATA["

// text reads to the end of the element whose start tag was read. It returns the texts of
// its t and v elements without formulas and phonetic readings.
func (s *scanner) text(t tag) (text string, err error) {
	if t.end {
		return "", nil
	}
	inText := false
	for depth := len(s.open); len(s.open) >= depth; {
		from := len(s.buf)
		if t, err = s.next(); err != nil {
			return "", err
		}
		if inText {
			text += plainText(s.buf[from : len(s.buf)-len(t.text)])
			if inner, ok := bytes.CutPrefix(t.text, []byte(cdata)); ok {
				text += string(inner[:len(inner)-len("]]>")])
			}
		}
		switch {
		case t.name == "t" || t.name == "v":
			inText = !t.end
		case (t.name == "rPh" || t.name == "f") && t.start:
			if _, err := s.text(t); err != nil {
				return "", err
			}
		}
	}
	if len(text) > 4*MaxCellText { // bytes of UTF-8
		return "", s.fault("text of more than %d characters", MaxCellText)
	}
	return text, nil
}

// plainText returns character data with its entities and line ends resolved.
func plainText(raw []byte) string {
	text := html.UnescapeString(string(raw))
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// attribute returns the value of an attribute in a tag, or "".
func attribute(text []byte, name string) string {
	for {
		key, rest, ok := bytes.Cut(text, []byte{'='})
		if rest = bytes.TrimLeft(rest, " \t\r\n"); !ok || len(rest) == 0 {
			return ""
		}
		value, after, _ := bytes.Cut(rest[1:], rest[:1])
		key = bytes.TrimRight(key, " \t\r\n")
		if string(key[bytes.LastIndexAny(key, " \t\r\n")+1:]) == name {
			return string(value)
		}
		text = after
	}
}
