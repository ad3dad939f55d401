package table_test

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/xlsx"
)

// workbook returns an Excel file with two sheets, shared texts and number formats.
func workbook(t testing.TB, sheet string) string {
	t.Helper()
	const rel = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	parts := []struct{ name, content string }{
		{"_rels/.rels", `<Relationships><Relationship Id="a" Type="x/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook xmlns:r="` + rel + `"><sheets><sheet name="Notes" r:id="r1"/><sheet name="Customers" r:id="r2"/></sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="x/worksheet" Target="worksheets/sheet2.xml"/>` +
			`<Relationship Id="r3" Type="x/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="r4" Type="x/styles" Target="styles.xml"/></Relationships>`},
		{"xl/sharedStrings.xml", `<sst><si><t>zip</t></si><si><t>90210</t></si><si><t>"two` + "\n" + `lines"</t></si></sst>`},
		{"xl/styles.xml", `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="00000"/><numFmt numFmtId="165" formatCode="[$-409]00000\-0000"/></numFmts>` +
			`<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="14"/><xf numFmtId="22"/></cellXfs></styleSheet>`},
		{"xl/worksheets/sheet1.xml", `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>a note</t></is></c></row></sheetData></worksheet>`},
		{"xl/worksheets/sheet2.xml", sheet},
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, p := range parts {
		w, err := z.Create(p.name)
		check(t, err)
		_, err = io.WriteString(w, p.content)
		check(t, err)
	}
	check(t, z.Close())
	return b.String()
}

// customerSheet returns the sheet of the section of testdata/tables.txt on codes as they are shown.
func customerSheet(t testing.TB) string {
	t.Helper()
	sections := lookuptest.Sections(t, "tables.txt")
	at := slices.IndexFunc(sections, func(s [2]string) bool { return strings.HasPrefix(s[0], "codes of a sheet") })
	sheet, _, _ := strings.Cut(sections[at][1], "\n->\n")
	return sheet
}

// A damaged row is an error of reading, also after good rows.
func TestSheetDamaged(t *testing.T) {
	sheet := strings.Replace(customerSheet(t), `t="s"><v>1<`, `t="s"><v>9<`, 1)
	in := job{in: table.Input{Sheet: "Customers"}, out: table.Output{Format: table.CSV}, add: []string{"state"}}
	_, sum, err := in.stream(t, workbook(t, sheet))
	const want = `read the sheet "Customers": xl/worksheets/sheet2.xml:5: shared text "9" of 3`
	if err == nil || !strings.Contains(err.Error(), want) || sum.Rows != 1 {
		t.Errorf("%d rows, %v; want 1 and %s", sum.Rows, err, want)
	}
}

// Titles above the header are skipped in text, and kept in a sheet.
func TestSheetTitles(t *testing.T) {
	titled := workbook(t, `<worksheet><sheetData>
<row r="1"><c r="A1" t="str"><v>Customers of 2026</v></c></row>
<row r="3"><c r="A3" t="str"><v>id</v></c><c r="B3" t="str"><v>zip</v></c></row>
<row r="4"><c r="A4"><v>1</v></c><c r="B4" t="str"><v>90210</v></c></row>
</sheetData></worksheet>`)
	for _, row := range []int{0, 3} {
		in := table.Input{Sheet: "Customers", HeaderRow: row}
		got, _, err := (&job{in: in, out: table.Output{Format: table.CSV}, add: []string{"city"}}).stream(t, titled)
		check(t, err)
		if diff := cmp.Diff("id,zip,city,postgeo_status,postgeo_reason\n1,90210,Beverly Hills,matched,\n", got); diff != "" {
			t.Errorf("header row %d (-want +got):\n%s", row, diff)
		}
		sheet, _, err := (&job{in: in, add: []string{"city"}}).stream(t, titled)
		check(t, err)
		again, _, err := (&job{in: in, out: table.Output{Format: table.CSV, Status: "s", Reason: "r"}, add: []string{"state"}}).stream(t, sheet)
		check(t, err)
		if !strings.Contains(again, "1,90210,Beverly Hills,matched,,CA,matched,") {
			t.Errorf("header row %d, enriched again: %s", row, again)
		}
	}
}

// An output in the same format keeps the file: its cells, formats and other sheets.
func TestSheetToSheet(t *testing.T) {
	dir := t.TempDir()
	for _, prefix := range []string{"", "x:", "arrow:"} {
		sheet := strings.NewReplacer("</", "</"+prefix, "<", "<"+prefix).Replace(customerSheet(t))
		if prefix != "" {
			sheet = strings.Replace(sheet, "worksheet>", `worksheet xmlns:`+strings.Trim(prefix, ":")+`="y">`, 1)
		}
		from, to := filepath.Join(dir, "in.xlsx"), filepath.Join(dir, "out.xlsx")
		check(t, os.WriteFile(from, []byte(workbook(t, sheet)), 0o600))
		j := job{in: table.Input{Sheet: "Customers"}, add: []string{"state", "region=country"}}
		if _, err := j.file(t, from, to); err != nil {
			t.Fatal(err)
		}
		before, after := members(t, from), members(t, to)
		for name, text := range before {
			if name != "xl/worksheets/sheet2.xml" && after[name] != text {
				t.Errorf("%s has changed", name)
			}
		}
		text := func(s string) string {
			return strings.ReplaceAll(`<c t="inlineStr"><is><t xml:space="preserve">`+s+`</t></is></c>`, "@", "")
		}
		got := strings.NewReplacer("<"+prefix, "<", "</"+prefix, "</", "\n", "").Replace(after["xl/worksheets/sheet2.xml"])
		for _, want := range []string{
			`<cols><col width="9"/></cols><sheetData>`,
			`<row r="2" ht="20"><c r="A2" t="inlineStr"><is><t>id</t></is></c>`,
			`<c r="D2" t="str"><v>note</v></c>` + text("state"),
			`<c r="C3" s="3"><v>45000</v></c><c r="D3" t="s"><v>2</v></c>` + text("PR"),
			`<row r="5"><c r="A5"><f>A3+1</f><v>2</v></c><c r="B5" t="s"><v>1</v></c><c r="C5" s="4"><v>45000.75</v></c><c/>` + text("CA"),
			`<row r="6"><c/><c r="B6" s="2">`,
			`</row></sheetData><mergeCells><mergeCell ref="A2:A2"/></mergeCells></worksheet>`,
		} {
			if !strings.Contains(got, want) {
				t.Errorf("with prefix %q: no %s in\n%s", prefix, want, got)
			}
		}
		if strings.Contains(got, "dimension") || strings.Contains(got, "spans") {
			t.Errorf("the sheet has its former size:\n%s", got)
		}
		again, _, err := job{in: table.Input{Sheet: "Customers"}, out: table.Output{Format: table.CSV, Status: "s2", Reason: "r2"}, add: []string{"country"}}.stream(t, readFile(t, to))
		if err != nil || !strings.Contains(again, "id,zip,since,note,state,region,postgeo_status,postgeo_reason,country,s2,r2\n1,00601,") {
			t.Errorf("the output reads as %v\n%s", err, again)
		}
	}
}

// A sheet without a header comes out without one.
func TestSheetWithoutHeader(t *testing.T) {
	sheet := workbook(t, `<?xml version="1.0" encoding="US-ASCII"?><worksheet><sheetData><row r="2"><c r="A2" t="str"><v>90210</v></c></row></sheetData></worksheet>`)
	in := table.Input{Sheet: "Customers", NoHeader: true}
	out, _, err := job{in: in, names: table.Names{Code: "1"}, add: []string{"state"}}.stream(t, sheet)
	check(t, err)
	got, _, err := job{in: in, names: table.Names{Code: "1"}, out: table.Output{Format: table.CSV}, add: []string{"city"}}.stream(t, out)
	if want := "90210,CA,matched,Beverly Hills,matched,\n"; err != nil || got != want {
		t.Errorf("%q, %v; expected %q", got, err, want)
	}
}

func members(t *testing.T, path string) map[string]string {
	t.Helper()
	z, err := zip.OpenReader(path)
	check(t, err)
	defer z.Close()
	all := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		check(t, err)
		text, err := io.ReadAll(r)
		check(t, err)
		all[f.Name] = string(text)
	}
	return all
}

