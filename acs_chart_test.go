package postgeo_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/geo/svg"
	"github.com/postgeo/postgeo/internal/acs"
)

func TestSurveyChart(t *testing.T) {
	db := surveyDB(t)
	lines := func(areas []string, dollars int, fields ...string) []postgeo.ACSLine {
		t.Helper()
		list, err := db.ACSSeries(t.Context(), areas, fields, postgeo.ACSSeriesOptions{FigureOptions: acs.FigureOptions{Dollars: dollars}})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	const uninsured, male, poverty = "economic.health_insurance.under_19_uninsured", "demographic.sex_and_age.male", "economic.poverty.people"
	one, two := []string{"90210"}, []string{"90210", "10001"}
	tests := []struct {
		name                   string
		lines                  []postgeo.ACSLine
		percent                bool
		title, labels          string
		prefix, suffix, dollar string
	}{
		{"one line", lines(one, 0, income), false, "Median household income (dollars), 90210", "", "$", "", "Dollars of each year."},
		{"dollars of one year", lines(one, 2020, income), false, "Median household income (dollars), 90210", "", "$", "", "Dollars of 2020."},
		{"two areas", lines(two, 0, male), false, "Male", "90210|10001", "", "", ""},
		{"percentages", lines(two, 0, male), true, "Male", "90210|10001", "", "%", ""},
		{"two fields", lines(one, 0, male, "demographic.sex_and_age.female"), false, "90210", "Male|Female", "", "", ""},
		{"two of both", lines(two, 0, male, poverty), true, "American Community Survey", "90210: Male|90210: All people|10001: Male|10001: All people", "", "%", ""},
		{"years without the field", lines(one, 0, uninsured), false, "No health insurance coverage, 90210", "", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := fmt.Sprint(tt.lines)
			c, err := postgeo.ACSChart(tt.lines, postgeo.ChartOptions{Percent: tt.percent, Attribution: "Sample."})
			if err != nil {
				t.Fatal(err)
			}
			var labels []string
			for i, l := range c.Lines {
				if l.Label != "" {
					labels = append(labels, l.Label)
				}
				for k, p := range l.Points {
					e, ok := tt.lines[i].Points[k].Sample(tt.percent)
					if p.Step != 2011+k || ok != (p.Value == e.Value) || ok && (p.Margin != e.MOE || p.Note == "") || !ok && !math.IsNaN(p.Value) {
						t.Errorf("point %d of line %d is %+v, want %v", k, i, p, e)
					}
				}
			}
			if c.Title != tt.title || strings.Join(labels, "|") != tt.labels || c.Prefix != tt.prefix || c.Suffix != tt.suffix || !strings.Contains(c.Attribution, tt.dollar) || !strings.HasSuffix(c.Attribution, " Sample.") {
				t.Errorf("%q, labels %q, %s%s, %q", c.Title, labels, c.Prefix, c.Suffix, c.Attribution)
			}
			if strings.Contains(tt.name, "without") != strings.Contains(c.Description, "No figure of 2011, 2012, ") {
				t.Errorf("it is described as %q", c.Description)
			}
			data, err := c.Append(nil)
			if err != nil || !strings.Contains(string(data), "<desc>Line chart over years.") {
				t.Errorf("drawn as %.300s, %v", data, err)
			}
			if fmt.Sprint(tt.lines) != before {
				t.Error("the lines were changed")
			}
		})
	}
	for name, l := range map[string][]postgeo.ACSLine{
		"nothing": nil, "money and people": lines(one, 0, income, male), "dollars of two years": slices.Concat(lines(one, 0, income), lines(one, 2020, income)), "percentages and people": lines(one, 0, male, poverty),
	} {
		if _, err := postgeo.ACSChart(l, postgeo.ChartOptions{}); !errors.Is(err, postgeo.ErrInvalidParam) {
			t.Errorf("%s: %v", name, err)
		}
	}
	many := lines([]string{"90210", "10001", "98101", "98102", "98103", "98104", "98105"}, 0, male)
	c, err := postgeo.ACSChart(many, postgeo.ChartOptions{})
	if err == nil {
		_, err = c.Append(nil)
	}
	if !errors.Is(err, svg.ErrInvalidChart) {
		t.Errorf("seven lines: %v", err)
	}
}
