package xlsx

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Limits of Excel.
const (
	MaxRows     = 1_048_576
	MaxColumns  = 16_384
	MaxCellText = 32_767 // characters
)

// An Opener opens a part of an Excel file by its name in the ZIP archive. It
// returns [fs.ErrNotExist] if the part is missing, and bounds the size.
type Opener func(part string) (io.ReadCloser, error)

// A Workbook has the names of the sheets of an Excel file, and the texts and formats
// that their cells share.
type Workbook struct {
	open    Opener
	sheets  []sheetPart
	texts   []string
	formats []numberFormat // by the style of a cell
	from    int            // day 0 of dates, in days after 1899-12-30
}

// A sheetPart is the name of a sheet and the part that contains it.
type sheetPart struct{ name, part string }

// A relationList is a .rels part: the parts that another part refers to.
type relationList struct {
	List []struct {
		ID     string `xml:"Id,attr"`
		Type   string `xml:"Type,attr"`
		Target string `xml:"Target,attr"`
	} `xml:"Relationship"`
}

// targets returns the parts that a part, or "" for the file, refers to.
func (w *Workbook) targets(name string) (byID map[string]string, ofKind map[string][]string, err error) {
	var list relationList
	dir, base := path.Split(name)
	if err := w.decode(path.Join(dir, "_rels", base+".rels"), &list); err != nil {
		return nil, nil, err
	}
	byID, ofKind = map[string]string{}, map[string][]string{}
	for _, r := range list.List {
		target := strings.TrimPrefix(r.Target, "/")
		if target == r.Target {
			target = path.Join(dir, r.Target)
		}
		byID[r.ID] = target
		kind := path.Base(r.Type)
		ofKind[kind] = append(ofKind[kind], target)
	}
	return byID, ofKind, nil
}

// Open reads the list of sheets and what their cells share.
func Open(open Opener) (*Workbook, error) {
	w := &Workbook{open: open}
	_, kinds, err := w.targets("")
	if err != nil {
		return nil, err
	}
	main := kinds["officeDocument"]
	if len(main) != 1 {
		return nil, notWorkbook(fmt.Sprintf("%d main parts", len(main)))
	}
	var book struct {
		Properties struct {
			Date1904 string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name string `xml:"name,attr"`
			ID   string `xml:"http://schemas.openxmlformats.org/officeDocument/2006/relationships id,attr"`
		} `xml:"sheets>sheet"`
	}
	if err := w.decode(main[0], &book); err != nil {
		return nil, err
	}
	if d := book.Properties.Date1904; d == "1" || d == "true" {
		w.from = days1904
	}
	parts, kinds, err := w.targets(main[0])
	if err != nil {
		return nil, err
	}
	for _, s := range book.Sheets {
		w.sheets = append(w.sheets, sheetPart{s.Name, parts[s.ID]})
	}
	if len(w.sheets) == 0 {
		return nil, notWorkbook("no sheets")
	}
	for _, name := range kinds["sharedStrings"] {
		if err := w.readTexts(name); err != nil {
			return nil, err
		}
	}
	for _, name := range kinds["styles"] {
		if err := w.readFormats(name); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// Sheets returns the names of the sheets.
func (w *Workbook) Sheets() []string {
	names := make([]string, len(w.sheets))
	for i, s := range w.sheets {
		names[i] = s.name
	}
	return names
}

// Sheet opens the sheet with the name, "" for the first. It returns [fs.ErrNotExist] if
// there is none. The maximum size of a row is in bytes of the file.
func (w *Workbook) Sheet(name string, maxRow int) (*Sheet, error) {
	at := 0
	if name != "" {
		if at = slices.Index(w.Sheets(), name); at < 0 {
			return nil, fs.ErrNotExist
		}
	}
	s, err := w.scan(w.sheets[at].part, maxRow)
	if err != nil {
		return nil, err
	}
	return &Sheet{Name: w.sheets[at].name, scanner: s, book: w}, nil
}

func notWorkbook(reason string) error {
	return &Error{Reason: reason + "; expected a workbook in an Excel file (.xlsx)", Err: ErrSyntax}
}

// decode reads a whole part.
func (w *Workbook) decode(name string, v any) error {
	s, err := w.scan(name, 0)
	if err != nil {
		return err
	}
	defer s.file.Close()
	text, err := io.ReadAll(s.in)
	if err != nil {
		return err
	}
	if err := xml.Unmarshal(text, v); err != nil {
		return &Error{Part: name, Reason: err.Error(), Err: ErrSyntax}
	}
	return nil
}

// scan opens a part.
func (w *Workbook) scan(name string, most int) (*scanner, error) {
	r, err := w.open(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = notWorkbook(fmt.Sprintf("no part %.60q", name))
	}
	if err != nil {
		return nil, err
	}
	return &scanner{file: r, in: bufio.NewReaderSize(r, 1<<16), name: name, max: most}, nil
}

// Limits of the texts that cells share, which are in memory.
const (
	maxTexts     = 1 << 22
	maxTextBytes = 4 * MaxCellText // with formats and entities
)

func (w *Workbook) readTexts(name string) error {
	s, err := w.scan(name, maxTextBytes)
	if err != nil {
		return err
	}
	defer s.file.Close()
	for {
		s.buf = s.buf[:0]
		t, err := s.next()
		switch {
		case err != nil:
			return err
		case t.name == "sst" && t.end:
			return nil
		case t.name != "si" || !t.start:
			continue
		}
		text, err := s.text(t)
		if err != nil {
			return err
		}
		if len(w.texts) == maxTexts {
			return &Error{Part: name, Reason: fmt.Sprintf("more than %d shared texts", maxTexts), Err: ErrTooLong}
		}
		w.texts = append(w.texts, text)
	}
}

func (w *Workbook) readFormats(name string) error {
	var styles struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Cells []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if err := w.decode(name, &styles); err != nil {
		return err
	}
	codes := make(map[int]numberFormat)
	for id, code := range builtIn {
		codes[id] = parseFormat(code)
	}
	for _, f := range styles.Formats {
		codes[f.ID] = parseFormat(f.Code)
	}
	for _, c := range styles.Cells {
		w.formats = append(w.formats, codes[c.Format])
	}
	return nil
}
