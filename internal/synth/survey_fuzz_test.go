package synth_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/synth"
)

// FuzzSurveyTable checks that the importer neither panics nor hangs on tables of
// any layout, and that accepted rows fit the table. The inputs are a header, a
// row that is inserted into a valid table, and the length of the whole.
func FuzzSurveyTable(f *testing.F) {
	layouts := []struct {
		layout synth.SurveyLayout
		year   int
	}{{synth.SurveyData, 2022}, {synth.SurveyFactFinder, 2015}, {synth.SurveyDisplay, 2021}, {synth.SurveyArrays, 2023}}
	s := synth.NewSurvey(1, nil)
	names, texts := make([]string, len(layouts)), make([]string, len(layouts))
	for i, l := range layouts {
		table := s.Table(store.ACSZCTA, acs.Housing, l.year)
		var b bytes.Buffer
		if err := synth.WriteLayout(f.Context(), table, &b, l.layout, surveyAreas(store.ACSZCTA)[1:3]); err != nil {
			f.Fatal(err)
		}
		names[i], texts[i] = synth.LayoutName(table, l.layout), b.String()
		f.Add(uint8(i), 0, 0, "")                                 // as it is
		f.Add(uint8(i), len(texts[i])/2, 0, "")                   // cut
		f.Add(uint8(i), 0, len(texts[i])-200, "-888888888")       // another figure
		f.Add(uint8(i), 0, strings.LastIndex(texts[i], "9"), "±") // no figure
		f.Add(uint8(i), 0, strings.Index(texts[i], "\n"), "\n\n") // a line more
	}
	f.Add(uint8(0), 0, 0, "\"GEO_ID\",\"NAME\",\"DP04_0001E\"\n")
	f.Add(uint8(3), 0, 0, `[["DP04_0001E","zip code tabulation area"],[null,"90210"]]`)
	f.Fuzz(func(t *testing.T, layout uint8, cut, at int, put string) {
		if len(put) > 1<<12 {
			return
		}
		i := int(layout) % len(layouts)
		text := texts[i]
		if cut > 0 {
			text = text[:cut%len(text)]
		}
		if at = max(at, 0) % (len(text) + 1); put != "" {
			text = text[:at] + put + text[min(at+len(put), len(text)):]
		}
		p, err := source.OpenACSProfile(format.NewInput(names[i], strings.NewReader(text)), source.ACSProfileOptions{})
		if err != nil {
			return
		}
		columns := len(p.Table().Columns)
		rows := 0
		for row, err := range p.Rows() {
			if err != nil {
				break
			}
			if rows++; rows > len(text) {
				t.Fatalf("more rows than bytes, %d", len(text))
			}
			if len(row.Cells) != columns || row.GEOID >= 1e11 {
				t.Fatalf("area %d with %d cells, want %d", row.GEOID, len(row.Cells), columns)
			}
		}
	})
}
