package synth

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/xlsx"
)

// delineation writes list 1 of the metropolitan delineations: two title rows,
// a header, a row for every county of an area, and footnotes.
func (c *Country) delineation(_ context.Context, w io.Writer) (int, error) {
	areas := c.delineationRows()
	rows := slices.Concat([][]string{
		{"Table with row headers in column A and column headers in row 3"},
		{"List 1. CBSAs, metropolitan divisions and CSAs of an " + c.Label + " country"},
		{
			"CBSA Code", "Metropolitan Division Code", "CSA Code", "CBSA Title", "Metropolitan/Micropolitan Statistical Area",
			"Metropolitan Division Title", "CSA Title", "County/County Equivalent", "State Name", "FIPS State Code", "FIPS County Code", "Central/Outlying County",
		},
	}, areas, [][]string{{"Note: " + c.Label + " data."}, {"Source: not the publisher's file."}})
	return len(areas), xlsx.Write(w, "List 1", rows)
}

func (c *Country) delineationRows() [][]string {
	var rows [][]string
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
		rows = append(rows, []string{
			m.Code, division, m.CSA, m.Title, kind, divisionTitle, m.CSATitle, k.Name, s.Name, k.FIPS[:2], k.FIPS[2:], role,
		})
	}
	slices.SortStableFunc(rows, func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	return rows
}
