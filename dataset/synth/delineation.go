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
func (c *Country) delineation(_ context.Context, w io.Writer) (int, error) {
	f := excelize.NewFile()
	defer f.Close()
	const sheet = "List 1"
	if err := f.SetSheetName("Sheet1", sheet); err != nil {
		return 0, err
	}
	areas := c.delineationRows()
	rows := slices.Concat([][]any{
		{"Table with row headers in column A and column headers in row 3"},
		{"List 1. CBSAs, metropolitan divisions and CSAs of an " + c.Label + " country"},
		{
			"CBSA Code", "Metropolitan Division Code", "CSA Code", "CBSA Title", "Metropolitan/Micropolitan Statistical Area",
			"Metropolitan Division Title", "CSA Title", "County/County Equivalent", "State Name", "FIPS State Code", "FIPS County Code", "Central/Outlying County",
		},
	}, areas, [][]any{{"Note: " + c.Label + " data."}, {"Source: not the publisher's file."}})
	for i, row := range rows {
		if err := f.SetSheetRow(sheet, fmt.Sprintf("A%d", i+1), &row); err != nil {
			return 0, err
		}
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		return 0, err
	}
	return len(areas), rezip(w, b.Bytes())
}

func (c *Country) delineationRows() [][]any {
	var rows [][]any
	for _, k := range all(c.Counties) {
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
		rows = append(rows, []any{
			m.Code, division, m.CSA, m.Title, kind, divisionTitle, m.CSATitle, k.Name, s.Name, k.FIPS[:2], k.FIPS[2:], role,
		})
	}
	slices.SortStableFunc(rows, func(a, b []any) int { return strings.Compare(a[0].(string), b[0].(string)) })
	return rows
}

// rezip copies an archive with its members sorted by name and with a fixed
// modification time.
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
