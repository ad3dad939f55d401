package synth

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"
)

// delineation writes list 1 of the metropolitan delineations: two title rows,
// a header, a row for every county of an area, and footnotes.
func (c *Country) delineation(_ context.Context, w io.Writer) error {
	f := excelize.NewFile()
	defer f.Close()
	const sheet = "List 1"
	if err := f.SetSheetName("Sheet1", sheet); err != nil {
		return err
	}
	rows := [][]string{
		{"Table with row headers in column A and column headers in row 3"},
		{"List 1. CBSAs, metropolitan divisions and CSAs of an " + c.Label + " country"},
		{
			"CBSA Code", "Metropolitan Division Code", "CSA Code", "CBSA Title", "Metropolitan/Micropolitan Statistical Area",
			"Metropolitan Division Title", "CSA Title", "County/County Equivalent", "State Name", "FIPS State Code", "FIPS County Code", "Central/Outlying County",
		},
	}
	rows = append(rows, c.delineationRows()...)
	rows = append(rows, []string{"Note: " + c.Label + " data."}, []string{"Source: not the publisher's file."})
	for i, row := range rows {
		cells := make([]any, len(row))
		for k, v := range row {
			cells[k] = v
		}
		if err := f.SetSheetRow(sheet, fmt.Sprintf("A%d", i+1), &cells); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		return err
	}
	return rezip(w, b.Bytes())
}

func (c *Country) delineationRows() [][]string {
	var rows [][]string
	for i := range c.Counties {
		k := &c.Counties[i]
		if k.CBSA == None {
			continue
		}
		m, s := &c.CBSAs[k.CBSA], &c.States[k.State]
		kind, role := "Micropolitan Statistical Area", "Outlying"
		if m.Metropolitan {
			kind = "Metropolitan Statistical Area"
		}
		if k.Central {
			role = "Central"
		}
		division, divisionTitle := "", ""
		if k.Division != None {
			division, divisionTitle = c.Divisions[k.Division].Code, c.Divisions[k.Division].Title
		}
		rows = append(rows, []string{
			m.Code, division, m.CSA, m.Title, kind, divisionTitle, m.CSATitle, k.Name, s.Name, k.FIPS[:2], k.FIPS[2:], role,
		})
	}
	slices.SortStableFunc(rows, func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	return rows
}

// rezip writes the members of an archive in the order of their names and with
// a fixed time.
func rezip(w io.Writer, archive []byte) error {
	in, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return err
	}
	slices.SortFunc(in.File, func(a, b *zip.File) int { return strings.Compare(a.Name, b.Name) })
	out := zip.NewWriter(w)
	for _, f := range in.File {
		m, err := zipMember(out, f.Name)
		if err != nil {
			return err
		}
		r, err := f.Open()
		if err != nil {
			return err
		}
		if _, err := io.Copy(m, r); err != nil {
			r.Close()
			return err
		}
		r.Close()
	}
	return out.Close()
}
