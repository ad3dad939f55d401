package format

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

// sharedTexts is the only member in which the library looks for shared texts.
const sharedTexts = "xl/sharedStrings.xml"

// mostCellText is the most characters that Excel lets a cell hold.
const mostCellText = 32_767

// A workbookCheck walks over every XML part of an Excel file before a library
// reads it. The library ends silently where a part ends early or is malformed,
// sets text for numbers that lead nowhere, takes cells in any order and trusts
// checksums to others.
type workbookCheck struct {
	archive *Archive
	texts   int // shared texts that there are
	largest int // number of a shared text that a cell asks for, from 1
	asking  *Error
}

func checkWorkbook(a *Archive) error {
	c := &workbookCheck{archive: a}
	for _, name := range a.Names() {
		if err := c.part(name); err != nil {
			return err
		}
	}
	if c.largest > c.texts {
		c.asking.Reason = fmt.Sprintf("shared text %d of %d", c.largest-1, c.texts)
		return c.asking
	}
	return nil
}

// part reads a member to its end, which verifies its checksum, and checks it
// where it is XML.
func (c *workbookCheck) part(name string) error {
	in, err := c.archive.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	if ext := path.Ext(name); ext != ".xml" && ext != ".rels" {
		_, err := io.Copy(io.Discard, in)
		return err
	}
	p := &partCheck{workbookCheck: c, name: name, in: in, dec: xml.NewDecoder(in)}
	err = p.walk()
	var e *Error
	var syntax *xml.SyntaxError
	switch {
	case err == nil || errors.As(err, &e):
		return err
	case errors.Is(err, io.EOF) || errors.As(err, &syntax) && syntax.Msg == "unexpected EOF":
		return &Error{File: in.name, Line: p.row, Reason: "ends early; fetch the file again", Err: ErrTruncated}
	default:
		return &Error{File: in.name, Line: p.row, Reason: err.Error(), Err: ErrSyntax}
	}
}

// partCheck is the check of one XML part.
type partCheck struct {
	*workbookCheck
	name    string // of the member
	in      *Input
	dec     *xml.Decoder
	isSheet bool
	shared  bool // the part holds the shared texts
	tables  int  // of rows
	row     int
	column  int
	kind    string // of the cell
	inValue bool
	text    int // bytes of the text so far
	value   []byte
}

// walk reads the part to its end.
func (p *partCheck) walk() error {
	depth := 0
	for {
		t, err := p.dec.Token()
		if errors.Is(err, io.EOF) && depth == 0 {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			depth++
			p.isSheet = p.isSheet || depth == 1 && t.Name.Local == "worksheet"
			p.shared = p.shared || depth == 1 && t.Name.Local == "sst" && p.name == sharedTexts
			err = p.start(t, depth)
		case xml.EndElement:
			depth--
			err = p.end(t.Name.Local)
		case xml.CharData:
			if p.text += len(t); p.text > 4*mostCellText && (p.isSheet || p.shared) {
				return fmt.Errorf("text of more than %d characters", mostCellText)
			}
			if p.inValue && p.kind == "s" {
				p.value = append(p.value, t...)
			}
		}
		if err != nil {
			return err
		}
	}
}

func (p *partCheck) start(e xml.StartElement, depth int) error {
	switch {
	case p.shared && e.Name.Local == "si":
		p.text = 0
		p.texts++
		if most := int(p.archive.limits.MaxSize / 64); p.texts > most { // an empty text takes less room in the file than in memory
			return &Error{File: p.in.name, Reason: fmt.Sprintf("more than %d shared texts", most), Err: ErrTooLong}
		}
	case !p.isSheet:
	case e.Name.Local == "sheetData":
		if p.tables++; p.tables > 1 {
			return errors.New("a second table of rows in the sheet")
		}
	case e.Name.Local == "row":
		if depth != 3 {
			return errors.New("a row outside the table of rows")
		}
		return p.startRow(attr(e, "r"))
	case e.Name.Local == "c" && depth == 4:
		return p.startCell(e)
	case e.Name.Local == "v":
		p.inValue, p.value, p.text = true, p.value[:0], 0
	}
	return nil
}

func (p *partCheck) startRow(number string) error {
	n := p.row + 1
	if number != "" {
		var err error
		if n, err = strconv.Atoi(number); err != nil || n <= p.row {
			return fmt.Errorf("row number %s after row %d", excerpt(number), p.row)
		}
	}
	if n > excelize.TotalRows {
		return fmt.Errorf("more than %d rows", excelize.TotalRows)
	}
	p.row, p.column = n, 0
	return nil
}

func (p *partCheck) startCell(e xml.StartElement) error {
	p.kind, p.text = attr(e, "t"), 0
	column := p.column + 1
	if ref := attr(e, "r"); ref != "" {
		var err error
		if column, _, err = excelize.CellNameToCoordinates(ref); err != nil || column <= p.column {
			return fmt.Errorf("cell %s after %d cells", excerpt(ref), p.column)
		}
	}
	if column > excelize.MaxColumns {
		return fmt.Errorf("more than %d cells", excelize.MaxColumns)
	}
	p.column = column
	return nil
}

func (p *partCheck) end(name string) error {
	if name != "v" || !p.inValue {
		return nil
	}
	p.inValue = false
	text := strings.TrimSpace(string(p.value))
	if p.kind != "s" || text == "" {
		return nil
	}
	i, err := strconv.Atoi(text)
	if err != nil || i < 0 {
		return fmt.Errorf("shared text %s, expected its number", excerpt(text))
	}
	if i+1 > p.largest {
		p.largest = i + 1
		p.asking = &Error{File: p.in.name, Line: p.row, Err: ErrSyntax}
	}
	return nil
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}
