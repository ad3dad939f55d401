// Package xlsx reads and writes Excel files (ECMA-376). It reads the values of a
// sheet. It writes new files with one sheet, and copies of files with other rows.
package xlsx

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A file is written as a copy of another one whose one sheet has other rows: the parts of the
// source, or of an embedded empty file, are copied without unpacking them. So no part but
// the sheet is made here, and what this package does not know, such as charts, stays.
//
// Cells of text are inline and not shared. Shared texts would be in memory for the whole
// table, and the source's list of them could not be copied. Excel shares them again when it
// saves the file.

// A Writer writes the rows of a sheet, as XML, into an Excel file.
type Writer struct {
	zip   *zip.Writer
	sheet io.Writer
	rest  func() error // writes the sheet after the rows
	rows  int
}

// empty is an Excel file whose only sheet, Sheet1, has no rows.
//
//go:embed empty.xlsx
var empty []byte

// Create begins an Excel file with one sheet. Close of the Writer closes the archive.
func Create(z *zip.Writer) (*Writer, error) {
	book, err := Open(bytes.NewReader(empty), int64(len(empty)))
	if err != nil {
		return nil, err
	}
	s, err := book.Sheet("")
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if _, err = s.Next(); !errors.Is(err, io.EOF) {
		return nil, err
	}
	return s.Copy(z, s.Begin())
}

// dimension is the size of a sheet, which readers find again. That of the source would hide
// the added columns from those that trust it, such as openpyxl's read-only mode.
var dimension = regexp.MustCompile(`<(\w+:)?dimension\b[^>]*?(/>|>\s*</(\w+:)?dimension\s*>)`)

// Copy begins a copy of the Excel file with other rows in the sheet, which began at a
// position. Close of the Writer is called after the last row was read, and closes the
// archive.
func (s *Sheet) Copy(z *zip.Writer, begin int64) (*Writer, error) {
	for _, f := range s.book.zip.File {
		if f.Name == s.name {
			continue
		}
		if err := z.Copy(f); err != nil {
			return nil, err
		}
	}
	in, _, err := s.book.file(s.name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	head := make([]byte, begin) // callers bound it
	if _, err := io.ReadFull(in, head); err != nil {
		return nil, err
	}
	// A fixed time, so that the same table gives the same bytes. 1980 is the first year of
	// ZIP.
	sheet, err := z.CreateHeader(&zip.FileHeader{Name: s.name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		return nil, err
	}
	_, err = sheet.Write(dimension.ReplaceAll(head, nil))
	// By then the source is read, and its position is that of the end of the rows.
	return &Writer{zip: z, sheet: sheet, rest: func() error {
		in, _, err := s.book.file(s.name)
		if err != nil {
			return err
		}
		defer in.Close()
		if _, err := io.CopyN(io.Discard, in, s.begin); err != nil {
			return err
		}
		_, err = io.Copy(sheet, in)
		return err
	}}, err
}

// Write writes n rows, and returns an error for more than a sheet can have.
func (w *Writer) Write(rows []byte, n int) error {
	if w.rows += n; w.rows > MaxRows {
		return errors.New("a sheet has at most 1,048,576 rows; write CSV or Parquet")
	}
	_, err := w.sheet.Write(rows)
	return err
}

// Close ends the file.
func (w *Writer) Close() error {
	if err := w.rest(); err != nil {
		return err
	}
	return w.zip.Close()
}

// AppendText appends a cell of text, without a value if the text is empty. Names of
// elements begin with the prefix.
func AppendText(dst []byte, prefix, text string) ([]byte, error) {
	if text == "" {
		return fmt.Appendf(dst, "<%sc/>", prefix), nil
	}
	if n := utf8.RuneCountInString(text); n > MaxCellText {
		return dst, fmt.Errorf("a cell of %d characters; Excel allows %d", n, MaxCellText)
	}
	return fmt.Appendf(dst, `<%[1]sc t="inlineStr"><%[1]sis><%[1]st xml:space="preserve">%[2]s</%[1]st></%[1]sis></%[1]sc>`, prefix, escape(guard.ReplaceAllString(text, "_x005F$0"))), nil
}

// AppendNumber appends a cell with a number, or with 1 or 0 for true or false if
// kind is "b".
func AppendNumber(dst []byte, prefix, kind string, number []byte) []byte {
	if kind == "" {
		kind = "n"
	}
	return fmt.Appendf(dst, `<%[1]sc t="%[2]s"><%[1]sv>%[3]s</%[1]sv></%[1]sc>`, prefix, kind, number)
}

func escape(text string) string {
	if strings.IndexFunc(text, func(c rune) bool { return c < ' ' || c >= utf8.RuneSelf || strings.ContainsRune(`"'&<>`, c) }) < 0 {
		return text
	}
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a Buffer accepts all writes
	return b.String()
}

// guard is text that readers take for an escaped character: _x000D_ is CR (ECMA-376,
// 22.9.2.19).
var guard = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// unescape replaces escaped characters.
func unescape(text string) string {
	if !strings.Contains(text, "_x") {
		return text
	}
	return guard.ReplaceAllStringFunc(text, func(s string) string {
		n, err := strconv.ParseUint(s[2:6], 16, 16)
		if err != nil || !utf8.ValidRune(rune(n)) {
			return s
		}
		return string(rune(n))
	})
}
