package xlsx

import (
	"archive/zip"
	"bufio"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of Excel.
const (
	MaxRows     = 1_048_576
	MaxColumns  = 16_384
	MaxCellText = 32_767 // characters
)

// An Excel file is a ZIP archive of XML parts. Parts refer to others by relations, whose kinds
// count and not their names: _rels/.rels names the workbook, the relations of that name the
// sheets, the shared texts and the styles. A cell has a type and a value: a number, an index
// of a shared text, or a text. Codes and dates are numbers whose style has a number format,
// such as 00000, so they can only be read with the styles.

// Limits against small files that expand to fill the memory. Texts that cells share are in
// memory; sheets are read row by row.
const (
	maxParts     = 10_000
	sheetBytes   = 8 << 30 // uncompressed
	sharedBytes  = 256 << 20
	listBytes    = 16 << 20 // of lists that are decoded at once, such as that of the sheets
	maxFormats   = 1 << 16  // Excel allows 65,490 formats of cells
	ratioFree    = 64 << 20 // uncompressed bytes that may expand more than maxRatio times
	maxRatio     = 250      // deflate itself allows about 1,000
	maxRowBytes  = 4 << 20
	maxTexts     = 1 << 22         // empty ones take a few bytes of the file and 16 of memory
	maxTextBytes = 4 * MaxCellText // with formats and entities
)

// A Workbook has the names of the sheets of an Excel file, and the texts and formats that
// their cells share.
type Workbook struct {
	zip     *zip.Reader
	sheets  []relation
	texts   []string
	formats []numberFormat // by the style of a cell
	from    int            // day 0 of dates, in days after 1899-12-30
}

// A relation is a part that another part refers to.
type relation struct {
	ID     string `xml:"Id,attr"`
	Type   string `xml:"Type,attr"` // a URL that ends with the kind
	Target string `xml:"Target,attr"`
}

// Open reads the list of sheets of an Excel file, and the texts and formats that their cells
// share.
func Open(r io.ReaderAt, size int64) (w *Workbook, err error) {
	w = new(Workbook)
	// Names such as ../x are harmless: they are compared, never opened.
	if w.zip, err = zip.NewReader(r, size); err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, err
	}
	if n := len(w.zip.File); n > maxParts {
		return nil, fmt.Errorf("%d parts; expected at most %d", n, maxParts)
	}
	parts, err := w.relations("")
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(parts, func(r relation) bool { return path.Base(r.Type) == "officeDocument" })
	if at < 0 {
		return nil, notWorkbook("no main part")
	}
	var book struct {
		Properties struct {
			Date1904 string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name string `xml:"name,attr"`
			ID   string `xml:"id,attr"` // of one of two namespaces: Excel's strict format has its own
		} `xml:"sheets>sheet"`
	}
	main := parts[at].Target
	if err = w.decode(main, &book); err != nil {
		return nil, err
	}
	if d := book.Properties.Date1904; d == "1" || d == "true" {
		w.from = days1904
	}
	if parts, err = w.relations(main); err != nil {
		return nil, err
	}
	targets := make(map[string]string, len(parts))
	for _, r := range parts {
		targets[r.ID] = r.Target
	}
	for _, s := range book.Sheets { // in the order of their tabs
		if target, ok := targets[s.ID]; ok {
			w.sheets = append(w.sheets, relation{ID: s.Name, Target: target})
		}
	}
	if len(w.sheets) == 0 {
		return nil, notWorkbook("no sheets")
	}
	for _, r := range parts {
		switch path.Base(r.Type) {
		case "sharedStrings":
			err = w.readTexts(r.Target)
		case "styles":
			err = w.readFormats(r.Target)
		}
		if err != nil {
			return nil, err
		}
	}
	return w, nil
}

// Sheets returns the names of the sheets.
func (w *Workbook) Sheets() []string {
	names := make([]string, len(w.sheets))
	for i, s := range w.sheets {
		names[i] = s.ID
	}
	return names
}

// Sheet opens the sheet with the name, "" for the first. It returns [fs.ErrNotExist] if
// there is none.
func (w *Workbook) Sheet(name string) (*Sheet, error) {
	at := 0
	if name != "" {
		if at = slices.Index(w.Sheets(), name); at < 0 {
			return nil, fs.ErrNotExist
		}
	}
	p, err := w.open(w.sheets[at].Target, maxRowBytes)
	if err != nil {
		return nil, err
	}
	return &Sheet{Name: w.sheets[at].ID, part: p, book: w}, nil
}

func notWorkbook(reason string) error {
	return errors.New(reason + "; expected a workbook in an Excel file (.xlsx)")
}

// file opens a part within the limits.
func (w *Workbook) file(name string) (io.ReadCloser, int64, error) {
	i := slices.IndexFunc(w.zip.File, func(f *zip.File) bool { return f.Name == name })
	if i < 0 {
		return nil, 0, notWorkbook(fmt.Sprintf("no part %.60q", name))
	}
	f, most := w.zip.File[i], uint64(sheetBytes)
	if !strings.Contains(name, "/worksheets/") {
		most = sharedBytes
	}
	n := f.UncompressedSize64
	// The directory can lie about the size, but the ZIP reader returns an error for more
	// bytes.
	if n > most || n > ratioFree && n/max(1, f.CompressedSize64) > maxRatio {
		return nil, 0, fmt.Errorf("%s expands to %d bytes; expected at most %d, and %d times its size", name, n, most, maxRatio)
	}
	in, err := f.Open()
	return in, int64(n), err
}

