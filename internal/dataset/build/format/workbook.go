package format

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
)

// Limits of Excel.
const (
	mostRows     = 1_048_576
	mostColumns  = 16_384
	mostCellText = 32_767 // characters
)

// A workbook is the part of an Excel file (ECMA-376) that holds values: the
// names of its sheets and the texts that their cells share.
type workbook struct {
	archive *Archive
	sheets  []sheetPart
	texts   []string
}

// A sheetPart is the name of a sheet and the member that contains it.
type sheetPart struct{ name, member string }

// relationships is a .rels part: the parts that another part refers to.
type relationships struct {
	List []struct {
		ID     string `xml:"Id,attr"`
		Type   string `xml:"Type,attr"`
		Target string `xml:"Target,attr"`
	} `xml:"Relationship"`
}

// targets returns the members that a part, or "" for the file, refers to: all by
// identifier, and those of the named kind.
func (w *workbook) targets(part, kind string) (byID map[string]string, ofKind []string, err error) {
	var rels relationships
	dir, base := path.Split(part)
	if err := w.decode(path.Join(dir, "_rels", base+".rels"), &rels); err != nil {
		return nil, nil, err
	}
	byID = map[string]string{}
	for _, r := range rels.List {
		member := strings.TrimPrefix(r.Target, "/")
		if member == r.Target {
			member = path.Join(dir, r.Target)
		}
		byID[r.ID] = member
		if path.Base(r.Type) == kind {
			ofKind = append(ofKind, member)
		}
	}
	return byID, ofKind, nil
}

// readWorkbook reads the list of sheets and the shared texts.
func readWorkbook(a *Archive) (*workbook, error) {
	w := &workbook{archive: a}
	_, main, err := w.targets("", "officeDocument")
	if err != nil {
		return nil, err
	}
	if len(main) != 1 {
		return nil, notWorkbook(a.path, fmt.Sprintf("%d main parts", len(main)))
	}
	var list struct {
		Sheets []struct {
			Name string `xml:"name,attr"`
			ID   string `xml:"http://schemas.openxmlformats.org/officeDocument/2006/relationships id,attr"`
		} `xml:"sheets>sheet"`
	}
	if err := w.decode(main[0], &list); err != nil {
		return nil, err
	}
	members, texts, err := w.targets(main[0], "sharedStrings")
	if err != nil {
		return nil, err
	}
	for _, s := range list.Sheets {
		w.sheets = append(w.sheets, sheetPart{s.Name, members[s.ID]})
	}
	if len(w.sheets) == 0 {
		return nil, notWorkbook(a.path, "no sheets")
	}
	for _, member := range texts {
		if err := w.readTexts(member); err != nil {
			return nil, err
		}
	}
	return w, nil
}

func notWorkbook(name, reason string) error {
	return &Error{File: name, Reason: reason + "; expected a workbook in an Excel file (.xlsx)", Err: ErrSyntax}
}

func (w *workbook) decode(member string, v any) error {
	p, err := w.open(member)
	if err != nil {
		return err
	}
	defer p.in.Close()
	if err := p.dec.Decode(v); err != nil {
		return p.failed(err)
	}
	return p.drain()
}

func (w *workbook) open(member string) (*part, error) {
	in, err := w.archive.Open(member)
	if err != nil {
		if errors.Is(err, ErrMember) {
			err = notWorkbook(w.archive.path, "no part "+excerpt(member))
		}
		return nil, err
	}
	return &part{in: in, dec: xml.NewDecoder(in)}, nil
}

// A part is an open XML part.
type part struct {
	in  *Input
	dec *xml.Decoder
	row int // for errors; 0 outside sheets
}

// failed names the part and the row of an error.
func (p *part) failed(err error) error {
	var e *Error
	var syntax *xml.SyntaxError
	switch {
	case errors.As(err, &e):
		return err
	case errors.Is(err, io.EOF) || errors.As(err, &syntax) && syntax.Msg == "unexpected EOF":
		return &Error{File: p.in.name, Line: p.row, Reason: "ends early; fetch the file again", Err: ErrTruncated}
	default:
		return &Error{File: p.in.name, Line: p.row, Reason: err.Error(), Err: ErrSyntax}
	}
}

// drain reads the part to its end, which verifies its checksum.
func (p *part) drain() error {
	for {
		_, err := p.dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return p.failed(err)
		}
	}
}

// text reads the text of an element whose start was read: the texts of its t
// and v elements without phonetic readings.
func (p *part) text() (string, error) {
	var b strings.Builder
	inText, depth := false, 1
	for depth > 0 {
		token, err := p.dec.Token()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "rPh", "f":
				if err := p.dec.Skip(); err != nil {
					return "", err
				}
				continue
			case "t", "v":
				inText = true
			}
			depth++
		case xml.EndElement:
			inText = false
			depth--
		case xml.CharData:
			if inText {
				b.Write(t)
			}
			if b.Len() > 4*mostCellText { // bytes of UTF-8
				return "", fmt.Errorf("text of more than %d characters", mostCellText)
			}
		}
	}
	return b.String(), nil
}

