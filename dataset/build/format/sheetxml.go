package format

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The bounds of Excel.
const (
	mostCellText = 32_767
	mostColumns  = 16_384
	mostRows     = 1_048_576
)

// readXML decodes a small member of an archive.
func readXML(a *Archive, name string, v any) error {
	in, err := a.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	const most = 16 << 20
	if err := xml.NewDecoder(io.LimitReader(in, most)).Decode(v); err != nil {
		return xmlFault(in, 0, err)
	}
	return nil
}

func xmlFault(in *Input, row int, err error) error {
	var e *Error
	if errors.As(err, &e) {
		return err
	}
	var syntax *xml.SyntaxError
	if errors.Is(err, io.EOF) || errors.As(err, &syntax) && syntax.Msg == "unexpected EOF" {
		return &Error{File: in.name, Line: row, Reason: "ends early; fetch the file again", Err: ErrTruncated}
	}
	return &Error{File: in.name, Line: row, Reason: err.Error(), Err: ErrSyntax}
}

// sharedStrings reads the texts that cells refer to by number.
func (w *workbook) sharedStrings() ([]string, error) {
	if w.shared == "" {
		return nil, nil
	}
	in, err := w.archive.Open(w.shared)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	dec := xml.NewDecoder(in)
	most := int(w.archive.limits.MaxSize / 64) // an empty text takes less room in the file than in memory
	var all []string
	for {
		t, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, xmlFault(in, 0, err)
		}
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "si" {
			s, err := richText(dec)
			if err != nil {
				return nil, xmlFault(in, 0, err)
			}
			if len(all) == most {
				return nil, &Error{File: in.name, Reason: fmt.Sprintf("more than %d shared texts", most), Err: ErrTooLong}
			}
			all = append(all, s)
		}
	}
}

// richText returns the text of the element that the decoder is in, without
// phonetic readings.
func richText(dec *xml.Decoder) (string, error) {
	var b strings.Builder
	text := false
	for depth := 1; depth > 0; {
		t, err := dec.Token()
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if t.Name.Local == "rPh" {
				if err := dec.Skip(); err != nil {
					return "", err
				}
				continue
			}
			depth++
			text = t.Name.Local == "t"
		case xml.EndElement:
			depth--
			text = false
		case xml.CharData:
			if !text {
				continue
			}
			if b.Len()+len(t) > 4*mostCellText {
				return "", fmt.Errorf("text of more than %d characters", mostCellText)
			}
			b.Write(t)
		}
	}
	return b.String(), nil
}

// sheetRows streams the rows of a sheet that have any cell with text.
type sheetRows struct {
	in     *Input
	dec    *xml.Decoder
	shared []string
	row    int
	cells  []string
}

func newSheetRows(in *Input, shared []string) sheetRows {
	return sheetRows{in: in, dec: xml.NewDecoder(in), shared: shared}
}

// next returns the cells of the next row and its number; the slice is valid
// until the next call. io.EOF after the last.
func (s *sheetRows) next() ([]string, int, error) {
	for {
		t, err := s.dec.Token()
		if errors.Is(err, io.EOF) {
			return nil, 0, io.EOF
		}
		if err != nil {
			return nil, 0, xmlFault(s.in, s.row, err)
		}
		e, ok := t.(xml.StartElement)
		if !ok || e.Name.Local != "row" {
			continue
		}
		some, err := s.read(e)
		if err != nil {
			return nil, 0, xmlFault(s.in, s.row, err)
		}
		if some {
			return s.cells, s.row, nil
		}
	}
}

// read reads one row and reports whether it has any text.
func (s *sheetRows) read(e xml.StartElement) (some bool, err error) {
	n := s.row + 1
	if r := attr(e, "r"); r != "" {
		if n, err = strconv.Atoi(r); err != nil || n <= s.row || n > mostRows {
			return false, fmt.Errorf("row number %s after row %d", excerpt(r), s.row)
		}
	}
	s.row, s.cells = n, s.cells[:0]
	for {
		t, err := s.dec.Token()
		if err != nil {
			return false, err
		}
		switch t := t.(type) {
		case xml.EndElement:
			return some, nil
		case xml.StartElement:
			if t.Name.Local != "c" {
				if err := s.dec.Skip(); err != nil {
					return false, err
				}
				continue
			}
			text, err := s.cell(t)
			if err != nil {
				return false, err
			}
			some = some || strings.TrimSpace(text) != ""
		}
	}
}

// cell reads one cell into its place.
func (s *sheetRows) cell(e xml.StartElement) (string, error) {
	col := len(s.cells)
	if ref := attr(e, "r"); ref != "" {
		c, ok := cellColumn(ref)
		if !ok || c < col {
			return "", fmt.Errorf("cell %s after %d cells", excerpt(ref), col)
		}
		col = c
	}
	if col >= mostColumns {
		return "", fmt.Errorf("more than %d cells", mostColumns)
	}
	for len(s.cells) <= col {
		s.cells = append(s.cells, "")
	}
	kind := attr(e, "t")
	text, err := s.value(kind)
	if err != nil {
		return "", err
	}
	if kind == "s" && text != "" {
		i, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || i < 0 || i >= len(s.shared) {
			return "", fmt.Errorf("shared text %s of %d", excerpt(text), len(s.shared))
		}
		text = s.shared[i]
	}
	s.cells[col] = text
	return text, nil
}

// value reads the content of a cell: of v, or of is for text in place; a
// formula is left out.
func (s *sheetRows) value(kind string) (string, error) {
	var text string
	for {
		t, err := s.dec.Token()
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.EndElement:
			return text, nil
		case xml.StartElement:
			want := "v"
			if kind == "inlineStr" {
				want = "is"
			}
			if t.Name.Local != want {
				if err := s.dec.Skip(); err != nil {
					return "", err
				}
				continue
			}
			if text, err = elementText(s.dec, want); err != nil {
				return "", err
			}
		}
	}
}

// elementText returns the text of a v element, or of the t elements of an is.
func elementText(dec *xml.Decoder, name string) (string, error) {
	if name == "is" {
		return richText(dec)
	}
	var b strings.Builder
	for {
		t, err := dec.Token()
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.CharData:
			if b.Len()+len(t) > 4*mostCellText {
				return "", fmt.Errorf("text of more than %d characters", mostCellText)
			}
			b.Write(t)
		case xml.StartElement:
			return "", fmt.Errorf("element %s within a value", excerpt(t.Name.Local))
		case xml.EndElement:
			return b.String(), nil
		}
	}
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}

// cellColumn returns the column of a reference, from 0: 27 of "AB12".
func cellColumn(ref string) (int, bool) {
	n := 0
	i := 0
	for ; i < len(ref) && ref[i] >= 'A' && ref[i] <= 'Z' && i < 4; i++ {
		n = n*26 + int(ref[i]-'A') + 1
	}
	return n - 1, n > 0 && n <= mostColumns
}