// Rows without text, however many, are no rows.
func TestSheetBlankRows(t *testing.T) {
	blank := strings.Repeat(`<row><c t="str"><v> </v></c></row>`, 20_000)
	sheet := `<worksheet><sheetData>` + blank + `<row><c t="str"><v>zip</v></c></row>` + blank + `<row><c t="str"><v>90210</v></c></row>` + blank + `</sheetData></worksheet>`
	got, _, err := job{in: table.Input{Sheet: "Customers"}, out: table.Output{Format: table.CSV}, add: []string{"state"}}.stream(t, workbook(t, sheet))
	if want := "zip,state,postgeo_status,postgeo_reason\n90210,CA,matched,\n"; err != nil || got != want {
		t.Errorf("%q, %v; expected %q", got, err, want)
	}
}

// A new file has text as text and numbers as numbers, also in a stream.
func TestTextToSheet(t *testing.T) {
	rows := "zip,n\n00601,\"a <&> _x0041_\"\n90210,7\n"
	j := job{out: table.Output{Format: table.XLSX}, add: []string{"location.lat"}}
	out, _, err := j.stream(t, rows)
	check(t, err)
	back, _, err := job{out: table.Output{Format: table.CSV, Status: "s", Reason: "r"}, add: []string{"state"}}.stream(t, out)
	check(t, err)
	for _, want := range []string{"zip,n,location.lat,postgeo_status,postgeo_reason,state,s,r\n", "00601,a <&> _x0041_,18.", "90210,7,34.", ",matched,,CA,matched,\n"} {
		if !strings.Contains(back, want) {
			t.Errorf("no %q in\n%s", want, back)
		}
	}
	if !strings.Contains(out, "xl/workbook.xml") {
		t.Error("not an Excel file")
	}
}

