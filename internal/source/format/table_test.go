package format_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/source/format"
)

func fieldsOf(r format.Row) []string {
	f := make([]string, len(r.Fields()))
	for i := range f {
		f[i] = strings.TrimSpace(r.Fields()[i])
	}
	return f
}

func readTable(in format.File, o format.Options) ([][]string, error) {
	return collect(in.Rows(o), fieldsOf)
}

// optionsOf reads the options of a section.
func optionsOf(t *testing.T, words []string) (o format.Options) {
	t.Helper()
	var delimiter, columns, names string
	var latin1, windows1252 bool
	options := map[string]any{
		"delimiter": &delimiter, "columns": &columns, "names": &names, "quoted": &o.Quoted, "short": &o.ShortRows, "max": &o.MaxRow, "width": &o.Width,
		"latin1": &latin1, "windows1252": &windows1252,
	}
	for _, word := range words {
		name, value, ok := strings.Cut(word, "=")
		if !ok {
			value = "true"
		}
		if _, err := fmt.Sscan(value, options[name]); err != nil {
			t.Fatalf("option %s: %v", word, err)
		}
	}
	if delimiter != "" {
		o.Delimiter = strings.Replace(delimiter, "tab", "\t", 1)[0]
	}
	if columns != "" {
		o.Columns = strings.Split(columns, ",")
	}
	if names != "" {
		o.Names = strings.Split(names, ",")
	}
	if latin1 {
		o.Encoding = format.Latin1
	} else if windows1252 {
		o.Encoding = format.Windows1252
	}
	return o
}

var escaped = regexp.MustCompile(`<END>\n|<TAB>|<BOM>|<[0-9A-F]{2}>|<(\d+)\*([^>]+)>`)

// unescape returns a text of testdata/texts.txt.
func unescape(text string) string {
	return escaped.ReplaceAllStringFunc(text, func(s string) string {
		if known, ok := map[string]string{"<END>\n": "", "<TAB>": "\t", "<BOM>": "\ufeff"}[s]; ok {
			return known
		}
		if m := escaped.FindStringSubmatch(s); m[2] != "" {
			n, _ := strconv.Atoi(m[1])
			return strings.Repeat(m[2], n)
		}
		b, _ := hex.DecodeString(s[1:3])
		return string(b)
	})
}

// TestTexts runs the sections of testdata/texts.txt.
func TestTexts(t *testing.T) {
	for _, section := range lookuptest.Sections(t, "texts.txt") {
		name, options, _ := strings.Cut(section[0], ": ")
		in, want, _ := strings.Cut(section[1], "->\n")
		t.Run(name, func(t *testing.T) {
			failure, fails := strings.CutPrefix(strings.TrimSpace(want), "error ")
			var rows [][]string
			var err error
			if options == "projection" {
				var p format.Projection
				p, err = format.ParseProjection(unescape(in))
				rows = [][]string{{string(p)}}
			} else if rows, err = readTable(input("t", unescape(in)), optionsOf(t, strings.Fields(options))); fails {
				mustBeNamed(t, err, "t")
			}
			if fails {
				says, cause, _ := strings.Cut(failure, " ... ")
				wantText(t, err, says)
				wantText(t, err, cause)
				return
			}
			check(t, err)
			var got strings.Builder
			for _, row := range rows {
				got.WriteString(strings.Join(row, " | ") + "\n")
			}
			if diff := cmp.Diff(unescape(want), got.String()); diff != "" {
				t.Errorf("rows (-want +got):\n%s", diff)
			}
		})
	}
}

// Columns are found by their own names and by further ones, and blanks have no value.
func TestTableColumns(t *testing.T) {
	o := format.Options{Quoted: true, Columns: []string{"people"}, Blank: []string{"n/a"}, Meanings: func(headers []string) map[string]string {
		return map[string]string{"people": headers[2], "none": "x"}
	}}
	f := input("t", "YEAR;GEO;\"Counts (3):Population, 2021[1]\";S;S\n2021;A0A; 44930 ;r;N/A\n")
	for row, err := range f.Rows(o) {
		check(t, err)
		got := []string{row.Get("GEO"), row.Get("people"), row.Get("S"), row.Get("none"), fmt.Sprint(row.Number, len(row.Header()), row.Has("none"), row.IsRecord())}
		if diff := cmp.Diff([]string{"A0A", "44930", "r", "", "2 5 false false"}, got); diff != "" {
			t.Errorf("row (-want +got):\n%s", diff)
		}
		wantError(t, row.Errorf("GEO", "%q, expected digits", row.Get("GEO")), format.ErrValue, `t:2: column "GEO": "A0A", expected digits`)
	}
}