func (w *workbook) readTexts(member string) error {
	p, err := w.open(member)
	if err != nil {
		return err
	}
	defer p.in.Close()
	for {
		token, err := p.dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return p.failed(err)
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "si" {
			continue
		}
		text, err := p.text()
		if err != nil {
			return p.failed(err)
		}
		if most := int(w.archive.limits.MaxSize / 64); len(w.texts) == most { // an empty text takes less space in the file than in memory
			return &Error{File: p.in.name, Reason: fmt.Sprintf("more than %d shared texts", most), Err: ErrTooLong}
		}
		w.texts = append(w.texts, text)
	}
}

// cells reads the rows of one sheet.
type cells struct {
	*part
	texts  []string
	inRows bool // in the table of rows
	done   bool // after the table of rows
}

// next returns the values of the next row; its number is in c.row. The error is
// io.EOF after the last row.
func (c *cells) next() ([]string, error) {
	for {
		token, err := c.dec.Token()
		if errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		if err != nil {
			return nil, c.failed(err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			values, isRow, err := c.start(t)
			if err != nil {
				return nil, c.failed(err)
			}
			if isRow {
				return values, nil
			}
		case xml.EndElement:
			if t.Name.Local == "sheetData" {
				c.inRows, c.done = false, true
			}
		}
	}
}

func (c *cells) start(e xml.StartElement) (values []string, isRow bool, err error) {
	switch e.Name.Local {
	case "sheetData":
		if c.done || c.inRows {
			return nil, false, errors.New("a second table of rows in the sheet")
		}
		c.inRows = true
		return nil, false, nil
	case "row":
		if !c.inRows {
			return nil, false, errors.New("a row outside the table of rows")
		}
		values, err = c.readRow(attr(e, "r"))
		return values, true, err
	case "worksheet":
		return nil, false, nil
	default:
		return nil, false, c.dec.Skip()
	}
}

// readRow reads the cells of a row with the given number, "" for the next one.
func (c *cells) readRow(number string) ([]string, error) {
	n := c.row + 1
	if number != "" {
		var err error
		if n, err = strconv.Atoi(number); err != nil || n <= c.row {
			return nil, fmt.Errorf("row number %s after row %d", excerpt(number), c.row)
		}
	}
	if n > mostRows {
		return nil, fmt.Errorf("more than %d rows", mostRows)
	}
	c.row = n
	var values []string
	for {
		token, err := c.dec.Token()
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.EndElement:
			return values, nil
		case xml.StartElement:
			if t.Name.Local != "c" {
				if err := c.dec.Skip(); err != nil {
					return nil, err
				}
				continue
			}
			if values, err = c.readCell(values, t); err != nil {
				return nil, err
			}
		}
	}
}

// readCell appends the value of a cell, and "" for the cells that the file
// leaves out before it.
func (c *cells) readCell(values []string, e xml.StartElement) ([]string, error) {
	column := len(values) + 1
	if ref := attr(e, "r"); ref != "" {
		if column = columnOf(ref); column <= len(values) {
			return nil, fmt.Errorf("cell %s after %d cells", excerpt(ref), len(values))
		}
	}
	if column > mostColumns {
		return nil, fmt.Errorf("more than %d cells", mostColumns)
	}
	value, err := c.text()
	if err != nil {
		return nil, err
	}
	if attr(e, "t") == "s" {
		if value, err = c.shared(strings.TrimSpace(value)); err != nil {
			return nil, err
		}
	}
	for len(values) < column-1 {
		values = append(values, "")
	}
	return append(values, value), nil
}

// shared returns the shared text with the number, "" for a cell without one.
func (c *cells) shared(number string) (string, error) {
	if number == "" {
		return "", nil
	}
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || i >= len(c.texts) {
		return "", fmt.Errorf("shared text %s of %d", excerpt(number), len(c.texts))
	}
	return c.texts[i], nil
}

// columnOf returns the column number of a cell reference such as AB12, from 1.
// It returns 0 if Excel does not allow the reference.
func columnOf(ref string) int {
	digits := strings.TrimLeft(ref, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	row, err := strconv.Atoi(digits)
	if letters := len(ref) - len(digits); letters == 0 || letters > 3 || err != nil || row < 1 {
		return 0
	}
	column := 0
	for _, letter := range ref[:len(ref)-len(digits)] {
		column = 26*column + int(letter-'A') + 1
	}
	if column > mostColumns {
		return 0
	}
	return column
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}