// TestSheetRows writes as many rows as a sheet can have, which the header is one of.
func TestSheetRows(t *testing.T) {
	if testing.Short() {
		t.Skip("writes a million rows")
	}
	rows := strings.Repeat("90210\n", xlsx.MaxRows)
	for text, noHeader := range map[string]bool{rows: true, "zip\n" + rows: false} {
		j := job{in: table.Input{Format: table.CSV, NoHeader: noHeader}, names: table.Names{Code: "#1"}, out: table.Output{Format: table.XLSX}}
		sum, err := j.pipe(t, strings.NewReader(text), io.Discard)
		if noHeader != (err == nil) || err != nil && !strings.Contains(err.Error(), "at most 1,048,576 rows") {
			t.Errorf("no header %v, %d rows: %v", noHeader, sum.Rows, err)
		}
	}
}

func TestSheetRefusals(t *testing.T) {
	rows := func(text string) string { return "<worksheet><sheetData>" + text + "</sheetData></worksheet>" }
	head := `<row><c t="str"><v>zip</v></c></row>`
	named := table.Input{Sheet: "Customers"}
	for name, tt := range map[string]struct {
		in   table.Input
		text string
		want string
	}{
		"another sheet": {table.Input{Sheet: "Orders"}, workbook(t, rows(head)), `no sheet "Orders"; the file has "Notes", "Customers"`},
		"a ZIP archive": {table.Input{}, "PK\x03\x04 and no more", "not a valid zip file"},
		"text":          {named, "zip\n90210\n", `no sheet "Customers"; expected an Excel file`},
		"read as CSV":   {table.Input{Format: table.CSV}, workbook(t, rows(head)), "was to be read as csv"},
		"a long row":    {named, workbook(t, rows(head+`<row><c t="str"><v>`+strings.Repeat("x", 5<<20)+`</v></c></row>`)), "more than 4194304 bytes"},
		"deep elements": {named, workbook(t, rows(head+"<row>"+strings.Repeat("<a>", 300))), "inside each other"},
		"a bomb":        {named, workbook(t, rows(head+"<row>"+strings.Repeat(" ", 100<<20))), "expands to 1048"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := job{in: tt.in, out: table.Output{Format: table.CSV}, add: []string{"state"}}.stream(t, tt.text)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v; expected %q", err, tt.want)
			}
		})
	}
}

// Rows whose last cell is the only one take little memory.
func TestSheetWide(t *testing.T) {
	book := workbook(t, "<worksheet><sheetData>"+strings.Repeat("<row><c t=\"str\"><v>zip</v></c><c r=\"XFD1\"><v>1</v></c></row>", 4000)+"</sheetData></worksheet>")
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	src, err := table.Read(strings.NewReader(book), table.Input{Sheet: "Customers"})
	check(t, err)
	runtime.GC()
	runtime.ReadMemStats(&after)
	const most = 64 << 20
	if n := int64(after.HeapAlloc) - int64(before.HeapAlloc); n > most {
		t.Errorf("%d bytes after the header; expected at most %d", n, most)
	}
	check(t, src.Close())
}

// Parts of a small file that expand are refused early.
func TestSheetLists(t *testing.T) {
	book := workbook(t, customerSheet(t))
	for name, content := range map[string]string{
		"xl/styles.xml":              "<styleSheet><cellXfs>" + strings.Repeat("<xf/>", 12<<20) + "</cellXfs></styleSheet>",
		"xl/workbook.xml":            "<workbook><sheets>" + strings.Repeat("<sheet/>", 7<<20) + "</sheets></workbook>",
		"xl/_rels/workbook.xml.rels": "<Relationships>" + strings.Repeat("<Relationship/>", 4<<20) + "</Relationships>",
	} {
		z, err := zip.NewReader(strings.NewReader(book), int64(len(book)))
		check(t, err)
		var b bytes.Buffer
		out := zip.NewWriter(&b)
		for _, f := range z.File {
			if f.Name != name {
				check(t, out.Copy(f))
				continue
			}
			w, err := out.Create(name)
			check(t, err)
			_, err = io.WriteString(w, content)
			check(t, err)
		}
		check(t, out.Close())
		_, err = table.Read(&b, table.Input{})
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

var check = checktest.Check