func FuzzTable(f *testing.F) {
	f.Add("A,B\n1,2\n", byte(','), true)
	f.Add("\ufeff\"A\",\"B\"\r\n\"1\n\",\"\"\"\"\r\n\r\n", byte(','), true)
	f.Add("A|B\n1|\xff", byte('|'), false)
	f.Add("\"\n\"\n\"", byte('\t'), true)
	f.Add("[[\"A\",\"B\"],[null,1]]", byte(','), true)
	f.Fuzz(func(t *testing.T, text string, delimiter byte, quoted bool) {
		if delimiter == '"' || delimiter == '\n' || delimiter == '\r' || delimiter >= 0x80 {
			return
		}
		last := 0
		for row, err := range input("t", text).Rows(format.Options{Delimiter: delimiter, Quoted: quoted, MaxRow: 1000}) {
			if errors.Is(err, format.ErrValue) { // of GeoJSON
				continue
			}
			if err != nil {
				mustBeNamed(t, err, "t")
				return
			}
			if len(row.Fields()) != len(row.Header()) || row.Number <= last {
				t.Fatalf("row of line %d after line %d with %d fields, want %d", row.Number, last, len(row.Fields()), len(row.Header()))
			}
			last = row.Number
		}
	})
}

func readSheet(path string, columns []string, key ...string) ([][]string, error) {
	return collect(format.File{Path: path}.Rows(format.Options{Columns: columns, Key: key}), func(r format.Row) []string {
		return append([]string{fmt.Sprint(r.Number)}, fieldsOf(r)...)
	})
}