// open opens a part. Each of its rows or texts has at most most bytes.
func (w *Workbook) open(name string, most int) (*part, error) {
	r, size, err := w.file(name)
	if err != nil {
		return nil, err
	}
	p := &part{name: name, size: size, file: r, Reader: bufio.NewReaderSize(r, 1<<16), max: most}
	p.Decoder = xml.NewDecoder(p)
	// Files declare UTF-8, or a part of it such as US-ASCII. The decoder refuses the latter
	// without a reader, and refuses bytes that are not UTF-8 in any case.
	p.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	return p, nil
}

// decode reads a whole part.
func (w *Workbook) decode(name string, v any) error {
	r, n, err := w.file(name)
	if err != nil {
		return err
	}
	defer r.Close()
	if n > listBytes {
		return fmt.Errorf("%s has %d bytes; expected at most %d", name, n, listBytes)
	}
	if err := xml.NewDecoder(r).Decode(v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// relations returns the parts that a part, or "" for the file, refers to.
func (w *Workbook) relations(name string) ([]relation, error) {
	var list struct {
		List []relation `xml:"Relationship"`
	}
	dir, base := path.Split(name)
	err := w.decode(path.Join(dir, "_rels", base+".rels"), &list)
	for i, r := range list.List {
		target, whole := strings.CutPrefix(r.Target, "/")
		if !whole {
			target = path.Join(dir, target)
		}
		list.List[i].Target = target
	}
	return list.List, err
}

// readTexts reads the texts that cells share.
func (w *Workbook) readTexts(name string) error {
	p, err := w.open(name, maxTextBytes)
	if err != nil {
		return err
	}
	defer p.file.Close()
	for {
		p.drop()
		t, err := p.token()
		if start, ok := t.(xml.StartElement); ok && start.Name.Local == "si" {
			var text []byte
			if text, err = p.content(nil, false); len(w.texts) == maxTexts {
				err = fmt.Errorf("more than %d shared texts", maxTexts)
			}
			w.texts = append(w.texts, string(text))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if end, ok := t.(xml.EndElement); ok && end.Name.Local == "sst" {
			return nil
		}
	}
}

// value returns the value of a cell with the text, the type and the style.
func (w *Workbook) value(text, kind, style string) (string, error) {
	if len(text) > utf8.UTFMax*MaxCellText {
		return "", fmt.Errorf("text of more than %d characters", MaxCellText)
	}
	// inlineStr, the result of a formula (str), an error (e) and an ISO date (d) are texts
	if kind != "s" && kind != "" && kind != "n" && kind != "b" {
		return unescape(text), nil
	}
	if text = strings.TrimSpace(text); text == "" {
		return "", nil
	}
	switch i, err := strconv.Atoi(text); {
	case kind == "s" && (err != nil || i < 0 || i >= len(w.texts)):
		return "", fmt.Errorf("shared text %.60q of %d", text, len(w.texts))
	case kind == "s":
		return unescape(w.texts[i]), nil
	case kind == "b":
		return strings.ToUpper(strconv.FormatBool(text == "1")), nil // as Excel shows them
	}
	var f numberFormat
	if i, err := strconv.Atoi(style); err == nil && i >= 0 && i < len(w.formats) {
		f = w.formats[i]
	}
	return f.show(text, w.from), nil
}

// readFormats reads the number formats of the styles. Like the texts, they are read token by
// token: decoded at once, a file of 93 kB took 12 seconds and 1.5 GB.
func (w *Workbook) readFormats(name string) error {
	p, err := w.open(name, maxTextBytes)
	if err != nil {
		return err
	}
	defer p.file.Close()
	codes := make(map[int]numberFormat)
	for id, code := range builtIn {
		codes[id] = parseFormat(code)
	}
	var cells []int    // the format of each style of cells
	var lists []string // open elements: formats of conditions have a numFmt, and styles by name an xf, too
	for {
		p.drop()
		t, err := p.token()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			lists = append(lists, t.Name.Local)
			if len(lists) != 3 {
				continue
			}
			id, err := strconv.Atoi(cmp.Or(attribute(t, "numFmtId"), "0"))
			switch list := lists[1] + ">" + lists[2]; {
			case list != "numFmts>numFmt" && list != "cellXfs>xf":
				continue
			case err != nil:
				return fmt.Errorf("%s: number of a format: %w", name, err)
			case list == "cellXfs>xf":
				cells = append(cells, id)
			default:
				codes[id] = parseFormat(attribute(t, "formatCode"))
			}
			if max(len(cells), len(codes)) > maxFormats {
				return fmt.Errorf("%s: more than %d formats", name, maxFormats)
			}
		case xml.EndElement:
			if lists = lists[:len(lists)-1]; len(lists) == 0 {
				for _, id := range cells { // a list of formats may follow that of cells
					w.formats = append(w.formats, codes[id])
				}
				return nil
			}
		}
	}
}
