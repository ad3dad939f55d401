package postgeo_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/geo/svg"
	"github.com/postgeo/postgeo/internal/dataset"
)

// ownRow returns an area with homes in some years, the newest first.
func ownRow(id, name string, years ...int) postgeo.TableRow {
	row := postgeo.TableRow{ID: id, Name: name, OwnTable: postgeo.OwnTable{Source: "Homes (homes.csv)", Weight: postgeo.WeightPeople}}
	for i, year := range years {
		homes, rent := float64(year-2000), float64(i)
		y := postgeo.OwnYear{Year: &year, Columns: map[string]postgeo.OwnColumn{
			"homes": {Meaning: dataset.MeaningCount, Value: &homes}, "rent": {Meaning: dataset.MeaningMean, Value: &rent}, "kind": {Meaning: dataset.MeaningCategory, Category: "a"},
		}}
		if row.Years = append(row.Years, y); i == 0 {
			row.Values, row.Years = y, nil
		}
	}
	return row
}

func TestTableChart(t *testing.T) {
	one, two := ownRow("06037", "Los Angeles County", 2022, 2021, 2020), ownRow("17031", "Cook County", 2022, 2020)
	for _, tt := range []struct {
		rows          []postgeo.TableRow
		columns       []string
		title, labels string
	}{
		{[]postgeo.TableRow{one}, []string{"homes"}, "homes, 06037 Los Angeles County", ""},
		{[]postgeo.TableRow{one, two}, []string{"homes"}, "homes", "06037 Los Angeles County|17031 Cook County"},
		{[]postgeo.TableRow{one}, []string{"homes", "homes"}, "homes, homes, 06037 Los Angeles County", "homes|homes"},
	} {
		c, err := postgeo.TableChart(tt.rows, tt.columns, postgeo.ChartOptions{Attribution: "Sample."})
		if err != nil {
			t.Fatal(err)
		}
		var labels []string
		for _, l := range c.Lines {
			labels = append(labels, l.Label)
			if len(l.Points) != 3 || l.Points[0].Value != 20 || l.Points[2].Value != 22 {
				t.Errorf("%s: %+v", c.Title, l.Points)
			}
		}
		data, err := c.Append(nil)
		if c.Title != tt.title || strings.Join(labels, "|") != tt.labels || c.Attribution != "Homes (homes.csv), divided by people. Sample." || err != nil || len(data) < 1000 {
			t.Errorf("%q, labels %q, %q, error %v", c.Title, labels, c.Attribution, err)
		}
		if len(tt.rows) == 2 && !strings.HasSuffix(c.Description, "17031 Cook County, homes: from 2020: 20 to 2022: 22. No figure of 2021.") {
			t.Errorf("it is described as %q", c.Description)
		}
	}
	for name, tt := range map[string]struct {
		rows    []postgeo.TableRow
		columns []string
	}{
		"no rows": {nil, nil}, "category": {[]postgeo.TableRow{one}, []string{"kind"}}, "unknown": {[]postgeo.TableRow{one}, []string{"x"}},
		"meanings": {[]postgeo.TableRow{one}, nil}, "no year": {[]postgeo.TableRow{{ID: "06037"}}, nil},
	} {
		if _, err := postgeo.TableChart(tt.rows, tt.columns, postgeo.ChartOptions{}); !errors.Is(err, postgeo.ErrInvalidParam) {
			t.Errorf("%s: %v", name, err)
		}
	}
	many, err := postgeo.TableChart([]postgeo.TableRow{one, one, one, one, one, one, one}, []string{"homes"}, postgeo.ChartOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := many.Append(nil); !errors.Is(err, svg.ErrInvalidChart) {
		t.Errorf("seven lines: %v", err)
	}
}

func ExampleTableChart() {
	areas := []postgeo.TableRow{ownRow("06037", "Los Angeles County", 2022, 2021)}
	chart, err := postgeo.TableChart(areas, []string{"homes"}, postgeo.ChartOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(chart.Description)
	// Output:
	// Line chart over years. 06037 Los Angeles County, homes: from 2021: 21 to 2022: 22.
}