// Titles and footers around the table are skipped, in the first sheet or a named one.
func TestSheet(t *testing.T) {
	text := func(s string) string { return `<c t="inlineStr"><is><t>` + s + `</t></is></c>` }
	row := func(cells ...string) string { return "<row>" + strings.Join(cells, "") + "</row>" }
	first := row(text("List 1. Core based statistical areas")) + row(text("(July 2023)")) + row(text(" CBSA Code "), text("Title"), text("Share")) +
		row(text("01020"), text(`Zürich, &lt;&amp;&gt; "X"`), `<c><v>12.5</v></c>`) + row() +
		row(text("31080"), `<c r="C6" t="b"><v>1</v></c>`) + row(text("Note: see the web site.")) + row(text("Source: somebody"))
	parts := sheetParts("<worksheet><sheetData>"+first+"</sheetData></worksheet>", "<sst/>")
	for i, p := range parts {
		switch p.name {
		case "xl/workbook.xml":
			parts[i].content = strings.Replace(p.content, "</sheets>", `<sheet name="Second" sheetId="2" r:id="r3"/></sheets>`, 1)
		case "xl/_rels/workbook.xml.rels":
			parts[i].content = strings.Replace(p.content, "</Relationships>", `<Relationship Id="r3" Type="x/worksheet" Target="/xl/second.xml"/></Relationships>`, 1)
		}
	}
	parts = append(parts, member{"xl/second.xml", `<worksheet><sheetData><row r="2"><c r="B2" t="str"><v>CBSA Code</v></c></row><row r="4"><c r="B4" t="str"><v>x</v></c></row></sheetData></worksheet>`})
	path := writeFile(t, "f.xlsx", zipBytes(t, parts...))
	got, err := readSheet(path, []string{"CBSA Code", "Share"}, "Share")
	check(t, err)
	want := [][]string{{"4", "01020", `Zürich, <&> "X"`, "12.5"}, {"6", "31080", "", "TRUE"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func sheetParts(sheet, shared string) []member {
	ns := `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	rel := "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	return []member{
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`},
		{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="` + rel + `/officeDocument" Target="/xl/workbook.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook ` + ns + `><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="` + rel + `/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="` + rel + `/sharedStrings" Target="sharedStrings.xml"/></Relationships>`},
		{"xl/sharedStrings.xml", shared},
		{"xl/worksheets/sheet1.xml", sheet},
	}
}

func sheetFile(tb testing.TB, rows string) string {
	tb.Helper()
	shared := `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>A</t></si><si><r><t>rich </t></r><r><rPr><b/></rPr><t xml:space="preserve">text</t></r><rPh><t>reading</t></rPh></si></sst>`
	return writeFile(tb, "f.xlsx", zipBytes(tb, sheetParts(`<worksheet><cols/><sheetData>`+rows+`</sheetData></worksheet>`, shared)...))
}

func TestSheetCells(t *testing.T) {
	path := sheetFile(t, `<row r="1"><c r="A1" t="s"><v>0</v></c><c t="inlineStr"><is><t>B</t></is></c></row>`+
		`<row><c t="s"><v>1</v></c><c r="D2" t="str"><f>1+1</f><v>2</v></c></row><row r="9"><extra/><c r="B9"><v>3</v></c></row><row r="10"><c r="A10"/></row>`)
	got, err := readSheet(path, []string{"A", "B"})
	check(t, err)
	want := [][]string{{"2", "rich text", "", "", "2"}, {"9", "", "3"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestSheetRefusals(t *testing.T) {
	head := `<row><c t="inlineStr"><is><t>A</t></is></c></row>`
	text := `<row><c t="inlineStr"><is><t>` + strings.Repeat("x", 200_000) + `</t></is></c></row>`
	sheet := func(parts ...member) string { return writeFile(t, "f.xlsx", zipBytes(t, parts...)) }
	tests := []struct {
		name, path string
		key        string
		cause      error
		want       string
	}{
		{"no zip", writeFile(t, "f.xlsx", []byte("<html>")), "A", format.ErrColumns, `column "A": not in the header; found "<html>"`},
		{"no workbook", sheet(member{"_rels/.rels", "<Relationships/>"}), "A", format.ErrSyntax, "no main part; expected a workbook"},
		{"no header", sheetFile(t, `<row><c t="inlineStr"><is><t>B</t></is></c></row>`), "A", format.ErrColumns, `is a header with the columns "A"`},
		{"data after a footer", sheetFile(t, head+`<row><c r="B2"><v>1</v></c></row><row><c r="A3"><v>1</v></c></row>`), "A", format.ErrRagged, "f.xlsx:One:3: data after row 2"},
		{"malformed", sheetFile(t, head+`<row><c></row>`), "", format.ErrSyntax, "sheet1.xml:2: XML syntax error"},
		{"malformed row", sheetFile(t, head+`<row><c/></c>`), "", format.ErrSyntax, "sheet1.xml:2: XML syntax error"},
		{"cut off", sheet(sheetParts("<worksheet><sheetData>"+head+"<row>", `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"/>`)...), "", format.ErrTruncated, "sheet1.xml:2: ends early"},
		{"row outside the table", sheet(sheetParts("<worksheet>"+head+"</worksheet>", "<sst/>")...), "", format.ErrSyntax, "a row outside the table"},
		{"cut off in the shared texts", sheet(sheetParts("<worksheet/>", "<sst><si>")...), "", format.ErrTruncated, "sharedStrings.xml: ends early"},
		{"shared text that is not there", sheetFile(t, head+`<row><c t="s"><v>2</v></c></row>`), "", format.ErrSyntax, "sheet1.xml:2: shared text \"2\" of 2"},
		{"cells out of order", sheetFile(t, head+`<row><c r="B2"/><c r="A2"/></row>`), "", format.ErrSyntax, `cell "A2" after 2 cells`},
		{"column beyond Excel", sheetFile(t, head+`<row><c r="XFE2"/></row>`), "", format.ErrSyntax, `cell "XFE2"`},
		{"rows out of order", sheetFile(t, `<row r="5"><c t="inlineStr"><is><t>A</t></is></c></row><row r="5"/>`), "", format.ErrSyntax, `row number "5" after row 5`},
		{"long text", sheetFile(t, head+text), "", format.ErrSyntax, "text of more than 32767 characters"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var key []string
			if tt.key != "" {
				key = append(key, tt.key)
			}
			_, err := readSheet(tt.path, []string{"A"}, key...)
			wantError(t, err, tt.cause, tt.want)
			mustBeNamed(t, err, tt.path)
		})
	}
}

func FuzzSheet(f *testing.F) {
	f.Add(`<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c></row><row><c><v>1</v></c></row></sheetData></worksheet>`, `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>A</t></si></sst>`)
	f.Add(`<row><c t="inlineStr"><is><r><t>A</t></r></is></c></row><row><c t="x"><f/></c><c r="AB2"/></row>`, `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"/>`)
	f.Fuzz(func(t *testing.T, sheet, shared string) {
		path := writeFile(t, "f.xlsx", zipBytes(t, sheetParts(sheet, shared)...))
		_, err := readSheet(path, []string{"A"}, "A")
		if err != nil {
			mustBeNamed(t, err, path)
		}
	})
}

func FuzzBlocks(f *testing.F) {
	f.Add("C oneD    Dtwo ", 5)
	f.Add("C one\r\nD    \r\n", 5)
	f.Fuzz(func(t *testing.T, text string, length int) {
		if length < 1 || length > 400 {
			return
		}
		n := 0
		for b, err := range input("f", text).Rows(format.Options{Width: length}) {
			if err != nil {
				mustBeNamed(t, err, "f")
				var e *format.Error
				if errors.As(err, &e) && e.Record > n+1 {
					t.Fatalf("error in record %d after %d", e.Record, n)
				}
				return
			}
			if n++; b.Number != n || len(b.Fields()[0]) != length {
				t.Fatalf("record %d after %d", b.Number, n)
			}
		}
		if rest := len(text) - n*length; rest < 0 || rest > 2*n+1 {
			t.Fatalf("%d records of %d bytes from %d bytes", n, length, len(text))
		}
	})
}
