// Package xlsx writes Excel files (ECMA-376) for the sample and for tests: one
// sheet, text cells only. Equal rows give equal bytes.
package xlsx

import (
	"archive/zip"
	"encoding/xml"
	"io"
	"strings"
	"time"
)

const (
	declaration   = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	spreadsheet   = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	pkg           = "http://schemas.openxmlformats.org/package/2006/"
	contentType   = "application/vnd.openxmlformats-officedocument.spreadsheetml."
)

// Write writes an Excel file whose only sheet has the name and the rows.
// Empty texts leave their cells out.
func Write(w io.Writer, name string, rows [][]string) error {
	z := zip.NewWriter(w)
	for _, part := range []struct{ member, content string }{
		{"[Content_Types].xml", `<Types xmlns="` + pkg + `content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="` + contentType + `sheet.main+xml"/>` +
			`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="` + contentType + `worksheet+xml"/></Types>`},
		{"_rels/.rels", relationship("officeDocument", "xl/workbook.xml")},
		{"xl/workbook.xml", `<workbook xmlns="` + spreadsheet + `" xmlns:r="` + relationships + `"><sheets><sheet name="` + escape(name) + `" sheetId="1" r:id="r1"/></sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", relationship("worksheet", "worksheets/sheet1.xml")},
		{"xl/worksheets/sheet1.xml", sheet(rows)},
	} {
		// 1980 is the first year of the format.
		f, err := z.CreateHeader(&zip.FileHeader{Name: part.member, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			return err
		}
		if _, err := io.WriteString(f, declaration+part.content); err != nil {
			return err
		}
	}
	return z.Close()
}

// relationship returns a .rels part with one reference.
func relationship(kind, target string) string {
	return `<Relationships xmlns="` + pkg + `relationships"><Relationship Id="r1" Type="` + relationships + "/" + kind + `" Target="` + target + `"/></Relationships>`
}

func sheet(rows [][]string) string {
	var b strings.Builder
	b.WriteString(`<worksheet xmlns="` + spreadsheet + `"><sheetData>`)
	for _, row := range rows {
		b.WriteString("<row>")
		for _, text := range row {
			if text == "" {
				b.WriteString("<c/>")
				continue
			}
			b.WriteString(`<c t="inlineStr"><is><t xml:space="preserve">` + escape(text) + `</t></is></c>`)
		}
		b.WriteString("</row>")
	}
	b.WriteString("</sheetData></worksheet>")
	return b.String()
}

func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder accepts all writes
	return b.String()
}
