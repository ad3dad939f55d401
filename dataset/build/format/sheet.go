package format

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"strings"
)

// SheetOptions say which table of an Excel file is wanted.
type SheetOptions struct {
	// Sheet is the name of the sheet; "" takes the first.
	Sheet string
	// Columns are the columns that the header row must have. The header is the
	// first row that has them all, among the first hundred; title rows may
	// stand above it.
	Columns []Column
	// Key are columns that no row of the table leaves blank: the table ends
	// before the first row that does, and what follows are footers. Without
	// Key every row that is not empty belongs to the table.
	Key []string
	// Limits bound the expansion. A MaxSize of zero means 256 MiB here.
	Limits Limits
}

// A Sheet reads the rows of a table in an Excel file (.xlsx). Cells give the
// text or number that is stored, not what a number format would show of it.
type Sheet struct {
	archive *Archive
	in      *Input
	key     []string
	cols    columns
	rows    sheetRows
	ended   int // row of the first footer, 0 before it
}

const mostTitleRows = 100

// OpenSheet opens the Excel file at the path and finds the header row.
func OpenSheet(path string, o SheetOptions) (*Sheet, error) {
	if o.Limits.MaxSize <= 0 {
		o.Limits.MaxSize = 256 << 20
	}
	a, err := OpenArchive(path, o.Limits)
	if err != nil {
		return nil, err
	}
	s := &Sheet{archive: a, key: o.Key}
	if err := s.open(o); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Sheet) open(o SheetOptions) error {
	w, err := openWorkbook(s.archive)
	if err != nil {
		return err
	}
	member, err := w.sheet(o.Sheet)
	if err != nil {
		return err
	}
	shared, err := w.sharedStrings()
	if err != nil {
		return err
	}
	if s.in, err = s.archive.Open(member); err != nil {
		return err
	}
	s.rows = newSheetRows(s.in, shared)
	return s.findHeader(o.Columns)
}

func (s *Sheet) findHeader(want []Column) error {
	for range mostTitleRows {
		cells, row, err := s.rows.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		header := make([]string, len(cells))
		for i, c := range cells {
			header[i] = strings.TrimSpace(c)
		}
		cols, err := resolve(s.in.name, row, header, want)
		if err != nil {
			continue
		}
		s.cols = cols
		for _, k := range s.key {
			if _, ok := cols.index[k]; !ok {
				return &Error{File: s.in.name, Line: row, Column: k, Reason: "not in the header; found " + list(header), Err: ErrColumns}
			}
		}
		return nil
	}
	names := make([]string, len(want))
	for i, w := range want {
		names[i] = w.Name
	}
	return &Error{File: s.in.name, Reason: fmt.Sprintf("none of the first %d rows is a header with the columns %s", mostTitleRows, list(names)), Err: ErrColumns}
}

// Rows reads the rows below the header; empty ones are left out. The sequence
// ends with the sheet or after its first error, and can be run once.
func (s *Sheet) Rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for {
			cells, line, err := s.rows.next()
			if errors.Is(err, io.EOF) {
				return
			}
			row := Row{cols: &s.cols, fields: cells, line: line}
			if err == nil {
				err = s.footer(row)
			}
			if err != nil {
				yield(Row{}, err)
				return
			}
			if s.ended > 0 {
				continue
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

// footer notes where the table ends and refuses rows of data after that.
func (s *Sheet) footer(row Row) error {
	for _, k := range s.key {
		if row.Get(k) == "" {
			if s.ended == 0 {
				s.ended = row.line
			}
			return nil
		}
	}
	if s.ended > 0 {
		return &Error{File: s.in.name, Line: row.line, Reason: fmt.Sprintf("data after row %d, which leaves %s blank and so ends the table", s.ended, list(s.key)), Err: ErrRagged}
	}
	return nil
}

// Close closes the file. It may be called again.
func (s *Sheet) Close() error {
	if s.in != nil {
		s.in.Close()
	}
	return s.archive.Close()
}

// workbook is the directory of an Excel file.
type workbook struct {
	archive *Archive
	name    string            // member that lists the sheets
	sheets  []workbookSheet   // in the order of the tabs
	targets map[string]string // member by relationship id
	shared  string            // member with the shared strings; "" none
}

type workbookSheet struct {
	Name string `xml:"name,attr"`
	ID   string `xml:"http://schemas.openxmlformats.org/officeDocument/2006/relationships id,attr"`
	// The strict variant of the format has its own namespace.
	StrictID string `xml:"http://purl.oclc.org/ooxml/officeDocument/relationships id,attr"`
}

type relationships struct {
	Relationship []struct {
		ID     string `xml:"Id,attr"`
		Type   string `xml:"Type,attr"`
		Target string `xml:"Target,attr"`
	}
}

func openWorkbook(a *Archive) (*workbook, error) {
	var root relationships
	if err := readXML(a, "_rels/.rels", &root); err != nil {
		return nil, err
	}
	w := &workbook{archive: a, targets: map[string]string{}}
	for _, r := range root.Relationship {
		if strings.HasSuffix(r.Type, "/officeDocument") {
			w.name = member("", r.Target)
		}
	}
	if w.name == "" {
		return nil, &Error{File: a.path, Reason: "no workbook in it, expected an Excel file (.xlsx)", Err: ErrSyntax}
	}
	var book struct {
		Sheets []workbookSheet `xml:"sheets>sheet"`
	}
	if err := readXML(a, w.name, &book); err != nil {
		return nil, err
	}
	w.sheets = book.Sheets
	var rels relationships
	dir, base := path.Split(w.name)
	if err := readXML(a, dir+"_rels/"+base+".rels", &rels); err != nil {
		return nil, err
	}
	for _, r := range rels.Relationship {
		w.targets[r.ID] = member(dir, r.Target)
		if strings.HasSuffix(r.Type, "/sharedStrings") {
			w.shared = member(dir, r.Target)
		}
	}
	return w, nil
}

// member returns the archive's name of a relationship's target.
func member(dir, target string) string {
	if strings.HasPrefix(target, "/") {
		return path.Clean(target[1:])
	}
	return path.Join(dir, target)
}

// sheet returns the member of the named sheet.
func (w *workbook) sheet(name string) (string, error) {
	names := make([]string, len(w.sheets))
	for i, s := range w.sheets {
		names[i] = s.Name
		if name == "" || s.Name == name {
			id := s.ID
			if id == "" {
				id = s.StrictID
			}
			if target := w.targets[id]; target != "" {
				return target, nil
			}
			return "", &Error{File: w.archive.path, Reason: "sheet " + excerpt(s.Name) + " leads to no member", Err: ErrSyntax}
		}
	}
	return "", &Error{File: w.archive.path, Reason: "no sheet " + excerpt(name) + " among " + list(names), Err: ErrMember}
}
